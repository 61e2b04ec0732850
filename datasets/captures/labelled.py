"""Captures as labelled pictures: what measuring and training take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasets.captures.album import BrokenError
from datasets.captures.capture import Kept, Origin, Review
from datasets.captures.entry import UNKNOWN
from datasets.captures.listing import ALL, Order
from datasets.eval_labels import LabelledDie, LabelledPicture, rank_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from datasets.captures.album import Album
    from datasets.captures.capture import Capture
    from datasets.captures.entry import Entry
    from datasets.captures.listing import Filter

MIXED = "mixed"


def each_labelled(
    album: Album,
    which: Filter = ALL,
    *,
    reviewed_only: bool = True,
    left_out: Callable[[str, str], None] | None = None,
) -> Iterator[LabelledPicture]:
    """The captures whose labels can be trusted, oldest first, one after the other.

    Tags say more of each: `kept:asked` why it was kept, `labels:person` who named the
    dice (`person`, `model`, `drawn` or `mixed`), `recording:NAME` what splits go by.

    Args:
        album: where they lie.
        which: only these; those that a person set aside never.
        reviewed_only: only those that a person looked at as a whole. Without it, also
            those that counted in a game, if every face is known: what the reader was
            sure of then counts as right. What was refused, or asked and never
            answered, may lack dice, and teaches only once it was reviewed; so does
            what was imported and waits for a person, for no reader saw it.
        left_out: gets the id of a capture whose sidecar cannot be used, and why; None:
            then nothing more is given.

    Raises:
        CaptureError: a sidecar cannot be used, and nobody is told.
    """
    for entry in album.page(which, Order.OLDEST, 0, 2**31).entries:
        if entry.review is Review.DROPPED:
            continue
        if entry.review is not Review.REVIEWED and (reviewed_only or _unsure(entry)):
            continue
        try:
            capture = album.get(entry.id)
        except BrokenError as error:
            if left_out is None:
                raise
            left_out(entry.id, str(error))
            continue
        yield labelled(album, capture)


def _unsure(entry: Entry) -> bool:
    """Whether nobody answers for what an unreviewed capture is said to show."""
    if UNKNOWN in entry.faces.split() or not entry.faces:
        return True
    if entry.kept is Kept.ASKED:
        return not entry.by_person
    return entry.kept in (Kept.REFUSED, Kept.ENTERED)


def labelled_pictures(
    album: Album, which: Filter = ALL, *, reviewed_only: bool = True
) -> tuple[LabelledPicture, ...]:
    """All that `each_labelled` gives.

    Raises:
        CaptureError: a sidecar cannot be used.
    """
    return tuple(each_labelled(album, which, reviewed_only=reviewed_only))


def labelled(album: Album, capture: Capture) -> LabelledPicture:
    """One capture as a labelled picture."""
    return LabelledPicture(
        name=f"{capture.picture}.jpg",
        path=album.path(capture.id),
        width=float(capture.width_px),
        height=float(capture.height_px),
        dice=tuple(
            LabelledDie(
                face=die.face,
                rank=None if die.face is None else rank_of(die.face),
                quad=die.quad,
                box=None,
                state=die.state,
            )
            for die in capture.dice
        ),
        groups=(
            f"kept:{capture.kept.value}",
            f"labels:{who_named(capture)}",
            f"recording:{capture.recording}",
        ),
    )


def who_named(capture: Capture) -> str:
    """Who says what the dice show, in a word."""
    origins = {die.origin for die in capture.dice}
    if capture.review is Review.REVIEWED and Origin.DRAWN not in origins:
        return Origin.PERSON.value
    return origins.pop().value if len(origins) == 1 else MIXED
