"""The front of all commands: what it does when nobody reads on."""

from __future__ import annotations

import os
import subprocess
import sys


def test_reader_that_has_gone_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)  # as `| head` does after its last line
    words = [sys.executable, "-m", "web_ui.cli", "score", "--options", "classic"]
    buffered = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    try:
        done = subprocess.run(
            words,
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
            env=buffered,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
