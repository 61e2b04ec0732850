"""Archives of the store, taken apart and put together as a forger would."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING

from store_makers import PICTURE

from web_ui.store.chain import sha256

if TYPE_CHECKING:
    from pathlib import Path

Files = dict[str, bytes]
PICTURE_NAME = f"pictures/{sha256(PICTURE)}"


def unpacked(path: Path) -> Files:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(path: Path, files: Files) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)


def restated(files: Files) -> Files:
    """With a manifest that agrees, as a forger would make it."""
    manifest = json.loads(files["manifest.json"])
    manifest["files"] = {
        name: {"bytes": len(data), "sha256": sha256(data)}
        for name, data in files.items()
        if name != "manifest.json"
    }
    return {**files, "manifest.json": json.dumps(manifest).encode()}


def stated(packed_files: Files, /, **changed: object) -> Files:
    manifest = {**json.loads(packed_files["manifest.json"]), **changed}
    return {**packed_files, "manifest.json": json.dumps(manifest).encode()}


def event_changed(files: Files) -> Files:
    changed = files["events.jsonl"].replace(b'"T18"', b'"T17"')
    assert changed != files["events.jsonl"]
    return restated({**files, "events.jsonl": changed})


def event_removed(files: Files) -> Files:
    lines = files["events.jsonl"].splitlines(keepends=True)
    del lines[3]
    return restated({**files, "events.jsonl": b"".join(lines)})


def events_swapped(files: Files) -> Files:
    lines = files["events.jsonl"].splitlines(keepends=True)
    lines[3], lines[4] = lines[4], lines[3]
    return restated({**files, "events.jsonl": b"".join(lines)})


def end_cut(files: Files) -> Files:
    lines = files["events.jsonl"].splitlines(keepends=True)
    return restated({**files, "events.jsonl": b"".join(lines[:-1])})


def picture_changed(files: Files) -> Files:
    return restated({**files, PICTURE_NAME: b"another"})


def picture_removed(files: Files) -> Files:
    return restated({k: v for k, v in files.items() if k != PICTURE_NAME})


def picture_added(files: Files) -> Files:
    return restated({**files, f"pictures/{sha256(b'more')}": b"more"})


def script_changed(files: Files) -> Files:
    script = files["script.json"].replace(b"T18", b"T17")
    return restated({**files, "script.json": script})


def not_in_manifest(files: Files) -> Files:
    return {**files, "more.txt": b"more"}


def bytes_changed(files: Files) -> Files:
    return {**files, PICTURE_NAME: PICTURE[::-1]}


def climbing(files: Files) -> Files:
    return restated({**files, "pictures/../../evil": b"x"})


def from_the_root(files: Files) -> Files:
    return restated({**files, "/etc/evil": b"x"})


def backslashes(files: Files) -> Files:
    return restated({**files, "..\\evil": b"x"})


def no_manifest(files: Files) -> Files:
    return {k: v for k, v in files.items() if k != "manifest.json"}


def manifest_a_list(files: Files) -> Files:
    return {**files, "manifest.json": b"[]"}


def manifest_too_deep(files: Files) -> Files:
    return {**files, "manifest.json": b"[" * 100_000}


def of_another_form(files: Files) -> Files:
    return stated(files, format="tableside-bundle/9")


def of_another_game(files: Files) -> Files:
    return stated(files, game="two")


def sizes_that_lie(files: Files) -> Files:
    record = {"bytes": 5, "sha256": sha256(b"12345")}
    manifest = json.loads(files["manifest.json"])
    return stated(files, files={**manifest["files"], "events.jsonl": record})


def odd_sizes(files: Files) -> Files:
    manifest = json.loads(files["manifest.json"])
    record = {**manifest["files"]["events.jsonl"], "bytes": True}
    return stated(files, files={**manifest["files"], "events.jsonl": record})


def bomb(files: Files) -> Files:
    zeros = bytes(65 * 1024 * 1024)
    return restated({**files, "events.jsonl": zeros})


def database_changed(files: Files) -> Files:
    data = files["store.db"].replace(b"T18", b"T17")
    assert data != files["store.db"]
    return restated({**files, "store.db": data})


def head_lied_about(files: Files) -> Files:
    return stated(files, head="0" * 64)
