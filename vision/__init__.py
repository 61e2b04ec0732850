"""Pixels to readings: sources, detector, face reader, decode, settle."""
