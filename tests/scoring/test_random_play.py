"""Random play of every game: it ends, refusals change nothing, the log is the game."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from random_actions import nonsense, sensible, start

from scoring.action import action_record
from scoring.games import GAMES
from scoring.play import Play
from scoring.refusals import RuleError

GAMES_EACH = 25
MOST_ACTIONS = 20_000
RULE = re.compile(r"(CM|CL|BH|RM|SH|WR|SS|SQ)-\d\d")


def try_out(play: Play[Any], action: dict[str, Any]) -> bool:
    """Whether the action was accepted; a refusal must leave everything as it was."""
    before = (play.state, play.result, len(play.journal), len(play.entries))
    refusal: RuleError | None = None
    try:
        play.act(action)
    except RuleError as error:
        refusal = error
    if refusal is None:
        return True
    assert RULE.fullmatch(refusal.rule), action
    assert refusal.sentence.endswith("."), refusal.sentence
    after = (play.state, play.result, len(play.journal), len(play.entries))
    assert after == before
    return False


def play_out(name: str, seed: int, mess: float = 0.0) -> Play[Any]:
    random = Random(seed)
    game = GAMES[name]
    play: Play[Any] = Play(game)
    assert try_out(play, start(random, game))
    names = [*play.view()["scores"]]  # type: ignore[misc]  # an object of players
    for _ in range(MOST_ACTIONS):
        if random.random() < mess:
            try_out(play, nonsense(random, names))
        elif play.state is not None and play.state.over:
            return play
        else:
            try_out(play, sensible(random, play))
    raise AssertionError(f"{name}, seed {seed}: no end after {MOST_ACTIONS} actions")


@pytest.mark.parametrize("name", GAMES)
def test_random_play_ends_with_winners(name: str) -> None:
    for seed in range(GAMES_EACH):
        view = play_out(name, seed).view()
        assert view["winners"]
        assert view["next_player"] is None


@pytest.mark.parametrize("name", GAMES)
def test_cm_01_replaying_the_log_gives_the_state(name: str) -> None:
    for seed in range(GAMES_EACH // 2):
        play = play_out(name, seed, mess=0.2)
        again = Play(GAMES[name])
        for action in play.journal:
            again.act(action_record(action))
        assert again.view() == play.view()
        assert again.state == play.state
        cleaned = Play(GAMES[name])
        for entry in play.entries:
            cleaned.act(action_record(entry.action))
        assert cleaned.state == play.state


@pytest.mark.parametrize("name", GAMES)
def test_cm_08_cm_09_undoing_all_and_redoing_all_is_identity(name: str) -> None:
    for seed in range(GAMES_EACH // 2):
        play = play_out(name, seed, mess=0.1)
        states = [entry.state for entry in play.entries]
        steps = 0
        while try_out(play, {"do": "undo"}):
            steps += 1
            assert play.result is None
        assert len(play.entries) == 1
        assert play.entries[0].state == states[0]
        for _ in range(steps):
            assert try_out(play, {"do": "redo"})
        assert not try_out(play, {"do": "redo"})
        assert [entry.state for entry in play.entries] == states


def test_wr_12_dice_and_pot_are_always_eight() -> None:
    for seed in range(GAMES_EACH):
        for entry in play_out("war", seed).entries:
            state: Any = entry.state
            total = sum(map(len, state.dice)) + len(state.pot)
            assert total == 8 or state.phase == "draft"


def test_cl_30_no_card_of_the_deck_is_ever_lost() -> None:
    for seed in range(GAMES_EACH):
        for entry in play_out("classic", seed).entries:
            state: Any = entry.state
            held = [card for cards in state.held for card in cards]
            target = [state.target] if state.target else []
            cards = [*state.pile, *state.discards, *state.used, *held, *target]
            assert len(cards) == len(set(cards)) == len(state.options.deck)
