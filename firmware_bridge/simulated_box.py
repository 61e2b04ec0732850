"""The real firmware in simavr: a box whose pins are moved and read by a program."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import threading
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.events import HOLDS, BoxState

if TYPE_CHECKING:
    from firmware_bridge.events import Button

START_S = 20.0
SEGMENTS = {
    0x3F: "0", 0x06: "1", 0x5B: "2", 0x4F: "3", 0x66: "4", 0x6D: "5", 0x7D: "6",
    0x07: "7", 0x7F: "8", 0x6F: "9", 0x40: "-", 0x00: "_",
}  # fmt: skip
"""What the seven segments of a place show, bit 0 at the top, clockwise, 6 amid."""


class SimulatedBox:
    """Runs a .hex until `close`.

    Args:
        simulator: the program built of `firmware/simulate.c`.
        firmware: the .hex.

    Raises:
        OSError: the simulator does not run.
    """

    def __init__(self, simulator: Path, firmware: Path) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="box-"))
        self.port = str(self._folder / "port")
        self.history: deque[BoxState] = deque([BoxState()], 256)
        self._ready = threading.Event()
        try:
            self._process = subprocess.Popen(
                [simulator, firmware, self.port],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        except OSError:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        self._thread = threading.Thread(target=self._listen, name="simulated box")
        self._thread.daemon = True
        self._thread.start()
        if not self._ready.wait(START_S) or self._process.poll() is not None:
            self.close()
            raise OSError(f"{simulator} does not run {firmware}")

    @property
    def state(self) -> BoxState:
        """What its pins show now."""
        return self.history[-1]

    def press(self, button: Button) -> None:
        """Close a contact."""
        self._order(f"down {int(button)}")

    def release(self, button: Button) -> None:
        """Open a contact."""
        self._order(f"up {int(button)}")

    def bounce(self, button: Button) -> None:
        """Close a contact that jumps for 15 ms before."""
        self._order(f"bounce {int(button)}")

    def reset(self) -> None:
        """Begin anew, as at the reset button."""
        self._order("reset")

    def unplug(self) -> None:
        """Take the port away; the firmware goes on."""
        self._order("unplug")

    def plug(self) -> None:
        """Give the port back, under its old name."""
        self._order("plug")

    def close(self) -> None:
        """End the simulator."""
        self._process.kill()
        self._process.wait()
        self._thread.join(2)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _order(self, words: str) -> None:
        pipe = self._process.stdin
        if pipe is not None:
            pipe.write(words + "\n")
            pipe.flush()

    def _listen(self) -> None:
        for line in self._process.stdout or ():
            match line.split():
                case ["ready"]:
                    self._ready.set()
                case ["lights", bits]:
                    lit = tuple(bool(int(bits, 16) >> n & 1) for n in range(HOLDS))
                    self.history.append(BoxState(lit, self.state.display))
                case ["display", *places]:
                    shown = "".join(SEGMENTS[int(place, 16)] for place in places)
                    self.history.append(BoxState(self.state.lights, shown))
        self._ready.set()  # it ended: nobody needs to wait
