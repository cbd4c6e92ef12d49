"""Index reduction: which equations are differentiated, and which unknowns are states.

Pantelides' algorithm says how often equations are differentiated. Where the constraints between
would-be states are linear with constant coefficients, some of their derivatives become dummy
derivatives (Mattsson and Söderlind 1993): unknowns like all others, so that all states are free.
Where coefficients vary, no choice holds everywhere: all stay states, and the constraints are
invariants onto which the run projects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from motorik.equations.structure import (
    augment,
    connected_groups,
    maximum_matching,
    pantelides,
    reachable,
)
from motorik.equations.system import AnyEquation, Atom, FlatUnknown, ImplicitSystem
from motorik.errors import EquationError
from motorik.immutable import immutable
from motorik.numerics.sparse_elimination import independent_columns

SHOWN = 6  # names that a message lists


@immutable
class ReducedSystem:
    """Equations of index one: a square system for `unknowns`, given the `states`.

    The derivative of a state is another state or one of the unknowns. `invariants` are equations
    of states alone that the differentiated ones preserve but for rounding and integration errors.
    """

    system: ImplicitSystem
    equations: list[AnyEquation]
    unknowns: list[Atom]
    states: list[Atom]
    invariants: list[AnyEquation]


def reduce_index(system: ImplicitSystem) -> ReducedSystem:
    """Return the equations of a system with index one, and its states."""
    roots = system.roots
    number = {root: j for j, root in enumerate(roots)}
    orders: list[dict[int, int]] = []
    for equation in system.equations:
        own: dict[int, int] = {}
        for k, order in equation.atoms:
            if k in number:
                own[number[k]] = max(own.get(number[k], 0), order)
        orders.append(own)
    _check_count(system, roots, orders)
    offsets = pantelides(orders, len(roots))
    levels = [
        _derivatives(e, c) for e, c in zip(system.equations, offsets.equations, strict=True)
    ]
    highest = {root: d for root, d in zip(roots, offsets.unknowns, strict=True)}
    constrained = {i: [] for i, c in enumerate(offsets.equations) if c > 0}
    for i in constrained:
        constrained[i] = [
            k for k, order in levels[i][-1].atoms if highest.get(k) == order and order > 0
        ]
    equations = [own[-1] for own in levels]
    unknowns = [(root, highest[root]) for root in roots]
    dummies: set[Atom] = set()
    invariants: list[AnyEquation] = []
    for members, columns in connected_groups(constrained):
        group = {i: levels[i] for i in members}
        if any(_is_varying(group[i][-1], highest, columns) for i in members):
            invariants += [e for i in members for e in group[i][:-1]]
            continue
        chosen = _choose_dummies(system, group, columns, highest)
        dummies.update(chosen)
        equations += [e for i in members for e in group[i][:-1]]
    lower = [(k, order) for k in roots for order in range(highest[k])]
    states = [atom for atom in lower if atom not in dummies]
    unknowns += [atom for atom in lower if atom in dummies]
    return ReducedSystem(system, equations, unknowns, states, invariants)


def _derivatives(equation: AnyEquation, count: int) -> list[AnyEquation]:
    """Return an equation and its derivatives up to one."""
    found = [equation]
    for _ in range(count):
        found.append(found[-1].differentiated)
    return found


def _is_varying(
    equation: AnyEquation, highest: Mapping[int, int], columns: Sequence[int]
) -> bool:
    return any(
        equation.is_varying((k, highest[k]))
        for k in columns
        if (k, highest[k]) in equation.atoms
    )


class PresentParameters:
    """A point of which only the parameters matter."""

    t, is_numeric, is_sampled = 0.0, True, False

    def read(self, atom: Atom) -> float:
        """Return zero."""
        return 0.0


PRESENT = PresentParameters()


def _choose_dummies(
    system: ImplicitSystem,
    levels: Mapping[int, list[AnyEquation]],
    columns: Sequence[int],
    highest: Mapping[int, int],
) -> list[Atom]:
    """Return the derivatives of one group of constraints that become dummy derivatives.

    Of each level of differentiation as many as there are equations, so that these determine them;
    unknowns with low priority first, so that those with high priority stay states.
    """
    found: list[Atom] = []
    rest = sorted(columns, key=lambda k: _state_priority(system, k, highest[k] - 1))
    for step in range(max(len(own) for own in levels.values()) - 1):
        active = [own for own in levels.values() if len(own) - 1 > step]
        rest = [k for k in rest if highest[k] - step > 0]
        point = PRESENT
        G = np.zeros((len(active), len(rest)))
        for i, own in enumerate(active):
            for m, k in enumerate(rest):
                atom = (k, highest[k])
                if atom in own[-1].atoms:
                    G[i, m] = own[-1].gradient(atom, point)
        rest = [rest[m] for m in independent_columns(G)]
        if len(rest) < len(active):
            parts = [own[0].part for own in active]
            raise system.refuse(
                f"the constraints between {listed(system, [(k, highest[k]) for k in columns])} "
                "depend on each other: they are redundant or contradict one another.",
                "Remove one of these parts, or put something between them: a resistance, a spring.",
                parts,
            )
        found += [(k, highest[k] - step - 1) for k in rest]
        rest = sorted(rest, key=lambda k: _state_priority(system, k, highest[k] - step - 2))
    return found


def _state_priority(
    system: ImplicitSystem, k: int, order: int
) -> tuple[int, int, int, int]:
    """Return the priority of a derivative of an unknown as a state."""
    own = [system.unknowns[a] for a, shift, _ in system.aliases[k] if shift == order] or [
        FlatUnknown("", priority=-1)
    ]
    return (
        max(one.priority for one in own),
        max(one.fixed for one in own),
        -order,
        -k,
    )


def _check_count(
    system: ImplicitSystem, roots: Sequence[int], orders: Sequence[Mapping[int, int]]
) -> None:
    """Refuse equations and unknowns that cannot be matched, naming those concerned."""
    unknown_of, equation_of = maximum_matching([list(own) for own in orders], len(roots))
    surplus = [i for i, j in enumerate(unknown_of) if j < 0]
    lacking = [j for j, i in enumerate(equation_of) if i < 0]
    empty = [i for i in surplus if not system.equations[i].atoms]
    if surplus and not (lacking and len(empty) == len(surplus)):
        reached, _ = augment(surplus[0], lambda i: orders[i], unknown_of, equation_of)
        raise _surplus(system, [system.equations[i] for i in reached])
    if lacking:
        of_unknown: dict[int, list[int]] = {}
        for i, own in enumerate(orders):
            for j in own:
                of_unknown.setdefault(j, []).append(i)
        found = reachable(
            lacking[:1], lambda j: (unknown_of[i] for i in of_unknown.get(j, ()))
        )
        atoms = [(roots[j], 0) for j in found]
        parts = [system.unknowns[k].part for k, _ in atoms if system.unknowns[k].part]
        if empty:
            own = system.equations[empty[0]]
            left = own.residual(PRESENT)
            if left != 0.0:
                raise system.refuse(
                    f"its equation reads {left:g} = 0: all its unknowns are zero by those of "
                    f"others; nothing determines {listed(system, atoms)}.",
                    "A source whose ends are connected, or a part without resistance between "
                    "them, is a short circuit: remove it, or put a resistance into the loop. A "
                    "current or flow that a source prescribes needs a way on from both ends.",
                    [own.part, *parts],
                )
            raise system.refuse(
                f"nothing determines {listed(system, atoms)}: an equation of "
                f"{system.equations[empty[0]].part} follows from the others.",
                "A network needs one ground: without one its potentials are free, with two at "
                "the same place nobody knows how the current divides.",
                [*parts, system.equations[empty[0]].part],
            )
        raise system.refuse(
            f"there are {len(found)} unknowns and {len(found) - 1} equations for them: "
            f"{listed(system, atoms)}. One equation is lacking.",
            "Add an equation, or connect a port: a network needs a ground, a free port a part.",
            parts,
        )


def _surplus(system: ImplicitSystem, equations: Sequence[AnyEquation]) -> EquationError:
    atoms = list(dict.fromkeys(a for e in equations for a in e.atoms))
    known = [a for a in atoms if system.unknowns[a[0]].known]
    unknown = list(dict.fromkeys((k, 0) for k, _ in atoms if (k, 0) not in known))
    about = [a for a in unknown if not system.unknowns[a[0]].known]
    words = f"for {listed(system, about)}" if about else "and no unknown in them"
    if not about and known and system.are_signals([e.part for e in equations]):
        return system.refuse(
            f"the signals of the loop cancel out, which leaves a condition on "
            f"{listed(system, known)}: there is no solution.",
            "",
            [e.part for e in equations],
        )
    if not about and known:
        return system.refuse(
            f"its equation says how {listed(system, known)} depend on each other, but all of them "
            "are given by the mechanism or by signals.",
            "A signal that is given needs no equation: remove it, or let the part give the signal.",
            [e.part for e in equations],
        )
    return system.refuse(
        f"there are {len(equations)} equations {words}: one equation too many.",
        "Remove an equation or a part: two sources that prescribe the same quantity, two grounds "
        "of one network, a motion that is prescribed twice.",
        [e.part for e in equations],
    )


def listed(system: ImplicitSystem, atoms: Sequence[Atom]) -> str:
    """Return the names of unknowns for a message."""
    names = list(dict.fromkeys(map(system.name, atoms)))
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
