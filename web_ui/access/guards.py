"""Where a request comes from: the checks of Host, Origin and fetch metadata.

Pure functions over header values. A page of somebody else, open in the same browser,
must not be able to post commands (Origin) or to look (fetch metadata), nor may a
foreign name that resolves to this machine be answered (DNS rebinding, Host).
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

LOCAL_ENDINGS = frozenset({"local", "lan", "home", "home.arpa", "internal"})
"""Endings that no public name server answers for; `table` is also `table.lan`."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address.

    Args:
        host: an address or `localhost`, without brackets or port.
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def host_name(header: str) -> str | None:
    """Take the name out of a Host header.

    Returns:
        The name in lower case without brackets and port; None if malformed.
    """
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port  # raises if it is not a port
    except ValueError:
        return None
    if not parts.hostname or parts.path or parts.query or parts.fragment:
        return None
    if "@" in parts.netloc:
        return None
    return parts.hostname.lower()


def is_address(host: str) -> bool:
    """Whether this is an IP address, which no foreign name server can redirect."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def host_refusal(bound_to: str, header: str, names: tuple[str, ...] = ()) -> str | None:
    """Judge the Host header.

    Args:
        bound_to: the address the server listens on.
        header: the Host header, empty if missing.
        names: names of this machine in the network; `table` is also `table.lan`.

    Returns:
        Why it is refused; None if it is fine.
    """
    name = host_name(header)
    if name is None:
        return f"the Host header {header!r} names no host"
    if is_loopback(bound_to) and not is_loopback(name):
        return f"this table answers on this machine only, not as {name!r}"
    known = [own.lower() for own in names]
    if is_loopback(name) or is_address(name) or name in known:
        return None
    first, _, ending = name.partition(".")
    if first in known and ending in LOCAL_ENDINGS:
        return None
    return f"{name!r} is not a name of this table: add it to server.names"


def origin_refusal(origin: str, fetch_site: str, host: str) -> str | None:
    """Judge where a command comes from.

    Browsers send Origin with every POST; programs such as curl send none.

    Args:
        origin: the Origin header, empty if missing.
        fetch_site: the Sec-Fetch-Site header, empty if missing.
        host: the Host header.

    Returns:
        Why it is refused; None if it is fine.
    """
    if fetch_site not in ("", "same-origin", "none"):
        return f"commands come from this table's own pages, not {fetch_site!r}"
    if not origin:
        return None
    try:
        netloc = urlsplit(origin).netloc
    except ValueError:
        netloc = ""
    if netloc.lower() != host.lower():
        return f"commands come from this table's own pages, not from {origin!r}"
    return None


def fetch_refusal(site: str, mode: str, destination: str) -> str | None:
    """Judge whether a page of somebody else may look.

    Args:
        site: the Sec-Fetch-Site header, empty if missing.
        mode: the Sec-Fetch-Mode header, empty if missing.
        destination: the Sec-Fetch-Dest header, empty if missing.

    Returns:
        Why it is refused; None if it is fine: own pages, programs, links followed.
    """
    if site in ("", "same-origin", "none"):
        return None
    if mode == "navigate" and destination in ("", "document"):
        return None
    return f"this table answers its own pages, not {site!r}"
