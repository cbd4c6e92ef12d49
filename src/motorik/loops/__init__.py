"""Mechanisms with closed loops: formulation and equations of motion.

A loop is found, not declared: the joint that would close it is cut, and its constraint gives
equations. A revolute coordinate enters them with its sine and cosine.

- `ConstraintEquations`: g(q, t) = 0, a = G u + a₀ = 0, its rate G u̇ + γ, by differentiation.
- `MobilityAnalysis`: an assembled pose near the start values and others around it
  (`PositionProblem`, damped Newton's method, in blocks that share no coordinate), clusters of
  loops that share links, and the rank of G. Rank separates independent from redundant
  constraints: four parallel revolutes and Bricard's ring are the same case.
- `Scales`: one length for each cluster. All thresholds are relative to it; none is in metres.
- `closed_form`: decomposition of a cluster into Assur groups that are solved by formulas.
- `Formulation`: states, dependent coordinates and speeds u_D = J u_S + w, constraints with
  Lagrange multipliers, redundant constraints; branches and unwrapped angles as parameters.
  That of a tree is empty: every coordinate is a state; `LoopFormulation` has constraints.
- `LoopEquations`: the equations of motion, solved by a recursion over compound joints.

Strategies (`options.py`): *explicit*, closed forms; *projected*, all coordinates as states and
projection onto the constraints after each step, by the smallest change in the metric of the
mass matrix (Nikravesh 1988, ch. 13); *baumgarte*, the constraints stabilised by
g̈ + 2α ġ + β² g = 0 (Baumgarte 1972); *absolute*, projection or stabilisation on the coordinates
of free bodies. At a dead centre of a closed form the run continues by projection.

There is no strategy that solves for dependent coordinates by Newton's method in each evaluation.
It took as many steps as projection at the same accuracy, each evaluation 1.8 to 4.4 times as long
(Bricard, Stewart platform, Andrews, Fourbar1, ThreeCranks), and its code has memory of the last
solution, so that runs in several threads would wait for each other.

Compound joints. Links coupled by constraints form a compound joint on one base link, and
compound joints form a tree (Featherstone 2008, ch. 8; Kecskeméthy 1993). With the state rates
u̇_S, the multipliers λ and the acceleration A of the base as unknowns,

    [ JᵀMJ  Ḡᵀ  (HJ)ᵀ ]
    [ Ḡ     0   0     ]
    [ HJ    0   𝔐_c   ]

is eliminated except for A; the rest is the articulated inertia of the base. All strategies differ
only in J and Ḡ. A gear between two clusters merges both, the links between them and their common
parent into one compound joint. Projection, assembly and multipliers are solved per compound
joint, too, so a loop costs nothing elsewhere.

Elimination. Linear systems trace to straight-line code, so their order is fixed; it is chosen at
up to 64 reachable poses (`pose_sampling.py`, `elimination_orders.py`) among orders whose pivots
vanish at no regular position. An audit in the run checks the residual after each step. Redundant
constraints are monitored: if one opens, the run continues with it or ends with a message.

Massless points move in static equilibrium (`static_equilibrium.py`): a small system beside the
recursion, by the motion of the links around (`surroundings.py`). Modelica MultiBody selects
states and manipulates equations symbolically; MOBILE (Kecskeméthy 1999) has the user program and
order the solvers of loops. Here Assur groups are found in plain joints, and projection is the
fallback.
"""
