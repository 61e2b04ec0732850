"""Who may ask: Host against DNS rebinding, Origin against foreign pages."""

from __future__ import annotations

import pytest

from web_ui.access.guards import (
    fetch_refusal,
    host_name,
    host_refusal,
    is_loopback,
    origin_refusal,
)


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("0.0.0.0", False),
        ("192.168.1.5", False),
        ("localhost.example.org", False),
        ("", False),
    ],
)
def test_loopback_is_told_from_the_rest(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("", None),
        ("Table.local:8765", "table.local"),
        ("[::1]:8765", "::1"),
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.1:x", None),
        ("a@127.0.0.1", None),
        ("127.0.0.1/evil", None),
        ("[::1", None),
    ],
)
def test_host_name_is_taken_out_of_the_header(header: str, name: str | None) -> None:
    assert host_name(header) == name


@pytest.mark.parametrize("header", ["localhost:8765", "127.0.0.1:1", "[::1]"])
def test_table_on_loopback_answers_to_its_own_names(header: str) -> None:
    assert host_refusal("127.0.0.1", header) is None


@pytest.mark.parametrize("header", ["evil.example", "192.168.1.5:8765", ""])
def test_table_on_loopback_refuses_foreign_names(header: str) -> None:
    assert host_refusal("127.0.0.1", header) is not None


@pytest.mark.parametrize(
    ("header", "allowed"),
    [
        ("table:8765", True),
        ("Table.local:8765", True),
        ("192.168.1.5:8765", True),
        ("[fe80::1]:8765", True),
        ("localhost", True),
        ("hall.example", True),
        ("evil.example", False),
        ("evil.table", False),
        ("table.evil.example", False),
        ("table.home.arpa", True),
        ("", False),
    ],
)
def test_table_in_the_network_answers_to_addresses_and_its_own_names(
    header: str, allowed: bool
) -> None:
    refusal = host_refusal("0.0.0.0", header, ("table", "hall.example"))
    assert (refusal is None) is allowed


@pytest.mark.parametrize(
    ("origin", "site", "allowed"),
    [
        pytest.param("", "", True, id="no-browser"),
        pytest.param("http://127.0.0.1:8765", "same-origin", True, id="own-page"),
        pytest.param("http://evil.example", "cross-site", False, id="foreign-page"),
        pytest.param("http://evil.example", "", False, id="foreign-old-browser"),
        pytest.param("http://127.0.0.1:9999", "same-site", False, id="other-port"),
        pytest.param("null", "", False, id="sandboxed"),
        pytest.param("http://[", "", False, id="malformed"),
        pytest.param("", "cross-site", False, id="foreign-without-origin"),
    ],
)
def test_commands_come_only_from_own_pages(
    origin: str, site: str, allowed: bool
) -> None:
    refusal = origin_refusal(origin, site, "127.0.0.1:8765")
    assert (refusal is None) is allowed


@pytest.mark.parametrize(
    ("site", "mode", "destination", "allowed"),
    [
        pytest.param("", "", "", True, id="no-browser"),
        pytest.param("same-origin", "cors", "empty", True, id="own-page"),
        pytest.param("none", "navigate", "document", True, id="typed-in"),
        pytest.param("cross-site", "navigate", "document", True, id="link"),
        pytest.param("cross-site", "navigate", "iframe", False, id="framed"),
        pytest.param("cross-site", "no-cors", "image", False, id="foreign-picture"),
        pytest.param("same-site", "cors", "empty", False, id="other-port"),
    ],
)
def test_foreign_pages_may_link_but_not_look(
    site: str, mode: str, destination: str, allowed: bool
) -> None:
    assert (fetch_refusal(site, mode, destination) is None) is allowed
