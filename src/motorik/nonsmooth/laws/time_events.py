"""Time events: the times at which laws change, whatever the motion is.

A source that steps, a pulse, a limit reached by a function of time: each is a comparison, a
rounding or an absolute value of a function of time alone. They are found in the traced equations,
so no law has to declare them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.piecewise import Breaks
from motorik.algebra.scalar import Scalar
from motorik.compiler.straight.code import StraightCode, read_function
from motorik.compiler.straight.tables import RecallOperation, TableOperation
from motorik.compiler.symbols import elements
from motorik.errors import AssemblyError
from motorik.immutable import immutable, mutable
from motorik.nonsmooth.memory import MESH_PARTS
from motorik.numerics.tolerances import EPSILON, HIDDEN_CHANGE, ROUNDING, TIME_ROUNDING

if TYPE_CHECKING:
    import casadi

    from motorik.system.equations import Equations


# --- functions of time ---------------------------------------------------------------------
# Functions of the time alone are found in the traced equations. Linear ones are solved for
# their zeros, integers and discontinuities of tables; nonlinear ones are sampled and bisected.
# Where a function approaches a zero and returns between two samples, its extremum is sampled,
# too: it may change sign twice there, or only touch.


# --- functions of time in the equations ----------------------------------------------------


ROUNDED = ("floor", "ceil")  # change at integers
DIVIDED = ("fmod", "remainder")  # … at integers, or half integers, of their ratio
DIFFERENT = ("lt", "le", "eq", "ne", "fmax", "fmin")  # change where both are equal
AT_ZERO = ("sign", "fabs", "sqrt")  # … where the first one is zero
BY_SIGN = ("copysign",)  # … where the second one is zero
CASES = frozenset((*ROUNDED, *DIVIDED, *DIFFERENT, *AT_ZERO, *BY_SIGN))


@immutable
class Rounding:
    """A function of time at which a law changes where it becomes one of the rising `marks`.

    Without marks these are the integers; those of a table are its discontinuities.
    """

    function: casadi.SX
    marks: np.ndarray | None = None

    def cell(self, values: np.ndarray) -> np.ndarray:
        """Return between which marks values lie, as a number."""
        if self.marks is None:
            return np.floor(values)
        return np.searchsorted(self.marks, values, side="right").astype(float)

    def distance(self, values: np.ndarray) -> np.ndarray:
        """Return how far values are from the nearest mark."""
        if self.marks is None:
            return np.abs(values - np.round(values))
        after = np.clip(np.searchsorted(self.marks, values), 1, self.marks.size) - 1
        before = np.minimum(after + 1, self.marks.size - 1)
        return np.minimum(
            np.abs(values - self.marks[after]), np.abs(values - self.marks[before])
        )

    def between(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the marks between the values at the ends of intervals, and their intervals."""
        known = np.isfinite(a) & np.isfinite(b)
        low, high = (
            np.where(known, np.minimum(a, b), 0.0),
            np.where(known, np.maximum(a, b), 0.0),
        )
        if self.marks is None:
            first, last = np.floor(low) + 1.0, np.ceil(high)
        else:
            first = np.searchsorted(self.marks, low, side="right")
            last = np.searchsorted(self.marks, high, side="left")
        count = np.minimum(np.maximum(last - first, 0.0), MOST).astype(int)
        at = np.repeat(np.arange(a.size), count)[:MOST]
        passed = np.arange(at.size) - np.repeat(np.cumsum(count) - count, count)[:MOST]
        number = first[at] + passed
        return at, number if self.marks is None else self.marks[number.astype(int)]


Levels = tuple[list[list["casadi.SX"]], list[list[Rounding]]]
"""The zeros and the roundings of each level."""


@immutable
class TimeFunctions:
    """The functions of the time t and the parameters p alone in the equations.

    A law changes where one of `zeros` vanishes or one of `rounds` becomes one of its marks. Both
    are in levels: compared functions may branch themselves, all of them in levels before.
    `functions` are those that the rest of the equations uses, as far as they depend on constants
    of a run.
    """

    t: casadi.SX
    p: casadi.SX
    zeros: list[list[casadi.SX]]
    rounds: list[list[Rounding]]
    functions: list[casadi.SX]


def find_time_functions(equations: Equations) -> TimeFunctions:
    """Return the functions of time alone in the equations of motion."""
    t, p = equations.symbols("t")[0], equations.p
    if equations.form.n_shared:
        codes = _of_signals(equations, t)
    else:
        names = ["derivative"]
        if equations.form.equilibrium is not None:  # a force that steps has no rate
            names.append("project")
        if equations.form.feeds_back:  # the solution of loops is no function of time
            names.remove("derivative")
        if equations.response is not None:
            found = list(equations.response.codes.values())
        else:
            functions = [equations.function(name) for name in names]
            if equations.form.feeds_back:
                functions.append(_open_function(equations, t))
            found = [read_function(f) for f in functions]
        codes = [(code, {0: t, 2: p}) for code in found]
    if equations.mechanism.inventory.delays:  # whose inputs need not enter the rates
        delayed = read_function(equations.function("delayed_signals"))
        codes = [*codes, (delayed, {0: t, 2: p})]
    layout = equations.layout
    if layout.guesses:  # unknowns that no rate depends on may jump as well
        solutions = read_function(equations.function("unwrapped_angles"))
        codes = [*codes, (solutions, {0: t, 2: p})]
    unwrapped = range(layout.unwrapping.start, layout.unwrapping.stop)
    changing = frozenset([*layout.internal, *unwrapped])
    cases = _Collected(changing, frozenset(layout.guesses))
    for code, given in codes:
        cases.collect(code, given)
    if any(own.condition is not None for own in equations.mechanism.inventory.triggers):
        cases.collect_conditions(equations, t)
    both = cases.by_level()
    return TimeFunctions(t, p, *both, list(cases.functions.values()))


def time_conditions_of(function: casadi.Function, t: casadi.SX, p: casadi.SX) -> Levels:
    """Return the zeros and rounds, in levels, at which a function of t and p changes."""
    found = _Collected(frozenset())
    found.collect(read_function(function), {0: t, 1: p})
    return found.by_level()


def _open_function(equations: Equations, t: casadi.SX) -> casadi.Function:
    """Return the equations as a function of t, x, p and tearing variables."""
    import casadi

    (x,) = equations.symbols("x")
    found = equations.form.torn_equations(t, elements(x), equations.branch_parameters)
    given = [t, x, equations.p, casadi.vertcat(casadi.SX(0, 1), *found.symbols)]
    column = casadi.densify(casadi.SX(casadi.vertcat(*found.values)))
    return casadi.Function("open", given, [column])


def _of_signals(
    equations: Equations, t: casadi.SX
) -> list[tuple[StraightCode, dict[int, casadi.SX]]]:
    """Return the code of all signals and prescribed motions, where no other is available."""
    import casadi

    mechanism = equations.mechanism
    inventory = mechanism.inventory
    if not (inventory.signal_laws or inventory.prescribed):
        return []
    q, u, z = equations.symbols("q", "u", "z")
    motion = equations.motion(elements(q), elements(u), None, t, elements(z))
    wanted = [port for law in inventory.signal_laws for port in law.inputs]
    wanted += [port for drive in inventory.prescribed for port in drive.signals]
    wanted += [port for line in inventory.lines for port in line.signals]
    wanted += [port for force in inventory.forces for port in force.signals]
    values: list[Scalar] = []
    for port in wanted:
        with suppress(AssemblyError):  # depends on accelerations
            values.append(motion.signal(port))
    for drive in inventory.prescribed:
        given = [motion.signal(port) for port in drive.signals]
        values.append(drive.law(drive.p, t, *given))
    with suppress(AssemblyError):
        values += mechanism.signals.rates(motion, elements(z), t)
    column = casadi.vertcat(casadi.SX(0, 1), *map(casadi.SX, values))
    function = casadi.Function("signals", [t, q, u, z, equations.p], [column])
    return [(read_function(function), {0: t, 4: equations.p})]


@mutable
class _Collected:
    """Functions of time alone in straight-line code; numbers `changing` of p are unknown.

    Guesses for Newton's method are `moving`: all that depends on them is no function of time.
    """

    changing: frozenset[int]
    moving: frozenset[int] = frozenset()
    zeros: dict[str, tuple[int, casadi.SX]] = field(default_factory=dict)
    rounds: dict[str, tuple[int, Rounding]] = field(default_factory=dict)
    functions: dict[str, casadi.SX] = field(default_factory=dict)

    def by_level(self) -> Levels:
        """Return zeros and rounds of all levels."""
        zeros, rounds = self.zeros.values(), self.rounds.values()
        levels = [level for level, _ in zeros] + [level for level, _ in rounds]
        count = 1 + max(levels, default=-1)
        return (
            [[own for level, own in zeros if level == k] for k in range(count)],
            [[own for level, own in rounds if level == k] for k in range(count)],
        )

    def collect_conditions(self, equations: Equations, t: casadi.SX) -> None:
        """Collect the trigger conditions that depend on time alone."""
        import casadi

        given = equations.symbols("q", "u", "z")
        q, u, z = (elements(own) for own in given)
        motion = equations.motion(q, u, None, t, z)
        own = [v for k, v in enumerate(elements(equations.p)) if k not in self.changing]
        constant = {symbol.element_hash() for symbol in own}
        for trigger in equations.mechanism.inventory.triggers:
            if trigger.condition is None:
                continue
            with suppress(AssemblyError):  # depends on accelerations
                value = casadi.SX(trigger.condition(motion))
                seen = {symbol.element_hash() for symbol in casadi.symvar(value)}
                if t.element_hash() in seen and seen - {t.element_hash()} <= constant:
                    self._add_condition(
                        casadi.Function("condition", [t, equations.p], [value])
                    )

    def _add_condition(self, condition: casadi.Function) -> None:
        """Add a condition, a function of t and p, and the branches within it."""
        t, p = condition.sx_in()
        inside = _Collected(self.changing, self.moving)
        inside.collect(read_function(condition), {0: t, 1: p})
        self.zeros = inside.zeros | self.zeros
        self.rounds = inside.rounds | self.rounds
        value = condition(t, p)
        self.zeros.setdefault(str(value), (len(inside.by_level()[0]), value))

    def collect(self, code: StraightCode, given: dict[int, casadi.SX]) -> None:
        """Collect the values computed of the arguments `given` alone, the first being time."""
        import casadi

        known: dict[int, casadi.SX] = {}
        timed: set[int] = set()
        constant: set[int] = set()  # but for time
        depth: dict[int, int] = {}  # nesting of branches of time
        for value in code.find_needed():
            name, left = code.operation[value], code.left[value]
            if name == "const":
                known[value] = casadi.SX(code.constants[value])
                constant.add(value)
            elif name == "input":
                if left in given and (left == 0 or code.right[value] not in self.moving):
                    known[value] = given[left][code.right[value]]
                    timed.update([value] * (left == 0))
                    if left == 0 or code.right[value] not in self.changing:
                        constant.add(value)
            elif isinstance(name, RecallOperation):
                continue  # its discontinuities are known in the run only
            else:
                operands = code.operands(value)
                if constant.issuperset(operands):
                    constant.add(value)
                else:
                    self._keep(known[k] for k in operands if k in timed and k in constant)
                if not all(k in known for k in operands):
                    continue
                given_by = [known[k] for k in operands]
                if isinstance(name, TableOperation):
                    known[value] = casadi.SX(name.record(*given_by))
                else:
                    make = casadi.SX.unary if len(operands) == 1 else casadi.SX.binary
                    known[value] = make(getattr(casadi, f"OP_{name.upper()}"), *given_by)
                if any(k in timed for k in operands):
                    timed.add(value)
                    level = max(depth.get(k, 0) for k in operands)
                    depth[value] = level + (name in CASES or _marks_of(name).size > 0)
                    self._note(name, given_by, level)
        self._keep(known[k] for _, _, k in code.outputs if k in timed and k in constant)

    def _keep(self, functions: Iterable[casadi.SX]) -> None:
        """Store functions of time, each once."""
        for function in functions:
            self.functions.setdefault(str(function), function)

    def _note(self, name: str, operands: list[casadi.SX], level: int) -> None:
        """Note a branch that time decides."""
        first, last = operands[0], operands[-1]
        if isinstance(name, TableOperation):
            marks = _marks_of(name)
            if marks.size:
                self.rounds.setdefault(f"{name} {first}", (level, Rounding(first, marks)))
        elif name in ROUNDED:
            self.rounds.setdefault(str(first), (level, Rounding(first)))
        elif name in DIVIDED:
            ratio = first / last + (0.5 if name == "remainder" else 0.0)
            self.rounds.setdefault(str(ratio), (level, Rounding(ratio)))
        elif name in DIFFERENT:
            gap = first - last
            self.zeros.setdefault(str(gap), (level, gap))
        elif name in AT_ZERO:
            self.zeros.setdefault(str(first), (level, first))
        elif name in BY_SIGN:
            self.zeros.setdefault(str(last), (level, last))


def _marks_of(name: str) -> np.ndarray:
    """Return the discontinuities of the table whose segments an operation finds, if it does."""
    table = name.table if isinstance(name, TableOperation) else None
    return table.discontinuities if isinstance(table, Breaks) else np.empty(0)


# --- their zeros ---------------------------------------------------------------------------


HALVED = 100  # bisections at most
FINEST = 1e-3  # of the largest time: down to this, times are found to their own rounding
MOST = 1_000_000  # integers that one function becomes

# whether values and rates of some functions at some times are on the same branch as before
Same = Callable[[np.ndarray, np.ndarray], np.ndarray]


class TimeConditions:
    """Functions of time at which a law changes: zeros where they vanish, then `rounds`.

    `linear` are those linear in time between branches.
    """

    def __init__(
        self, t: casadi.SX, p: casadi.SX, zeros: list[casadi.SX], rounds: list[Rounding]
    ) -> None:
        import casadi

        functions = [*zeros, *(own.function for own in rounds)]
        values = casadi.vertcat(casadi.SX(0, 1), *functions)
        rates = casadi.densify(casadi.SX(casadi.jacobian(values, t)))
        self.n_zeros = len(zeros)
        self.rounds = rounds
        self.linear = np.array([not is_nonlinear(own, t) for own in functions])
        self._function = casadi.Function("cases", [t, p], [casadi.densify(values), rates])

    def at(self, times: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return values and rates at some times, one line each."""
        if not times.size:
            return np.empty((0, self.linear.size)), np.empty((0, self.linear.size))
        values, rates = self._function(times.reshape(1, -1), p)
        return np.array(values).T, np.array(rates).T

    def sides(self, values: np.ndarray) -> np.ndarray:
        """Return which branch holds at some times; zero counts as positive."""
        return np.hstack([values[:, : self.n_zeros] >= 0.0, self._cells(values)])

    def _cells(self, values: np.ndarray) -> np.ndarray:
        """Return between which marks the roundings are, one column each."""
        own = values[:, self.n_zeros :]
        cells = [rounding.cell(own[:, k]) for k, rounding in enumerate(self.rounds)]
        return np.stack(cells, axis=1) if cells else own

    def is_same(
        self, value: np.ndarray, which: np.ndarray, before: np.ndarray
    ) -> np.ndarray:
        """Return which values, of functions `which`, are on the branch `before`."""
        same = (value >= 0.0) == before
        for k, rounding in enumerate(self.rounds, self.n_zeros):
            own = which == k
            same[own] = rounding.cell(value[own]) == before[own]
        return same

    def off_marks(self, values: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Return how far values of functions `which` are from zero, or the nearest mark."""
        off = np.abs(values)
        for k, rounding in enumerate(self.rounds, self.n_zeros):
            own = which == k
            off[own] = rounding.distance(values[own])
        return off

    def changes_at(self, time: float, aside: float, p: np.ndarray) -> bool:
        """Return whether a branch changes at a time, or differs just there."""
        values = self.at(np.array([time - aside, time, time + aside]), p)[0]
        sides = np.hstack([np.sign(values[:, : self.n_zeros]), self._cells(values)])
        return bool((sides != sides[0]).any())


def is_nonlinear(function: casadi.SX, t: casadi.SX) -> bool:
    """Return whether the rate of a function of t depends on t, between its branches."""
    import casadi

    rate = casadi.SX(casadi.jacobian(function, t))
    return any(not casadi.SX(casadi.jacobian(own, t)).is_zero() for own in elements(rate))


class TimeEventSearch:
    """The search for the times at which functions change, in intervals of a run.

    Intervals go from `begins` to `ends`; nonlinear functions are sampled at the times of `grid`.
    """

    def __init__(
        self, cases: TimeConditions, p: np.ndarray, pieces: tuple[np.ndarray, np.ndarray]
    ) -> None:
        self.cases, self.p = cases, p
        self.begins, self.ends = pieces

    def find(self, grid: np.ndarray) -> np.ndarray:
        """Return all times, not sorted."""
        found = []
        if self.cases.linear.any():
            found += [self._of_straight()]
        if not self.cases.linear.all():
            found += self._of_nonlinear(grid)
        return np.concatenate([np.empty(0), *found])

    def _of_straight(self) -> np.ndarray:
        """Return where linear functions change, from their values and rates."""
        n, own = self.cases.n_zeros, self.cases.linear
        begins, rates = self.cases.at(self.begins, self.p)
        ends, _ = self.cases.at(self.ends, self.p)
        found = []
        for k in np.flatnonzero(own):
            a, b, rate = begins[:, k], ends[:, k], rates[:, k]
            if k < n:
                at = np.flatnonzero((a >= 0.0) != (b >= 0.0))
                whole = np.zeros(at.size)
            else:
                at, whole = self.cases.rounds[k - n].between(a, b)
            with np.errstate(divide="ignore", invalid="ignore"):
                times = self.begins[at] + (whole - a[at]) / rate[at]
            times = np.clip(times, self.begins[at], self.ends[at])
            found.append(times[np.isfinite(times)])
        return np.concatenate(found)

    def _of_nonlinear(self, grid: np.ndarray) -> list[np.ndarray]:
        """Return where nonlinear functions change, by sampling and bisection."""
        piece = np.searchsorted(self.begins, grid, side="right") - 1
        inside = (piece >= 0) & (grid > self.begins[piece]) & (grid < self.ends[piece])
        times = np.concatenate([self.begins, self.ends, grid[inside]])
        order = np.argsort(times, kind="stable")
        times = times[order]
        numbers = np.arange(self.begins.size)
        piece = np.concatenate([numbers, numbers, piece[inside]])[order]
        values, rates = self.cases.at(times, self.p)
        nonlinear = ~self.cases.linear & (piece[1:] == piece[:-1])[:, None]
        nonlinear &= np.isfinite(values[1:]) & np.isfinite(values[:-1])
        sides = self.cases.sides(values)
        differ = nonlinear & (sides[1:] != sides[:-1])
        found = [self._halve(times, *np.nonzero(differ))]
        back = self._come_back(values, rates) & nonlinear & ~differ
        at, which = np.nonzero(back)
        if at.size:
            found += self._lowest(times, at, which, np.abs(values).max(axis=0))
        return found

    def _come_back(self, values: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """Return between which samples a function may reach a change and return."""
        n = self.cases.n_zeros
        a, b = rates[:-1].copy(), rates[1:].copy()
        direction = np.where(values[:-1, :n] >= 0.0, 1.0, -1.0)
        turned = np.sign(a[:, n:]) + (a[:, n:] == 0.0) * -np.sign(b[:, n:])
        for rate in (a, b):
            rate[:, :n] *= direction
            rate[:, n:] *= -turned
        return (a <= 0.0) & (b >= 0.0) & ((a < 0.0) | (b > 0.0))

    def _lowest(
        self, times: np.ndarray, at: np.ndarray, which: np.ndarray, sizes: np.ndarray
    ) -> list[np.ndarray]:
        """Return where functions change between two samples, or touch at their extremum."""
        intervals = np.arange(at.size)
        begins, ends = times[at], times[at + 1]
        signs = np.sign(self.cases.at(ends, self.p)[1][intervals, which])
        first = np.sign(self.cases.at(begins, self.p)[1][intervals, which])
        signs = np.where(signs == 0.0, -first, signs)
        lowest = self._narrow(
            begins, ends, which, lambda _, rate: np.sign(rate) * signs < 0.0
        )
        values = self.cases.at(lowest, self.p)[0]
        before = self.cases.sides(self.cases.at(begins, self.p)[0])[intervals, which]
        passes = self.cases.sides(values)[intervals, which] != before
        own = values[intervals, which]
        n = self.cases.n_zeros
        off = self.cases.off_marks(own, which)
        touches = ~passes & (off <= ROUNDING * np.maximum(sizes[which], which >= n))
        three = np.column_stack([begins, lowest, ends])[passes]
        halves = [
            self._halve_between(three[:, k], three[:, k + 1], which[passes]) for k in (0, 1)
        ]
        return [lowest[touches], *halves]

    def _halve(self, times: np.ndarray, at: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Return where functions change between samples `at` and the next ones."""
        return self._halve_between(times[at], times[at + 1], which)

    def _halve_between(
        self, begins: np.ndarray, ends: np.ndarray, which: np.ndarray
    ) -> np.ndarray:
        """Return the first times at which functions are on the other branch, by bisection."""
        intervals = np.arange(begins.size)
        before = self.cases.sides(self.cases.at(begins, self.p)[0])[intervals, which]

        def is_same(value: np.ndarray, _: np.ndarray) -> np.ndarray:
            return self.cases.is_same(value, which, before)

        return self._narrow(begins, ends, which, is_same)

    def _narrow(
        self, begins: np.ndarray, ends: np.ndarray, which: np.ndarray, is_same: Same
    ) -> np.ndarray:
        """Return the first times at which something is no longer the same, by bisection."""
        a, b, intervals = begins.copy(), ends.copy(), np.arange(begins.size)
        if not intervals.size:
            return b
        largest = FINEST * max(abs(self.begins[0]), abs(self.ends[-1]))
        for _ in range(HALVED):
            middle = 0.5 * (a + b)
            finest = 2.0 * EPSILON * np.maximum(np.maximum(abs(a), abs(b)), largest)
            if (b - a <= finest).all():
                break
            values, rates = self.cases.at(middle, self.p)
            same = is_same(values[intervals, which], rates[intervals, which])
            a, b = np.where(same, middle, a), np.where(same, b, middle)
        return b


# --- mesh of time functions ----------------------------------------------------------------
# Step control judges a step by a few stages. A smooth pulse on a body at rest, narrower than
# the steps, would be missed. Therefore functions of time alone are sampled beforehand over
# the run, and steps end where they need resolution.


INTERVALS = 4096  # of a run, sampled at their ends; a power of two
AHEAD = 64  # calls for which a simulation without an end is sampled
KEPT = 8  # runs that are cached
FACTOR = 4.0  # by which a narrow feature exceeds the deviation of longer intervals
RESOLVED = 0.05  # of the height of a feature: largest deviation between two mesh points
SHORTER = 2.5  # abrupt decrease of lengths of which step control may be unaware
FORGOTTEN = 0.85  # decay of the expected length
SINGLE = 8  # of so many intervals one may be shorter without being counted
NEAR = 2  # neighbours on either side that see the same feature


class TimeMesh:
    """The mesh that resolves the functions of time of a model.

    Functions are sampled if they are nonlinear in t between their branches. `count` is their
    number.
    """

    def __init__(self, of_time: TimeFunctions) -> None:
        import casadi

        t = of_time.t
        functions = [f for f in of_time.functions if is_nonlinear(f, t)]
        self.count = len(functions)
        column = casadi.vertcat(casadi.SX(0, 1), *functions)
        of = casadi.which_depends(column, of_time.p, 1, False) if self.count else []
        self._places = np.flatnonzero(of)
        given = [of_time.p[int(k)] for k in self._places]
        known = casadi.vertcat(casadi.SX(0, 1), *given)
        self._at = casadi.Function("of_time", [t, known], [casadi.densify(column)])
        self._kept: dict[tuple[float, float, bytes], tuple[np.ndarray, np.ndarray]] = {}
        self._window = -np.inf, -np.inf

    def spacing(self, begin: float, end: float) -> float:
        """Return the sampling interval [s] of a run, 0 without functions."""
        return (end - begin) / INTERVALS if self.count else 0.0

    def times(self, begin: float, end: float, p: np.ndarray) -> np.ndarray:
        """Return the breakpoints between two times, sorted."""
        if not (self.count and end > begin):
            return np.empty(0)
        return self._cached_mesh(begin, end, p)[0]

    def fineness(self, begin: float, end: float, p: np.ndarray) -> np.ndarray:
        """Return the sample spacing [s] that resolves the functions, in `MESH_PARTS` of a run.

        Single points, as corners of a function, do not count: steps end there.
        """
        if not (self.count and end > begin):
            return np.full(MESH_PARTS, np.inf)
        return self._cached_mesh(begin, end, p)[1]

    def _cached_mesh(
        self, begin: float, end: float, p: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the breakpoints and the sample spacings, which are cached."""
        key = begin, end, p[self._places].tobytes()
        if key not in self._kept:
            while len(self._kept) >= KEPT:
                self._kept.pop(next(iter(self._kept)))
            grid = np.linspace(begin, end, INTERVALS + 1)
            values = np.array(self._at(grid.reshape(1, -1), p[self._places]))
            shown = values[np.isfinite(values).all(axis=1)]
            lengths = [resolving_lengths(own) for own in shown]
            found = np.concatenate([[], *map(find_breakpoints, lengths)]).astype(int)
            least = np.min([np.full(INTERVALS, INTERVALS), *lengths], axis=0).reshape(
                MESH_PARTS, -1
            )
            some = np.sort(least, axis=1)[:, INTERVALS // MESH_PARTS // SINGLE]
            self._kept[key] = grid[np.unique(found)], some * self.spacing(begin, end)
        return self._kept[key]

    def window(self, begin: float, end: float) -> tuple[float, float]:
        """Return the times between which a simulation without an end is sampled at once."""
        first, last = self._window
        if not first <= begin <= end <= last:
            self._window = begin, begin + AHEAD * (end - begin)
        return self._window

    def next_times(self, begin: float, end: float, p: np.ndarray) -> np.ndarray:
        """Return the same in a simulation without an end, for many such calls."""
        first, last = self.window(begin, end)
        found = self.times(first, last, p)
        return found[(found > begin) & (found < end)]


def find_breakpoints(lengths: np.ndarray) -> np.ndarray:
    """Return the numbers of those of 2ⁿ + 1 equidistant values that are breakpoints.

    A mesh goes through the values by the lengths that resolve them. Where these shrink abruptly,
    step control may be unaware of it: the next mesh points are breakpoints.
    """
    reach = np.arange(lengths.size) + lengths
    reach = np.minimum.accumulate(reach[::-1])[::-1].tolist()
    found: list[int] = []
    at, expected = 0, 0.0
    while at < len(reach):
        length = reach[at] - at
        if expected > SHORTER * length:
            found.append(at)
        at, expected = reach[at], max(length, FORGOTTEN * expected)
    return np.array(found, dtype=int)


def resolving_lengths(values: np.ndarray) -> np.ndarray:
    """Return for each interval the length, in intervals, that resolves it.

    The middle of each interval of a length is compared with a cubic through its ends and their
    neighbours, from the longest to the shortest length. The deviation of a smooth function
    decreases. Where it exceeds that of a longer interval, a narrower feature is found; `height`
    is that of the features found so far.
    """
    length = values.size - 1
    resolved = np.full(length, length)
    height = np.array([float(np.ptp(values))])
    least = HIDDEN_CHANGE * height[0]
    seen = np.array([np.inf])
    while length > 1:
        off = _off_cubic(values[::length], values[length // 2 :: length])
        near = _largest_near(off)
        hidden = _largest_near((off > FACTOR * seen) & (off > least))
        height = np.where(hidden, np.minimum(height, near), height)
        seen = np.where(hidden, near, np.minimum(seen, near))
        active = off > np.maximum(RESOLVED * height, least)
        resolved[np.repeat(active, length)] = length // 2
        height, seen = np.repeat(height, 2), np.repeat(seen, 2)
        length //= 2
    return resolved


def _off_cubic(ends: np.ndarray, middles: np.ndarray) -> np.ndarray:
    """Return the deviation of the middles of intervals from a cubic through the ends around."""
    off = middles - 0.5 * (ends[:-1] + ends[1:])
    if ends.size > 2:
        curvature = np.diff(ends, 2)
        off += 0.0625 * (
            np.append(curvature[0], curvature) + np.append(curvature, curvature[-1])
        )
    return np.abs(off)


def _largest_near(values: np.ndarray) -> np.ndarray:
    """Return of each value the largest of it and its neighbours."""
    largest = values.copy()
    for k in range(1, NEAR + 1):
        np.maximum(largest[k:], values[:-k], out=largest[k:])
        np.maximum(largest[:-k], values[k:], out=largest[:-k])
    return largest


# --- time events ---------------------------------------------------------------------------


SAMPLES = 2000  # of a nonlinear function of time in a run
SAMPLES_AHEAD = 16_000  # … with so many samples
LEAST = 1e-3  # of the largest time: nearer to zero, times are distinguished as there
ONE = 0.5  # of the distance at which laws are evaluated: nearer events coincide


def find_least(begin: float, end: float, ahead: float = 1.0) -> float:
    """Return the least time [s] by whose rounding the times of a run are distinguished.

    `ahead` is the number of calls of one simulation.
    """
    return LEAST * max(abs(begin), abs(begin + ahead * (end - begin)))


def find_aside(time: float, least: float) -> float:
    """Return how far [s] beside a time event laws are evaluated, see `find_least`."""
    return TIME_ROUNDING * max(abs(time), least)


class TimeEvents:
    """The times at which the laws of a model change, whatever its motion is.

    They change where some functions of t and p vanish, or become integers or discontinuities of
    tables. These may branch themselves: they are in levels, and those of each level are searched
    between the events of the levels before. Linear functions are solved exactly; nonlinear ones
    are sampled `SAMPLES` times a run, or `SAMPLES_AHEAD` times in `AHEAD` calls of a simulation
    without an end. `mesh` resolves smooth functions that long steps would miss.
    """

    def __init__(self, equations: Equations) -> None:
        import casadi

        of_time = find_time_functions(equations)
        self.mesh = TimeMesh(of_time)
        self._levels = make_levels(of_time.t, of_time.p, of_time.zeros, of_time.rounds)
        both = [own for level in of_time.zeros for own in level]
        both += [own.function for level in of_time.rounds for own in level]
        self.count = len(both)
        column = casadi.vertcat(casadi.SX(0, 1), *both)
        of = casadi.which_depends(column, of_time.p, 1, False) if self.count else []
        self._places = np.flatnonzero(of)
        self._window = -np.inf, -np.inf
        self._kept: dict[tuple[float, float, bytes], np.ndarray] = {}

    def times(self, begin: float, end: float, p: np.ndarray) -> np.ndarray:
        """Return the time events between two times, sorted."""
        return self._cached_events(begin, end, p, SAMPLES)

    def next_times(self, begin: float, end: float, p: np.ndarray) -> np.ndarray:
        """Return the same in a simulation without an end, found for many such calls at once."""
        first, last = self._window
        if not first <= begin <= end <= last:
            first, last = self._window = begin, begin + AHEAD * (end - begin)
        found = self._cached_events(first, last, p, SAMPLES_AHEAD)
        least = find_least(begin, end, AHEAD)
        after, before = begin + find_aside(begin, least), end - find_aside(end, least)
        return found[(found > after) & (found < before)]

    def _cached_events(
        self, begin: float, end: float, p: np.ndarray, samples: int
    ) -> np.ndarray:
        """Return the time events, which are cached."""
        if not self.count or not end > begin:
            return np.empty(0)
        key = begin, end, p[self._places].tobytes()
        if key not in self._kept:
            while len(self._kept) >= KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = find_time_events(self._levels, begin, end, p, samples)
        return self._kept[key]

    def are_at(self, begin: float, end: float, p: np.ndarray) -> bool:
        """Return whether there is a time event at the very begin of a run, or at its end."""
        least = find_least(begin, end)
        return any(
            own.changes_at(t, find_aside(t, least), p)
            for own in self._levels
            for t in (begin, end)
        )


def make_levels(
    t: casadi.SX, p: casadi.SX, zeros: list[list[casadi.SX]], rounds: list[list[Rounding]]
) -> list[TimeConditions]:
    """Return the conditions of all levels."""
    return [TimeConditions(t, p, *both) for both in zip(zeros, rounds, strict=True)]


def find_time_events(
    levels: Sequence[TimeConditions],
    begin: float,
    end: float,
    p: np.ndarray,
    samples: int = SAMPLES,
) -> np.ndarray:
    """Return the times between two times at which a condition changes, sorted."""
    least = find_least(begin, end)
    grid = np.linspace(begin, end, samples + 1)
    found = np.empty(0)
    for cases in levels:
        edges = np.concatenate([[begin], found, [end]])
        aside = TIME_ROUNDING * np.maximum(np.abs(edges), least)
        begins, ends = (edges + aside)[:-1], (edges - aside)[1:]
        some = begins < ends
        if not some.any():
            break
        own = TimeEventSearch(cases, p, (begins[some], ends[some])).find(grid)
        found = np.unique(np.concatenate([found, own]))
        near = ONE * TIME_ROUNDING * np.maximum(np.abs(found), least)
        found = found[np.diff(found, prepend=-np.inf) > near]
    return found
