"""The integration methods, each a few kernels in a file of its own."""

from motorik.simulation.methods.adams import ADAMS
from motorik.simulation.methods.bdf import BDF
from motorik.simulation.methods.dop853 import DOP853
from motorik.simulation.methods.dopri5 import DOPRI5
from motorik.simulation.methods.driver import Method
from motorik.simulation.methods.euler import EULER
from motorik.simulation.methods.gbs import GBS
from motorik.simulation.methods.rk4 import RK4

METHODS: dict[str, Method] = {
    method.name: method for method in (DOPRI5, DOP853, GBS, ADAMS, BDF, RK4, EULER)
}

__all__ = ["METHODS", "Method"]
