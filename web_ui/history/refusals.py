"""What the library cannot give, as answers: which status, and a sentence."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from flask import abort

from web_ui.history.library import DamagedError, NoSuchError
from web_ui.store.errors import StoreError, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def told() -> Iterator[None]:
    """Turn what the library raises into an answer for whoever asked.

    404 for what is not there, 410 for a picture that was damaged, 409 for what a game
    cannot give, 503 for a store that is in trouble.
    """
    try:
        yield
    except NoSuchError as error:
        abort(404, str(error))
    except DamagedError as error:
        abort(410, str(error))
    except StoreError as error:
        abort(409 if error.kind is Trouble.REFUSED else 503, error.sentence)
