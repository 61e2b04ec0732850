"""Headers that keep a browser from doing with an answer what no page here needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Response

CONTENT = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "frame-src 'none'",
        "worker-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""Content-Security-Policy: everything comes from here, nothing is inline."""

PERMISSIONS = ", ".join(
    f"{name}=()"
    for name in (
        "accelerometer",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "serial",
        "usb",
    )
)

YEAR_S = 365 * 24 * 3600


def harden(response: Response, *, static: bool, https: bool) -> None:
    """Add the headers to an answer.

    Args:
        response: changed in place.
        static: a file that ships with the program, which may be kept.
        https: whether pages are only opened over https.
    """
    headers = response.headers
    headers["Content-Security-Policy"] = CONTENT
    headers["X-Content-Type-Options"] = "nosniff"
    headers["X-Frame-Options"] = "DENY"
    # not no-referrer: with that a browser says `Origin: null` to our own forms
    headers["Referrer-Policy"] = "same-origin"
    headers["Permissions-Policy"] = PERMISSIONS
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    if https:
        headers["Strict-Transport-Security"] = f"max-age={YEAR_S}"
    if static:
        return
    kept = headers.get("Cache-Control", "")
    if "no-store" not in kept:
        # what says no-cache is kept by this browser only, and asked for again
        headers["Cache-Control"] = (
            "private, no-cache" if "no-cache" in kept else "no-store"
        )
