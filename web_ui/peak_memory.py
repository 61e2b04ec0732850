"""How much memory this process has had at most."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

KIB = 1024
MAXRSS_BYTES = 1 if sys.platform == "darwin" else KIB
"""What one unit of `ru_maxrss` is."""


def peak_bytes() -> int:
    """The most that this process has had in memory at once, bytes.

    On Linux `ru_maxrss` begins with what the starting process had, so a small process
    started by a large one would be called large: the kernel's own mark for the program
    that now runs (`VmHWM`, proc_pid_status(5)) is taken where there is one.
    """
    try:
        lines = Path("/proc/self/status").read_text("ascii", "replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * KIB
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_BYTES
