"""Balance: how points without mass move, decided before anything is traced.

The forces g on the freedoms without mass vanish. Where springs alone act, g(q, r, t) = 0 says
where the point is: it is kept by ġ = 0, which gives the speeds ṙ, and by projection after each
step. Where a damper acts, g(r, ṙ) = 0 gives the speeds themselves, and r is a state like any
other. Both are linear in ṙ: one sparse system for all points, no iteration in an evaluation.

Dampers between points alone leave sums of rows of g without any speed, as in a spring, a
damper and a spring in series: these sums N g are what is held at positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from motorik.algebra.scalar import Scalar, add, is_structural, mul
from motorik.components.base.contributions import InitialCondition
from motorik.elements.translation import Translation
from motorik.errors import AssemblyError
from motorik.loops.parts import split_symbols
from motorik.motion.imbalance import imbalance, loads_of_balanced
from motorik.motion.view import MotionView
from motorik.topology.graph import ConnectedSets
from motorik.topology.mechanism import Mechanism

if TYPE_CHECKING:
    import casadi

SAMPLES = 4  # random motions at which it is looked how dampers act
NONE = 1e-9  # singular values below this part of the largest are zero
SAME = 1e-7  # entries of N that differ by less are the same

Combination = tuple[tuple[int, float], ...]
"""A sum of rows of g: their numbers and factors."""


@dataclass(frozen=True)
class Balance:
    """Which sums of the forces g on freedoms without mass are held at positions, and which not.

    `speeds` and `coordinates` are those of the freedoms, `parts` their owners. `held` are sums
    of g that no speed appears in, `damped` the rows that are solved for speeds as they are.
    """

    speeds: tuple[int, ...]
    coordinates: tuple[int, ...]
    parts: tuple[str, ...]
    held: tuple[Combination, ...]
    damped: tuple[int, ...]

    def held_forces(self, motion: MotionView) -> list[Scalar]:
        """Return the sums of forces that vanish at positions."""
        g, found = imbalance(motion), []
        for own in self.held:
            total: Scalar = 0.0
            for row, factor in own:
                total = add(total, mul(factor, g[row]))
            found.append(total)
        return found

    def damped_forces(self, motion: MotionView) -> list[Scalar]:
        """Return the forces that vanish by speeds."""
        g = imbalance(motion)
        return [g[row] for row in self.damped]

    def demands(self) -> list[InitialCondition]:
        """Return what must hold at the start."""
        if not self.held:
            return []
        owners = dict.fromkeys(self.parts[own[0][0]] for own in self.held)
        name = "balance of forces"
        return [
            InitialCondition(", ".join(owners), name, 0, self.held_forces, always=True)
        ]


def decide_balance(
    mechanism: Mechanism, symbols: casadi.SX, p: np.ndarray, length: float
) -> Balance | None:
    """Return how what has no mass moves, None if there is nothing; refuse what is not linear.

    `symbols` are those of the live parameters with values p, `length` that of the mechanism.
    """
    if not mechanism.balanced:
        return None
    import casadi

    sizes = (mechanism.n_q, mechanism.n_u, len(mechanism.signals.states), 1)
    q, u, z, t = (casadi.SX.sym(n, k) for n, k in zip("quzt", sizes, strict=True))
    q_s, u_s, z_s = map(split_symbols, (q, u, z))
    motion = MotionView(mechanism, q_s, u_s, None, t, z_s)
    g = casadi.SX(casadi.vertcat(*imbalance(motion)))
    speeds = mechanism.balanced
    w = casadi.vertcat(*(u_s[k] for k in speeds))
    parts = tuple(mechanism.link_of_speed(k).entry.path for k in speeds)
    _check_moments(motion)
    _check_switching(mechanism, g, parts)
    curved = casadi.which_depends(g, w, 2, True)
    for row, is_curved in enumerate(curved):
        if is_curved:
            _refuse(
                parts[row],
                "has no mass, and a force on it is not linear in its speed: the balance of "
                "forces does not tell the speed.",
                "Give it a mass, or take a damper whose force is linear in the speed.",
            )
    D = casadi.jacobian(g, w)
    numbers = casadi.Function("D", [q, u, z, t, symbols], [casadi.densify(D)])
    samples = [
        np.asarray(numbers(*given), dtype=float)
        for given in _motions(mechanism, p, length)
    ]
    held, damped = _split(D.sparsity(), samples, parts)
    made = Balance(
        speeds, tuple(mechanism.coordinate_of_speed(k) for k in speeds), parts, held, damped
    )
    _check_held(made, mechanism, (q_s, u_s, t, z_s), u)
    return made


def _motions(mechanism: Mechanism, p: np.ndarray, length: float) -> list[list[np.ndarray]]:
    """Return motions by chance, with live parameters near their values."""
    rng = np.random.default_rng(11)
    q, u = (np.array(values) for values in mechanism.start_values())
    n_z, found = len(mechanism.signals.states), []
    for _ in range(SAMPLES):
        moved = [x + rng.normal(size=x.size) * length for x in (q, u)]
        near = p * (1.0 + 0.1 * rng.normal(size=p.size))
        found.append([*moved, rng.normal(size=n_z), rng.normal(size=1), near])
    return found


# --- which rows hold positions, and which tell speeds -----------------------------------------


def _split(
    pattern: casadi.Sparsity, samples: Sequence[np.ndarray], parts: Sequence[str]
) -> tuple[tuple[Combination, ...], tuple[int, ...]]:
    """Return the sums of rows without any speed, and the rows that are left for speeds.

    D = ∂g/∂ṙ is zero in rows that springs alone give. Among rows that dampers couple it may
    lack rank; what it lacks must be the same in every motion.
    """
    rows, columns = pattern.get_triplet()
    sets: ConnectedSets[int] = ConnectedSets()
    for i, j in zip(rows, columns, strict=True):
        sets.unite(i, j)
    coupled = {i for members in sets.sets().values() for i in members}
    held: list[Combination] = [
        ((i, 1.0),) for i in range(pattern.size1()) if i not in coupled
    ]
    damped: list[int] = []
    for members in sets.sets().values():
        own = sorted(members)
        N, pivots = _lacking([D[np.ix_(own, own)] for D in samples], parts[own[0]])
        held += [
            tuple((own[i], float(x)) for i, x in enumerate(line) if x != 0.0) for line in N
        ]
        damped += [own[i] for i in range(len(own)) if i not in pivots]
    return tuple(held), tuple(sorted(damped))


def _lacking(samples: Sequence[np.ndarray], part: str) -> tuple[np.ndarray, list[int]]:
    """Return N with N D = 0 in all samples, in echelon form, and the rows of its pivots."""
    usable = [D / np.abs(D).max() for D in samples if np.isfinite(D).all() and D.any()]
    if not usable:
        return np.zeros((0, len(samples[0]))), []
    left, sizes, _ = np.linalg.svd(np.hstack(usable))
    N = left[:, int(np.sum(sizes > NONE * sizes[0])) :].T
    ranks = [np.linalg.matrix_rank(D, tol=NONE) for D in usable]
    if max(ranks) + len(N) < len(left):
        _refuse(
            part,
            "has no mass, and dampers act on it in some directions only.",
            "Let dampers act in all directions or in none, or give it a mass.",
        )
    return _echelon(N)


def _echelon(N: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """Return the rows of a matrix reduced to units at pivots, and the columns of these."""
    N, pivots = N.copy(), []
    for k in range(len(N)):
        i, j = np.unravel_index(int(np.argmax(np.abs(N[k:]))), N[k:].shape)
        N[[k, k + i]] = N[[k + i, k]]
        N[k] /= N[k, j]
        for other in range(len(N)):
            if other != k:
                N[other] -= N[other, j] * N[k]
        pivots.append(int(j))
    whole = np.round(N)
    return np.where(np.abs(N - whole) < SAME, whole, N), pivots


# --- refusals -----------------------------------------------------------------------------


def _refuse(part: str, why: str, remedy: str) -> NoReturn:
    raise AssemblyError(part, why, remedy)


def _check_moments(motion: MotionView) -> None:
    """Refuse a torque on a point: nothing says how it turns."""
    for index, load in loads_of_balanced(motion).items():
        link = motion.mechanism.links[index]
        is_point = isinstance(link.joint, Translation) and link.root is not None
        if is_point and not all(map(_is_nothing, load.moment.xyz)):
            _refuse(
                link.entry.path,
                "has no mass, and a torque acts on it: nothing says how it turns.",
                "Connect a Body to it, or parts that act by forces alone.",
            )


def _check_switching(mechanism: Mechanism, g: casadi.SX, parts: Sequence[str]) -> None:
    """Refuse friction and stops on what has no mass."""
    import casadi

    for slip in mechanism.inventory.slips:
        force = getattr(mechanism.inventory.parameters_of(slip.part), slip.force)
        if casadi.depends_on(g, force):
            _refuse(
                slip.part.path,
                f"sticks or slips at a point without mass ({', '.join(dict.fromkeys(parts))}).",
                "Give this point a mass.",
            )


def _check_held(
    balance: Balance,
    mechanism: Mechanism,
    given: tuple[Sequence[Scalar], Sequence[Scalar], Scalar, Sequence[Scalar]],
    u: casadi.SX,
) -> None:
    """Refuse forces at positions that follow speeds of other parts."""
    import casadi

    q, speeds, t, z = given
    still = [0.0 if k in balance.speeds else s for k, s in enumerate(speeds)]
    motion = MotionView(mechanism, q, still, None, t, z)
    for own, force in zip(balance.held, balance.held_forces(motion), strict=True):
        if casadi.depends_on(casadi.SX(force), u):
            _refuse(
                balance.parts[own[0][0]],
                "has no mass, and a force on it follows the speeds of other parts, but not "
                "its own: the balance of forces does not tell its speed.",
                "Give it a mass, or let a damper act on it.",
            )


def _is_nothing(value: Scalar) -> bool:
    return is_structural(value, 0.0) or bool(getattr(value, "is_zero", lambda: False)())
