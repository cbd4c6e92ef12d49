"""Functions of the state and their transposed derivatives at samples of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler.interpret import RowFunction
from motorik.sensitivity.variables import value_of_state, variables_of_state

if TYPE_CHECKING:
    import casadi

    from motorik.algebra.scalar import Scalar
    from motorik.compiled_model import CompiledModel
    from motorik.components.base.motion import Motion


class PulledBack:
    """A function y of (t, x, p) at samples, and its transposed derivative by x and p at places."""

    def __init__(self, function: casadi.Function, places: tuple[int, ...]) -> None:
        self.function, self.places = function, places
        self.size = function.numel_out(0)
        self._value = RowFunction(lambda: function)
        self._back = RowFunction(self._pulled)

    def value(self, t: np.ndarray, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return rows of y."""
        return self._value.for_rows(t.size).map(t.reshape(-1, 1), x, p)

    def back(
        self, t: np.ndarray, x: np.ndarray, p: np.ndarray, w: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return rows of the derivatives of wᵀ y by x, and by p at the places."""
        found = self._back.for_rows(t.size).map(t.reshape(-1, 1), x, p, w)
        return found[:, : x.shape[1]], found[:, x.shape[1] :]

    def _pulled(self) -> casadi.Function:
        import casadi

        own = self.function
        t, x, p = (casadi.SX.sym(own.name_in(k), own.numel_in(k)) for k in range(3))
        w = casadi.SX.sym("w", self.size)
        by = casadi.vertcat(x, *(p[place] for place in self.places))
        found = casadi.gradient(casadi.dot(w, own(t, x, p)), by)
        return casadi.Function("back", [t, x, p, w], [casadi.densify(found)])


def pulled_back(
    system: CompiledModel,
    what: Sequence[str] | Callable[[Motion], Scalar],
    places: tuple[int, ...],
    argument: str = "outputs",
) -> PulledBack:
    """Return variables, or a function of the motion, to be pulled back to x and p at the places.

    The last ones are kept. `argument` is what the user calls them.
    """
    if callable(what):  # what it reads may change, so that it is traced again
        function = value_of_state(system, what, argument)
        key, make = function.serialize(), lambda: function
    else:
        key, make = tuple(what), lambda: variables_of_state(system, what)
    return system.kept_for_gradients((key, places), lambda: PulledBack(make(), places))
