"""Past games over HTTP: the list, one game told, its figures, and corrections."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, jsonify, request

from scoring.dice_sets import DiceSetError, bundled_dice_set
from web_ui.answers import jpeg, json_text, problem
from web_ui.api import API, answer_order
from web_ui.history.afterwards import Afterwards, Task, TooManyError
from web_ui.history.downloads import add_downloads, script_text
from web_ui.history.library import MOST_LISTED, Library
from web_ui.history.refusals import told

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from web_ui.settings import Settings
    from web_ui.table_door import Parts

LISTED = 20
"""Games on a page of the list, if nothing else is asked for."""
LOOK_AGAIN_S = 1
"""When to ask again for what is being worked out."""


def library_of(parts: Parts) -> Library:
    """The library of a running table."""

    def on_table() -> str:
        latest = parts.feed.latest()
        game = json.loads(latest.body)["game"] if latest else None
        return str(game["id"]) if game else ""

    return Library(parts.books.store, parts.books.pictures, on_table)


def make_history_api(settings: Settings, parts: Parts, library: Library) -> Blueprint:
    """Make the routes.

    Args:
        settings: says which dice are rolled at this table.
        parts: the running table.
        library: tells its past games.
    """
    api = Blueprint("history_api", __name__, url_prefix=API)
    add_downloads(api, library, parts.books)
    _add_figures(api, settings, library)
    _add_corrections(api, parts, library)

    @api.get("/games")
    def games() -> ResponseReturnValue:
        """The games, the newest first."""
        limit = _whole("limit", LISTED, most=MOST_LISTED)
        before = _whole("before", None)
        with told():
            assert limit is not None
            return jsonify(library.games(limit, before))

    @api.get("/games/<game_id>")
    def game(game_id: str) -> ResponseReturnValue:
        """One game, step by step."""
        with told():
            return json_text(library.game(game_id))

    @api.get("/games/<game_id>/readings/<int:reading_id>/picture.jpg")
    def picture(game_id: str, reading_id: int) -> ResponseReturnValue:
        """The picture of a reading of one game, imported ones included."""
        with told():
            name, data = library.picture(reading_id, game_id)
            return jpeg(data, name[:32])

    return api


def _add_figures(api: Blueprint, settings: Settings, library: Library) -> None:
    afterwards = Afterwards()
    dice = _known_layout(settings.game.dice_set)

    def answered(game: str, *command: str) -> ResponseReturnValue:
        with told():
            script = script_text(library, game)
        key = f"{command[0]} {sha256(script.encode()).hexdigest()}"
        try:
            answer = afterwards.ask(Task(key, command, script))
        except TooManyError as error:
            return _later(*problem(503, str(error)))
        if answer is None:
            return _later(jsonify({"working": True}), 202)
        return json_text(answer.text) if answer.text else problem(409, answer.why_not)

    @api.get("/games/<game_id>/review")
    def review(game_id: str) -> ResponseReturnValue:
        """Luck, and what the decisions cost."""
        return answered(game_id, "review", "--json", *dice)

    @api.get("/games/<game_id>/fairness")
    def fairness(game_id: str) -> ResponseReturnValue:
        """What the rolls of the game say about the dice."""
        return answered(game_id, "fairness", "--json")


def _known_layout(name: str) -> tuple[str, ...]:
    """The dice of the table as an option, if they help a game that knows no layout."""
    try:
        known = bundled_dice_set(name).dice is not None
    except DiceSetError:
        known = False
    return ("--set", name) if known else ()


def _later(answer: Any, status: int) -> ResponseReturnValue:
    answer.headers["Retry-After"] = str(LOOK_AGAIN_S)
    return answer, status


def _add_corrections(api: Blueprint, parts: Parts, library: Library) -> None:
    @api.get("/corrections")
    def corrections() -> ResponseReturnValue:
        """What was corrected in the game on the table, the newest first."""
        game = library.on_table()
        with told():
            found = library.corrections(game)
        return jsonify({"game": game or None, "corrections": found})

    @api.post("/corrections")
    def correct() -> ResponseReturnValue:
        """Correct a die of a reading, or a roll of the game."""
        return answer_order(parts, _correction)


def _correction() -> object:
    """The order behind a posted correction; what is wrong with it is told by field."""
    data = request.get_json()
    if not isinstance(data, dict):
        abort(400, "a correction must be an object")
    if ("reading" in data) == ("roll" in data):
        abort(400, "a correction names a reading and a die, or a roll and its faces")
    if not data.get("reason"):
        abort(400, "reason must say why")
    names = ("reading", "die", "face", "roll", "faces", "reason", "step", "id")
    return {"do": "correct", **{name: data[name] for name in names if name in data}}


def _whole(name: str, default: int | None, most: int = 2**53) -> int | None:
    """A whole number out of the query."""
    text = request.args.get(name)
    if text is None:
        return default
    # at most 16 digits: no text may cost more than it is worth
    if not (text.isascii() and text.isdecimal()) or len(text) > 16:
        abort(400, f"{name} must be a whole number from 1 to {most}, not {text!r:.40}")
    if not 1 <= int(text) <= most:
        abort(400, f"{name} must be a whole number from 1 to {most}, not {text!r:.40}")
    return int(text)
