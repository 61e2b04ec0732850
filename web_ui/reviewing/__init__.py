"""Reviewing captures on the page `/dataset`: the queue, labels, files in and out."""
