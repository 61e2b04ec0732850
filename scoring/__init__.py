"""Faces, dice sets, hands and games: pure rules."""
