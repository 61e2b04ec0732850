"""Ports by pyserial: the only file that imports `serial`."""

from __future__ import annotations

import contextlib
import termios
from pathlib import Path

import serial

from firmware_bridge.ports import PortError

BAUD = 115200
BY_ID = Path("/dev/serial/by-id")
READ_BYTES = 4096


class SerialPort:
    """An exclusively opened serial port."""

    def __init__(self, name: str) -> None:
        self._name = name
        try:
            self._port = serial.Serial(
                name, BAUD, timeout=0.05, write_timeout=0.5, exclusive=True
            )
        except (OSError, ValueError, termios.error) as error:
            raise PortError(f"{name} cannot be opened: {_reason(error)}") from error

    def read(self) -> bytes:
        """Give what has come, waiting at most 0.05 s."""
        try:
            first = self._port.read(1)
            waiting = min(self._port.in_waiting, READ_BYTES) if first else 0
            return bytes(first + self._port.read(waiting))
        except (OSError, TypeError, termios.error) as error:
            raise PortError(f"{self._name} lost: {_reason(error)}") from error

    def write(self, data: bytes) -> None:
        """Send all of it."""
        try:
            self._port.write(data)
        except (OSError, termios.error) as error:
            raise PortError(f"{self._name} lost: {_reason(error)}") from error

    def close(self) -> None:
        """Let go of the port."""
        with contextlib.suppress(OSError, termios.error):
            self._port.close()


def _reason(error: BaseException) -> str:
    number = getattr(error, "errno", None)
    if number == 11:
        return "another program has it open"
    if number == 13:
        return "no permission (is the user in the group dialout?)"
    if number == 2:
        return "there is no such port"
    return str(error)


def find_ports() -> list[str]:
    """List the ports that could be boxes, by lasting names, sorted."""
    try:
        return sorted(str(path) for path in BY_ID.iterdir())
    except OSError:
        return []
