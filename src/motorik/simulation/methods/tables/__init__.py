"""Tables of explicit Runge–Kutta methods: each in a file of its name, as `TABLE`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from motorik.simulation.methods.tableau import Tableau


class Tables(Mapping[str, "Tableau"]):
    """The tables of this package by name, which is that of their file."""

    def __init__(self) -> None:
        self._names = sorted(
            file.removesuffix(".py")
            for folder in __path__
            for file in os.listdir(folder)
            if file.endswith(".py") and not file.startswith("_")
        )

    def __getitem__(self, name: str) -> Tableau:
        if name not in self._names:
            raise KeyError(name)
        return import_module(f"{__name__}.{name}").TABLE

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


TABLES: Mapping[str, Tableau] = Tables()

__all__ = ["TABLES"]
