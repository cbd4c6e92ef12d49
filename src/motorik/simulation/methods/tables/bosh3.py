"""Bogacki–Shampine 3(2): three stages, for coarse tolerances and rough forces.

Bogacki, Shampine 1989. The rate at the end serves the error and the next step; Hermite's
cubic is of order 3 already.
"""

from motorik.simulation.methods.tableau import Tableau

TABLE = Tableau(
    "bosh3",
    "Bogacki–Shampine 3(2)",
    order=3,
    nodes=(1 / 2, 3 / 4),
    stages=(
        (1 / 2,),
        (0.0, 3 / 4),
    ),
    weights=(2 / 9, 1 / 3, 4 / 9),
    errors={2: (-5 / 72, 1 / 12, 1 / 9, -1 / 8)},
)
