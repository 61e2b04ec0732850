"""A table that others in the network can reach, with clients that log in."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from open_tables import SETTINGS, OpenTable

from web_ui.access.keeper import Keeper
from web_ui.settings import AccessSettings
from web_ui.virtual.table import card_table

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from web_ui.access.roles import Role


class NetworkTable:
    """A table bound to a network address.

    Args:
        folder: where its logins are kept.
        access: who has to log in.
    """

    def __init__(self, folder: Path, access: AccessSettings | None = None) -> None:
        self.folder = folder
        self.keeper, self.codes = Keeper.open(folder, 16)
        settings = replace(
            SETTINGS,
            server=replace(SETTINGS.server, host="0.0.0.0"),
            access=access or AccessSettings(),
        )
        # a drawn table, so that all routes are there
        self.table = OpenTable(settings, keeper=self.keeper, virtual=card_table(1))

    @property
    def app(self) -> Flask:
        """The app."""
        return self.table.client.application

    def visitor(self, address: str = "192.168.1.77") -> FlaskClient:
        """A browser of its own, not logged in."""
        client = self.app.test_client()
        client.environ_base["REMOTE_ADDR"] = address
        return client

    def log_in(
        self, client: FlaskClient, code: str, name: str = "", way: str = "/"
    ) -> TestResponse:
        """Send the form of the login page."""
        data = {"code": code, "name": name, "next": way}
        return client.post("/login", data=data | {"csrf_token": csrf_of(client)})

    def guest(self, role: Role, name: str = "") -> FlaskClient:
        """A browser logged in by the code of a role."""
        client = self.visitor()
        assert self.log_in(client, self.codes[role], name).status_code == 303
        return client

    def close(self) -> None:
        """End the table."""
        self.table.close()


def csrf_of(client: FlaskClient) -> str:
    """What the client's pages would send with a change; empty if not logged in."""
    page = client.get("/login").get_data(as_text=True)
    found = re.search(r'name="csrf_token" value="([0-9a-f]*)"', page)
    return found[1] if found else ""
