"""Electrical parts, written as equations."""
