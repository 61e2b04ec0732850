"""What requests of the review page ask for, read out of query and body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from flask import abort, request

from datasets.captures.capture import Kept, Review
from datasets.captures.fields import CaptureError, Fields
from datasets.captures.listing import Filter, Order
from datasets.labels.class_names import ORDERS
from datasets.labels.formats import FORMATS
from datasets.labels.picture_tags import Labeller
from datasets.labels.splits import Split, SplitError, parse_shares
from web_ui.reviewing.desk import Decision
from web_ui.reviewing.errands import MOST_UPLOAD_BYTES
from web_ui.reviewing.judging import read_dice

if TYPE_CHECKING:
    from enum import StrEnum

    from vision.reading import Quad

MOST_LISTED = 60
LONGEST_TEXT = 200
LARGEST_PX = 512
MOST_CROPS = 64
REVIEWS = {word.value: word for word in Review}
Word = TypeVar("Word", bound="StrEnum")


def the_filter() -> Filter:
    """Which captures a list is about; aborts with 400."""
    doubt = _number("doubt", 0.0, 1.0)
    return Filter(
        review=_word("review", Review),
        kept=_word("kept", Kept),
        recording=_text("recording"),
        dice_set=_text("set"),
        face=_text("face", 4),
        day=_text("day", 10),
        least_doubt=doubt,
    )


def the_order() -> Order:
    """In which order a list is; aborts with 400."""
    return _word("order", Order) or Order.DOUBT


def whole(name: str, default: int, most: int) -> int:
    """A whole number from 0 out of the query; aborts with 400."""
    text = request.args.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal()) or len(text) > 16 or int(text) > most:
        abort(400, f"{name} must be a whole number from 0 to {most}, not {text!r:.40}")
    return int(text)


def _number(name: str, low: float, high: float) -> float:
    text = request.args.get(name, "0")
    try:
        value = float(text) if len(text) < 24 else high + 1
    except ValueError:
        value = high + 1
    if not low <= value <= high:
        abort(400, f"{name} must be a number from {low:g} to {high:g}")
    return value


def _word(name: str, words: type[Word]) -> Word | None:
    text = request.args.get(name, "")
    if text and text not in list(words):
        abort(400, f"{name} must be one of {', '.join(words)}, not {text!r:.40}")
    return words(text) if text else None


def _text(name: str, longest: int = LONGEST_TEXT) -> str:
    text = request.args.get(name, "")
    if len(text) > longest:
        abort(400, f"{name} must have at most {longest} signs")
    return text


def the_quads() -> list[Quad]:
    """Outlines out of the query, as `x,y,x,y,x,y,x,y;…`; aborts with 400."""
    quads: list[Quad] = []
    for part in request.args.get("quads", "").split(";")[: MOST_CROPS + 1]:
        try:
            values = [float(text) for text in part.split(",")]
        except ValueError:
            values = []
        # NaN is not inside either
        if len(values) != 8 or not all(-1e5 < value < 1e5 for value in values):
            abort(400, "quads must be eight numbers a die, dice parted by ;")
        a, b, c, d = zip(values[::2], values[1::2], strict=True)
        quads.append((a, b, c, d))
    if len(quads) > MOST_CROPS:
        abort(400, f"quads must be at most {MOST_CROPS}")
    return quads


def body() -> Fields:
    """The posted object; aborts with 400."""
    try:
        return Fields(request.get_json())
    except RecursionError:  # what the JSON parser says to ten thousand brackets
        abort(400, "the body is nested too deeply")
    except CaptureError as error:
        abort(400, str(error))


def the_decision() -> Decision:
    """What was decided about a capture; aborts with 400."""
    fields = body()
    try:
        dice = fields.raw("dice")
        decision = Decision(
            seen=fields.text("version"),
            review=fields.word("review", Review),
            dice=None if dice is None else read_dice(dice),
            meant=flag(fields, "meant"),
        )
        fields.end()
    except CaptureError as error:
        abort(400, str(error))
    if not decision.seen:
        abort(400, "version must be that of the capture that was looked at")
    return decision


def flag(fields: Fields, key: str) -> bool:
    """A truth value.

    Raises:
        CaptureError: naming the key.
    """
    value = fields.raw(key)
    if not isinstance(value, bool):
        raise fields.wrong(key, "true or false", value)
    return value


def the_export() -> dict[str, Any]:
    """How a set shall be exported; aborts with 400."""
    fields = body()
    try:
        spec: dict[str, Any] = {
            "format": _one_of(fields, "format", FORMATS),
            "classes": _one_of(fields, "classes", ORDERS),
            "dice_set": fields.text("dice_set"),
            "sure": flag(fields, "sure"),
            "shares": fields.text("shares"),
        }
        fields.end()
        if spec["shares"]:
            Split(parse_shares(spec["shares"]))
    except (CaptureError, SplitError) as error:
        abort(400, str(error))
    return spec


def the_import() -> dict[str, Any]:
    """What shall be imported; aborts with 400."""
    fields = body()
    try:
        spec: dict[str, Any] = {
            "format": _one_of(fields, "format", FORMATS),
            "classes": _one_of(fields, "classes", ["", *ORDERS]),
            "dice_set": _name(fields, "dice_set"),
            "recording": _name(fields, "recording"),
            "by": _one_of(fields, "by", ["", *Labeller]),
            "first_corner": flag(fields, "first_corner"),
            "bytes": fields.whole("bytes", 1, MOST_UPLOAD_BYTES),
        }
        fields.end()
    except CaptureError as error:
        abort(400, str(error))
    return spec


def _name(fields: Fields, key: str) -> str:
    text = fields.text(key)
    if not text.strip() or len(text) > LONGEST_TEXT or not text.isprintable():
        raise fields.wrong(key, f"1..{LONGEST_TEXT} signs", text)
    return text


def _one_of(fields: Fields, key: str, words: Any) -> str:
    text = fields.text(key)
    if text not in words:
        raise fields.wrong(key, f"one of {', '.join(filter(None, words))}", text)
    return text
