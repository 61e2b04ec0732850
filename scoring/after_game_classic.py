"""The turns of a classic game, as its log finally tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.after_game import Moment, Played, Rolled, Stopped, Turn
from scoring.classic_state import ClassicState, Phase
from scoring.hands import title

if TYPE_CHECKING:
    from scoring.play import Entry, Play
    from scoring.target_deck import Target

TARGET_PHASES = frozenset({Phase.ROLL, Phase.DECIDE, Phase.STOP})


def classic_turns(play: Play[ClassicState]) -> list[tuple[Turn, Target]]:
    """The target turns of a game in order, each with its target; Showdowns left out."""
    found: list[tuple[Turn, Target]] = []
    moments: list[Moment] = []
    for before, entry in zip(play.entries, play.entries[1:], strict=False):
        state = before.state
        if state.phase not in TARGET_PHASES or state.target is None:
            continue
        moment = _moment(state, entry)
        if moment is not None:
            moments.append(moment)
        if isinstance(moment, Stopped):
            found.append((_turn(state, moments), state.target))
            moments = []
    last = play.state
    if moments and last is not None and last.target is not None:
        found.append((_turn(last, moments), last.target))
    return found


def _turn(state: ClassicState, moments: list[Moment]) -> Turn:
    assert state.target is not None
    aim = f"{state.target.id} ({title(state.target.hand).lower()})"
    return Turn(state.actor_name, state.round, aim, tuple(moments))


def _moment(before: ClassicState, entry: Entry[ClassicState]) -> Moment | None:
    after = entry.state
    match entry.action.do:
        case "roll":
            faces = before.throws.faces
            kept = tuple(faces[place] for place in before.throws.kept_places)
            return Rolled(after.throws.faces, kept)
        case "stop":
            result = entry.result or {}
            total = result["total"]
            assert isinstance(total, int)
            return Stopped(total)
        case "play_card" if entry.action.player == before.actor_name:
            return Played(entry.action.card or "")
        case _:  # a Quick-Draw changes nothing for the one who rolls
            return None
