"""Manipulators: a pose is moved interactively while loops stay closed.

`Follower` takes Newton steps that minimise the distance of a held point or variable (`Grip`) to
its target, reduced to the null space of the constraint Jacobian (`Directions`), with the curvature
of the constraints where the target is out of reach. A step is kept only if the distance decreases
and if closing the loops leads not far from it, so a pose never jumps to another branch; at a dead
centre, where the gradient vanishes, it goes back along the motion it came from. Stops are an
active set. `HandCode` is compiled once for a model, `MoveOutcome` reports limits and dead centres.
"""

from motorik.analysis.manipulator.manipulator import Manipulator
from motorik.analysis.manipulator.outcome import MoveOutcome

__all__ = ["Manipulator", "MoveOutcome"]
