"""A whole labelled set looked through: pictures that are not there, rules broken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.eval_labels import LabelError
from datasets.labels.file_names import safe_name
from datasets.labels.picture_files import check_size
from datasets.labels.rules import check_labels

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from datasets.eval_labels import LabelledPicture
    from datasets.labels.rules import Finding
    from scoring.dice_sets import DiceSet


@dataclass(frozen=True, slots=True)
class CheckedPicture:
    """What was found in one picture of a set.

    Attributes:
        name: of the picture.
        problem: why the file cannot be used; None if it can.
        findings: what is wrong with its labels.
    """

    name: str
    problem: str | None
    findings: tuple[Finding, ...]

    @property
    def is_good(self) -> bool:
        """Whether nothing was found."""
        return self.problem is None and not self.findings


def check_set(
    pictures: Iterable[LabelledPicture], dice_set: DiceSet | None
) -> Iterator[CheckedPicture]:
    """Look through a set, picture by picture.

    Args:
        pictures: the set; of clips every throw is checked, but not the file.
        dice_set: whose rules hold; cards on a table obey none of them.
    """
    for picture in pictures:
        problem, width, height = None, picture.width, picture.height
        try:
            safe_name(picture.name, picture.name)
            if not picture.throws:
                stated = (width, height)
                width, height = check_size(picture.path, stated, picture.name)
        except LabelError as error:
            problem = str(error)
        rules = None if picture.cards else dice_set
        rolls = [throw.dice for throw in picture.throws] or [picture.dice]
        findings = tuple(
            finding
            for dice in rolls
            for finding in check_labels(dice, width, height, rules)
        )
        yield CheckedPicture(picture.name, problem, findings)
