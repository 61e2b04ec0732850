"""Which models a command reads with: those named, those promoted, or the bundled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from datasets.registry.errors import RegistryError
from datasets.registry.shelf import Registry, models_in_use, registry_of
from datasets.registry.version import BUNDLED_VERSION, looked_up
from vision.errors import ModelError
from web_ui.model_swap import NOT_SEEN, ModelSource, ModelSwap

if TYPE_CHECKING:
    from pathlib import Path

    from vision.reader import RollReader
    from web_ui.model_swap import Stamp

MODELS_HELP = (
    "use the models of this folder, or the bundled ones if it is called "
    f"`{BUNDLED_VERSION}` (default: those promoted last, else the bundled ones)"
)


@dataclass(frozen=True, slots=True)
class ChosenModels:
    """The models to read with.

    Attributes:
        folder: where they lie; None for the bundled ones.
        stamp: their version, and how often it was decided which one is used.
        stay: whether the user named them, so that promotions change nothing.
        problem: what is wrong with those that were promoted; empty if all is well.
    """

    folder: Path | None
    stamp: Stamp
    stay: bool = False
    problem: str = ""


def chosen_models(named: Path | None, data: Path) -> ChosenModels:
    """Choose the models to read with.

    Args:
        named: by the user; None if not.
        data: data folder of the table.

    Raises:
        ModelError: the bundled models are needed and damaged.
    """
    if named is not None:
        if str(named) == BUNDLED_VERSION and not named.exists():
            return ChosenModels(None, (BUNDLED_VERSION, 0), stay=True)
        return ChosenModels(named, (named.name, 0), stay=True)
    registry = registry_of(data)
    if not registry.folder.is_dir():
        return ChosenModels(None, (BUNDLED_VERSION, 0))
    try:
        stamp = registry.stamp()
    except RegistryError:
        stamp = NOT_SEEN
    version, problem = models_in_use(registry)
    if version.name != stamp[0]:
        # the damaged one is not tried again until another is promoted; one that was
        # promoted in this very moment is taken up by `ModelSwap`, as it is new
        stamp = stamp if problem else (version.name, NOT_SEEN[1])
    return ChosenModels(version.folder, stamp, problem=problem)


def model_swap(
    reader: RollReader | None, chosen: ChosenModels, data: Path, enrolled: Path | None
) -> ModelSwap | None:
    """What lets a running table take up models that are promoted meanwhile.

    Args:
        reader: reads the table, loaded with these models; None where nothing is read.
        chosen: these models.
        data: data folder of the table.
        enrolled: folder of the set's own face reader; None without one.
    """
    if reader is None:
        return None
    registry = registry_of(data)
    source = ModelSource(registry.stamp, partial(_load, registry, enrolled))
    version = BUNDLED_VERSION if chosen.folder is None else chosen.stamp[0]
    return ModelSwap(
        reader,
        version,
        chosen.stamp,
        None if chosen.stay else source,
        chosen.problem,
    )


def _load(
    registry: Registry, enrolled: Path | None, name: str, reader: RollReader
) -> RollReader:
    # here, because loading the runtime of the models takes a second
    from vision.reader import load_reader

    folder = registry.place(name)
    try:
        looked_up(name, folder)  # whole, or refused
        return load_reader(
            reader.dice_set, folder, turns=reader.turns, enrolled=enrolled
        )
    except ModelError as error:  # who looks need not know where the files lie
        raise ModelError(str(error).replace(f"{folder}/", "")) from error
