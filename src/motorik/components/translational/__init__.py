"""Sliding drive lines."""
