"""Analyses without time integration.

- `branches.py`: all assembly configurations of the loops (`model.branches`).
- `inverse_kinematics.py`: coordinates at which variables have given values and loops close.
- `inverse_dynamics.py`, `friction.py`: drive forces for a given motion, along the loops, with
  friction and stops; statically indeterminate forces are the smallest ones.
- `manipulator`: a pose moved interactively by Newton's method on the constraint manifold.
"""
