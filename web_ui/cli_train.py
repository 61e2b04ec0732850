"""`tableside train`: train the detector or the face reader, and publish it."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from web_ui.cli_bodies import add_train_parser, bodies_again
from web_ui.extras import install_words
from web_ui.progress import bar
from web_ui.seed_option import whole_seed
from web_ui.threads_option import add_threads

if TYPE_CHECKING:
    from datasets.run_options import RunOptions

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
    _add_repeat(parser)
    kinds = parser.add_subparsers(dest="kind", metavar="KIND")
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
        _add_captured(one)
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
        one.add_argument(
            "--device",
            default="cpu",
            help="cpu, a graphics card as 0, or several as 0,1 (default %(default)s)",
        )
        one.add_argument("--seed", type=whole_seed, default=0)
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


def _add_repeat(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from-manifest",
        type=Path,
        metavar="RUN.json",
        help="repeat the run whose manifest this is, instead of naming a KIND",
    )
    parser.add_argument(
        "--into",
        type=Path,
        metavar="DIR",
        help="folder of the repeated run (default: beside the first, NAME-again)",
    )
    parser.add_argument(
        "--where",
        type=_place,
        action="append",
        default=[],
        metavar="NAME=DIR",
        help="where a set of the manifest lies now; NAME as train, val, captured",
    )


def _add_captured(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--captured",
        type=Path,
        metavar="DIR",
        help="mix in pictures of real play: a folder with labels.json or an album of "
        "captures; held-out recordings never teach",
    )
    parser.add_argument(
        "--captured-share",
        type=_share,
        default=0.25,
        metavar="SHARE",
        help="of what an epoch sees (default %(default)s)",
    )
    parser.add_argument(
        "--captured-by-model",
        action="store_true",
        help="learn from labels that a model gave, too; only persons' by default",
    )


def _share(text: str) -> float:
    value = float(text)
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"must be above 0 and below 1, not {text}")
    return value


def _place(text: str) -> tuple[str, Path]:
    name, sign, path = text.partition("=")
    if not sign or not name or not path:
        raise argparse.ArgumentTypeError(f"must be NAME=DIR, not {text!r}")
    return name, Path(path)


def run(args: argparse.Namespace) -> int:
    """Train, export, measure, publish; or repeat a run."""
    if (args.kind is None) == (args.from_manifest is None):
        print(
            "tableside train: say either a KIND (detector, faces, body) or"
            " --from-manifest RUN.json",
            file=sys.stderr,
        )
        return 2
    if importlib.util.find_spec("ultralytics") is None:
        print(
            f"tableside train: ultralytics is not installed; {install_words('train')}",
            file=sys.stderr,
        )
        return 2
    from datasets.export_gate import ExportDiffersError
    from datasets.fonts import FontsError
    from datasets.shards import DataSetError

    try:
        card = _train(args) if args.kind else _repeat(args)
    except ExportDiffersError as error:
        print(f"tableside train: not published: {error}", file=sys.stderr)
        return 1
    except (DataSetError, FontsError, OSError) as error:
        print(f"tableside train: {error}", file=sys.stderr)
        return 2
    print(f"published {card}")
    return 0


def _train(args: argparse.Namespace) -> Path:
    from datasets.training_job import TrainingJob
    from datasets.training_runs import train_and_publish

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
        captured=args.captured.resolve() if args.captured else None,
        captured_share=args.captured_share,
        captured_by_model=args.captured_by_model,
    )
    return train_and_publish(job, _options(args), bar("piece"), _tell)


def _repeat(args: argparse.Namespace) -> Path:
    from datasets.run_again import run_again
    from datasets.run_manifest import BODY, read_plan

    first = args.from_manifest.resolve().parent
    into = args.into or first.with_name(first.name + "-again")
    places = {name: path.resolve() for name, path in args.where}
    if read_plan(args.from_manifest).record["job"]["kind"] == BODY:
        return bodies_again(args.from_manifest, into, places, _tell)
    card, same = run_again(args.from_manifest, into, places, bar("piece"), _tell)
    if same is not None:
        print(f"{'the same' if same else 'other'} weights as those of the first run")
    return card


def _tell(text: str) -> None:
    print(f"tableside train: differs: {text}", file=sys.stderr)


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
