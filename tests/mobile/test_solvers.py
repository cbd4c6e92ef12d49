"""Solvers of loops: their solutions by a second route, their branches, their refusals."""

from __future__ import annotations

import re
from math import acos, asin, atan2, cos, hypot, pi, sin, sqrt

import casadi
import numpy as np
import pytest

from motorik.algebra.vector import X, Y, Z
from motorik.elements import CylindricalPair, SphericalPairByAngles
from motorik.errors import AssemblyError, LoopError, ParameterError
from motorik.mobile import (
    AngularVariable,
    Chord3DOrientation,
    Chord3DPosition,
    ChordBranch,
    ChordPlanePlane,
    ChordPointPlane,
    ChordPointPointLinear,
    ChordPointPointQuadratic,
    ElementaryJoint,
    ExplicitConstraintSolver,
    Frame,
    ImplicitConstraintSolver,
    JointElement,
    LinearVariable,
    MapChain,
    MutableScalar,
    RigidLink,
    Subtask,
    VariableList,
)


def close(found, expected, atol: float) -> None:
    """Assert that nothing differs by more than `atol`."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


class SliderCrank:
    """A crank r about z and a slide along x, joined by a rod l."""

    def __init__(self, r: float = 0.2, l: float = 0.5) -> None:
        K0, K1, pin, self.B = Frame("K0"), Frame("K1"), Frame("pin"), Frame("B")
        self.phi, self.s = AngularVariable("phi", q=0.8, qd=3.0), LinearVariable("s", q=0.6)
        self.input = MapChain() << ElementaryJoint(K0, K1, self.phi)
        self.input << RigidLink(K1, pin, r * X)
        self.slide = ElementaryJoint(K0, self.B, self.s, X)
        self.length = MutableScalar(l * l)
        ends = (self.B, pin, self.length, self.slide)
        self.chord = ChordPointPointQuadratic.relative(*ends)

    def closed_by(self, solver) -> MapChain:
        return MapChain() << self.input << solver


@pytest.mark.parametrize("branch", [1, -1])
def test_slider_crank_by_formula(branch):
    crank = SliderCrank()
    solver = ExplicitConstraintSolver(crank.chord, crank.s, branch=branch)
    chain = crank.closed_by(solver)
    for angle in np.linspace(-3.0, 3.0, 13):
        crank.phi.q = float(angle)
        chain.motion()
        c, w = cos(angle), sqrt(0.25 - (0.2 * sin(angle)) ** 2)
        close(crank.s.q, 0.2 * c + branch * w, 2e-16)
        velocity = -0.2 * sin(angle) - branch * 0.04 * sin(angle) * c / w
        close(crank.s.qd, 3.0 * velocity, 4e-16)
        chain.clear_forces()
        crank.B.f = 10.0 * X  # a force on the piston comes back as a torque on the crank
        chain.force()
        close(crank.phi.Q, 10.0 * velocity, 2e-15)


def test_parameters_of_a_loop_are_references():
    crank = SliderCrank()
    solver = ExplicitConstraintSolver(crank.chord, crank.s)
    crank.length.value = 0.7**2
    crank.closed_by(solver).motion()
    close(crank.s.q, 0.2 * cos(0.8) + sqrt(0.49 - (0.2 * sin(0.8)) ** 2), 4e-16)
    assert solver.parameters == (crank.length,)


def test_branches_by_number_by_turns_and_by_guess():
    crank = SliderCrank()
    solver = ExplicitConstraintSolver(crank.chord, crank.s)
    chain = crank.closed_by(solver)
    chain.motion()
    right = crank.s.q
    solver.select_branch()
    chain.motion()
    left = crank.s.q
    assert left < 0.0 < right
    solver.select_branch(1)
    chain.motion()
    assert crank.s.q == right
    solver.select_branch(near=-1.0)
    chain.motion()
    assert (solver.branch, crank.s.q) == (-1, left)
    with pytest.raises(AssemblyError, match="there is no branch 2"):
        solver.select_branch(2)


def test_the_branch_of_a_guess_is_kept():
    crank = SliderCrank()
    solver = ExplicitConstraintSolver(crank.chord, crank.s, near=0.9)
    chain = crank.closed_by(solver)
    chain.motion()
    crank.s.q = -5.0
    crank.phi.q = 3.0
    chain.motion()
    assert solver.branch == 1 and crank.s.q > 0.0


def test_a_guess_cannot_choose_on_symbols():
    crank = SliderCrank()
    chain = crank.closed_by(ExplicitConstraintSolver(crank.chord, crank.s, near=0.9))
    crank.phi.q = casadi.SX.sym("phi")
    with pytest.raises(AssemblyError, match="cannot be chosen on symbols"):
        chain.motion(Subtask.POSITION)


def test_a_guess_of_an_angle_is_compared_on_the_circle():
    K0, K1, K2, phi = Frame("K0"), Frame("K1"), Frame("K2"), AngularVariable("phi")
    arm = MapChain() << ElementaryJoint(K0, K1, phi) << RigidLink(K1, K2, X)
    chord = ChordPointPlane.relative(K2, K0, -0.99, arm, normal=X)
    solver = ExplicitConstraintSolver(chord, phi, near=pi + 0.1)
    solver.motion()
    close(phi.q, -acos(-0.99), 1e-15)


class FourBar:
    """Crank a, rod b, rocker c on a base d, its angles in the plane (second route)."""

    a, b, c, d = 0.2, 0.6, 0.4, 0.7

    def __init__(self) -> None:
        self.K = K = [Frame(f"K{i}") for i in range(6)]
        self.phi, self.psi = AngularVariable("phi"), AngularVariable("psi", q=1.5)
        self.input = MapChain() << ElementaryJoint(K[0], K[1], self.phi)
        self.input << RigidLink(K[1], K[2], self.a * X)
        self.dependent = MapChain() << RigidLink(K[0], K[3], self.d * X)
        self.dependent << ElementaryJoint(K[3], K[4], self.psi)
        self.dependent << RigidLink(K[4], K[5], self.c * X)

    def expected(self, phi: float, branch: int) -> float:
        """Return the angle of the rocker by the law of cosines in the moving triangle."""
        x, y = self.a * cos(phi) - self.d, self.a * sin(phi)
        e = hypot(x, y)
        inner = acos((self.c**2 + e**2 - self.b**2) / (2.0 * self.c * e))
        angle = atan2(y, x) + branch * inner
        return atan2(sin(angle), cos(angle))

    def rod(self, kind=ChordPointPointQuadratic, length: float | None = None):
        y = self.b**2 if length is None else length
        return kind.relative(self.K[5], self.K[2], y, self.dependent)


def test_four_bar_by_formula_and_by_iteration():
    for by_iteration in (False, True):
        bar = FourBar()
        if by_iteration:
            solver = ImplicitConstraintSolver(bar.rod(), bar.psi)
        else:
            solver = ExplicitConstraintSolver(bar.rod(), bar.psi, near=1.5)
        chain = MapChain() << bar.input << solver
        for angle in np.linspace(0.0, 2.0 * pi, 21):
            bar.phi.q = float(angle)
            chain.motion(Subtask.POSITION)
            close(bar.psi.q, bar.expected(float(angle), -1), 2e-15)


@pytest.mark.parametrize("guess", [-3.0, -1.0, 0.0, 0.5, 3.0, 6.0])
def test_iteration_closes_a_loop_from_far_away(guess):
    bar = FourBar()
    bar.phi.q, bar.psi.q = 0.9, guess
    chain = MapChain() << bar.input << ImplicitConstraintSolver(bar.rod(), bar.psi)
    chain.motion(Subtask.POSITION)
    solutions = [bar.expected(0.9, branch) for branch in (1, -1)]
    distance = min(abs(sin((bar.psi.q - s) / 2)) for s in solutions)
    assert distance < 1e-15


@pytest.mark.parametrize("guess", [0.0, pi])
def test_iteration_frees_itself_from_a_stationary_guess(guess):
    # in line with the base and the crank, the distance to be kept does not change with ψ
    bar = FourBar()
    bar.psi.q = guess
    chain = MapChain() << bar.input << ImplicitConstraintSolver(bar.rod(), bar.psi)
    chain.motion(Subtask.POSITION)
    close(cos(bar.psi.q), cos(bar.expected(0.0, 1)), 1e-15)


@pytest.mark.parametrize("angle", [0.01, 2.0, 3.1, pi])
def test_iteration_turns_a_body_upright_from_any_orientation(angle):
    K0, K1, K2 = Frame("K0"), Frame("K1"), Frame("K2")
    angles = VariableList(AngularVariable(f"a{i}") for i in range(3))
    angles[0].q = angle
    joint = JointElement(K0, K1, SphericalPairByAngles((1, 2, 3)), list(angles))
    ImplicitConstraintSolver(Chord3DOrientation(K1, K2), angles, joint).motion()
    close(K1.R.numpy(), np.eye(3), 1e-15)


def test_a_loop_that_cannot_close_is_told_by_iteration():
    bar = FourBar()
    bar.phi.q, bar.psi.q = 0.9, 1.4
    rod = bar.rod(ChordPointPointLinear, 2.0)
    chain = MapChain() << bar.input << ImplicitConstraintSolver(rod, bar.psi)
    # the farthest that the rocker's end comes from the pin is e + c
    e = hypot(0.2 * cos(0.9) - 0.7, 0.2 * sin(0.9))
    with pytest.raises(LoopError, match="the loop cannot close") as caught:
        chain.motion()
    told = re.search(r"of (\S+) is left .* psi = (\S+)\.$", caught.value.reason)
    assert told[1] == f"{2.0 - (e + 0.4):.4g}"
    away = float(told[2]) - atan2(-0.2 * sin(0.9), 0.7 - 0.2 * cos(0.9))
    close(sin(0.5 * away), 0.0, 1e-6)  # a minimum is flat
    assert bar.psi.q == 1.4


def test_a_loop_that_cannot_close_is_told_by_formula():
    bar = FourBar()
    bar.phi.q, bar.psi.q = 0.9, 1.4
    solver = ExplicitConstraintSolver(bar.rod(length=4.0), bar.psi)
    e = hypot(0.2 * cos(0.9) - 0.7, 0.2 * sin(0.9))
    with pytest.raises(LoopError, match="cannot vanish") as caught:
        (MapChain() << bar.input << solver).motion()
    psi = atan2(-0.2 * sin(0.9), 0.7 - 0.2 * cos(0.9))
    assert f": {4.0 - (e + 0.4) ** 2:.4g} is left at the nearest" in caught.value.reason
    assert f"where the unknown is {psi:.6g}." in caught.value.reason
    assert bar.psi.q == 1.4


def test_a_rod_too_short_for_its_slide_is_told():
    crank = SliderCrank(r=0.5, l=0.2)
    chain = crank.closed_by(ExplicitConstraintSolver(crank.chord, crank.s))
    left = (0.5 * sin(0.8)) ** 2 - 0.2**2
    told = rf"{left:.4g} is left at the nearest position, where the unknown is {0.5 * cos(0.8):.6g}"
    with pytest.raises(LoopError, match=re.escape(told)):
        chain.motion()


@pytest.mark.parametrize("by_iteration", [False, True])
def test_a_dead_centre_is_named(by_iteration):
    # slide as input: at the end of its stroke the crank's velocity is not determined
    K0, K1, pin, B = Frame("K0"), Frame("K1"), Frame("pin"), Frame("B")
    phi, s = AngularVariable("phi"), LinearVariable("s", q=0.7, qd=1.0)
    dependent = MapChain() << ElementaryJoint(K0, K1, phi) << RigidLink(K1, pin, 0.2 * X)
    rod = ChordPointPointQuadratic.relative(B, pin, 0.5**2, dependent)
    kind = ImplicitConstraintSolver if by_iteration else ExplicitConstraintSolver
    chain = MapChain() << ElementaryJoint(K0, B, s, X) << kind(rod, phi)
    chain.motion(Subtask.POSITION)
    close(phi.q, 0.0, 0.0)
    with pytest.raises(LoopError, match="dead centre"):
        chain.motion(Subtask.VELOCITY)


def test_a_chord_that_does_not_change_with_the_unknown_is_told():
    K0, K1, K2, phi = Frame("K0"), Frame("K1"), Frame("K2"), AngularVariable("phi")
    arm = MapChain() << ElementaryJoint(K0, K1, phi, Z) << RigidLink(K1, K2, X)
    chord = ChordPointPlane.relative(K2, K0, 0.0, arm, normal=Z)
    with pytest.raises(LoopError, match="does not change with the unknown"):
        ExplicitConstraintSolver(chord, phi).motion()


def test_an_angle_that_turns_two_joints_has_no_closed_solution():
    K0, K1, K2, K3 = (Frame(f"K{i}") for i in range(4))
    phi = AngularVariable("phi")
    arm = MapChain() << ElementaryJoint(K0, K1, phi) << RigidLink(K1, K2, X)
    arm << ElementaryJoint(K2, K3, phi) << RigidLink(K3, Frame("tip"), X)
    tip = arm.elements[-1].b
    chord = ChordPointPlane.relative(tip, K0, 0.5, arm, normal=Y)
    with pytest.raises(LoopError, match="not of the form that can be solved"):
        ExplicitConstraintSolver(chord, phi).motion()


def test_two_chords_that_contradict_each_other_are_told():
    K0, K1, K2, phi = Frame("K0"), Frame("K1"), Frame("K2"), AngularVariable("phi")
    arm = MapChain() << ElementaryJoint(K0, K1, phi) << RigidLink(K1, K2, X)
    x = ChordPointPlane.relative(K2, K0, 0.8, arm, normal=X)
    y = ChordPointPlane.relative(K2, K0, 0.6, arm, normal=Y)
    ExplicitConstraintSolver(x, y, phi).motion()
    close(phi.q, asin(0.6), 1e-15)
    y.offset = 0.7
    with pytest.raises(LoopError, match="contradict each other"):
        ExplicitConstraintSolver(x, y, phi).motion()


def test_unknowns_and_measures_must_be_as_many():
    bar = FourBar()
    chord = Chord3DPosition(bar.K[5], bar.K[2])
    with pytest.raises(
        AssemblyError, match=r"1 unknowns, but 3 measures .*Chord3DPosition"
    ):
        ImplicitConstraintSolver(chord, bar.psi, bar.dependent)


def test_an_unknown_must_move_something():
    bar = FourBar()
    with pytest.raises(AssemblyError, match="neither its chain nor its chords depend on"):
        ImplicitConstraintSolver(bar.rod(), AngularVariable("other"))


@pytest.mark.parametrize("is_linear", [False, True])
def test_a_formula_wants_a_chord_that_it_can_solve(is_linear):
    crank, bar = SliderCrank(), FourBar()
    unknown = crank.s if is_linear else bar.psi
    chain = crank.slide if is_linear else bar.dependent
    E, B = bar.K[5], bar.K[2]
    bad = [ChordPointPointLinear.relative(E, B, 1.0, chain)]
    bad += [ChordPlanePlane.relative(E, B, 0.5, chain)] if is_linear else []
    for chord in bad:
        with pytest.raises(AssemblyError, match="there is no closed solution"):
            ExplicitConstraintSolver(chord, unknown)
    with pytest.raises(AssemblyError, match="is not one scalar measure"):
        ExplicitConstraintSolver(Chord3DPosition(E, B, chain), unknown)


def test_mixed_up_variables_are_refused():
    a, b = Frame("a"), Frame("b")
    with pytest.raises(
        ParameterError, match=r"s \[m\] cannot be AngularVariable.*\n.*Linear"
    ):
        JointElement(
            a, b, CylindricalPair(), [AngularVariable("s"), AngularVariable("phi")]
        )
    with pytest.raises(AssemblyError, match="there is no closed solution"):
        ExplicitConstraintSolver(ChordPointPlane.relative(a, b), Frame("no variable"))


def test_a_chord_with_two_unknowns_cannot_be_solved_before_the_other_is_known():
    # two solvers, each of which would need the unknown of the other
    bar = FourBar()
    K, chi = bar.K, AngularVariable("chi")
    rod = MapChain() << ElementaryJoint(K[2], Frame("C"), chi)
    end = Frame("end")
    rod << RigidLink(rod.elements[0].b, end, 0.6 * X)
    first = ChordPointPlane.relative(end, K[5], 0.0, bar.dependent, normal=X)
    second = ChordPointPlane.relative(end, K[5], 0.0, rod, normal=Y)
    one, other = (
        ExplicitConstraintSolver(first, bar.psi),
        ExplicitConstraintSolver(second, chi),
    )
    for order in ((one, other), (other, one)):
        with pytest.raises(AssemblyError, match=r"is already read by .*\n.*Implicit"):
            MapChain() << bar.input << order[0] << order[1]


def test_solvers_are_put_in_the_order_of_their_unknowns():
    bar = FourBar()
    solver = ExplicitConstraintSolver(bar.rod(), bar.psi)
    with pytest.raises(AssemblyError, match="is already read by ExplicitConstraintSolver"):
        MapChain() << solver << bar.input
    chain = MapChain() << bar.input << solver
    with pytest.raises(AssemblyError, match="is already moved by ExplicitConstraintSolver"):
        chain << bar.dependent


class Counted(RigidLink):
    """A link that counts how often its position is asked for."""

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        is_position = bool(subtasks & Subtask.POSITION)
        object.__setattr__(self, "runs", getattr(self, "runs", 0) + is_position)
        super().motion(subtasks)


BELOW = ChordBranch.I | ChordBranch.II


@pytest.mark.parametrize(
    ("solver", "where", "runs"),
    [
        (
            ExplicitConstraintSolver,
            ChordBranch.ALL,
            4,
        ),  # at three places and at the solution
        (ExplicitConstraintSolver, BELOW, 2),
        (ImplicitConstraintSolver, BELOW, 2),
    ],
)
def test_a_branch_without_unknowns_is_looked_at_once(solver, where, runs):
    crank = SliderCrank()
    K1, K2 = Frame("K1"), Frame("K2")
    upper = Counted(K1, K2, 0.5 * X)
    pin = crank.input.outputs[-1]
    chord = ChordPointPointQuadratic.relative_difference(
        K2, upper, crank.B, pin, crank.slide, where_unknown=where
    )
    chain = crank.closed_by(solver(chord, crank.s))
    chain.motion(Subtask.POSITION)
    close(crank.s.q, 0.2 * cos(0.8) + sqrt(0.25 - (0.2 * sin(0.8)) ** 2), 2e-16)
    assert upper.runs == runs


def test_a_branch_with_an_unknown_must_be_looked_at():
    K = [Frame(f"K{i}") for i in range(4)]
    phi = AngularVariable("phi")
    upper = MapChain() << ElementaryJoint(K[0], K[1], phi) << RigidLink(K[1], K[2], X)
    chord = ChordPointPlane.relative_difference(
        K[2], upper, K[3], Frame("B"), where_unknown=ChordBranch.I
    )
    with pytest.raises(AssemblyError, match="branch III contains the unknown phi"):
        ExplicitConstraintSolver(chord, phi)


def test_an_iteration_does_not_run_on_symbols():
    bar = FourBar()
    bar.psi.q = casadi.SX.sym("psi")
    chain = MapChain() << bar.input << ImplicitConstraintSolver(bar.rod(), bar.psi)
    with pytest.raises(AssemblyError, match="an iteration cannot run on symbols"):
        chain.motion()
