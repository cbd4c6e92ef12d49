"""Turning drive lines."""
