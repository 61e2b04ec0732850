"""The state as a fold of events: what happened gives what is, now and after a restart.

Nothing here asks whether something is wise; the rules of the game alone may refuse.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from scoring.cards import parse_face
from scoring.games import GAMES
from scoring.play import ROLL_ACTIONS, Play
from scoring.refusals import RuleError, shown
from web_ui.recorded_readings import parse_reading
from web_ui.table.shown import Shown, Use
from web_ui.table.state import Claim, LogItem, OpenGame, TableState
from web_ui.table.words import tell

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scoring.cards import Face
    from web_ui.table.events import NewEvent

STEPS_BACK = frozenset({"undo", "redo", "correct"})


class EventError(ValueError):
    """An event that this version does not understand."""


def apply(state: TableState, event: NewEvent) -> TableState:
    """Let an event happen.

    Raises:
        RuleError: a rule of the game refuses it; nothing has changed then.
        EventError: there is no such kind of event.
    """
    body = cast("Mapping[str, Any]", event.body)
    match event.kind:
        case "game_started":
            return _start(state, event, body)
        case "acted":
            return _act(state, event, body)
        case "read":
            return _read(state, body)
        case "considered":
            return _consider(state, body)
        case "answered":
            return _answer(state, body)
        case "dismissed":
            return _dismiss(state, body["reading"])
        case "frozen":
            return replace(state, frozen=body["reason"])
        case "thawed":
            return replace(state, frozen="")
        case "advice_set":
            return replace(state, advice_on=body["on"])
        case "claim_made" | "ruled" | "signed_off" | "reopened":
            return _referee(state, event, body)
        case "game_closed" | "timer_started" | "timer_stopped" | "timer_rung":
            return state
        case _:
            raise EventError(f"unknown kind of event: {event.kind!r}")


def replay(events: Iterable[NewEvent], first: TableState | None = None) -> TableState:
    """Let all events of a game happen, from an empty table."""
    state = first or TableState()
    for event in events:
        state = apply(state, event)
    return state


def _start(state: TableState, event: NewEvent, body: Mapping[str, Any]) -> TableState:
    play: Play[Any] = Play(_game(body["game"]))
    start = {"do": "start", "players": body["players"], "options": body["options"]}
    play.act(start)
    return replace(
        state,
        game=OpenGame(event.game, play, event.at),
        current=None,
        refused=None,
        held=(),
        frozen="",
        advice_on=body.get("advice", state.advice_on),
        notice=None,
        next_reading=max(state.next_reading, body.get("next_reading", 1)),
    )


def _game(name: object) -> Any:
    if not isinstance(name, str) or name not in GAMES:
        raise RuleError(
            "CM-03", f"There is no game {shown(name)}: expected {', '.join(GAMES)}."
        )
    return GAMES[name]


def open_game(state: TableState) -> OpenGame:
    """The game on the table.

    Raises:
        RuleError: CM-03, there is none.
    """
    if state.game is None:
        raise RuleError("CM-03", "Start a game first.")
    return state.game


def _act(state: TableState, event: NewEvent, body: Mapping[str, Any]) -> TableState:
    game = open_game(state)
    play = game.play.copy()
    actor = game.desk.actor(game.state) or ""
    play.act(body["action"])
    action = play.journal[-1]
    number = body.get("reading")
    log, undone = _log(game, play, event, actor, number)
    moved = replace(game, play=play, log=log, undone=undone)
    state = replace(state, game=moved, notice=None)
    if action.do in STEPS_BACK:
        told = replace(moved, log=_told_again(moved))
        return _follow_back(replace(state, game=told, refused=None))
    if number is not None:
        return _take(state, number, body)
    if action.do == "draw":
        return replace(state, current=None, refused=None)
    # what was refused in this turn must not be counted in the next one
    return state if action.do == "keep" else replace(state, refused=None)


def _told_again(game: OpenGame) -> tuple[LogItem, ...]:
    """The log in the words that hold after undo, redo and corrections."""
    entries = game.play.entries
    log, place = [], 0
    for item in game.log:
        if item.done and item.do != "correct":
            before, entry = entries[place], entries[place + 1]
            place += 1
            actor = game.desk.actor(before.state) or ""
            item = replace(item, words=tell(entry.action, actor, entry.result))
        log.append(item)
    return tuple(log)


def _log(
    game: OpenGame, play: Play[Any], event: NewEvent, actor: str, reading: int | None
) -> tuple[tuple[LogItem, ...], tuple[int, ...]]:
    """The log after the last action, and what could be brought back."""
    action, log, undone = play.journal[-1], game.log, game.undone
    if action.do == "undo":
        place = max(k for k, item in enumerate(log) if item.done)
        return _mark(log, place, done=False), (*undone, place)
    if action.do == "redo":
        return _mark(log, undone[-1], done=True), undone[:-1]
    roll = rolls_made(play) - 1 if action.do in ROLL_ACTIONS else None
    words = tell(action, actor, play.result)
    if action.do == "correct":
        reason = str(cast("Mapping[str, Any]", event.body).get("reason", ""))
        faces = " ".join(action.faces or ())
        words = f"Roll {(action.roll or 0) + 1} corrected to {faces}"
        words += f" ({reason})" if reason else ""
        roll = action.roll
    item = LogItem(
        len(log) + 1,
        action.do,
        action.player or ("" if action.do == "correct" else actor),
        words,
        event.by,
        event.at,
        reading,
        roll,
    )
    return (*log, item), ()


def _mark(log: tuple[LogItem, ...], place: int, *, done: bool) -> tuple[LogItem, ...]:
    return (*log[:place], replace(log[place], done=done), *log[place + 1 :])


def rolls_made(play: Play[Any]) -> int:
    """How many rolls and tosses are in the list."""
    return sum(entry.action.do in ROLL_ACTIONS for entry in play.entries)


def roll_faces(play: Play[Any], number: int) -> tuple[Face, ...]:
    """The faces of a roll of the list; nothing if there is no such roll."""
    rolls = [e.action for e in play.entries if e.action.do in ROLL_ACTIONS]
    if not 0 <= number < len(rolls):
        return ()
    action = rolls[number]
    codes = (action.face,) if action.face is not None else action.faces or ()
    return tuple(parse_face(code) for code in codes)


def _follow_back(state: TableState) -> TableState:
    """After undo, redo and corrections: what is shown as counted must be so."""
    current, game = state.current, open_game(state)
    if current is None or current.first_roll is None:
        return state
    answers = [*current.answers]
    for number, places in enumerate(current.parts, start=current.first_roll):
        faces = roll_faces(game.play, number)
        if len(faces) != len(places):
            return replace(state, current=None)
        for place, face in zip(places, faces, strict=True):
            read = current.dice[place].face
            if answers[place] is not None or face != read:
                answers[place] = face
    return replace(state, current=replace(current, answers=tuple(answers)))


def _read(state: TableState, body: Mapping[str, Any]) -> TableState:
    reading = parse_reading(body["record"])
    item = Shown(
        id=body["reading"],
        reading=reading,
        picture=body["picture"] or "",
        width_px=body["width_px"],
        height_px=body["height_px"],
        order=tuple(body["order"]),
        answers=(None,) * len(reading.dice),
        use=Use(body["use"]),
        rule=body.get("rule", ""),
        sentence=body.get("sentence", ""),
        elapsed_ms=body["record"].get("elapsed_ms", 0.0),
    )
    state = replace(state, next_reading=max(state.next_reading, item.id + 1))
    return _put(state, item)


def _put(state: TableState, item: Shown) -> TableState:
    match item.use:
        case Use.HELD:
            return replace(state, held=(*state.held, item))
        case Use.REFUSED:
            return replace(state, refused=item, notice=None)
        case _:
            return replace(state, current=item, refused=None, notice=None)


def find(state: TableState, reading: int) -> Shown:
    """Find a reading that is on the table.

    Raises:
        RuleError: CM-10, it is not there.
    """
    for item in (state.refused, state.current, *state.held):
        if item is not None and item.id == reading:
            return item
    raise RuleError("CM-10", f"Reading {reading} is not the one on the table.")


def without(state: TableState, reading: int) -> TableState:
    """Take a reading off the table."""
    held = tuple(item for item in state.held if item.id != reading)
    current, refused = state.current, state.refused
    return replace(
        state,
        held=held,
        current=None if current and current.id == reading else current,
        refused=None if refused and refused.id == reading else refused,
    )


def _consider(state: TableState, body: Mapping[str, Any]) -> TableState:
    """Look at a reading anew: one that was held, or refused for a keep let go."""
    item = replace(
        find(state, body["reading"]),
        use=Use(body["use"]),
        order=tuple(body["order"]),
        rule=body.get("rule", ""),
        sentence=body.get("sentence", ""),
    )
    return _put(without(state, item.id), item)


def _take(state: TableState, number: int, body: Mapping[str, Any]) -> TableState:
    """Show a reading as counted; the last of its actions says for which rolls."""
    item = find(state, number)
    play = open_game(state).play
    last = rolls_made(play) - 1
    places = tuple(body["places"])
    taken = replace(
        item,
        use=Use.TAKEN,
        order=tuple(body["order"]),
        answers=tuple(_faces(body["answers"])),
        rule="",
        sentence="",
        first_roll=last if item.first_roll is None else item.first_roll,
        parts=(*item.parts, places),
    )
    return _put(without(state, number), taken)


def _faces(codes: Iterable[str | None]) -> list[Face | None]:
    return [None if code is None else parse_face(code) for code in codes]


def _answer(state: TableState, body: Mapping[str, Any]) -> TableState:
    item = find(state, body["reading"])
    place = body["die"]
    face = parse_face(body["face"])
    answers = (*item.answers[:place], face, *item.answers[place + 1 :])
    answered = replace(item, answers=answers)
    if state.refused is not None and state.refused.id == item.id:
        return replace(state, refused=answered, notice=None)
    return replace(state, current=answered, notice=None)


def _dismiss(state: TableState, reading: int) -> TableState:
    find(state, reading)
    return replace(without(state, reading), notice=None)


def _referee(state: TableState, event: NewEvent, body: Mapping[str, Any]) -> TableState:
    game = open_game(state)
    if event.kind == "signed_off":
        return replace(state, game=replace(game, signed_by=body["name"]))
    if event.kind == "reopened":
        return replace(state, game=replace(game, signed_by=""))
    if event.kind == "claim_made":
        claim = Claim(
            len(game.claims) + 1,
            body["words"],
            body["by"],
            event.at,
            body.get("reading"),
        )
        return replace(state, game=replace(game, claims=(*game.claims, claim)))
    claims = tuple(
        replace(claim, ruling=body["ruling"], reason=body["reason"], ruled_by=event.by)
        if claim.id == body["claim"]
        else claim
        for claim in game.claims
    )
    return replace(state, game=replace(game, claims=claims))
