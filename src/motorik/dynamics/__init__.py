"""Algorithms of rigid-body dynamics on trees, and sparse linear systems in a fixed order.

Algorithms are functions of one link each (Featherstone 2008), handed to a tape: traced one after
another they become straight-line code, on a rolling tape equal calls share code.

- `articulated.py`: articulated-body algorithm, forward dynamics in linear time, in the axes of
  each link or of the world; freedoms that stick are locked in it.
- `compliances.py`: the diagonal of M⁻¹ in linear time.
- `composite_body.py`: mass matrix, inverse dynamics, M = LᵀDL along the branches.
- `reframe.py`: link frames by Denavit and Hartenberg, in which constants are sparse.
- `compound.py`: a compound joint, links coupled by loops, as one node of the recursion.
- `line_mass.py`: point masses on lines between links, as dependent links.

Linear systems of loops are [[M, Gᵀ], [G, 0]]. They trace to code without branches, so the order
of elimination is fixed beforehand and must hold along the whole motion. Admitted are pivots that
vanish at no regular position, whatever the numbers: speeds while the rest of M is definite; a
constraint after all its speeds; a speed with a constraint that determines it by a constant factor.
Where motions have no mass, w gᵀg is added to M. Early constraints are admitted with a small
compliance, which iterative refinement removes (Vanderbei 1995: quasidefinite matrices). Of all
sound orders the cheapest at sampled poses is taken. At a singular position of the mechanism 1/d of
a multiplier's pivot is softened to d/(d² + ε²).

- `elimination.py`, `symmetric_order.py`: choice of the order; `scaling.py`: scales, regular poses.
- `sparse.py`: factors and solutions as straight-line formulas, and the residual of the audit.
- `block_triangular.py`: block triangular form and pivots of square systems.
- `massless.py`: refusal of motions without inertia.
"""
