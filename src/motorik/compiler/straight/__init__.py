"""Straight-line code: from a function of scalars to LLVM text."""
