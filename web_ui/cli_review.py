"""`tableside review`: a game afterwards: luck, and what the decisions cost."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring.after_game import Played, Rolled, Stopped
from scoring.after_game_review import review_game
from scoring.cards import ScoringError
from scoring.json_files import JsonFileError
from web_ui.dice_set_option import dice_set_of
from web_ui.printable import printable
from web_ui.script_files import read_script, run_script

if TYPE_CHECKING:
    import argparse

    from scoring.after_game import Faces, Option, Step, TurnReview
    from scoring.after_game_review import GameReview

COSTLIEST = 5
"""Decisions named without `--turns`."""


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the command to the `tableside` parser."""
    parser = subparsers.add_parser(
        "review",
        help="after a game: luck, and what the decisions cost",
        description="Compares the chips of every turn with the exact expectation of "
        "its rolls, and every keep with the best one.",
    )
    parser.add_argument("file", type=Path, help="a game script (JSON)")
    parser.add_argument(
        "--set",
        metavar="NAME",
        help="the dice, if the game does not tell their layout: a dice set or a file",
    )
    parser.add_argument("--turns", action="store_true", help="print every turn")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command.

    Returns:
        0 done, 1 some actions of the script were refused (the others are reviewed),
        2 unusable input, or a game without a review.
    """
    try:
        script = read_script(args.file)
        play, refused = run_script(script)
        for fault in refused:
            told = f"tableside review: {args.file}: {fault.told}"
            print(printable(told), file=sys.stderr)
        dice_set = None if args.set is None else dice_set_of(args.set)
        review = review_game(play, dice_set)
    except JsonFileError as error:
        print(printable(f"tableside review: {error}"), file=sys.stderr)
        return 2
    except ScoringError as error:
        print(printable(f"tableside review: {args.file}: {error}"), file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(_record(review)))
    else:
        for line in _told(review, every_turn=args.turns):
            print(printable(line))
    return 1 if refused else 0


def _told(review: GameReview, *, every_turn: bool) -> list[str]:
    width = max(6, *(len(player.player) for player in review.players))
    head = ("expected", "luck", "decisions", "cards", "other")
    titles = "".join(f"{title:>11}" for title in head)
    counted = max(6, len(review.counted))
    lines = [
        f"{'player':<{width}}  {review.counted:>{counted}}{titles}  best decisions"
    ]
    for one in review.players:
        parts = (one.luck, -one.loss, one.cards, one.other)
        signed = "".join(f"{part + 0:>+11.2f}" for part in parts)
        lines.append(
            f"{one.player:<{width}}  {one.chips:>{counted}}{one.start:>11.2f}{signed}"
            f"  {one.best} of {one.decisions}"
        )
    lines.append(f"{review.counted} = expected + luck + decisions + cards + other")
    if every_turn:
        for turn in review.turns:
            lines += ["", *_turn_lines(turn, review.counted)]
        return lines
    unjudged = [turn for turn in review.turns if not turn.judged]
    for turn in unjudged:
        lines.append(f"{_title(turn)}: not judged: {turn.why_not}")
    costly = _costliest(review)
    if costly:
        lines += ["", "decisions that cost most:"]
    for turn, place in costly:
        lines.append(f"  {_title(turn)}: {_decision(turn, place)}")
    return lines


def _title(turn: TurnReview) -> str:
    what = turn.turn
    return f"round {what.round}, {what.player}, {what.aim}"


def _turn_lines(turn: TurnReview, counted: str) -> list[str]:
    chips = f"{turn.turn.chips} {counted}" if turn.turn.ended else "still running"
    if not turn.judged:
        return [f"{_title(turn)}: {chips}, not judged: {turn.why_not}"]
    lines = [f"{_title(turn)}: {chips}, expected {turn.start:.2f}"]
    for place, step in enumerate(turn.steps):
        if step.best is not None:
            lines.append(f"  {_decision(turn, place)}")
        match step.moment:
            case Rolled(faces):
                what = f"rolled {_codes(faces)}"
            case Played(card):
                what = f"played {card}"
            case Stopped():
                continue
        lines.append(f"  {what}: worth {step.after:.2f} ({step.gain:+.2f})")
    return lines


def _decision(turn: TurnReview, place: int) -> str:
    step = turn.steps[place]
    assert step.best is not None
    done = _done(step)
    if step.loss <= 0.005:
        return f"{done}: {step.choice:.2f}, the best"
    best = _option(step.best)
    return (
        f"{done}: {step.choice:.2f}, best {best}: {step.before:.2f} ({-step.loss:+.2f})"
    )


def _done(step: Step) -> str:
    if isinstance(step.moment, Rolled):
        return "kept " + _codes(step.moment.kept)
    choice = step.moment.choice if isinstance(step.moment, Stopped) else ""
    return f"took {choice}" if choice else "stopped"


def _option(option: Option) -> str:
    if option.stop:
        return f"to take {option.choice}" if option.choice else "to stop"
    return "to keep " + _codes(option.keep)


def _codes(faces: Faces) -> str:
    return " ".join(face.code for face in faces) or "nothing"


def _costliest(review: GameReview) -> list[tuple[TurnReview, int]]:
    every = [
        (turn, place)
        for turn in review.turns
        for place, step in enumerate(turn.steps)
        if step.best is not None and step.loss > 0.005
    ]
    every.sort(key=lambda one: -one[0].steps[one[1]].loss)
    return every[:COSTLIEST]


def _record(review: GameReview) -> dict[str, Any]:
    return {
        "game": review.game,
        "counted": review.counted,
        "players": [asdict(player) for player in review.players],
        "turns": [_turn_record(turn) for turn in review.turns],
    }


def _turn_record(turn: TurnReview) -> dict[str, Any]:
    what = turn.turn
    record: dict[str, Any] = {
        "player": what.player,
        "round": what.round,
        "aim": what.aim,
        "chips": what.chips if what.ended else None,
    }
    if not turn.judged:
        return {**record, "not_judged": turn.why_not}
    return {
        **record,
        "start": turn.start,
        "luck": turn.luck,
        "loss": turn.loss,
        "cards": turn.cards,
        "steps": [_step_record(step) for step in turn.steps],
    }


def _step_record(step: Step) -> dict[str, Any]:
    record: dict[str, Any] = {"before": step.before}
    match step.moment:
        case Rolled(faces, kept):
            record |= {"do": "roll", "faces": _list(faces), "kept": _list(kept)}
        case Played(card):
            record |= {"do": "play_card", "card": card}
        case Stopped(_, choice):
            record |= {"do": "stop", "chosen": choice}
    record |= {"choice": step.choice, "after": step.after}
    if step.best is not None:
        best = step.best
        record["best"] = {
            "value": best.value,
            "stop": best.stop,
            "keep": _list(best.keep),
            "choice": best.choice,
        }
    return record


def _list(faces: Faces) -> list[str]:
    return [face.code for face in faces]
