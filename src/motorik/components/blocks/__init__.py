"""Blocks that compute signals from signals."""
