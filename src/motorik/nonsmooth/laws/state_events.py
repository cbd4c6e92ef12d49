"""State events of force laws: conditions on the state at which a law branches.

A law is a plain function. It is traced in isolation, on symbols for its arguments, so that its own
comparisons are separated from those of the equations, and equal laws are traced once. A `where`
that holds over a short distance only, (s − 3.3)² < 0.01, may lie between all stages of a long step;
steps therefore end at such conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from math import pi
from typing import TYPE_CHECKING, Any

from motorik.algebra.matrix import Matrix
from motorik.algebra.motor import Motor
from motorik.algebra.piecewise import is_entry, located
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.compiler.symbols import elements, make_function
from motorik.components.base.contributions import (
    FrameForce,
    LineForce,
    PartEquations,
    SignalLaw,
)
from motorik.components.base.internal import single_number
from motorik.errors import AssemblyError
from motorik.immutable import immutable
from motorik.motion.steps import radians

if TYPE_CHECKING:
    import casadi

    from motorik.components.base.ports import Port
    from motorik.equations.system import FlatEquation
    from motorik.motion.view import MotionView
    from motorik.system.equations import Equations
    from motorik.topology.inventory import Inventory
    from motorik.topology.networks import Network


# --- conditions of one law -----------------------------------------------------------------


PER_FRAME = 18  # numbers of a pose and a velocity


@immutable
class TracedLaw:
    """The `conditions` of a law, functions of the symbols `inputs` that vanish where it branches.

    `given(motion)` are the values of the inputs in a motion, `source` is the contribution; `jumps`
    is of each condition whether the law may be discontinuous there.
    """

    inputs: list[casadi.SX]
    conditions: list[casadi.SX]
    given: Callable[[MotionView], Sequence[Scalar]]
    source: AnyLaw | PartEquations | None  # None for blocks that joined a network
    jumps: list[bool]


AnyLaw = LineForce | FrameForce | SignalLaw
# symbols, conditions and jumps of traced laws
Known = dict[
    object, tuple["IsolatedLaw", "list[casadi.SX]", "list[casadi.SX]", "list[bool]"]
]


def law_lists(inventory: Inventory) -> dict[str, list[Any]]:
    """Return the lists of an inventory that hold laws, by name."""
    names = "lines", "forces", "signal_laws", "part_equations"
    return {name: getattr(inventory, name) for name in names}


def isolate(law: AnyLaw, t: Scalar) -> IsolatedLaw:
    """Return a law in isolation, as a function of plain numbers."""
    if isinstance(law, LineForce):
        return _of_line(law)
    if isinstance(law, FrameForce):
        return _of_force(law, t)
    return _of_signals(law, t)


def branching_laws(equations: Equations, t: Scalar) -> Iterator[TracedLaw]:
    """Yield the laws that compare their arguments.

    Laws of parts with nonsmooth constraints are omitted: these have their own events.
    """
    inventory = equations.mechanism.inventory
    nonsmooth = {id(constraint.part) for constraint in inventory.nonsmooth}
    known: Known = {}
    for line in equations.mechanism.lines:
        if id(line.flange_b.owner) not in nonsmooth:
            yield from _traced(line, t, known)
    for force in equations.mechanism.forces:
        if id(force.part) not in nonsmooth:
            yield from _traced(force, t, known)
    for law in inventory.signal_laws:
        yield from _traced(law, t, known)
    network = equations.mechanism.signals.network
    if network is not None:
        yield from _of_network(network)


def _of_network(network: Network) -> Iterator[TracedLaw]:
    """Yield the equations of parts that compare their unknowns."""
    found: dict[int, tuple[list[casadi.SX], list[bool]]] = {}
    sources = {own.part.path: own for own in network.inventory.part_equations}
    for equation in network.part_equations:
        template, source = equation.template, sources.get(equation.part)
        if id(template) not in found:
            left = [] if source is None else source.surfaces
            gaps = {str(gap): gap for gap in conditions_of([template.residual])}
            own = [gap for text, gap in gaps.items() if text not in left]
            found[id(template)] = own, _jumping([template.residual], own)
        conditions, jumps = found[id(template)]
        if source is None:
            jumps = [False] * len(jumps)  # the law of the block itself is among the others
        if conditions:
            given = template.arguments, conditions, _given_to(equation)
            yield TracedLaw(*given, source, jumps)


def _jumping(values: Sequence[casadi.SX], gaps: Sequence[casadi.SX]) -> list[bool]:
    """Return of each condition whether values may jump there."""
    found = {str(gap) for gap in conditions_of(values, only_jumps=True)} if gaps else set()
    return [str(gap) in found or str(-gap) in found for gap in gaps]


def _given_to(equation: FlatEquation) -> Callable[[MotionView], Sequence[Scalar]]:
    def given(motion: MotionView) -> Sequence[Scalar]:
        unknowns, parameters = equation.arguments(motion.network_point())
        return [*unknowns, *parameters]

    return given


@immutable
class IsolatedLaw:
    """A law, the number of its arguments, and its values as a function of them.

    `guards` are values that only guard against a division by zero.
    """

    law: object
    values: tuple[object, ...]
    count: int
    compute: Callable[[list[casadi.SX]], Sequence[Scalar]]
    given: Callable[[MotionView], Sequence[Scalar]]
    guards: Callable[[list[casadi.SX]], Sequence[Scalar]] = lambda u: ()


def _traced(source: AnyLaw, t: Scalar, known: Known) -> Iterator[TracedLaw]:
    """Yield a law if it branches; equal laws with different arguments are traced once.

    Surfaces of active sliding modes are omitted.
    """
    import casadi

    own = isolate(source, t)
    key: object = own.law, own.values, own.count
    if not all(isinstance(value, (int, float, str)) for value in own.values):
        key = id(own)
    if key not in known:
        u = [casadi.SX.sym(f"u{k}") for k in range(own.count)]
        values = own.compute(u)
        gaps = {str(gap): gap for gap in conditions_of(values)}
        guards = {str(gap) for gap in conditions_of(own.guards(u))} if gaps else set()
        shared = getattr(own.law, "shared", None)
        if shared is not None:
            guards |= {text for gap in shared.surfaces for text in (str(gap), str(-gap))}
        given = casadi.vertcat(casadi.SX(0, 1), *u)
        found = [gap for text, gap in gaps.items() if text not in guards]
        found = [gap for gap in found if casadi.depends_on(gap, given)]
        known[key] = own, u, found, _jumping(values, found)
    _, u, gaps_found, jumps = known[key]
    if gaps_found:
        yield TracedLaw(u, gaps_found, own.given, source, jumps)


def _of_line(line: LineForce) -> IsolatedLaw:
    def given(motion: MotionView) -> list[Scalar]:
        ends = line.flange_a, line.flange_b
        a, b = ((0.0, 0.0) if end is None else motion.flange(end) for end in ends)
        return [b[0] - a[0], b[1] - a[1], *_values(motion, line.signals)]

    def compute(u: list[casadi.SX]) -> list[Scalar]:
        return [line.law(line.p, *u[:2], *_as_signals(line.signals, u[2:]))]

    values = tuple(vars(line.p).values())
    return IsolatedLaw(line.law, values, 2 + _size(line.signals), compute, given)


def _of_force(force: FrameForce, t: Scalar) -> IsolatedLaw:
    from motorik.components.forces.line import guarded_length

    n, m = PER_FRAME * len(force.frames), _size(force.signals)

    def compute(u: list[casadi.SX]) -> list[Scalar]:
        signals = _as_signals(force.signals, u[n : n + m])
        given = force.law(force.p, t, _motions(u[:n]), *signals, *u[n + m :])
        return [value for load in given for value in load.components]

    def given(motion: MotionView) -> list[Scalar]:
        found: list[Scalar] = []
        for port in force.frames:
            found += of_frame(motion.pose(port), motion.velocity(port))
        found += _values(motion, force.signals)
        return [*found, *(motion.coordinate(force.part, k) for k in force.coordinates)]

    def guards(u: list[casadi.SX]) -> list[Scalar]:
        if len(force.frames) != 2:
            return []
        (X_a, _), (X_b, _) = _motions(u[:n])
        return [guarded_length(X_b.p - X_a.p, getattr(force.p, "s_small", 1e-10))]

    values = tuple(vars(force.p).values())
    count = n + m + len(force.coordinates)
    return IsolatedLaw(force.law, values, count, compute, given, guards)


def of_frame(X: Pose, V: Motor) -> list[Scalar]:
    """Return the numbers of a pose and a velocity, as laws of frames take them."""
    entries = (getattr(X.R, name) for name in Matrix._leaves)
    return [*entries, *X.p.xyz, *V.resultant.xyz, *V.moment.xyz]


def _of_signals(law: SignalLaw, t: Scalar) -> IsolatedLaw:
    n = _size(law.inputs)

    def compute(u: list[casadi.SX]) -> list[Scalar]:
        given = law.p, t, _as_signals(law.inputs, u[:n]), u[n:]
        rates = () if law.rates is None else law.rates(*given)
        return flat([*law.law(*given), *rates])

    def given(motion: MotionView) -> list[Scalar]:
        states = [motion.state(law.part, name) for name in law.names]
        return [*_values(motion, law.inputs), *states]

    values = tuple(vars(law.p).values())
    return IsolatedLaw(law.law, (law.rates, *values), n + len(law.starts), compute, given)


def _size(ports: Sequence[Port]) -> int:
    return sum(port.size for port in ports)


def _as_signals(ports: Sequence[Port], u: list[casadi.SX]) -> list[Scalar]:
    """Return symbols as values of signals: those of several elements are tuples."""
    left = iter(u)
    taken = ([next(left) for _ in range(port.size)] for port in ports)
    return [own[0] if len(own) == 1 else tuple(own) for own in taken]


def _values(motion: MotionView, ports: Sequence[Port]) -> list[Scalar]:
    return flat([motion.signal(port) for port in ports])


def flat(values: Iterable[Any]) -> list[Scalar]:
    """Return the scalars of values, some of which are tuples."""
    found: list[Scalar] = []
    for value in values:
        found += flat(value) if isinstance(value, (tuple, list)) else [value]
    return found


def _motions(u: list[casadi.SX]) -> list[tuple[Pose, Motor]]:
    """Return poses and velocities of frames made of symbols."""
    found = []
    for k in range(0, len(u), PER_FRAME):
        own = u[k : k + PER_FRAME]
        X = Pose(Matrix(*own[:9]), Vector(*own[9:12]))
        found.append((X, Motor(Vector(*own[12:15]), Vector(*own[15:]))))
    return found


def conditions_of(
    values: Iterable[Scalar], only_jumps: bool = False
) -> Iterator[casadi.SX]:
    """Yield the functions that vanish where values branch, or only where they may jump."""
    import casadi

    compared = casadi.OP_LT, casadi.OP_LE, casadi.OP_EQ, casadi.OP_NE
    different = compared if only_jumps else (*compared, casadi.OP_FMAX, casadi.OP_FMIN)
    signs = (casadi.OP_SIGN,) if only_jumps else (casadi.OP_SIGN, casadi.OP_FABS)
    seen: set[int] = set()
    stack = [casadi.SX(value) for value in values]
    while stack:
        node = stack.pop()
        if node.element_hash() in seen or node.is_constant() or node.is_symbolic():
            continue
        seen.add(node.element_hash())
        stack += [node.dep(k) for k in range(node.n_dep())]
        operation = node.op()
        if operation in different:
            yield node.dep(0) - node.dep(1)
        elif operation in signs:
            yield node.dep(0)
        elif operation == casadi.OP_FLOOR and (found := located(node)):
            breaks, x = found
            if breaks.is_discontinuous.any() and not only_jumps:
                yield from breaks.event_functions(x)
        elif operation == casadi.OP_FLOOR and is_entry(node):
            continue
        elif operation in (casadi.OP_FLOOR, casadi.OP_CEIL) and not only_jumps:
            yield casadi.sin(pi * node.dep(0))


# --- conditions on the state ---------------------------------------------------------------


MOST = 256  # conditions that steps sample


def law_conditions(equations: Equations) -> casadi.Function:
    """Return the function of `law_condition_values`."""
    import casadi

    both = casadi.SX.sym("x", 2 * equations.layout.n_x)
    values = law_condition_values(equations, equations.branching_laws[0], both)
    given = {"t": equations.branching_laws[0], "x": both, "p": equations.p}
    return make_function("law_conditions", given, values)


def law_condition_values(
    equations: Equations, t: casadi.SX, both: casadi.SX
) -> list[Scalar]:
    """Return the conditions of laws, their rates, and of each whether it is a position condition.

    A function of (t, x and dx/dt, p): the rates of the state are known in a run. A position
    condition does not depend on speeds. Conditions at which the law may jump and whose rates
    depend on the law, so that a sliding mode is possible, are −1, or 2 for positions.
    """
    import casadi

    n, laws = equations.layout.n_x, equations.branching_laws[1]
    x, rates = both[:n], both[n:]
    if skips_conditions(equations):
        return []
    found = _conditions(equations, t, x, laws)
    if not found:
        return []
    values, jumps = [gap for gap, _, _ in found], [law.jumps[k] for _, law, k in found]
    column = casadi.vertcat(*values)
    given, moving = casadi.vertcat(t, x), casadi.vertcat(1.0, rates)
    moved = casadi.jtimes(column, given, moving)
    _, u, z = equations.layout.split_state(elements(x))
    fast, inner = (_depending(column, own) for own in (u, z))
    places = [
        (-1.0 if f else 2.0) if jump and (f or z) else float(not f)
        for f, z, jump in zip(fast, inner, jumps, strict=True)
    ]
    return [*elements(column), *elements(moved), *places]


def _depending(column: casadi.SX, symbols: Sequence[Scalar]) -> list[bool]:
    """Return which values of a column depend on symbols."""
    import casadi

    if not symbols:
        return [False] * column.numel()
    return list(casadi.which_depends(column, casadi.vertcat(*symbols), 1, True))


def _recalls(equations: Equations, value: casadi.SX) -> bool:
    """Return whether a value depends on a delayed signal."""
    import casadi

    at, inventory = equations.layout.position, equations.mechanism.inventory
    places = (
        at[single_number(own.part.internal(), own.address)] for own in inventory.delays
    )
    live = elements(equations.live)
    addresses = {live[place].element_hash() for place in places}
    return any(symbol.element_hash() in addresses for symbol in casadi.symvar(value))


def branch_of(equations: Equations, number: int) -> tuple[TracedLaw, int]:
    """Return the law of a condition, and the number of the condition within it."""
    (x,) = equations.symbols("x")
    t, laws = equations.branching_laws
    return _conditions(equations, t, x, laws)[number][1:]


def skips_conditions(equations: Equations) -> bool:
    """Return whether there are too many conditions to be sampled in each step."""
    return sum(len(law.conditions) for law in equations.branching_laws[1]) > MOST


def _conditions(
    equations: Equations, t: casadi.SX, x: casadi.SX, laws: Sequence[TracedLaw]
) -> list[tuple[casadi.SX, TracedLaw, int]]:
    """Return the conditions that depend on the state, their laws and numbers within."""
    import casadi

    if not laws:
        return []
    form = equations.form
    motion = form.motion(t, elements(x), equations.branch_parameters)
    gaps: list[casadi.SX] = []
    sources: list[tuple[TracedLaw, int]] = []
    for law in laws:
        with suppress(AssemblyError):  # depends on accelerations and forces
            given = casadi.vertcat(*(radians(value) for value in law.given(motion)))
            own = casadi.vertcat(*law.conditions)
            gaps.append(casadi.substitute(own, casadi.vertcat(*law.inputs), given))
            sources += [(law, k) for k in range(len(law.conditions))]
    column = casadi.vertcat(casadi.SX(0, 1), *gaps)
    if not column.numel():
        return []
    moves = casadi.which_depends(column, x, 1, True)
    if equations.mechanism.inventory.delays:  # delayed signals move as states do
        own = zip(moves, elements(column), strict=True)
        moves = [moving or _recalls(equations, gap) for moving, gap in own]
    forces = None if form.nonsmooth is None else form.nonsmooth.symbols
    free = [True] * column.numel()
    if forces is not None and forces.numel():
        free = [not own for own in casadi.which_depends(column, forces, 1, True)]
    wanted = zip(elements(column), moves, free, sources, strict=True)
    return [(gap, *source) for gap, moving, own, source in wanted if moving and own]
