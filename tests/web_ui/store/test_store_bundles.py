"""Bundles: whole and proved, or refused with nothing changed."""

from __future__ import annotations

import zipfile
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
import store_forgeries as forged
from store_makers import PICTURE, happened, seeded

from web_ui.store.bundle import export_bundle, import_bundle
from web_ui.store.chain import sha256
from web_ui.store.errors import StoreError, Trouble
from web_ui.store.pictures import Pictures
from web_ui.store.store import EventStore
from web_ui.table.books import STORE_FILE
from web_ui.table.events import new_event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    store, pictures = seeded(tmp_path / "from")
    store.append([happened(1, "other")])
    store.append([new_event("one", "game_closed", {}, "operator")])
    assert export_bundle(store, pictures, "one", tmp_path / "one.zip") == ()
    store.close()
    return tmp_path / "one.zip"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[EventStore]:
    with closing(EventStore.open(tmp_path / "here.db")) as store:
        yield store


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    return Pictures(tmp_path / "pictures here")


def test_bundle_carries_a_game_with_its_evidence(
    bundle: Path, here: EventStore, pictures: Pictures, tmp_path: Path
) -> None:
    told = import_bundle(here, pictures, bundle)
    assert (told.game, told.events, told.pictures) == ("one", 8, 1)
    with closing(EventStore.open(tmp_path / "from" / STORE_FILE)) as source:
        events = [one.event for one in source.events("one")]
    assert [one.event for one in here.events("one")] == events
    assert pictures.get(sha256(PICTURE)) == PICTURE
    assert here.games()[0].imported
    again = import_bundle(here, pictures, bundle)
    assert (again.events, again.pictures) == (0, 0)
    assert here.verify().events == 9  # and where it came from


def test_imported_game_is_not_the_one_on_the_table(
    tmp_path: Path, here: EventStore, pictures: Pictures
) -> None:
    store, evidence = seeded(tmp_path / "from")
    export_bundle(store, evidence, "one", tmp_path / "open.zip")
    import_bundle(here, pictures, tmp_path / "open.zip")
    assert here.open_game() is None
    store.append([happened(1)])
    export_bundle(store, evidence, "one", tmp_path / "later.zip")
    store.close()
    assert import_bundle(here, pictures, tmp_path / "later.zip").events == 1
    assert import_bundle(here, pictures, tmp_path / "open.zip").events == 0
    assert here.open_game() is None
    assert here.verify().ok


def test_game_that_went_on_differently_is_refused(
    bundle: Path, here: EventStore, pictures: Pictures
) -> None:
    here.append([happened(5)])
    with pytest.raises(StoreError, match="differently"):
        import_bundle(here, pictures, bundle)
    assert len(here.events()) == 1
    assert pictures.listed() == ()


def test_missing_evidence_is_told_and_carried_on(
    tmp_path: Path, here: EventStore, pictures: Pictures
) -> None:
    store, evidence = seeded(tmp_path / "from")
    evidence.path(sha256(PICTURE)).unlink()
    missing = export_bundle(store, evidence, "one", tmp_path / "one.zip")
    store.close()
    assert missing == (sha256(PICTURE),)
    assert import_bundle(here, pictures, tmp_path / "one.zip").events == 7


FORGERIES = [
    forged.event_changed,
    forged.event_removed,
    forged.events_swapped,
    forged.end_cut,
    forged.picture_changed,
    forged.picture_removed,
    forged.picture_added,
    forged.script_changed,
    forged.not_in_manifest,
    forged.bytes_changed,
    forged.climbing,
    forged.from_the_root,
    forged.backslashes,
    forged.no_manifest,
    forged.manifest_a_list,
    forged.manifest_too_deep,
    forged.of_another_form,
    forged.of_another_game,
    forged.sizes_that_lie,
    forged.odd_sizes,
    forged.bomb,
]


@pytest.mark.parametrize("forge", FORGERIES)
def test_forged_bundle_is_refused_and_changes_nothing(
    bundle: Path,
    here: EventStore,
    pictures: Pictures,
    forge: Callable[[forged.Files], forged.Files],
) -> None:
    forged.packed(bundle, forge(forged.unpacked(bundle)))
    with pytest.raises(StoreError) as caught:
        import_bundle(here, pictures, bundle)
    assert caught.value.kind is Trouble.REFUSED
    assert here.events() == ()
    assert pictures.listed() == ()


def test_file_twice_in_a_bundle_is_refused(
    bundle: Path, here: EventStore, pictures: Pictures
) -> None:
    with (
        zipfile.ZipFile(bundle, "a") as archive,
        pytest.warns(UserWarning, match="Duplicate"),
    ):
        archive.writestr("script.json", b"{}")
    with pytest.raises(StoreError, match="other files"):
        import_bundle(here, pictures, bundle)


@pytest.mark.parametrize("part", [0.0, 0.3, 0.9, 0.999])
def test_cut_bundle_is_refused(
    bundle: Path, here: EventStore, pictures: Pictures, part: float
) -> None:
    bundle.write_bytes(bundle.read_bytes()[: int(bundle.stat().st_size * part)])
    with pytest.raises(StoreError) as caught:
        import_bundle(here, pictures, bundle)
    assert caught.value.kind is Trouble.REFUSED
    assert here.events() == ()
    assert pictures.listed() == ()


def test_every_flipped_byte_of_a_bundle_is_noticed_or_harmless(
    bundle: Path, tmp_path: Path
) -> None:
    whole = bundle.read_bytes()
    with closing(EventStore.open(tmp_path / "from" / STORE_FILE)) as source:
        proper = [one.event for one in source.events("one")]
    kept = Pictures(tmp_path / "pictures")
    for at in range(0, len(whole), 97):
        bundle.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        with closing(EventStore.open(tmp_path / f"{at}.db")) as store:
            try:
                import_bundle(store, kept, bundle)
            except StoreError:
                assert store.events() == ()
            else:  # a date, a flag: nothing that is taken
                assert [one.event for one in store.events("one")] == proper
