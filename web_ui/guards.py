"""The checks of Host and Origin under their former name."""

from web_ui.access.guards import host_refusal, is_loopback, origin_refusal

__all__ = ["host_refusal", "is_loopback", "origin_refusal"]
