"""The functions an integration calls, in machine code or as callbacks to Python."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.compiler.addresses import Native
from motorik.errors import MotorikError

if TYPE_CHECKING:
    from motorik.mobile.dynamics.dynamic_system import DynamicSystem

NO_NUMBER = float("nan")


@dataclass
class NativeForm:
    """A dynamic system as native functions: `rhs`, its `jacobian`, and `project`.

    `begin` is to be called where they start from other conditions than those reached;
    `error` returns the exception raised inside of them, if any.
    """

    rhs: Native
    jacobian: Native | Callable[[], Native] | None = None
    project: Native | None = None
    begin: Callable[[], None] = lambda: None
    error: Callable[[], BaseException | None] = lambda: None


class Callback:
    """A function of (t, y) that native code calls at `address` with (t, y, p, result).

    Native code cannot raise. Where Python does, the result is NaN, which makes an integration
    try a smaller step; `error` keeps the exception. A mistake in a program or an interruption by
    the user, which no smaller step can cure, is kept: only NaN is returned from then on.
    Without a result the function overwrites y.
    """

    def __init__(
        self,
        function: Callable[[float, list[float]], Sequence[Scalar]],
        count: int,
        n_pointers: int,
    ) -> None:
        self._function = function
        self._numbers = ctypes.c_double * count
        self.error: BaseException | None = None
        self._entry = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * n_pointers)(self._call)
        self.address = ctypes.cast(self._entry, ctypes.c_void_p).value or 0

    def _call(self, t: int, y: int, p: int, result: int = 0) -> None:
        given = self._numbers.from_address(y)
        answer = self._numbers.from_address(result or y)
        values = [NO_NUMBER] * len(answer)
        is_mendable = self.error is None or isinstance(self.error, MotorikError)
        if is_mendable and all(map(isfinite, given)):
            try:
                time = ctypes.c_double.from_address(t).value
                values = [float(value) for value in self._function(time, given[:])]
                self.error = None
            except BaseException as error:  # raised again by whoever called native code
                self.error = error
        answer[:] = values


def call_back(system: DynamicSystem) -> NativeForm:
    """Return the native form of a system that computes in Python."""

    def projected(t: float, y: list[float]) -> Sequence[Scalar]:
        system.set_conditions(y)
        return system.projected() or y

    n = system.order
    rhs = Callback(system.derivative, n, 4)
    project = None if system.projected() is None else Callback(projected, n, 3)

    def error() -> BaseException | None:
        return rhs.error or (project.error if project else None)

    return NativeForm(rhs, project=project, error=error)
