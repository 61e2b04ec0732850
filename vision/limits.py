"""The limits between sure, ask and refuse, in one value that a calibration can set."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Where doubt begins.

    Attributes:
        temperature: log-probabilities of faces are divided by it; above 1 it takes back
            overconfidence.
        sure_roll: least confidence of a whole roll that is scored without asking.
        sure_die: dice less sure than this are marked as doubtful.
        certainly_none: sightings that are no face of the set with more than this
            probability are no dice.
        perhaps_none: while dice are missing, sightings up to here may be dice that
            cannot be read.
        weak_score: sightings the detector is less sure of count only in the place of
            missing dice ...
        least_strong: ... and only if at least this share of the dice is seen without
            them.
        faint_score: if there are more dice than belong to the set, those below are no
            dice: of the top faces of our held-out rolls one in a hundred scores less,
            of all else most does.
        sure_score: dice the detector is less sure of are asked about: where a top face
            is missed, the side of a die or print on a card may stand in its place and
            be read quite clearly.
        odd_size: if there are more dice than belong to the set, those this many times
            as large or as small as the middle one are no dice: print on a card, or dice
            of another set.
        odd_foot: likewise those whose foot is this many sides from where that of a die
            lying flat would be: sides of dice stand a right angle away.
        smallest_px: dice with shorter sides are read, but never without asking.
        reads_well_px: sides from which a nearer camera brings nothing more.
        most_foot_off: dice whose foot is more sides than this from where that of a flat
            die would be do not lie flat, ...
        most_spreads: ... if that is also so many times its likely error.
        far_off: likewise those whose foot is more sides than this away, ...
        far_spreads: ... if that is at least so many times its likely error.
        most_flattened: without a model for bodies: the same by the shape of the face,
            see `vision.plane.PlaneFit.shape`.
        stacked: dice that stand on another one with more than this probability are
            told.
        least_apart: dice nearer to each other than this many edges lie one on another.
        covered: likewise faces that are partly hidden.
        least_inside: or of which less than this share is inside the picture.
        printed: likewise faces without a die beneath.
        least_bright: dice whose bright parts are darker than this are too dark, 0..255.
        least_picture: likewise a picture without dice.
        most_dark: dice whose dark parts are brighter than this ...
        least_contrast: ... and whose contrast is less than this are washed out.
        most_picture: a picture without dice whose dark parts are brighter than this is
            washed out.
        most_edge: dice whose edges are wider than this share of a side ...
        most_edge_px: ... and than so many pixels are blurred.
    """

    temperature: float = 1.0
    sure_roll: float = 0.97
    sure_die: float = 0.9
    certainly_none: float = 0.6
    perhaps_none: float = 0.98
    weak_score: float = 0.25
    least_strong: float = 0.5
    faint_score: float = 0.6
    sure_score: float = 0.6
    odd_size: float = 1.5
    odd_foot: float = 0.6
    smallest_px: float = 20.0
    reads_well_px: float = 40.0
    most_foot_off: float = 0.25
    most_spreads: float = 5.0
    far_off: float = 0.5
    far_spreads: float = 2.5
    most_flattened: float = 0.25
    stacked: float = 0.9
    least_apart: float = 0.8
    covered: float = 0.7
    least_inside: float = 0.999
    printed: float = 0.95
    least_bright: float = 50.0
    least_picture: float = 12.0
    most_dark: float = 180.0
    least_contrast: float = 60.0
    most_picture: float = 252.0
    most_edge: float = 0.125
    most_edge_px: float = 3.0


SHIPPED = Limits()
"""The limits that belong to the models that come with Tableside."""
