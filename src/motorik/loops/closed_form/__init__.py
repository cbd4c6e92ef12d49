"""Closed forms of kinematic loops, found automatically.

`find_decomposition` searches the hinges of a cluster of loops for the coordinates that stay
independent and the steps by which the others follow: planar dyads and spatial chains,
peeled off one after another. `solve_all` lists the assembly configurations, `match_branches`
finds that of a pose.
"""

from motorik.loops.closed_form.assur_group import (
    AssurDecomposition,
    AssurGroup,
    GroupSolution,
    Hinge,
)
from motorik.loops.closed_form.branches import (
    Configuration,
    KnownPoses,
    match_branches,
    solve_all,
)
from motorik.loops.closed_form.search import find_decomposition, holds

__all__ = [
    "AssurDecomposition",
    "AssurGroup",
    "Configuration",
    "GroupSolution",
    "Hinge",
    "KnownPoses",
    "find_decomposition",
    "holds",
    "match_branches",
    "solve_all",
]
