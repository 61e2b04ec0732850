"""Past games over HTTP: told step by step, kept as files, evidence that survives."""

from __future__ import annotations

import io
import zipfile
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from described_answers import described
from open_tables import SETTINGS, OpenTable
from table_makers import FIRST, SECOND, THIRD, reading
from table_rounds import Round

from scoring.games import GAMES
from scoring.play import Play
from vision.reading import Status
from vision.reading_json import reading_record
from web_ui.settings import StoreSettings
from web_ui.store.bundle import import_bundle
from web_ui.store.pictures import Pictures
from web_ui.store.store import EventStore
from web_ui.table.books import open_books
from web_ui.table.events import new_event

if TYPE_CHECKING:
    from pathlib import Path

API = "/api/v1"
GAME = "/games/{game_id}"
LONG = {"rounds": 60, "deck": ["T18"]}
PICTURE = f"{GAME}/readings/{{reading_id}}/picture.jpg"


def post(table: OpenTable, do: str, **fields: object) -> dict[str, Any]:
    answer = table.client.post(f"{API}/commands", json={"do": do, **fields})
    assert answer.status_code == 200, answer.get_json()
    state: dict[str, Any] = answer.get_json()
    return state


def play_a_turn(table: OpenTable) -> str:
    """Ann asks, corrects and stops, takes it back and stops again; who plays what."""
    post(table, "draw", card="T18")
    table.settle(reading(FIRST, 1, Status.ASK, (2,)))
    post(table, "name", reading=1, die=2, face="5D")
    post(table, "keep", dice=[0, 1])
    table.settle(reading(SECOND, 2))
    post(table, "correct", reading=2, die=2, face="TS", reason="It lay in the shade")
    post(table, "claim", words="That is an ace", player="Bob", reading=2)
    post(table, "rule", claim=1, ruling="upheld", reason="The picture says so")
    post(table, "stop")
    post(table, "undo")
    state = post(table, "stop")
    return str(state["game"]["id"])


def told(table: OpenTable, game: str) -> Any:
    return described(table.client.get(f"{API}/games/{game}"), GAME)


def in_folder(folder: Path) -> OpenTable:
    store = StoreSettings(folder=str(folder))
    settings = replace(SETTINGS, store=store)
    return OpenTable(settings, open_books(settings))


def test_list_has_the_game_on_the_table_and_pages_go_back(table: OpenTable) -> None:
    for players in (["Ann"], ["Bob", "Cy"], ["Dee"]):
        post(table, "start", game="classic", players=players)
    first = described(table.client.get(f"{API}/games?limit=3"), "/games")
    assert [game["players"] for game in first["games"]] == [
        ["Dee"],
        ["Bob", "Cy"],
        ["Ann"],
    ]
    assert [game["running"] for game in first["games"]] == [True, False, False]
    assert first["total"] == 4
    url = f"{API}/games?limit=3&before={first['before']}"
    last = described(table.client.get(url), "/games")
    assert [game["players"] for game in last["games"]] == [["Ann", "Bob"]]
    assert last["before"] is None


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=101", "limit=x", "before=-1", "before=" + "9" * 400]
)
def test_page_that_is_none_is_400_and_names_the_field(
    table: OpenTable, query: str
) -> None:
    answer = table.client.get(f"{API}/games?{query}")
    assert answer.status_code == 400
    assert query.partition("=")[0] in described(answer, "/games")["error"]


def test_game_is_told_step_by_step(table: OpenTable) -> None:
    game = told(table, play_a_turn(table))
    steps = {step["kind"]: step for step in game["log"]}
    assert [step["kind"] for step in game["log"]] == [
        *("game_started", "draw", "asked", "answered", "roll", "keep", "roll"),
        *("correct", "claim_made", "ruled", "stop", "undo", "stop"),
    ]
    assert steps["keep"]["kept"] == [0, 1]
    assert steps["asked"]["faces"] == FIRST.split()
    assert steps["answered"]["faces"][2] == "5D"
    rolls = [step for step in game["log"] if step["kind"] == "roll"]
    assert [step["reading"] for step in rolls] == [1, 2]
    assert rolls[1]["faces"][2] == "AS"
    assert steps["correct"]["faces"][2] == "TS"
    assert rolls[0]["target"] == "Full house"
    assert rolls[0]["hand"]


def test_what_was_taken_back_stays_in_sight(table: OpenTable) -> None:
    game = told(table, play_a_turn(table))
    stops = [step for step in game["log"] if step["kind"] == "stop"]
    assert [step["done"] for step in stops] == [False, True]
    assert stops[0]["scores"] == stops[1]["scores"] == game["scores"]


def test_reading_tells_who_decided_what(table: OpenTable) -> None:
    game = told(table, play_a_turn(table))
    first, second = game["readings"]
    assert [one["what"] for one in first["decisions"]] == [
        "asked",
        "answered",
        "counted",
    ]
    assert first["decisions"][0]["by"] == "camera"
    assert first["decisions"][1]["by"] != "camera"
    corrected = second["decisions"][-1]
    assert (corrected["before"][2], corrected["faces"][2]) == ("AS", "TS")
    assert corrected["reason"] == "It lay in the shade"
    assert second["dice"][2]["read"] == "AS"
    assert second["dice"][2]["face"] == "TS"
    assert first["counts"]
    assert second["counts"]
    assert set(first["sha256"]) <= set("0123456789abcdef")


def test_claims_and_corrections_are_in_the_game(table: OpenTable) -> None:
    game = told(table, play_a_turn(table))
    assert game["claims"][0]["ruling"] == "upheld"
    assert [one["kind"] for one in game["corrections"]] == ["correction", "answer"]
    assert game["script"]["game"] == "classic"


def test_script_that_is_kept_gives_the_same_scores(table: OpenTable) -> None:
    game = play_a_turn(table)
    answer = table.client.get(f"{API}/games/{game}/script.json")
    script = described(answer, f"{GAME}/script.json")
    again: Play[Any] = Play(GAMES[script["game"]])
    for action in script["script"]:
        again.act(action)
    scores = again.view()["scores"]
    assert isinstance(scores, dict)
    assert list(scores.values()) == told(table, game)["scores"]
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")


def test_scores_are_kept_as_a_table(table: OpenTable) -> None:
    game = play_a_turn(table)
    answer = table.client.get(f"{API}/games/{game}/scores.csv")
    described(answer, f"{GAME}/scores.csv")
    assert answer.get_data(as_text=True).startswith("event,at,by,what,Ann,Bob")


def test_bundle_is_taken_by_another_store(table: OpenTable, tmp_path: Path) -> None:
    game = play_a_turn(table)
    answer = table.client.get(f"{API}/games/{game}/bundle.zip")
    described(answer, f"{GAME}/bundle.zip")
    path = tmp_path / "bundle.zip"
    path.write_bytes(answer.data)
    answer.close()
    assert zipfile.ZipFile(io.BytesIO(path.read_bytes())).testzip() is None
    with closing(EventStore.open(tmp_path / "other.db")) as store:
        taken = import_bundle(store, Pictures(tmp_path / "other"), path)
    assert taken.game == game
    # both rolls were read from the same grey picture
    assert taken.pictures == 1


def test_bundle_is_refused_when_evidence_was_damaged(table: OpenTable) -> None:
    game = play_a_turn(table)
    damage(table)
    answer = table.client.get(f"{API}/games/{game}/bundle.zip")
    assert answer.status_code == 409
    assert "damaged" in described(answer, f"{GAME}/bundle.zip")["error"]


def damage(table: OpenTable) -> None:
    for file in table.books.pictures.listed():
        table.books.pictures.path(file.hash).write_bytes(b"\xff\xd8 something else")


def test_damaged_picture_is_told_and_not_shown(table: OpenTable) -> None:
    game = play_a_turn(table)
    url = f"{API}/games/{game}/readings/1/picture.jpg"
    shown = table.client.get(url)
    described(shown, PICTURE)
    unchanged = table.client.get(url, headers={"If-None-Match": shown.headers["ETag"]})
    assert unchanged.status_code == 304
    damage(table)
    answer = table.client.get(url)
    assert answer.status_code == 410
    assert "damaged" in described(answer, PICTURE)["error"]


def test_lost_picture_is_404(table: OpenTable) -> None:
    game = play_a_turn(table)
    for file in table.books.pictures.listed():
        table.books.pictures.path(file.hash).unlink()
    answer = table.client.get(f"{API}/games/{game}/readings/1/picture.jpg")
    assert answer.status_code == 404
    assert "not there any more" in described(answer, PICTURE)["error"]


def test_evidence_survives_a_restart_and_ids_go_on(tmp_path: Path) -> None:
    before = in_folder(tmp_path)
    game = play_a_turn(before)
    post(before, "start", game="classic", players=["Eve"])
    before.close()
    after = in_folder(tmp_path)
    try:
        kept = described(
            after.client.get(f"{API}/readings/2"), "/readings/{reading_id}"
        )
        assert kept["dice"][2]["face"]["code"] == "TS"
        assert kept["dice"][2]["alternatives"]
        shown = after.client.get(f"{API}/readings/2/picture.jpg")
        assert shown.data[:2] == b"\xff\xd8"
        after.settle(reading(THIRD, 3))
        assert after.client.get(f"{API}/readings/3").get_json()["id"] == 3
        assert told(after, game)["closed"]
        assert len(told(after, game)["readings"]) == 2
        damage(after)
        answer = after.client.get(f"{API}/readings/1/picture.jpg")
        assert answer.status_code == 410
        described(answer, "/readings/{reading_id}/picture.jpg")
    finally:
        after.close()


HOSTILE = [
    "none",
    "..",
    "..%2f..%2fetc%2fpasswd",
    "%2e%2e",
    "x' OR '1'='1",
    "<script>",
    "a" * 3000,
    "%00",
    "\u202egame",
    "%ff",
]


@pytest.mark.parametrize("what", ["", "/script.json", "/scores.csv", "/bundle.zip"])
def test_unknown_game_is_404_whatever_it_is_called(table: OpenTable, what: str) -> None:
    for name in HOSTILE:
        answer = table.client.get(f"{API}/games/{name}{what}")
        assert answer.status_code == 404, name
        assert answer.get_json()["error"]


@pytest.mark.parametrize("what", ["review", "fairness", "readings/1/picture.jpg"])
def test_unknown_game_has_no_figures_or_pictures(table: OpenTable, what: str) -> None:
    for name in HOSTILE:
        answer = table.client.get(f"{API}/games/{name}/{what}")
        assert answer.status_code == 404, name


@pytest.mark.parametrize("number", ["999", "0", "9" * 300])
def test_unknown_reading_of_a_game_is_404(table: OpenTable, number: str) -> None:
    game = play_a_turn(table)
    url = f"{API}/games/{game}/readings/{number}/picture.jpg"
    assert table.client.get(url).status_code == 404
    assert table.client.get(f"{API}/readings/{number}").status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"game": "no such game", "players": ["A"], "options": {}},
        {"game": ["classic"], "players": 7, "options": None},
        {"game": "classic", "players": [1, 2], "options": {}},
    ],
)
def test_game_that_makes_no_sense_is_listed_with_what_is_wrong(
    table: OpenTable, body: dict[str, object]
) -> None:
    table.books.store.append([new_event("odd", "game_started", body, "elsewhere")])
    game = told(table, "odd")
    assert game["fault"]
    assert game["log"] == []
    listed = described(table.client.get(f"{API}/games"), "/games")["games"]
    assert listed[0]["id"] == "odd"
    for what in ("script.json", "scores.csv", "review", "fairness"):
        answer = table.client.get(f"{API}/games/odd/{what}")
        assert answer.status_code in (200, 202, 409), what


def read_body(**changes: object) -> dict[str, object]:
    record = reading_record(reading(FIRST, 1), "", 1.0)
    body = {"reading": 1, "use": "waiting", "record": record, "picture": "../../x"}
    sizes = {"width_px": 1, "height_px": 1, "order": [*range(9)]}
    return {**body, **sizes, **changes}


ROLL = {"do": "roll", "faces": FIRST.split()}
COUNTED: dict[str, object] = {"action": ROLL, "reading": 1}
IN_ORDER: dict[str, object] = {"order": [*range(9)], "answers": [None] * 9}
ODD: dict[str, list[tuple[str, dict[str, object]]]] = {
    "order": [("read", read_body(order=[99]))],
    "sizes": [("read", read_body(width_px={}, height_px=[None]))],
    "id": [("read", read_body(reading=[1]))],
    "places": [
        ("read", read_body()),
        ("acted", {**COUNTED, **IN_ORDER, "places": [*range(90, 99)]}),
    ],
    "answer": [("read", read_body()), ("answered", {"reading": 1, "die": 77})],
    "words": [("claim_made", {"words": {"a": []}, "by": None})],
    "correction": [
        ("acted", {"action": {"do": "correct", "roll": 0, "faces": []}, "reading": []})
    ],
    "number": [("considered", {"reading": 10**30, "use": "odd", "order": "x"})],
}
"""Events that only an imported game can hold."""


@pytest.mark.parametrize("name", ODD)
def test_odd_events_are_never_a_fault_of_ours(table: OpenTable, name: str) -> None:
    start: dict[str, object] = {"game": "classic", "players": ["Ann"]}
    start["options"] = {"deck": ["T18"]}
    draw: dict[str, object] = {"action": {"do": "draw", "player": "Ann", "card": "T18"}}
    events = [("game_started", start), ("acted", draw), *ODD[name]]
    made = [new_event("odd", kind, body, "x") for kind, body in events]
    table.books.store.append(made)
    answer = table.client.get(f"{API}/games/odd")
    assert answer.status_code == 200
    assert len(answer.get_json()["log"]) >= 2
    for path in ("script.json", "scores.csv", "readings/1/picture.jpg"):
        assert table.client.get(f"{API}/games/odd/{path}").status_code < 500


def test_rest_of_a_game_that_cannot_be_told_does_not_hide_its_beginning(
    table: OpenTable,
) -> None:
    game = play_a_turn(table)
    steps = len(told(table, game)["log"])
    table.books.store.append([new_event(game, "answered", {"reading": []}, "x")])
    table.books.store.append([new_event(game, "thawed", {}, "x")])
    again = told(table, game)
    assert again["fault"]
    assert len(again["log"]) == steps


def test_broken_store_is_503_with_a_sentence(table: OpenTable) -> None:
    play_a_turn(table)
    path = table.books.store.path
    assert path is not None
    for file in (path, *path.parent.glob(f"{path.name}-*")):
        file.write_bytes(b"no database " * 500)
    answer = table.client.get(f"{API}/games")
    assert answer.status_code == 503
    assert described(answer, "/games")["error"].endswith(".")


def test_three_hundred_rolls_are_told(table: OpenTable) -> None:
    rolled = Round()
    rolled.order("start", game="classic", players=["Ann", "Bob"], options=LONG)
    rolls = 0
    while rolls < 300:
        rolled.order("draw", card="T18")
        for _ in range(3):
            rolls += 1
            rolled.settle(reading(THIRD, rolls))
        rolled.order("stop")
    table.books.store.append(rolled.events)
    game = told(table, rolled.events[-1].game)
    assert sum(step["kind"] == "roll" for step in game["log"]) == 300
    assert len(game["readings"]) == 300
    assert game["fault"] is None
