"""The integration methods: tables of Runge–Kutta methods in `tables`, and others as kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from motorik.simulation.driver import Method
from motorik.simulation.methods.tables import TABLES

KERNELS = ("gbs", "adams", "bdf")  # each a module of this package that defines METHOD


class Methods(Mapping[str, Method]):
    """All methods by name; each is made, and its module loaded, when it is first used."""

    def __getitem__(self, name: str) -> Method:
        return _method(name)

    def __iter__(self) -> Iterator[str]:
        return iter((*TABLES, *KERNELS))

    def __len__(self) -> int:
        return len(TABLES) + len(KERNELS)

    def __contains__(self, name: object) -> bool:
        return name in TABLES or name in KERNELS


@cache
def _method(name: str) -> Method:
    if name in KERNELS:
        return import_module(f"{__name__}.{name}").METHOD
    from motorik.simulation.methods.runge_kutta import make_runge_kutta

    return make_runge_kutta(TABLES[name])


METHODS: Mapping[str, Method] = Methods()

__all__ = ["METHODS", "TABLES", "Method"]
