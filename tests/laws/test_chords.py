"""What is true of every chord in every topological type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import casadi
import numpy as np
import pytest

import motorik.mobile as mo
from motorik.algebra.vector import Vector, Y
from motorik.compiler import compile_function

E1 = Vector(1.0, 2.0, -2.0) / 3.0
E2 = Vector(2.0, -2.0, -1.0) / 3.0

KINDS: dict[str, tuple[type, dict]] = {
    "plane-plane": (mo.ChordPlanePlane, {"normal_B": E1, "normal_E": E2}),
    "plane-point": (mo.ChordPlanePoint, {"normal": E1}),
    "point-plane": (mo.ChordPointPlane, {"normal": E2}),
    "quadratic": (mo.ChordPointPointQuadratic, {}),
    "linear": (mo.ChordPointPointLinear, {}),
}


@dataclass
class Case:
    """A chord at the ends of arms that move it, and the variables of these arms."""

    system: mo.MapChain
    chord: mo.Chord | mo.ChordList
    variables: list[mo.StateVariable]

    def give(self, q, qd, qdd) -> None:
        for i, variable in enumerate(self.variables):
            variable.q, variable.qd, variable.qdd = q[i], qd[i], qdd[i]

    def states(self, name: str) -> list:
        return [getattr(state, name) for state in self.chord.states]


def arm(base: mo.Frame, name: str) -> tuple[mo.MapChain, mo.Frame, list[mo.StateVariable]]:
    """Return a chain of two turns and a slide about different axes, its end, its variables."""
    K = [base, *(mo.Frame(f"{name}{i}") for i in range(4))]
    q = [
        mo.AngularVariable(f"{name}a"),
        mo.LinearVariable(f"{name}s"),
        mo.AngularVariable(f"{name}b"),
    ]
    chain = mo.MapChain()
    (
        chain
        << mo.ElementaryJoint(K[0], K[1], q[0], E1)
        << mo.ElementaryJoint(K[1], K[2], q[1], Y)
    )
    chain << mo.ElementaryJoint(K[2], K[3], q[2], E2)
    chain << mo.RigidLink(K[3], K[4], Vector(0.3, -0.4, 0.9))
    return chain, K[4], q


def scalar_case(kind: str, topology: str, is_inside: bool = False) -> Case:
    """Return a chord of this kind; its arm to E is before it in the chain or inside it."""
    chord_class, options = KINDS[kind]
    ground = mo.Frame("ground")
    to_B, B, q_B = arm(ground, "B")
    to_E, E, q_E = arm(ground, "E")
    upper, E_upper, q_upper = arm(mo.Frame("loose"), "U")
    y = mo.LinearVariable("y", q=0.7)
    inside = to_E if is_inside else None
    if topology == "I":
        chord = chord_class.absolute(E, y, inside, **options)
        outside, q = [], [*q_E, y]
    elif topology == "II":
        chord = chord_class.relative(E, B, y, inside, **options)
        outside, q = [to_B], [*q_B, *q_E, y]
    elif topology == "III":
        chord = chord_class.absolute_difference(B, E, inside, **options)
        outside, q = [to_B], [*q_B, *q_E]
    else:
        chord = chord_class.relative_difference(E_upper, upper, E, B, inside, **options)
        outside, q = [to_B], [*q_B, *q_E, *q_upper]
    outside = outside if is_inside else [*outside, to_E]
    return Case(mo.MapChain([*outside, chord]), chord, q)


def spatial_case(chord_class: Callable) -> Case:
    ground = mo.Frame("ground")
    to_B, B, q_B = arm(ground, "B")
    to_E, E, q_E = arm(ground, "E")
    chord = chord_class(E, B)
    return Case(mo.MapChain([to_B, to_E, chord]), chord, [*q_B, *q_E])


def list_case() -> Case:
    one, other = scalar_case("quadratic", "II"), spatial_case(mo.Chord3DPosition)
    chords = mo.ChordList() << one.chord << other.chord
    before = [*one.system.elements[:-1], *other.system.elements[:-1]]
    return Case(mo.MapChain([*before, chords]), chords, [*one.variables, *other.variables])


CASES: dict[str, Callable[[], Case]] = {
    f"{kind} {topology}{' inside' * is_inside}": (
        lambda kind=kind, topology=topology, is_inside=is_inside: scalar_case(
            kind, topology, is_inside
        )
    )
    for kind in KINDS
    for topology in ("I", "II", "III", "IV")
    for is_inside in (False, True)
}
SPATIAL = {
    kind.__name__: (lambda kind=kind: spatial_case(kind))
    for kind in (mo.Chord3DPosition, mo.Chord3DOrientation, mo.Chord3DPose)
}
CASES = {**CASES, **SPATIAL, "list": list_case}

every_chord = pytest.mark.parametrize("name", CASES)


def values(case: Case, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return tuple(rng.uniform(-1.2, 1.2, (3, len(case.variables))))


def traced(case: Case) -> casadi.Function:
    """Return all that the chord measures, and the forces that its states cause, as a graph."""
    q, qd, qdd = (casadi.SX.sym(n, len(case.variables)) for n in ("q", "qd", "qdd"))
    Q = casadi.SX.sym("Q", len(case.chord.states))
    case.give(*(casadi.vertsplit(x) for x in (q, qd, qdd)))
    outputs = run(case, casadi.vertsplit(Q))
    return casadi.Function("chord", [q, qd, qdd, Q], [casadi.vertcat(*o) for o in outputs])


def run(case: Case, Q) -> list[list]:
    case.system.motion()
    case.system.clear_forces()
    for state, value in zip(case.chord.states, Q, strict=True):
        state.Q = value
    case.system.force()
    forces = [variable.Q for variable in case.variables]
    return [*(case.states(n) for n in ("q", "qd", "qdd")), forces]


def close(found, expected, atol: float) -> None:
    """Assert that nothing differs by more than `atol`."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


@pytest.mark.kinds(22)
@every_chord
def test_velocity_is_the_rate_of_position_and_acceleration_that_of_velocity(name):
    case = CASES[name]()
    q, qd, qdd = (casadi.SX.sym(n, len(case.variables)) for n in ("q", "qd", "qdd"))
    case.give(*(casadi.vertsplit(x) for x in (q, qd, qdd)))
    case.system.motion()
    f, fd = casadi.vertcat(*case.states("q")), casadi.vertcat(*case.states("qd"))
    state, rate = casadi.vertcat(q, qd), casadi.vertcat(qd, qdd)
    rates = [casadi.jtimes(f, q, qd), casadi.jtimes(fd, state, rate)]
    expected = casadi.Function("rates", [q, qd, qdd], rates)
    numbers = CASES[name]()
    given = values(numbers, 1)
    numbers.give(*map(list, given))
    numbers.system.motion()
    fd_, fdd_ = (o.full().ravel() for o in expected(*given))
    if "3DOrientation" not in name and "3DPose" not in name:
        close(numbers.states("qd"), fd_, 4e-15)
    close(numbers.states("qdd"), fdd_, 1e-14)


@pytest.mark.kinds(22)
@every_chord
def test_force_is_the_transpose_of_velocity(name):
    case = CASES[name]()
    q, qd, qdd = map(list, values(case, 2))
    case.give(q, qd, qdd)
    case.system.motion()
    columns = []
    for i in range(len(case.variables)):
        unit = [1.0 if j == i else 0.0 for j in range(len(case.variables))]
        case.give(q, unit, qdd)
        case.system.motion(mo.Subtask.VELOCITY)
        columns.append(case.states("qd"))
    rows = mo.jacobian_by_rows(case.system, case.variables, case.chord.states)
    close(rows, np.array(columns).T, 1e-15)
    by_euler = mo.jacobian_by_columns(case.system, case.variables, case.chord.states)
    close(by_euler, np.array(columns).T, 1e-15)


@pytest.mark.kinds(11)
@pytest.mark.slow
@every_chord
def test_numbers_are_what_is_traced_and_what_runs_natively(name):
    function = traced(CASES[name]())
    native = compile_function(function, cache=False)
    case = CASES[name]()
    given = [*values(case, 3), np.linspace(0.5, 1.5, len(case.chord.states))]
    case.give(*map(list, given[:3]))
    found = run(case, list(given[3]))
    for number, symbol, machine in zip(
        found, function(*given), native(*given), strict=True
    ):
        close(number, symbol.full().ravel(), 1e-15)
        close(np.ravel(machine), symbol.full().ravel(), 1e-14)


@pytest.mark.kinds(22)
@every_chord
def test_the_acceleration_is_the_sum_of_its_terms(name):
    case = CASES[name]()
    case.give(*map(list, values(case, 4)))
    case.system.motion()
    whole = case.states("qdd")
    case.system.motion(mo.Subtask.EULER)
    euler = np.array(case.states("qdd"))
    case.system.motion(mo.Subtask.CORIOLIS)
    close(euler + case.states("qdd"), whole, 4e-15)
    case.system.motion(mo.Subtask.COMPUTE_CORIOLIS)
    case.system.motion(mo.Subtask.EULER | mo.Subtask.USE_CORIOLIS)
    close(case.states("qdd"), whole, 0)


@pytest.mark.parametrize("name", [n for n in CASES if " IV" in n])
def test_the_upper_segment_may_be_anywhere(name):
    case = CASES[name]()
    case.give(*map(list, values(case, 5)))
    found = run(case, [1.3])
    moved = CASES[name]()
    moved.give(*map(list, values(moved, 5)))
    for K in moved.chord.frames[:2]:
        K.X, K.V, K.A = (
            case.chord.frames[2].X,
            case.chord.frames[2].V,
            case.chord.frames[2].A,
        )
    kept = [K.keep() for K in moved.chord.frames[:2]]
    for one, other in zip(found, run(moved, [1.3]), strict=True):
        close(one, other, 0)
    for K, memory in zip(moved.chord.frames[:2], kept, strict=True):
        assert K.keep()[:3] == memory[:3]
