"""Orders at the table: what people ask for, carried out or refused with a rule."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from scoring.cards import FaceCodeError, parse_face
from scoring.dice_sets import bundled_dice_set
from scoring.refusals import RuleError, shown
from vision.reading import DieReading, Reading, Status
from web_ui.table.beginning import draw_card, start_game
from web_ui.table.commands import (
    PLAYERS,
    Act,
    Confirm,
    Dismiss,
    Freeze,
    MakeClaim,
    Name,
    Reopen,
    Rule,
    SetAdvice,
    SetTimer,
    SignOff,
    Start,
    Thaw,
)
from web_ui.table.fold import find, open_game, roll_faces
from web_ui.table.needs import NOWHERE
from web_ui.table.readings import Settled, bring, consider, placed, take, take_held
from web_ui.table.shown import Shown, Use

if TYPE_CHECKING:
    from scoring.action import Action
    from scoring.cards import Face
    from web_ui.table.commands import Order
    from web_ui.table.pen import Pen

BY_HAND = "typed in by hand"
"""The model of a reading that no model read."""
BACK = frozenset({"undo", "redo", "correct"})
WAITS = "A reading still waits for your answer."


def obey(pen: Pen, order: Order) -> None:
    """Carry out an order.

    Args:
        pen: writes what comes of it; thrown away if it is refused.
        order: what to do.

    Raises:
        RuleError: a rule of the game refuses it, or one of the table: TB-01 frozen,
            TB-02 meant for an earlier moment, TB-03 not this player's, TB-04 signed,
            TB-06 a referee's to do.
    """
    _check(pen, order)
    command = order.command
    match command:
        case Start(game, players, options, dice_set):
            name = pen.house.game.name if game is None else game
            agreed = options
            if game is None and not options:
                agreed = pen.house.game.options
            start_game(pen, name, players, agreed, dice_set)
        case Act(action, reason):
            if action.do == "correct":
                _referee_only(order)
            _act(pen, action, reason)
        case Confirm(reading):
            _confirm(pen, _waiting(pen, reading))
        case Name():
            if find(pen.state, command.reading).use is Use.TAKEN:
                _referee_only(order)
            _name(pen, command)
        case Dismiss(reading):
            _dismiss(pen, reading)
        case SetTimer():
            pass  # the timer is the table's thread's: it has the clock
        case SetAdvice(on):
            pen.write("advice_set", {"on": on})
        case MakeClaim(words, by, reading):
            open_game(pen.state)
            pen.write("claim_made", {"words": words, "by": by, "reading": reading})
        case Rule(claim, ruling, reason):
            _rule(pen, claim, ruling, reason)
        case Freeze(reason):
            pen.write("frozen", {"reason": reason})
        case Thaw():
            pen.write("thawed", {})
        case SignOff(name):
            if not open_game(pen.state).state.over:
                raise RuleError("CM-06", "Only a game that is over is signed.")
            if signer := open_game(pen.state).signed_by:
                raise RuleError(
                    "TB-04", f"{signer} signed the result: reopen it first."
                )
            pen.write("signed_off", {"name": name})
        case Reopen(reason):
            if not open_game(pen.state).signed_by:
                raise RuleError("CM-06", "Nobody has signed this result.")
            pen.write("reopened", {"reason": reason})
        case _:
            assert_never(command)


def _check(pen: Pen, order: Order) -> None:
    """Refuse what comes at the wrong moment or from the wrong person."""
    state = pen.state
    game = state.game
    if order.step is not None and game is not None and order.step != game.step:
        raise RuleError(
            "TB-02", "The table has moved on since: look again, then decide."
        )
    if state.frozen and not order.referee:
        raise RuleError("TB-01", f"The table is frozen: {state.frozen}")
    signed = game.signed_by if game is not None else ""
    if signed and isinstance(order.command, Act | Name):
        raise RuleError("TB-04", f"{signed} signed the result: reopen it first.")
    if order.seat is not None:
        _check_seat(pen, order, order.seat)


def _check_seat(pen: Pen, order: Order, seat: str) -> None:
    if order.game is not None and order.game != open_game(pen.state).id:
        raise RuleError("TB-03", "This phone joined another game: join again.")
    if order.do not in PLAYERS:
        raise RuleError("TB-03", f"{order.do!r} is for whoever runs the table.")
    command = order.command
    if isinstance(command, MakeClaim):
        if command.by != seat:
            raise RuleError("TB-03", f"Claims from this phone are {seat}'s.")
        return
    game = open_game(pen.state)
    named = command.action.player if isinstance(command, Act) else None
    if (named or game.desk.actor(game.state)) != seat:
        raise RuleError("TB-03", f"It is not {seat}'s to do.")


def _referee_only(order: Order) -> None:
    """A roll that counted is evidence: changing it takes a referee."""
    if not order.referee:
        raise RuleError("TB-06", "Only a referee corrects a roll that counted.")


def _nothing_waits(pen: Pen) -> None:
    current = pen.state.current
    if current is not None and current.use is Use.WAITING:
        raise RuleError("CM-06", WAITS)


def _act(pen: Pen, action: Action, reason: str) -> None:
    game = open_game(pen.state)
    if action.do not in BACK:
        _nothing_waits(pen)
    if action.do == "roll":
        _type_in(pen, action.faces or ())
        return
    if action.do == "draw" and game.play.game.name == "classic":
        draw_card(pen, game, action.card)
        return
    pen.do(action, reason)
    refused = pen.state.refused
    if action.do == "keep" and refused is not None and refused.rule == "CM-17":
        # the roll that contradicted the keep may be right now
        consider(pen, refused)


def _type_in(pen: Pen, texts: tuple[str, ...]) -> None:
    """A roll typed in by hand: it is evidence too, if without a picture."""
    game = open_game(pen.state)
    need = game.need
    if need is None:
        # the rules say why not
        pen.act({"do": "roll", "faces": [*texts]})
        return
    faces = tuple(_typed(text) for text in texts)
    dice = tuple(DieReading(face, 1.0, NOWHERE) for face in faces)
    reading = Reading(need.dice_set.name, Status.SURE, 1.0, dice, (), BY_HAND)
    item = bring(pen, Settled(reading))
    plain = replace(item, order=tuple(range(len(faces))))
    take(pen, plain)


def _typed(text: str) -> Face:
    """A face that somebody typed; people mistype (CM-14)."""
    try:
        return parse_face(text)
    except FaceCodeError as error:
        raise RuleError("CM-14", f"{shown(text)} is not a face.") from error


def _waiting(pen: Pen, reading: int) -> Shown:
    item = find(pen.state, reading)
    if item.use is not Use.WAITING:
        raise RuleError("CM-06", f"Reading {reading} does not wait for an answer.")
    return item


def _confirm(pen: Pen, item: Shown) -> None:
    if None in item.faces:
        raise RuleError("CM-14", "One die is unreadable: say what it shows.")
    doubtful, faces = item.doubtful, item.faces
    answers = tuple(
        faces[index] if index in doubtful else answer
        for index, answer in enumerate(item.answers)
    )
    take(pen, placed(replace(item, answers=answers), pen.state.need))
    take_held(pen)


def _dismiss(pen: Pen, reading: int) -> None:
    item = find(pen.state, reading)
    if item.use is Use.TAKEN:
        raise RuleError("CM-06", "This roll was counted: correct it instead.")
    pen.write("dismissed", {"reading": reading})
    if item.use is Use.WAITING:
        take_held(pen)


def _name(pen: Pen, command: Name) -> None:
    """Say what a die shows: an answer to a doubt, or a correction of a roll."""
    item = find(pen.state, command.reading)
    face, die = command.face, command.die
    if not 0 <= die < len(item.order):
        raise RuleError("CM-10", f"There is no die at place {die}.")
    own = pen.house.dice_set
    named = item.reading.dice_set
    dice_set = own if own.name == named else bundled_dice_set(named)
    if face not in dice_set.faces:
        raise RuleError("CM-14", f"{face.code} is not a face of these dice.")
    if item.use is Use.TAKEN:
        _correct_taken(pen, item, command)
        return
    need = pen.state.need
    if need is not None and len(item.order) != need.dice_set.dice_count:
        raise RuleError("CM-13", "Not all dice are in the picture: roll again.")
    body = {"reading": item.id, "die": die, "face": face.code}
    pen.write("answered", body)
    answered = find(pen.state, item.id)
    if not answered.doubtful and None not in answered.faces:
        take(pen, placed(answered, need))
        take_held(pen)


def _correct_taken(pen: Pen, item: Shown, command: Name) -> None:
    """Correct a roll that was counted (CM-10, CM-12)."""
    game = open_game(pen.state)
    first = item.first_roll
    if first is None:
        raise RuleError("CM-10", f"Reading {item.id} is no roll of this game.")
    codes = [face.code for face in item.known]
    codes[command.die] = command.face.code
    for number, places in enumerate(item.parts, start=first):
        part = [codes[place] for place in places]
        if [face.code for face in roll_faces(game.play, number)] != part:
            correction: dict[str, object] = {
                "do": "correct",
                "roll": number,
                "faces": part,
            }
            pen.act(correction, reason=command.reason)


def _rule(pen: Pen, claim: int, ruling: str, reason: str) -> None:
    claims = open_game(pen.state).claims
    if not 1 <= claim <= len(claims):
        raise RuleError("CM-04", f"There is no claim {claim}.")
    if claims[claim - 1].ruling:
        raise RuleError("CM-04", f"Claim {claim} was ruled already.")
    pen.write("ruled", {"claim": claim, "ruling": ruling, "reason": reason})
