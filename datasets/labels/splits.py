"""Pictures dealt to training, validation and test: a recording is on one side only.

Pictures of one recording show the same dice in the same light, often nearly the same
roll: a model that was taught some of them has seen the others. The side of a recording
is a hash of its name, so that it does not change when other recordings come or go.
"""

from __future__ import annotations

import hashlib
import math
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from datasets.eval_labels import LabelError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SIDES = ("train", "val", "test")
SALTS_TRIED = 1000
"""When a side stays empty, so many other salts are looked at for one to propose."""


class SplitError(LabelError):
    """Recordings that cannot be dealt to all sides that were asked for."""


@dataclass(frozen=True, slots=True)
class Split:
    """How recordings are dealt.

    Attributes:
        shares: of each of `SIDES`, 0..1; they sum to 1.
        salt: another text deals otherwise.
        pinned: recordings whose side is given: name (NFC) and side.
    """

    shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
    salt: str = ""
    pinned: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        good = all(math.isfinite(share) and 0 <= share <= 1 for share in self.shares)
        if not good or abs(sum(self.shares) - 1) > 1e-9:
            raise SplitError(f"shares must be 0..1 and sum to 1, not {self.shares}")
        wrong = [side for _, side in self.pinned if side not in SIDES]
        if wrong:
            raise SplitError(f"a side is one of {', '.join(SIDES)}, not {wrong[0]!r}")
        twice = [n for n, k in Counter(n for n, _ in self.pinned).items() if k > 1]
        if twice:
            raise SplitError(f"recording {twice[0]!r} is given a side twice")

    @property
    def sides(self) -> tuple[str, ...]:
        """Those that get a share or a pinned recording."""
        pinned = {side for _, side in self.pinned}
        return tuple(
            side
            for side, share in zip(SIDES, self.shares, strict=True)
            if share > 0 or side in pinned
        )

    def side_of(self, recording: str) -> str:
        """The side of one recording, whatever others there are.

        Args:
            recording: its name.
        """
        name = unicodedata.normalize("NFC", recording)
        if given := dict(self.pinned).get(name):
            return given
        digest = hashlib.sha256(f"{self.salt}\0{name}".encode()).digest()
        place = int.from_bytes(digest[:8], "big") / 2**64
        end = 0.0
        for side, share in zip(SIDES, self.shares, strict=True):
            end += share
            if place < end:
                return side
        return self.sides[-1]


def parse_shares(text: str) -> tuple[float, float, float]:
    """Read `train=0.8,val=0.2`; a side that is not named gets nothing.

    Raises:
        SplitError: unknown or repeated side, or no number.
    """
    shares: dict[str, float] = {}
    for part in text.split(","):
        side, _, value = (word.strip() for word in part.partition("="))
        if side not in SIDES or side in shares:
            raise SplitError(
                f"{part.strip()!r}: expected shares such as train=0.8,val=0.2"
            )
        try:
            shares[side] = float(value)
        except ValueError as error:
            raise SplitError(f"{part.strip()!r}: {value!r} is no number") from error
    train, val, test = (shares.get(side, 0.0) for side in SIDES)
    return train, val, test


def deal(recordings: Iterable[str], split: Split) -> dict[str, str]:
    """Deal recordings, every side getting at least one.

    Args:
        recordings: names; repeated ones count once.
        split: how.

    Returns:
        The side of each recording, in alphabetical order of names.

    Raises:
        SplitError: fewer recordings than sides, or a side stays empty.
    """
    names = sorted({unicodedata.normalize("NFC", name) for name in recordings})
    dealt = {name: split.side_of(name) for name in names}
    check_sides(dealt, split)
    return dealt


def check_sides(dealt: Mapping[str, str], split: Split) -> None:
    """Check that no side is empty.

    Args:
        dealt: the side of each recording.
        split: how they were dealt.

    Raises:
        SplitError: saying what could be done.
    """
    empty = [side for side in split.sides if side not in dealt.values()]
    if not empty:
        return
    count, wanted = len(dealt), len(split.sides)
    said = f"{count} recording{'' if count == 1 else 's'}"
    if count < wanted:
        raise SplitError(
            f"{said} cannot be dealt to {wanted} sides ({', '.join(split.sides)}):"
            " a recording is never divided"
        )
    other = _working_salt(dealt, split)
    hint = f'; with the salt "{other}" each side gets one' if other else ""
    raise SplitError(
        f"of {said} none falls to {' and '.join(empty)}:"
        f" pin one to it or use another salt{hint}"
    )


def _working_salt(names: Iterable[str], split: Split) -> str | None:
    known = tuple(names)
    for number in range(1, SALTS_TRIED + 1):
        tried = replace(split, salt=str(number))
        if set(map(tried.side_of, known)) >= set(split.sides):
            return str(number)
    return None
