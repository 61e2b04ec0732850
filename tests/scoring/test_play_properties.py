"""Properties of every game's log, on games, moves and nonsense chosen at random."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_actions import nonsense, sensible, start

from scoring.action import action_record
from scoring.games import GAMES
from scoring.play import Play
from scoring.refusals import RuleError
from web_ui.random_play import play_at_random

if TYPE_CHECKING:
    from collections.abc import Callable

RULE = re.compile(r"(CM|CL|BH|RM|SH|WR|SS|SQ)-\d\d")

STEPS = st.lists(
    st.sampled_from(["move"] * 6 + ["nonsense", "undo", "redo", "correct"]),
    max_size=60,
)
SEEDS = st.integers(0, 2**32 - 1)
WORDS = sorted(
    {"start", "undo", "redo", "correct", "dance"}.union(
        *(game.actions for game in GAMES.values())
    )
)
NAMES = st.sampled_from(["Ann", "Bob", "Cid", "Zoe", "", "AS", "queens", "joker"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 99) | st.floats() | NAMES,
    lambda inner: (
        st.lists(inner, max_size=9) | st.dictionaries(NAMES, inner, max_size=3)
    ),
    max_leaves=9,
)
FIELDS = (
    *("player", "players", "options", "faces", "face", "dice", "die", "card"),
    *("opponent", "hands", "row", "item", "correct", "roll"),
)
RECORDS = VALUES | st.builds(
    lambda word, fields: {**fields, "do": word},
    st.sampled_from(WORDS) | VALUES,
    st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=4),
)


def everything(play: Play[Any]) -> tuple[Any, ...]:
    """All that can be seen of a log."""
    told = (play.view(), play.can_undo, play.can_redo)
    return (*told, play.state, [*play.entries], [*play.journal])


def stood(play: Play[Any]) -> tuple[Any, Any]:
    return play.state, [*play.entries]


def act(play: Play[Any], action: object) -> str:
    """The rule that refuses an action, empty if none; a refusal changes nothing."""
    before = everything(play)
    refusal: RuleError | None = None
    try:
        play.act(action)
    except RuleError as error:
        refusal = error
    if refusal is None:
        return ""
    assert everything(play) == before
    assert RULE.fullmatch(refusal.rule)
    assert refusal.sentence.endswith(".")
    return refusal.rule


def wander(name: str, seed: int, steps: list[str]) -> Play[Any]:
    random = Random(seed)
    play: Play[Any] = Play(GAMES[name])
    play.act(start(random, play.game))
    assert play.state is not None
    names = [*play.state.players]
    for step in steps:
        if step == "nonsense":
            act(play, nonsense(random, names))
        elif step in ("undo", "redo"):
            act(play, {"do": step})
        elif step == "correct":
            act(play, one_face_corrected(random, play))
        elif not play.state.over:
            act(play, sensible(random, play))
    return play


def one_face_corrected(random: Random, play: Play[Any]) -> dict[str, Any]:
    """A roll of the log with one of its faces another one, now and then a legal one."""
    told = [entry.action for entry in play.entries]
    rolls = [action for action in told if action.do in ("roll", "toss")]
    if not rolls:
        return {"do": "correct", "roll": 0, "faces": ["AS"]}
    number = random.randrange(len(rolls))
    faces = [*(rolls[number].faces or [rolls[number].face or ""])]
    faces[random.randrange(len(faces))] = random.choice(["2S", "KH", "9D", "A", "1"])
    return {"do": "correct", "roll": number, "faces": faces}


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=25)
@given(seed=SEEDS, steps=STEPS)
def test_cm_01_the_journal_replayed_gives_the_same_log(
    name: str, seed: int, steps: list[str]
) -> None:
    play = wander(name, seed, steps)
    again: Play[Any] = Play(GAMES[name])
    for action in play.journal:
        again.act(action_record(action))
    assert everything(again) == everything(play)
    plain: Play[Any] = Play(GAMES[name])
    for entry in play.entries:
        plain.act(action_record(entry.action))
        assert plain.state == entry.state
    assert stood(plain) == stood(play)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=25)
@given(seed=SEEDS, steps=STEPS, back=st.integers(1, 8))
def test_cm_09_undo_then_redo_is_identity(
    name: str, seed: int, steps: list[str], back: int
) -> None:
    play = wander(name, seed, steps)
    stands = [stood(play)]
    for _ in range(back):
        if act(play, {"do": "undo"}):
            assert not play.can_undo
            break
        stands.append(stood(play))
    while len(stands) > 1:
        assert stood(play) == stands.pop()
        assert not act(play, {"do": "redo"})
    assert stood(play) == stands[0]


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=60)
@given(seed=SEEDS, steps=STEPS, record=RECORDS)
def test_cm_02_any_record_is_accepted_or_refused_by_a_rule(
    name: str, seed: int, steps: list[str], record: object
) -> None:
    play = wander(name, seed, steps[:12])
    refused = act(play, record)
    word = record.get("do") if isinstance(record, dict) else None
    own = play.game.actions | {"start", "undo", "redo", "correct"}
    if not isinstance(word, str) or word not in own:
        assert refused == "CM-04"


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=15)
@given(seed=SEEDS)
def test_cm_07_a_finished_game_refuses_every_other_action(name: str, seed: int) -> None:
    play = play_at_random(name, seed).play
    names = [*play.view()["scores"]]  # type: ignore[misc]  # an object of players
    random = Random(seed)
    for _ in range(10):
        action = nonsense(random, names)
        if action["do"] not in ("undo", "redo", "correct"):
            assert act(play, action) in ("CM-04", "CM-07")


def classic_paid(_: Any, result: dict[str, Any]) -> int:
    """CL-22, CL-28: targets and Quick-Draws are paid by the bank, Showdowns are not."""
    return int(result.get("total", 0) + sum(result.get("quick_draw", {}).values()))


def straight_paid(state: Any, result: dict[str, Any]) -> int:
    """SS-09, SS-10: a point a trick, all of them double; nothing in a shootout."""
    if "deal" not in result or state.shootout:
        return 0
    tricks = 24 // len(state.players)
    points = [*result["deal"].values()]
    assert sum(points) == (2 * tricks if 2 * tricks in points else tricks)
    return sum(points)


def squint_paid(state: Any, result: dict[str, Any]) -> int:
    """SQ-09: builder and guesser get the number each."""
    assert result.get("chips", 0) in (0, 1, 2, 3)
    return 2 * cast("int", result.get("chips", 0))


def showdown_paid(_: Any, result: dict[str, Any]) -> int:
    return cast("int", result.get("points", 0))


PAID: dict[str, Callable[[Any, dict[str, Any]], int]] = {
    "classic": classic_paid,
    "rummy": showdown_paid,
    "showdown": showdown_paid,
    "straight_shooter": straight_paid,
    "squint": squint_paid,
}


@pytest.mark.parametrize("name", PAID)
@settings(max_examples=25)
@given(seed=SEEDS)
def test_cl_28_sq_09_ss_09_scores_grow_by_what_results_pay(
    name: str, seed: int
) -> None:
    entries = play_at_random(name, seed).play.entries
    for before, after in pairwise(entries):
        assert min(after.state.scores) >= 0
        grown = sum(after.state.scores) - sum(before.state.scores)
        paid = PAID[name](before.state, dict(after.result or {}))
        assert grown == paid, after.action


@settings(max_examples=25)
@given(seed=SEEDS)
def test_cl_28_a_showdown_only_moves_chips(seed: int) -> None:
    entries = play_at_random("classic", seed).play.entries
    for before, after in pairwise(entries):
        result: dict[str, Any] = dict(after.result or {})
        if "duel" in result and result["duel"] != "tie":
            moved = [
                now - then
                for now, then in zip(
                    after.state.scores, before.state.scores, strict=True
                )
            ]
            assert sorted([*moved, 0, 0])[0] == -result["chips"]
            assert max(moved) == result["chips"] <= 6


@settings(max_examples=25)
@given(seed=SEEDS)
def test_sh_06_every_row_of_a_game_counts_once(seed: int) -> None:
    for entry in play_at_random("showdown", seed).play.entries:
        rows = [taken.row for taken in entry.state.card]
        assert len(rows) == len(set(rows))
