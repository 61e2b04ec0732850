"""The file of logins: hashes of codes and tokens, and the key of the cookies."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from datasets.captures.private_files import make_private, write_private
from scoring.json_files import JsonFileError, read_json
from web_ui.access.codes import hash_code, is_code_hash, new_code
from web_ui.access.names import NameRefusedError, clean_name
from web_ui.access.roles import CODED, Role

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FORMAT = "tableside-access/1"
NAME = "access.json"
PRIVATE = 0o600
MOST_TOKENS = 100

_HEX64 = re.compile(r"[0-9a-f]{64}")


class AccessFileError(ValueError):
    """A file of logins that cannot be used; the message begins with its path."""


@dataclass(frozen=True, slots=True)
class Token:
    """A machine's token.

    Attributes:
        name: what it is for.
        role: what its bearer may.
        hash: SHA-256, 64 hexadecimal digits.
    """

    name: str
    role: Role
    hash: str


@dataclass(frozen=True, slots=True)
class Access:
    """What the file holds.

    Attributes:
        key: signs cookies and seats' links, 64 hexadecimal digits; a new one ends all
            sessions.
        codes: role and Argon2id hash of its code.
        tokens: for machines.
    """

    key: str
    codes: tuple[tuple[Role, str], ...]
    tokens: tuple[Token, ...] = ()


def new_access() -> tuple[Access, dict[Role, str]]:
    """Draw everything anew.

    Returns:
        What to keep, and the codes, which are not kept.
    """
    codes = {role: new_code() for role in CODED}
    hashed = tuple((role, hash_code(code)) for role, code in codes.items())
    return Access(secrets.token_hex(32), hashed), codes


def with_new_code(access: Access, role: Role) -> tuple[Access, str]:
    """Give a role another code, which ends all sessions."""
    code = new_code()
    hashed = tuple(
        (other, hash_code(code) if other is role else kept)
        for other, kept in access.codes
    )
    return replace(access, key=secrets.token_hex(32), codes=hashed), code


def load_access(path: Path) -> Access | None:
    """Read the file; None if there is none.

    Raises:
        AccessFileError: unreadable or damaged.
    """
    try:
        if not path.exists():
            return None
        if path.stat().st_mode & 0o077:
            path.chmod(PRIVATE)  # copied here, perhaps: others must not read it
        record = read_json(path)
    except JsonFileError as error:
        raise AccessFileError(_how_on(str(error))) from error
    except OSError as error:
        raise AccessFileError(f"{path}: cannot be read: {error.strerror}") from error
    try:
        return _parsed(record)
    except (KeyError, TypeError, ValueError) as error:
        raise AccessFileError(_how_on(f"{path}: damaged: {error}")) from error


def _how_on(sentence: str) -> str:
    return f"{sentence} (remove the file to make new codes and tokens)"


def save_access(path: Path, access: Access) -> None:
    """Write the file whole or not at all, for its owner's eyes only.

    Raises:
        AccessFileError: it cannot be written.
    """
    record = {
        "format": FORMAT,
        "key": access.key,
        "codes": {str(role): kept for role, kept in access.codes},
        "tokens": [
            {"name": token.name, "role": str(token.role), "sha256": token.hash}
            for token in access.tokens
        ],
    }
    try:
        write_private(path, (json.dumps(record, indent=1) + "\n").encode())
    except OSError as error:
        why = error.strerror or str(error)
        raise AccessFileError(f"{path}: cannot be written: {why}") from error


@contextlib.contextmanager
def changing(path: Path) -> Iterator[None]:
    """Let one process at a time change the file.

    Raises:
        AccessFileError: its folder cannot be written to.
    """
    lock = path.with_name(path.name + ".lock")
    try:
        make_private(path.parent)
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
    except OSError as error:
        raise AccessFileError(f"{path}: cannot be written: {error.strerror}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def open_access(path: Path) -> tuple[Access, dict[Role, str]]:
    """Read the file, or make it if there is none.

    Returns:
        What it holds, and the codes if they were made now.

    Raises:
        AccessFileError: unreadable, damaged or not to be written.
    """
    found = load_access(path)
    if found is not None:
        return found, {}
    with changing(path):
        found = load_access(path)  # another process may have been quicker
        if found is not None:
            return found, {}
        made, codes = new_access()
        save_access(path, made)
        return made, codes


def _parsed(record: object) -> Access:
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ValueError(f"format must be {FORMAT!r}")
    codes, tokens = record["codes"], record["tokens"]
    if not isinstance(codes, dict) or set(codes) != {str(role) for role in CODED}:
        raise ValueError(f"codes must name {', '.join(CODED)}")
    for role, kept in codes.items():
        if not isinstance(kept, str) or not is_code_hash(kept):
            raise ValueError(f"codes.{role} must be an Argon2id hash")
    if not isinstance(tokens, list) or len(tokens) > MOST_TOKENS:
        raise ValueError(f"tokens must be a list of {MOST_TOKENS} at most")
    return Access(
        _hex(record["key"], "key"),
        tuple((role, codes[role]) for role in CODED),
        tuple(_token(token) for token in tokens),
    )


def _token(record: Any) -> Token:
    try:
        name = clean_name(record["name"])
    except NameRefusedError as error:
        raise ValueError(f"tokens: {error}") from error
    return Token(name, Role(record["role"]), _hex(record["sha256"], "sha256"))


def _hex(value: object, name: str) -> str:
    if not isinstance(value, str) or not _HEX64.fullmatch(value):
        raise ValueError(f"{name} must be 64 hexadecimal digits")
    return value
