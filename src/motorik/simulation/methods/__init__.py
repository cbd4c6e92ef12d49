"""The integration methods: tables of Runge–Kutta methods in `tables`, and others as kernels."""

from motorik.simulation.driver import Method
from motorik.simulation.methods.adams import ADAMS
from motorik.simulation.methods.bdf import BDF
from motorik.simulation.methods.gbs import GBS
from motorik.simulation.methods.runge_kutta import make_runge_kutta
from motorik.simulation.methods.tableau import Tableau
from motorik.simulation.methods.tables import TABLES

METHODS: dict[str, Method] = {
    **{table.name: make_runge_kutta(table) for table in TABLES.values()},
    **{method.name: method for method in (GBS, ADAMS, BDF)},
}

__all__ = ["METHODS", "TABLES", "Method", "Tableau", "make_runge_kutta"]
