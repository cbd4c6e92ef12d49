"""Kernels: event functions, their sampling in a step, and root finding."""
