"""Explicit Euler: the simplest method, of order 1, with fixed step size."""

from motorik.simulation.methods.tableau import Tableau

TABLE = Tableau(
    "euler",
    "explicit Euler, fixed step",
    order=1,
    nodes=(),
    stages=(),
    weights=(1.0,),
)
