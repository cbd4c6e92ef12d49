"""Kernels: loops in a small part of Python, as machine code."""
