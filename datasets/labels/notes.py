"""What is told about labels that were changed, left out or could not be carried."""

from __future__ import annotations

from dataclasses import dataclass

MOST_PLACES = 20
"""Places kept of each sentence; the others are only counted."""


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that happened, as often as it did.

    Attributes:
        sentence: what happened, without the place.
        places: the first `MOST_PLACES` of them, as `file:line` or as the file has it.
        count: how often.
    """

    sentence: str
    places: tuple[str, ...]
    count: int

    def __str__(self) -> str:
        shown = ", ".join(self.places[:3])
        more = self.count - min(3, len(self.places))
        return f"{shown}{f' and {more} more' if more > 0 else ''}: {self.sentence}"


LEFT_OUT = "left out"


class NoteBook:
    """Gathers notes; its size depends on the kinds of them, not on their number.

    Attributes:
        left: how much was left out by `leave_out`.
    """

    def __init__(self) -> None:
        self._places: dict[str, list[str]] = {}
        self._counts: dict[str, int] = {}
        self.left = 0

    def tell(self, sentence: str, place: str) -> None:
        """Write down that something happened somewhere."""
        places = self._places.setdefault(sentence, [])
        if len(places) < MOST_PLACES:
            places.append(place)
        self._counts[sentence] = self._counts.get(sentence, 0) + 1

    def leave_out(self, name: str, why: str) -> None:
        """Write down that something is not taken, with its name and why."""
        self.left += 1
        self.tell(f"{why}: {LEFT_OUT}", name)

    def notes(self) -> tuple[Note, ...]:
        """All of them, in the order of first sight."""
        return tuple(
            Note(sentence, tuple(places), self._counts[sentence])
            for sentence, places in self._places.items()
        )
