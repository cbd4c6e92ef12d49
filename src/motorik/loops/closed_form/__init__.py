"""Closed forms of kinematic loops, found automatically.

`find_plan` searches the hinges of a cluster of loops for the coordinates that stay
independent and the steps by which the others follow: planar dyads and spatial chains,
peeled off one after another. `solve_all` lists the assembly configurations, `match_sides`
finds that of a pose.
"""

from motorik.loops.closed_form.branches import Configuration, match_sides, solve_all
from motorik.loops.closed_form.search import find_plan, holds
from motorik.loops.closed_form.step import ClosedFormStep, ClosurePlan, Hinge, StepSolution
from motorik.loops.closed_form.walk import KnownPoses

__all__ = [
    "ClosedFormStep",
    "ClosurePlan",
    "Configuration",
    "Hinge",
    "KnownPoses",
    "StepSolution",
    "find_plan",
    "holds",
    "match_sides",
    "solve_all",
]
