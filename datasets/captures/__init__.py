"""Rolls kept from play: pictures with what was read and what was decided, as files."""
