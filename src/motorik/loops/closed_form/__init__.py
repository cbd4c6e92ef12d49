"""Assur groups in closed form: loops closed by formulas, found automatically.

A cluster of loops is a set of bodies joined by hinges (`Hinge`): revolute R, prismatic P,
spherical S, rods D of fixed length. `find_decomposition` chooses the independent hinges, as
many as the degree of freedom, and splits the rest into Assur groups: kinematic chains of
mobility zero between bodies of known pose (Assur 1914). Each `AssurGroup` gives the
coordinates of its hinges from the poses of its end bodies by formulas, in this order:

- `planar.py`: dyads RRR, RRP, RPR, PRP, RPP and single bodies, in complex numbers;
- `reach.py`, `spatial.py`: a revolute or prismatic joint that brings two points to a given
  distance (USR, UPS, SSR …), then joints that point or orient a body (Kecskeméthy 1993);
- `search.py`: joints between two known bodies, and the search itself.

Universal and spherical joints are recognised in revolute joints whose axes meet. Geometry is
judged at several assembled poses; a group must hold at all of them. Of several decompositions
the search takes the one with preferred states, a crank that turns fully, and large margins.

A group has up to two solutions, its branches σ = ±1; the margin is 0 at the dead centre, where
both meet. The branch is a parameter of the equations, kept through a run. `solve_all` lists
the assembly configurations, `match_branches` finds that of a pose.
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
