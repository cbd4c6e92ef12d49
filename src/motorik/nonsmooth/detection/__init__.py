"""Kernels: event functions, their sampling within a step, root finding, tolerances."""
