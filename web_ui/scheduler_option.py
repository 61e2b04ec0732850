"""The option that spreads work over the machines of a Dask cluster."""

from __future__ import annotations

import contextlib
import importlib.util
from typing import TYPE_CHECKING

from web_ui.extras import install_words

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from datasets.spread.port import Spread


def add_scheduler(parser: argparse.ArgumentParser) -> None:
    """Add `--scheduler` to a command."""
    parser.add_argument(
        "--scheduler",
        metavar="tcp://HOST:PORT",
        help="spread the work over the machines of a Dask cluster that you trust; see "
        "docs/training.md (default: this machine)",
    )


@contextlib.contextmanager
def spread_of(args: argparse.Namespace) -> Iterator[Spread | None]:
    """Connect with the scheduler that was named.

    Yields:
        Its cluster; None if none was named.

    Raises:
        SpreadError: Dask is not installed, or the cluster cannot be used.
    """
    if not args.scheduler:
        yield None
        return
    from datasets.spread.port import SpreadError

    if importlib.util.find_spec("distributed") is None:
        raise SpreadError(f"Dask is not installed; {install_words('spread')}")
    from datasets.spread.dask_cluster import DaskCluster

    with DaskCluster(args.scheduler) as cluster:
        yield cluster
