"""`tableside access`: codes for people, tokens for machines."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from web_ui.access.access_file import (
    MOST_TOKENS,
    NAME,
    Access,
    AccessFileError,
    Token,
    changing,
    load_access,
    open_access,
    save_access,
    with_new_code,
)
from web_ui.access.codes import hash_token, new_token
from web_ui.access.names import NameRefusedError, clean_name
from web_ui.access.roles import CODED, Role
from web_ui.settings import Settings, SettingsError, load_settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

EPILOG = """\
A running table takes changes up at once. Exit: 0 done, 1 failed, 2 unusable input."""

MAY = {
    Role.VIEWER: "look",
    Role.OPERATOR: "look, run the table",
    Role.REFEREE: "look, run the table, correct, rule, sign off",
}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its parts."""
    parser = subparsers.add_parser(
        "access", help="codes of the roles, tokens for machines", epilog=EPILOG
    )
    parser.add_argument(
        "--settings", type=Path, metavar="FILE", help="settings (tableside.toml)"
    )
    parser.add_argument(
        "--data", metavar="DIR", help="folder that keeps logins (tableside-data)"
    )
    parts = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    parts.add_parser("show-roles", help="which roles there are and what they may")
    fresh = parts.add_parser(
        "new-pin", help="give a role another code; everybody must log in again"
    )
    fresh.add_argument("role", type=Role, choices=CODED, metavar="ROLE")
    token = parts.add_parser("token", help="tokens for machines")
    acts = token.add_subparsers(dest="act", required=True, metavar="ACT")
    add = acts.add_parser("add", help="make a token; it is shown this once")
    add.add_argument("name", metavar="NAME")
    add.add_argument("--role", type=Role, choices=CODED, required=True)
    remove = acts.add_parser("remove", help="a token opens nothing any more")
    remove.add_argument("name", metavar="NAME")
    acts.add_parser("list", help="names and roles of all tokens")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Show or change who is let in."""
    try:
        path = _folder(args) / NAME
        if args.what == "show-roles":
            return _show_roles(load_access(path))
        if args.what == "new-pin":
            return _new_code(path, args.role)
        if args.act == "list":
            return _list(load_access(path))
        change = _add if args.act == "add" else _remove
        return change(path, args)
    except (AccessFileError, SettingsError, NameRefusedError, ValueError) as error:
        print(f"tableside access: {error}", file=sys.stderr)
        return 2


def codes_text(codes: Mapping[Role, str]) -> str:
    """Say codes that were made just now: one line for each role."""
    return "\n".join(f"  {role:<9} {code}" for role, code in codes.items())


def _folder(args: argparse.Namespace) -> Path:
    path: Path | None = args.settings
    if path is None and Path("tableside.toml").is_file():
        path = Path("tableside.toml")
    settings = Settings() if path is None else load_settings(path)
    return Path(args.data or settings.store.folder)


def _show_roles(access: Access | None) -> int:
    for role in CODED:
        state = "has a code" if access else "has no code yet"
        print(f"{role:<9} {state}; may {MAY[role]}")
    print(f"{Role.PLAYER:<9} joins by the link of a seat; may look, hold that seat")
    if access is None:
        print("Codes are made when the table is first opened to the network.")
    return 0


def _new_code(path: Path, role: Role) -> int:
    _, made = open_access(path)
    if made:
        print("There were no codes yet; these are new, and shown this once:")
        print(codes_text(made))
        return 0
    with changing(path):
        changed, code = with_new_code(_there(path), role)
        save_access(path, changed)
    print("The new code, shown this once; all logins have ended:")
    print(codes_text({role: code}))
    return 0


def _add(path: Path, args: argparse.Namespace) -> int:
    name = clean_name(args.name)
    if not name:
        raise NameRefusedError("name must not be empty")
    _, made = open_access(path)
    with changing(path):
        access = _there(path)
        if any(token.name == name for token in access.tokens):
            return _failed(f"there is a token {name!r} already")
        if len(access.tokens) >= MOST_TOKENS:
            return _failed(f"there are {MOST_TOKENS} tokens already: remove one")
        text = new_token()
        token = Token(name, args.role, hash_token(text))
        save_access(path, replace(access, tokens=(*access.tokens, token)))
    print(text)
    print(f"A token for {args.role}s, shown this once.", file=sys.stderr)
    if made:
        print("There were no codes yet; these are new:", file=sys.stderr)
        print(codes_text(made), file=sys.stderr)
    return 0


def _remove(path: Path, args: argparse.Namespace) -> int:
    if load_access(path) is None:
        return _failed(f"there is no token {args.name!r}")
    with changing(path):
        access = _there(path)
        rest = tuple(token for token in access.tokens if token.name != args.name)
        if len(rest) == len(access.tokens):
            return _failed(f"there is no token {args.name!r}")
        save_access(path, replace(access, tokens=rest))
    print(f"The token {args.name!r} opens nothing any more.")
    return 0


def _list(access: Access | None) -> int:
    for token in access.tokens if access else ():
        print(f"{token.role:<9} {token.name}")
    return 0


def _there(path: Path) -> Access:
    access = load_access(path)
    if access is None:
        raise AccessFileError(f"{path}: was removed meanwhile")
    return access


def _failed(sentence: str) -> int:
    print(f"tableside access: {sentence}", file=sys.stderr)
    return 1
