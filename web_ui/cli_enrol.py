"""`tableside enrol`: learn one owner's dice from a few pictures of each."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets.enrolment.tuning_options import TuningOptions
from web_ui.enrolling.learning import can_learn, how_elsewhere, words_elsewhere
from web_ui.extras import install_words
from web_ui.progress import bar, told
from web_ui.seed_option import whole_seed
from web_ui.threads_option import add_threads

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Mapping

    from datasets.enrolment.faces_shown import ShownFace, Side
    from datasets.enrolment.fresh_rolls import FreshResult
    from datasets.enrolment.tuning import Lessons
    from vision.reader import RollReader

USUAL = TuningOptions()
NO_TORCH = f"PyTorch is not installed; {install_words('train')}"

EPILOG = """\
DIR holds one folder a die, named 1 to 9; in it pictures of that die alone, one face up.
What a file's name says before the first hyphen is the side: a face, as in QH-1.jpg, or
any other word for a side whose face is to be told from the picture, as in left-1.jpg;
faces.json may name those too, as the page /setup/dice writes it.
Two pictures of each side are enough. Exit: 0 enrolled, 1 faces wait to be confirmed or
the set is refused, 2 unusable input."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    import argparse

    parser = subparsers.add_parser(
        "enrol",
        help="learn a set of dice from pictures of each die",
        description="Learns which faces share a die and what they look like, checks "
        "that the set can be one of Square Shooters, and tunes a face reader to it.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", help="what the set is called from now on")
    shown = parser.add_mutually_exclusive_group(required=True)
    shown.add_argument("--pictures", type=Path, metavar="DIR", help="see below")
    shown.add_argument(
        "--camera",
        metavar="SOURCE",
        help="show the dice to it one after the other, as the lines say: number, "
        "device, address of a stream, or a clip; the page /setup/dice does the same",
    )
    parser.add_argument(
        "--test",
        type=Path,
        metavar="DIR",
        help="fresh rolls of the set with labels.json; read before and after",
    )
    parser.add_argument(
        "--accept",
        action="store_true",
        help="take the proposed faces of sides that no file name tells",
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=Path("tableside-data"),
        metavar="DIR",
        help="folder of the table (default %(default)s)",
    )
    parser.add_argument(
        "--models", type=Path, metavar="DIR", help="begin with other models"
    )
    parser.add_argument(
        "--steps",
        type=int,
        default=USUAL.steps,
        help="batches of lessons (%(default)s)",
    )
    parser.add_argument(
        "--lessons",
        type=int,
        default=USUAL.lessons,
        help="crops made of each face (%(default)s)",
    )
    parser.add_argument("--seed", type=whole_seed, default=0)
    add_threads(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    # for the page: a line of JSON for each step of the progress
    parser.add_argument("--tell", action="store_true", help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Look at the pictures, decide the faces, tune, test."""
    from datasets.shards import DataSetError
    from scoring.dice_sets import DiceSetError
    from vision.errors import VisionError

    if args.pictures is not None and not can_learn():
        print(f"tableside enrol: {NO_TORCH}", file=sys.stderr)
        return 2
    try:
        return _enrol(args)
    except DiceSetError as error:
        print(f"tableside enrol: refused: {error}", file=sys.stderr)
        return 1
    except (DataSetError, VisionError, OSError) as error:
        print(f"tableside enrol: {error}", file=sys.stderr)
        return 2


def _enrol(args: argparse.Namespace) -> int:
    from datasets.enrolment.faces_shown import propose_faces, set_of
    from datasets.enrolment.said_faces import read_said
    from datasets.enrolment.set_folder import SETS, check_set_name
    from datasets.enrolment.shown_pictures import shots_of_folder
    from datasets.enrolment.tuned_set import enrol_set, write_report
    from datasets.shards import DataSetError
    from scoring.dice_sets import bundled_dice_set
    from vision.reader import load_reader

    check_set_name(args.name)
    for name in ("steps", "lessons"):
        if getattr(args, name) < 1:
            raise DataSetError(f"--{name} must be 1 or more, not {getattr(args, name)}")
    plain = load_reader(
        bundled_dice_set("square-shooters"), args.models, threads=args.threads
    )
    progress = told if args.tell else bar
    pictures = args.pictures or _before_camera(args, plain)
    shown = shots_of_folder(plain, pictures, progress("picture"))
    for left_out in (*shown.refused, *shown.spare):
        print(f"left out {left_out}", file=sys.stderr)
    there = {(shot.die, shot.side) for shot in shown.shots}
    kept = {s: face for s, face in read_said(pictures).items() if s in there}
    faces = propose_faces(shown.shots, kept | shown.said)
    unsaid = {side: face for side, face in faces.items() if not face.by_person}
    if unsaid and not args.accept:
        print(_proposal(unsaid))
        print(_how_to_name(args, pictures), file=sys.stderr)
        return 1
    set_of(args.name, faces)  # before minutes are spent on it
    if not can_learn():  # dice can be shown to a camera without it
        raise DataSetError(
            f"{NO_TORCH}. {how_elsewhere(pictures, args.data / SETS, args.models)}\n"
            + words_elsewhere(pictures, args.models)
        )
    before = _fresh(args, None) if args.test else None
    tuning = TuningOptions(
        args.lessons, args.steps, threads=args.threads, seed=args.seed
    )
    done = enrol_set(
        args.name,
        shown.shots,
        faces,
        args.data / SETS,
        tuning,
        progress("step"),
        args.models,
        _rehearsed(args.models, tuning, progress("lesson")),
    )
    report: dict[str, Any] = {
        "set": args.name,
        "pictures": len(shown.shots),
        "left_out": len(shown.refused),
        "lessons": done.lessons,
    }
    if before is not None:
        after = _fresh(args, done.folder)
        report |= {"before": before.record(), "after": after.record()}
    write_report(done.folder, report)
    if args.json:
        print(json.dumps(report))
        return 0
    print(f"{args.name}: enrolled from {len(shown.shots)} pictures in {done.folder}")
    if before is not None:
        print(result_lines({"before": before, "after": after}))
    return 0


def _rehearsed(
    models: Path | None,
    tuning: TuningOptions,
    progress: Callable[[Iterable[int], int], Iterable[int]],
) -> Lessons | None:
    """Lessons of what the reader knows; none where nothing can be drawn."""
    from datasets.enrolment.rehearsal import rehearsed_lessons
    from datasets.fonts import FontsError
    from vision.model_files import read_card

    crop_px = read_card("faces", models).input_px[0]
    try:
        return rehearsed_lessons(crop_px, tuning, progress)
    except FontsError as error:
        print(f"learning without drawn lessons: {error}", file=sys.stderr)
        return None


def _before_camera(args: argparse.Namespace, reader: RollReader) -> Path:
    """Have the dice shown; where their pictures lie."""
    from datasets.shards import DataSetError
    from vision.sources import open_source
    from web_ui.camera_thread import Pace
    from web_ui.enrolling.before_camera import KEYS, show_to_camera
    from web_ui.enrolling.session import ENROLLING
    from web_ui.play_parts import pace_of

    folder: Path = args.data / ENROLLING / args.name

    def tell(sentence: str) -> None:
        print(sentence, file=sys.stderr, flush=True)

    tell(KEYS)
    source = open_source(args.camera)
    stills = pace_of(args.camera) is Pace.STILLS
    try:
        guide = show_to_camera(source.frames(), reader, folder, tell, stills=stills)
    except KeyboardInterrupt:
        raise DataSetError(f"stopped; go on with what lies in {folder}") from None
    finally:
        source.close()
    if not guide.is_done:
        raise DataSetError(
            f"{guide.taken} of {guide.wanted} pictures were taken when {args.camera}"
            f" ended; they lie in {folder}"
        )
    return folder


def _how_to_name(args: argparse.Namespace, pictures: Path) -> str:
    if args.pictures is not None:
        return (
            "Name the files by these faces, or by the right ones, and run it again; or"
            " add --accept."
        )
    return (
        "Correct them on the page /setup/dice, or take them so with: tableside enrol "
        f"{args.name} --pictures {pictures} --accept"
    )


def _fresh(args: argparse.Namespace, folder: Path | None) -> FreshResult:
    from datasets.enrolment.fresh_rolls import read_fresh_rolls
    from scoring.dice_sets import bundled_dice_set, load_dice_set
    from vision.reader import load_reader

    if folder is None:
        dice_set = bundled_dice_set("square-shooters")
    else:
        dice_set = load_dice_set(folder / "set.json")
    reader = load_reader(dice_set, args.models, threads=args.threads, enrolled=folder)
    return read_fresh_rolls(reader, args.test)


def _proposal(faces: Mapping[Side, ShownFace]) -> str:
    lines = ["die side        face  as likely as"]
    lines += [
        f"{die:>3} {side:<10}  {shown.face.code:<4}  {100 * shown.p:.1f} %"
        for (die, side), shown in sorted(faces.items())
    ]
    return "\n".join(lines)


def result_lines(results: Mapping[str, FreshResult]) -> str:
    """A table of results, a line each, with 95 % intervals."""
    head = f"{'':<14}faces right             rolls right   sure       wrong while sure"
    lines = [head]
    for name, found in results.items():
        low, high = found.faces.interval
        lines.append(
            f"{name:<14}"
            f"{100 * (found.faces.rate or 0):6.2f} % ({100 * low:.2f}-{100 * high:.2f})"
            f" of {found.faces.total:<5}"
            f"{found.rolls.hits:>4} of {found.rolls.total:<5}"
            f"{found.sure.hits:>4} of {found.sure.total:<5}"
            f"{found.wrong_sure.hits} of {found.wrong_sure.total}"
        )
    return "\n".join(lines)
