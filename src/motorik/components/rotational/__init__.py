"""Rotational drive lines."""
