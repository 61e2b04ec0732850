"""`tableside promote`: try new models, take them into use, take them back."""

from __future__ import annotations

import getpass
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from web_ui.dice_set_option import DICE_SET_HELP, dice_set_of
from web_ui.progress import bar
from web_ui.settings import StoreSettings
from web_ui.threads_option import add_threads

if TYPE_CHECKING:
    import argparse

    from datasets.registry.history import Entry
    from datasets.registry.promotion import Outcome
    from datasets.registry.shelf import Registry
    from datasets.registry.version import Version

DONE, REFUSED, UNUSABLE = 0, 1, 2
EPILOG = """\
A running table takes other models up between two rolls. Exit: 0 promoted, listed or
rolled back, 1 refused, 2 unusable input."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = subparsers.add_parser(
        "promote",
        help="take new models into use if they are not worse",
        description="Tries new models against those in use, on the same held-out rolls "
        "and on the table's own reviewed ones, and takes them into use only if they "
        "are not worse by a stated margin; says every reason if they are.",
        epilog=EPILOG,
    )
    parser.add_argument(
        "candidate",
        nargs="?",
        type=Path,
        metavar="DIR",
        help="folder of new models with cards, or of the run that trained one; kinds "
        "that it lacks stay",
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--list", action="store_true", help="list versions and what became of them"
    )
    instead.add_argument("--show", metavar="VERSION", help="tell all of a version")
    instead.add_argument(
        "--rollback",
        nargs="?",
        const="",
        metavar="VERSION",
        help="use an earlier version again (default: the one used before)",
    )
    parser.add_argument(
        "--held-out",
        type=Path,
        metavar="DIR",
        help="folder with labels.json: rolls that taught no model",
    )
    parser.add_argument(
        "--captured",
        type=Path,
        metavar="DIR",
        help="album, or folder with labels.json, of reviewed rolls of this table",
    )
    parser.add_argument(
        "--limits", type=Path, metavar="FILE", help="limits made for the new models"
    )
    parser.add_argument(
        "--calibrate",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="make limits for them from these rolls, which must be others",
    )
    parser.add_argument("--set", default="square-shooters", help=DICE_SET_HELP)
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(StoreSettings().folder),
        metavar="DIR",
        help="data folder of the table (default %(default)s)",
    )
    parser.add_argument("--who", default=None, help="name for the history")
    parser.add_argument("--dry-run", action="store_true", help="try, change nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_threads(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Try, list, show or take back."""
    from datasets.registry.shelf import registry_of
    from datasets.shards import DataSetError
    from scoring.dice_sets import DiceSetError
    from vision.errors import VisionError

    registry = registry_of(args.data)
    try:
        _check_words(args)
        if args.list:
            return _list(registry, args.json)
        if args.show is not None:
            return _show(registry, args.show, args.json)
        if args.rollback is not None:
            return _roll_back(registry, args)
        return _promote(registry, args)
    except (DataSetError, DiceSetError, VisionError, OSError, ValueError) as error:
        print(f"tableside promote: {error}", file=sys.stderr)
        return UNUSABLE


def _check_words(args: argparse.Namespace) -> None:
    instead = args.list or args.show is not None or args.rollback is not None
    if instead and args.candidate is not None:
        raise ValueError("--list, --show and --rollback take no folder of new models")
    if not instead and (args.candidate is None or args.held_out is None):
        raise ValueError("needs a folder of new models, and --held-out rolls")
    if args.limits is not None and args.calibrate:
        raise ValueError("--limits or --calibrate, not both")


def _who(args: argparse.Namespace) -> str:
    if args.who:
        return str(args.who)
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a user without a name, as in some containers
        return "unknown"


def _promote(registry: Registry, args: argparse.Namespace) -> int:
    # here, because measuring and the models take seconds to load
    from datasets.registry.promotion import Trial, promote, try_out

    trial = Trial(
        candidate=args.candidate,
        held_out=args.held_out,
        dice_set=dice_set_of(args.set, args.data),
        captured=args.captured,
        limits=args.limits,
        calibrate=tuple(args.calibrate),
        threads=args.threads,
    )
    if args.dry_run:
        outcome = try_out(registry, trial, bar)
    else:
        outcome = promote(registry, trial, _who(args), bar)
    _print_outcome(outcome, args)
    if outcome.passed and not args.dry_run:
        _tell_of_sets(registry, args.data)
    return DONE if outcome.passed else REFUSED


def _print_outcome(outcome: Outcome, args: argparse.Namespace) -> None:
    if args.json:
        print(json.dumps({**outcome.record(), "dry_run": args.dry_run}))
        return
    if outcome.note:
        print(f"tableside promote: {outcome.note}", file=sys.stderr)
    for check in outcome.checks:
        print(f"{'ok' if check.passed else 'NO':<4}{check.sentence}")
    if outcome.passed:
        done = "could be taken into use" if args.dry_run else "is in use now"
        print(f"{outcome.candidate} {done}; before: {outcome.current}")
        return
    print(f"{outcome.candidate} is refused; {outcome.current} stays in use:")
    for reason in outcome.reasons:
        print(f"  - {reason}")


def _list(registry: Registry, as_json: bool) -> int:
    current = registry.current_name()
    entries = registry.history()
    if as_json:
        record = {
            "current": current,
            "versions": list(registry.names()),
            "history": [entry.record() for entry in entries],
        }
        print(json.dumps(record))
        return DONE
    for name in registry.names():
        print(f"{'*' if name == current else ' '} {name}  {_state(registry, name)}")
    for entry in entries:
        print(_line(entry))
    return DONE


def _state(registry: Registry, name: str) -> str:
    from datasets.registry.errors import RegistryError

    try:
        version = registry.version(name)
    except RegistryError as error:
        return f"CANNOT BE USED: {error}"
    return ", ".join(identity for _, identity in version.models)


def _line(entry: Entry) -> str:
    told = f"{entry.at}  {entry.action} {entry.version} (before: {entry.before})"
    first = f": {entry.why[0]}" if entry.why and entry.action == "refused" else ""
    return f"{told} by {entry.who}{first}"


def _show(registry: Registry, name: str, as_json: bool) -> int:
    entries = [entry for entry in registry.history() if entry.version == name]
    place = registry.place(name)
    kept = place is None or place.exists() or not entries
    version = registry.version(name) if kept else None
    folder = None if version is None else version.folder
    record: dict[str, Any] = {
        "version": name,
        "current": registry.current_name() == name,
        "kept": kept,
        "folder": None if folder is None else str(folder),
        "models": {} if version is None else dict(version.models),
        "calibrated": version is not None and version.calibrated,
        "files": {} if version is None else dict(version.files),
        "history": [entry.record() for entry in entries],
    }
    if as_json:
        print(json.dumps(record))
        return DONE
    print(f"{name}{' (in use)' if record['current'] else ''}")
    _print_models(version)
    for entry in entries:
        print(_line(entry))
        for line in _found(entry):
            print(f"    {line}")
    return DONE


def _print_models(version: Version | None) -> None:
    if version is None:
        print("  its files are not kept: models that are refused are not")
        return
    for kind, identity in version.models:
        print(f"  {kind:<9}{identity}")
    limits = "calibrated for these models" if version.calibrated else "the program's"
    print(f"  limits   {limits}")


def _found(entry: Entry) -> list[str]:
    """What was found, a line each: every check, or where none is noted the reasons."""
    checks = entry.figures.get("checks")
    try:
        said = [
            f"{'ok' if check['passed'] else 'NO':<4}{check['sentence']}"
            for check in checks or ()
        ]
    except (TypeError, KeyError):  # of another version
        said = []
    return said or [f"- {reason}" for reason in entry.why]


def _roll_back(registry: Registry, args: argparse.Namespace) -> int:
    if args.dry_run:
        raise ValueError("--dry-run goes with a folder of new models")
    entry = registry.roll_back(_who(args), args.rollback or None)
    if args.json:
        print(json.dumps(entry.record()))
    else:
        print(f"{entry.version} is in use now; before: {entry.before}")
    _tell_of_sets(registry, args.data)
    return DONE


def _tell_of_sets(registry: Registry, data: Path) -> None:
    """Name the enrolled sets that the models now in use leave without a reader."""
    from datasets.enrolment.fitting import sets_to_enrol_again

    folder = registry.version(registry.current_name()).folder
    if names := sets_to_enrol_again(data, folder):
        print(
            "tableside promote: enrolled with other models, so to be enrolled again "
            f"before they can be used: {', '.join(names)}",
            file=sys.stderr,
        )
