"""A training run repeated from its manifest."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from datasets.run_manifest import moved, must_be_same, read_plan, repeated
from datasets.training_runs import RESULT, plan_for, train_and_publish

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from datasets.render import Progress


def run_again(
    manifest: Path,
    into: Path,
    places: dict[str, Path],
    progress: Progress,
    tell: Callable[[str], None],
) -> tuple[Path, bool | None]:
    """Train as a manifest says.

    On one thread of the same kind of processor, with the same packages, the weights are
    the same; what differs of these is told.

    Args:
        manifest: `run.json` of a run.
        into: folder of the new run; one that was begun so goes on.
        places: where files lie now, see `moved`.
        progress: shows a bar.
        tell: is told what differs and may change the weights.

    Returns:
        The card of the model, and whether its weights are those of the first run; None
        if nothing beside the manifest says what these were.

    Raises:
        DataSetError: a set is missing or another one, or `into` holds another run.
        ExportDiffersError: the exported network does not read as the trained one.
    """
    plan = read_plan(manifest)
    into = into.resolve()
    job, options = repeated(plan, into.parent, into.name)
    job = moved(job, places)
    here, _ = plan_for(job, options)
    for text in must_be_same(plan, here, sets=True):
        tell(text)
    card = train_and_publish(job, options, progress, tell)
    first, second = manifest.parent / RESULT, into / RESULT
    if first.resolve() == second.resolve() or not first.exists():
        return card, None
    return card, _weights(first) == _weights(second)


def _weights(path: Path) -> str:
    return str(json.loads(path.read_text("utf-8"))["weights_sha256"])
