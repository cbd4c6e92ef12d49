"""OrderedSystem: equations of index one as blocks in order of solution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np

from motorik.algebra.scalar import Scalar, div, is_number, is_structural, neg, where
from motorik.equations.index_reduction import (
    PRESENT,
    SHOWN,
    ReducedSystem,
    listed,
    reduce_index,
)
from motorik.equations.structure import maximum_matching, reachable, strong_components
from motorik.equations.system import (
    AnyEquation,
    Atom,
    CombinedEquation,
    ImplicitSystem,
    Point,
)
from motorik.errors import EquationError
from motorik.numerics.linear_steps import solve_at_samples
from motorik.numerics.newton import newton_at_samples
from motorik.numerics.sparse_elimination import (
    Rank,
    SparseElimination,
    choose_pivots,
    largest_pivots,
    left_null_vectors,
)
from motorik.numerics.tolerances import CONSTANT_MATRIX, FREE_UNKNOWN, NETWORK_RANK
from motorik.numerics.traced_newton import solve_residual

ROUNDS = 20  # in which equations that lack rank are replaced by combinations of them


class Block:
    """Equations that are solved together for as many unknowns.

    `torn` are the unknowns of a nonlinear block that Newton's method finds. The others follow from
    them one by one, as `sequence` says, or by elimination in the order of the `pivots`.
    """

    def __init__(self, equations: Sequence[AnyEquation], unknowns: Sequence[Atom]) -> None:
        self.equations, self.unknowns = list(equations), list(unknowns)
        self.pivots: tuple[tuple[int, int], ...] = ()
        self.rank = Rank()
        self.whole: Rank | None = None  # of a nonlinear block, with no unknown torn
        self.torn: list[Atom] = []
        self.sequence: list[tuple[int, Atom]] = []
        self.has_no_slope = False  # of a single linear equation, at some sample

    @cached_property
    def may_be_lost(self) -> bool:
        """Whether it is linear, and singular in some modes or at some states."""
        return not self.nonlinear and (self.has_no_slope or bool(self.rank.rows))

    @cached_property
    def needs(self) -> list[Atom]:
        """The atoms that must be known before."""
        own = set(self.unknowns)
        read = (a for e in self.equations for a in e.atoms if a not in own)
        return list(dict.fromkeys(read))

    @cached_property
    def nonlinear(self) -> list[Atom]:
        """The unknowns on which gradients by unknowns of the block depend."""
        own = set(self.unknowns)
        found: dict[Atom, None] = {}
        for equation in self.equations:
            for atom in equation.atoms:
                if atom in own:
                    found.update(dict.fromkeys(equation.gradient_unknowns(atom) & own))
        return sorted(found)

    @cached_property
    def differentiated(self) -> Block:
        """The block of the rates of its unknowns, with the same Jacobian matrix."""
        rates = [(k, order + 1) for k, order in self.unknowns]
        found = Block([e.differentiated for e in self.equations], rates)
        found.pivots, found.rank = self.pivots, self.rank
        found.has_no_slope = self.has_no_slope
        if self.whole is not None:
            found.pivots, found.rank = self.whole.pivots, self.whole
        return found

    def jacobian(self, at: Point) -> dict[tuple[int, int], Scalar]:
        """Return the entries of its Jacobian matrix."""
        place = {atom: j for j, atom in enumerate(self.unknowns)}
        return {
            (i, place[atom]): equation.gradient(atom, at)
            for i, equation in enumerate(self.equations)
            for atom in equation.atoms
            if atom in place
        }

    def solution(self, at: SampledPoint, guess: Callable[[Atom], Scalar]) -> list[Scalar]:
        """Return its unknowns, in straight-line code."""
        if self.nonlinear:
            return self._by_newton(at, guess)
        point = _Trial(at, dict.fromkeys(self.unknowns, 0.0))
        if len(self.unknowns) == 1:
            (equation,), (atom,) = self.equations, self.unknowns
            slope, rest = equation.gradient(atom, point), equation.residual(point)
            found = _quotient(rest, slope)
            if self.has_no_slope:  # in some mode nothing determines it
                determined = where(slope == 0.0, 0.0, found)  # type: ignore[arg-type]
                found = where(rest == 0.0, determined, found)  # type: ignore[arg-type]
            return [found]
        right = [neg(equation.residual(point)) for equation in self.equations]
        entries = {k: v for k, v in self.jacobian(point).items() if not _is_zero(v)}
        elimination = SparseElimination(entries, self.pivots, self.rank)
        return elimination.checked(right, elimination.solve(right))

    def _by_newton(self, at: SampledPoint, guess: Callable[[Atom], Scalar]) -> list[Scalar]:
        """Return the unknowns by Newton's method on the nonlinear ones."""
        import casadi

        torn = self.torn
        symbols = [casadi.SX.sym(f"y{k}") for k in range(len(torn))]
        values = dict(zip(torn, symbols, strict=True))
        rest = [atom for atom in self.unknowns if atom not in values]
        point = _Trial(at, {**values, **dict.fromkeys(rest, 0.0)})
        linear = [self.equations[i] for i, _ in self.pivots]
        if self.sequence:
            point = _Trial(at, dict(values))
            for i, atom in self.sequence:
                equation = self.equations[i]
                point.values[atom] = 0.0
                slope, left_over = equation.gradient(atom, point), equation.residual(point)
                point.values[atom] = _quotient(left_over, slope)
            linear = [self.equations[i] for i, _ in self.sequence]
        elif rest:
            inner = Block(linear, rest)
            entries = {k: v for k, v in inner.jacobian(point).items() if not _is_zero(v)}
            right = [neg(e.residual(point)) for e in linear]
            order = [(i, j) for i, (_, j) in enumerate(self.pivots)]
            found = SparseElimination(entries, order).solve(right)
            point = _Trial(at, {**values, **dict(zip(rest, found, strict=True))})
        used = {id(e) for e in linear}
        left = [e.residual(point) for e in self.equations if id(e) not in used]
        y = casadi.vertcat(*symbols)
        column = casadi.SX(casadi.vertcat(*left))
        begin, size = [guess(atom) for atom in torn], [at.size(atom) for atom in torn]
        solved = solve_residual(column, y, begin, size, _square)
        own = dict(zip(torn, solved, strict=True))
        if rest:
            others = casadi.SX(casadi.vertcat(*(point.values[a] for a in rest)))
            replaced = casadi.substitute(others, y, casadi.SX(casadi.vertcat(*solved)))
            own.update({a: replaced[k] for k, a in enumerate(rest)})
        return [own[atom] for atom in self.unknowns]

    def at_samples(self, at: Samples, guess: Callable[[Atom], float]) -> np.ndarray:
        """Return its unknowns at samples, a row for each; it also chooses orders and unknowns."""
        n = len(self.unknowns)
        x = np.zeros((n, at.count))
        if n == 1 and not self.nonlinear:
            return self._single_at(at)
        if not self.nonlinear:
            A, b = self._numbers(at, x)
            if self._choose(A).is_singular:
                return np.full(x.shape, np.nan)
            return solve_at_samples(A, b)
        x, A = self._searched(at, guess)
        rank = self.rank
        self.whole = self._choose(A)
        self.rank = rank
        self._tear(A)
        return x

    def found(self, at: SampledPoint, guess: Callable[[Atom], float]) -> list[float]:
        """Return its unknowns in numbers, by a search that begins far from the solution.

        They are no numbers where none is found.
        """
        return self._searched(at, guess)[0][:, 0].tolist()

    def _searched(
        self, at: SampledPoint, guess: Callable[[Atom], float]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return its unknowns at samples by Newton's method, and its Jacobian matrices."""
        x = np.tile(np.array([[guess(atom)] for atom in self.unknowns]), at.count)
        size = np.array([at.size(atom) for atom in self.unknowns])
        return newton_at_samples(lambda x: self._numbers(at, x), x, size)

    def _single_at(self, at: Samples) -> np.ndarray:
        """Return the unknown of a single linear equation at samples."""
        (equation,), (atom,) = self.equations, self.unknowns
        point = _Trial(at, {atom: 0.0})
        slope = np.asarray(equation.gradient(atom, point), dtype=float)
        fine = np.abs(slope[np.isfinite(slope)])
        if not fine.size:
            raise _NowhereFiniteError
        self.pivots, self.rank = ((0, 0),), Rank(is_singular=fine.max() == 0.0)
        self.has_no_slope = fine.min() == 0.0 < fine.max()
        with np.errstate(all="ignore"):
            value = -np.asarray(equation.residual(point), dtype=float) / slope
        return np.broadcast_to(value, (1, at.count))

    def _numbers(self, at: SampledPoint, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return Jacobian matrices and negative residuals at samples."""
        n = len(self.unknowns)
        point = _Trial(at, dict(zip(self.unknowns, x, strict=True)))
        A, b = np.zeros((at.count, n, n)), np.zeros((at.count, n))
        for (i, j), value in self.jacobian(point).items():
            A[:, i, j] = value
        for i, equation in enumerate(self.equations):
            b[:, i] = -equation.residual(point)
        return A, b

    def _choose(self, A: np.ndarray) -> Rank:
        """Return the rank at the samples, and keep the pivots."""
        fine = A[np.isfinite(A).all(axis=(1, 2))]
        if not len(fine):
            raise _NowhereFiniteError
        places = np.argwhere((fine != 0.0).any(axis=0))
        entries = {(int(i), int(j)): fine[:, i, j] for i, j in places}
        rank = choose_pivots(len(self.unknowns), entries)
        self.pivots, self.rank = rank.pivots, rank
        return rank

    def _tear(self, A: np.ndarray) -> None:
        """Choose the torn unknowns, and the equations that give the others from them.

        Curved unknowns are torn; of the equations that are linear in the rest, those with the
        largest pivots are eliminated.
        """
        nonlinear = set(self.nonlinear)
        self.torn = [atom for atom in self.unknowns if atom in nonlinear]
        rest = [atom for atom in self.unknowns if atom not in nonlinear]
        columns = [self.unknowns.index(atom) for atom in rest]
        fine = A[np.isfinite(A).all(axis=(1, 2))]
        if not len(fine):
            raise _NowhereFiniteError
        order = largest_pivots(fine[:, :, columns])
        chosen = [j for _, j in order]
        self.torn += [rest[j] for j in range(len(rest)) if j not in chosen]
        kept = sorted(chosen)
        self.pivots = tuple((i, kept.index(j)) for i, j in order)
        torn, sequence = self._one_by_one(fine)
        if len(torn) < len(self.torn):
            self.torn, self.sequence, self.pivots = torn, sequence, ()

    def _one_by_one(self, A: np.ndarray) -> tuple[list[Atom], list[tuple[int, Atom]]]:
        """Return unknowns to tear so that each other one follows from one equation after another.

        An equation gives an unknown in which it is linear, and whose coefficient vanishes at no
        sample. Where none does, the unknown that most equations read is torn.
        """
        place = {atom: j for j, atom in enumerate(self.unknowns)}
        left = {
            i: {atom for atom in equation.atoms if atom in place}
            for i, equation in enumerate(self.equations)
        }
        size = np.abs(A)
        sound = size.min(axis=0) > NETWORK_RANK * size.max(axis=(0, 2))[:, None]
        free, torn, sequence = dict.fromkeys(self.unknowns), [], []
        while free:
            found = None
            for i, unknown in left.items():
                if len(unknown) == 1:
                    (atom,) = unknown
                    is_linear = atom not in self.equations[i].gradient_unknowns(atom)
                    if is_linear and sound[i, place[atom]]:
                        found = i, atom
                        break
            if found is None:
                counts = {a: sum(a in own for own in left.values()) for a in free}
                found = None, max(counts, key=lambda a: (counts[a], -place[a]))
                torn.append(found[1])
            else:
                sequence.append(found)
                del left[found[0]]
            del free[found[1]]
            for own in left.values():
                own.discard(found[1])
        return torn, sequence


class SampledPoint(Point, Protocol):
    """A point, or several at once."""

    count: int

    def size(self, atom: Atom) -> float:
        """Return the usual size of an unknown, or of a derivative of it."""
        ...


class _NowhereFiniteError(Exception):
    """The equations of a block have no values at any sample."""


class _Trial:
    """A point with trial values of some unknowns."""

    def __init__(self, at: Point, values: dict[Atom, Scalar]) -> None:
        self.at, self.values = at, values
        self.t, self.is_numeric, self.is_sampled = at.t, at.is_numeric, at.is_sampled

    def read(self, atom: Atom) -> Scalar:
        """Return a value."""
        return self.values[atom] if atom in self.values else self.at.read(atom)


class Samples:
    """Random states, inputs and times at which structure is judged on numbers."""

    is_numeric = is_sampled = True

    def __init__(self, reduced: ReducedSystem) -> None:
        self.count = count = reduced.system.sample_count
        self._random = np.random.default_rng(7)
        self._system = reduced.system
        self.t = np.abs(self._random.normal(size=count))
        self.values: dict[Atom, np.ndarray] = {}

    def size(self, atom: Atom) -> float:
        """Return the usual size of an unknown, or of a derivative of it."""
        return self._system.unknowns[atom[0]].nominal

    def read(self, atom: Atom) -> np.ndarray:
        """Return the values of a state or an input, or those that a block has given."""
        if atom not in self.values:
            own = self._system.unknowns[atom[0]]
            spread = self._random.normal(size=self.count) * np.geomspace(
                1e-3, 1.0, self.count
            )
            start = own.start if atom[1] == 0 else 0.0
            self.values[atom] = start * (1.0 + 0.1 * spread) + own.nominal * spread
            if own.is_boolean:
                self.values[atom] = (spread > 0.0).astype(float)
        return self.values[atom]


class OrderedSystem:
    """The equations of a system in order of solution.

    `states` are the atoms that are integrated; `blocks` give all others from them and from the
    known ones, each from those before it.
    """

    def __init__(
        self, reduced: ReducedSystem, blocks: Sequence[Block], is_combined: bool = False
    ) -> None:
        self.is_combined = is_combined  # whether combinations replace some equations
        self.system, self.states, self.blocks = reduced.system, reduced.states, list(blocks)
        self.invariants = reduced.invariants
        self.block_of = {a: k for k, own in enumerate(self.blocks) for a in own.unknowns}
        self.state_number = {atom: k for k, atom in enumerate(self.states)}

    @staticmethod
    def of(system: ImplicitSystem, is_determined: bool = False) -> OrderedSystem:
        """Return the equations of a system in order, with rank judged at samples.

        If it is known that the system `is_determined` in some of its modes, it may lack rank in
        the present one: unknowns that are free in it are then zero.
        """
        system.unite()
        for k in range(ROUNDS):
            reduced = reduce_index(system)
            blocks = _ordered_blocks(reduced)
            with np.errstate(all="ignore"):  # equations need not have values at samples
                lacking = _judge(reduced, blocks, is_determined)
            if lacking is None:
                return OrderedSystem(reduced, blocks, k > 0)
            _replace(system, *lacking)
        parts = [e.part for e in system.equations[:3]]
        raise system.refuse(
            "its equations lack rank however they are combined.", "Simplify them.", parts
        )

    def needed_blocks(self, atoms: Sequence[Atom]) -> list[int]:
        """Return the blocks by which unknowns follow from states and inputs, in order."""
        first = [self.block_of[a] for a in atoms if a in self.block_of]

        def before(k: int) -> list[int]:
            return self._before[k]

        return sorted(reachable(first, before))

    @cached_property
    def _before(self) -> list[list[int]]:
        return [
            list(dict.fromkeys(self.block_of[a] for a in own.needs if a in self.block_of))
            for own in self.blocks
        ]

    def derived_block(self, atom: Atom) -> Block:
        """Return the block of a derivative that no equation contains, by differentiation."""
        if atom not in self._derived:
            lower = (atom[0], atom[1] - 1)
            if lower in self.block_of:
                base = self.blocks[self.block_of[lower]]
            elif atom[1] > 0:
                base = self.derived_block(lower)
            else:
                raise KeyError(atom)
            for own in base.differentiated.unknowns:
                self._derived.setdefault(own, base.differentiated)
        return self._derived[atom]

    @cached_property
    def _derived(self) -> dict[Atom, Block]:
        return {}

    def _is_ordered(self, atom: Atom) -> bool:
        return atom in self.block_of or atom in self.state_number or self.is_input(atom)

    def _ordered_needs(self, atoms: Sequence[Atom]) -> list[Atom]:
        """Return atoms, with those that derivatives which no equation contains follow from."""
        found = dict.fromkeys(atoms)
        for atom in (rest := [a for a in atoms if not self._is_ordered(a)]):
            for own in self.derived_block(atom).needs:
                if own not in found:
                    found[own] = None
                    rest += [] if self._is_ordered(own) else [own]
        return [*found]

    def inputs_of(self, atoms: Sequence[Atom]) -> list[Atom]:
        """Return the known atoms that unknowns depend on without a state between."""
        atoms = self._ordered_needs(atoms)
        found = [a for a in atoms if self.is_input(a)]
        for k in self.needed_blocks(atoms):
            found += [a for a in self.blocks[k].needs if self.is_input(a)]
        return list(dict.fromkeys(found))

    def is_input(self, atom: Atom) -> bool:
        """Return whether an atom is given from outside."""
        return self.system.unknowns[atom[0]].known


class OrderedValues:
    """Values of the unknowns of a system at one instant, each block computed on demand."""

    is_numeric = is_sampled = False
    count = 1

    def __init__(
        self,
        ordered: OrderedSystem,
        z: Sequence[Scalar],
        t: Scalar,
        read_input: Callable[[Atom], Scalar],
        guess: Callable[[Atom], Scalar],
    ) -> None:
        self.ordered, self.z, self.t = ordered, z, t
        self._read_input, self._guess = read_input, guess
        self.known: dict[Atom, Scalar] = {}
        self.searches = False  # whether nonlinear blocks are solved by a search, in numbers

    def size(self, atom: Atom) -> float:
        """Return the usual size of an unknown, or of a derivative of it."""
        return self.ordered.system.unknowns[atom[0]].nominal

    def _solved(self, block: Block) -> Sequence[Scalar]:
        if not (self.searches and block.nonlinear):
            return block.solution(self, self._guess)
        system = self.ordered.system

        def guess(atom: Atom) -> float:
            is_torn = atom in block.torn
            return float(self._guess(atom)) if is_torn else start_of(system, atom)

        return block.found(self, guess)

    def read(self, atom: Atom) -> Scalar:
        """Return the value of an unknown or of a derivative of it."""
        if atom not in self.known:
            ordered = self.ordered
            if atom in ordered.state_number:
                self.known[atom] = self.z[ordered.state_number[atom]]
            elif ordered.is_input(atom):
                self.known[atom] = self._read_input(atom)
            elif atom not in ordered.block_of:
                block = ordered.derived_block(atom)
                found = self._solved(block)
                for own, value in zip(block.unknowns, found, strict=True):
                    self.known.setdefault(own, value)
            else:
                for k in ordered.needed_blocks([atom]):
                    block = ordered.blocks[k]
                    if block.unknowns[0] not in self.known:
                        found = self._solved(block)
                        self.known.update(zip(block.unknowns, found, strict=True))
        return self.known[atom]

    def rates(self) -> list[Scalar]:
        """Return the rates of the states."""
        return [self.read((k, order + 1)) for k, order in self.ordered.states]


def _ordered_blocks(reduced: ReducedSystem) -> list[Block]:
    """Return the block triangular form of equations of index one."""
    number = {atom: j for j, atom in enumerate(reduced.unknowns)}
    edges = [[number[a] for a in e.atoms if a in number] for e in reduced.equations]
    solvable = [
        [number[a] for a in e.atoms if a in number and e.constant_gradient(a) != 0.0]
        for e in reduced.equations
    ]
    unknown_of, equation_of = maximum_matching(solvable, len(reduced.unknowns))
    lost = [i for i, j in enumerate(unknown_of) if j < 0]
    if lost:
        parts = [reduced.equations[i].part for i in lost]
        raise reduced.system.refuse(
            "its equations cannot be solved for the highest derivatives of their unknowns.",
            "Check whether an equation is meant for another quantity.",
            parts,
        )
    needs = [
        [equation_of[j] for j in own if equation_of[j] != i] for i, own in enumerate(edges)
    ]
    return [
        Block(
            [reduced.equations[i] for i in members],
            [reduced.unknowns[unknown_of[i]] for i in members],
        )
        for members in strong_components(needs)
    ]


Lacking = tuple[Block, np.ndarray]


def _judge(
    reduced: ReducedSystem, blocks: Sequence[Block], is_determined: bool
) -> Lacking | None:
    """Choose the orders of all blocks at samples; return a block that lacks rank at all of them.

    Its Jacobian matrices come with it. There is none if the system `is_determined`.
    """
    samples, system = Samples(reduced), reduced.system

    def guess(atom: Atom) -> float:
        return start_of(system, atom)

    for block in blocks:
        try:
            values = block.at_samples(samples, guess)
        except _NowhereFiniteError:
            raise _unsolved(system, block, samples) from None
        if not block.nonlinear and block.rank.is_singular and not is_determined:
            A, _ = block._numbers(samples, np.zeros((len(block.unknowns), samples.count)))
            return block, A[np.isfinite(A).all(axis=(1, 2))]
        samples.values.update(zip(block.unknowns, values, strict=True))
    return None


def start_of(system: ImplicitSystem, atom: Atom) -> float:
    """Return the start value of an atom, a guess or fixed, 0 where none is given."""
    k, order = atom
    best, found = -1, 0.0
    for other, shift, sign in system.aliases.get(k, ()):
        own = system.unknowns[other]
        weight = 2 if own.fixed else int(own.start != 0.0)
        if shift == order and weight > best:
            best, found = weight, sign * own.start
    return found


def _unsolved(system: ImplicitSystem, block: Block, samples: Samples) -> EquationError:
    """Return the error of nonlinear equations that have no solution at any sample."""
    starts = [start_of(system, atom) for atom in block.unknowns]
    x = np.tile(np.array(starts)[:, None], (1, samples.count))
    A, b = block._numbers(samples, x)
    fine = np.isfinite(A).all(axis=(1, 2)) & np.isfinite(b).all(axis=1)
    shown = [
        f"{system.name(atom)} = {start:g}"
        for atom, start in zip(block.unknowns, starts, strict=True)
    ]
    about, at = listed(system, block.unknowns), ", ".join(shown[:SHOWN])
    why = f"have no value near the start, {at}."
    remedy = "Give start values at which they can be evaluated, by guess(…)."
    if fine.any() and np.linalg.matrix_rank(A[fine]).max() < len(starts):
        why = f"do not change with them to first order at the start, {at}: Newton's method has "
        why += "no direction there."
        remedy = "Give another start value by guess(…)."
    elif fine.any():
        why = f"have no solution that Newton's method finds from the start, {at}."
        remedy = "Give a start value nearer to the solution by guess(…), if there is one."
    parts = [e.part for e in block.equations]
    return system.refuse(f"its equations for {about} {why}", remedy, parts)


def _replace(system: ImplicitSystem, block: Block, A: np.ndarray) -> None:
    """Replace an equation by a combination in which the unknowns of its block cancel out."""
    parts = [e.part for e in block.equations]
    vectors = left_null_vectors(A[0])
    is_constant = np.abs(A - A[:1]).max() <= CONSTANT_MATRIX * np.abs(A).max()
    for w in vectors:
        members = [(float(f), e) for f, e in zip(w, block.equations, strict=True) if f]
        combined = CombinedEquation(members, frozenset(block.unknowns))
        originals = [e for _, e in members if e in system.equations]
        if is_constant and combined.atoms and len(originals) == len(members):
            place = system.equations.index(members[-1][1])
            system.equations[place] = combined
            return
        parts = [e.part for _, e in members]
        if not combined.atoms and abs(left := combined.residual(PRESENT)) > NETWORK_RANK:
            raise system.refuse(
                f"its equations for {listed(system, block.unknowns)} contradict one another: "
                f"combined they read {left:.6g} = 0.",
                "Remove or change one of them; two sources that prescribe the same quantity "
                "need something between them.",
                parts,
            )
    V = np.linalg.svd(A[0] / np.abs(A[0]).max())[2]
    loose = [a for a, v in zip(block.unknowns, V[-1], strict=True) if abs(v) > FREE_UNKNOWN]
    raise system.refuse(
        f"its equations do not determine {listed(system, loose or block.unknowns)}: they depend on "
        "each other.",
        "A network without a ground, or with a part that is connected at one side only, has no "
        "unique potentials: add a ground or remove the part.",
        parts,
    )


def _quotient(rest: Scalar, slope: Scalar) -> Scalar:
    """Return −rest / slope."""
    if is_number(slope) and slope == -1.0:
        return rest
    return neg(rest) if is_structural(slope, 1.0) else div(neg(rest), slope)


def _is_zero(value: Scalar) -> bool:
    return is_structural(value, 0.0)


def _square(
    entries: dict[tuple[int, int], Scalar], right: Sequence[Scalar]
) -> list[Scalar]:
    """Return the solution of a small square system with pivots on its diagonal."""
    from motorik.algebra.linear_system import solve_linear

    n = len(right)
    A = [[entries.get((i, j), 0.0) for j in range(n)] for i in range(n)]
    return solve_linear(A, list(right))
