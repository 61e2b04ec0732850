"""The misses of a report, grouped by kind and put into words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.eval_misses import MissKind, misses_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.eval_pictures import MissView
    from datasets.eval_results import DieResult, FaceLook, PictureResult
    from vision.reading import DieReading

TITLES = {
    MissKind.WRONG_SURE: (
        "Wrong while sure",
        "Scored without asking, and should not have been.",
    ),
    MissKind.WRONG_FACE: ("Wrong face", "Found, and taken for another face."),
    MissKind.NOT_READ: ("Not read", "Found, but no face was told."),
    MissKind.NOT_FOUND: ("Not found", "A labelled top face that no answer fits."),
    MissKind.NOTHING_THERE: (
        "Nothing there",
        "An answer where no top face is labelled.",
    ),
    MissKind.NOT_NOTICED: (
        "Not flat, not noticed",
        "Cocked, stacked or partly hidden, and told as flat.",
    ),
    MissKind.RIGHT_ASKED: (
        "Right, but asked",
        "All was read rightly; the players were asked all the same.",
    ),
    MissKind.REFUSED: ("Roll refused", "An ordinary roll that was not taken for one."),
}

FAULTS = {
    MissKind.WRONG_FACE: "read wrongly",
    MissKind.NOT_READ: "not read",
    MissKind.NOT_FOUND: "not found",
    MissKind.NOTHING_THERE: "said where there is nothing",
    MissKind.NOT_NOTICED: "not flat and not noticed",
}

MOST_BARS = 4


@dataclass(frozen=True, slots=True)
class Bar:
    """A probability to draw.

    Attributes:
        code: of the face; `none` for "not a face".
        p: probability, 0..1.
        true: whether it is what the label says.
    """

    code: str
    p: float
    true: bool


@dataclass(frozen=True, slots=True)
class Card:
    """One miss with the picture it is about."""

    result: PictureResult
    view: MissView

    @property
    def die(self) -> DieResult | None:
        """The labelled die it is about; None if it is about none."""
        place = self.view.miss.die
        return None if place is None else self.result.dice[place]

    @property
    def said(self) -> DieReading | None:
        """What the reading says of it."""
        if self.die is not None:
            return self.die.said
        place, reading = self.view.miss.said, self.result.reading
        return reading.dice[place] if reading and place is not None else None

    @property
    def truth(self) -> str | None:
        """Code of the labelled face, or its rank; None if not known."""
        if self.die is None:
            return None
        face = self.die.label.face
        return face.code if face else self.die.label.rank

    @property
    def problems(self) -> tuple[str, ...]:
        """What the reading itself says is wrong, as sentences."""
        reading = self.result.reading
        return tuple(p.sentence for p in reading.problems) if reading else ()

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with a whole roll, in words."""
        if not self.view.miss.kind.whole_picture:
            return ()
        counts: Counter[str] = Counter()
        for miss in misses_of(self.result):
            if not miss.kind.whole_picture:
                counts[FAULTS[miss.kind]] += 1
        faults = [f"{count} {words}" for words, count in counts.items()]
        flat = all(die.flat for die in self.result.dice)
        if not faults and self.result.verdict.wrong_sure and flat:
            faults.append(f"{len(self.result.dice)} dice, not a whole roll")
        return tuple(faults)

    @property
    def bars(self) -> tuple[tuple[str, tuple[Bar, ...]], ...]:
        """What the face reader alone said: where it looked, and the probabilities."""
        die = self.die
        if die is None:
            return ()
        looks = [("at the sighting", die.seen), ("at the label's place", die.own)]
        if self.result.is_crop:
            looks = [("of the picture", die.own)]
        truth = die.label.face.code if die.label.face else None
        return tuple((words, _bars(look, truth)) for words, look in looks if look)


def _bars(look: FaceLook, truth: str | None) -> tuple[Bar, ...]:
    """The most likely faces, "not a face" among them; the true one in any case."""
    known = 1 - look.none
    bars = [
        Bar(one.face.code, one.p * known, one.face.code == truth) for one in look.likely
    ]
    bars.append(Bar("none", look.none, False))
    bars.sort(key=lambda bar: -bar.p)
    shown = bars[:MOST_BARS]
    shown += [bar for bar in bars[MOST_BARS:] if bar.true]
    return tuple(bar for bar in shown if bar.p >= 0.0005 or bar.true)


@dataclass(frozen=True, slots=True)
class Chapter:
    """All misses of one kind.

    Attributes:
        kind: code, also the anchor on the page.
        title: in words.
        text: what it means.
        cards: the worst first.
    """

    kind: str
    title: str
    text: str
    cards: tuple[Card, ...]


def gallery(cards: Sequence[Card]) -> tuple[Chapter, ...]:
    """Group misses by kind; kinds without any are left out."""
    chapters = []
    for kind, (title, text) in TITLES.items():
        own = [card for card in cards if card.view.miss.kind is kind]
        if own:
            own.sort(key=_worst_first)
            chapters.append(Chapter(kind.value, title, text, tuple(own)))
    return tuple(chapters)


def _worst_first(card: Card) -> float:
    """Those that were the most certain of their mistake come first."""
    if card.view.miss.kind.whole_picture:
        reading = card.result.reading
        return -reading.confidence if reading else 0.0
    return -card.said.confidence if card.said else 0.0
