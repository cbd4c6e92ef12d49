"""Solvers of loops, explicit and implicit."""
