"""`tableside train`: train the detector or the face reader, and publish it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from web_ui.cli_bodies import add_train_parser
from web_ui.threads_option import add_threads

if TYPE_CHECKING:
    from datasets.run_options import RunOptions
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

DEFAULTS = {
    "detector": ("yolov5n.yaml", 480, 16, 100, 2e-3),
    "faces": ("yolov8n-cls.yaml", 96, 128, 100, 2e-3),
}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "train",
        help="train a model, export it, write its card",
        description="Trains on a set that `tableside dataset` drew. A run that was "
        "stopped goes on where it was when it is started again with the same name.",
    )
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    for kind, (model, imgsz, batch, epochs, rate) in DEFAULTS.items():
        one = kinds.add_parser(kind, help=f"train the {kind} model")
        one.add_argument("--data", type=Path, required=True, help="set to learn from")
        one.add_argument("--val", type=Path, required=True, help="set to choose by")
        one.add_argument(
            "--also",
            type=Path,
            action="append",
            default=[],
            metavar="DIR",
            help="set to mix in, as one made from real photos; faces: one shard of it "
            "in every epoch; may be given several times",
        )
        one.add_argument("--runs", type=Path, default=Path("runs"))
        one.add_argument(
            "--name", default=kind, help="of the run (default %(default)s)"
        )
        one.add_argument("--model", default=model, help="ultralytics yaml or .pt")
        one.add_argument("--imgsz", type=int, default=imgsz)
        one.add_argument("--batch", type=int, default=batch)
        one.add_argument("--epochs", type=int, default=epochs)
        one.add_argument("--hours", type=float, help="train this long instead")
        one.add_argument("--rate", type=float, default=rate, help="first learning rate")
        add_threads(one, "as torch likes")
        one.add_argument("--device", default="cpu")
        one.add_argument("--seed", type=int, default=0)
        one.add_argument(
            "--measure",
            type=Path,
            help="held-out set whose figures go on the card (faces: crops, default "
            "--val; detector: rolls)",
        )
        one.add_argument(
            "--export-only", action="store_true", help="publish what the run has"
        )
        one.add_argument("--note", default="", help="what the card shall say besides")
        one.add_argument(
            "--publish",
            type=Path,
            help="folder for the ONNX file and its card (default: in the run)",
        )
        one.add_argument(
            "--start",
            type=Path,
            help="weights to begin with: a published ONNX file or a state dict",
        )
        if kind == "faces":
            one.add_argument("--shards-an-epoch", type=int, default=8)
    parser.set_defaults(run=run)
    add_train_parser(kinds)


def run(args: argparse.Namespace) -> int:
    """Train, export, measure, publish."""
    if importlib.util.find_spec("ultralytics") is None:
        print(
            "tableside train: ultralytics is not installed; it comes with the extra "
            "`train`: pip install 'tableside[train]'",
            file=sys.stderr,
        )
        return 2
    from datasets.export_gate import ExportDiffersError
    from datasets.shards import DataSetError
    from datasets.training_runs import TrainingJob, train_and_publish

    job = TrainingJob(
        kind=args.kind,
        data=args.data.resolve(),
        val=args.val.resolve(),
        measure=args.measure.resolve() if args.measure else None,
        publish=args.publish,
        export_only=args.export_only,
        hours=args.hours,
        shards_an_epoch=getattr(args, "shards_an_epoch", 0),
        start=args.start,
        note=args.note,
        also=tuple(folder.resolve() for folder in args.also),
    )
    try:
        card = train_and_publish(job, _options(args))
    except ExportDiffersError as error:
        print(f"tableside train: not published: {error}", file=sys.stderr)
        return 1
    except (DataSetError, FileNotFoundError) as error:
        print(f"tableside train: {error}", file=sys.stderr)
        return 2
    print(f"published {card}")
    return 0


def _options(args: argparse.Namespace) -> RunOptions:
    from datasets.run_options import RunOptions

    return RunOptions(
        name=args.name,
        runs=args.runs.resolve(),
        model=args.model,
        imgsz=args.imgsz,
        batch=args.batch,
        epochs=args.epochs,
        lr=args.rate,
        threads=args.threads,
        device=args.device,
        seed=args.seed,
    )
