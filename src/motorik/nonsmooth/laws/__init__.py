"""Equations: set-valued force laws, algebraic loops, event functions and time events."""
