"""What depends on time alone: where it changes by a case, and how it runs between cases.

Both are found in the traced equations, so no law has to declare them.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.compiler.straight.code import StraightCode, read_function
from motorik.errors import AssemblyError
from motorik.system.functions import elements

if TYPE_CHECKING:
    import casadi

    from motorik.system.equations import Equations

ROUNDED = ("floor", "ceil")  # change at whole numbers
DIVIDED = ("fmod", "remainder")  # … at whole, or half, numbers of their ratio
DIFFERENT = ("lt", "le", "eq", "ne", "fmax", "fmin")  # change where both are equal
AT_ZERO = ("sign", "fabs", "sqrt")  # … where the first one is zero
BY_SIGN = ("copysign",)  # … where the second one is zero
CASES = frozenset((*ROUNDED, *DIVIDED, *DIFFERENT, *AT_ZERO, *BY_SIGN))


@dataclass(frozen=True)
class OfTime:
    """What the equations compute of the time t and the parameters p alone.

    A law changes where one of `zeros` vanishes or one of `rounds` becomes a whole number.
    Both are in levels: what is compared may have cases of its own, all of them in levels before.
    `functions` are what the rest of the equations takes of it, as far as it depends on nothing
    that changes in a run.
    """

    t: casadi.SX
    p: casadi.SX
    zeros: list[list[casadi.SX]]
    rounds: list[list[casadi.SX]]
    functions: list[casadi.SX]


def find_of_time(equations: Equations) -> OfTime:
    """Return what the equations of motion compute of time alone."""
    t, p = equations.symbols("t")[0], equations.p
    if equations.iterates or equations.form.n_alike:
        codes = _of_signals(equations, t)
    else:
        names = ["derivative"]
        if equations.form.balance is not None:  # a force that steps has no rate
            names.append("project")
        if equations.form.feeds_back:  # how readings are solved is no law of time
            names.remove("derivative")
        if equations.response is not None:
            found = list(equations.response.codes.values())
        else:
            functions = [equations.function(name) for name in names]
            if equations.form.feeds_back:
                functions.append(_open_function(equations, t))
            found = [read_function(f) for f in functions]
        codes = [(code, {0: t, 2: p}) for code in found]
    layout = equations.layout
    followed = range(layout.followed_at, layout.followed_at + layout.n_followed)
    modes = (k for k, own in enumerate(layout.live) if own.parameter.role)
    cases = _Found(frozenset([*modes, *followed]))
    for code, given in codes:
        cases.collect(code, given)
    if any(own.condition is not None for own in equations.mechanism.inventory.triggers):
        cases.collect_conditions(equations, t)
    both = cases.in_levels()
    return OfTime(t, p, *both, list(cases.functions.values()))


def cases_of(
    function: casadi.Function, t: casadi.SX, p: casadi.SX
) -> tuple[list[list[casadi.SX]], list[list[casadi.SX]]]:
    """Return the zeros and rounds, in levels, at which a function of t and p changes."""
    found = _Found(frozenset())
    found.collect(read_function(function), {0: t, 1: p})
    return found.in_levels()


def _open_function(equations: Equations, t: casadi.SX) -> casadi.Function:
    """Return what the equations compute, as a function of t, x, p and what forces read."""
    import casadi

    (x,) = equations.symbols("x")
    found = equations.form.open_laws(t, elements(x), equations.all_extra)
    given = [t, x, equations.p, casadi.vertcat(casadi.SX(0, 1), *found.symbols)]
    column = casadi.densify(casadi.SX(casadi.vertcat(*found.values)))
    return casadi.Function("open", given, [column])


def _of_signals(
    equations: Equations, t: casadi.SX
) -> list[tuple[StraightCode, dict[int, casadi.SX]]]:
    """Return the code of all signals and prescribed motions, where no other is at hand."""
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
        with suppress(AssemblyError):  # what follows from accelerations moves nothing
            values.append(motion.signal(port))
    for drive in inventory.prescribed:
        given = [motion.signal(port) for port in drive.signals]
        values.append(drive.law(drive.p, t, *given))
    with suppress(AssemblyError):
        values += mechanism.signals.rates(motion, elements(z), t)
    column = casadi.vertcat(casadi.SX(0, 1), *map(casadi.SX, values))
    function = casadi.Function("signals", [t, q, u, z, equations.p], [column])
    return [(read_function(function), {0: t, 4: equations.p})]


@dataclass
class _Found:
    """What depends on time alone in straight-line code; numbers `changing` of p are not known."""

    changing: frozenset[int]
    zeros: dict[str, tuple[int, casadi.SX]] = field(default_factory=dict)
    rounds: dict[str, tuple[int, casadi.SX]] = field(default_factory=dict)
    functions: dict[str, casadi.SX] = field(default_factory=dict)

    def in_levels(self) -> tuple[list[list[casadi.SX]], list[list[casadi.SX]]]:
        """Return zeros and rounds of all levels."""
        both = self.zeros.values(), self.rounds.values()
        count = 1 + max((level for column in both for level, _ in column), default=-1)
        zeros, rounds = (
            [[own for level, own in column if level == k] for k in range(count)]
            for column in both
        )
        return zeros, rounds

    def collect_conditions(self, equations: Equations, t: casadi.SX) -> None:
        """Collect the conditions of triggers that depend on time alone: they change at zero."""
        import casadi

        given = equations.symbols("q", "u", "z")
        q, u, z = (elements(own) for own in given)
        motion = equations.motion(q, u, None, t, z)
        own = [v for k, v in enumerate(elements(equations.p)) if k not in self.changing]
        constant = {symbol.element_hash() for symbol in own}
        for trigger in equations.mechanism.inventory.triggers:
            if trigger.condition is None:
                continue
            with suppress(AssemblyError):  # what follows from accelerations
                value = casadi.SX(trigger.condition(motion))
                seen = {symbol.element_hash() for symbol in casadi.symvar(value)}
                if t.element_hash() in seen and seen - {t.element_hash()} <= constant:
                    self._add_condition(
                        casadi.Function("condition", [t, equations.p], [value])
                    )

    def _add_condition(self, condition: casadi.Function) -> None:
        """Add a condition, a function of t and p, and the cases within it."""
        t, p = condition.sx_in()
        inside = _Found(self.changing)
        inside.collect(read_function(condition), {0: t, 1: p})
        self.zeros = inside.zeros | self.zeros
        self.rounds = inside.rounds | self.rounds
        value = condition(t, p)
        self.zeros.setdefault(str(value), (len(inside.in_levels()[0]), value))

    def collect(self, code: StraightCode, given: dict[int, casadi.SX]) -> None:
        """Collect what code computes of its arguments `given` alone, the first being time."""
        import casadi

        known: dict[int, casadi.SX] = {}
        timed: set[int] = set()
        constant: set[int] = set()  # but for time
        depth: dict[int, int] = {}  # how many cases of time are one within the other
        for value in code.find_needed():
            name, left = code.operation[value], code.left[value]
            if name == "const":
                known[value] = casadi.SX(code.constants[value])
                constant.add(value)
            elif name == "input":
                if left in given:
                    known[value] = given[left][code.right[value]]
                    timed.update([value] * (left == 0))
                    if left == 0 or code.right[value] not in self.changing:
                        constant.add(value)
            else:
                operands = code.operands(value)
                if constant.issuperset(operands):
                    constant.add(value)
                else:
                    self._keep(known[k] for k in operands if k in timed and k in constant)
                if not all(k in known for k in operands):
                    continue
                given_by = [known[k] for k in operands]
                make = casadi.SX.unary if len(operands) == 1 else casadi.SX.binary
                known[value] = make(getattr(casadi, f"OP_{name.upper()}"), *given_by)
                if any(k in timed for k in operands):
                    timed.add(value)
                    level = max(depth.get(k, 0) for k in operands)
                    depth[value] = level + (name in CASES)
                    self._note(name, given_by, level)
        self._keep(known[k] for _, _, k in code.outputs if k in timed and k in constant)

    def _keep(self, functions: Iterable[casadi.SX]) -> None:
        """Keep functions of time, each once."""
        for function in functions:
            self.functions.setdefault(str(function), function)

    def _note(self, name: str, operands: list[casadi.SX], level: int) -> None:
        """Note a case that time decides."""
        first, last = operands[0], operands[-1]
        if name in ROUNDED:
            self.rounds.setdefault(str(first), (level, first))
        elif name in DIVIDED:
            ratio = first / last + (0.5 if name == "remainder" else 0.0)
            self.rounds.setdefault(str(ratio), (level, ratio))
        elif name in DIFFERENT:
            gap = first - last
            self.zeros.setdefault(str(gap), (level, gap))
        elif name in AT_ZERO:
            self.zeros.setdefault(str(first), (level, first))
        elif name in BY_SIGN:
            self.zeros.setdefault(str(last), (level, last))
