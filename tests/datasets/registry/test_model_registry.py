"""Versions of models: kept whole, named by content, switched at once, taken back."""

from __future__ import annotations

import itertools
import json
import stat
import threading
from typing import TYPE_CHECKING

import pytest
from small_models import save_models, write_card

from datasets.registry.errors import RegistryError
from datasets.registry.history import Entry, append_entry, read_history
from datasets.registry.shelf import Registry, models_in_use, registry_of
from datasets.registry.version import BUNDLED_VERSION
from vision.classes import CLASS_NAMES
from vision.limits_file import FILE_NAME

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return registry_of(tmp_path / "data")


def models(folder: Path, name: str) -> Path:
    """Small models whose cards differ by a name, so that versions differ too."""
    folder.mkdir()
    save_models(folder)
    card = json.loads((folder / "faces.json").read_text())
    (folder / "faces.json").write_text(json.dumps({**card, "name": name}))
    return folder


def test_without_any_version_the_bundled_models_are_used(registry: Registry) -> None:
    version, said = models_in_use(registry)
    assert (version.name, version.folder, said) == (BUNDLED_VERSION, None, "")
    assert registry.names() == (BUNDLED_VERSION,)
    assert not registry.folder.exists()


def test_version_is_named_by_its_content(registry: Registry, tmp_path: Path) -> None:
    one = registry.keep(models(tmp_path / "a", "one"))
    again = registry.keep(models(tmp_path / "b", "one"))
    other = registry.keep(models(tmp_path / "c", "other"))
    assert one == again
    assert one.name != other.name
    assert registry.names() == (BUNDLED_VERSION, *sorted((one.name, other.name)))
    assert not list((registry.folder / "versions").glob(".half-*"))


def test_kept_files_are_private_and_not_to_be_written(
    registry: Registry, tmp_path: Path
) -> None:
    version = registry.keep(models(tmp_path / "a", "one"))
    registry.promote(version.name, "Ann")
    assert version.folder is not None
    for path in registry.folder.rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert not mode & 0o077, path
    assert stat.S_IMODE((version.folder / "faces.onnx").stat().st_mode) == 0o400


def test_promotions_and_rollbacks_are_written_down(
    registry: Registry, tmp_path: Path
) -> None:
    one = registry.keep(models(tmp_path / "a", "one")).name
    two = registry.keep(models(tmp_path / "b", "two")).name
    registry.promote(one, "Ann", ("it is better",), {"faces": 0.5})
    registry.refuse("v-bad", "Bob", ("it is worse",), {})
    registry.promote(two, "Ann")
    assert registry.roll_back("Cid").version == one
    assert registry.roll_back("Cid").version == BUNDLED_VERSION
    with pytest.raises(RegistryError, match="nothing before bundled"):
        registry.roll_back("Cid")
    assert registry.roll_back("Cid", two).version == two
    with pytest.raises(RegistryError, match="in use already"):
        registry.roll_back("Cid", two)
    told = [(e.action, e.version, e.before, e.who) for e in registry.history()]
    assert told == [
        ("promoted", one, BUNDLED_VERSION, "Ann"),
        ("refused", "v-bad", one, "Bob"),
        ("promoted", two, one, "Ann"),
        ("rolled back", one, two, "Cid"),
        ("rolled back", BUNDLED_VERSION, one, "Cid"),
        ("rolled back", two, BUNDLED_VERSION, "Cid"),
    ]
    assert registry.history()[0].why == ("it is better",)
    assert registry.history()[0].figures == {"faces": 0.5}


@pytest.mark.parametrize("name", ["faces.onnx", "detector.json"])
def test_damaged_version_is_not_used_and_that_is_told(
    registry: Registry, tmp_path: Path, name: str
) -> None:
    version = registry.keep(models(tmp_path / "a", "one"))
    registry.promote(version.name, "Ann")
    assert version.folder is not None
    path = version.folder / name
    path.chmod(0o600)
    path.write_bytes(path.read_bytes()[:-1])
    used, said = models_in_use(registry)
    assert used.name == BUNDLED_VERSION
    assert version.name in said
    assert "damaged" in said
    with pytest.raises(RegistryError, match="damaged"):
        registry.promote(version.name, "Ann")
    # keeping the same models once more mends it
    assert registry.keep(tmp_path / "a") == version
    assert models_in_use(registry) == (version, "")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"version": 3}', "[" * 9999])
def test_damaged_word_about_the_current_one_is_told_and_mended(
    registry: Registry, tmp_path: Path, text: str
) -> None:
    one = registry.keep(models(tmp_path / "a", "one")).name
    registry.promote(one, "Ann")
    (registry.folder / "current.json").write_text(text)
    used, said = models_in_use(registry)
    assert used.name == BUNDLED_VERSION
    assert "current.json" in said
    entry = registry.promote(one, "Ann")
    assert (entry.number, entry.before) == (2, one)
    assert registry.current_name() == one


@pytest.mark.parametrize("which", ["before", "used", "bundled"])
def test_damaged_word_about_the_current_one_does_not_bar_the_way_back(
    registry: Registry, tmp_path: Path, which: str
) -> None:
    one, two = (registry.keep(models(tmp_path / k, k)).name for k in ("one", "two"))
    registry.promote(one, "Ann")
    registry.promote(two, "Ann")
    (registry.folder / "current.json").write_text('{"number": 2,')
    name = {"before": None, "used": two, "bundled": BUNDLED_VERSION}[which]
    entry = registry.roll_back("Bob", name)
    assert (entry.number, entry.before) == (3, two)
    assert registry.current_name() == entry.version == (name or one)


def test_refusal_is_written_down_though_the_word_about_the_current_one_is_damaged(
    registry: Registry, tmp_path: Path
) -> None:
    one = registry.keep(models(tmp_path / "a", "one")).name
    registry.promote(one, "Ann")
    (registry.folder / "current.json").write_text("{")
    assert registry.refuse("v-new", "Bob", ("worse",), {}).before == one
    assert registry.history()[-1].action == "refused"


def test_promotion_that_a_crash_kept_from_the_history_is_added(
    registry: Registry, tmp_path: Path
) -> None:
    one = registry.keep(models(tmp_path / "a", "one")).name
    registry.promote(one, "Ann")
    lost = registry.history()
    (registry.folder / "history.jsonl").write_text('{"number": 1, "at')
    registry.promote(BUNDLED_VERSION, "Bob")
    assert [entry.number for entry in registry.history()] == [1, 2]
    assert registry.history()[0] == lost[0]


def test_names_that_are_no_versions_are_refused(registry: Registry) -> None:
    for name in ("../../etc", "v-1", "", "current", "v-0123456789abcdef"):
        with pytest.raises(RegistryError):
            registry.promote(name, "Ann")


def test_models_with_foreign_limits_or_classes_are_not_kept(
    registry: Registry, tmp_path: Path
) -> None:
    folder = models(tmp_path / "a", "one")
    given = {"temperature": 1, "sure_roll": 0.9, "sure_die": 0.9, "sure_score": 0.5}
    given |= {"most_spreads": 2, "most_foot_off": 0.1, "covered": 0.5}
    record = {"models": {"faces": "another"}, "limits": given}
    (folder / FILE_NAME).write_text(json.dumps(record))
    with pytest.raises(RegistryError, match="made for another"):
        registry.keep(folder)
    (folder / "faces.onnx").write_bytes(b"")
    with pytest.raises(RegistryError, match="damaged"):
        registry.keep(folder)
    with pytest.raises(RegistryError, match="no model card"):
        registry.keep(tmp_path)


def test_many_who_promote_at_once_are_all_written_down(
    registry: Registry, tmp_path: Path
) -> None:
    names = [registry.keep(models(tmp_path / k, k)).name for k in ("a", "b", "c")]

    def promote(name: str) -> None:
        for _ in range(5):
            registry.promote(name, "Ann")

    threads = [threading.Thread(target=promote, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entries = registry.history()
    assert [entry.number for entry in entries] == list(range(1, 16))
    for entry, after in itertools.pairwise(entries):
        assert after.before == entry.version
    assert registry.current_name() == entries[-1].version


def test_torn_line_of_the_history_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    entry = Entry(1, "2026-01-01T00:00:00+00:00", "Ann", "promoted", "a", "b")
    append_entry(path, entry)
    with path.open("ab") as file:
        file.write('{"number": 2, "who": "Jör'.encode()[:-1])
    append_entry(path, entry)
    assert read_history(path) == (entry, entry)


def test_card_with_other_classes_is_another_version(
    registry: Registry, tmp_path: Path
) -> None:
    folder = models(tmp_path / "a", "small-faces")
    one = registry.keep(folder).name
    write_card(folder, "faces", CLASS_NAMES[::-1], (32, 32))
    assert registry.keep(folder).name != one


def test_version_is_not_promoted_over_one_it_was_never_compared_with(
    registry: Registry, tmp_path: Path
) -> None:
    one, two = (
        registry.keep(models(tmp_path / name, name)).name for name in ("one", "two")
    )
    seen = registry.named()
    registry.promote(one, "Ann", seen=seen)
    with pytest.raises(RegistryError, match=f"{one} was taken into use meanwhile"):
        registry.promote(two, "Bob", seen=seen)
    assert [entry.who for entry in registry.history()] == ["Ann"]
    registry.promote(two, "Bob", seen=registry.named())
    assert registry.current_name() == two


def test_what_killed_promotions_left_goes_with_the_next_one(
    registry: Registry, tmp_path: Path
) -> None:
    half = registry.folder / "versions" / ".half-left"
    half.mkdir(parents=True)
    (half / "faces.onnx").write_bytes(b"half")
    (half / "faces.onnx").chmod(0o400)
    kept = registry.keep(models(tmp_path / "a", "one"))
    assert not half.exists()
    assert registry.version(kept.name) == kept


@pytest.mark.parametrize(
    "text",
    [
        '{"number": Infinity}',
        '{"number": 1e999, "at": "", "who": "", "action": "promoted", "version": "x",'
        ' "before": "y", "why": [], "figures": {}}',
        "[" * 100_000,
        "",
    ],
)
def test_odd_word_about_the_current_version_is_told(
    registry: Registry, text: str
) -> None:
    registry.folder.mkdir(parents=True)
    (registry.folder / "current.json").write_text(text)
    (registry.folder / "history.jsonl").write_text(text)
    with pytest.raises(RegistryError, match=r"current\.json"):
        registry.stamp()
    assert registry.history() == ()
    assert models_in_use(registry)[0].name == BUNDLED_VERSION
