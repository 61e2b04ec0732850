"""`tableside dataset bodies` and `tableside train body`: teach how dice lie."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from web_ui.extras import install_words
from web_ui.progress import bar
from web_ui.scheduler_option import add_scheduler, spread_of
from web_ui.seed_option import whole_seed
from web_ui.threads_option import add_threads

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

PICTURES_A_SHARD = 64
FALSE_ALARMS = 0.01
"""Share of ordinary rolls that may be told to have a die that does not lie flat."""


def add_draw_parser(
    kinds: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add `tableside dataset bodies`."""
    draw = kinds.add_parser(
        "bodies", help="draw cut-outs of dice that lie flat, lean, stand or hide"
    )
    draw.add_argument("--out", type=Path, required=True, help="folder of the set")
    draw.add_argument(
        "--count",
        type=int,
        default=60,
        help=f"shards in all, of {PICTURES_A_SHARD} pictures each; those already there "
        "are kept (default %(default)s)",
    )
    draw.add_argument("--seed", type=whole_seed, default=1, help="of the whole set")
    draw.add_argument("--workers", type=int, default=1, help="processes")
    draw.add_argument(
        "--held-out", action="store_true", help="use the fonts training never sees"
    )
    draw.add_argument("--photos", default="", help="folder of .jpg photos")
    add_scheduler(draw)
    draw.set_defaults(run=run, work=_draw)


def add_train_parser(
    kinds: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add `tableside train body`."""
    train = kinds.add_parser("body", help="train the model that tells how dice lie")
    train.add_argument("--data", type=Path, required=True, help="set to learn from")
    train.add_argument(
        "--val", type=Path, required=True, help="held-out set to measure"
    )
    train.add_argument(
        "--weights", type=Path, required=True, help="file; goes on there"
    )
    train.add_argument(
        "--publish", type=Path, required=True, help="folder of the model"
    )
    train.add_argument("--epochs", type=int, default=12, help="0: publish as it is")
    train.add_argument("--rate", type=float, default=2e-3)
    train.add_argument(
        "--width",
        type=int,
        choices=range(4, 65),
        metavar="4..64",
        default=12,
        help="channels of the first layer; weights of a narrower network are widened "
        "(default %(default)s)",
    )
    add_threads(train, "as torch likes")
    train.add_argument("--note", default="", help="what the card shall say besides")
    train.add_argument(
        "--rolls",
        type=Path,
        help="ordinary held-out rolls: print the limits that one in a hundred exceeds",
    )
    train.set_defaults(run=run, work=_train)


def run(args: argparse.Namespace) -> int:
    """Draw or train."""
    from datasets.fonts import FontsError
    from datasets.shards import DataSetError
    from datasets.spread.port import SpreadError
    from vision.errors import ModelError

    try:
        status: int = args.work(args)
    except (DataSetError, FontsError, ModelError, SpreadError, OSError) as error:
        print(f"tableside {args.command} {args.kind}: {error}", file=sys.stderr)
        return 2
    return status


def _draw(args: argparse.Namespace) -> int:
    from datasets.body_scenes import BodyOptions
    from datasets.body_set import render_bodies

    if args.count < 1 or args.workers < 1:
        print("tableside dataset bodies: counts must be 1 or more", file=sys.stderr)
        return 2
    options = BodyOptions(held_out=args.held_out, photos=args.photos)
    with spread_of(args) as spread:
        made = render_bodies(
            args.out,
            args.count,
            args.seed,
            options,
            args.workers,
            bar("piece"),
            scenes=PICTURES_A_SHARD,
            spread=spread,
        )
    print(f"{args.out}: {made} new, {args.count} in all")
    return 0


def _train(args: argparse.Namespace) -> int:
    if importlib.util.find_spec("torch") is None:
        print(
            f"tableside train body: PyTorch is not installed; {install_words('train')}",
            file=sys.stderr,
        )
        return 2
    from datasets.body_release import train_and_publish_bodies
    from datasets.body_training import BodyRun

    job = BodyRun(
        args.data,
        args.weights,
        epochs=args.epochs,
        rate=args.rate,
        width=args.width,
        threads=args.threads,
    )
    card = train_and_publish_bodies(
        job, args.val, args.publish, args.note, _tell_epoch, _tell_difference
    )
    print(f"published {card}")
    if args.rolls:
        print(json.dumps(_limits(args), indent=1))
    return 0


def _tell_epoch(epoch: int, loss: float) -> None:
    print(f"epoch {epoch}: loss {loss:.3f}", flush=True)


def _tell_difference(text: str) -> None:
    print(f"tableside train body: differs: {text}", file=sys.stderr)


def bodies_again(
    manifest: Path, into: Path, places: dict[str, Path], tell: Callable[[str], None]
) -> Path:
    """Repeat a training from its manifest; see `datasets.body_runs.bodies_again`.

    Returns:
        The card of the model.
    """
    from datasets import body_runs
    from datasets.body_release import train_and_publish_bodies
    from datasets.run_manifest import read_plan

    run, val = body_runs.bodies_again(read_plan(manifest), into, places, tell)
    return train_and_publish_bodies(
        run, val, into / "published", "", _tell_epoch, _tell_difference
    )


def _limits(args: argparse.Namespace) -> dict[str, float]:
    from datasets.lie_limits import limits_at, ordinary_measures
    from scoring.dice_sets import bundled_dice_set
    from vision.reader import (
        RollReader,
        load_body_reader,
        load_detector,
        load_face_reader,
    )

    reader = RollReader(
        load_detector(),
        load_face_reader(),
        bundled_dice_set("square-shooters"),
        turns=1,
        bodies=load_body_reader(args.publish),
    )
    return limits_at(ordinary_measures(reader, args.rolls), FALSE_ALARMS)
