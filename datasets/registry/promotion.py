"""Trying a candidate against the models in use, and taking it into use if it passes."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets.calibration import observe
from datasets.captured_teaching import captured_pictures
from datasets.eval_sets import labelled_set
from datasets.labels.picture_tags import recording_of
from datasets.registry.candidate import (
    RECORDING,
    check_apart,
    check_papers,
    put_together,
    taught_by,
)
from datasets.registry.contest import CandidateFailsError, contest, race
from datasets.registry.paired import Finding
from datasets.registry.rules import CAPTURED, HELD_OUT, Check, compare, speed
from datasets.registry.runtimes import check_runtimes
from datasets.registry.shelf import Registry, models_in_use
from datasets.registry.version import hashes, version_name
from datasets.release import sha256_of
from datasets.risk_control import calibrate
from datasets.shards import DataSetError
from vision.errors import ModelError
from vision.limits_file import FILE_NAME, limits_record
from vision.reader import load_reader

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from datasets.eval_labels import LabelledPicture
    from datasets.registry.version import Version
    from datasets.render import Progress
    from scoring.dice_sets import DiceSet
    from vision.reader import RollReader

MORE_PAIRS = 400
"""Readings of each that are timed besides, where the pictures do not decide."""
RATE, DISTURBED = 0.005, 0.02
"""What `tableside calibrate` promises unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What is tried, and on what.

    Attributes:
        candidate: folder of new models; kinds that it lacks are those in use.
        held_out: folder with `labels.json`: rolls that taught neither.
        dice_set: which dice are on them.
        captured: folder with `labels.json`, or album, of reviewed pictures of the table
            itself; None without any.
        limits: a file of limits made for the candidate; None for those beside it.
        calibrate: folders of held-out rolls to make its limits from, in their place.
        threads: CPU threads, for both; 0 lets the runtime choose.
    """

    candidate: Path
    held_out: Path
    dice_set: DiceSet
    captured: Path | None = None
    limits: Path | None = None
    calibrate: tuple[Path, ...] = ()
    threads: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a candidate.

    Attributes:
        passed: whether it may replace the models in use.
        candidate: the name that its files have as a version.
        current: the version it was tried against.
        note: what people should know of that one; empty if all is well.
        checks: all that was looked at, in order.
        models: identities of the candidate, by kind.
    """

    passed: bool
    candidate: str
    current: str
    note: str
    checks: tuple[Check, ...]
    models: dict[str, str] = field(default_factory=dict, hash=False)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is refused; empty if it is not."""
        return tuple(check.sentence for check in self.checks if not check.passed)

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "passed": self.passed,
            "candidate": self.candidate,
            "current": self.current,
            "note": self.note,
            "models": self.models,
            "reasons": list(self.reasons),
            "checks": [check.record() for check in self.checks],
        }


def promote(
    registry: Registry, trial: Trial, who: str, bar: Callable[[str], Progress]
) -> Outcome:
    """Try a candidate, and take it into use if it passes every check.

    Either way the history of the registry says what was found.

    Raises:
        DataSetError: what it is tried on, or the registry, cannot be used; or others
            were taken into use meanwhile.
        VisionError: the models in use cannot be loaded.
        OSError: files cannot be copied.
    """
    return _tried(registry, trial, bar, who)


def try_out(
    registry: Registry, trial: Trial, bar: Callable[[str], Progress]
) -> Outcome:
    """The same without changing anything."""
    return _tried(registry, trial, bar, None)


def _tried(
    registry: Registry, trial: Trial, bar: Callable[[str], Progress], who: str | None
) -> Outcome:
    held = labelled_set(trial.held_out)
    captured = captured_pictures(trial.captured) if trial.captured else ()
    seen = registry.named()  # first: whoever comes after it is noticed
    current, note = models_in_use(registry)
    with tempfile.TemporaryDirectory(prefix="tableside-candidate-") as made:
        folder = Path(made)
        new = put_together(trial.candidate, current.folder, folder)
        if trial.limits is not None:
            shutil.copyfile(trial.limits, folder / FILE_NAME)
        one = _Trying(trial, current, folder, new, held, captured, bar)
        checks = one.checks()
        name = version_name(hashes(folder))
        models = {} if one.reader is None else one.reader.models
        passed = all(check.passed for check in checks)
        done = Outcome(passed, name, current.name, note, tuple(checks), models)
        if who is None:
            return done
        figures = {"set": trial.dice_set.name, "checks": done.record()["checks"]}
        if not passed:
            registry.refuse(name, who, done.reasons, figures)
        else:
            kept = registry.keep(folder)
            why = tuple(check.sentence for check in checks)
            registry.promote(kept.name, who, why, figures, seen)
        return done


@dataclass(slots=True)
class _Trying:
    """One run of all checks; each step needs that those before it passed."""

    trial: Trial
    current: Version
    folder: Path
    new: frozenset[str]
    held: Sequence[LabelledPicture]
    captured: Sequence[LabelledPicture]
    bar: Callable[[str], Progress]
    reader: RollReader | None = None

    def checks(self) -> list[Check]:
        done: list[Check] = []
        for step in (self._papers, self._limits, self._load, self._compare):
            done += step()
            if not all(check.passed for check in done):
                break
        return done

    def _papers(self) -> list[Check]:
        checks = list(check_papers(self.folder, self.new))
        for place in (self.trial.held_out, *self.trial.calibrate):
            labels = self.held if place == self.trial.held_out else ()
            checks.append(check_apart(self.folder, self.new, place, labels))
        if self.trial.captured is not None:
            checks.append(self._left_of_captured())
        return checks

    def _left_of_captured(self) -> Check:
        """Pass over captured pictures whose recording taught the candidate."""
        taught, all_of_them = taught_by(self.folder, self.new), len(self.captured)
        assert self.trial.captured is not None
        nameless = self.trial.captured.name  # as training calls those that name none
        self.captured = [
            picture
            for picture in self.captured
            if f"{RECORDING}{recording_of(picture) or nameless}" not in taught
        ]
        left = len(self.captured)
        name, gone = "captured set apart", all_of_them - left
        sentence = f"{name}: {left} pictures, {gone} of recordings it learned from left"
        found = Finding.NOT_WORSE if left else Finding.OPEN
        return Check(name, found, f"{sentence} out")

    def _limits(self) -> list[Check]:
        """Make limits for the candidate, where that was asked for."""
        if not self.trial.calibrate:
            return []
        name = "limits"
        labels = [x for folder in self.trial.calibrate for x in labelled_set(folder)]
        known = {sha256_of(x.path) for x in (*self.held, *self.captured)}
        if any(sha256_of(label.path) in known for label in labels):
            sentence = f"{name}: pictures that set the limits must not judge them too"
            return [Check(name, Finding.WORSE, sentence)]
        try:
            reader = self._opened(calibrated=False)
            observed = observe(reader, labels, self.bar("calibration picture"))
            found = calibrate(reader, observed, RATE, DISTURBED)
        except (DataSetError, ModelError) as error:
            return [Check(name, Finding.WORSE, f"{name}: {self._words(error)}")]
        facts = {"pictures": len(labels), "calibration": found.record()}
        facts["set"] = reader.dice_set.name
        record = limits_record(found.limits, reader.models, facts)
        text = json.dumps(record, indent=1) + "\n"
        (self.folder / FILE_NAME).write_text(text, "utf-8")
        bound = found.checked_on.bound
        sentence = (
            f"{name}: calibrated on {len(labels)} pictures; on the half without a say "
            f"at most {100 * bound:.2f} % of rolls in play are wrong while sure"
        )
        return [Check(name, Finding.NOT_WORSE, sentence, (("bound", bound),))]

    def _load(self) -> list[Check]:
        name = "loads"
        try:
            self.reader = self._opened(calibrated=True)
        except ModelError as error:
            return [Check(name, Finding.WORSE, f"{name}: {self._words(error)}")]
        own = (self.folder / FILE_NAME).is_file()
        words = "with limits calibrated for it" if own else "with the program's limits"
        return [Check(name, Finding.NOT_WORSE, f"{name}: it does, {words}")]

    def _compare(self) -> list[Check]:
        assert self.reader is not None
        trial = self.trial
        in_use = load_reader(trial.dice_set, self.current.folder, trial.threads)
        try:
            bouts = contest(in_use, self.reader, self.held, self.bar("picture"))
            checks = list(compare(bouts, HELD_OUT, "held-out rolls"))
            took = speed(bouts)
            if took.finding is Finding.OPEN and all(check.passed for check in checks):
                # the machine may be busy with other things
                ratios = race(in_use, self.reader, self.held, MORE_PAIRS)
                took = speed(bouts, ratios)
            checks.append(took)
            if self.captured:
                ours = self.bar("captured picture")
                more = contest(in_use, self.reader, self.captured, ours)
                checks += compare(more, CAPTURED, "captured rolls")
        except CandidateFailsError as error:
            return [Check("reads", Finding.WORSE, f"reads: {self._words(error)}")]
        apart = check_runtimes(
            self._opened(calibrated=True), self.folder, self.held, trial.threads
        )
        return [*checks, apart]

    def _opened(self, *, calibrated: bool) -> RollReader:
        trial = self.trial
        return load_reader(
            trial.dice_set, self.folder, trial.threads, calibrated=calibrated
        )

    def _words(self, error: Exception) -> str:
        """What an error says, without the place where the candidate was copied to."""
        return str(error).replace(f"{self.folder}/", "")
