"""Changes of an album: files first, then the manifest; what goes is removed last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.captures.fields import CaptureError
from datasets.captures.files import Plan
from datasets.captures.sidecar import parse_sidecar, sidecar_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.captures.capture import Capture
    from datasets.captures.entry import Entry
    from datasets.captures.files import Files
    from datasets.captures.manifest import Manifest


@dataclass(frozen=True, slots=True)
class Put:
    """A capture to be written.

    Attributes:
        entry: what the manifest will say.
        sidecar: the file.
        picture: the JPEG; None if it is there already.
    """

    entry: Entry
    sidecar: bytes
    picture: bytes | None


def put_of(files: Files, capture: Capture, size: int, picture: bytes | None) -> Put:
    """What is written for a capture; what could not be read again is refused.

    Args:
        files: of the album.
        capture: to be written.
        size: bytes of its picture.
        picture: the JPEG; None if it is there already.

    Raises:
        CaptureError: naming the key at fault.
    """
    data = sidecar_text(capture).encode("utf-8")
    if parse_sidecar(data) != capture:
        raise CaptureError(f"{capture.id}: holds what its sidecar cannot")
    return Put(files.entry(capture, data, size), data, picture)


def write(
    files: Files,
    manifest: Manifest,
    puts: Sequence[Put],
    gone: Sequence[tuple[Entry, str]],
    *,
    durable: bool,
) -> None:
    """Make a change, whole or not at all. The album's lock is held.

    Args:
        files: of the album.
        manifest: of the album, read to its end.
        puts: what is written.
        gone: what is removed, and why.
        durable: wait for the disk after each file.

    Raises:
        OSError: it cannot be written; nothing has changed, or the plan is left for
            `settle` to end.
    """
    plan = Plan(
        tuple((put.entry.picture, put.entry.sidecar) for put in puts),
        tuple((entry.picture, why) for entry, why in gone),
    )
    files.begin(plan)
    try:
        for put in puts:
            if put.picture is not None:
                files.write_picture(put.entry.picture, put.picture, sync=durable)
            files.write_sidecar(put.entry.id, put.sidecar, sync=durable)
        manifest.append(
            [put.entry for put in puts],
            [(entry.id, why) for entry, why in gone],
            sync=durable,
        )
    except OSError:
        settle(files, manifest, plan)
        raise
    for entry, _ in gone:
        files.remove(entry.picture)
    files.end()


def settle(files: Files, manifest: Manifest, plan: Plan) -> list[str]:
    """End a change that was begun: do it whole, or leave no trace of it.

    Args:
        files: of the album.
        manifest: of the album, read to its end.
        plan: what was begun.

    Returns:
        What was found, in sentences.

    Raises:
        OSError: not even that can be written; the plan stays for the next try.
    """
    known, told = manifest.entries, []
    found: list[Entry] = []
    for picture, sidecar in plan.puts:
        whole = files.written(picture, sidecar)
        if whole is None:
            told.append(f"what was half-written of {picture}.jpg was removed")
            if _is_known(manifest, picture):
                files.remove_halves(picture)
            else:
                files.remove(picture)
        elif known.get(whole.id) != whole:
            found.append(whole)
    if found:
        # what was written is kept, so what was to go for it goes
        names = [(Plan.name_of(picture), why) for picture, why in plan.drops]
        manifest.append(found, [one for one in names if one[0] in known])
        told += [f"{entry.id} was written whole and is listed now" for entry in found]
    for picture, _ in plan.drops:
        if not _is_known(manifest, picture):
            files.remove(picture)
    files.end()
    return told


def _is_known(manifest: Manifest, picture: str) -> bool:
    entry = manifest.entries.get(Plan.name_of(picture))
    return entry is not None and entry.picture == picture
