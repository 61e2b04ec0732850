"""Property tests here are the same on every run, and no clock fails them."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("scoring", derandomize=True, deadline=None)
settings.load_profile("scoring")
