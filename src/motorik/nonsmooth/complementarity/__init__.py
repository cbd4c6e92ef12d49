"""Kernels: complementarity problems of contact and friction forces."""
