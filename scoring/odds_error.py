"""The error of all odds."""

from __future__ import annotations

from scoring.cards import ScoringError


class OddsError(ScoringError, ValueError):
    """Odds that cannot be told: wrong dice, faces or number of rolls."""
