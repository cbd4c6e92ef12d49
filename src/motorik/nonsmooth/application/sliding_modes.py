"""Sliding modes (Filippov): discontinuities of force laws that become constraints.

A law such as ``where(v > 0, -5, 5)`` has no classical solution where both of its branches point
towards the surface between them. Filippov's solution slides along the surface, by a convex
combination of the two branches. Its coefficient is found like the force of dry friction: the
switching function w is held at zero by a multiplier λ in [−1, 1]; the indicator of w < 0 is
(1 + λ) / 2. So several surfaces, friction and contacts are solved in one complementarity problem.

Only laws with an active sliding mode are written in this way, in another compiled model: all others
cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.compiler.flattening import flatten, unflatten
from motorik.compiler.symbols import elements
from motorik.components.base.contributions import (
    ForceBounds,
    FrameForce,
    LineForce,
    NonsmoothConstraint,
    PartEquations,
    SignalLaw,
)
from motorik.components.base.internal import (
    NonsmoothForce,
    discrete,
    internal_scalars,
    nonsmooth_force,
)
from motorik.components.base.part import DeclaredPart, Part
from motorik.components.base.resolving import Values
from motorik.errors import AssemblyError, MotorikError
from motorik.immutable import immutable
from motorik.loops.formulate import formulate
from motorik.motion.steps import radians
from motorik.nonsmooth.laws.state_events import (
    AnyLaw,
    branch_of,
    conditions_of,
    flat,
    isolate,
    law_lists,
    of_frame,
)
from motorik.nonsmooth.memory import LCP_DATA
from motorik.numerics.tolerances import BORDER_REACHED, EPSILON, SAME_NUMBER, SMALLEST_SPEED
from motorik.topology.assembled_model import AssembledModel

if TYPE_CHECKING:
    import casadi

    from motorik.compiled_model import CompiledModel
    from motorik.components.base.values import LiveScalar
    from motorik.motion.view import MotionView, Quantity
    from motorik.topology.inventory import Inventory


Scalars = Sequence[Scalar]
Motions = Sequence[tuple[Pose, Motor]]  # pose and velocity of each frame
Chosen = dict[str, tuple[float, Scalar, Scalar]]
"""Differences that are compared, by their text: their side, the share and whether it rules."""

TRIED = 4  # random points at which expressions are compared
SHARE = "share"  # name of the multiplier


class SlidingMode(DeclaredPart):
    """The multiplier of a sliding mode, and whether it is active."""

    share = nonsmooth_force("multiplier of the branches of a law, −1 to 1", "1")
    active = discrete("whether the sliding mode is active")

    def numbers(self) -> SlidingNumbers:
        """Return its internal numbers."""
        return SlidingNumbers(**self.internal())  # type: ignore[arg-type]


class SlidingNumbers(NamedTuple):
    """The internal numbers of a `SlidingMode`."""

    share: NonsmoothForce[LiveScalar]
    active: LiveScalar


@immutable
class SlidingSurface:
    """The switching surface of a law: the law, by its list in the inventory and its number there.

    `text` is the condition as traced, zero on the surface. Laws with one and the same surface
    share one multiplier, that of `group`; `side` is −1 where a condition has the opposite sign of
    the first of its group.
    """

    kind: str
    number: int
    text: str
    group: int
    side: float = 1.0
    is_first: bool = True  # whether it is the first of its group


def surface_of(
    law: object,
    inventory: Inventory,
    gap: casadi.SX,
    group: int,
    side: float,
    is_first: bool,
) -> SlidingSurface:
    """Return the condition `gap` of a law of an inventory as a surface."""
    for kind, laws in law_lists(inventory).items():
        for number, own in enumerate(laws):
            if own is law:
                return SlidingSurface(kind, number, str(gap), group, side, is_first)
    raise KeyError(law)


def owner_of(law: AnyLaw | PartEquations) -> Part:
    """Return the part that a law belongs to."""
    return law.flange_b.owner if isinstance(law, LineForce) else law.part


def owner(system: CompiledModel, surface: SlidingSurface) -> Part:
    """Return the part whose law has a surface."""
    return owner_of(law_lists(system.mechanism.inventory)[surface.kind][surface.number])


def sliding_system(
    system: CompiledModel, surfaces: Sequence[SlidingSurface]
) -> CompiledModel:
    """Return a compiled model in which the surfaces of laws are constraints.

    `system` has none, or a part of them, in the same order.
    """
    import casadi

    from motorik.compiled_model import compile_model

    base = system.without_sliding
    kept = base.sliding_forms
    key = tuple(surfaces)
    if key not in kept:
        parts = _mode_parts(base, surfaces)
        assembled = base.assembled
        own = [number for part in parts for number in internal_scalars(part.internal())]
        live = (*assembled.live, *own)
        p = np.concatenate([assembled.p, [number.value for number in own]])

        def adapt(inventory: Inventory, resolve: Callable[[LiveScalar], Scalar]) -> None:
            write_combinations(inventory, resolve, surfaces, parts)

        symbols = casadi.SX.sym("p", len(live))
        other = AssembledModel(assembled.model, live, symbols, p, adapt)
        kept[key] = compile_model(formulate(other, base.options))
        kept[key].surfaces, kept[key].without_sliding = key, base
    found = kept[key]
    if not _is_like(system, found) and not found.formulation.is_empty:
        found.projected.surfaces, found.projected.without_sliding = key, base
        found = found.projected
    if not _is_like(system, found):
        raise AssemblyError(
            owner(system, surfaces[-1]).path,
            "its law has a sliding mode, and the loops of the model have changed their "
            "formulation since the start.",
            "Replace the jump of the law by a steep smooth transition.",
        )
    return found


def _is_like(one: CompiledModel, other: CompiledModel) -> bool:
    """Return whether two compiled models have the same states and branch parameters."""
    a, b = one.layout, other.layout
    return a.state_names == b.state_names and a.n_branch_parameters == b.n_branch_parameters


def _mode_parts(
    system: CompiledModel, surfaces: Sequence[SlidingSurface]
) -> list[SlidingMode]:
    """Return a part for each group, named after the part of its first law."""
    parts: list[SlidingMode] = []
    named: dict[int, int] = {}
    for surface in surfaces:
        if not surface.is_first:
            continue
        part, law_part = SlidingMode(), owner(system, surface)
        count = named[id(law_part)] = named.get(id(law_part), 0) + 1
        number = "" if count == 1 else f" (case {count})"
        part.__dict__.update(parent=law_part.parent, name=f"{law_part.name}{number}")
        parts.append(part)
    return parts


def with_sliding_modes(
    before: CompiledModel, other: CompiledModel, p: np.ndarray
) -> np.ndarray:
    """Return parameters with the numbers of the sliding modes that `other` has in addition.

    These are not active: laws compare as before.
    """
    n, more = before.layout.n_live, other.layout.n_live - before.layout.n_live
    return np.concatenate(
        [p[..., :n], np.zeros((*p.shape[:-1], more)), p[..., n:]], axis=-1
    )


def with_active_mode(system: CompiledModel, p: np.ndarray, is_held: bool) -> np.ndarray:
    """Return parameters with the last sliding mode active.

    If it `is_held`, the motion is on its surface.
    """
    assert system.nonsmooth is not None
    constraints = [constraint.part for constraint in system.nonsmooth.constraints]
    own = [part for part in constraints if isinstance(part, SlidingMode)]
    numbers = _newest(system, own).numbers()
    p = p.copy()
    p[system.layout.position[numbers.active]] = 1.0
    if is_held:
        p[system.layout.position[numbers.share.stick]] = 1.0
    return p


def _newest(system: CompiledModel, parts: Sequence[SlidingMode]) -> SlidingMode:
    """Return the sliding mode whose numbers are last in p."""
    places = [system.layout.position[part.numbers().active] for part in parts]
    return parts[int(np.argmax(places))]


# --- laws with shares ---------------------------------------------------------------------------


def write_combinations(
    inventory: Inventory,
    resolve: Callable[[LiveScalar], Scalar],
    surfaces: Sequence[SlidingSurface],
    parts: Sequence[SlidingMode],
) -> None:
    """Write the laws of an inventory as convex combinations, and add their constraints."""
    by_law: dict[tuple[str, int], list[tuple[SlidingSurface, SlidingMode]]] = {}
    inventory.resolved |= {part: part.resolved(resolve) for part in parts}
    for surface in surfaces:
        own = surface, parts[surface.group]
        by_law.setdefault((surface.kind, surface.number), []).append(own)
    for (kind, number), cases in by_law.items():
        laws = law_lists(inventory)[kind]
        if isinstance(laws[number], PartEquations):
            laws[number], constraints = combined_equations(laws[number], inventory, cases)
            inventory.nonsmooth += constraints
            continue
        shared = FilippovLaw(laws[number], kind, number, inventory, cases)
        law_part = owner_of(laws[number])
        laws[number] = shared.contribution()
        inventory.nonsmooth += shared.constraints()
        before = inventory.revised.get(law_part)
        inventory.revised[law_part] = partial(_revise, shared, before)


def _revise(
    shared: FilippovLaw,
    before: Callable[[MotionView, Quantity], Quantity] | None,
    motion: MotionView,
    value: Quantity,
) -> Quantity:
    """Return a variable of a part by the convex combination of its law."""
    value = value if before is None else before(motion, value)
    return shared.revise(motion, value)


def combined_equations(
    own: PartEquations,
    inventory: Inventory,
    cases: Sequence[tuple[SlidingSurface, SlidingMode]],
) -> tuple[PartEquations, list[NonsmoothConstraint]]:
    """Return equations with convex combinations at surfaces, and the sliding modes."""
    chosen: Chosen = {}
    constraints: list[NonsmoothConstraint] = []
    for k, (surface, mode) in enumerate(cases):
        p = inventory.resolved[mode]
        share = surface.side * p.share.force
        chosen[surface.text] = 1.0, share, p.active
        if surface.is_first:
            speed = partial(_switching_function, own.part, own.surface_name(k))
            constraints.append(_sliding_constraint(mode, speed))

    def combine(residuals: Sequence[casadi.SX]) -> list[casadi.SX]:
        opposite = {
            str(-gap): (-1.0, *chosen[str(gap)][1:])
            for gap in conditions_of(residuals)
            if str(gap) in chosen
        }
        return convex_combinations(residuals, {**opposite, **chosen})

    surfaces = tuple(surface.text for surface, _ in cases)
    return replace(own, combine=combine, surfaces=surfaces), constraints


def _switching_function(part: Part, name: str, motion: MotionView) -> Scalar:
    return motion.quantity(part, name)


def _sliding_constraint(
    part: SlidingMode, speed: Callable[[MotionView], Scalar]
) -> NonsmoothConstraint:
    def bounds(motion: MotionView) -> ForceBounds:
        return ForceBounds(-1.0, 1.0, -1.0, 1.0)

    return NonsmoothConstraint(part, SHARE, speed, bounds, is_sliding_mode=True)  # type: ignore[arg-type]


class FilippovLaw:
    """A law in which comparisons at some surfaces are convex combinations of both branches."""

    def __init__(
        self,
        law: AnyLaw,
        kind: str,
        number: int,
        inventory: Inventory,
        cases: Sequence[tuple[SlidingSurface, SlidingMode]],
    ) -> None:
        import casadi

        self.law, self.kind, self.number = law, kind, number
        self.t = casadi.SX.sym("t")
        isolated = isolate(law, self.t)
        self.u = [casadi.SX.sym(f"u{k}") for k in range(isolated.count)]
        values = [casadi.SX(radians(v)) for v in isolated.compute(self.u)]
        known = {str(gap): gap for gap in conditions_of(values)}
        self.cases: list[tuple[SlidingMode | None, casadi.SX]] = []
        self.shares: list[tuple[Scalar, Scalar]] = []
        chosen: Chosen = {}
        for surface, part in cases:
            gap, p = known[surface.text], inventory.resolved[part]
            self.cases.append((part if surface.is_first else None, gap))
            self.shares.append((surface.side * p.share.force, p.active))
            chosen[str(gap)] = 1.0, *self.shares[-1]
            chosen[str(-gap)] = -1.0, *self.shares[-1]
        self.values = convex_combinations(values, chosen)

    @property
    def surfaces(self) -> list[casadi.SX]:
        """The switching functions, as the trace of the law writes them."""
        return [gap for _, gap in self.cases]

    def at(self, t: Scalar, given: Iterable[Scalar], values: Scalars) -> list[Scalar]:
        """Return traced values for the arguments of the law."""
        import casadi

        now = casadi.vertcat(t, *(casadi.SX(radians(value)) for value in given))
        column = casadi.vertcat(casadi.SX(0, 1), *values)
        found = casadi.substitute(column, casadi.vertcat(self.t, *self.u), now)
        return [float(own) if own.is_constant() else own for own in elements(found)]

    def contribution(self) -> AnyLaw:
        """Return the law as a contribution with convex combinations."""
        law = self.law
        if isinstance(law, LineForce):

            def on_line(p: Values, x: Scalar, v: Scalar, *signals: Scalar) -> Scalar:
                return self.at(0.0, [x, v, *flat(signals)], self.values)[0]

            on_line.shared = self  # type: ignore[attr-defined]
            return replace(law, law=on_line)
        if isinstance(law, FrameForce):

            def on_frames(
                p: Values, t: Scalar, motions: Motions, *rest: Scalar
            ) -> tuple[Motor, ...]:
                frames = [number for X, V in motions for number in of_frame(X, V)]
                given = [*frames, *flat(rest)]
                c = self.at(t, given, self.values)
                loads = (c[k : k + 6] for k in range(0, len(c), 6))
                return tuple(Motor(Vector(*own[:3]), Vector(*own[3:])) for own in loads)

            on_frames.shared = self  # type: ignore[attr-defined]
            return replace(law, law=on_frames)
        return self._block()

    def _block(self) -> SignalLaw:
        law = self.law
        assert isinstance(law, SignalLaw)
        states = list(self.u[len(self.u) - len(law.starts) :]) if law.starts else []
        rates_from = len(self.values) - len(states)

        def outputs(
            p: Values, t: Scalar, inputs: Scalars, own: Scalars
        ) -> tuple[Scalar, ...]:
            wanted = self.values[:rates_from]
            found = self.at(t, [*self._read(inputs, wanted), *own], wanted)
            left = iter(found)
            sizes = [port.size for port in law.outputs]
            taken = ([next(left) for _ in range(size)] for size in sizes)
            return tuple(
                tuple(y) if size > 1 else y[0] for y, size in zip(taken, sizes, strict=True)
            )

        def rates(
            p: Values, t: Scalar, inputs: Scalars, own: Scalars
        ) -> tuple[Scalar, ...]:
            wanted = self.values[rates_from:]
            return tuple(self.at(t, [*self._read(inputs, wanted), *own], wanted))

        outputs.shared = self  # type: ignore[attr-defined]
        return replace(law, law=outputs, rates=None if law.rates is None else rates)

    def _read(self, inputs: Scalars, wanted: Scalars) -> list[Scalar]:
        """Return the inputs of a block; unused ones are not evaluated."""
        import casadi

        law = self.law
        assert isinstance(law, SignalLaw)
        column = casadi.vertcat(casadi.SX(0, 1), *wanted)
        found: list[Scalar] = []
        for k, port in enumerate(law.inputs):
            own = self.u[len(found) : len(found) + port.size]
            is_read = casadi.depends_on(column, casadi.vertcat(*own))
            found += flat([inputs[k]]) if is_read else [0.0] * port.size
        return found

    def constraints(self) -> list[NonsmoothConstraint]:
        """Return the sliding modes as nonsmooth constraints."""
        leading = ((k, part) for k, (part, _) in enumerate(self.cases))
        return [self._constraint(part, k) for k, part in leading if part is not None]

    def conditions(self, motion: MotionView) -> list[Scalar]:
        """Return the values of the switching functions in a motion."""
        law = law_lists(motion.mechanism.inventory)[self.kind][self.number]
        return self.at(motion.t, isolate(law, self.t).given(motion), self.surfaces)

    def revise(self, motion: MotionView, value: Quantity) -> Quantity:
        """Return a quantity with convex combinations where it compares a switching function."""
        import casadi

        leaves: list[Any] = []
        structure = flatten(value, casadi.SX, leaves)
        symbolic = [own for own in leaves if isinstance(own, casadi.SX)]
        gaps = {str(gap): gap for gap in conditions_of(symbolic, only_jumps=True)}
        if not gaps:
            return value
        chosen: Chosen = {}
        for own, shares in zip(self.conditions(motion), self.shares, strict=True):
            for text, gap in gaps.items():
                for side in (1.0, -1.0):
                    if _is_same(gap, side * own):
                        chosen[text] = side, *shares
        new = iter(convex_combinations(symbolic, chosen))
        leaves = [next(new) if isinstance(own, casadi.SX) else own for own in leaves]
        return unflatten(structure, leaves)

    def _constraint(self, part: SlidingMode, number: int) -> NonsmoothConstraint:
        def speed(motion: MotionView) -> Scalar:
            return self.conditions(motion)[number]

        return _sliding_constraint(part, speed)


def _is_same(one: Scalar, other: Scalar) -> bool:
    """Return whether two expressions agree at random numbers."""
    import casadi

    both = casadi.vertcat(one, other)
    symbols = casadi.symvar(both)
    function = casadi.Function("both", [casadi.vertcat(casadi.SX(0, 1), *symbols)], [both])
    tried = np.random.default_rng(len(symbols)).uniform(-1.0, 1.0, (TRIED, len(symbols)))
    values = np.array([np.array(function(own)).ravel() for own in tried])
    size = np.abs(values).max(axis=1)
    return bool((np.abs(values[:, 0] - values[:, 1]) <= SAME_NUMBER * size).all())


def convex_combinations(values: Sequence[casadi.SX], chosen: Chosen) -> list[casadi.SX]:
    """Return expressions with convex combinations at active surfaces.

    `chosen` has of compared differences, by their text, the sign (1 or −1) relative to the
    switching function d, λ, and whether it is active, 1 or 0. The indicator of d < 0 is then
    (1 + λ) / 2, the sign of d is −λ; a value selected by it is the combination of both branches.
    Where another comparison depends on what is selected, the whole expression is combined.
    """
    import casadi

    found = _with_indicators(values, chosen)
    multipliers = {
        str(symbol): symbol
        for _, share, _ in chosen.values()
        for symbol in casadi.symvar(casadi.SX(share))
    }
    own = [*multipliers.values()]
    for k, value in enumerate(found):
        if _compares(value, own):
            found[k] = _combined_whole(values[k], chosen, own)
    return found


def _compares(value: casadi.SX, multipliers: Sequence[casadi.SX]) -> bool:
    """Return whether a comparison in an expression depends on multipliers."""
    import casadi

    column = casadi.vertcat(casadi.SX(0, 1), *multipliers)
    return any(casadi.depends_on(gap, column) for gap in conditions_of([value]))


def _combined_whole(
    value: casadi.SX, chosen: Chosen, multipliers: Sequence[casadi.SX]
) -> casadi.SX:
    """Return the convex combination of an expression on both sides of each surface.

    Of a sum, only terms in which a comparison depends on what is selected are combined whole.
    """
    import casadi

    (simple,) = _with_indicators([value], chosen)
    if not _compares(simple, multipliers):
        return simple
    if value.op() in (casadi.OP_ADD, casadi.OP_SUB, casadi.OP_NEG):
        terms = [
            _combined_whole(value.dep(k), chosen, multipliers) for k in range(value.n_dep())
        ]
        if len(terms) == 1:
            return -terms[0]
        return terms[0] + terms[1] if value.op() == casadi.OP_ADD else terms[0] - terms[1]
    for multiplier in multipliers:
        sides: dict[float, casadi.SX] = {}
        active: Scalar = 0.0
        for extreme in (-1.0, 1.0):
            own: Chosen = {}
            for text, (side, share, is_active) in chosen.items():
                if casadi.depends_on(casadi.SX(share), multiplier):
                    fixed = casadi.substitute(casadi.SX(share), multiplier, extreme)
                    own[text], active = (side, float(fixed), 1.0), is_active
            sides[extreme] = _with_indicators([value], own)[0]
        mean = (
            0.5 * (1.0 + multiplier) * sides[1.0] + 0.5 * (1.0 - multiplier) * sides[-1.0]
        )
        value = active * mean + (1.0 - active) * value
    return value


def _with_indicators(values: Sequence[casadi.SX], chosen: Chosen) -> list[casadi.SX]:
    """Return expressions in which indicators of active surfaces are numbers between 0 and 1."""
    import casadi

    if not chosen:
        return list(values)
    compared = casadi.OP_LT, casadi.OP_LE, casadi.OP_EQ, casadi.OP_NE
    done: dict[
        int, tuple[casadi.SX, bool]
    ] = {}  # replacement of a node, and whether it is an indicator

    def compare(node: casadi.SX, own: casadi.SX) -> tuple[casadi.SX, bool]:
        op = node.op()
        gap = node.dep(0) if op == casadi.OP_SIGN else node.dep(0) - node.dep(1)
        if str(gap) not in chosen:
            return own, False
        side, share, active = chosen[str(gap)]
        by_share: Scalar = 0.0 if op == casadi.OP_EQ else 1.0
        if op == casadi.OP_SIGN:
            by_share = -side * share
        elif op in (casadi.OP_LT, casadi.OP_LE):
            by_share = 0.5 * (1.0 + side * share)
        return active * by_share + (1.0 - active) * own, op != casadi.OP_SIGN

    def rebuild(node: casadi.SX) -> tuple[casadi.SX, bool]:
        op, count = node.op(), node.n_dep()
        parts = [done[node.dep(k).element_hash()] for k in range(count)]
        new = [part for part, _ in parts]
        is_share = [own for _, own in parts]
        if node.is_output():
            is_kept = new[0].numel() == 1 and new[0].is_call()
            return (node if is_kept else new[0].nz[node.which_output()]), False
        if any(is_share):
            if op == casadi.OP_IF_ELSE_ZERO and is_share[0]:
                return new[0] * new[1], False
            if op == casadi.OP_NOT:
                return 1.0 - new[0], True
            if op == casadi.OP_AND:
                return new[0] * new[1], True
            if op == casadi.OP_OR:
                return new[0] + new[1] - new[0] * new[1], True
        same = all(
            part.element_hash() == node.dep(k).element_hash() for k, part in enumerate(new)
        )
        own = node
        if not same and node.is_call():  # of a table, which has one argument
            own = node.which_function()(*new)
        elif not same:
            own = casadi.SX.unary(op, *new) if count == 1 else casadi.SX.binary(op, *new)
        if op in compared or op == casadi.OP_SIGN:
            return compare(node, own)
        return own, False

    stack = [(value, False) for value in values]
    while stack:
        node, is_ready = stack.pop()
        key = node.element_hash()
        if key in done:
            continue
        if node.is_constant() or node.is_symbolic():
            done[key] = node, False
        elif is_ready:
            done[key] = rebuild(node)
        else:
            stack.append((node, True))
            stack += [(node.dep(k), False) for k in range(node.n_dep())]
    return [done[value.element_hash()][0] for value in values]


# --- sliding modes in a run ----------------------------------------------------------------


FOLLOWED = (
    "both branches of its law point towards the switching surface: sliding mode (Filippov)"
)
ASIDE = 64.0  # units in the last place: how far beside a border rates are asked
SAME = 0.1  # of the jump of a rate: by no more it changes where it is asked twice as near
SOON = 1e-3  # of the duration: a border that is farther is not looked at


def rates_beside(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, k: int, part: float
) -> tuple[float, float, float]:
    """Return the value of a condition, and its rates just below and just above zero.

    The state is moved to both sides of the surface along one of its speeds or block states;
    `part` is the distance, relative to one beyond rounding.
    """
    p = _parameters(system, p)
    values, all_slopes = _values_and_slopes(system, t, x, p)
    value, slopes = values[k], all_slopes[k]
    first = len(system.layout.state_q)
    moved = first + int(np.argmax(np.abs(slopes[first:])))
    rounding = EPSILON * float(np.abs(slopes) @ np.abs(x))
    aside = part * max(4.0 * abs(value), ASIDE * rounding, np.finfo(float).tiny)
    found = []
    for side in (-1.0, 1.0):
        state = x.copy()
        state[moved] += (side * aside - value) / slopes[moved]
        moving = _sliding_friction(system, t, state, p)
        rates = system.derivative(np.array([t]), state, moving)
        found.append(_conditions(system, t, state, rates, moving)[1][k])
    return float(value), float(found[0]), float(found[1])


def _sliding_friction(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray
) -> np.ndarray:
    """Return parameters with which friction slides where the moved state has a speed."""
    if system.nonsmooth is None:
        return p
    constraints, layout = system.nonsmooth.constraints, system.layout.nonsmooth
    speeds = system.contact_lcp(np.array([t]), x, p)[
        : LCP_DATA * len(constraints) : LCP_DATA
    ]
    p = p.copy()
    for k, constraint in enumerate(constraints):
        own, pair = layout.forces[k], layout.pairs[k]
        is_mode = p[own.stick] or p[own.direction] or p[own.saturated]
        if (
            constraint.gap is None
            and pair == -1
            and is_mode
            and abs(speeds[k]) > SMALLEST_SPEED
        ):
            p[own.stick] = p[own.saturated] = 0.0
            p[own.direction] = np.sign(speeds[k])
    return p


def _parameters(system: CompiledModel, p: np.ndarray) -> np.ndarray:
    """Return as many parameters as a model has: native code has at least one."""
    return p[: system.layout.n_live + system.layout.n_branch_parameters]


def _conditions(
    system: CompiledModel, t: float, x: np.ndarray, rates: np.ndarray, p: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of all conditions and their rates, by the rates of the states."""
    found = system.law_conditions(np.array([t]), np.concatenate([x, rates]), p)
    values, of_values, _ = np.split(found, 3)
    return values, of_values


def _values_and_slopes(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of all conditions, and their derivatives by the states."""
    p = _parameters(system, p)
    values, still = _conditions(system, t, x, np.zeros(x.size), p)
    slopes = [_conditions(system, t, x, own, p)[1] - still for own in np.eye(x.size)]
    return values, np.array(slopes).T


def is_attracting(
    system: CompiledModel, duration: float, t: float, x: np.ndarray, p: np.ndarray, k: int
) -> bool:
    """Return whether both branches point towards a switching surface that is near.

    The time to the surface must be a small part of the duration of a run.
    """
    with np.errstate(all="ignore"):
        value, below, above = rates_beside(system, t, x, p, k, 1.0)
        _, near_below, near_above = rates_beside(system, t, x, p, k, 0.5)
    jump = below - above
    if not (below > 0.0 > above and near_below > 0.0 > near_above):
        return False
    if abs(value) > SOON * duration * min(below, -above):
        return False
    change = max(abs(near_below - below), abs(near_above - above))
    return change < SAME * jump


def active_sliding_mode(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, duration: float
) -> int | None:
    """Return the condition on whose surface the motion is and slides, if any."""
    for k in system.sliding_conditions:
        if is_on_surface(system, t, x, p, k, duration) and is_attracting(
            system, duration, t, x, p, k
        ):
            return k
    return None


def is_on_surface(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, k: int, duration: float
) -> bool:
    """Return whether the motion reaches the surface of a condition within a very short time."""
    value, below, above = rates_beside(system, t, x, p, k, 1.0)
    return abs(value) <= BORDER_REACHED * duration * min(abs(below), abs(above))


def _same_surface(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, k: int
) -> list[tuple[int, float]]:
    """Return other conditions with the same surface, and their relative sign, 1 or −1."""
    values, slopes = _values_and_slopes(system, t, x, p)
    found: list[tuple[int, float]] = []
    for j in system.sliding_conditions:
        size = np.linalg.norm(slopes[j]) / np.linalg.norm(slopes[k])
        for side in (1.0, -1.0):
            change = slopes[j] - side * size * slopes[k]
            apart = abs(values[j] - side * size * values[k])
            rounding = float(np.abs(slopes[j]) @ np.abs(x))
            is_same = np.abs(change).max() <= SAME_NUMBER * np.abs(slopes[j]).max()
            if j != k and is_same and apart <= SAME_NUMBER * rounding:
                found.append((j, side))
    return found


class SlidingContinuation:
    """Continuation of a run along a switching surface: the model with the sliding mode.

    If the law cannot be written as a convex combination, `other` is None, and `why` is the
    reason.
    """

    def __init__(
        self, system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, k: int
    ) -> None:
        self.system, self.why, self.part = system, "", ""
        self.other: CompiledModel | None = None
        group = len({surface.group for surface in system.surfaces})
        found: list[SlidingSurface] = []
        for number, side in [(k, 1.0), *_same_surface(system, t, x, p, k)]:
            law, gap = branch_of(system.equations, number)
            if law.source is None:
                continue
            own = law.source, system.mechanism.inventory, law.conditions[gap]
            found.append(surface_of(*own, group, side, not found))
            self.part = self.part or owner_of(law.source).path
        try:
            self.other = sliding_system(system, (*system.surfaces, *found))
            self.other.prepare()
        except MotorikError as error:
            self.other, self.why = None, str(error)

    @property
    def fault(self) -> tuple[str, str]:
        """The reason why the run cannot continue, and a remedy."""
        return (
            "both branches of its law point towards the switching surface between them "
            f"(a sliding mode), which cannot be followed: {self.why}",
            "Replace the jump by a steep smooth transition, e.g. tanh(v / v_0), give it a "
            "hysteresis, or write it as friction that sticks and slips (`NonsmoothConstraint`).",
        )

    @property
    def message(self) -> str:
        """The fault with the name of the part."""
        why, remedy = self.fault
        return f"{self.part}: {why}\n  {remedy}"

    @property
    def convert(self) -> partial[np.ndarray]:
        """The conversion of parameters to the other model; its new mode is not active yet."""
        assert self.other is not None
        return partial(with_sliding_modes, self.system, self.other)
