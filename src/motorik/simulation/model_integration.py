"""The integration of a compiled model: native functions, tolerances, error scales."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import fabs, isfinite, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from motorik.compiler.addresses import start_of
from motorik.compiler.kernels import Float, Floats, Function, Int, kernel, native, tail
from motorik.errors import SimulationError, UnknownNameError, suggest
from motorik.immutable import immutable
from motorik.initialisation.network_guesses import with_guesses
from motorik.simulation.integration import AUTO, LANES_FROM, ErrorScales, make_integration
from motorik.simulation.methods import METHODS
from motorik.simulation.options import as_numbers
from motorik.simulation.stepping.norm import GIVEN, KINDS
from motorik.simulation.stepping.workspace import ProjectionJump

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from motorik.compiled_model import CompiledModel
    from motorik.compiler.addresses import Native
    from motorik.initialisation.initialise import InitialState
    from motorik.nonsmooth.application.pasts import Pasts
    from motorik.simulation.integration import Integration, StepOptions
    from motorik.simulation.options import RunOptions, Tolerance
    from motorik.topology.state_variables import StateVariableSpec


# --- tolerances and error scales -----------------------------------------------------------


SOME = 0.1  # of the initial speed: its expected change
UNITS = ("m", "rad", "m/s", "rad/s")  # of stretches


def absolute_tolerances(
    start: InitialState, atol: Tolerance, rtol: float, duration: float
) -> np.ndarray:
    """Return one absolute tolerance for each number of X; `atol` may name some of them.

    Where none is given it is rtol times the scale of the state.
    """
    at = start.t, start.x[None], start.p[None]
    return tolerances_of_starts(start.system, *at, atol, rtol, duration)[0]


def tolerances_of_starts(
    system: CompiledModel,
    t: float,
    x: np.ndarray,
    p: np.ndarray,
    atol: Tolerance,
    rtol: float,
    duration: float,
) -> np.ndarray:
    """Return the absolute tolerances of runs from rows of states, with rows of parameters."""
    return tolerances_at_rates(system, _rates(system, t, x, p, duration), atol, rtol)


def tolerances_at_rates(
    system: CompiledModel, rates: np.ndarray, atol: Tolerance, rtol: float
) -> np.ndarray:
    """Return the absolute tolerances of runs whose motions change at these rates [1/s]."""
    layout = system.layout
    if atol is None or isinstance(atol, Mapping):
        given = rtol * scales_at_rates(system, rates)
    else:
        given = np.empty((rates.size, layout.n_motion))
    if isinstance(atol, Mapping):
        for name, value in atol.items():
            if name not in layout.index:
                raise UnknownNameError(
                    "atol",
                    f"there is no state {name!r}.",
                    suggest(name, layout.index),
                    parameter="atol",
                    value=name,
                )
            given[:, layout.index[name]] = as_numbers(f"atol of {name}", value)
    elif atol is not None:
        array = as_numbers("atol", atol)
        if array.shape not in ((), (layout.n_motion,)):
            raise SimulationError(
                "simulate",
                f"atol has shape {array.shape}.",
                f"Give one number, {layout.n_motion} numbers, or a dict by state name.",
                parameter="atol",
                value=atol,
            )
        given[:] = array
    if not ((given > 0.0) & (given < math.inf)).all():
        raise SimulationError(
            "simulate",
            f"atol = {atol!r} is not positive and finite.",
            "Give e.g. 1e-8.",
            parameter="atol",
            value=atol,
        )
    return given


class RunTolerances:
    """The tolerances of runs of one system with the same options, from any start.

    They are linear in the rate at which the motion changes, which native code finds.
    """

    def __init__(
        self, system: CompiledModel, t: float, atol: Tolerance, rtol: float, duration: float
    ) -> None:
        self._system, self._duration, self._t = system, duration, t
        self.is_fixed = has_fixed_tolerances(system, atol)
        every = tolerances_at_rates(system, np.array([1.0, 2.0]), atol, rtol)
        self._states = _line(system.layout.state_of(every))
        self._scales = error_scales(system, atol, every[0], rtol)
        own = self._scales
        self.has_stretches = own is not None and own.stretch is not None
        self._stretches = None
        if self.has_stretches:
            self._stretches = _line(stretch_tolerances(system, every, rtol))

    def of(self, x: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, ErrorScales | None]:
        """Return absolute tolerances of the states of one run, and the scales of its norm."""
        states, stretches = self.of_rows(x[None], p[None])
        if stretches is None or self._scales is None:
            return states[0], self._scales
        return states[0], replace(self._scales, stretch_atol=stretches[0])

    def of_rows(self, x: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """Return absolute tolerances of states and stretches, one line where all are the same."""
        count = 1 if self.is_fixed else len(x)
        given = self._t, x[:count], p[:count], self._duration
        rates = _rates(self._system, *given)[:, None]
        states = self._states[0] + rates * self._states[1]
        if self._stretches is None:
            return states, None
        return states, self._stretches[0] + rates * self._stretches[1]


def _line(at_one_and_two: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a line by its value at zero and its slope, from the values at one and at two."""
    one, two = at_one_and_two
    return 2.0 * one - two, two - one


@kernel
def motion_rates(
    rhs: Function,
    count: Int,
    n: Int,
    n_q: Int,
    n_u: Int,
    n_p: Int,
    t: Floats,
    x: Floats,
    p: Floats,
    unit: Floats,
    dx: Floats,
    least: Float,
    rates: Floats,
) -> None:
    """Write about how fast motions change as they begin, see `_rates`; of rows of states."""
    for k in range(count):
        own = tail(x, k * n)
        rhs(t, own, tail(p, k * n_p), dx)
        speed, change = 0.0, 0.0
        for i in range(n_u):
            part = fabs(own[n_q + i] / unit[i])
            if isfinite(part):
                speed = max(speed, part)
            part = fabs(dx[n_q + i] / unit[i])
            if isfinite(part):
                change = max(change, part)
        rates[k] = max(least, max(SOME * speed, sqrt(change)))


def has_fixed_tolerances(system: CompiledModel, atol: Tolerance) -> bool:
    """Return whether absolute tolerances are the same for all starts of a model."""
    if not (atol is None or isinstance(atol, Mapping)):
        return True
    if system.facts.has_live_gravity:
        return False
    return system.facts.gravity > 0.0 or not system.layout.n_x


def error_scales(
    system: CompiledModel, atol: Tolerance, tolerances: np.ndarray, rtol: float
) -> ErrorScales | None:
    """Return the scales of error norms by ranges; None where the user gives all tolerances.

    States that the user names keep the tolerance atol + rtol |x|, and stretches then have none
    that could be finer.
    """
    if not (atol is None or isinstance(atol, Mapping)):
        return None
    layout, given = system.layout, atol or {}
    own = system.stretch_scales
    kinds = own.states
    if given:
        named = [k for k, name in enumerate(layout.state_names) if name in given]
        kinds = kinds.copy()
        kinds[named] = GIVEN
        return ErrorScales(kinds) if kinds.any() else None
    if own.native is None:
        return ErrorScales(kinds)
    of_stretches = stretch_tolerances(system, tolerances[None], rtol)[0]
    return ErrorScales(kinds, own.native, own.kinds, of_stretches)


def stretch_tolerances(
    system: CompiledModel, tolerances: np.ndarray, rtol: float
) -> np.ndarray:
    """Return the absolute tolerances of stretches, by rows of those of X."""
    layout, length, n_q = system.layout, system.scales.length, system.layout.n_q
    rate = np.ones(len(tolerances))
    if layout.n_u:
        speeds = tolerances[:, n_q : n_q + layout.n_u] / (rtol * system.scales.speeds)
        speeds.sort(axis=1)
        middle = layout.n_u // 2
        rate = 0.5 * (speeds[:, middle] + speeds[:, ~middle])
    sizes = np.empty((len(tolerances), len(UNITS)))  # in the order of `UNITS`
    sizes[:, 0], sizes[:, 1] = rtol * length, rtol
    sizes[:, 2], sizes[:, 3] = rtol * length * rate, rtol * rate
    return sizes[:, system.stretch_scales.units]


@immutable
class Stretches:
    """Kinds of the states of a system, and its native stretches, their kinds and units."""

    states: NDArray[np.int64]
    native: Native | None
    kinds: np.ndarray
    units: np.ndarray  # which of `UNITS` each has


def find_stretches(system: CompiledModel) -> Stretches:
    """Return the kinds of the states of a model, and its stretches."""
    layout, units = system.layout, system.facts.stretch_units
    moving = [_kind(s) for s in layout.states[: layout.n_x - len(layout.blocks)]]
    states = np.array([*moving, *[GIVEN] * len(layout.blocks)], dtype=np.int64)
    return Stretches(
        states,
        system.relative_coordinates if units else None,
        np.array([float(KINDS[unit]) for unit in units]),
        np.array([UNITS.index(unit) for unit in units], dtype=np.int64),
    )


def _kind(state: StateVariableSpec) -> int:
    """Return the kind of a coordinate or speed; components of quaternions are angles."""
    return KINDS.get("rad" if state.unit in ("", "1") else state.unit, GIVEN)


def state_scales(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, duration: float
) -> np.ndarray:
    """Return the usual size of each number of X at rows of states, see `scales_at_rates`."""
    return scales_at_rates(system, _rates(system, t, x, p, duration))


def scales_at_rates(system: CompiledModel, rates: np.ndarray) -> np.ndarray:
    """Return the usual size of each number of X, in the mechanism's own measure, by rows.

    Coordinates have the lengths of their loops, or of the mechanism; angles 1; speeds these
    times a rate, see `_rates`; states of blocks and equations at least their nominal size.
    """
    layout = system.layout
    n_q, n_u = layout.n_q, layout.n_u
    scales = np.empty((rates.size, layout.n_motion))
    scales[:, :n_q] = system.scales.coordinates
    scales[:, n_q : n_q + n_u] = system.scales.speeds * rates[:, None]
    if layout.blocks:
        blocks = layout.split(layout.starts[0])[2]
        sizes = [own.nominal for own in layout.blocks]
        scales[:, n_q + n_u :] = np.maximum(np.abs(blocks), sizes)
    return scales


def _rates(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, duration: float
) -> np.ndarray:
    """Return about how fast motions change [1/s]: by gravity, or as they begin.

    They bound tolerances from above: those of small motions are finer, see `stepping.norm`.
    """
    layout, facts, length = system.layout, system.facts, system.scales.length
    count = len(x)
    if facts.has_live_gravity:
        strength = np.array([system.gravity_at(layout.live_of(own)) for own in p])
        found = np.sqrt(strength / length)
        still = np.flatnonzero(~(strength > 0.0))
        if still.size:
            found[still] = _rates_of_motion(system, t, x[still], p[still], duration)
        return found
    if facts.gravity > 0.0:
        return np.full(count, math.sqrt(facts.gravity / length))
    return _rates_of_motion(system, t, x, p, duration)


def _rates_of_motion(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, duration: float
) -> np.ndarray:
    """Return about how fast motions change as they begin [1/s]."""
    layout, count = system.layout, len(x)
    least = 1.0 / duration
    if not layout.n_x:
        return np.full(count, least)
    unit = np.append(system.scales.speeds[list(layout.state_u)], 1.0)
    time, x, p = np.array([t]), np.ascontiguousarray(x), np.ascontiguousarray(p)
    rates, room = np.empty(count), np.empty(layout.n_x)
    sizes = count, layout.n_x, len(layout.state_q), unit.size - 1, p.shape[1]
    given = map(start_of, (time, x, p, unit, room))
    find = native(motion_rates).entry
    find(system.derivative.address, *sizes, *given, least, start_of(rates))
    return rates


# --- the integration -----------------------------------------------------------------------


def find_assumption(system: CompiledModel, options: RunOptions) -> str:
    """Return the message on what the method cannot see of the laws, "" if it sees all."""
    if not is_adaptive(options.method):
        return ""
    found = []
    spacing = 0.0
    if system.facts.has_time_events:
        mesh = system.time_events.mesh
        spacing = mesh.spacing(options.start_time, options.stop_time)
    if spacing and options.solver.max_step > spacing:
        found.append(
            f"functions of time were sampled every {spacing:.3g} s of the run: shorter pulses "
            "may be missed; give `max_step` if they are faster"
        )
    if system.facts.skips_conditions and np.isinf(options.solver.max_step):
        found.append(
            "state events of force laws were not detected: a force that acts for less than a "
            "step may be missed; give `max_step` if there is one"
        )
    return "; ".join(found)


def is_adaptive(method: str) -> bool:
    """Return whether a method of a name chooses its step by its error."""
    return method not in METHODS or METHODS[method].adaptive


def may_have_events(system: CompiledModel, adaptive: bool) -> bool:
    """Return whether runs of a model by a method may have events: others load no event handling."""
    facts = system.facts
    if facts.has_delays or facts.has_events or facts.has_time_events:
        return True
    return facts.n_state_events > 0 and bool(adaptive or system.sliding_conditions)


SHORTER = 1.0 - 1e-6  # times the shortest delay: the longest step

AUDITS = True  # whether rates are audited where steps end; False measures what that costs


def may_jump(system: CompiledModel) -> int:
    """Return whether the projection of a system may move a state far."""
    if system.facts.has_equilibrium:  # massless points jump to their new equilibrium
        return ProjectionJump.ALWAYS
    with_chart = system.facts.has_charts
    return ProjectionJump.WITH_CHART if with_chart else ProjectionJump.NEVER


def longest_step(system: CompiledModel) -> float:
    """Return how long a step may be [s] so that what Baumgarte's gains do is seen within it.

    They close loops at their own rates, which output within a longer step would not resolve.
    """
    fastest = system.facts.fastest_gain
    return 1.0 / fastest if fastest > 0.0 else np.inf


def limit_step(options: StepOptions, method: str, pasts: Pasts) -> None:
    """Let no step be longer than a delay: within it, the past would not be known."""
    longest, step = SHORTER * pasts.shortest, options.get("step")
    if is_adaptive(method):
        options["max_step"] = min(options.get("max_step", np.inf), longest)
        if step is not None:
            options["step"] = min(step, longest)
    elif step is not None and step > pasts.shortest:
        raise SimulationError(
            pasts.shortest_name,
            f"delays its signal by {pasts.shortest:.6g} s, and steps of {step:.6g} s are longer.",
            "Give a `step` that is no longer than the delay, or a method that chooses its steps.",
            parameter="step",
            value=step,
        )


def make_model_integration(
    system: CompiledModel,
    method: str,
    x0: np.ndarray,
    p: np.ndarray,
    *,
    rtol: float,
    end: float = np.inf,
    **options: Unpack[StepOptions],
) -> Integration:
    """Return an integration of the system by a method's name."""
    layout = system.layout
    if system.margins is not None:
        options |= {"guard": system.margins, "guarded": system.facts.n_guarded}
    if system.unwrapped_angles is not None:
        options |= {
            "unwrap": system.unwrapped_angles,
            "unwrapped": layout.n_unwrapped,
            "unwrapped_at": layout.unwrapping.start,
            "guesses": layout.n_guesses,
            "seek": partial(with_guesses, system),
        }
    if may_have_events(system, is_adaptive(method)):
        from motorik.nonsmooth.application.run_events import find_run_events

        span, pasts = (options.get("t0", 0.0), end), None
        if system.facts.has_delays:
            from motorik.nonsmooth.application.pasts import Pasts

            pasts = Pasts(system, span[0], x0, p, rtol)
            limit_step(options, method, pasts)
        options["run_events"] = find_run_events(
            system, *span, p, is_adaptive(method), pasts
        )
    tight = method == AUTO and rtol <= LANES_FROM
    if tight or method == "gbs":
        options["discontinuous"] = system.facts.has_discontinuities
    responds = system.facts.responds
    # lanes of a response take as long as its evaluations one by one
    in_lanes = method == "gbs" or not responds
    if in_lanes and not (tight and system.facts.has_discontinuities):
        options["rhs_lanes"] = lambda: system.derivative_lanes
    options["may_jump"] = may_jump(system)
    if AUDITS and system.audited is not None:
        options |= {"audit": system.audited, "audits_rates": not responds}
    if is_adaptive(method):
        options["max_step"] = min(options.get("max_step", np.inf), longest_step(system))
    options["coordinates"] = system.facts.n_coordinates
    if system.facts.solves_along_freedoms:
        options["along_freedoms"] = lambda: (system.stiffness, system.armature_response)
    project = system.project
    return make_integration(
        method,
        system.derivative,
        x0,
        p=p if p.size else np.zeros(1),
        jacobian=None if responds else lambda: system.run_jacobian,
        project=project.replace_address if project is not None else None,
        rtol=rtol,
        **options,
    )
