"""AssembledModel: the parts of a model, taken once, as a tree of links in symbols or numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.components.base.composite import Composite
from motorik.components.base.internal import InternalRole
from motorik.components.base.ports import Port
from motorik.components.base.values import LiveScalar
from motorik.topology.assemble import Adapt, grow_tree
from motorik.topology.inventory import Inventory, take_inventory
from motorik.topology.live_values import ParameterCheck, live_scalars
from motorik.topology.mechanism import Mechanism

if TYPE_CHECKING:
    import casadi


def assemble_model(model: Composite, values: np.ndarray | None = None) -> AssembledModel:
    """Return a model as a tree of links; `values` replace the first of its live parameters."""
    import casadi

    live = live_scalars(model)
    p = np.array([scalar.value for scalar in live], dtype=float)
    if values is not None:
        p[: values.size] = values
    ParameterCheck(model, live)(p)
    return AssembledModel(model, live, casadi.SX.sym("p", len(live)), p)


class AssembledModel:
    """A model with the contributions of its parts, collected once.

    `live` are its live parameters, `symbols` the column of symbols in their places, and `p`
    the values at which loops are analysed. `adapt` changes the inventory before trees are
    grown of it: a sliding mode replaces a force law by a constraint.
    """

    def __init__(
        self,
        model: Composite,
        live: tuple[LiveScalar, ...],
        symbols: casadi.SX,
        p: np.ndarray,
        adapt: Adapt | None = None,
    ) -> None:
        self.model, self.live, self.symbols, self.p = model, live, symbols, p
        self.adapt = adapt
        self.turning: set[Port] = set()

    def with_values(self, p: np.ndarray) -> AssembledModel:
        """Return the same model with other values of its live parameters."""
        other = AssembledModel(self.model, self.live, self.symbols, p, self.adapt)
        other.turning = self.turning
        if "inventory" in self.__dict__:
            other.inventory = self.inventory
        return other

    @cached_property
    def inventory(self) -> Inventory:
        """The contributions of all parts, with symbols for live parameters."""
        import casadi

        elements = casadi.vertsplit(self.symbols) if self.live else []
        found = self._take(dict(zip(self.live, elements, strict=True)))
        numbers = zip(self.live, elements, strict=True)
        found.guesses = {own.label: value for own, value in numbers if _is_guess(own)}
        if self.live:
            found.live = (self.symbols, self.p)
            found.modes = tuple(
                k for k, own in enumerate(self.live) if _is_mode(own, float(self.p[k]))
            )
        return found

    @cached_property
    def numeric_inventory(self) -> Inventory:
        """The contributions of all parts, with values for live parameters."""
        if not self.live:
            return self.inventory
        found = self._take(dict(zip(self.live, self.p.tolist(), strict=True)))
        found.symbolic = self.inventory
        numbers = zip(self.live, self.p.tolist(), strict=True)
        found.guesses = {own.label: value for own, value in numbers if _is_guess(own)}
        return found

    def _take(self, values: Mapping[LiveScalar, Scalar]) -> Inventory:
        resolve = values.__getitem__
        inventory = take_inventory(self.model, resolve)
        if self.adapt is not None:
            self.adapt(inventory, resolve)
        inventory.turning |= self.turning
        return inventory

    @cached_property
    def mechanism(self) -> Mechanism:
        """The tree of links with symbols, joints with more freedom closing its loops."""
        return self._with_guesses(grow_tree(self.inventory))

    def let_turn(self, nodes: Iterable[Port]) -> None:
        """Give massless frames six freedoms in trees that are grown from now on."""
        self.turning.update(nodes)
        for name in ("inventory", "numeric_inventory"):
            if name in self.__dict__:
                self.__dict__[name].turning |= self.turning
        self.__dict__.pop("mechanism", None)

    def grown(self, order: Mapping[int, float] | None, absolute: bool) -> Mechanism:
        """Return the tree with symbols whose joints enter in this order, or none at all.

        With `absolute` each body has coordinates of its own, and all joints are constraints.
        """
        if order is None and not absolute:
            return self.mechanism
        return self._with_guesses(grow_tree(self.inventory, order, absolute))

    def _with_guesses(self, mechanism: Mechanism) -> Mechanism:
        """Take guesses for Newton's method, which networks need, among the live numbers."""
        import casadi

        new = [own for own in self.inventory.new_guesses if own[0] not in self.live]
        if new:
            self.live = (*self.live, *(number for number, _ in new))
            self.symbols = casadi.vertcat(self.symbols, *(symbol for _, symbol in new))
            self.p = np.concatenate([self.p, [number.value for number, _ in new]])
            self.inventory.live = (self.symbols, self.p)
            self.__dict__.pop("numeric_inventory", None)
        return mechanism

    def numeric(
        self,
        mechanism: Mechanism,
        order: Mapping[int, float] | None = None,
        absolute: bool = False,
    ) -> Mechanism:
        """Return the same tree with values for live parameters."""
        if not self.live:
            return mechanism
        return grow_tree(self.numeric_inventory, order, absolute)

    def number(self, value: Scalar) -> float:
        """Return the present value of a scalar that may hold symbols of live parameters."""
        if not hasattr(value, "is_constant"):
            return float(value)
        import casadi

        return float(casadi.Function("value", [self.symbols], [value])(self.p))


def _is_guess(number: LiveScalar) -> bool:
    return number.parameter.role is InternalRole.GUESS


def _is_mode(number: LiveScalar, value: float) -> bool:
    """Return whether a live number is a mode of a part: 0 or 1, changed by events."""
    return number.parameter.role is InternalRole.DISCRETE and value in (0.0, 1.0)
