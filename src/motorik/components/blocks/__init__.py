"""Signals and how they follow from each other."""
