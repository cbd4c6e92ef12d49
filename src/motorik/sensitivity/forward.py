"""Derivatives of a run in several directions, integrated together with it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import SimulationError
from motorik.immutable import immutable
from motorik.initialisation.network_guesses import with_guesses
from motorik.numerics.tolerances import TIME_ROUNDING
from motorik.sensitivity.code import SensitivityCode
from motorik.sensitivity.jumps import JumpInstant, find_instants, jump
from motorik.simulation.initial_state import initialise_run
from motorik.simulation.integration import Integration, Outcome, make_integration
from motorik.simulation.model_integration import absolute_tolerances

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.start import InitialState
    from motorik.sensitivity.directions import RunDirections
    from motorik.simulation.integration import StepOptions
    from motorik.simulation.options import RunOptions


@immutable(eq=False)
class Motions:
    """States `x` at `time` [s] with their changes `S`, with the axes sample, state, direction.

    `p` are the parameters at each sample, `D` their changes with the same axes.
    """

    system: CompiledModel
    directions: RunDirections
    time: np.ndarray
    x: np.ndarray
    S: np.ndarray
    p: np.ndarray
    D: np.ndarray


def start_of_run(
    system: CompiledModel, options: RunOptions, live: np.ndarray
) -> InitialState:
    """Return where a run begins, or refuse a system whose runs have no derivatives."""
    initial = initialise_run(system, options, live)
    facts = initial.system.facts
    if facts.has_delays:
        delays = [own.part.path for own in initial.system.mechanism.inventory.delays]
        raise SimulationError(
            ", ".join(delays),
            "keeps the past of its signal, by which runs cannot be differentiated.",
            "Replace the delay by a filter, e.g. blocks.PadeDelay.",
        )
    if facts.responds:
        raise SimulationError(
            facts.name,
            "has so many contacts that their forces are found by iteration, which has no "
            "derivatives.",
            "Differentiate a model with fewer contacts.",
        )
    return initial


def integrate_forward(
    initial: InitialState, options: RunOptions, directions: RunDirections, grid: np.ndarray
) -> Motions:
    """Return the motion at the times of the grid, with its changes in all directions."""
    system, count = initial.system, len(directions)
    code = system.sensitivity_code(count)
    D = directions.of_parameters(initial.p.size)
    x, t = initial.x, options.start_time
    p, instants = find_instants(initial, options, directions)
    S = directions.of_start(initial, options)
    if code.closing is not None:
        joined = code.closing(np.array([t]), code.state(x, S), code.parameters(p, D))
        x, S = code.split(joined, count)
    tolerances = _tolerances(initial, options, directions, code)
    times: list[np.ndarray] = []
    states: list[np.ndarray] = []
    parameters: list[np.ndarray] = []
    changes: list[np.ndarray] = []
    ends: list[JumpInstant | None] = [*instants, None]
    for end in ends:
        until = options.stop_time if end is None else end.until
        own = grid[(grid >= t) & ((grid < until) | (end is None))]
        if until > t or own.size:
            run = _integration(code, options, (t, x, S), (p, D), tolerances, until)
            outcome = run.advance(until, grid=own)
            if outcome is not Outcome.REACHED:
                raise _cannot(system, run.time, outcome)
            states.append(run.samples[:, : code.n * (1 + code.count)])
            times.append(own)
            parameters.append(np.tile(p, (own.size, 1)))
            changes.append(np.tile(D, (own.size, 1, 1)))
            x, S = code.split(run.state, count)
            p = run.p[: p.size].copy()
        if end is not None:
            S, D = jump(system, end, x, S, D)
            t, p = end.time, end.p_after.copy()
            x = x if end.x_after is None else end.x_after
    x, S = code.split(np.vstack(states), count)
    given = np.vstack(parameters), np.concatenate(changes)
    return Motions(system, directions, np.concatenate(times), x, S, *given)


def _tolerances(
    initial: InitialState,
    options: RunOptions,
    directions: RunDirections,
    code: SensitivityCode,
) -> np.ndarray:
    """Return absolute tolerances: those of changes are for changes by the scale of a direction."""
    given = absolute_tolerances(
        initial, options.solver.atol, options.rtol, options.duration
    )
    own = np.asarray(initial.system.layout.state_of(given))
    scales = np.ones(code.count)
    scales[: len(directions)] = directions.scales
    return np.concatenate([own, (own[None, :] / scales[:, None]).ravel()])


def _integration(
    code: SensitivityCode,
    options: RunOptions,
    at: tuple[float, np.ndarray, np.ndarray],
    given: tuple[np.ndarray, np.ndarray],
    tolerances: np.ndarray,
    until: float,
) -> Integration:
    """Return the integration of (x, S) between two instants."""
    system, (t, x, S), layout = code.system, at, code.system.layout
    own: StepOptions = {"t0": t, "atol": tolerances}
    own |= {"step": options.step, "max_step": options.solver.max_step}
    own |= {"max_steps": options.solver.max_steps}
    if system.margins is not None:
        own |= {"guard": system.margins, "guarded": system.facts.n_guarded}
    if system.unwrapped_angles is not None:
        own |= {
            "unwrap": system.unwrapped_angles,
            "unwrapped": layout.n_unwrapped,
            "unwrapped_at": layout.unwrapping.start,
            "guesses": layout.n_guesses,
            "seek": partial(_seek, system, code),
        }
    closing = code.closing
    run = make_integration(
        options.method,
        code.rates,
        code.state(x, S),
        rtol=options.rtol,
        p=code.parameters(*given),
        project=None if closing is None else closing.replace_address,
        **own,
    )
    aside = TIME_ROUNDING * max(abs(t), abs(until))
    run.evaluate_within(t + aside, until - aside)
    return run


def _seek(
    system: CompiledModel, code: SensitivityCode, t: float, x: np.ndarray, p: np.ndarray
) -> np.ndarray:
    """Return p with guesses from which Newton's method settles."""
    found = p.copy()
    found[: code.n_p] = with_guesses(system, t, x[: code.n], p[: code.n_p])
    return found


def _cannot(system: CompiledModel, t: float, outcome: Outcome) -> SimulationError:
    """Return the error of a run that has no derivatives from a time on."""
    if outcome is Outcome.GUARD_TRIPPED:
        return SimulationError(
            system.facts.name,
            f"comes to a dead centre or opens a loop at t = {t:.6g} s: its equations change, and "
            "a derivative is not followed through that.",
            'End before, or take strategy="projected".',
            parameter="stop_time",
            value=t,
        )
    return SimulationError(
        system.facts.name,
        f"cannot be differentiated beyond t = {t:.6g} s: {outcome.why}.",
        outcome.remedy,
    )
