"""`tableside conform`: run conformance cases and say which fail."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.conformance import CaseFileError, Verdict, run_case_file
from web_ui.json_files import JsonFileError, read_json

if TYPE_CHECKING:
    import argparse


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> None:
    """Add the command to the `tableside` parser."""
    parser = subparsers.add_parser("conform", help="run conformance cases")
    parser.add_argument("files", type=Path, nargs="+", help="case files (JSON)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command; a file that cannot be used does not stop the others.

    Returns:
        0 all cases pass, 1 some fail, 2 a file is unusable.
    """
    verdicts: list[tuple[Path, Verdict]] = []
    unusable = False
    for path in args.files:
        try:
            verdicts += [(path, verdict) for verdict in run_case_file(read_json(path))]
        except JsonFileError as error:
            print(error, file=sys.stderr)
            unusable = True
        except CaseFileError as error:
            print(f"{path}: not a case file: {error}", file=sys.stderr)
            unusable = True
    failed = [(path, verdict) for path, verdict in verdicts if not verdict.passed]
    if args.json:
        print(json.dumps(_record(len(verdicts), failed), ensure_ascii=False))
    else:
        for path, verdict in failed:
            print(f"{path}: {verdict.id} ({verdict.rule}) {verdict.why}")
            for fault in verdict.faults:
                print(f"    {fault}")
        print(f"{len(verdicts)} cases, {len(failed)} failed")
    if unusable:
        return 2
    return 1 if failed else 0


def _record(cases: int, failed: list[tuple[Path, Verdict]]) -> dict[str, object]:
    failures = [
        {
            "file": str(path),
            "id": verdict.id,
            "rule": verdict.rule,
            "why": verdict.why,
            "faults": list(verdict.faults),
        }
        for path, verdict in failed
    ]
    return {"cases": cases, "failed": len(failed), "failures": failures}
