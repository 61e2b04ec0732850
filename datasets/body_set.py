"""Sets of cut-outs that teach how dice lie, on disk."""

from __future__ import annotations

import io
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from datasets.body_scenes import BodyOptions, BodyScene, SeenFace, make_body_scene
from datasets.fonts import font_book
from datasets.render import Progress, run_jobs
from datasets.shards import MANIFEST, DataSetError, Files
from datasets.spread.processes import Processes
from datasets.whole_files import write_whole
from vision.body_crops import axes, cut_bodies, to_sides

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from datasets.pinhole import Floats
    from datasets.spread.port import Spread

SIDES_KEPT = 0.3
"""Share of the side faces that are cut out too: a detector states some of them."""

CUTS = 2
"""Times each face is cut out, stated a little differently: drawing costs far more."""

SQUARE = np.array([-0.5 - 0.5j, 0.5 - 0.5j])
"""First two corners of a square of side 1 about 0."""


@dataclass(frozen=True, slots=True, eq=False)
class BodyCrops:
    """Cut-outs and what is true of them.

    Attributes:
        images: (N, S, S, 3) uint8 BGR.
        shape: (N, 8) in sides, along the first side: how far the middle, the half
            diagonals to the first and the second corner are from those of the square
            cut out, then the way to the foot; x and y each.
        visible: (N,) share of the face that is seen.
        stacked: (N,) whether the die stands on another one.
        printed: (N,) whether there is no die.
        die_px: (N,) width of the die in the picture.
        lean_deg: (N,) of the face against the table.
    """

    images: NDArray[np.uint8]
    shape: NDArray[np.float32]
    visible: NDArray[np.float32]
    stacked: NDArray[np.bool_]
    printed: NDArray[np.bool_]
    die_px: NDArray[np.float32]
    lean_deg: NDArray[np.float32]


def stated_quad(rng: np.random.Generator, quad: Floats) -> Floats:
    """A quad as a detector states it: shifted, turned, scaled, skewed, begun anywhere.

    A parallelogram, because that is what our detector states.
    """
    middle = quad.mean(axis=0)
    side = float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())
    angle, scale = rng.normal(0, 0.06), np.exp(rng.normal(0, 0.06))
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    moved = (quad - middle) @ np.array([[c, s], [-s, c]])
    first = (moved[0] - moved[2]) / 2 + rng.normal(0, 0.03 * side, 2)
    second = (moved[1] - moved[3]) / 2 + rng.normal(0, 0.03 * side, 2)
    middle = middle + rng.normal(0, 0.035 * side, 2)
    stated = middle + np.stack([first, second, -first, -second])
    return np.asarray(np.roll(stated, int(rng.integers(4)), axis=0), np.float64)


def shape_truth(quad: Floats, foot: Floats, stated: Floats) -> NDArray[np.float32]:
    """What a network shall say of a face that was stated so; see `BodyCrops.shape`."""
    centre, side = axes(stated[None])
    corners = quad[:, 0] + 1j * quad[:, 1]
    middle = corners.mean()
    around = to_sides(corners[None] - middle, side)[0]
    # the quad may begin at another corner than the stated one
    turn = int(np.argmin([abs(np.roll(around, -k)[0] - SQUARE[0]) for k in range(4)]))
    around = np.roll(around, -turn)
    halves = np.array([around[0] - around[2], around[1] - around[3]]) / 2
    off = to_sides(np.array([middle - centre[0]]), side)[0]
    way = to_sides(np.array([foot[0] + 1j * foot[1]]), side)[0]
    values = np.array([off, *(halves - SQUARE), way])
    return np.stack([values.real, values.imag], axis=1).ravel().astype(np.float32)


def cut_scene(
    rng: np.random.Generator, scene: BodyScene, crop_px: int
) -> list[tuple[NDArray[np.uint8], NDArray[np.float32], SeenFace]]:
    """Cut out the faces of one scene."""
    chosen = [
        face
        for face in scene.faces
        if face.uppermost or face.printed or rng.random() < SIDES_KEPT
    ] * CUTS
    if not chosen:
        return []
    stated = np.stack([stated_quad(rng, face.quad) for face in chosen])
    crops = cut_bodies(scene.image, stated, crop_px)
    return [
        (crop, shape_truth(face.quad, face.foot, quad), face)
        for crop, face, quad in zip(crops, chosen, stated, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Job:
    seed: int
    number: int
    scenes: int
    crop_px: int
    options: BodyOptions


def _draw_shard(job: _Job) -> Files:
    rng = np.random.default_rng((job.seed, job.number))
    made = []
    for _ in range(job.scenes):
        scene = make_body_scene(rng, font_book(), job.options)
        cut = cut_scene(rng, scene, job.crop_px)
        made += [(*piece, scene.die_px) for piece in cut]
    file = io.BytesIO()
    np.savez(
        file,
        images=np.stack([image for image, _, _, _ in made]),
        shape=np.stack([shape for _, shape, _, _ in made]),
        visible=np.array([face.visible for _, _, face, _ in made], np.float32),
        stacked=np.array([face.stacked for _, _, face, _ in made]),
        printed=np.array([face.printed for _, _, face, _ in made]),
        die_px=np.array([px for _, _, _, px in made], np.float32),
        lean_deg=np.array([face.lean_deg for _, _, face, _ in made], np.float32),
    )
    return ((_path(Path(), job.number).name, file.getvalue()),)


def _path(folder: Path, number: int) -> Path:
    return folder / f"bodies-{number:05d}.npz"


def render_bodies(
    folder: Path,
    shards: int,
    seed: int,
    options: BodyOptions,
    workers: int,
    progress: Progress,
    crop_px: int = 64,
    scenes: int = 64,
    spread: Spread | None = None,
) -> int:
    """Draw the shards of a set that are not there yet.

    Args:
        folder: where; made if missing.
        shards: how many there shall be in all.
        seed: of the set; shard `k` is drawn from `(seed, k)`.
        options: what to draw.
        workers: processes of this machine.
        progress: shows a bar.
        crop_px: side of the cut-outs.
        scenes: a shard.
        spread: who works; None: those processes.

    Returns:
        How many shards were drawn now.

    Raises:
        DataSetError: the folder holds a set of other options.
        FontsError: too few fonts.
        SpreadError: the workers are gone, or would draw other pictures.
    """
    facts = {
        "seed": seed,
        "crop_px": crop_px,
        "scenes": scenes,
        "fonts": font_book().digest,
        **asdict(options),
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / MANIFEST
    if path.exists() and json.loads(path.read_text()) != facts:
        raise DataSetError(
            f"{path} describes another set; give another folder or the same options"
        )
    write_whole(path, json.dumps(facts, indent=1) + "\n")
    jobs = [
        _Job(seed, k, scenes, crop_px, options)
        for k in range(shards)
        if not _path(folder, k).exists()
    ]
    by = spread or Processes(workers)
    run_jobs(_draw_shard, jobs, folder, by, progress, options.photos)
    return len(jobs)


def read_bodies(folder: Path) -> BodyCrops:
    """Read all shards of a set.

    Raises:
        DataSetError: there is none, or one cannot be read.
    """
    paths = sorted(p for p in folder.glob("bodies-*.npz") if ".part" not in p.name)
    if not paths:
        raise DataSetError(f"{folder}: no cut-outs (bodies-00000.npz) found")
    parts: dict[str, list[NDArray[np.generic]]] = {}
    for path in paths:
        try:
            with np.load(path) as held:
                for name in BodyCrops.__slots__:
                    parts.setdefault(name, []).append(held[name])
        except (OSError, ValueError, KeyError) as error:
            raise DataSetError(f"{path}: not a shard of cut-outs: {error}") from error
    whole = {name: np.concatenate(pieces) for name, pieces in parts.items()}
    return BodyCrops(**whole)
