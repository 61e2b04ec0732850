"""Bytes to messages of a button box and back; knows no port.

`docs/button-box.md` is the contract: `SEQ KIND WORDS*CRC`, one message a line, with a
newline before and after: a line that broke off spoils no other.
"""

from __future__ import annotations

import re
from binascii import crc_hqx
from dataclasses import dataclass
from enum import StrEnum

PROTOCOL = 1
"""Version said in HELLO; a box with another one is refused by name."""
LINE_BYTES = 64
"""Longest line, the newline at its end included."""
SEQUENCES = range(1, 256)
"""Numbers of messages that want an ACK; 0 wants none."""
_LINE = re.compile(rb"([0-9A-F]{2}) ([A-Z]+)((?: [!-)+-~]+)*)\*([0-9A-F]{4})")


class Kind(StrEnum):
    """What a line says; the first five come from a box, the others go to it."""

    HELLO = "HELLO"  # version id boot
    DOWN = "DOWN"  # button boot
    UP = "UP"  # button boot
    BEAT = "BEAT"  # from the box: dropped boot; to the box: nothing
    ACK = "ACK"  # sequence number; both ways
    WHO = "WHO"
    SHOW = "SHOW"  # lights display
    NAME = "NAME"  # new id


@dataclass(frozen=True)
class Message:
    """One line: sequence number 0 to 255, kind, words without space or `*`."""

    sequence: int
    kind: Kind
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.sequence <= 255:
            raise ValueError(f"sequence number {self.sequence}: expected 0 to 255")
        spaced = any(" " in word for word in self.words)
        if spaced or not _LINE.fullmatch(_body(self) + b"*0000"):
            raise ValueError(f"words {self.words!r}: expected printable ASCII, no '*'")
        if len(_body(self)) + 6 > LINE_BYTES:
            raise ValueError(f"words {self.words!r}: line over {LINE_BYTES} bytes")


@dataclass(frozen=True)
class Garbled:
    """Bytes that are no message (cut to LINE_BYTES) and why."""

    raw: bytes
    reason: str


def _body(message: Message) -> bytes:
    words = " ".join((f"{message.sequence:02X}", message.kind, *message.words))
    return words.encode("utf-8", errors="surrogatepass")  # others are no words


def encode(message: Message) -> bytes:
    """Write a message as its line, between two newlines."""
    body = _body(message)
    return b"\n" + body + b"*%04X\n" % crc_hqx(body, 0)


def parse(line: bytes) -> Message | Garbled:
    """Read one line without its newline; what is wrong with it is data."""
    match = _LINE.fullmatch(line)
    if match is None:
        return Garbled(line[:LINE_BYTES], "not a line of the protocol")
    if crc_hqx(line[:-5], 0) != int(match[4], 16):
        return Garbled(line, "wrong checksum")
    try:
        kind = Kind(match[2].decode("ascii"))
    except ValueError:
        return Garbled(line, "unknown kind")
    words = tuple(match[3].decode("ascii").split())
    try:
        return Message(int(match[1], 16), kind, words)
    except ValueError:
        return Garbled(line, "words out of bounds")


class Decoder:
    """Turns a byte stream, cut anywhere, into messages; holds under LINE_BYTES."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._overlong = False

    @property
    def held(self) -> int:
        """Bytes kept until their newline comes."""
        return len(self._held)

    def feed(self, data: bytes) -> list[Message | Garbled]:
        """Take bytes, give what they complete, in order."""
        found: list[Message | Garbled] = []
        pieces = data.split(b"\n")
        for piece in pieces[:-1]:
            self._take(piece, found)
            if not self._overlong and self._held.strip(b"\r"):
                found.append(parse(bytes(self._held).rstrip(b"\r")))
            self._held.clear()
            self._overlong = False
        self._take(pieces[-1], found)
        return found

    def _take(self, piece: bytes, found: list[Message | Garbled]) -> None:
        if self._overlong:
            return
        if len(self._held) + len(piece) >= LINE_BYTES:
            start = bytes(self._held) + piece[:LINE_BYTES]
            found.append(Garbled(start[:LINE_BYTES], "line too long"))
            self._held.clear()
            self._overlong = True
            return
        self._held += piece
