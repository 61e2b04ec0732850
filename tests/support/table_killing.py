"""Kill a running table at random moments and look whether it remembers what it said.

    python tests/support/table_killing.py 50

A table is played by typed rolls over HTTP and killed with SIGKILL; then it is started
again on the same store. Whatever was answered with 200 must still be there, the chain
must verify, and the game must go on.
"""

from __future__ import annotations

import http.client
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from table_makers import moment, write_script

from web_ui.store.store import EventStore

START_S = 30.0
FACES = ["TC", "TD", "5H", "6S", "7D", "KH", "2S", "9C", "3H"]


class KilledTable:
    """A table in a process of its own.

    Args:
        folder: keeps its store.
    """

    def __init__(self, folder: Path) -> None:
        script = write_script(folder / "watch.json", [moment(0, "empty")])
        words = ["play", "--camera", str(script), "--data", str(folder / "data")]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "web_ui.cli", *words, "--port", "0", "--no-browser"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)/", line)
        assert found is not None, line
        self.port = int(found[1])

    def ask(self, method: str, path: str, data: object = None) -> tuple[int, Any]:
        """Send a request; status 0 if the table is gone."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            body = None if data is None else json.dumps(data)
            headers = {"Content-Type": "application/json"} if body else {}
            line.request(method, f"/api/v1/{path}", body, headers)
            answer = line.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            return 0, None
        finally:
            line.close()

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.communicate()


def wait_for_state(table: KilledTable) -> dict[str, Any]:
    """The state once the table is set."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        status, state = table.ask("GET", "state")
        if status == 200:
            told: dict[str, Any] = state
            return told
        time.sleep(0.02)
    raise AssertionError("the table was not set")


def play_some(table: KilledTable, seconds: float) -> dict[str, Any]:
    """Play until the time is over; the last state that was answered with 200."""
    last = wait_for_state(table)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        phase = last["game"]["phase"]
        command: dict[str, object] = {"do": "stop"}
        if phase == "draw":
            command = {"do": "draw"}
        elif phase in ("roll", "duel_roll"):
            command = {"do": "roll", "faces": FACES}
        elif phase == "duel_opponent":
            command = {"do": "duel", "opponent": "Player 2"}
            if last["turn"]["player"] == "Player 2":
                command = {"do": "duel", "opponent": "Player 1"}
        elif last["game"]["over"]:
            command = {"do": "start", "players": ["Player 1", "Player 2"]}
        status, state = table.ask("POST", "commands", command)
        if status == 200:
            last = state
        elif status == 0:
            break
    return last


def kill_and_look(folder: Path, chance: random.Random) -> int:
    """One round; how many events the store holds after it.

    Raises:
        AssertionError: something that was answered is gone, or the chain is broken.
    """
    table = KilledTable(folder)
    try:
        told = play_some(table, chance.uniform(0.05, 0.6))
    finally:
        table.kill()
    again = KilledTable(folder)
    try:
        state = wait_for_state(again)
    finally:
        again.kill()
    if state["game"]["id"] == told["game"]["id"]:
        assert state["game"]["step"] >= told["game"]["step"], "something is gone"
        same = [item["words"] for item in told["log"] if item["number"] <= 40]
        now = [item["words"] for item in state["log"]]
        assert set(same) <= set(now) or len(now) == 40, "the log differs"
    store = EventStore.open(folder / "data" / "tableside.db")
    try:
        verdict = store.verify()
        assert verdict.ok, verdict
        return store.head[0]
    finally:
        store.close()


def main() -> None:
    """Kill as often as the first argument says."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        events = 0
        for number in range(1, times + 1):
            events = kill_and_look(Path(folder), chance)
            sys.stdout.write(f"{number} of {times}: {events} events, verified\n")
            sys.stdout.flush()
    sys.stdout.write(f"killed {times} times: nothing shown was missing\n")


if __name__ == "__main__":
    main()
