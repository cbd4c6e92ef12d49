"""Fitting: parameters of a model from measured data, by exact derivatives of its runs.

The sum of the squares of (computed − measured) / noise is minimised by the method of Levenberg
(1944) and Marquardt (1963), within bounds. Where the noise of outputs is not given, it is estimated
from what is left over, and the fit repeated with these weights until they stay.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.errors import (
    ParameterError,
    SimulationError,
    UnknownNameError,
    checked_methods,
)
from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.results import Result
    from motorik.sensitivity.trajectory import Sensitivities

Bounds = tuple[float | None, float | None]
Names = Sequence[str] | Mapping[str, Bounds | None]
Differentiate = Callable[[Mapping[str, float]], "Sensitivities"]

MOST_ITERATIONS = 100
WEIGHTINGS = 20  # times that weights are estimated again
SETTLED = 1e-9  # change of the sum of squares, and of parameters in parts of their errors
WEIGHTS_SETTLED = 1e-4  # relative change of the noise of outputs
FIRST_DAMPING = 1e-3
NO_INFLUENCE = 1e-9  # of the largest influence of a parameter on what is measured
DEPENDENT = 1e-8  # of singular values: parameters that cannot be told apart
LEVEL = 0.95  # of confidence intervals


# --- what was measured --------------------------------------------------------------------------


@immutable(eq=False)
class Measured:
    """Measured values: times [s], and a column for each output; missing ones are not a number."""

    time: np.ndarray
    outputs: tuple[str, ...]
    values: np.ndarray

    @staticmethod
    def of(data: object) -> Measured:
        """Return a mapping of columns with "time", a table or a result as measured values."""
        columns = _columns(data)
        if "time" not in columns:
            raise ParameterError(
                "data",
                f"has no column 'time' among {', '.join(map(str, columns)) or 'none'}.",
                'Give columns by name, as {"time": [0.0, 0.1, …], "hinge.phi": […]}.',
                parameter="data",
                value=tuple(columns),
            )
        time = columns.pop("time")
        if not columns:
            raise ParameterError(
                "data",
                "has no column but 'time'.",
                "Add columns by the names of variables.",
                parameter="data",
                value=("time",),
            )
        for name, column in columns.items():
            if column.shape != time.shape:
                raise ParameterError(
                    str(name),
                    f"has values of shape {column.shape}, and there are {time.size} times.",
                    "Give one number for each time; those that are missing are nan.",
                    parameter="data",
                    value=column,
                )
        order = np.argsort(time, kind="stable")
        time = time[order]
        if not np.isfinite(time).all() or (np.diff(time) <= 0.0).any():
            raise ParameterError(
                "data",
                "has times that are missing, or two equal ones.",
                "Give finite times [s], each once.",
                parameter="data",
                value=time,
            )
        values = np.column_stack([column[order] for column in columns.values()])
        for name, column in zip(columns, values.T, strict=True):
            if not np.isfinite(column).any():
                raise ParameterError(
                    str(name),
                    "has no finite number.",
                    "Leave this column out.",
                    parameter="data",
                    value=column,
                )
        return Measured(time, tuple(columns), values)

    def refuse_outside(self, start: float, stop: float) -> None:
        """Refuse times that are not those of a run."""
        if self.time[0] < start or self.time[-1] > stop:
            raise ParameterError(
                "data",
                f"has times from {self.time[0]:.6g} s to {self.time[-1]:.6g} s, and the run goes "
                f"from {start:.6g} s to {stop:.6g} s.",
                "Leave out the others, or run longer.",
                parameter="data",
                value=self.time[[0, -1]],
            )


def _columns(data: object) -> dict[str, np.ndarray]:
    """Return the columns of a mapping, a table of pandas or a data set of xarray."""
    given: Any = data
    if hasattr(given, "to_dataframe"):
        given = given.to_dataframe().reset_index()
    try:
        names = list(given.columns) if hasattr(given, "columns") else list(given)
        return {name: np.asarray(given[name], dtype=float).reshape(-1) for name in names}
    except (TypeError, ValueError, KeyError) as error:
        raise ParameterError(
            "data",
            f"{type(data).__name__} is no table of numbers: {error}.",
            'Give columns by name, as {"time": [0.0, 0.1, …], "hinge.phi": […]}.',
            parameter="data",
            value=data,
        ) from error


# --- the fit ------------------------------------------------------------------------------------


@checked_methods
class Fit:
    """Parameters fitted to data, with their uncertainty.

    `values`, `errors` (standard deviations) and `intervals` (of 95 % confidence) are by name,
    with the `units` of the names; `covariance` and `correlation` are matrices in their order.
    `residuals` are computed minus measured values by output, `noise` their standard deviations,
    given or estimated. `converged` tells whether nothing got better at the end, `at_bound` which
    parameters are at a bound: their errors are zero, and the others hold for these values.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        units: tuple[str, ...],
        numbers: np.ndarray,
        covariance: np.ndarray,
        freedom: int,
        measured: Measured,
        left: np.ndarray,
        noise: np.ndarray,
        *,
        at_bound: tuple[str, ...],
        converged: bool,
        iterations: int,
        simulate: Callable[[Mapping[str, float]], Result],
    ) -> None:
        self.names, self.freedom = names, freedom
        self.units = dict(zip(names, units, strict=True))
        self.values = dict(zip(names, numbers.tolist(), strict=True))
        self.covariance = covariance
        deviations = np.sqrt(np.diag(covariance))
        self.errors = dict(zip(names, deviations.tolist(), strict=True))
        far = student_quantile(0.5 + 0.5 * LEVEL, freedom)
        self.intervals = {
            name: (value - far * self.errors[name], value + far * self.errors[name])
            for name, value in self.values.items()
        }
        self.residuals = dict(zip(measured.outputs, left.T, strict=True))
        self.noise = dict(zip(measured.outputs, noise.tolist(), strict=True))
        self.at_bound, self.converged, self.iterations = at_bound, converged, iterations
        self._simulate = simulate

    @property
    def correlation(self) -> np.ndarray:
        """The correlation of the parameters, from −1 to 1."""
        sizes = np.sqrt(np.diag(self.covariance))
        sizes[sizes == 0.0] = 1.0
        return self.covariance / np.outer(sizes, sizes)

    def result(self) -> Result:
        """Return the run with the fitted parameters, at the times of the data."""
        return self._simulate(self.values)

    def __getitem__(self, name: str) -> float:
        """Return the fitted value of a parameter."""
        return self.values[name]

    def __repr__(self) -> str:
        width = max(map(len, self.names))
        state = "converged" if self.converged else "not converged"
        lines = [
            f"Fit of {len(self.names)} parameters, {state} in {self.iterations} iterations"
        ]
        for name, value in self.values.items():
            unit = f" {self.units[name]}" if self.units[name] not in ("", "1") else ""
            low, high = self.intervals[name]
            about = "at its bound" if name in self.at_bound else f"{low:.6g} … {high:.6g}"
            lines.append(f"  {name:<{width}} = {value:.6g}{unit} ({about})")
        noise = ", ".join(f"{name} {value:.3g}" for name, value in self.noise.items())
        return "\n".join([*lines, f"  noise: {noise}"])


def fit(
    measured: Measured,
    parameters: Names,
    start: Mapping[str, float],
    units: tuple[str, ...],
    differentiate: Differentiate,
    simulate: Callable[[Mapping[str, float]], Result],
    noise: Mapping[str, float] | None,
) -> Fit:
    """Return the parameters, beginning with their values at the `start`, that fit the data best."""
    names = tuple(parameters)
    low, high = _bounds(parameters, start)
    now = np.array([start[name] for name in names])
    scales = np.where(now != 0.0, np.abs(now), 1.0)
    search = _LeastSquares(measured, names, low, high, scales, differentiate)
    given = None if noise is None else noise_of(noise, measured.outputs)
    deviations = search.first_weights() if given is None else given
    iterations, converged = 0, False
    for _ in range(1 if given is not None else WEIGHTINGS):
        now, spent, converged = search.minimise(
            now, deviations, MOST_ITERATIONS - iterations
        )
        iterations += spent
        if given is not None:
            break
        found = search.estimate(now, len(names))
        is_settled = np.abs(found / deviations - 1.0).max() < WEIGHTS_SETTLED
        deviations = found
        if is_settled or iterations >= MOST_ITERATIONS:
            break
    left, J = search.at(now)
    free = search.free(now, left, J, deviations)
    covariance = search.covariance(J, deviations, free)
    freedom = int(np.isfinite(measured.values).sum()) - len(names)
    return Fit(
        names,
        units,
        now,
        covariance,
        freedom,
        measured,
        left,
        deviations,
        at_bound=tuple(n for n, own in zip(names, free, strict=True) if not own),
        converged=converged,
        iterations=iterations,
        simulate=simulate,
    )


class _LeastSquares:
    """Residuals of data and their derivatives at parameters, kept for the last ones."""

    def __init__(
        self,
        measured: Measured,
        names: tuple[str, ...],
        low: np.ndarray,
        high: np.ndarray,
        scales: np.ndarray,
        differentiate: Differentiate,
    ) -> None:
        self.measured, self.names, self.low, self.high = measured, names, low, high
        self.differentiate, self.scales = differentiate, scales
        self._known: tuple[bytes, np.ndarray, np.ndarray] | None = None

    def at(self, now: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return computed minus measured values, and their derivatives, by time and output."""
        key = now.tobytes()
        if self._known is None or self._known[0] != key:
            own = self.measured
            found = self.differentiate(dict(zip(self.names, now.tolist(), strict=True)))
            computed = np.column_stack([found.value(name) for name in own.outputs])
            slopes = found.of(own.outputs)
            J = np.stack([slopes[name] for name in own.outputs], axis=1)
            self._known = key, computed - own.values, J
        return self._known[1], self._known[2]

    def first_weights(self) -> np.ndarray:
        """Return the deviations of the data from their mean: outputs of any unit count alike."""
        spread = np.nanstd(self.measured.values, axis=0)
        size = np.nanmax(np.abs(self.measured.values), axis=0)
        return np.where(spread > 0.0, spread, np.where(size > 0.0, size, 1.0))

    def estimate(self, now: np.ndarray, count: int) -> np.ndarray:
        """Return the standard deviation of the noise of each output."""
        left = self.at(now)[0]
        known = np.isfinite(left)
        share = 1.0 - count / known.sum()
        squares = np.where(known, left, 0.0) ** 2
        found = np.sqrt(squares.sum(axis=0) / (known.sum(axis=0) * share))
        return np.maximum(found, 1e-12 * self.first_weights())

    def weighed(self, now: np.ndarray, noise: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return residuals and Jacobian of all measured numbers in units of their noise."""
        left, J = self.at(now)
        known = np.isfinite(left)
        return (left / noise)[known], (J / noise[None, :, None])[known]

    def free(
        self, now: np.ndarray, left: np.ndarray, J: np.ndarray, noise: np.ndarray
    ) -> np.ndarray:
        """Return which parameters are not held by a bound."""
        known = np.isfinite(left)
        slope = (J / noise[None, :, None])[known].T @ (left / noise)[known]
        return ~(((now <= self.low) & (slope > 0.0)) | ((now >= self.high) & (slope < 0.0)))

    def minimise(
        self, now: np.ndarray, noise: np.ndarray, most: int
    ) -> tuple[np.ndarray, int, bool]:
        """Return parameters with the least sum of squares, iterations, whether it is the least."""
        damping, r, J = FIRST_DAMPING, *self.weighed(now, noise)
        self._refuse_useless(now, J)
        for iteration in range(most):
            free = self.free(now, *self.at(now), noise)
            if not free.any():
                return now, iteration, True
            own, slope = J[:, free], J[:, free].T @ r
            sizes = np.linalg.norm(own, axis=0)
            sizes[sizes == 0.0] = 1.0
            scaled = own / sizes
            while True:
                normal = scaled.T @ scaled + damping * np.eye(own.shape[1])
                move = np.zeros(now.size)
                move[free] = -np.linalg.solve(normal, slope / sizes) / sizes
                tried = np.clip(now + move, self.low, self.high)
                errors = np.abs((tried - now)[free]) * sizes  # in standard deviations
                if errors.max() < SETTLED * max(1.0, math.sqrt(r.size)):
                    return now, iteration + 1, True
                r_tried, J_tried = r, J
                with suppress(
                    SimulationError, ParameterError
                ):  # no run there: a shorter way
                    r_tried, J_tried = self.weighed(tried, noise)
                if r_tried @ r_tried < r @ r:
                    break
                damping *= 8.0
                if damping > 1e12:
                    return now, iteration + 1, True
            gain = 1.0 - (r_tried @ r_tried) / max(r @ r, 1e-300)
            now, r, J, damping = tried, r_tried, J_tried, max(damping / 8.0, 1e-12)
            if gain < SETTLED and damping < 1.0:
                return now, iteration + 1, True
        return now, most, False

    def _refuse_useless(self, now: np.ndarray, J: np.ndarray) -> None:
        """Refuse parameters without influence on what is measured, or with the same one."""
        scaled = J * self.scales
        sizes = np.linalg.norm(scaled, axis=0)
        for name, size, value in zip(self.names, sizes, now, strict=True):
            if not size > NO_INFLUENCE * sizes.max():
                raise ParameterError(
                    name,
                    f"has no influence on {', '.join(self.measured.outputs)} at {value:.6g}: no "
                    "data of these tell its value.",
                    "Leave it out, measure more, or begin at another value.",
                    parameter="parameters",
                    value=float(value),
                )
        if len(J) < len(self.names):
            raise ParameterError(
                "data",
                f"has {len(J)} numbers for {len(self.names)} parameters.",
                "Measure more, or fit fewer parameters.",
                parameter="data",
                value=len(J),
            )
        _, values, directions = np.linalg.svd(scaled / sizes, full_matrices=False)
        if values[-1] < DEPENDENT * values[0]:
            shares = np.abs(directions[-1] / sizes)
            own = [
                n for n, s in zip(self.names, shares, strict=True) if s > 0.1 * shares.max()
            ]
            step = directions[-1] / sizes * self.scales
            size = np.where(now != 0.0, np.abs(now), self.scales)
            step *= (
                0.01 / np.abs(step / size).max() * np.sign(step[self.names.index(own[0])])
            )
            change = dict(zip(self.names, step.tolist(), strict=True))
            together = ", ".join(f"{name} by {change[name]:+.3g}" for name in own)
            raise ParameterError(
                ", ".join(own),
                "cannot be told apart by these data, which stay the same if they change together: "
                f"{together}.",
                "Leave one of them out, or measure another output.",
                parameter="parameters",
                value=own,
            )

    def covariance(self, J: np.ndarray, noise: np.ndarray, free: np.ndarray) -> np.ndarray:
        """Return the covariance of the parameters, zero for those at a bound."""
        known = np.isfinite(self.measured.values)
        own = (J / noise[None, :, None])[known][:, free]
        sizes = np.linalg.norm(own, axis=0)
        inverse = np.linalg.pinv((own / sizes).T @ (own / sizes)) / np.outer(sizes, sizes)
        found = np.zeros((free.size, free.size))
        found[np.ix_(free, free)] = inverse
        return found


def _bounds(parameters: Names, start: Mapping[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of each parameter, or refuse those that do not contain its start."""
    low, high = np.full(len(start), -np.inf), np.full(len(start), np.inf)
    if not isinstance(parameters, Mapping):
        return low, high
    for k, (name, bounds) in enumerate(parameters.items()):
        if bounds is None:
            continue
        is_pair = isinstance(bounds, Sequence) and len(bounds) == 2
        if is_pair:
            low[k] = -np.inf if bounds[0] is None else bounds[0]
            high[k] = np.inf if bounds[1] is None else bounds[1]
        if not is_pair or not low[k] < high[k] or not low[k] <= start[name] <= high[k]:
            raise ParameterError(
                name,
                f"has the bounds {bounds!r} and the value {start[name]:.6g}.",
                "Give the least and the largest value, None for no bound, and begin between them.",
                parameter="parameters",
                value=bounds,
            )
    return low, high


def noise_of(noise: Mapping[str, float] | None, outputs: Sequence[str]) -> np.ndarray:
    """Return the standard deviation of each output as given, one where none is."""
    if noise is None:
        return np.ones(len(outputs))
    missing = [name for name in outputs if not noise.get(name, 0.0) > 0.0]
    unknown = [name for name in noise if name not in outputs]
    if missing or unknown:
        raise UnknownNameError(
            ", ".join([*missing, *unknown]),
            "needs a standard deviation above zero in `noise`, if it is a column of the data, or "
            "is none.",
            f"Give one for each of {', '.join(outputs)}, or none at all.",
            parameter="noise",
            value=noise,
        )
    return np.array([float(noise[name]) for name in outputs])


def student_quantile(share: float, freedom: int) -> float:
    """Return the quantile of Student's distribution, by bisection of its distribution function."""
    if freedom < 1:
        return math.inf
    low, high = 0.0, 1e3
    for _ in range(100):
        middle = 0.5 * (low + high)
        below = _student_share(middle, freedom) < share
        low, high = (middle, high) if below else (low, middle)
    return high


def _student_share(t: float, freedom: int) -> float:
    """Return the share of Student's distribution below t ≥ 0, Abramowitz and Stegun 26.7.3–4."""
    angle, c2 = math.atan2(t, math.sqrt(freedom)), freedom / (freedom + t * t)
    odd = freedom % 2 == 1
    term = math.sqrt(c2) if odd else 1.0
    total, first = 0.0, 3 if odd else 2
    if freedom > 1:
        total = term
        for k in range(first, freedom - 1, 2):
            term *= (k - 1) / k * c2
            total += term
    if odd:
        return 0.5 + (angle + math.sin(angle) * total) / math.pi
    return 0.5 + 0.5 * math.sin(angle) * total
