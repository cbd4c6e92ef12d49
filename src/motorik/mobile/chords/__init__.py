"""Chords: measurements between frames, and lists of them."""
