"""Why something is not done on the page of an enrolment."""

from __future__ import annotations


class OrderError(ValueError):
    """What was sent is no order; the message says what was expected."""


class RefusedError(RuntimeError):
    """The order cannot be carried out now; the message says why."""
