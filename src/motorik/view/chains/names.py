"""ChainNames: the variables, frames and parameters of a MOBILE program by their names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

from motorik.errors import UnknownNameError, suggest
from motorik.mobile import (
    Frame,
    Mutable,
    MutableAngle,
    MutableScalar,
    MutableVector,
    State,
    StateVariable,
)
from motorik.mobile.compiled.quantities import StateQuantity
from motorik.mobile.dynamics.result import own_names, units_of
from motorik.mobile.widgets import Target

T = TypeVar("T")
Entry = tuple[Target, str, str]
"""An object, the attribute of it that is a number, and the unit of that."""


class ChainNames:
    """Values of state objects and parameters that can be set and read by name.

    A variable has two names, as in results: "phi" and its speed "der(phi)". A vector is set by
    its components, "l.x". Anything else of a frame or a variable is read as "K2.p", "phi.Q".
    Objects without a name, or with an ambiguous one, are excluded.
    """

    def __init__(self, states: Sequence[State], parameters: Iterable[Mutable]) -> None:
        named = own_names((state.name, state) for state in states)
        self._states = named
        self.variables: dict[str, Entry] = {}
        for name, state in named.items():
            if isinstance(state, StateVariable):
                self.variables[name] = state, "q", state.unit
                self.variables[f"der({name})"] = state, "qd", units_of(state)["qd"]
        own = own_names((getattr(p, "name", ""), p) for p in parameters)
        self._settable = dict(self.variables)
        for name, parameter in own.items():
            self._settable |= _entries(name, parameter)

    @property
    def settable(self) -> list[str]:
        """The names of all that can be set."""
        return [*self._settable]

    def find(self, name: str) -> Entry:
        """Return the settable quantity of a name."""
        if name not in self._settable:
            raise UnknownNameError(
                "live",
                f"{name!r} is neither a variable nor its speed nor a parameter.",
                suggest(name, self._settable),
                value=name,
            )
        return self._settable[name]

    @property
    def known(self) -> list[str]:
        """All names that can be read."""
        entries = [f"{n}.{e}" for n, s in self._states.items() for e in units_of(s)]
        return [*self._settable, *entries]

    def variable(self, name: str) -> StateVariable:
        """Return a variable by its name."""
        return self._named(name, StateVariable, "variable")

    def frame(self, name: str) -> Frame:
        """Return a frame by its name."""
        return self._named(name, Frame, "frame")

    def _named(self, name: str, kind: type[T], word: str) -> T:
        found = self._states.get(name)
        if not isinstance(found, kind):
            known = [n for n, state in self._states.items() if isinstance(state, kind)]
            raise UnknownNameError(
                "live", f"there is no {word} {name!r}.", suggest(name, known), value=name
            )
        return found

    def read(self, name: str) -> float | np.ndarray:
        """Return the present value of anything that has a name."""
        if name in self._settable:
            target, entry, _ = self._settable[name]
            return float(getattr(target, entry))
        state, _, entry = name.rpartition(".")
        found = self._states.get(state)
        if found is None or entry not in units_of(found):
            raise UnknownNameError(
                "live",
                f"there is no {name!r}.",
                suggest(name, self.known),
                value=name,
            )
        quantity = StateQuantity(found, entry)
        numbers = np.array(quantity.read(), dtype=float).reshape(quantity.shape)
        return numbers if quantity.shape else float(numbers)


def _entries(name: str, parameter: Mutable) -> dict[str, Entry]:
    """Return the numbers of a parameter by name; none of a rotation or a tensor."""
    if isinstance(parameter, MutableScalar):
        return {name: (parameter, "value", "")}
    if isinstance(parameter, MutableAngle):
        return {name: (parameter, "radians", "rad")}
    if isinstance(parameter, MutableVector):
        return {f"{name}.{c}": (parameter, c, "") for c in "xyz"}
    return {}
