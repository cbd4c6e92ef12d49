"""Rolled programs: equal steps that share their code."""
