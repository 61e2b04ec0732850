from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scripts import STOP, do, keep, played, refusal, roll, start, view

from scoring.action import action_record, read_action
from scoring.games import GAMES

if TYPE_CHECKING:
    from scoring.play import Play

T18 = do("draw", player="Ann", card="T18")
EXACT = "TC TD TS 9C 9H 2S 3H 4D 6C"
NEAR = "TC TD 5H 9C KH 2S 3H 4D 6C"
OTHER = "2H 3D 4C 5S 7H 8D 9C TS QH"
PAIR = start("Ann", "Bob")


def test_before_the_start_there_is_only_the_phase_start() -> None:
    play = played("classic")
    assert view(play)["phase"] == "start"
    for action in (STOP, do("correct", roll=0, faces=[])):
        assert refusal(play, action) == "CM-03"
    assert refusal(play, do("undo")) == "CM-08"
    assert refusal(play, do("redo")) == "CM-09"


@pytest.mark.parametrize("game", GAMES)
def test_cm_03_start_comes_once_with_different_names(game: str) -> None:
    play = played(game)
    for names in (["Ann", "Ann", "Bob"], ["Ann", "", "Bob"], ["Ann", " ", "Bob"]):
        assert refusal(play, do("start", players=names)) == "CM-03"
    malformed: tuple[object, ...] = ("Ann", [1, 2, 3], {})
    for players in malformed:
        assert refusal(play, do("start", players=players)) == "CM-03"
    names = ["Ann", "Bob", "Cid"][: 2 if game in ("war", "showdown") else 3]
    play.act(do("start", players=names))
    assert refusal(play, do("start", players=names)) == "CM-03"


@pytest.mark.parametrize("game", GAMES)
def test_cm_03_every_option_refuses_values_of_a_wrong_type(game: str) -> None:
    names = ["Ann", "Bob", "Cid"][: 2 if game in ("war", "showdown") else 3]
    for option in GAMES[game].options:
        for wrong in ({"x": 1}, -1, "no such word", [["AS"]]):
            options = {option: wrong}
            bad = do("start", players=names, options=options)
            assert refusal(played(game), bad) == "CM-03", options
    bad = do("start", players=names, options={"speed": 1})
    assert refusal(played(game), bad) == "CM-03"


@pytest.mark.parametrize("game", GAMES)
def test_defaults_that_are_listed_are_the_ones_played(game: str) -> None:
    names = ["Ann", "Bob", "Cid"][: 2 if game in ("war", "showdown") else 3]
    named = played(game, start(*names, **GAMES[game].options))
    assert named.state == played(game, start(*names)).state


@pytest.mark.parametrize(
    "record",
    [
        pytest.param([], id="list"),
        pytest.param(None, id="null"),
        pytest.param({}, id="empty"),
        pytest.param({"do": 3}, id="number"),
        pytest.param({"do": "dance"}, id="unknown"),
        pytest.param({"do": "toss", "player": "Ann", "face": "KH"}, id="other-game"),
        pytest.param({"do": "roll"}, id="no-faces"),
        pytest.param({"do": "roll", "faces": "TC"}, id="text"),
        pytest.param({"do": "roll", "faces": [1]}, id="number-as-face"),
        pytest.param({"do": "keep", "dice": [True]}, id="bool-as-place"),
        pytest.param({"do": "keep", "dice": [0.0]}, id="float-as-place"),
        pytest.param({"do": "stop", "player": 7}, id="number-as-player"),
        pytest.param({"do": "stop", "player": "Zoe"}, id="unknown-player"),
        pytest.param({"do": "play_card", "card": "joker"}, id="player-left-out"),
        pytest.param({"do": "correct", "faces": []}, id="no-roll"),
        pytest.param({"do": "correct", "roll": "0", "faces": []}, id="text-as-roll"),
    ],
)
def test_cm_04_what_is_no_action_is_refused(record: object) -> None:
    assert refusal(played("classic", PAIR, T18, roll(NEAR)), record) == "CM-04"


def test_unknown_extra_fields_are_ignored() -> None:
    play = played("classic", PAIR, {**T18, "colour": 3, "dice": "x"})
    assert view(play)["target"] == "T18"


def test_action_is_written_as_it_was_read() -> None:
    records: list[dict[str, Any]] = [
        start("Ann", "Bob", rounds=2),
        T18,
        roll(NEAR),
        keep(),
        do("correct", roll=0, faces=EXACT.split()),
        do("guess", player="Ann", correct=False),
        do("deal", hands={"Ann": ["AS"], "Bob": []}),
    ]
    for record in records:
        assert action_record(read_action(record)) == record


def test_cm_08_undo_goes_back_across_turns_and_the_end() -> None:
    short = start("Ann", rounds=1)
    play = played("classic", short, T18, roll(EXACT), STOP)
    assert view(play)["phase"] == "over"
    play.act(do("undo"))
    assert view(play)["phase"] == "decide"
    for _ in range(2):
        play.act(do("undo"))
    assert view(play)["phase"] == "draw"
    assert refusal(play, do("undo")) == "CM-08"


def test_cm_09_after_a_new_action_there_is_nothing_to_redo() -> None:
    play = played("classic", PAIR, T18, roll(NEAR), do("undo"), roll(EXACT))
    assert refusal(play, do("redo")) == "CM-09"


def test_cm_09_a_refused_action_does_not_take_redo_away() -> None:
    play = played("classic", PAIR, T18, roll(NEAR), do("undo"))
    assert refusal(play, STOP) == "CM-22"
    play.act(do("redo"))
    assert view(play)["roll_number"] == 1


def test_cm_08_a_correction_is_taken_back_whole() -> None:
    fixed = do("correct", roll=0, faces=OTHER.split())
    play = played("classic", PAIR, T18, roll(EXACT), STOP, fixed)
    assert view(play)["scores"]["Ann"] == 0
    play.act(do("undo"))
    assert view(play)["scores"]["Ann"] == 10
    play.act(do("redo"))
    assert view(play)["scores"]["Ann"] == 0


@pytest.mark.parametrize("number", [-1, 1, 99])
def test_cm_10_no_such_roll(number: int) -> None:
    play = played("classic", PAIR, T18, roll(NEAR))
    fixed = do("correct", roll=number, faces=EXACT.split())
    assert refusal(play, fixed) == "CM-10"


def test_cm_10_undone_rolls_do_not_count() -> None:
    play = played("classic", PAIR, T18, roll(OTHER), do("undo"), roll(NEAR), STOP)
    play.act(do("correct", roll=0, faces=EXACT.split()))
    assert view(play)["scores"]["Ann"] == 10


@pytest.mark.parametrize(
    ("faces", "rule"),
    [
        pytest.param("TC TD", "CM-13", id="two-faces"),
        pytest.param("1C TD TS 9C 9H 2S 3H 4D 6C", "CM-14", id="no-face"),
        pytest.param("9 TD TS 9C 9H 2S 3H 4D 6C", "CM-14", id="poker-die"),
        pytest.param("TD TD TS 9C 9H 2S 3H 4D 6C", "CM-15", id="twice"),
    ],
)
def test_cm_10_impossible_correction_names_its_own_rule(faces: str, rule: str) -> None:
    play = played("classic", PAIR, T18, roll(NEAR), STOP)
    assert refusal(play, do("correct", roll=0, faces=faces.split())) == rule


def test_cm_10_a_correction_may_reopen_a_finished_game() -> None:
    short = start("Ann", "Bob", rounds=1)
    bob = do("draw", player="Bob", card="T17")
    play = played("classic", short, T18, roll(EXACT), STOP, bob, roll(OTHER), STOP)
    assert view(play)["winners"] == ["Ann"]
    play.act(do("correct", roll=0, faces=OTHER.split()))
    assert view(play)["winners"] == []
    assert view(play)["extra_round"] is True


def test_cm_11_a_correction_that_forbids_a_later_action_is_refused() -> None:
    short = start("Ann", "Bob", rounds=1)
    bob = do("draw", player="Bob", card="T17")
    extra = do("draw", player="Ann", card="T01")
    play = played(
        "classic", short, T18, roll(OTHER), STOP, bob, roll(OTHER), STOP, extra
    )
    # with ten chips Ann would have won: there would be no extra round to draw in
    fixed = do("correct", roll=0, faces=EXACT.split())
    assert refusal(play, fixed) == "CM-11"


def test_cm_11_a_corrected_kept_die_that_makes_a_later_roll_impossible() -> None:
    later = "2D 7D 5D 9C 9H AS KD JD QC"
    play = played("classic", PAIR, T18, roll(NEAR), keep(3), roll(later))
    fixed = NEAR.replace("9C", "9H")
    assert refusal(play, do("correct", roll=0, faces=fixed.split())) == "CM-11"


def test_cm_12_a_face_is_corrected_through_all_rolls_in_which_the_die_lay() -> None:
    first = "TC TD 5H 9S KH 2S 3H 4D 6C"
    second = "TC TD 5D 9S KC 2H 3D 4S 6D"
    third = "TC AC TS 9S 9H AS KD JD QC"
    actions = [roll(first), keep(0, 1, 3), roll(second), keep(0, 3), roll(third)]
    play = played("classic", PAIR, T18, *actions)
    fixed = "TC TD 5D 9C KC 2H 3D 4S 6D"
    play.act(do("correct", roll=1, faces=fixed.split()))
    rolls = [entry.action.faces for entry in play.entries if entry.action.faces]
    assert [faces[3] for faces in rolls] == ["9C", "9C", "9C"]
    assert [faces[2] for faces in rolls] == ["5H", "5D", "TS"]


def test_cm_12_a_die_picked_up_again_is_not_corrected() -> None:
    play = played("classic", PAIR, T18, roll(NEAR), keep(0), roll("TC " + OTHER[3:]))
    fixed = ("TC AD " + OTHER[6:]).split()
    play.act(do("correct", roll=1, faces=fixed))
    rolls = [entry.action.faces for entry in play.entries if entry.action.faces]
    assert rolls[0][1] == "TD"


def test_the_journal_keeps_what_was_undone() -> None:
    play = played("classic", PAIR, T18, roll(NEAR), do("undo"), roll(EXACT))
    assert [action.do for action in play.journal] == [
        *("start", "draw", "roll", "undo", "roll"),
    ]
    assert [entry.action.do for entry in play.entries] == ["start", "draw", "roll"]


def test_ten_thousand_rolls_are_no_burden() -> None:
    play: Play[Any] = played("rummy", start("Ann", rounds=3334))
    for _ in range(3333):
        for faces in (NEAR, OTHER, NEAR):
            play.act(roll(faces))
        play.act(STOP)
    assert view(play)["round"] == 3334
    play.act(do("correct", roll=9998, faces=EXACT.split()))
    assert len(play.entries) == 1 + 3333 * 4
