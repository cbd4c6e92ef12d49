"""Tables of explicit Runge–Kutta methods, one in each file as `TABLE`."""

from importlib import import_module
from pkgutil import iter_modules

from motorik.simulation.methods.tableau import Tableau


def find_tables() -> dict[str, Tableau]:
    """Return the table of each file of this package, by the name of its method."""
    modules = (import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__))
    return {module.TABLE.name: module.TABLE for module in modules}


TABLES = find_tables()

__all__ = ["TABLES", "find_tables"]
