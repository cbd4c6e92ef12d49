"""Chains and systems as machine code."""
