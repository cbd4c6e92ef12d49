"""The adjoint of a run: derivatives of an objective by the state, from the end to the start.

The run is integrated once and its steps are noted. On the way back a few hundred steps at a time
are integrated again for the states within them; the adjoint has its own steps, chosen by its own
error. At an instant at which equations change it jumps by the transposed of the forward jump.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from motorik.components.base.values import LiveScalar
from motorik.immutable import immutable
from motorik.initialisation.network_guesses import with_guesses
from motorik.numerics.tolerances import SAME_VALUE, TIME_ROUNDING
from motorik.sensitivity.adjoint_code import KEPT, AdjointCode
from motorik.sensitivity.directions import RunDirections
from motorik.sensitivity.forward import (
    SmoothPiece,
    advance_to_end,
    evaluate_inside,
    no_derivative_from,
    parameters_of_samples,
    smooth_pieces,
    smooth_run,
)
from motorik.sensitivity.jumps import find_instants, jump
from motorik.sensitivity.pulled_back import PulledBack
from motorik.simulation.integration import (
    Integration,
    Outcome,
    interpolation_points,
    make_integration,
)
from motorik.simulation.model_integration import absolute_tolerances

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.start import InitialState
    from motorik.simulation.integration import StepOptions
    from motorik.simulation.options import RunOptions

SCALE_SAMPLES = 64  # states at which the size of an integrand's derivative is measured


@immutable(eq=False)
class NotedPiece:
    """A piece of a run as it was integrated: the ends of its steps and the states there.

    `references` are those of unwrapped angles in each step, `x_end` is the state before its end,
    `samples` the numbers of its output samples.
    """

    piece: SmoothPiece
    p: np.ndarray
    times: np.ndarray
    x: np.ndarray
    references: np.ndarray
    samples: slice

    @property
    def x_end(self) -> np.ndarray:
        """The state at its end."""
        return self.x[-1]


class NotedRun:
    """A run by which objectives are differentiated: its output samples, and how it went.

    `time` [s], `x` and `p` are those of the output samples. `places` are the places in p by which
    it can be differentiated: those of `directions`, and those of discrete numbers that events set.
    """

    def __init__(
        self,
        initial: InitialState,
        options: RunOptions,
        directions: RunDirections,
        grid: np.ndarray,
    ) -> None:
        self.initial, self.options, self.directions = initial, options, directions
        self.system = system = initial.system
        given = [place for place in directions.places if place >= 0]
        self.places = tuple(sorted({*given, *_assigned_places(system)}))
        values = initial.p[list(self.places)]
        self.usual = np.where(values != 0.0, np.abs(values), 1.0)
        labels = tuple(system.layout.live[k].label for k in self.places)
        units = ("",) * len(labels)
        tracked = RunDirections(labels, units, values, self.places, self.usual)
        first, instants = find_instants(initial, options, tracked)
        tolerances = absolute_tolerances(
            initial, options.solver.atol, options.rtol, options.duration
        )
        self.tolerances = np.asarray(system.layout.state_of(tolerances))
        self.pieces: list[NotedPiece] = []
        x, p, count = initial.x, first, 0
        if system.project is not None:
            x = system.project(np.array([options.start_time]), x, p)
        rows: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        for piece in smooth_pieces(instants, options, grid):
            run = self._integration(piece, x, p.copy(), record=True)
            advance_to_end(system, run, piece)
            size = piece.grid.size
            rows.append((piece.grid, run.samples, parameters_of_samples(system, p, run)))
            self.pieces.append(self._noted(piece, run, p, slice(count, count + size)))
            x, p, count = run.state, run.p.copy(), count + size
            if piece.end is not None:
                p = piece.end.p_after.copy()
                x = x if piece.end.x_after is None else piece.end.x_after
        self.time, self.x, self.p = map(np.concatenate, zip(*rows, strict=True))

    def _integration(
        self, piece: SmoothPiece, x: np.ndarray, p: np.ndarray, *, record: bool
    ) -> Integration:
        system, closing = self.system, self.system.project
        address = None if closing is None else closing.replace_address
        given = x, p, self.tolerances
        return smooth_run(
            system, self.options, piece, system.derivative, address, given, record=record
        )

    def _noted(
        self, piece: SmoothPiece, run: Integration, p: np.ndarray, samples: slice
    ) -> NotedPiece:
        record, references = run.record, run.recorded_angles[:-1]
        if references.size:  # those of the first step are the ones before it
            layout = self.system.layout
            first = with_guesses(self.system, piece.begin, record[0, 1:], p)
            references = np.vstack([first[layout.unwrapping], references[1:]])
        times, x = record[:, 0], record[:, 1:]
        if len(times) == 1:  # a piece without length
            references = np.empty((0, self.system.layout.n_unwrapped))
        return NotedPiece(piece, p, times, x, references, samples)

    # --- the way back -----------------------------------------------------------------------

    def pull_back(
        self,
        by_x: np.ndarray,
        by_p: np.ndarray,
        integrand: PulledBack | None = None,
    ) -> tuple[np.ndarray, float]:
        """Return the derivatives of an objective in all directions, and its integral.

        `by_x` and `by_p` are its derivatives by the states and by p, at the places, of each output
        sample; added to that is the integral of a function over the run.
        """
        function = None if integrand is None else integrand.function
        points = interpolation_points(self.options.method)
        code = self.system.kept_for_gradients(
            ("adjoint", self.places, points, integrand),
            lambda: AdjointCode(self.system, self.places, points, function),
        )
        back = _Back(self, code, by_x, by_p, integrand)
        y = np.zeros(code.size)
        for noted in reversed(self.pieces):
            y = back.through_jump(noted, y)
            y = back.through_piece(noted, y)
        y = back.through_start(y)
        return self._along_directions(y), float(y[-1])

    def _along_directions(self, y: np.ndarray) -> np.ndarray:
        n, own = self.system.n_x, self.directions
        found = own.of_start(self.initial, self.options).T @ y[:n]
        index = {place: n + k for k, place in enumerate(self.places)}
        for k, place in enumerate(own.places):
            if place >= 0:
                found[k] += y[index[place]]
        return found


class _Back:
    """The way back along a run: the adjoint through its pieces and jumps."""

    def __init__(
        self,
        run: NotedRun,
        code: AdjointCode,
        by_x: np.ndarray,
        by_p: np.ndarray,
        integrand: PulledBack | None,
    ) -> None:
        self.run, self.code, self.integrand = run, code, integrand
        self.samples = np.hstack([by_x, by_p, np.zeros((len(by_x), 1))])
        self.n, self.n_p = run.system.n_x, len(run.places)
        self.sizes = run.tolerances / run.options.rtol  # of the states
        self.scale = self._scale(by_x)

    def _scale(self, by_x: np.ndarray) -> float:
        """Return the change of the objective by a usual change of one state, about."""
        found = np.abs(by_x).max(axis=0, initial=0.0) * self.sizes
        scale = found.max(initial=0.0)
        if self.integrand is not None:
            for noted in self.run.pieces:
                few = np.unique(
                    np.linspace(0, len(noted.times) - 1, SCALE_SAMPLES).astype(int)
                )
                ones, t = np.ones((few.size, 1)), noted.times[few]
                by_x, _ = self.integrand.back(t, noted.x[few], noted.p, ones)
                gain = np.abs(by_x).max(axis=0) * self.sizes * self.run.options.duration
                scale = max(scale, np.nanmax(gain, initial=0.0))
        return float(scale)

    # --- jumps ------------------------------------------------------------------------------

    def through_start(self, y: np.ndarray) -> np.ndarray:
        """Return the adjoint before the projection at the start."""
        if self.code.closing_at is None:
            return y
        run, first = self.run, self.run.pieces[0]
        return self.code.closing_at(first.times[:1], run.initial.x, first.p, y)

    def through_jump(self, noted: NotedPiece, y: np.ndarray) -> np.ndarray:
        """Return the adjoint before the instant at the end of a piece."""
        end = noted.piece.end
        if end is None or not (y.any() or self.integrand is not None):
            return y
        n, places, system = self.n, list(self.run.places), self.run.system
        S = np.hstack([np.eye(n), np.zeros((n, self.n_p))])
        D = np.zeros((end.p_before.size, n + self.n_p))
        D[places, n + np.arange(self.n_p)] = 1.0
        moved = np.zeros(n + self.n_p)
        moved[n : n + end.moved.size] = end.moved
        step = self._step_of_integrand(noted)
        x = noted.x_end
        S, D, dt = jump(system, replace(end, moved=moved), x, S, D, timed=step != 0.0)
        before = y.copy()
        before[:-1] = S.T @ y[:n] + D[places].T @ y[n:-1] + dt * step
        return before

    def _step_of_integrand(self, noted: NotedPiece) -> float:
        """Return by how much the integrand falls at the end of a piece."""
        end = noted.piece.end
        if self.integrand is None or end is None:
            return 0.0
        aside = TIME_ROUNDING * max(abs(end.time), 1.0)
        before = noted.x_end if end.x_before is None else end.x_before
        after = before if end.x_after is None else end.x_after
        t = np.array([end.until - aside, end.time + aside])
        x, p = np.vstack([before, after]), np.vstack([end.p_before, end.p_after])
        values = self.integrand.value(t, x, p)[:, 0]
        size = np.abs(values).max()
        step = float(values[0] - values[1])
        return step if abs(step) > SAME_VALUE * size else 0.0

    # --- pieces -----------------------------------------------------------------------------

    def through_piece(self, noted: NotedPiece, y: np.ndarray) -> np.ndarray:
        """Return the adjoint at the beginning of a piece, with its output samples added."""
        count = len(noted.times) - 1
        samples = np.arange(noted.samples.start, noted.samples.stop)
        times = self.run.time[noted.samples]
        own: _Integrated | None = None
        for last in range(count, 0, -KEPT):
            first = max(last - KEPT, 0)
            for k in samples[times >= noted.times[last]][::-1]:
                y = y + self.samples[k]
            keep = times < noted.times[last]
            samples, times = samples[keep], times[keep]
            if not (y.any() or samples.size or self.integrand is not None):
                continue
            if own is None:
                own = _Integrated(self, noted, -float(noted.times[last]), y)
            own.keep(first, last)
            inside = times > noted.times[first]
            for k, t in zip(samples[inside][::-1], times[inside][::-1], strict=True):
                y = own.advance(-float(t), y)
                y = y + self.samples[k]
            samples, times = samples[~inside], times[~inside]
            y = own.advance(-float(noted.times[first]), y)
        for k in samples[::-1]:
            y = y + self.samples[k]
        return y

    def tolerances(self, y: np.ndarray) -> np.ndarray:
        """Return absolute tolerances: rtol times the objective's change by usual changes."""
        run, rtol = self.run, self.run.options.rtol
        scale = max(self.scale, float(np.abs(y[: self.n] * self.sizes).max(initial=0.0)))
        total = scale if scale > 0.0 else 1.0
        return rtol * total * np.concatenate([1.0 / self.sizes, 1.0 / run.usual, [1.0]])


class _Integrated:
    """The integration of the adjoint along a piece, backward in time."""

    def __init__(self, back: _Back, noted: NotedPiece, s: float, y: np.ndarray) -> None:
        self.back, self.noted = back, noted
        run, code, options = back.run, back.code, back.run.options
        self.kept = code.new_memory(noted.p)
        own: StepOptions = {"t0": s, "atol": back.tolerances(y), "step": options.step}
        own |= {"max_step": options.solver.max_step, "max_steps": options.solver.max_steps}
        closing = code.closing
        self.integration = make_integration(
            options.method,
            code.rates,
            y,
            rtol=options.rtol,
            p=self.kept,
            project=None if closing is None else closing.replace_address,
            **own,
        )
        evaluate_inside(self.integration, -noted.piece.until, -noted.piece.begin)
        begin = noted.piece
        self.forward = run._integration(begin, noted.x[0], noted.p.copy(), record=False)

    def keep(self, first: int, last: int) -> None:
        """Keep the motion between the ends of two steps."""
        noted, code, points = self.noted, self.back.code, self.back.code.points
        times, p = noted.times[first : last + 1], noted.p.copy()
        references = noted.references[first:last]
        if references.size:
            p = code.system.layout.with_references(p, references[0])
        again = self.forward
        again.p[:] = p
        again.restart(noted.x[first], float(times[0]))
        nodes = code.nodes
        grid = times[:-1, None] + nodes * np.diff(times)[:, None]
        grid = np.clip(grid, times[:-1, None], times[1:, None])
        grid[:, -1] = times[1:]
        outcome = again.advance(float(times[-1]), grid=grid.ravel())
        if outcome is not Outcome.REACHED:
            raise no_derivative_from(code.system, again.time, outcome)
        x = again.samples.reshape(last - first, points * code.n)
        code.keep(self.kept, times, x, references)

    def advance(self, s: float, y: np.ndarray) -> np.ndarray:
        """Return the adjoint at −s."""
        own = self.integration
        own.state_memory[:] = y
        own.restart_quickly()
        outcome = own.advance_quickly(s) if own.can_be_quick else own.advance(s)
        if outcome is not Outcome.REACHED:
            raise no_derivative_from(self.back.run.system, -own.time, outcome)
        return own.state


def _assigned_places(system: CompiledModel) -> list[int]:
    """Return the places in p of the discrete numbers that events set."""
    position = system.layout.position
    return [
        position[assignment.target]
        for trigger in system.mechanism.inventory.triggers
        for assignment in trigger.assignments
        if isinstance(assignment.target, LiveScalar)
    ]
