"""Analyses without time integration.

- `operating_point.py`: the consistent state about which a model is analysed, with its modes.
- `evaluate.py`: variables at a state (`model.evaluate`).
- `linearization.py`, `tangent.py`, `descriptor.py`: linear equations of small motions on the
  constraint manifold (`model.linearize`); `modes.py`: their frequencies and shapes
  (`model.modes`). `directional.py` has the exact derivatives that they are made of, as rows.
- `equilibrium.py`: states at which a model stays at rest (`model.equilibrium`).
- `configurations.py`: consistent states as rows, with their independent speeds; `matrices.py`:
  mass matrix and Jacobians of frames there (`model.mass_matrix`, `model.jacobian`).
- `pose_equations.py`, `pose_kernels.py`: closed poses at which variables have given values,
  continued from row to row in machine code.
- `kinematics.py`: mechanisms driven through given values, dead points, workspaces
  (`model.sweep_kinematics`).
- `branches.py`: all assembly configurations of the loops (`model.branches`).
- `inverse_kinematics.py`: coordinates at which variables have given values and loops close.
- `inverse_dynamics.py`, `friction.py`: drive forces for a given motion, along the loops, with
  friction and stops; statically indeterminate forces are the smallest ones.
- `manipulator`: a pose moved interactively by Newton's method on the constraint manifold.
"""
