"""What our trainers have in common: checkpoints written whole, lessons that stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from datasets.lessons import FILE_NAME, read_lessons

if TYPE_CHECKING:
    from pathlib import Path

    from datasets.lessons import Lessons


class WholeRuns:
    """Mixed into a trainer of ultralytics, before it.

    A run that is killed, even while it writes, goes on from its last whole checkpoint.
    """

    save_dir: Path
    last: Path
    best: Path

    @property
    def lessons(self) -> Lessons:
        """What the run learns from.

        Raises:
            DataSetError: its folder does not say.
        """
        return read_lessons(self.save_dir)

    def save_model(self) -> Any:
        """Write the checkpoints under other names, then give them their own."""
        last, best = self.last, self.best
        self.last = last.with_suffix(".part")
        self.best = best.with_suffix(".part")
        try:
            saved = super().save_model()  # type: ignore[misc]  # ultralytics' trainer's
            # the last one is what a run goes on from: it must not be ahead of the best
            for part, path in ((self.best, best), (self.last, last)):
                if part.exists():
                    part.replace(path)
        finally:
            self.last, self.best = last, best
        return saved

    def train(self) -> Any:
        """Train; with several graphics cards, in a process for each.

        Ultralytics removes the folder of a new run before it starts those processes:
        that must not be the one which says what they shall learn.
        """
        if getattr(self, "ddp", False) and (self.save_dir / FILE_NAME).exists():
            self.save_dir = self.save_dir / "launch"
            self.save_dir.mkdir(exist_ok=True)
        return super().train()  # type: ignore[misc]  # ultralytics' trainer's
