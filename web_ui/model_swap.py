"""Other models for a running table: loaded beside it, taken up between two rolls."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from datasets.shards import DataSetError
from vision.errors import VisionError
from vision.reader_swap import take_over

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.reader import RollReader

log = logging.getLogger(__name__)

LOOK_S = 2.0
"""How often it is looked whether other models were taken into use."""
Stamp = tuple[str, int]
"""Name of a version, and how often it was decided which one is used."""


NOT_SEEN = ("", -1)


@dataclass(frozen=True, slots=True)
class ModelsInUse:
    """Which models read the table.

    Attributes:
        version: `bundled`, a version of the registry, or the folder that was named;
            empty where nothing is read, as in a scripted table.
        models: identity of each model, by its kind.
        waiting: version that is loaded and taken up after this roll; empty if none.
        problem: why models that were taken into use are not used; empty if they are.
        swaps: how often the models were changed while the table ran.
    """

    version: str = ""
    models: tuple[tuple[str, str], ...] = ()
    waiting: str = ""
    problem: str = ""
    swaps: int = 0


NO_MODELS = ModelsInUse()


@dataclass(frozen=True, slots=True)
class ModelSource:
    """Where a table finds its models.

    Attributes:
        stamp: which version is to be used; asked every few seconds.
        load: loads a version, by its name, for some dice; takes seconds.
    """

    stamp: Callable[[], Stamp]
    load: Callable[[str, RollReader], RollReader]


class ModelSwap(threading.Thread):
    """Looks for other models, loads them, and hands them over between rolls.

    Args:
        reader: reads the table; changed in place, by the thread that it belongs to.
        version: of the models that it was loaded with.
        stamp: what the source said then.
        source: where others are found; None if they never change.
        problem: what people should know of the models from the start.
        look_s: pause between looks.
    """

    def __init__(
        self,
        reader: RollReader,
        version: str,
        stamp: Stamp,
        source: ModelSource | None,
        problem: str = "",
        look_s: float = LOOK_S,
    ) -> None:
        super().__init__(name="models", daemon=True)
        self._reader = reader
        self._source = source
        self._seen = stamp
        self._look_s = look_s
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._ready: tuple[str, RollReader] | None = None
        models = tuple(reader.models.items())
        self._state = ModelsInUse(version, models, problem=problem)

    @property
    def state(self) -> ModelsInUse:
        """Which models read now; from any thread."""
        return self._state

    def run(self) -> None:
        """Look until stopped."""
        while not self._stopping.wait(self._look_s):
            self.look()

    def look(self) -> None:
        """Look once; load what is new."""
        if self._source is None:
            return
        before, self._seen = self._seen, NOT_SEEN
        try:
            stamp = self._seen = self._source.stamp()
            if stamp == before:
                return
            if stamp[0] == self._state.version and not self._state.problem:
                self._offer(None)  # taken back before it was taken up
                return
            self._offer((stamp[0], self._source.load(stamp[0], self._reader)))
        # whatever is wrong with new models, the table goes on with those it has
        except Exception as error:
            if not isinstance(error, VisionError | DataSetError | OSError):
                log.exception("other models could not be loaded")
            self._fail(str(error))

    def _offer(self, ready: tuple[str, RollReader] | None) -> None:
        waiting = "" if ready is None else ready[0]
        with self._lock:
            self._ready = ready
            self._state = replace(self._state, waiting=waiting, problem="")

    def _fail(self, sentence: str) -> None:
        problem = f"{sentence} (the models before go on reading)"
        with self._lock:
            if problem == self._state.problem:
                return
            self._ready = None
            self._state = replace(self._state, waiting="", problem=problem)
        log.warning("other models are not used: %s", problem)

    def between_rolls(self) -> None:
        """Take up what is loaded; from the thread that reads, between two rolls."""
        if self._ready is None:
            return
        with self._lock:
            if self._ready is None:
                return
            (version, other), self._ready = self._ready, None
            take_over(self._reader, other)
            self._state = ModelsInUse(
                version, tuple(other.models.items()), swaps=self._state.swaps + 1
            )
        log.info("the table is read with models %s from now on", version)

    def stop(self, deadline_s: float) -> None:
        """End the thread, waiting for it at most `deadline_s`."""
        self._stopping.set()
        if self.is_alive():
            self.join(deadline_s)
