"""Validation: motorik's results measured against published ones."""
