"""Joints between frames, and constraints."""
