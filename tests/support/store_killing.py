"""Kills a process that writes into a store, again and again, and looks at what is left.

`python tests/support/store_killing.py 50` does it fifty times.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from pathlib import Path

from web_ui.store.store import EventStore

WRITER = """
import sys
from web_ui.store.journal import Journal
from web_ui.store.store import EventStore
from web_ui.table.events import new_event
journal = Journal(EventStore.open(sys.argv[1]), wait_s=60)
while True:
    events = [new_event("one", "answered", {"pad": "x" * 3000}, "operator")] * 2
    events[1] = new_event("one", "acted", {"action": {"do": "roll"}}, "camera")
    assert journal.write(events)
    print(journal.last, flush=True)
"""


def kill_while_writing(store: Path, chance: random.Random) -> tuple[int, int]:
    """Kill one writer with SIGKILL, somewhere between two of its lines.

    Args:
        store: its file; may be there already.
        chance: says when.

    Returns:
        The last number that was shown, and how many events the store has then.

    Raises:
        AssertionError: the chain does not verify.
    """
    command = [sys.executable, "-c", WRITER, str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        shown = 0
        for _ in range(chance.randint(0, 40)):
            shown = int(writer.stdout.readline())
        writer.kill()
        # what it still said before it died was shown as well
        for line in writer.stdout.read().splitlines(keepends=True):
            shown = int(line) if line.endswith("\n") else shown
    opened = EventStore.open(store)
    try:
        verdict = opened.verify()
    finally:
        opened.close()
    assert verdict.ok, verdict
    return shown, verdict.events


def main(times: int) -> None:
    chance, least = random.Random(1), 0
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        for k in range(times):
            shown, events = kill_while_writing(Path(folder) / "store.db", chance)
            if events < max(shown, least):
                raise SystemExit(f"kill {k}: {shown} shown, {events} stored")
            least = events
    sys.stdout.write(f"{times} kills, {least} events, nothing shown is missing\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
