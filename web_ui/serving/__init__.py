"""Serving pages, event streams and moving pictures to many."""
