"""Translational drive lines."""
