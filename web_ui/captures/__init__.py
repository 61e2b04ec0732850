"""Keeping rolls from play: what was decided becomes a capture, beside the table."""
