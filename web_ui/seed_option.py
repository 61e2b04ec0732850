"""The option `--seed`: a whole number that every generator takes."""

from __future__ import annotations

import argparse

MOST_SEED = 2**32 - 1


def whole_seed(text: str) -> int:
    """Read a seed, as argparse wants it.

    Raises:
        argparse.ArgumentTypeError: something else.
    """
    # int() takes blanks and underscores; of thousands of digits it raises
    if text.isascii() and text.isdigit() and len(text) <= len(str(MOST_SEED)):
        value = int(text)
        if value <= MOST_SEED:
            return value
    raise argparse.ArgumentTypeError(
        f"must be a whole number of 0..{MOST_SEED}, not {text!r:.40}"
    )
