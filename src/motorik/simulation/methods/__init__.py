"""The integration methods: tables of Runge–Kutta methods in `tables`, and others as kernels."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module

from motorik.simulation.driver import Method
from motorik.simulation.methods.tables import TABLES

KERNELS = (
    "gbs",
    "adams",
    "bdf",
    "radau",
)  # each a module of this package that defines METHOD


class Methods(MutableMapping[str, Method]):
    """All methods by name; each is made, and its module loaded, when it is first used.

    Others can be added: ``METHODS["heun"] = make_runge_kutta(table)``.
    """

    def __init__(self) -> None:
        self._made: dict[str, Method] = {}

    def __getitem__(self, name: str) -> Method:
        if name not in self._made:
            self._made[name] = _make(name)
        return self._made[name]

    def __setitem__(self, name: str, method: Method) -> None:
        self._made[name] = method

    def __delitem__(self, name: str) -> None:
        del self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*TABLES, *KERNELS, *self._made)))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __contains__(self, name: object) -> bool:
        return name in self._made or name in TABLES or name in KERNELS


def _make(name: str) -> Method:
    if name in KERNELS:
        return import_module(f"{__name__}.{name}").METHOD
    from motorik.simulation.methods.runge_kutta import make_runge_kutta

    return make_runge_kutta(TABLES[name])


METHODS: MutableMapping[str, Method] = Methods()

__all__ = ["METHODS", "TABLES", "Method"]
