"""Labelled pictures and clips: what is really there, read from `labels.json`."""

from __future__ import annotations

import math
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from datasets.shards import DataSetError
from scoring.cards import RANKS, Card, Face, FaceCodeError, Joker, PokerFace, parse_face
from scoring.json_files import JsonFileError, read_json
from vision.reading import DieState, Quad

if TYPE_CHECKING:
    from pathlib import Path

LABELS = "labels.json"
MOST_BYTES = 512 * 1024**2
"""Some 2 million dice."""
JOKER_RANK = "JOKER"
Box = tuple[float, float, float, float]
"""x0, y0, x1, y1; continuous coordinates, y down."""


class LabelError(DataSetError):
    """Labels that cannot be used; the message names file and entry."""


@dataclass(frozen=True, slots=True)
class LabelledDie:
    """One die, or the corner of a card, as it really is.

    Attributes:
        face: what it shows; None if the label does not know.
        rank: of that face, or what is known of it: a letter of `RANKS`, a digit or
            `JOKER`; None if not even that is known.
        quad: corners in continuous coordinates ((0, 0) is the outer corner of the first
            pixel), clockwise from the art's top left; None if not known.
        box: upright box; None if not known. Without both it fills the whole picture.
        state: how it lies.
    """

    face: Face | None
    rank: str | None
    quad: Quad | None
    box: Box | None
    state: DieState = DieState.FLAT


@dataclass(frozen=True, slots=True)
class LabelledThrow:
    """One throw of a clip.

    Attributes:
        rest_frame: first frame, from 0, from which all dice lie still.
        dice: as they lie then.
    """

    rest_frame: int
    dice: tuple[LabelledDie, ...]


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A labelled picture, or a clip.

    Attributes:
        name: as the label file has it.
        path: where the file lies.
        width: pixels, upright as a person sees it; 0 if not stated.
        height: likewise.
        dice: what is there; of a clip, in its first throw.
        groups: tags, the art as `art:NAME` among them.
        cards: whether the label calls them cards: then any number is a whole roll.
        die_px: width of a die, not foreshortened; None if not stated.
        fps: of a clip; None for a picture.
        throws: of a clip; empty for a picture.
    """

    name: str
    path: Path
    width: float
    height: float
    dice: tuple[LabelledDie, ...]
    groups: tuple[str, ...] = ()
    cards: bool = False
    die_px: float | None = None
    fps: float | None = None
    throws: tuple[LabelledThrow, ...] = ()


def rank_of(face: Face) -> str:
    """Rank of a face; both jokers are `JOKER`, a number is its own rank."""
    if isinstance(face, Joker):
        return JOKER_RANK
    return RANKS[face.rank - 1] if isinstance(face, Card | PokerFace) else face.code


def suit_of(face: Face) -> str | None:
    """Letter of the suit; None for faces without one."""
    return face.suit.value if isinstance(face, Card) else None


def colour_of(face: Face) -> str | None:
    """`red` or `black`; None where the face does not tell."""
    return face.colour.value if isinstance(face, Card | Joker) else None


def read_labels(folder: Path) -> tuple[LabelledPicture, ...]:
    """Read the labels of a folder of pictures or clips.

    The files lie beside `labels.json` or in `images/`; whether they are there is not
    looked at.

    Args:
        folder: with `labels.json`; that file itself may be named instead.

    Raises:
        LabelError: no labels, or an entry cannot be used.
    """
    path = folder if folder.is_file() else folder / LABELS
    try:
        raw = read_json(path, MOST_BYTES)
    except JsonFileError as error:
        raise LabelError(str(error)) from error
    entries = raw if isinstance(raw, list) else [raw]
    pictures = []
    for number, entry in enumerate(entries):
        try:
            pictures.append(parse_picture(entry, path.parent))
        except LabelError as error:
            raise LabelError(f"{path}: entry {number}: {error}") from error
    if not pictures:
        raise LabelError(f"{path}: there are no pictures in it")
    twice = [name for name, n in Counter(p.name for p in pictures).items() if n > 1]
    if twice:
        raise LabelError(f"{path}: {twice[0]} is labelled twice")
    return tuple(pictures)


def parse_picture(raw: object, folder: Path) -> LabelledPicture:
    """Read one entry.

    Args:
        raw: as JSON gives it.
        folder: where the label file lies.

    Raises:
        LabelError: saying which field is wrong.
    """
    entry = _object(raw, "it")
    name = entry.get("image", entry.get("clip"))
    if not isinstance(name, str) or not name:
        raise LabelError('needs the file\'s name as "image" or "clip"')
    if any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in name):
        raise LabelError(f"{name!r:.80} is no name of a file")
    throws: tuple[LabelledThrow, ...] = ()
    fps = None
    if "clip" in entry and "image" not in entry:
        fps = _number(entry.get("fps"), "fps")
        if fps <= 0:
            raise LabelError(f'"fps" must be above 0, not {fps:g}')
        throws = _throws(entry)
        dice, cards = throws[0].dice, "cards" in entry
    else:
        dice, cards = _dice(entry), "cards" in entry
    beside = path = folder / name
    inside = folder / "images" / name
    with suppress(OSError):  # a name too long for any file: as if it were missing
        path = inside if inside.exists() and not beside.exists() else beside
    return LabelledPicture(
        name=name,
        path=path,
        width=_size(entry, "width"),
        height=_size(entry, "height"),
        dice=dice,
        groups=_groups(entry),
        cards=cards,
        die_px=None if entry.get("die_px") is None else _size(entry, "die_px"),
        fps=fps,
        throws=throws,
    )


def _throws(entry: dict[str, object]) -> tuple[LabelledThrow, ...]:
    """The throws of a clip: a list of them, or the clip itself is the only one."""
    raw = entry.get("throws", [entry])
    if not isinstance(raw, list) or not raw:
        raise LabelError(f'"throws" must be a list, not {raw!r:.80}')
    throws: list[LabelledThrow] = []
    for number, value in enumerate(raw):
        one = _object(value, f"throw {number}")
        rest = one.get("rest_frame")
        if isinstance(rest, bool) or not isinstance(rest, int) or rest < 0:
            raise LabelError(
                f'"rest_frame" must be a whole number from 0, not {rest!r:.80}'
            )
        if throws and rest <= throws[-1].rest_frame:
            raise LabelError(f'"rest_frame" {rest} does not come after the one before')
        throws.append(LabelledThrow(rest, _dice(one)))
    return tuple(throws)


def _dice(entry: dict[str, object]) -> tuple[LabelledDie, ...]:
    keys = [key for key in ("dice", "cards") if key in entry]
    if len(keys) != 1:
        raise LabelError('needs exactly one of the lists "dice" and "cards"')
    raw = entry[keys[0]]
    if not isinstance(raw, list):
        raise LabelError(f'"{keys[0]}" must be a list, not {raw!r:.80}')
    word = "die" if keys[0] == "dice" else "card"
    dice = tuple(_die(value, f"{word} {k}") for k, value in enumerate(raw))
    if len(dice) > 1 and any(die.quad is None and die.box is None for die in dice):
        raise LabelError(f"of several, each {word} needs a quad or a box")
    return dice


def _die(raw: object, what: str) -> LabelledDie:
    entry = _object(raw, what)
    code, rank = entry.get("face"), entry.get("rank")
    face = None
    if code is not None:
        try:
            face = parse_face(code) if isinstance(code, str) else None
        except FaceCodeError as error:
            raise LabelError(f"{what}: {error}") from error
        if face is None:
            raise LabelError(f'{what}: "face" must be a code or null, not {code!r:.80}')
    state = str(entry.get("state") or DieState.FLAT.value)
    if state not in list(DieState):
        known = ", ".join(DieState)
        raise LabelError(f'{what}: "state" must be one of {known}, not {state:.80}')
    quad, box = entry.get("quad"), entry.get("box")
    return LabelledDie(
        face=face,
        rank=rank_of(face) if face else _rank(rank, what),
        quad=None if quad is None else _quad(quad, f'{what}: "quad"'),
        box=None if box is None else _box(box, f'{what}: "box"'),
        state=DieState(state),
    )


def _rank(raw: object, what: str) -> str | None:
    if raw is None:
        return None
    text = raw.strip().upper() if isinstance(raw, str) else ""
    text = "T" if text == "10" else text
    if text != JOKER_RANK and (len(text) != 1 or text not in RANKS + "1"):
        raise LabelError(f'{what}: "rank" must be one of {RANKS}, not {raw!r:.80}')
    return text


def _groups(entry: dict[str, object]) -> tuple[str, ...]:
    tags = entry.get("tags") or []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise LabelError(f'"tags" must be a list of words, not {tags!r:.80}')
    art = entry.get("art")
    named = [f"art:{art}"] if isinstance(art, str) and art else []
    return tuple(dict.fromkeys([*tags, *named]))


def _object(raw: object, what: str) -> dict[str, object]:
    if not isinstance(raw, dict):
        raise LabelError(f"{what} must be an object, not {raw!r:.80}")
    return cast("dict[str, object]", raw)


def _number(raw: object, what: str) -> float:
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        # a whole number of a thousand digits is no float
        with suppress(OverflowError):
            if math.isfinite(raw):
                return float(raw)
    raise LabelError(f"{what} must be a finite number, not {raw!r:.80}")


def _size(entry: dict[str, object], key: str) -> float:
    value = _number(entry.get(key, 0), f'"{key}"')
    if value < 0:
        raise LabelError(f'"{key}" must be 0 or more, not {value:g}')
    return value


def _quad(raw: object, what: str) -> Quad:
    if not isinstance(raw, list) or len(raw) != 4:
        raise LabelError(f"{what} must be four [x, y] corners, not {raw!r:.80}")
    corners = []
    for corner in raw:
        if not isinstance(corner, list) or len(corner) != 2:
            raise LabelError(f"{what} must be four [x, y] corners, not {raw!r:.80}")
        corners.append((_number(corner[0], what), _number(corner[1], what)))
    return corners[0], corners[1], corners[2], corners[3]


def _box(raw: object, what: str) -> Box:
    if not isinstance(raw, list) or len(raw) != 4:
        raise LabelError(f"{what} must be [x0, y0, x1, y1], not {raw!r:.80}")
    x0, y0, x1, y1 = (_number(value, what) for value in raw)
    if x1 < x0 or y1 < y0:
        raise LabelError(f"{what} must have x0 <= x1 and y0 <= y1, not {raw!r:.80}")
    return x0, y0, x1, y1
