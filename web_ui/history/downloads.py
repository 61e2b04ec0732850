"""A past game as files to keep: game script, scores, bundle with evidence."""

from __future__ import annotations

import json
import re
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Response, send_file

from web_ui.answers import problem
from web_ui.history.refusals import told
from web_ui.store.bundle import export_bundle
from web_ui.store.errors import StoreError, Trouble
from web_ui.store.script_export import scores_csv, script_record

if TYPE_CHECKING:
    from flask import Blueprint
    from flask.typing import ResponseReturnValue

    from web_ui.history.library import Library
    from web_ui.table.books import Books


def script_text(library: Library, game: str) -> str:
    """The game script of a game.

    Raises:
        NoSuchError: there is no such game.
        StoreError: it never started, or the store cannot be read.
    """
    record = script_record(library.events(game))
    return json.dumps(record, ensure_ascii=False, indent=1)


def add_downloads(api: Blueprint, library: Library, books: Books) -> None:
    """Add the routes of files to an API.

    Args:
        api: where they are added.
        library: tells games.
        books: where events and pictures are.
    """
    one_at_a_time = threading.Lock()

    @api.get("/games/<game_id>/script.json")
    def script(game_id: str) -> ResponseReturnValue:
        """The game script."""
        with told():
            text = script_text(library, game_id)
            return _file(text, "application/json", _name(library, game_id, "json"))

    @api.get("/games/<game_id>/scores.csv")
    def scores(game_id: str) -> ResponseReturnValue:
        """The scores as a table."""
        with told():
            text = scores_csv(library.events(game_id))
            return _file(text, "text/csv", _name(library, game_id, "csv"))

    @api.get("/games/<game_id>/bundle.zip")
    def bundle(game_id: str) -> ResponseReturnValue:
        """The game with its evidence."""
        if not one_at_a_time.acquire(blocking=False):
            answer, status = problem(503, "another bundle is being made: try again")
            answer.headers["Retry-After"] = "5"
            return answer, status
        try:
            return _bundle(library, books, game_id)
        finally:
            one_at_a_time.release()


def _bundle(library: Library, books: Books, game: str) -> Response:
    with told():
        name = _name(library, game, "zip")
        folder = tempfile.TemporaryDirectory(prefix="tableside-bundle-")
        try:
            path = Path(folder.name) / "bundle.zip"
            _export(books, game, path)
            # sent piece by piece, so that a long evening does not fill the memory
            answer = send_file(
                path, "application/zip", as_attachment=True, download_name=name
            )
        except BaseException:
            folder.cleanup()
            raise
        # a file that is passed through would be closed without what else is to be
        answer.direct_passthrough = False
        answer.call_on_close(folder.cleanup)
        return answer


def _export(books: Books, game: str, path: Path) -> None:
    try:
        export_bundle(books.store, books.pictures, game, path)
    except StoreError as error:
        if error.kind is not Trouble.BROKEN:
            raise
        # the store is well: it is this game that cannot be proved any more
        raise StoreError(Trouble.REFUSED, error.sentence) from error


def _file(text: str, kind: str, name: str) -> Response:
    answer = Response(text, content_type=f"{kind}; charset=utf-8")
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    return answer


def _name(library: Library, game: str, ending: str) -> str:
    """A name for a file: letters and digits only, whatever the game is called."""
    summary = library.summary(game)
    parts = (summary.name, summary.started_at[:10], game[:8])
    words = [re.sub(r"[^A-Za-z0-9]+", "", part) for part in parts]
    return f"{'-'.join(['tableside', *filter(None, words)])[:80]}.{ending}"
