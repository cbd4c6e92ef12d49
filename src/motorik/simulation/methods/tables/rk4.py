"""The classical Runge–Kutta method of order 4 (Kutta 1901), with fixed step size."""

from motorik.simulation.methods.tableau import Tableau

TABLE = Tableau(
    "rk4",
    "Runge–Kutta of order 4, fixed step",
    order=4,
    nodes=(1 / 2, 1 / 2, 1.0),
    stages=(
        (1 / 2,),
        (0.0, 1 / 2),
        (0.0, 0.0, 1.0),
    ),
    weights=(1 / 6, 1 / 3, 1 / 3, 1 / 6),
)
