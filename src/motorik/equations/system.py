"""ImplicitSystem: the equations of a model, with alias unknowns eliminated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Protocol

from motorik.algebra.scalar import Scalar, add, mul
from motorik.equations.template import EquationTemplate, Template
from motorik.errors import EquationError
from motorik.immutable import immutable

SAMPLES = 9
SAMPLES_OF_MODES = 64

Atom = tuple[int, int]
"""An unknown by its number, and how often it is differentiated."""


@immutable
class FlatUnknown:
    """An unknown of the equations: name, unit, start value, and its priority as a state.

    A `fixed` start value holds at the start, another one is a guess. Of two unknowns of which
    only one can be a state, the one with the higher `priority` is. `nominal` is its usual size. A
    `known` one is given from outside, with all its derivatives: the motion of a flange, a signal.
    A `steady` one starts where its rate vanishes. `is_signal` marks the output of a block,
    `is_boolean` a signal that is 0 or 1.
    """

    name: str
    unit: str = ""
    start: float = 0.0
    fixed: bool = False
    priority: int = 0
    nominal: float = 1.0
    known: bool = False
    steady: bool = False
    part: str = ""
    is_signal: bool = False
    is_boolean: bool = False


class Point(Protocol):
    """Values of unknowns and their derivatives: symbols, numbers, or arrays of samples."""

    t: Scalar
    is_numeric: bool
    is_sampled: bool

    def read(self, atom: Atom) -> Scalar:
        """Return the value of an unknown or of a derivative of it."""
        ...


@immutable
class SampledValues:
    """The parameters of a part by name: as scalars, as present numbers, and at samples.

    Samples are of the modes and live values that a run may come to.
    """

    scalars: Mapping[str, Scalar]
    numbers: Mapping[str, float]
    samples: Mapping[str, Scalar]


NO_VALUES = SampledValues({}, {}, {})


class FlatEquation:
    """One equation of one part, in the unknowns of the whole system.

    `refs` are, for each unknown of its template, the atom and the sign with which it stands
    there, None where it is zero.
    """

    def __init__(
        self,
        system: ImplicitSystem,
        part: str,
        template: EquationTemplate,
        names: Mapping[str, int],
        values: SampledValues,
    ) -> None:
        self.system, self.part, self.template = system, part, template
        self.names, self.values = names, values

    def forget(self) -> None:
        """Resolve its unknowns again when they are read next: some have become one."""
        for name in ("refs", "atoms", "affine"):
            self.__dict__.pop(name, None)

    @cached_property
    def refs(self) -> list[tuple[Atom, float] | None]:
        """The atoms and signs of the unknowns of its template."""
        names, system = self.names, self.system
        return [system.resolve(names[n], order) for n, order in self.template.unknowns]

    @cached_property
    def atoms(self) -> dict[Atom, list[tuple[int, float]]]:
        """The atoms in it, each with its places in the template and the signs there."""
        found: dict[Atom, list[tuple[int, float]]] = {}
        for k, ref in enumerate(self.refs):
            if ref is not None:
                found.setdefault(ref[0], []).append((k, ref[1]))
        switching = self.template.switching
        for atom, places in [*found.items()]:
            if self._constant_at(places) == 0.0 and not any(
                k in switching for k, _ in places
            ):
                del found[atom]
        return found

    def _constant_at(self, places: Sequence[tuple[int, float]]) -> float | None:
        total = 0.0
        for k, sign in places:
            own = self.template.gradients[k]
            if not isinstance(own, float):
                return None
            total += sign * own
        return total

    def constant_gradient(self, atom: Atom) -> float | None:
        """Return the gradient by an atom if it is a number, None else."""
        return self._constant_at(self.atoms[atom])

    def is_varying(self, atom: Atom) -> bool:
        """Return whether the gradient by an atom depends on unknowns or on time."""
        return any(self.template.varies[k] for k, _ in self.atoms[atom])

    def gradient_unknowns(self, atom: Atom) -> set[Atom]:
        """Return the atoms that the gradient by an atom, or a comparison of it, depends on."""
        found: set[Atom] = set()
        for k, _ in self.atoms[atom]:
            own = self.template.curvature[k]
            for other in own | {k} if k in self.template.switching else own:
                ref = self.refs[other]
                if ref is not None:
                    found.add(ref[0])
        return found

    @cached_property
    def affine(self) -> tuple[dict[Atom, float], float] | None:
        """Its coefficients and constant where these are numbers, None else."""
        if self.template.coefficients is None:
            return None
        factors = {atom: self._constant_at(places) for atom, places in self.atoms.items()}
        return {a: f for a, f in factors.items() if f is not None}, (
            self.template.coefficients[1]
        )

    def arguments(self, at: Point) -> tuple[list[Scalar], list[Scalar]]:
        """Return the unknowns and parameters of its template at a point."""
        unknowns: list[Scalar] = []
        for ref in self.refs:
            unknowns.append(0.0 if ref is None else mul(ref[1], at.read(ref[0])))
        own = self.values.numbers if at.is_numeric else self.values.scalars
        own = self.values.samples if at.is_sampled else own
        return unknowns, [at.t if n == "time" else own[n] for n in self.template.parameters]

    def residual(self, at: Point) -> Scalar:
        """Return its residual at a point."""
        if self.affine is not None:
            factors, total = self.affine
            for atom, factor in factors.items():
                total = add(total, mul(factor, at.read(atom)))
            return total
        return self.template.value(*self.arguments(at))

    def gradient(self, atom: Atom, at: Point) -> Scalar:
        """Return its gradient by an atom at a point."""
        constant = self.constant_gradient(atom)
        if constant is not None:
            return constant
        arguments = self.arguments(at)
        total: Scalar = 0.0
        for k, sign in self.atoms[atom]:
            total = add(total, mul(sign, self.template.gradient(k, *arguments)))
        return total

    @cached_property
    def differentiated(self) -> FlatEquation:
        """Its time derivative."""
        own = self.template.differentiated
        return FlatEquation(self.system, self.part, own, self.names, self.values)


class CombinedEquation:
    """A linear combination of equations, in which some unknowns cancel out.

    The factors are constant; `cancelled` are the atoms that do not occur any more.
    """

    def __init__(
        self,
        members: Sequence[tuple[float, AnyEquation]],
        cancelled: frozenset[Atom],
    ) -> None:
        self.members, self.cancelled = members, cancelled
        self.part = ", ".join(dict.fromkeys(own.part for _, own in members))

    @cached_property
    def atoms(self) -> dict[Atom, None]:
        """The atoms in it."""
        found = (a for _, own in self.members for a in own.atoms if a not in self.cancelled)
        return dict.fromkeys(found)

    affine = None

    def forget(self) -> None:
        """Resolve its unknowns again when they are read next: some have become one."""
        self.__dict__.pop("atoms", None)
        for _, own in self.members:
            own.forget()

    def _with(self, atom: Atom) -> list[tuple[float, AnyEquation]]:
        return [(f, own) for f, own in self.members if atom in own.atoms]

    def constant_gradient(self, atom: Atom) -> float | None:
        """Return the gradient by an atom if it is a number, None else."""
        total = 0.0
        for factor, own in self._with(atom):
            value = own.constant_gradient(atom)
            if value is None:
                return None
            total += factor * value
        return total

    def is_varying(self, atom: Atom) -> bool:
        """Return whether the gradient by an atom depends on unknowns or on time."""
        return any(own.is_varying(atom) for _, own in self._with(atom))

    def gradient_unknowns(self, atom: Atom) -> set[Atom]:
        """Return the atoms that the gradient by an atom depends on."""
        return {a for _, own in self._with(atom) for a in own.gradient_unknowns(atom)}

    def residual(self, at: Point) -> Scalar:
        """Return its residual at a point; cancelled unknowns are taken as zero."""
        point = _Without(at, self.cancelled)
        total: Scalar = 0.0
        for factor, own in self.members:
            total = add(total, mul(factor, own.residual(point)))
        return total

    def gradient(self, atom: Atom, at: Point) -> Scalar:
        """Return its gradient by an atom at a point."""
        point = _Without(at, self.cancelled)
        total: Scalar = 0.0
        for factor, own in self._with(atom):
            total = add(total, mul(factor, own.gradient(atom, point)))
        return total

    @cached_property
    def differentiated(self) -> CombinedEquation:
        """Its time derivative."""
        members = [(factor, own.differentiated) for factor, own in self.members]
        above = frozenset((j, order + 1) for j, order in self.cancelled)
        return CombinedEquation(members, self.cancelled | above)


AnyEquation = FlatEquation | CombinedEquation


class _Without:
    """A point at which some unknowns are zero."""

    def __init__(self, at: Point, zeros: frozenset[Atom]) -> None:
        self.at, self.zeros, self.t = at, zeros, at.t
        self.is_numeric, self.is_sampled = at.is_numeric, at.is_sampled

    def read(self, atom: Atom) -> Scalar:
        """Return a value."""
        return 0.0 if atom in self.zeros else self.at.read(atom)


class ImplicitSystem:
    """The equations of a model and their unknowns.

    Of unknowns that are equal up to sign, or of which one is a derivative of the other, one
    stays, the root: `resolve` gives it. An equation that only says this is gone. Rank is judged
    at samples, at more of them if the system `has_modes`: switches that are on or off.
    """

    def __init__(self, has_modes: bool = False) -> None:
        self.sample_count = SAMPLES_OF_MODES if has_modes else SAMPLES
        self.unknowns: list[FlatUnknown] = []
        self.equations: list[AnyEquation] = []
        self.start_equations: list[FlatEquation] = []
        self.quantities: dict[tuple[str, str], FlatEquation] = {}  # by part and name
        self._parents: list[tuple[int, int, float] | None] = []  # None: zero

    def add_unknown(self, unknown: FlatUnknown) -> int:
        """Add an unknown and return its number."""
        self.unknowns.append(unknown)
        self._parents.append((len(self.unknowns) - 1, 0, 1.0))
        return len(self.unknowns) - 1

    def add_equations(
        self,
        part: str,
        template: Template,
        names: Mapping[str, int],
        values: SampledValues = NO_VALUES,
    ) -> None:
        """Add the equations of a part, whose quantities have these numbers and values."""
        given = names, values
        self.equations += self.flat_equations(part, template, *given)
        self.start_equations += [
            FlatEquation(self, part, own, *given) for own in template.start_equations
        ]
        for name, own in template.quantities.items():
            self.quantities[part, name] = FlatEquation(self, part, own, *given)

    def flat_equations(
        self,
        part: str,
        template: Template,
        names: Mapping[str, int],
        values: SampledValues = NO_VALUES,
    ) -> list[FlatEquation]:
        """Return the equations of a template in the unknowns of the system."""
        given = names, values
        return [FlatEquation(self, part, own, *given) for own in template.equations]

    # --- alias unknowns ------------------------------------------------------------------------

    def _root(self, k: int) -> tuple[int, int, float] | None:
        """Return the root of an unknown, the order of its derivative and the sign; None if zero."""
        way: list[int] = []
        parent = self._parents[k]
        while parent is not None and parent[0] != k:
            way.append(k)
            k, parent = parent[0], self._parents[parent[0]]
        found = None if parent is None else (k, 0, 1.0)
        for at in reversed(way):
            if found is not None:
                _, order, sign = self._parents[at] or (0, 0, 0.0)
                found = (found[0], found[1] + order, found[2] * sign)
            self._parents[at] = found
        return found

    def resolve(self, k: int, order: int) -> tuple[Atom, float] | None:
        """Return the atom that stands for a derivative, and the sign; None if it is zero."""
        found = self._root(k)
        if found is None:
            return None
        root, shift, sign = found
        return (root, order + shift), sign

    @property
    def roots(self) -> list[int]:
        """The unknowns that are no aliases of others and are not given from outside."""
        return [
            k
            for k, parent in enumerate(self._parents)
            if parent is not None and parent[0] == k and not self.unknowns[k].known
        ]

    @cached_property
    def aliases(self) -> dict[int, list[tuple[int, int, float]]]:
        """The unknowns that each root stands for, with order of derivative and sign."""
        found: dict[int, list[tuple[int, int, float]]] = {}
        for k in range(len(self.unknowns)):
            own = self._root(k)
            if own is not None:
                found.setdefault(own[0], []).append((k, own[1], own[2]))
        return found

    def unite(self) -> None:
        """Eliminate aliases: unknowns that equations with constant coefficients make equal.

        These equations are dropped.
        """
        waiting = [own for own in self.equations if isinstance(own, FlatEquation)]
        others = [own for own in self.equations if not isinstance(own, FlatEquation)]
        kept = [own for own in waiting if own.template.coefficients is None]
        waiting = [own for own in waiting if own.template.coefficients is not None]
        is_changed = True
        while is_changed:
            is_changed, rest = False, []
            for equation in waiting:
                equation.forget()
                if self._is_used_up(equation):
                    is_changed = True
                else:
                    rest.append(equation)
            waiting = rest
        for equation in (*kept, *others):
            equation.forget()
        self.equations = [*kept, *waiting, *others]

    def _is_used_up(self, equation: FlatEquation) -> bool:
        """Eliminate an alias or a zero unknown; return whether the equation defines one."""
        assert equation.affine is not None
        factors, constant = equation.affine
        if constant != 0.0 or not 0 < len(factors) <= 2:
            return False
        if len(factors) == 1:
            ((k, order),) = factors
            if order > 0 or self.unknowns[k].known:
                return False
            self._parents[k] = None
            return True
        (a, factor_a), (b, factor_b) = factors.items()
        if abs(factor_a) != abs(factor_b):
            return False
        if a[1] > b[1] or (a[1] == b[1] and not self._is_preferred(b[0], a[0])):
            a, b = b, a
        # the root of a, not differentiated, becomes a derivative of b
        if a[1] > 0 or a[0] == b[0]:
            return False
        if self.unknowns[a[0]].known:
            if b[1] > 0 or self.unknowns[b[0]].known:
                return False
            a, b = b, a
        self._parents[a[0]] = (b[0], b[1], -factor_b / factor_a)
        return True

    def _is_preferred(self, b: int, a: int) -> bool:
        """Return whether b rather than a stands for both unknowns."""
        one, other = self.unknowns[a], self.unknowns[b]
        return (other.known, other.priority, other.fixed, -b) > (
            one.known,
            one.priority,
            one.fixed,
            -a,
        )

    # --- words for messages ----------------------------------------------------------------

    def name(self, atom: Atom) -> str:
        """Return the name of an unknown or of a derivative of it."""
        k, order = atom
        same = [own for own in self.aliases.get(k, ()) if own[2] > 0.0 and own[1] <= order]
        best = max(same or [(k, 0, 1.0)], key=lambda own: (own[1], -own[0]))
        text = self.unknowns[best[0]].name
        for _ in range(order - best[1]):
            text = f"der({text})"
        return text

    def are_signals(self, parts: Sequence[str]) -> bool:
        """Return whether all unknowns of these parts are signals: they form an algebraic loop."""
        own = [one for one in self.unknowns if one.part in parts and not one.known]
        return bool(own) and all(one.is_signal for one in own)

    def refuse(self, reason: str, remedy: str, parts: Sequence[str]) -> EquationError:
        """Return the error of equations of these parts."""
        if self.are_signals(parts):
            reason = f"these blocks form an algebraic loop, and {reason}"
            remedy = (
                "A loop in which a signal comes back unchanged has no solution or many: change a "
                "gain or a sign, or put a block with a state (Integrator, FirstOrder) into it."
            )
        named = list(dict.fromkeys(part for own in parts for part in own.split(", ")))
        return EquationError(", ".join(named[:6]), reason, remedy, value=tuple(named))
