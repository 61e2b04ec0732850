"""`tableside dataset`: draw pictures that teach, and rolls to measure with."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.dice_sets import bundled_names
from web_ui.cli_bodies import add_draw_parser
from web_ui.cli_captures import add_captures_parser
from web_ui.cli_labels import add_label_parsers
from web_ui.cli_layout import add_layout_parsers
from web_ui.progress import bar
from web_ui.scheduler_option import add_scheduler, spread_of
from web_ui.seed_option import whole_seed

if TYPE_CHECKING:
    from datasets.spread.port import Spread

DEFAULT_COUNTS = {"crops": 200, "detector": 12000, "rolls": 200}
WHAT = {
    "crops": "shards of 2048 crops each for the face reader",
    "detector": "pictures with YOLO pose labels for the detector",
    "rolls": "1280x720 pictures of rolls with their truth, for measuring",
}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "dataset", help="draw labelled pictures and crops for training"
    )
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    for kind, text in WHAT.items():
        one = kinds.add_parser(kind, help=f"draw {text}")
        one.add_argument("--out", type=Path, required=True, help="folder of the set")
        one.add_argument(
            "--count",
            type=_positive,
            default=DEFAULT_COUNTS[kind],
            help="shards or pictures in all; those already there are kept "
            "(default %(default)s)",
        )
        one.add_argument("--seed", type=whole_seed, default=1, help="of the whole set")
        one.add_argument(
            "--workers",
            type=_positive,
            default=os.cpu_count() or 1,
            help="processes (default: one a core)",
        )
        one.add_argument(
            "--held-out",
            action="store_true",
            help="use the fonts that training never sees",
        )
        one.add_argument(
            "--photos", type=_folder, help="folder of .jpg photos for backgrounds"
        )
        add_scheduler(one)
        if kind == "crops":
            one.add_argument("--crop-px", type=_positive, default=96)
        if kind == "rolls":
            one.add_argument("--smallest-px", type=float, default=24.0)
            one.add_argument("--largest-px", type=float, default=70.0)
            one.add_argument(
                "--set",
                choices=bundled_names(),
                default="square-shooters",
                help="dice that are thrown (default %(default)s)",
            )
            one.add_argument(
                "--disturbed",
                type=float,
                default=0.0,
                metavar="SHARE",
                help="chance of a leaning die, of a stacked one, and of a hand",
            )
    demo = kinds.add_parser("demo", help="draw the demo clip and the sample pictures")
    demo.add_argument("--out", type=Path, required=True, help="gets demo/ and samples/")
    demo.add_argument("--seed", type=whole_seed, default=1)
    _add_real(kinds)
    hostile = kinds.add_parser(
        "hostile", help="draw a clip of hands, lamps and shakes, for measuring"
    )
    hostile.add_argument("--out", type=Path, required=True, help="CLIP.mp4")
    hostile.add_argument("--seed", type=whole_seed, default=1)
    hostile.add_argument("--minutes", type=float, default=5.0)
    parser.set_defaults(run=run)
    add_draw_parser(kinds)
    add_layout_parsers(kinds)
    add_label_parsers(kinds)
    add_captures_parser(kinds)


def _add_real(
    kinds: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the sets made from real photos."""
    real = kinds.add_parser(
        "real",
        help="make lessons from real photos",
        description="From photos of pip dice come pictures for the detector; from "
        "corner indices of playing cards, and photos of cards with outlines, come "
        "shards for the face reader. Only photos with the tag `train` teach.",
    )
    real.add_argument("--out", type=Path, required=True, help="folder of the set")
    source = real.add_mutually_exclusive_group(required=True)
    source.add_argument("--pip-dice", type=Path, metavar="DIR", help="photos of dice")
    source.add_argument(
        "--index-crops", type=Path, metavar="DIR", help="cut-out corner indices"
    )
    real.add_argument(
        "--cards", type=Path, metavar="DIR", help="photos of cards with outlines, too"
    )
    real.add_argument(
        "--count",
        type=_positive,
        help="pictures (default 1200) or shards (default 16) in all; those already "
        "there are kept",
    )
    real.add_argument("--seed", type=whole_seed, default=1, help="of the whole set")
    real.add_argument("--crop-px", type=_positive, default=96)
    real.add_argument(
        "--workers",
        type=_positive,
        default=os.cpu_count() or 1,
        help="processes (default: one a core)",
    )
    real.add_argument(
        "--photos", type=_folder, help="folder of .jpg photos for backgrounds"
    )


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be 1 or more, not {value}")
    return value


def _folder(text: str) -> str:
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is not a folder")
    return str(Path(text).resolve())


def run(args: argparse.Namespace) -> int:
    """Draw the set; what is there already is kept."""
    from datasets.fonts import FontsError
    from datasets.shards import DataSetError
    from datasets.spread.port import SpreadError

    try:
        if args.kind == "demo":
            return _demo(args)
        if args.kind == "hostile":
            return _hostile(args)
        if args.kind == "real":
            made = _make_real(args)
        else:
            with spread_of(args) as spread:
                made = _draw(args, spread)
    except (DataSetError, FontsError, SpreadError, OSError) as error:
        print(f"tableside dataset: {error}", file=sys.stderr)
        return 2
    print(f"{args.out}: {made} new, {args.count} in all")
    return 0


def _demo(args: argparse.Namespace) -> int:
    from datasets.demo import make_demo, make_samples

    frames = make_demo(args.out / "demo", args.seed)
    pictures = make_samples(args.out / "samples", args.seed)
    print(f"{args.out}: a clip of {frames} frames and {pictures} pictures")
    return 0


def _hostile(args: argparse.Namespace) -> int:
    from datasets.fonts import font_book
    from datasets.hostile import make_hostile
    from datasets.hostile_stage import HostileOptions

    if args.out.suffix.lower() != ".mp4" or not 0 < args.minutes <= 600:
        print(
            "tableside dataset: --out must end in .mp4, --minutes be above 0 and at"
            " most 600",
            file=sys.stderr,
        )
        return 2
    truth = make_hostile(
        args.out, args.seed, args.minutes, font_book(), HostileOptions()
    )
    print(f"{args.out}: {truth['frames']} frames, {len(truth['rolls'])} rolls")
    return 0


def _draw(args: argparse.Namespace, spread: Spread | None) -> int:
    from datasets.crops import CropOptions
    from datasets.picture_sets import render_pictures
    from datasets.render import render_crops
    from datasets.scene import SceneOptions
    from datasets.throws import CARD_DICE

    photos = args.photos or ""
    if args.kind == "crops":
        crops = CropOptions(args.crop_px, held_out=args.held_out, photos=photos)
        return render_crops(
            args.out,
            args.count,
            args.seed,
            crops,
            args.workers,
            bar("piece"),
            spread=spread,
        )
    rolls = args.kind == "rolls"
    width, height = (1280, 720) if rolls else (480, 480)
    options = SceneOptions(
        width,
        height,
        args.smallest_px if rolls else 16.0,
        args.largest_px if rolls else 88.0,
        full_roll=rolls,
        clutter=0.45 if rolls else 0.6,
        hand=args.disturbed if rolls else 0.14,
        lean=args.disturbed if rolls else 0.1,
        stack=args.disturbed if rolls else 0.06,
        held_out=args.held_out,
        photos=photos,
        dice_set=args.set if rolls else CARD_DICE,
    )
    return render_pictures(
        args.out,
        args.count,
        args.seed,
        options,
        args.workers,
        bar("piece"),
        rolls=rolls,
        spread=spread,
    )


def _make_real(args: argparse.Namespace) -> int:
    from datasets.real_crops import RealCropOptions
    from datasets.real_sets import IndexSource, make_dice_lessons, make_real_shards
    from datasets.shards import DataSetError

    photos = args.photos or ""
    if args.pip_dice is not None:
        if args.cards is not None:
            raise DataSetError("--cards goes with --index-crops, not with --pip-dice")
        args.count = args.count or 1200
        return make_dice_lessons(
            args.out,
            args.pip_dice,
            args.count,
            args.seed,
            photos,
            args.workers,
            bar("piece"),
        )
    args.count = args.count or 16
    source = IndexSource(args.index_crops, args.cards)
    options = RealCropOptions(args.crop_px, photos)
    return make_real_shards(
        args.out, source, args.count, args.seed, options, args.workers, bar("piece")
    )
