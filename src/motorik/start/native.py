"""Native starts: another start of a compiled system in microseconds, or no answer.

The first starts of a system are found with all checks and words (`start/find.py`). What later
ones need is compiled once: closed forms, rows, angles, steps of Newton's method. Where it is
not certain that the full search would come to the same start, bit by bit, there is no answer,
and that search decides.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motorik.loops.closing import CLOSED, is_hidden
from motorik.loops.clusters import rank
from motorik.loops.guesses import speed_guesses
from motorik.loops.options import AUTO
from motorik.start.native_code import StartCode, Wanted, address
from motorik.start.sides import FITS, SideSearch, named_branches
from motorik.system.system import System

TURN = 2.0 * math.pi
SAFE = 1e-2  # guarded values below this are so near a dead centre that the search decides
PATTERNS = 64  # ways to fix values that are remembered
Found = tuple[np.ndarray, np.ndarray, np.ndarray]


class NativeStart:
    """Finds starts of one system by native code; for one thread at a time."""

    def __init__(self, system: System) -> None:
        f, mechanism = system.formulation, system.mechanism
        assert f is not None and system.survey is not None
        self.system, self.layout, self.formulation = system, system.layout, f
        self.code = StartCode(system)
        self._guess = np.array(system.survey.q)
        self._named = named_branches(system)
        self._hides = any(map(is_hidden, mechanism.links))
        self._is_guided = system.options.strategy != AUTO  # then others tell where to begin
        self._wishes = bool(speed_guesses(mechanism))
        self._state_q = np.array(f.state_q, dtype=np.intp)
        self._state_u = np.array(f.state_u, dtype=np.intp)
        self._turns = np.array([k for k, _ in f.rows.turns], dtype=np.intp)
        links = ((k, mechanism.link_of_coordinate(k)) for k, _ in f.rows.turns)
        loose = [k for k, e in links if e.edge is not None and e.edge.flanges is None]
        self._windable = np.array(loose, dtype=np.int64)
        trivial = set(f.rows.trivial)
        clusters = [decision.cluster for decision in f.decisions]
        self._doubtful = [
            own for own in clusters if len(set(own.rows) - trivial) > len(own.active)
        ]
        self._patterns: dict[bytes, _Pattern] = {}
        self._sides = np.ones(len(f.sided))  # of the last pose that was searched for
        self._by_guess = self._guess_table()
        self._by_pose = self._pose_table()

    @staticmethod
    def suits(system: System) -> bool:
        """Tell whether starts of a system can be found natively.

        Its loops are solved, by closed forms or linear relations, and nothing but start
        values is asked for.
        """
        f = system.formulation
        if f is None or f.enforced or f.iterates:
            return False
        follows = any(law.initial is not None for law in system.mechanism.signals.laws)
        if system.mechanism.initial_conditions or (system.layout.blocks and follows):
            return False
        return len(f.rows.rows) == f.rows.n_holonomic and system.project is None

    def _guess_table(self) -> Wanted | None:
        """Return what closed forms are compared with: guesses; None where there are none."""
        f, joints = self.formulation, self.system.mechanism.inventory.joints
        numbers = {h: self.layout.n_q + k for k, h in enumerate(self.code.hinges)}
        steps: list[list[tuple[int, float, float, int]]] = []
        for form, step in f.sided:
            solved = [h for own in form.plan.steps for h in own.hinges]
            if not any(joints[h].starts[0].is_given for h in solved):
                return None
            given = [h for h in step.hinges if joints[h].starts[0].is_given]
            rows = []
            for h in given or step.hinges:
                if h not in numbers:
                    return None
                unit = 0.0 if form.hinges[h].kind == "R" else self.system.scales.length
                value = float(joints[h].starts[0].value)  # type: ignore[arg-type]
                rows.append((numbers[h], value, unit, form.coordinate.get(h, -1)))
            steps.append(rows)
        return Wanted(steps, [step.sides for _, step in f.sided]) if f.forms else None

    def _pose_table(self) -> Wanted:
        """Return what closed forms are compared with: the coordinates of a pose."""
        f, steps = self.formulation, []
        for form, step in f.sided:
            own = [form.coordinate[h] for h in step.hinges if h in form.coordinate]
            unit = {k: float(f.scales.coordinates[k]) for k in own}
            unit |= dict.fromkeys(set(own) & set(self._turns.tolist()), 0.0)
            steps.append([(k, 0.0, unit[k], k) for k in own])
        return Wanted(steps, [step.sides for _, step in f.sided])

    # --- a start ---------------------------------------------------------------------------

    def find(
        self,
        X: np.ndarray,
        fixed: np.ndarray,
        live: np.ndarray,
        t: float,
        branch: Mapping[str, str],
    ) -> Found | None:
        """Return motion, state and parameters where a run begins, or None if not certain."""
        pattern, code = self._pattern(fixed), self.code
        if pattern.fixes_dependent_speeds:
            return None
        q, u, z = self.layout.split(X)
        code.t[0], code.live[:] = t, live
        code.z[: z.size] = z
        wanted = {**self._named, **branch} if self._named or branch else None
        if wanted is None and self._by_guess is not None:
            found = self._from_guesses(self._by_guess, q, pattern)
        else:
            found = self._from_search(q, pattern, wanted)
        if not found:
            return None
        code.wind(pattern.windable.size - 1, pattern.windable_at)
        x = np.concatenate([code.q[self._state_q], u[self._state_u], z])
        code.x[: x.size] = x
        code.find_X()
        if not (self._meets_speeds(u, pattern) and self._is_safe(live)):
            return None
        return code.X.copy(), x, code.p.copy()

    def _pattern(self, fixed: np.ndarray) -> _Pattern:
        """Return what follows from which values are fixed, kept from one start to the next."""
        key = fixed.tobytes()
        found = self._patterns.get(key)
        if found is None:
            if len(self._patterns) >= PATTERNS:
                self._patterns.clear()
            q, u, _ = self.layout.split(fixed)
            f = self.formulation
            found = self._patterns[key] = _Pattern(
                q.copy(),
                bool(q[self._state_q].all()),
                bool(q[list(f.dependent_q)].any()),
                not u[self._state_u].all(),
                bool(u[list(f.dependent_u)].any()),
                np.append(self._windable[~q[self._windable]], 0),
            )
        return found

    # --- positions -------------------------------------------------------------------------

    def _from_guesses(self, wanted: Wanted, q: np.ndarray, pattern: _Pattern) -> bool:
        """Find the pose by closed forms on the sides nearest to the guesses."""
        code = self.code
        self._begin_at(q)
        wanted.fill(q)
        if not code.nearest_sides(wanted, farthest=False) < math.inf:
            return False
        code.q[:] = code.values[: q.size]
        if pattern.fixes_dependent:
            apart = np.abs(code.q - q) / self.formulation.scales.coordinates
            if not (apart[pattern.q] <= 1e-9).all():
                return False
        return self._is_closed(1.0)

    def _begin_at(self, q: np.ndarray) -> None:
        """Write states and references of coordinates for the closed forms."""
        self.code.q[:] = q
        self.code.states[: self._state_q.size] = q[self._state_q]
        self.code.refer()

    def _from_search(
        self, q: np.ndarray, pattern: _Pattern, wanted: Mapping[str, str] | None
    ) -> bool:
        """Find the pose by Newton's method, and then the sides on which closed forms give it."""
        code = self.code
        if self._is_guided:
            return False
        same = (q == self.layout.starts[0][: q.size]) & ~pattern.q
        code.q[:] = np.where(same, self._guess, q)
        if not self._is_closed(1e-2) and not self._moved_to_closed(pattern):
            return False
        found = code.q.copy()
        if not self._on_sides_of(found):
            return False
        if wanted is None:
            return self._is_closed(1.0)
        given = found, code.z[: len(self.layout.blocks)], code.live, float(code.t[0])
        code.sides[:] = SideSearch(self.system, *given).by_names(code.sides, wanted)
        code.find_q()
        code.q[:] = code.values[: q.size]
        return self._is_closed(1e-2)

    def _moved_to_closed(self, pattern: _Pattern) -> bool:
        """Close the loops by Newton's method; tell whether that led to the one pose nearby.

        There is just one if all states are fixed and all else is free.
        """
        if self._hides or pattern.fixes_dependent or not pattern.fixes_states:
            return False
        tolerance = self.code.pose.tolerance(self.code.q)
        return self.code.close(tolerance) < tolerance

    def _on_sides_of(self, q: np.ndarray) -> bool:
        """Put the pose that closed forms give at q in its place, if they give it."""
        code = self.code
        self._begin_at(q)
        code.sides[:] = self._sides
        code.find_q()
        if not self._is_near(q):
            self._by_pose.fill(q)
            code.nearest_sides(self._by_pose, farthest=True)
            if not self._is_near(q):
                return False
            self._sides[:] = code.sides
        code.q[:] = code.values[: q.size]
        return True

    def _is_near(self, q: np.ndarray) -> bool:
        apart = self.code.values[: q.size] - q
        apart[self._turns] -= TURN * np.rint(apart[self._turns] / TURN)
        return bool((np.abs(apart) < FITS * self.formulation.scales.coordinates).all())

    def _is_closed(self, part: float) -> bool:
        """Tell whether everything holds at the pose, within a part of the tolerance."""
        self.code.find_rows()
        size = self.code.rows_left()
        if size < part * CLOSED:
            return True
        return size < part * self.code.pose.tolerance(self.code.q)

    # --- speeds, and whether it is certain -------------------------------------------------

    def _meets_speeds(self, u: np.ndarray, pattern: _Pattern) -> bool:
        """Tell whether the speeds that follow from the states keep the loops closed."""
        code, n_q = self.code, self.layout.n_q
        found = code.X[n_q : n_q + u.size]
        if pattern.leaves_speeds and (self._wishes or u.any() or found.any()):
            return False  # which speeds are nearest is for the search to say
        code.q[:], code.u[: u.size] = code.X[:n_q], found
        code.find_speeds()
        left, unit = code.speeds_left(), self.formulation.scales.speeds
        return any(left <= CLOSED * np.abs(own / unit).max() for own in (found, u))

    def _is_safe(self, live: np.ndarray) -> bool:
        """Tell whether the pose is away from dead centres, and what was decided holds there."""
        code = self.code
        if code.find_margins is not None:
            code.find_margins()
            if not code.margins[: code.margins.size // 2].min() >= SAFE:
                return False
        if not self._doubtful or np.array_equal(live, self.system.subject.p):
            return True
        G = self.system.constraint_matrix(code.t, code.X, code.p)
        G = self.formulation.scales.matrix(G.reshape(self.layout.n_u, -1).T)
        parts = (G[np.ix_(own.rows, own.speeds)] for own in self._doubtful)
        counts = (len(own.active) for own in self._doubtful)
        return all(rank(part) <= n for part, n in zip(parts, counts, strict=True))


@dataclass(frozen=True)
class _Pattern:
    """Which coordinates are fixed, and what follows from what is fixed.

    `windable` are the coordinates that are put within half a turn of their start values, and
    one number more.
    """

    q: np.ndarray
    fixes_states: bool
    fixes_dependent: bool
    leaves_speeds: bool
    fixes_dependent_speeds: bool
    windable: np.ndarray

    @cached_property
    def windable_at(self) -> int:
        """Where these numbers lie."""
        return address(self.windable)
