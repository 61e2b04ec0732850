"""Training the face reader: an ultralytics classifier fed from crop shards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.utils.data import Dataset

from datasets.shards import DataSetError, read_shard, whole_shards
from datasets.starting_weights import load_start, wake_on_start
from datasets.ultralytics_adapter import ClassificationTrainer, strip_optimizer
from datasets.whole_runs import WholeRuns
from vision.classes import CLASS_NAMES, NOT_A_FACE, TURNS

if TYPE_CHECKING:
    from numpy.typing import NDArray

NONE_CLASS = CLASS_NAMES.index(NOT_A_FACE)


class ShardCrops(Dataset[dict[str, torch.Tensor]]):
    """Crops of some shards, turned and recoloured afresh at every look.

    An epoch sees the next shards, so it never sees the same pictures as the one before
    while there are new ones; `open_epoch` moves on. Of each folder in `also` an epoch
    sees one shard more, and so many crops of `captured` as stated, which take turns.
    """

    def __init__(
        self,
        folder: Path,
        shards_an_epoch: int,
        augment: bool,
        also: tuple[Path, ...] = (),
        captured: Path | None = None,
        captured_an_epoch: int = 0,
    ) -> None:
        self.folder, self.window, self.augment = folder, shards_an_epoch, augment
        self.also = also
        self.captured = captured if captured_an_epoch else None
        self.captured_an_epoch = captured_an_epoch
        self.samples: list[int] = []
        self.torch_transforms = None
        self.rng = np.random.default_rng()
        self.open_epoch(0)

    def open_epoch(self, epoch: int) -> None:
        """Map the shards of an epoch; shards written since the last call count too.

        Raises:
            DataSetError: a folder has no shard, or shards of another size.
        """
        paths = _shards(self.folder)
        first = epoch * self.window
        chosen = [paths[(first + k) % len(paths)] for k in range(self.window)]
        for folder in self.also:
            more = _shards(folder)
            chosen.append(more[epoch % len(more)])
        drawn = len(chosen)
        if self.captured is not None:
            chosen += _shards(self.captured)
        opened = [read_shard(path) for path in chosen]
        self.images = [images for images, _, _ in opened]
        self.labels = [labels for _, labels, _ in opened]
        self.shard_crops = len(self.labels[0])
        for path, images in zip(chosen, self.images, strict=True):
            if images.shape != self.images[0].shape:
                raise DataSetError(
                    f"{path} holds crops of shape {images.shape}, {chosen[0]} of"
                    f" {self.images[0].shape}: sets are mixed only if these are equal"
                )
        self.rng = np.random.default_rng((epoch, len(paths)))
        self.samples = list(range(self.shard_crops * drawn))
        pool = self.shard_crops * (len(chosen) - drawn)
        first = len(self.samples)
        self.samples += [
            first + (epoch * self.captured_an_epoch + k) % pool
            for k in range(self.captured_an_epoch if pool else 0)
        ]

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, place: int) -> dict[str, torch.Tensor]:
        shard, k = divmod(self.samples[place], self.shard_crops)
        image, label = self.images[shard][k], int(self.labels[shard][k])
        if self.augment:
            image, label = _turned(image, label, int(self.rng.integers(TURNS)))
            image = _recoloured(self.rng, image)
        rgb = np.ascontiguousarray(image[:, :, ::-1].transpose(2, 0, 1))
        return {
            "img": torch.from_numpy(rgb).float().div_(255),
            "cls": torch.tensor(label),
        }


def _shards(folder: Path) -> list[Path]:
    paths = whole_shards(folder)
    if not paths:
        raise DataSetError(f"{folder}: no crop shard (crops-00000.npy) found")
    return paths


def _turned(
    image: NDArray[np.uint8], label: int, quarters: int
) -> tuple[NDArray[np.uint8], int]:
    """Turn a crop clockwise by quarters; its class turns with it."""
    if label != NONE_CLASS:
        face, turn = divmod(label, TURNS)
        label = TURNS * face + (turn + quarters) % TURNS
    return np.rot90(image, -quarters), label


def _recoloured(
    rng: np.random.Generator, image: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Change exposure, contrast and colour balance a little."""
    table = np.arange(256, dtype=np.float32)[None] * np.exp(
        rng.normal(0, 0.08, (3, 1))
    ) * np.exp(rng.normal(0, 0.15)) + rng.normal(0, 6)
    lookup = np.clip(table, 0, 255).astype(np.uint8)
    return np.stack([lookup[c][image[:, :, c]] for c in range(3)], axis=2)


class FaceTrainer(WholeRuns, ClassificationTrainer):  # type: ignore[misc]  # untyped
    """Ultralytics' classification trainer on crop shards instead of picture folders."""

    def get_model(
        self, cfg: Any = None, weights: Any = None, verbose: bool = True
    ) -> Any:
        """Make the model, from weights or from the start if given."""
        model = super().get_model(cfg, weights, verbose)
        start = self.lessons.start
        if start is not None and not weights:
            load_start(model, start)
            if start.suffix == ".onnx":
                self.add_callback("on_train_start", wake_on_start)
        return model

    def get_dataset(self) -> dict[str, Any]:
        """Describe the set as ultralytics wants it."""
        return {
            "train": str(self.lessons.train),
            "val": str(self.lessons.val),
            "nc": len(CLASS_NAMES),
            "names": dict(enumerate(CLASS_NAMES)),
            "channels": 3,
        }

    def build_dataset(
        self, img_path: str, mode: str = "train", batch: int | None = None
    ) -> ShardCrops:
        """Open the shards of one side."""
        folder = Path(img_path)
        if mode == "train":
            lessons = self.lessons
            dataset = ShardCrops(
                folder,
                lessons.shards_an_epoch,
                augment=True,
                also=lessons.also,
                captured=lessons.captured,
                captured_an_epoch=lessons.captured_an_epoch,
            )
            self.add_callback(
                "on_train_epoch_start",
                lambda trainer: dataset.open_epoch(trainer.epoch),
            )
            return dataset
        return ShardCrops(folder, len(whole_shards(folder)) or 1, augment=False)

    def plot_training_labels(self) -> None:
        """Nothing: the classes are drawn equally often."""

    def final_eval(self) -> None:
        """Keep the weights only; our own evaluation measures them, by die size."""
        for path in (self.last, self.best):
            if path.exists():
                strip_optimizer(path)
