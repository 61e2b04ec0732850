"""`tableside conform`: run conformance cases and say which fail."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.conformance import CaseFileError, Verdict, run_case_file
from scoring.json_files import JsonFile, JsonFileError, read_json_file
from web_ui.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence


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
    cases, failed = 0, list[Failure]()
    unusable = False
    for path in args.files:
        try:
            file = read_json_file(path)
            verdicts = run_case_file(file.content)
            cases += len(verdicts)
            failed += _failures(file, verdicts)
        except JsonFileError as error:
            print(error, file=sys.stderr)
            unusable = True
        except CaseFileError as error:
            print(f"{path}: not a case file: {error}", file=sys.stderr)
            unusable = True
    if args.json:
        print(json.dumps(_record(cases, failed)))
    else:
        for failure in failed:
            print(printable(failure.title))
            for fault in failure.verdict.faults:
                print(f"    {printable(fault)}")
        print(f"{cases} cases, {len(failed)} failed")
    if unusable:
        return 2
    return 1 if failed else 0


@dataclass(frozen=True, slots=True)
class Failure:
    """A case that fails.

    Attributes:
        path: its file.
        line: where it begins there, from 1.
        verdict: what differs.
    """

    path: Path
    line: int
    verdict: Verdict

    @property
    def title(self) -> str:
        """Which case it is, in one line."""
        case = self.verdict
        return f"{self.path}: line {self.line}: {case.id} ({case.rule}) {case.why}"


def _failures(file: JsonFile, verdicts: Sequence[Verdict]) -> list[Failure]:
    failed = [
        (at, verdict) for at, verdict in enumerate(verdicts) if not verdict.passed
    ]
    lines = file.lines("cases") if failed else []
    return [Failure(file.path, lines[at], verdict) for at, verdict in failed]


def _record(cases: int, failed: list[Failure]) -> dict[str, object]:
    failures = [
        {
            "file": str(failure.path),
            "line": failure.line,
            "id": failure.verdict.id,
            "rule": failure.verdict.rule,
            "why": failure.verdict.why,
            "faults": list(failure.verdict.faults),
        }
        for failure in failed
    ]
    return {"cases": cases, "failed": len(failed), "failures": failures}
