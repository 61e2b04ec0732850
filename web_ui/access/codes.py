"""Codes that people type, and tokens that machines send; only hashes are kept.

A code is short, so it is kept as Argon2id; a token has 256 bits of chance, which
nobody guesses, so SHA-256 does. The one file that imports argon2.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading

import argon2
from argon2.exceptions import InvalidHashError, VerificationError

DIGITS = 8
LONGEST_CODE = 64
"""Longer ones are not hashed at all."""
TOKEN_MARK = "tableside_"
"""Begins every token, so that one in a log is recognised as such."""

# OWASP's least for Argon2id: 19 MiB, two passes. A guess costs about 30 ms for each
# role; what keeps guessing out is the limit on attempts, not the cost.
_HASHER = argon2.PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
# one at a time: a crowd of logins shall not take the memory of the camera's reader
_ONE = threading.Lock()


def new_code() -> str:
    """Draw a code: two groups of four digits."""
    digits = "".join(str(secrets.randbelow(10)) for _ in range(DIGITS))
    return f"{digits[:4]} {digits[4:]}"


def bare_code(text: str) -> str:
    """Take out what people put between digits."""
    return "".join(sign for sign in text if sign not in " -.\u00a0\t")


def hash_code(code: str) -> str:
    """Hash a code to be kept."""
    return _HASHER.hash(bare_code(code))


def code_fits(kept: str, code: str) -> bool:
    """Whether a code is the one whose hash was kept."""
    bare = bare_code(code)
    if not bare or len(bare) > LONGEST_CODE:
        return False
    try:
        with _ONE:
            return _HASHER.verify(kept, bare.encode("utf-8", "surrogatepass"))
    except (VerificationError, InvalidHashError):
        return False


def is_code_hash(text: str) -> bool:
    """Whether a text is a hash that `code_fits` can use."""
    try:
        argon2.extract_parameters(text)
    except InvalidHashError:
        return False
    return text.startswith("$argon2id$")


def new_token() -> str:
    """Draw a token."""
    return TOKEN_MARK + secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """Hash a token to be kept: 64 hexadecimal digits."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def same_hash(one: str, other: str) -> bool:
    """Compare two hashes in a time that does not tell where they differ."""
    return hmac.compare_digest(one, other)
