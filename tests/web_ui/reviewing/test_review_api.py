"""Reviewing over HTTP: lists, pictures, labels judged and kept, undone, refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from capture_makers import WIDTH_PX, dice
from described_answers import described
from review_tables import API, NINE, ReviewTable, fill, posted

from datasets.captures.album import Album
from datasets.captures.capture import Origin, Review
from datasets.captures.checking import verify
from scoring.dice_sets import bundled_dice_set
from web_ui.reviewing.errands import PIECE_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

CAPTURE = "/dataset/captures/{capture_id}"


@pytest.fixture
def table() -> Iterator[ReviewTable]:
    opened = ReviewTable()
    yield opened
    opened.close()


def test_table_without_captures_tells_what_is_kept_and_lists_nothing(
    table: ReviewTable,
) -> None:
    overview = described(table.get(""), "/dataset")
    assert (overview["keep"], overview["total"]) == ("doubtful", 0)
    listed = described(table.get("/captures"), "/dataset/captures")
    assert listed == {"captures": [], "start": 0, "total": 0}
    assert table.client.get("/dataset").status_code == 200


def test_queue_begins_with_the_most_doubtful_and_goes_on_after_one_that_left(
    table: ReviewTable,
) -> None:
    names = fill(table.album, 8)
    first = described(
        table.get("/captures", review="waiting", count=3), "/dataset/captures"
    )
    assert [one["id"] for one in first["captures"]] == names[:3]
    whole = table.whole(names[2])
    assert table.decide(names[2], whole["version"]).status_code == 200
    then = table.get("/captures", review="waiting", after=names[2], count=3).get_json()
    assert [one["id"] for one in then["captures"]] == names[3:6]
    assert (then["start"], then["total"]) == (2, 7)
    back = table.get("/captures", review="waiting", before=names[3], count=5).get_json()
    assert [one["id"] for one in back["captures"]] == names[:2]
    assert described(table.get(""), "/dataset")["by_review"] == {
        "waiting": 7,
        "reviewed": 1,
    }


def test_filters_narrow_the_list(table: ReviewTable) -> None:
    names = fill(table.album, 6)
    assert table.get("/captures", doubt="0.5").get_json()["total"] == 4
    assert table.get("/captures", day="2026-01-31").get_json()["total"] == 6
    assert table.get("/captures", set="enrolled").get_json()["total"] == 0
    assert table.get("/captures", kept="asked", face="QH").get_json()["total"] == 6
    newest = table.get("/captures", order="newest", count=1).get_json()
    assert newest["captures"][0]["id"] == names[0]


@pytest.mark.parametrize(
    "query",
    [
        {"count": 61},
        {"count": "many"},
        {"start": "-1"},
        {"review": "done"},
        {"doubt": "nan"},
        {"doubt": "2"},
        {"order": "random"},
        {"day": "x" * 11},
    ],
)
def test_malformed_query_is_400(table: ReviewTable, query: dict[str, Any]) -> None:
    answer = table.get("/captures", **query)
    assert answer.status_code == 400
    described(answer, "/dataset/captures")


@pytest.mark.parametrize("name", ["a" * 24, "..", "%2e%2e", "x"])
def test_what_is_not_there_is_404(table: ReviewTable, name: str) -> None:
    assert table.get(f"/captures/{name}").status_code == 404
    assert table.get(f"/captures/{name}/picture.jpg").status_code == 404
    assert table.get("/captures", after=name).status_code == 404


def test_capture_tells_what_the_reader_saw_of_each_die(table: ReviewTable) -> None:
    (name,) = fill(table.album, 1)
    whole = described(table.get(f"/captures/{name}"), CAPTURE)
    assert [die["face"]["code"] for die in whole["dice"]] == ["QH", "2C", "RJ"]
    read = whole["dice"][1]["read"]
    assert read["face"]["code"] == "2C"
    assert read["alternatives"][0]["name"] == "king of diamonds"
    assert not whole["undo"]


def test_pictures_are_whole_small_and_cut_out(table: ReviewTable) -> None:
    (name,) = fill(table.album, 1)
    answer = table.get(f"/captures/{name}/picture.jpg")
    assert answer.data == table.album.picture(name)
    again = table.client.get(
        f"{API}/captures/{name}/small.jpg",
        headers={
            "If-None-Match": table.get(f"/captures/{name}/small.jpg").headers["ETag"]
        },
    )
    assert again.status_code == 304
    # a square outline, cut out at three times its size: the same pixels
    quads = "100,60,130,60,130,90,100,90;130,60,130,90,100,90,100,60"
    strip = table.get(f"/captures/{name}/faces.jpg", quads=quads, px=120)
    cut = cv2.imdecode(np.frombuffer(strip.data, np.uint8), cv2.IMREAD_COLOR)
    whole = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
    assert cut is not None
    assert whole is not None
    assert whole.shape[1] == WIDTH_PX
    assert cut.shape == (240, 120, 3)
    assert np.abs(cut[60, 60].astype(int) - whole[75, 115]).max() < 40
    turned = np.rot90(cut[:120])
    assert np.abs(turned.astype(int) - cut[120:]).mean() < 12
    for wrong in ("", "1,2,3", "nan,1,1,1,1,1,1,1", "1e9,1,1,1,1,1,1,1"):
        refused = table.get(f"/captures/{name}/faces.jpg", quads=wrong)
        assert refused.status_code == 400


def test_labels_are_judged_while_they_are_typed(table: ReviewTable) -> None:
    (name,) = fill(table.album, 1, NINE)
    whole = table.whole(name)

    def judged(**faces: str) -> Any:
        body = {"dice": posted(whole, **faces)}
        answer = table.post(f"/captures/{name}/check", body)
        return described(answer, CAPTURE + "/check", "post")

    assert judged()["remarks"] == []
    twice = judged(d1="qh")
    assert twice["blocked"]
    assert not twice["blocked_always"]
    (clash,) = twice["remarks"]
    assert (clash["code"], clash["dice"]) == ("face_twice", [0, 1])
    assert clash["resolve"]
    half = judged(d2="Q")
    assert half["blocked_always"]
    assert "suit" in half["remarks"][0]["sentence"]
    joker = judged(d2="JK")
    assert "RJ" in joker["remarks"][0]["resolve"]
    ten = judged(d2="10♥")
    assert ten["faces"][2]["code"] == "TH"
    assert ten["remarks"] == []
    fewer = table.post(
        f"/captures/{name}/check", {"dice": posted(whole)[:8]}
    ).get_json()
    assert [one["code"] for one in fewer["remarks"]] == ["fewer_dice"]
    assert not fewer["blocked"]


def test_two_faces_of_one_die_are_a_clash_where_the_layout_is_known(
    table: ReviewTable,
) -> None:
    layout = bundled_dice_set("square-shooters-reference").dice
    assert layout is not None
    first, second = (face.code for face in layout[0][:2])
    (name,) = fill(
        table.album, 1, f"{first} {second}", dice_set="square-shooters-reference"
    )
    whole = table.whole(name)
    answer = table.decide(name, whole["version"], dice=posted(whole))
    assert answer.status_code == 422
    blocked = described(answer, CAPTURE, "put")
    assert blocked["remarks"][0]["code"] == "same_die"
    assert table.album.get(name).review is Review.WAITING
    meant = table.decide(name, whole["version"], dice=posted(whole), meant=True)
    assert described(meant, CAPTURE, "put")["review"] == "reviewed"


def test_decision_names_who_made_it_and_is_undone_without_a_trace(
    table: ReviewTable,
) -> None:
    (name,) = fill(table.album, 1)
    before, whole = table.album.get(name), table.whole(name)
    sent = [*posted(whole, d1="10s"), {**posted(whole)[0], "face": ""}]
    sent[3]["quad"] = [[200, 20], [230, 20], [230, 50], [200, 50]]
    kept = described(table.decide(name, whole["version"], dice=sent), CAPTURE, "put")
    stored = table.album.get(name)
    assert [die.face and die.face.code for die in stored.dice] == [
        "QH",
        "TS",
        "RJ",
        None,
    ]
    assert {die.origin for die in stored.dice} == {Origin.PERSON}
    assert {die.role for die in stored.dice} == {"referee local"}
    assert stored.review is Review.REVIEWED
    assert kept["undo"]
    undone = table.post(f"/captures/{name}/undo", {"version": kept["version"]})
    assert described(undone, CAPTURE + "/undo", "post")["version"] == whole["version"]
    assert table.album.get(name) == before
    again = table.post(f"/captures/{name}/undo", {"version": whole["version"]})
    assert again.status_code == 404


def test_all_right_as_it_is_makes_a_person_answer_for_it(table: ReviewTable) -> None:
    (name,) = fill(table.album, 1)
    table.decide(name, table.whole(name)["version"])
    assert {die.origin for die in table.album.get(name).dice} == {Origin.PERSON}


def test_drawn_dice_stay_drawn_unless_they_are_changed(table: ReviewTable) -> None:
    (name,) = fill(table.album, 1)
    table.album.label(name, dice("QH 2C RJ", Origin.DRAWN), Review.WAITING)
    whole = table.whole(name)
    table.decide(name, whole["version"], dice=posted(whole, d0="KH"))
    origins = [die.origin for die in table.album.get(name).dice]
    assert origins == [Origin.PERSON, Origin.DRAWN, Origin.DRAWN]


def test_stale_decision_is_refused_and_told_the_newer_state(table: ReviewTable) -> None:
    (name,) = fill(table.album, 1)
    mine, other = table.whole(name), Album(table.album.folder)
    other.label(name, dice("2H 3H 4H", Origin.PERSON))
    before = other.get(name)
    answer = table.decide(name, mine["version"], dice=posted(mine))
    assert answer.status_code == 409
    told = described(answer, CAPTURE, "put")
    assert "operator" in told["error"]
    assert [die["face"]["code"] for die in told["capture"]["dice"]] == [
        "2H",
        "3H",
        "4H",
    ]
    assert (
        table.post(f"/captures/{name}/undo", {"version": mine["version"]}).status_code
        == 409
    )
    gone = table.post(f"/captures/{name}/remove", {"version": mine["version"]})
    assert gone.status_code == 409
    assert table.album.get(name) == before
    version = told["capture"]["version"]
    assert table.decide(name, version, dice=posted(mine)).status_code == 200


def test_set_aside_is_taken_back_and_removed_leaves_no_file(table: ReviewTable) -> None:
    names = fill(table.album, 3)
    aside = table.decide(
        names[0], table.whole(names[0])["version"], review="dropped"
    ).get_json()
    waits = table.post(f"/captures/{names[0]}/undo", {"version": aside["version"]})
    assert waits.get_json()["review"] == "waiting"
    for name in names[:2]:
        table.decide(name, table.whole(name)["version"], review="dropped")
    version = table.whole(names[0])["version"]
    removed = table.post(f"/captures/{names[0]}/remove", {"version": version})
    described(removed, CAPTURE + "/remove", "post")
    rest = described(
        table.post("/remove-set-aside", {}), "/dataset/remove-set-aside", "post"
    )
    assert rest == {"removed": 1, "left": 0}
    assert [entry.id for entry in table.album.entries()] == [names[2]]
    files = [p for p in table.album.folder.rglob("*") if p.suffix in (".jpg", ".json")]
    assert len(files) == 2
    assert verify(Album(table.album.folder)).ok
    assert table.get(f"/captures/{names[0]}/picture.jpg").status_code == 404


@pytest.mark.parametrize(
    "change",
    [
        {"version": ""},
        {"version": 5},
        {"review": "done"},
        {"meant": 1},
        {"dice": "all"},
        {"dice": [{"face": "QH"}]},
        {"dice": [{"face": 5, "quad": [[0, 0]] * 4, "state": "flat"}]},
        {"dice": [{"face": None, "quad": [[0, 0]] * 3, "state": "flat"}]},
        {"dice": [{"face": None, "quad": [[0, 1e300]] * 4, "state": "flat"}]},
        {"dice": [{"face": None, "quad": [[0, 0]] * 4, "state": "up"}]},
        {"other": 1},
    ],
)
def test_malformed_decision_is_400_and_changes_nothing(
    table: ReviewTable, change: dict[str, Any]
) -> None:
    (name,) = fill(table.album, 1)
    before = table.album.entry(name)
    answer = table.decide(name, **({"version": before.sidecar} | change))
    assert answer.status_code == 400
    described(answer, CAPTURE, "put")
    assert table.album.entry(name) == before


def test_set_that_is_not_known_here_is_told_and_outlines_are_still_checked(
    table: ReviewTable,
) -> None:
    (name,) = fill(table.album, 1, "QH QH", dice_set="of-somebody-else")
    told = described(table.get("/faces", set="of-somebody-else"), "/dataset/faces")
    assert not told["known"]
    whole = table.whole(name)
    bent = posted(whole)
    bent[0]["quad"] = [[0, 0], [30, 30], [30, 0], [0, 30]]
    judged = table.post(f"/captures/{name}/check", {"dice": bent}).get_json()
    assert [one["code"] for one in judged["remarks"]] == ["not_convex"]
    faces = described(table.get("/faces", set="square-shooters"), "/dataset/faces")
    typed = {face["code"]: face["typed"] for face in faces["faces"]}
    assert typed["TH"] == ["TH", "10H"]
    assert len(typed) == 54


def test_damaged_album_is_told_and_does_no_harm(table: ReviewTable) -> None:
    names = fill(table.album, 2)
    table.album.path(names[0]).write_bytes(b"no picture")
    assert table.get(f"/captures/{names[0]}/picture.jpg").status_code == 503
    assert table.get(f"/captures/{names[1]}/picture.jpg").status_code == 200
    (table.album.folder / "manifest.jsonl").write_text("{}\n")
    fresh = ReviewTable()
    try:
        fresh.album.folder.mkdir(parents=True, exist_ok=True)
        (fresh.album.folder / "manifest.jsonl").write_text("{}\n")
        answer = fresh.get("")
        assert answer.status_code == 503
        assert "line 1" in described(answer, "/dataset")["error"]
    finally:
        fresh.close()


def test_labels_body_stays_below_what_the_server_takes() -> None:
    # the server reads at most 64 KiB of a request, the app 16 KiB of a command
    assert PIECE_BYTES <= 64 * 1024
