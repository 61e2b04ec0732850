"""Every game is told again from its events, to the same end."""

from __future__ import annotations

import pytest

from scoring.action import action_record
from scoring.games import GAMES
from web_ui.history.records import ending_record, game_record
from web_ui.history.story import Story
from web_ui.random_play import play_at_random
from web_ui.table.events import NewEvent, StoredEvent, new_event


def stored(*events: NewEvent) -> list[StoredEvent]:
    return [StoredEvent(place, "", event) for place, event in enumerate(events, 1)]


def played_events(name: str, seed: int) -> tuple[list[StoredEvent], list[int]]:
    """A game played at random, and its scores."""
    play = play_at_random(name, seed).play
    start, *actions = play.journal
    body = {
        "game": name,
        "players": list(start.players or ()),
        "options": start.options,
    }
    events = [new_event("one", "game_started", body, "test")]
    for action in actions:
        acted = {"action": action_record(action)}
        events.append(new_event("one", "acted", acted, "test"))
    scores = play.view()["scores"]
    assert isinstance(scores, dict)
    return stored(*events), list(scores.values())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", GAMES)
def test_game_is_told_to_its_end(name: str, seed: int) -> None:
    events, scores = played_events(name, seed)
    story = Story()
    story.tell(events)
    assert story.fault == ""
    ending = ending_record(story)
    assert (ending["over"], ending["scores"]) == (True, scores)
    told = game_record({}, story)
    assert len(told["log"]) == len(events)
    assert told["log"][-1]["scores"] == tuple(scores)


def test_game_told_in_pieces_is_the_same_as_at_once() -> None:
    events, _ = played_events("classic", 1)
    whole, pieces = Story(), Story()
    whole.tell(events)
    for event in events:
        pieces.tell([event])
    assert pieces.steps == whole.steps


def test_nothing_told_is_no_game() -> None:
    story = Story()
    story.tell([])
    assert story.game is None
    assert ending_record(story) == {
        "over": False,
        "winners": [],
        "scores": [],
        "fault": None,
    }
