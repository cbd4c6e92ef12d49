"""Gradients of objectives of a run by the adjoint, and runs that other packages differentiate."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from motorik.errors import ParameterError, checked_methods, refuse_pickle
from motorik.sensitivity.adjoint import NotedRun
from motorik.sensitivity.directions import RunDirections
from motorik.sensitivity.forward import output_times, start_of_run
from motorik.sensitivity.pulled_back import PulledBack, pulled_back
from motorik.sensitivity.variables import entries_of

if TYPE_CHECKING:
    from motorik.algebra.scalar import Scalar
    from motorik.compiled_model import CompiledModel
    from motorik.components.base.motion import Motion
    from motorik.sensitivity.fitting import Measured
    from motorik.sensitivity.trajectory import Settings
    from motorik.simulation.options import RunOptions

Value: TypeAlias = Callable[[np.ndarray], np.ndarray]
Quantity: TypeAlias = "str | Callable[[Motion], Scalar]"

NOTED = 16  # runs that are kept for their way back


# --- one objective ------------------------------------------------------------------------------


class RunGradient:
    """An objective of a run and its derivatives: ``found.value``, ``found["spring.c"]``.

    `by` are the names, `derivatives` an array in their order, each for one of the `units` of its
    name; `values` are those of the names in this run.
    """

    def __init__(
        self, value: float, derivatives: np.ndarray, directions: RunDirections
    ) -> None:
        self.value, self.derivatives = value, derivatives
        self.by, self.units = directions.names, directions.units
        self.values = directions.values

    def __getitem__(self, name: str) -> float:
        """Return the derivative by one name."""
        if name not in self.by:
            raise ParameterError(
                name,
                "is not among the names by which the objective was differentiated.",
                f"Give one of {', '.join(self.by)}.",
                parameter="by",
                value=name,
            )
        return float(self.derivatives[self.by.index(name)])

    def __repr__(self) -> str:
        width = max(map(len, self.by))
        lines = [f"Gradient of an objective of value {self.value:.6g}"]
        for name, unit, found in zip(self.by, self.units, self.derivatives, strict=True):
            per = f" per {unit}" if unit not in ("", "1") else ""
            lines.append(f"  {name:<{width}}: {found:.6g}{per}")
        return "\n".join(lines)


def gradient(
    system: CompiledModel,
    options: RunOptions,
    live: np.ndarray,
    by: Sequence[str],
    end: Quantity | None,
    integral: Quantity | None,
    measured: Measured | None,
    noise: np.ndarray | None,
) -> RunGradient:
    """Return an objective and its derivatives."""
    if end is None and integral is None and measured is None:
        raise ParameterError(
            "gradient",
            "has no objective: end, integral and data are None.",
            "Give a variable at the `end`, an `integral` over the run, or `data`.",
            parameter="end",
            value=None,
        )
    initial = start_of_run(system, options, live)
    directions = RunDirections.of(initial, by, options.duration)
    times = [] if measured is None else measured.time.tolist()
    grid = np.array([*times, options.stop_time])
    run = NotedRun(initial, options, directions, grid)
    own, total = initial.system, 0.0
    by_x, by_p = np.zeros_like(run.x), np.zeros((grid.size, len(run.places)))
    if measured is not None:
        assert noise is not None
        outputs = pulled_back(own, measured.outputs, run.places)
        at = run.time[:-1], run.x[:-1], run.p[:-1]
        left = (outputs.value(*at) - measured.values) / noise
        left[~np.isfinite(measured.values)] = 0.0
        total += float((left**2).sum())
        by_x[:-1], by_p[:-1] = outputs.back(*at, 2.0 * left / noise)
    if end is not None:
        last = _scalar(run, end, "end")
        at = run.time[-1:], run.x[-1:], run.p[-1:]
        total += float(last.value(*at)[0, 0])
        own_x, own_p = last.back(*at, np.ones((1, 1)))
        by_x[-1:] += own_x
        by_p[-1:] += own_p
    integrand = None
    if integral is not None:
        integrand = _scalar(run, integral, "integral")
    derivatives, area = run.pull_back(by_x, by_p, integrand)
    return RunGradient(total + area, derivatives, directions)


def _scalar(run: NotedRun, quantity: Quantity, argument: str) -> PulledBack:
    """Return a variable or a function of the motion as one number."""
    what = quantity if callable(quantity) else (quantity,)
    found = pulled_back(run.system, what, run.places, argument)
    if found.size != 1:
        raise ParameterError(
            str(quantity),
            f"has {found.size} numbers, and an objective is one.",
            f"Name one of them, e.g. {quantity}[1], or give a function of the motion.",
            parameter=argument,
            value=quantity,
        )
    return found


# --- runs as functions --------------------------------------------------------------------------


@checked_methods
class DifferentiableRun:
    """A run as a function of parameters and start values to variables at its output times.

    ``run(values)`` returns an array: a row for each of the output times `time` [s], a column for
    each of the numbers `outputs`. `values` are those of the names `by`, in their order, with
    `by_units`; `start` are the present ones. After ``y, back = run.pull_back(values)``, ``back(w)``
    is the gradient of the sum of w · y by the values, found by the adjoint, see `Model.gradient`.

    `to_torch` and `to_jax` return the same function for these packages, which differentiate
    through it. Values with leading axes are several runs, one after the other.
    """

    def __init__(
        self,
        system: CompiledModel,
        settings: Settings,
        by: Sequence[str],
        outputs: Sequence[str],
    ) -> None:
        self._system, self._settings, self._names = system, settings, tuple(outputs)
        options, live = settings({})
        initial = start_of_run(system, options, live)
        own = RunDirections.of(initial, by, options.duration)
        self.by, self.by_units, self.start = own.names, own.units, own.values.copy()
        self.time = output_times(options)
        self.outputs, self.output_units = entries_of(initial.system, outputs)
        self._noted: OrderedDict[bytes, _Evaluated] = OrderedDict()
        self._lock = Lock()

    def __call__(self, values: ArrayLike) -> np.ndarray:
        """Return the outputs of a run with these values."""
        return self.pull_back(values)[0]

    def pull_back(self, values: ArrayLike) -> tuple[np.ndarray, Value]:
        """Return the outputs y, and the function from w to the gradient of the sum of w · y.

        Values with leading axes give those of several runs.
        """
        given, size = self._checked(values), (self.time.size, len(self.outputs))
        runs = [self._evaluated(own) for own in given.reshape(-1, len(self.by))]
        y = np.array([own.y for own in runs]).reshape(*given.shape[:-1], *size)

        def back(w: np.ndarray) -> np.ndarray:
            w = np.asarray(w, dtype=float)
            if w.shape != y.shape:
                raise ParameterError(
                    "w",
                    f"has the shape {w.shape}, and the outputs have {y.shape}.",
                    "Give a number for each output time and output.",
                    parameter="w",
                    value=w.shape,
                )
            rows = zip(runs, w.reshape(-1, *size), strict=True)
            return np.array([own.back(change) for own, change in rows]).reshape(given.shape)

        return y, back

    def _checked(self, values: ArrayLike) -> np.ndarray:
        given = np.asarray(values, dtype=float)
        if given.ndim == 0 or given.shape[-1] != len(self.by):
            raise ParameterError(
                "values",
                f"has the shape {given.shape}, and there are {len(self.by)} names.",
                f"Give a number for each of {', '.join(self.by)}.",
                parameter="values",
                value=given.shape,
            )
        return given

    def _evaluated(self, values: np.ndarray) -> _Evaluated:
        """Return a run with these values; the last ones are kept."""
        key = np.ascontiguousarray(values, dtype=float).tobytes()
        with self._lock:
            if key in self._noted:
                self._noted.move_to_end(key)
                return self._noted[key]
        named = dict(zip(self.by, values.tolist(), strict=True))
        options, live = self._settings(named)
        initial = start_of_run(self._system, options, live)
        directions = RunDirections.of(initial, self.by, options.duration)
        run = NotedRun(initial, options, directions, self.time)
        outputs = pulled_back(initial.system, self._names, run.places)
        with self._lock:
            found = self._noted[key] = _Evaluated(run, outputs)
            while len(self._noted) > NOTED:
                self._noted.popitem(last=False)
        return found

    # --- other packages -------------------------------------------------------------------------

    def to_torch(self) -> Callable[..., Any]:
        """Return the run as function of a tensor for PyTorch, differentiable in reverse mode.

        It returns tensors of the kind and on the device of the values (package torch needed).
        """
        from motorik.sensitivity.bridges import torch_function

        return torch_function(self.pull_back)

    def to_jax(self) -> Callable[..., Any]:
        """Return the run as function for JAX, differentiable in reverse mode, also under jit.

        Under `vmap` runs follow one another (package jax needed, with 64-bit floats).
        """
        from motorik.sensitivity.bridges import jax_function

        def back(values: np.ndarray, w: np.ndarray) -> np.ndarray:
            return self.pull_back(values)[1](w)

        return jax_function(self.__call__, back, (self.time.size, len(self.outputs)))

    def __reduce__(self) -> tuple[object, ...]:
        refuse_pickle(
            "differentiable run",
            "Pickle the model, and make the run again where it is read.",
        )

    def __repr__(self) -> str:
        by = [f"{n} [{u}]" if u else n for n, u in zip(self.by, self.by_units, strict=True)]
        outputs = [
            f"{n} [{u}]" if u else n
            for n, u in zip(self.outputs, self.output_units, strict=True)
        ]
        return (
            f"Run of {self._system.facts.name} to {self.time[-1]:.6g} s, "
            f"{self.time.size} output times\n"
            f"  by: {', '.join(by)}\n  outputs: {', '.join(outputs)}"
        )


class _Evaluated:
    """A run with some values: its outputs, and their way back."""

    def __init__(self, run: NotedRun, outputs: PulledBack) -> None:
        self.run, self.outputs = run, outputs
        self.y = outputs.value(run.time, run.x, run.p)

    def back(self, w: np.ndarray) -> np.ndarray:
        """Return the gradient of the sum of w · y."""
        own = self.run
        rows = own.time, own.x, own.p, np.ascontiguousarray(w)
        return own.pull_back(*self.outputs.back(*rows))[0]
