"""What is wrong with a reading, in codes for machines and sentences for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.reading import DieState, Problem, ProblemCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.decode import Decision
    from vision.limits import Limits
    from vision.look import Look
    from vision.picture_quality import PictureLight
    from vision.reading import DieReading

STATES = (
    (DieState.COCKED, ProblemCode.COCKED_DIE, "may not lie flat"),
    (DieState.STACKED, ProblemCode.STACKED_DIE, "may lie on another die"),
    (DieState.HIDDEN_PART, ProblemCode.HIDDEN_DIE, "may be partly hidden or cut off"),
)

MOST_STEP = 0.95
"""Share of the distance from which on moving the camera is not worth the words."""


def count_problems(readings: tuple[DieReading, ...], wanted: int) -> list[Problem]:
    """What is wrong with the number of dice."""
    count = len(readings)
    if count == 0:
        return [Problem(ProblemCode.NO_DICE, "There are no dice to be seen")]
    if count == wanted:
        return []
    code = ProblemCode.TOO_FEW_DICE if count < wanted else ProblemCode.TOO_MANY_DICE
    words = f"{count} dice are to be seen, {wanted} belong to a roll"
    return [Problem(code, words)]


def die_problems(
    readings: tuple[DieReading, ...], doubtful: tuple[int, ...]
) -> list[Problem]:
    """What is wrong with single dice: not read, doubted, or not lying flat.

    Args:
        readings: all dice.
        doubtful: places of those that may show something else.
    """
    out = []
    unread = tuple(k for k, die in enumerate(readings) if die.face is None)
    if unread:
        words = f"{dice_words(len(unread))} cannot be read"
        out.append(Problem(ProblemCode.UNREADABLE_DIE, words, unread))
    if doubtful:
        words = f"{dice_words(len(doubtful))} may show something else"
        out.append(Problem(ProblemCode.DOUBTFUL_DIE, words, doubtful))
    for state, code, what in STATES:
        dice = tuple(k for k, die in enumerate(readings) if die.state is state)
        if dice:
            out.append(Problem(code, f"{dice_words(len(dice))} {what}", dice))
    return out


def size_problems(sides_px: Sequence[float], limits: Limits) -> list[Problem]:
    """Say how to move the camera where dice are too small to be trusted.

    Args:
        sides_px: sides of all dice.
        limits: where doubt begins.
    """
    small = tuple(k for k, side in enumerate(sides_px) if side < limits.smallest_px)
    if not small:
        return []
    side = sorted(sides_px)[len(sides_px) // 2]
    words = f"Dice less than {limits.smallest_px:.0f} pixels wide are hard to read"
    # what is seen grows as the distance shrinks; in steps that a person can judge
    share = 5 * int(20 * side / limits.reads_well_px)
    if 0 < share <= 100 * MOST_STEP:
        words += (
            f": they are {side:.0f}; move the camera to about {share} % of its distance"
        )
    return [Problem(ProblemCode.DICE_TOO_SMALL, words, small)]


def contradictions(decision: Decision, places: list[int]) -> list[Problem]:
    """Dice that cannot all show what each of them alone seems to show.

    Args:
        decision: of the dice that were decided.
        places: of these dice in the reading.
    """
    kinds = (
        (ProblemCode.DUPLICATE_FACE, "look like the same face", decision.clashes),
        (ProblemCode.SAME_DIE_TWICE, "look like faces of one die", decision.same_die),
    )
    return [
        Problem(
            code, f"{dice_words(len(group))} {words}", tuple(places[k] for k in group)
        )
        for code, words, groups in kinds
        for group in groups
    ]


def light_problems(
    looks: Sequence[Look | None],
    sides_px: Sequence[float],
    picture: PictureLight | None,
    limits: Limits,
) -> list[Problem]:
    """Too little light, too much, or no sharpness, as far as faces suffer from it.

    Args:
        looks: of all dice, None where not known.
        sides_px: of all dice.
        picture: light of the whole picture; None if not known.
        limits: where doubt begins.
    """
    lit = [(k, look.light) for k, look in enumerate(looks) if look is not None]
    dark = tuple(k for k, light in lit if light.brightest < limits.least_bright)
    black = picture is not None and picture.brightest < limits.least_picture
    glaring = tuple(
        k
        for k, light in lit
        if light.darkest > limits.most_dark and light.contrast < limits.least_contrast
    )
    white = picture is not None and picture.darkest > limits.most_picture
    soft = tuple(
        k
        for k, light in lit
        if light.edge > limits.most_edge
        and light.edge * sides_px[k] > limits.most_edge_px
    )
    out = []
    if dark or (black and not lit):
        words = "It is too dark; light the table more"
        out.append(Problem(ProblemCode.TOO_DARK, words, dark))
    if glaring or (white and not lit):
        words = "The light washes faces out; dim or move the lamp"
        out.append(Problem(ProblemCode.OVEREXPOSED, words, glaring))
    if 2 * len(soft) >= len(lit) > 0:
        words = "The picture is blurred; focus the camera and let it stand still"
        out.append(Problem(ProblemCode.BLURRED, words, soft))
    return out


def dice_words(count: int) -> str:
    """One die, or so many dice."""
    return "One die" if count == 1 else f"{count} dice"
