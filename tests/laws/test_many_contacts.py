"""Forces of many contacts: kernels against exact arithmetic and against straight-line equations."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from benchmarks.event_models import Clutches, Feet
from motorik import Model, World, forces, joints, parts
from motorik.compiled_model import CompiledModel
from motorik.compiler.kernels import native
from motorik.initialisation.initialise import initialise
from motorik.nonsmooth.complementarity.friction_cones import cones_size, solve_cone_problem
from motorik.nonsmooth.complementarity.reduction import mark_free, reduce, reduced_size
from motorik.nonsmooth.laws.force_bounds import CORRECTIONS
from motorik.nonsmooth.laws.response_kernels import HEAD, RECORD
from motorik.numerics.tolerances import FRICTION_COMPLIANCE

OPEN, SLIDING, STUCK = range(3)
MODES = np.array([STUCK, SLIDING, OPEN])
T = np.array([0.3])


class Linkage(Feet):
    """A body on feet that carries a four-bar linkage."""

    def build(self, n: int = 3, mu: float = 0.5, e: float = 0.4) -> None:
        """Connect the parts."""
        super().build(n, mu, e)
        self.hinges = [joints.Revolute(n=(0, 0, 1), phi=1.2)]
        self.hinges += [joints.Revolute(n=(0, 0, 1)) for _ in range(3)]
        self.bars = [parts.BodyCylinder(r=(0.1, 0, 0), diameter=0.01) for _ in range(3)]
        self.base = parts.FixedTranslation(r=(0.12, 0, 0))
        self.body.frame_a >> self.base.frame_a
        end = self.body.frame_a
        for hinge, bar in zip(self.hinges, self.bars, strict=False):
            end >> hinge.frame_a
            hinge.frame_b >> bar.frame_a
            end = bar.frame_b
        end >> self.hinges[3].frame_a
        self.hinges[3].frame_b >> self.base.frame_b


@pytest.fixture(scope="module")
def feet():
    """A body on three feet: nine constraints on six speeds."""
    return Feet(n=3).compile()


def in_modes(
    system: CompiledModel, rng: np.random.Generator, modes: np.ndarray
) -> np.ndarray:
    """Return parameters with contacts in these modes and any forces."""
    p = np.concatenate(
        [system.parameter_values(), np.zeros(system.layout.n_branch_parameters)]
    )
    stick, way = np.zeros((2, 3 * modes.size))
    for k, mode in enumerate(modes):
        stick[3 * k] = mode != OPEN
        stick[3 * k + 1 : 3 * k + 3] = mode == STUCK
        way[3 * k + 1] = mode == SLIDING
    places = system.layout.nonsmooth.columns
    p[places.stick], p[places.direction] = stick, way
    p[places.force] = rng.normal(size=3 * modes.size)
    return p


def at_rest(system: CompiledModel, x: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return the state with what sticks at rest."""
    assert system.project is not None
    for _ in range(3):
        x = system.project(T, x, p)
    return x


@pytest.mark.slow
def test_kernels_agree_with_straight_line_equations(feet):
    rng = np.random.default_rng(1)
    for _ in range(6):
        p = in_modes(feet, rng, rng.integers(0, 3, size=3))
        x = at_rest(feet, rng.normal(size=feet.n_x), p)
        for name in (
            *("derivative", "project", "forces"),
            *("contact_state", "impulse_response", "contact_lcp"),
        ):
            found = feet.natives.get(name)(T, x, p)
            wanted = np.asarray(feet.function(name)(T, x, p)).ravel()
            if name == "contact_lcp":  # directions of sliding at rest are rounding
                found, wanted = found[: 9 * 9 + 81], wanted[: 9 * 9 + 81]
                keep = np.arange(found.size)
                keep = keep[(keep >= 81) | ((keep % 9 != 3) & (keep % 9 != 4))]
                found, wanted = found[keep], wanted[keep]
            size = np.abs(wanted[np.isfinite(wanted)]).max()
            np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-8 * (1.0 + size))


def exact_forces(system: CompiledModel, x: np.ndarray, p: np.ndarray) -> list[float]:
    """Return the forces of softened constraints, refined, in exact arithmetic."""
    response = system.equations.response
    assert response is not None
    table, (component,) = response.table, response.components
    n, m, count = table[0], table[1], table[3]
    given = response.natives["response"](T, x, p).tolist()
    numbers = [Fraction(value) for value in given]
    free, beta, slip, stick, soft = (
        numbers[:n],
        *(numbers[n + i * m : n + (i + 1) * m] for i in range(4)),
    )
    slopes = numbers[n + 4 * m : n + 4 * m + count]
    reading = table[HEAD + m : HEAD + m + count]
    read = table[HEAD + m + count : HEAD + m + 2 * count]
    nc = len(component.speeds)
    assert table[HEAD + m + 2 * count : HEAD + m + 2 * count + RECORD] == [m, nc, 0, count]
    rest = numbers[n + 4 * m + count + table[4] :]
    J = [rest[k * nc : (k + 1) * nc] for k in range(m)]
    Y = [rest[(m + k) * nc : (m + k + 1) * nc] for k in range(m)]
    D = [[product(i, j) for j in Y] for i in J]
    moved = [free[k] for k in component.speeds]
    right = [product(line, moved) for line in J]
    plain = [[Fraction(0)] * m for _ in range(m)]
    soft_by = [Fraction(0)] * m
    for k in range(m):
        if stick[k]:
            plain[k] = list(D[k])
            pair = table[HEAD + k]
            own = D[k][k] if pair < 0 else (D[k][k] + D[pair][pair]) / 2 * soft[k]
            soft_by[k] = Fraction(FRICTION_COMPLIANCE) * own
            right[k] = -right[k] - beta[k]
        else:
            plain[k][k], right[k] = Fraction(1), slip[k]
    for row, other, slope in zip(reading, read, slopes, strict=True):
        if not stick[row]:
            plain[row][other] -= slope
    softened = [
        [v + (soft_by[i] if i == j else 0) for j, v in enumerate(line)]
        for i, line in enumerate(plain)
    ]
    found = solved(softened, right)
    for _ in range(CORRECTIONS):
        left = [r - product(line, found) for r, line in zip(right, plain, strict=True)]
        found = [a + b for a, b in zip(found, solved(softened, left), strict=True)]
    return [float(value) for value in found]


def product(a: list[Fraction], b: list[Fraction]) -> Fraction:
    """Return Σ a b."""
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def solved(A: list[list[Fraction]], b: list[Fraction]) -> list[Fraction]:
    """Return x with A x = b, by Gauss's elimination."""
    lines = [[*line, value] for line, value in zip(A, b, strict=True)]
    n = len(b)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(lines[i][k]))
        lines[k], lines[pivot] = lines[pivot], lines[k]
        for i in range(n):
            factor = lines[i][k] / lines[k][k]
            if i != k and factor:
                own = zip(lines[i], lines[k], strict=True)
                lines[i] = [a - factor * b for a, b in own]
    return [line[n] / line[k] for k, line in enumerate(lines)]


@pytest.mark.slow
def test_redundant_contacts_share_their_load_to_rounding():
    """However many contacts are redundant: in exact arithmetic there is no rounding to spread."""
    system = Feet(n=5).compile()
    rng = np.random.default_rng(2)
    for modes in ([STUCK] * 5, [STUCK, SLIDING, STUCK, OPEN, STUCK], [SLIDING] * 5):
        p = in_modes(system, rng, np.array(modes))
        x = at_rest(system, rng.normal(size=system.n_x), p)
        wanted = np.array(exact_forces(system, x, p))
        found = system.forces(T, x, p)
        np.testing.assert_allclose(found, wanted, atol=1e-12 * np.abs(wanted).max())


@pytest.mark.slow
def test_loops_beside_many_contacts():
    system = Linkage(n=3).compile()
    assert not system.formulation.is_empty and system.equations.response is not None
    start = initialise(system, {}, system.parameter_values())
    X, p, modes = start.X, start.p.copy(), in_modes(system, np.random.default_rng(4), MODES)
    p[: modes.size - system.layout.n_branch_parameters] = modes[
        : modes.size - system.layout.n_branch_parameters
    ]
    for name in ("forces", "full_state_rates"):
        found = system.natives.get(name)(T, X, p)
        wanted = np.asarray(system.function(name)(T, X, p)).ravel()
        np.testing.assert_allclose(found, wanted, atol=1e-9 * (1.0 + np.abs(wanted).max()))


@pytest.mark.slow
def test_operations_grow_with_the_number_of_contacts():
    """Not with its cube: each further contact adds as much as the one before."""
    sizes = []
    for n in (4, 8, 16):
        response = Feet(n=n).compile().equations.response
        assert response is not None
        both = response.function, response.bounds
        sizes.append(sum(own.n_instructions() for own in both))
    assert sizes[2] - sizes[1] <= 2.05 * (sizes[1] - sizes[0])


def test_few_contacts_and_rows_of_clutches_have_straight_line_code():
    for model in (Feet(n=2), Clutches(n=12)):
        assert model.compile().equations.response is None


class Apart(Model):
    """Two bodies on three feet each, which do not touch each other."""

    def build(self) -> None:
        """Connect the parts."""
        self.world = World()
        self.bodies = [parts.Body(m=1.0, r_0=(2.0 * k, 1.0, 0.0)) for k in range(2)]
        places = [(0.1, -0.1, 0.0), (-0.1, -0.1, 0.1), (-0.1, -0.1, -0.1)]
        self.feet = [parts.FixedTranslation(r=place) for _ in range(2) for place in places]
        self.contacts = [forces.PointPlaneContact(mu=0.4, e=0.3) for _ in range(6)]
        for k, (foot, contact) in enumerate(zip(self.feet, self.contacts, strict=True)):
            self.bodies[k // 3].frame_a >> foot.frame_a
            self.world.frame_b >> contact.frame_a
            foot.frame_b >> contact.frame_b
        self.when(lambda motion: 0.5 - motion["bodies[1].r_0[2]"], stop=True)


@pytest.mark.slow
def test_bodies_that_do_not_touch_are_solved_apart_and_conditions_are_followed():
    model = Apart()
    response = model.compile().equations.response
    assert response is not None
    assert [len(own.constraints) for own in response.components] == [9, 9]
    assert "trigger_conditions" in response.natives
    result = model.simulate(1.0)
    assert result.time[-1] == pytest.approx(np.sqrt(2.0 * 0.5 / 9.80665), abs=1e-9)


@pytest.mark.slow
def test_given_forces_are_left_out_of_the_problem():
    """A problem with discs, some of its contacts open: the same forces as with all of them."""
    rng, run = np.random.default_rng(3), native(solve_cone_problem)
    for _ in range(20):
        n, m = 4, 12
        G = rng.normal(size=(m, 6))
        D, b = G @ G.T, rng.normal(size=m)
        low, high, slopes = np.zeros(m), np.zeros(m), np.zeros((2, m, m))
        disc = np.tile([-1, 0, 0], n)
        closed = rng.random(n) < 0.6
        for k in range(n):
            disc[3 * k + 1], disc[3 * k + 2] = 3 * k + 2, -2 - (3 * k + 1)
            high[3 * k] = np.inf if closed[k] else 0.0
            slopes[1, 3 * k + 1, 3 * k] = slopes[1, 3 * k + 2, 3 * k] = 0.4
            slopes[0, 3 * k + 1, 3 * k] = slopes[0, 3 * k + 2, 3 * k] = -0.4
        disc = disc.astype(np.int64)

        def solve(size, given, pair):
            mode, lam = np.zeros(size, dtype=np.int64), np.zeros(size)
            work, counts = np.zeros(cones_size(size)), np.zeros(8, dtype=np.int64)
            assert run(size, *given, np.zeros(size), pair, mode, lam, work, counts) == 0
            return lam

        flat = slopes.reshape(-1)
        wanted = solve(m, (D.reshape(-1), b, low, high, flat), disc)
        doubles, integers = reduced_size(m)
        room, free = np.zeros(doubles), np.zeros(integers, dtype=np.int64)
        lam, mode = np.zeros(m), np.zeros(m, dtype=np.int64)
        count = native(mark_free)(m, low, high, flat, disc, 1, lam, free)
        assert count == 3 * closed.sum()
        if count in (0, m):
            continue
        given = D.reshape(-1), b, low, high, flat, np.zeros(m)
        native(reduce)(m, count, *given, disc, mode, lam, room, free)
        cut = count * count
        vectors = room[3 * cut :].reshape(-1)[: 5 * count].reshape(5, count)
        own = room[:cut].copy(), *vectors[:3].copy(), room[cut : 3 * cut].copy()
        lam[free[:count]] = solve(count, own, free[m : m + count].copy())
        np.testing.assert_allclose(lam, wanted, atol=1e-8 * (1.0 + np.abs(wanted).max()))
