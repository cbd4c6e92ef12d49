"""Derivatives of a run in several directions, integrated together with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import SimulationError
from motorik.immutable import immutable
from motorik.initialisation.network_guesses import with_guesses
from motorik.numerics.tolerances import TIME_ROUNDING
from motorik.sensitivity.jumps import JumpInstant, find_instants, jump
from motorik.simulation.initial_state import initialise_run
from motorik.simulation.integration import Integration, Outcome, make_integration
from motorik.simulation.model_integration import absolute_tolerances

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.compiler import NativeFunction
    from motorik.initialisation.start import InitialState
    from motorik.sensitivity.code import SensitivityCode
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


def output_times(options: RunOptions) -> np.ndarray:
    """Return the output times [s], or refuse those that the steps of a run would choose."""
    grid = options.grid()
    if grid is None:
        raise SimulationError(
            "output",
            f"is {options.output!r}, and the steps of a run change with what it is differentiated "
            "by.",
            "Give a count of intervals, or times.",
            parameter="output",
            value=options.output,
        )
    return np.asarray(grid, dtype=float)


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
    for piece in smooth_pieces(instants, options, grid):
        t, until, end = piece.begin, piece.until, piece.end
        if until > t or piece.grid.size:
            closing = None if code.closing is None else code.closing.replace_address
            given = code.state(x, S), code.parameters(p, D), tolerances
            run = smooth_run(system, options, piece, code.rates, closing, given)
            advance_to_end(system, run, piece)
            states.append(run.samples[:, : code.n * (1 + code.count)])
            times.append(piece.grid)
            parameters.append(parameters_of_samples(system, p, run))
            changes.append(np.tile(D, (piece.grid.size, 1, 1)))
            x, S = code.split(run.state, count)
            p = run.p[: p.size].copy()
        if end is not None:
            S, D, _ = jump(system, end, x, S, D)
            p = end.p_after.copy()
            x = x if end.x_after is None else end.x_after
    x, S = code.split(np.vstack(states), count)
    given = np.vstack(parameters), np.concatenate(changes)
    return Motions(system, directions, np.concatenate(times), x, S, *given)


# --- pieces between instants --------------------------------------------------------------------


@immutable(eq=False)
class SmoothPiece:
    """A part of a run in which its equations do not change: its times [s], what ends it.

    Of the output times `grid` those at an instant belong to the piece after it.
    """

    begin: float
    until: float
    grid: np.ndarray
    end: JumpInstant | None


def smooth_pieces(
    instants: Sequence[JumpInstant], options: RunOptions, grid: np.ndarray
) -> list[SmoothPiece]:
    """Return the pieces between the instants at which equations change."""
    found, begin, lower = [], options.start_time, -np.inf
    for end in (*instants, None):
        until = options.stop_time if end is None else end.until
        own = grid[(grid >= lower) & ((grid < until) | (end is None))]
        found.append(SmoothPiece(begin, until, np.maximum(own, begin), end))
        if end is not None:
            begin, lower = end.time, until
    return found


def advance_to_end(system: CompiledModel, run: Integration, piece: SmoothPiece) -> None:
    """Integrate a piece to its end, with its output times."""
    outcome = run.advance(piece.until, grid=piece.grid)
    if outcome is not Outcome.REACHED:
        raise no_derivative_from(system, run.time, outcome)


def parameters_of_samples(
    system: CompiledModel, p: np.ndarray, run: Integration
) -> np.ndarray:
    """Return p at the output times of a piece, with the full turns of its angles."""
    if system.layout.n_unwrapped:
        return system.layout.with_references(p, run.angles)
    return np.tile(p, (len(run.samples), 1))


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


def smooth_run(
    system: CompiledModel,
    options: RunOptions,
    piece: SmoothPiece,
    rates: NativeFunction,
    closing: int | None,
    given: tuple[np.ndarray, np.ndarray, np.ndarray],
    *,
    record: bool = False,
) -> Integration:
    """Return the integration of a piece: of the state, alone or with its changes behind it.

    `closing` is the address of the projection, None where nothing drifts; `given` are the state,
    the parameters and the absolute tolerances.
    """
    (x, p, tolerances), layout = given, system.layout
    own: StepOptions = {"t0": piece.begin, "atol": tolerances, "record": record}
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
            "seek": partial(_seek, system),
        }
    run = make_integration(
        options.method, rates, x, rtol=options.rtol, p=p, project=closing, **own
    )
    evaluate_inside(run, piece.begin, piece.until)
    return run


def evaluate_inside(run: Integration, begin: float, end: float) -> None:
    """Evaluate equations a little inside of a piece: they change at its ends."""
    aside = TIME_ROUNDING * max(abs(begin), abs(end))
    run.evaluate_within(begin + aside, end - aside)


def _seek(system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return p with guesses from which Newton's method settles."""
    found, n_p = p.copy(), system.equations.p.numel()
    found[:n_p] = with_guesses(system, t, x[: system.n_x], p[:n_p])
    return found


def no_derivative_from(
    system: CompiledModel, t: float, outcome: Outcome
) -> SimulationError:
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
