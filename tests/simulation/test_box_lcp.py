"""The box problem: forces and modes of rows that stick, slide, open and close."""

import itertools

import numpy as np
import pytest

from motorik.compiler.kernels import Floats, Int, Ints, kernel, native, tail
from motorik.nonsmooth.complementarity.box_lcp import (
    ScaledLcp,
    active_set_descent,
    clear_prescribed,
    minimise_norm,
    scaled_size,
    solve_box_lcp,
)
from motorik.nonsmooth.complementarity.redundancy import solve_sticking, sticking_size
from validation.lcp_problems import (
    BoxProblem,
    count_failures,
    enumerate_solutions,
    find_violation,
    make_matrix,
    make_problem,
    solve,
)

INF = np.inf


def problem(D, b, low, high, reads=None, mu=None) -> BoxProblem:
    """Return a problem of lists."""
    D, b, low, high = (np.array(values, dtype=float) for values in (D, b, low, high))
    if reads is None:
        return BoxProblem(D, b, low, high)
    return BoxProblem(D, b, low, high, np.array(reads), np.array(mu, dtype=float))


def contact(mu: float, b_n: float, b_t: float, D_nt: float, *, slides: bool) -> BoxProblem:
    """Return a contact with friction, at rest or sliding forward."""
    reads = [-1, -2 if slides else 0]
    D = [[1.0, D_nt], [D_nt, 1.0]]
    return problem(D, [b_n, b_t], [0.0, 0.0], [INF, 0.0], reads, [0.0, mu])


# --- random problems ------------------------------------------------------------------------


@pytest.mark.slow
def test_random_problems_are_solved():
    assert count_failures(150, seed=2) == []


@pytest.mark.thorough
@pytest.mark.slow
def test_many_random_problems_are_solved():
    assert count_failures(250, seed=3) == []


def test_a_wrong_answer_is_found():
    rng = np.random.default_rng(4)
    found = 0
    for _ in range(50):
        one = make_problem(rng, 4)
        answer = solve(one)
        k = int(rng.integers(4))
        changed = answer.mode.copy()
        changed[k] = (changed[k] + 2) % 3 - 1
        unmoved = abs(one.D[k] @ answer.lam + one.b[k]) < 1e-9
        if not unmoved and np.diag(one.D)[k] > 0:
            found += 1
            assert find_violation(one, answer.lam, changed)
    assert found > 10


@pytest.mark.slow
def test_native_and_plain_python_agree():
    rng = np.random.default_rng(5)
    for _ in range(200):
        m = int(rng.integers(1, 9))
        one, hint = make_problem(rng, m), rng.integers(-1, 2, m)
        fast, plain = solve(one, hint), solve(one, hint, solve_box_lcp)
        assert fast.status == plain.status == 0
        assert fast.counts[1] == plain.counts[1]
        weight = np.sqrt(np.diag(one.D))
        apart = abs(weight * (fast.lam - plain.lam)).max()
        assert apart <= 1e-7 * abs(weight * plain.lam).max()


@kernel
def descend_only(n: Int, w: Floats, way: Ints, counts: Ints) -> Int:
    status = active_set_descent(n, w, way, counts)
    if status == 0:
        minimise_norm(n, w, way, counts)
    return status


def by_descent(one: BoxProblem) -> tuple[int, np.ndarray, np.ndarray]:
    """Return status, forces and modes of a problem without pivoting."""
    n = len(one.b)
    scale = 1 / np.sqrt(np.diag(one.D))
    w, counts = np.zeros(scaled_size(n)), np.zeros(4, dtype=np.int64)
    way = np.zeros(2 * n, dtype=np.int64)
    vectors = {
        ScaledLcp.B: scale * one.b,
        ScaledLcp.LOW: one.low / scale,
        ScaledLcp.HIGH: one.high / scale,
    }
    for place, values in vectors.items():
        w[place * n : (place + 1) * n] = values
    w[ScaledLcp.VECTORS * n :][: n * n] = (scale[:, None] * one.D * scale).ravel()
    status = native(descend_only)(n, w, way, counts)
    lam = np.clip(scale * tail(w, ScaledLcp.X * n)[:n], one.low, one.high)
    return status, lam, way[:n]


@pytest.mark.slow
@pytest.mark.parametrize("half", [False, True])
def test_descent_alone_always_ends(half):
    rng = np.random.default_rng(6)
    for _ in range(30):
        m = int(rng.integers(2, 41))
        G = rng.normal(size=(m, m // 2 + 1 if half else m + 2))
        high = 10.0 ** rng.uniform(-3, 1) * rng.random(m)
        one = problem(G @ G.T, rng.normal(size=m), -high, high)
        status, lam, mode = by_descent(one)
        assert status == 0
        assert find_violation(one, lam, mode) == ""


@pytest.mark.slow
def test_no_solution_is_told_where_no_modes_are_right():
    rng = np.random.default_rng(7)
    told = 0
    for _ in range(150):
        m = int(rng.integers(2, 5))
        G = rng.integers(-1, 2, (m, m - 1)).astype(float)
        low = np.where(rng.random(m) < 0.7, -INF, -1.0)
        high = np.where(rng.random(m) < 0.7, INF, 1.0)
        one = problem(G @ G.T, rng.integers(-3, 4, m), low, high)
        exists = any(True for _ in enumerate_solutions(one))
        answer = solve(one, rng.integers(-1, 2, m))
        assert answer.status == (0 if exists else 1)
        if exists:
            assert find_violation(one, answer.lam, answer.mode) == ""
        told += not exists
    assert 20 < told < 130


# --- closed forms ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("load", "lam", "mode"),
    [(1.0, -1.0, 0), (-1.0, 1.0, 0), (5.0, -2.0, 1), (-5.0, 2.0, -1), (0.0, 0.0, 0)],
)
def test_one_brake(load, lam, mode):
    one = problem([[0.5]], [0.5 * load], [-2.0], [2.0])
    for hint in (-1, 0, 1):
        answer = solve(one, np.array([hint]))
        assert (answer.status, answer.lam[0], answer.mode[0]) == (0, lam, mode)


@pytest.mark.parametrize(
    ("load", "lam", "mode"),
    [
        (2.0, [1.0, 1.0], [0, 0]),
        (7.0, [3.0, 4.0], [-1, 0]),
        (9.0, [3.0, 5.0], [-1, -1]),
        (-7.0, [-3.0, -4.0], [1, 0]),
    ],
)
def test_two_brakes_on_a_shaft_share_the_load(load, lam, mode):
    one = problem(np.ones((2, 2)), [-load, -load], [-3.0, -5.0], [3.0, 5.0])
    for hint in itertools.product((-1, 0, 1), repeat=2):
        answer = solve(one, np.array(hint))
        np.testing.assert_allclose(answer.lam, lam, rtol=1e-14)
        assert answer.mode.tolist() == mode
        assert answer.counts[1] == (abs(load) < 8.0)


@pytest.mark.parametrize("place", [(0.0, 0.0), (0.3, 0.2), (0.8, 0.8), (0.0, 0.5)])
def test_feet_of_a_table_share_the_weight(place):
    feet = np.array([(1.0, x, y) for x in (-1.0, 1.0) for y in (-1.0, 1.0)])
    load = np.array([1.0, *place])
    one = problem(feet @ feet.T, -feet @ load, np.zeros(4), np.full(4, INF))
    answer = solve(one)
    assert answer.status == 0
    np.testing.assert_allclose(feet.T @ answer.lam, load, atol=1e-14)
    shortest = np.linalg.pinv(feet.T) @ load
    if (shortest >= 0).all():
        np.testing.assert_allclose(answer.lam, shortest, atol=1e-14)
    best = min(enumerate_solutions(one), key=lambda lam: sum(lam**2))
    np.testing.assert_allclose(answer.lam, best, atol=1e-9)


@pytest.mark.parametrize("hint", [-1, 0, 1])
def test_a_row_that_just_sticks_takes_the_expected_mode(hint):
    D = [[2.0, 0.5], [0.5, 1.0]]
    lam = np.array([3.0, 0.25])
    one = problem(D, -np.array(D) @ lam, [-3.0, -1.0], [3.0, 1.0])
    answer = solve(one, np.array([hint, 0]))
    np.testing.assert_allclose(answer.lam, lam, rtol=1e-14)
    assert answer.mode.tolist() == [-1 if hint else 0, 0]
    alone = problem([[2.0]], [-6.0], [-3.0], [3.0])
    assert solve(alone, np.array([hint])).mode[0] == (-1 if hint else 0)


def test_scales_of_rows_do_not_matter():
    rng = np.random.default_rng(8)
    for _ in range(50):
        m = int(rng.integers(2, 12))
        G = rng.normal(size=(m, m))
        high = rng.random(m)
        one = problem(G @ G.T, 3 * rng.normal(size=m), -high, high)
        unit = 2.0 ** rng.integers(-60, 61, m)
        D = unit[:, None] * one.D * unit
        other = problem(D, unit * one.b, -high / unit, high / unit)
        first, second = solve(one), solve(other)
        assert first.mode.tolist() == second.mode.tolist()
        np.testing.assert_allclose(second.lam * unit, first.lam, rtol=1e-9)


# --- prescribed motion, and what is no problem ----------------------------------------------


@pytest.mark.parametrize(
    ("b", "low", "high", "lam", "mode"),
    [
        (1.0, -2.0, 3.0, -2.0, 1),
        (-1.0, -2.0, 3.0, 3.0, -1),
        (0.0, -2.0, 3.0, 0.0, 0),
        (0.0, 1.0, 3.0, 1.0, 0),
        (0.0, -3.0, -1.0, -1.0, 0),
        (0.0, 2.0, 2.0, 2.0, 1),
    ],
)
@pytest.mark.parametrize("rows", [1, 2])
def test_rows_with_prescribed_motion_follow_it(b, low, high, lam, mode, rows):
    D = np.diag([0.0, 1.0][:rows])
    one = problem(D, [b, -0.5][:rows], [low, -1.0][:rows], [high, 1.0][:rows])
    answer = solve(one)
    assert (answer.status, answer.lam[0], answer.mode[0]) == (0, lam, mode)
    assert rows == 1 or answer.lam[1] == 0.5


def test_an_unlimited_force_cannot_change_prescribed_motion():
    one = problem(np.diag([1.0, 0.0]), [0.0, -1.0], [-1.0, 0.0], [1.0, INF])
    answer = solve(one)
    assert (answer.status, answer.counts[0]) == (1, 1)


def test_rounding_of_prescribed_rows_is_cleared():
    D = np.array([[2.0, 1e-17, 0.0], [1e-17, 3e-17, 0.0], [0.0, 0.0, 1e-14]])
    b = np.array([1.0, 1e-16, 2.0])
    plain = D.copy().ravel(), b.copy()
    clear_prescribed(3, *plain, np.array([0, 0, 1]))
    fast = D.copy().ravel(), b.copy()
    native(clear_prescribed)(3, *fast, np.array([0, 0, 1]))
    for D_new, b_new in (plain, fast):
        assert D_new.reshape(3, 3).tolist() == np.diag([2.0, 0.0, 1e-14]).tolist()
        assert b_new.tolist() == [1.0, 0.0, 2.0]


@pytest.mark.parametrize(
    "change",
    [
        lambda p: p.b.__setitem__(1, np.nan),
        lambda p: p.low.__setitem__(1, 2.0),
        lambda p: p.D.__setitem__((1, 1), INF),
        lambda p: (p.reads.__setitem__(1, 0), p.mu.__setitem__(1, np.nan)),
    ],
)
def test_what_is_no_problem_is_refused(change):
    one = problem(np.eye(3), np.ones(3), -np.ones(3), np.ones(3))
    change(one)
    answer = solve(one)
    assert (answer.status, answer.counts[0]) == (2, 1)


def test_a_number_that_is_none_is_never_solved():
    one = problem(np.eye(3), np.ones(3), -np.ones(3), np.ones(3))
    one.D[0, 2] = one.D[2, 0] = np.nan
    assert solve(one).status == 1


# --- bounds that read forces ----------------------------------------------------------------


def test_a_contact_sticks_slips_and_opens():
    rests = solve(contact(0.5, -1.0, 0.2, 0.0, slides=False))
    assert (rests.lam.tolist(), rests.mode.tolist()) == ([1.0, -0.2], [0, 0])
    constraints = solve(contact(0.5, -1.0, 0.9, 0.0, slides=False))
    assert (constraints.lam.tolist(), constraints.mode.tolist()) == ([1.0, -0.5], [0, 1])
    opens = solve(contact(0.5, 1.0, -0.9, 0.0, slides=False))
    assert (opens.lam.tolist(), opens.mode.tolist()) == ([0.0, 0.0], [1, -1])
    slides = solve(contact(0.5, -1.0, 0.0, 0.4, slides=True))
    np.testing.assert_allclose(slides.lam, np.array([1.0, -0.5]) / 0.8, rtol=1e-14)


@pytest.mark.parametrize("mu", [0.5, 1.2, 1.6, 2.5])
@pytest.mark.parametrize("b_n", [-1.0, 1.0])
def test_painleves_rod(mu, b_n):
    """A rod of mass 1 and length 2 slides on its end, at an angle θ to the ground.

    D_nn = 1 + 3 cos² θ, D_nt = −3 sin θ cos θ; sliding against the lean, λ_t = μ λ_n turns it
    into the ground. Beyond μ = D_nn / |D_nt| no force holds it off.
    """
    angle = 1.0
    c, s = np.cos(angle), np.sin(angle)
    D = [[1 + 3 * c * c, -3 * s * c], [-3 * s * c, 1 + 3 * s * s]]
    one = problem(D, [b_n, 0.3], [0.0, 0.0], [INF, 0.0], [-1, -2], [0.0, -mu])
    remaining = D[0][0] + mu * D[0][1]
    answer = solve(one)
    assert answer.status == int(remaining < 0 and b_n < 0)
    assert answer.status == int(not any(True for _ in enumerate_solutions(one)))
    if answer.status == 0:
        assert find_violation(one, answer.lam, answer.mode) == ""
    elif answer.status == 1:
        assert answer.counts[0] == 0


def make_coupled(rng: np.random.Generator, contacts: int, extra: int) -> BoxProblem:
    """Return contacts with friction, at rest or sliding, and brakes."""
    m = 2 * contacts + extra
    G = rng.normal(size=(m, rng.integers(m - 1, m + 2)))
    reads, mu = np.full(m, -1), np.zeros(m)
    low, high = np.full(m, -1.0), np.full(m, 1.0)
    for n in range(0, 2 * contacts, 2):
        slides = rng.random() < 0.5
        reads[n + 1] = -2 - n if slides else n
        mu[n + 1] = rng.uniform(0.1, 1.5) * (rng.choice([-1, 1]) if slides else 1)
        low[n : n + 2], high[n], high[n + 1] = 0.0, INF, 0.0
    return problem(G @ G.T, 2 * rng.normal(size=m), low, high, reads, mu)


@pytest.mark.slow
def test_coupled_bounds_against_all_modes():
    rng = np.random.default_rng(9)
    none = 0
    for _ in range(100):
        one = make_coupled(rng, int(rng.integers(1, 3)), int(rng.integers(0, 2)))
        found = list(enumerate_solutions(one))
        answer = solve(one, rng.integers(-1, 2, len(one.b)))
        assert answer.status == (0 if found else 1)
        none += not found
        if found:
            assert find_violation(one, answer.lam, answer.mode) == ""
            apart = min(abs(answer.lam - lam).max() for lam in found)
            assert apart < 1e-7 * max(abs(answer.lam).max(), 1.0)
    assert none > 0


def test_coupled_bounds_in_plain_python():
    rng = np.random.default_rng(10)
    for _ in range(40):
        one = make_coupled(rng, 1, int(rng.integers(0, 2)))
        fast, plain = solve(one), solve(one, function=solve_box_lcp)
        assert fast.status == plain.status
        np.testing.assert_allclose(fast.lam, plain.lam, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("push", [0.0, 0.3, 0.6])
def test_table_that_is_pushed(push):
    """Four feet with friction 0.5 hold a push up to half the weight, then the table slides."""
    feet = [(x, y) for x in (-1.0, 1.0) for y in (-1.0, 1.0)]
    rows, reads, mu, low, high = [], [], [], [], []
    for x, y in feet:
        n = len(rows)
        rows += [(0, 0, 1, y, -x, 0), (1, 0, 0, 0, 0, -y), (0, 1, 0, 0, 0, x)]
        reads += [-1, n, n]
        mu += [0.0, 0.5, 0.5]
        low += [0.0, 0.0, 0.0]
        high += [INF, 0.0, 0.0]
    G = np.array(rows, dtype=float)
    load = np.array([push, 0.0, -1.0, 0.0, 0.0, 0.0])
    one = problem(G @ G.T, G @ load, low, high, reads, mu)
    answer = solve(one)
    assert answer.status == 0
    assert find_violation(one, answer.lam, answer.mode) == ""
    motion = G.T @ answer.lam + load
    np.testing.assert_allclose(motion, [max(push - 0.5, 0.0), 0, 0, 0, 0, 0], atol=1e-12)


# --- masked equations -----------------------------------------------------------------------


def masked(D, stick, right, function):
    m = len(right)
    y, work = np.full(m, np.nan), np.full(sticking_size(m) + 4, np.nan)
    arrays = (np.array(stick, dtype=np.int64), np.array(right, dtype=float))
    status = function(m, np.array(D, dtype=float).ravel(), *arrays, y, work)
    assert np.isnan(work[-4:]).all()
    return status, y


@pytest.mark.parametrize("is_native", [False, True], ids=["plain", "native"])
def test_masked_equations_are_solved_by_the_least_forces(is_native):
    run = native(solve_sticking) if is_native else solve_sticking
    rng = np.random.default_rng(11)
    for _ in range(60):
        m = int(rng.integers(1, 9))
        D = make_matrix(rng, m)
        stick = rng.integers(0, 2, m)
        weight = np.sqrt(np.diag(D))
        S = np.flatnonzero((stick > 0) & (weight > 0))
        right = D @ np.where(weight > 0, rng.normal(size=m) / np.maximum(weight, 1e-99), 0)
        inside = np.zeros(m)
        inside[S] = rng.normal(size=len(S)) / weight[S]
        right[S] = (D @ inside)[S]
        status, y = masked(D, stick, right, run)
        assert status == 0
        assert not y[np.setdiff1d(range(m), S)].any()
        size = abs(right) + abs(D) @ abs(y)
        assert (abs(D @ y - right) <= 1e-11 * size)[S].all()
        A = D[np.ix_(S, S)] / np.outer(weight[S], weight[S])
        values = np.linalg.svd(A, compute_uv=False)
        if len(S) and not ((1e-13 < values) & (values < 1e-6)).any():
            expected = (
                np.linalg.pinv(A, rcond=1e-9) @ (right / np.where(weight, weight, 1))[S]
            )
            np.testing.assert_allclose(weight[S] * y[S], expected, rtol=1e-6, atol=1e-8)


def test_masked_equations_that_contradict_are_told():
    D = np.ones((2, 2))
    assert masked(D, [1, 1], [1.0, 2.0], native(solve_sticking))[0] == 1
    status, y = masked(D, [1, 0], [1.0, 2.0], native(solve_sticking))
    assert (status, y.tolist()) == (0, [1.0, 0.0])
