"""Compiled mode: numbers = native for chains, loads, parameters and loops of all kinds."""

import gc
from math import pi, tau

import numpy as np
import pytest

from motorik.algebra import Symmetric, Vector, X, Y, Z
from motorik.algebra.scalar import cos, sin
from motorik.errors import CompileError, LoopError
from motorik.mobile import (
    AngularVariable,
    Chord3DPosition,
    ChordPointPlane,
    ChordPointPointLinear,
    ConstantWrench,
    ElementaryJoint,
    Frame,
    Gravity,
    ImplicitConstraintSolver,
    LinearSpringDamper,
    LinearVariable,
    MapChain,
    MassElement,
    MutableScalar,
    MutableVector,
    OutputGenerator,
    RigidLink,
    Subtask,
    compile_chain,
)
from motorik.mobile.compiled.program import LoopRecorder, compile_program
from motorik.mobile.solvers.tracing import TracedLoop, current, recording
from motorik.numerics.continuation import solve_square, work_size


def close(found, expected, within):
    assert np.abs(np.asarray(found) - np.asarray(expected)).max() <= within


class Arm:
    """A slide and two turns with masses, a spring, a wrench and weight."""

    def __init__(self):
        self.K = [Frame(f"K{i}") for i in range(6)]
        K = self.K
        self.s = LinearVariable("s", q=0.2, qd=0.3, qdd=-0.4)
        self.phi = AngularVariable("phi", q=0.5, qd=-1.0, qdd=2.0)
        self.psi = AngularVariable("psi", q=-0.8, qd=0.7, qdd=0.1)
        self.variables = [self.s, self.phi, self.psi]
        self.r, self.c = MutableVector(0.3, 0.1, 0.4, "r"), MutableScalar(7.0, "c")
        self.chain = MapChain() << Gravity(K[0])
        self.chain << ElementaryJoint(K[0], K[1], self.s, X)
        self.chain << ElementaryJoint(K[1], K[2], self.phi, Y)
        self.chain << RigidLink(K[2], K[3], self.r)
        self.chain << ElementaryJoint(K[3], K[4], self.psi, Z)
        self.chain << RigidLink(K[4], K[5], Vector(0.5, 0.0, 0.0))
        self.chain << MassElement(
            K[2], 1.5, Vector(0.1, 0.0, 0.2), Symmetric(0.1, 0.2, 0.3)
        )
        self.chain << MassElement(K[5], 0.7)
        self.chain << LinearSpringDamper(self.phi, self.c, 0.3)
        self.chain << ConstantWrench(K[5], Vector(1.0, 2.0, 3.0), is_global=True)

    @property
    def outputs(self):
        frame = [
            (self.K[5], name) for name in ("p", "R", "r", "ang_v", "lin_a", "ang_a", "f")
        ]
        return [*frame, (self.K[0], "t"), *((v, "Q") for v in self.variables)]

    def numbers(self):
        """Return the outputs in immediate mode."""
        self.chain.clear_forces()
        self.chain.motion()
        self.chain.force()
        K = self.K[5]
        frame = [
            K.X.p.xyz,
            K.R.entries,
            K.r.xyz,
            K.ang_v.xyz,
            K.lin_a.xyz,
            K.ang_a.xyz,
            K.f.xyz,
        ]
        values = [*frame, self.K[0].t.xyz, *((v.Q,) for v in self.variables)]
        return [x for value in values for x in value]


def motion_of(variables):
    return [[getattr(v, name) for v in variables] for name in ("q", "qd", "qdd")]


def flat(values):
    return np.concatenate([np.ravel(value) for value in values])


def test_a_tree_is_the_same_in_numbers_and_native():
    arm = Arm()
    native = compile_chain(arm.chain, arm.variables, arm.outputs)
    found = native(*motion_of(arm.variables))
    assert [value.shape for value in found[:3]] == [(3,), (3, 3), (3,)]
    close(flat(found), arm.numbers(), within=3e-15)


def test_live_parameters_are_read_anew_and_folded_ones_are_not():
    arm = Arm()
    live = compile_chain(arm.chain, arm.variables, arm.outputs)
    folded = compile_chain(arm.chain, arm.variables, arm.outputs, live=False)
    before = arm.numbers()
    arm.r.set((0.2, -0.5, 0.1))
    arm.c.set(-2.0)
    motion = motion_of(arm.variables)
    after = arm.numbers()
    assert np.abs(np.subtract(after, before)).max() > 1.0
    close(flat(live(*motion)), after, within=3e-15)
    close(flat(folded(*motion)), before, within=3e-15)
    assert [p.name for p in live.parameters] == ["r", "c"]
    assert folded.parameters == ()


def test_loads_on_frames_and_variables_are_inputs():
    arm = Arm()
    K = arm.K[3]
    native = compile_chain(arm.chain, [*arm.variables, K, (arm.psi, "Q")], arm.outputs)
    assert list(native.sizes.items()) == [
        ("q", 3),
        ("qd", 3),
        ("qdd", 3),
        ("f", 3),
        ("t", 3),
        ("Q", 1),
    ]
    found = native(*motion_of(arm.variables), [1.0, -2.0, 0.5], [0.3, 0.2, 0.1], [5.0])
    arm.chain.clear_forces()
    arm.chain.motion()
    K.f, K.t, arm.psi.Q = Vector(1.0, -2.0, 0.5), Vector(0.3, 0.2, 0.1), 5.0
    arm.chain.force()
    close(flat(found[-3:]), [v.Q for v in arm.variables], within=3e-15)


def test_subtasks_leave_out_what_they_leave_out():
    arm = Arm()
    euler = compile_chain(
        arm.chain, arm.variables, [(v, "Q") for v in arm.variables],
        motion=Subtask.POSITION | Subtask.EULER, force=Subtask.EXTERNAL | Subtask.EULER,
    )  # fmt: skip
    q, qd, qdd = motion_of(arm.variables)
    columns = [flat(euler(q, qd, row)) for row in np.eye(3)]
    close(columns, np.transpose(columns), within=2e-16)  # the mass matrix, less its sign
    close(flat(euler(q, qd, qdd)), np.transpose(columns) @ qdd, within=2e-16)


def test_samples_are_mapped_one_by_one():
    arm = Arm()
    native = compile_chain(arm.chain, arm.variables, [(arm.K[5], "R"), (arm.phi, "Q")])
    rng = np.random.default_rng(1)
    samples = [rng.normal(size=(7, 3)) for _ in range(3)]
    R, Q = native.map(*samples)
    assert (R.shape, Q.shape) == ((7, 3, 3), (7,))
    for i in range(7):
        one = native(*(sample[i] for sample in samples))
        np.testing.assert_array_equal(one[0], R[i])
        np.testing.assert_array_equal(one[1], Q[i])


def test_the_chain_keeps_its_numbers_while_it_is_compiled():
    arm = Arm()
    before = arm.numbers()
    states = [state.keep() for state in arm.chain.touched]
    compile_chain(arm.chain, arm.variables, arm.outputs)
    assert repr([state.keep() for state in arm.chain.touched]) == repr(states)
    assert arm.numbers() == before


def test_run_reads_and_writes_the_state_objects():
    arm, twin = Arm(), Arm()
    arm.phi.q = twin.phi.q = 1.1
    outputs = [(arm.K[5], "p"), *((v, "Q") for v in arm.variables)]
    compile_chain(arm.chain, arm.variables, outputs).run()
    twin.numbers()
    close(arm.K[5].X.p.xyz, twin.K[5].X.p.xyz, within=3e-16)
    close([v.Q for v in arm.variables], [v.Q for v in twin.variables], within=4e-15)


# loops


class FourBar:
    """Crank 1 m, coupler 3 m, rocker 2.5 m on a base of 3 m, about z; the rocker has mass."""

    def __init__(self, base=None, name=""):
        K = [base or Frame(f"{name}K0"), *(Frame(f"{name}K{i}") for i in range(1, 8))]
        self.theta = AngularVariable(f"{name}theta", q=0.4, qd=2.0, qdd=-1.0)
        self.alpha = AngularVariable(f"{name}alpha", q=0.5)
        self.beta = AngularVariable(f"{name}beta", q=1.5)
        self.unknowns = [self.alpha, self.beta]
        ground = MutableVector(3.0, name="ground")
        self.ground = ground
        crank = MapChain() << ElementaryJoint(K[0], K[1], self.theta)
        (
            crank
            << RigidLink(K[1], K[2], Vector(1.0, 0.0, 0.0))
            << RigidLink(K[0], K[5], ground)
        )
        dependent = MapChain() << ElementaryJoint(K[2], K[3], self.alpha)
        dependent << RigidLink(K[3], K[4], Vector(3.0, 0.0, 0.0))
        dependent << ElementaryJoint(K[5], K[6], self.beta)
        dependent << RigidLink(K[6], K[7], Vector(2.5, 0.0, 0.0))
        # cut between coupler and rocker: z is closed anyhow, x and y are measured
        self.chords = [
            ChordPointPlane.relative(K[4], K[7], normal=normal) for normal in (X, Y)
        ]
        solver = ImplicitConstraintSolver(self.chords, self.unknowns, dependent)
        self.K, self.kinematics = K, MapChain() << crank << solver
        self.chain = MapChain() << self.kinematics
        self.chain << MassElement(
            K[6], 2.0, Vector(1.0, 0.0, 0.0), Symmetric(0.1, 0.1, 0.5)
        )

    @property
    def outputs(self):
        return [
            *((v, n) for n in ("q", "qd", "qdd") for v in self.unknowns),
            (self.theta, "Q"),
        ]

    def numbers(self, theta):
        self.theta.q = theta
        self.chain.clear_forces()
        self.chain.motion()
        self.chain.force()
        return [getattr(state, name) for state, name in self.outputs]


@pytest.mark.slow
def test_a_loop_is_followed_natively_over_many_turns():
    loop = FourBar()
    native = compile_chain(loop.chain, [loop.theta], loop.outputs)
    angles = np.linspace(0.4, 0.4 + 3 * tau, 91)
    expected = [loop.numbers(float(angle)) for angle in angles]
    ones = np.ones((91, 1))
    found = np.column_stack(native.map(angles[:, None], 2.0 * ones, -ones))
    assert np.ptp(found[:, 1]) > 0.8
    close(found, expected, within=3e-14)
    assert [repr(unknown) for unknown in native.unknowns] == ["alpha.q", "beta.q"]
    close(native.guess, found[-1, :2], within=0.0)


def test_a_loop_with_live_lengths_is_closed_anew():
    loop = FourBar()
    native = compile_chain(loop.chain, [loop.theta], loop.outputs)
    for x in (3.0, 3.2, 3.4):
        loop.ground.x = x
        found = flat(native(*motion_of([loop.theta])))
        close(found, loop.numbers(0.4), within=2e-14)


@pytest.mark.slow
def test_a_loop_that_cannot_close_says_so_and_closes_again_later():
    loop = FourBar()
    native = compile_chain(loop.chain, [loop.theta], loop.outputs)
    before = flat(native([0.4], [2.0], [-1.0]))
    loop.ground.x = 7.0  # coupler and rocker reach 5.5 m
    with pytest.raises(LoopError, match="alpha, beta"):
        native([3.0], [2.0], [-1.0])
    with pytest.raises(LoopError, match="alpha, beta"):
        native.map([[0.4], [3.0]], [[2.0]] * 2, [[-1.0]] * 2)
    loop.ground.x = 3.0
    close(flat(native([0.4], [2.0], [-1.0])), before, within=1e-14)


def test_run_starts_the_iteration_where_the_variables_are():
    up, down = FourBar(), FourBar()
    down.alpha.q, down.beta.q = -1.5, -2.5
    for loop, sign in ((up, 1), (down, -1)):
        compile_chain(loop.chain, [loop.theta], loop.outputs).run()
        expected = loop.numbers(0.4)
        assert sign * np.sin(loop.beta.q) > 0.5  # the other branch
        close([getattr(s, n) for s, n in loop.outputs], expected, within=2e-15)


def test_two_loops_in_sequence_are_closed_one_after_the_other():
    first = FourBar(name="first.")
    second = FourBar(base=first.K[6], name="second.")
    chain = MapChain() << first.kinematics << second.chain
    outputs = [*first.outputs, *second.outputs]
    variables = [first.theta, second.theta]
    native = compile_chain(chain, variables, outputs)
    for step in range(6):
        first.theta.q, second.theta.q = 0.4 + 0.3 * step, 0.4 - 0.5 * step
        chain.clear_forces()
        chain.motion()
        chain.force()
        expected = [getattr(state, name) for state, name in outputs]
        close(flat(native(*motion_of(variables))), expected, within=2e-13)
    assert len(native._program.loops) == 2


class SixBar:
    """A loop inside a loop: the crank of a four-bar is turned so that its rocker reaches a
    point that an arm moves.
    """

    def __init__(self):
        self.inner = FourBar(name="inner.")
        self.inner.theta.q = 2.0
        K = self.inner.K
        self.psi = AngularVariable("psi", q=0.3, qd=1.5, qdd=0.5)
        A0, A1, A2 = Frame("A0"), Frame("A1"), Frame("A2")
        self.arm = MapChain() << RigidLink(K[0], A0, Vector(6.0, 2.0, 0.0))
        (
            self.arm
            << ElementaryJoint(A0, A1, self.psi)
            << RigidLink(A1, A2, Vector(0.4, 0, 0))
        )
        rod = ChordPointPointLinear.relative(K[7], A2, 3.9)
        solver = ImplicitConstraintSolver(rod, self.inner.theta, self.inner.kinematics)
        body = self.inner.chain.elements[-1]
        self.chain = MapChain() << self.arm << solver << body
        self.outputs = [
            (v, name)
            for v in (self.inner.theta, *self.inner.unknowns)
            for name in ("q", "qd", "qdd")
        ] + [(self.psi, "Q")]


@pytest.mark.slow
def test_a_loop_inside_a_loop_is_closed_with_it():
    six_bar = SixBar()
    native = compile_chain(six_bar.chain, [six_bar.psi], six_bar.outputs)
    assert [loop.size for loop in native._program.loops] == [3]
    for psi in np.linspace(0.3, 0.3 + tau, 13):
        six_bar.psi.q = float(psi)
        six_bar.chain.clear_forces()
        six_bar.chain.motion()
        six_bar.chain.force()
        expected = [getattr(state, name) for state, name in six_bar.outputs]
        close(flat(native(*motion_of([six_bar.psi]))), expected, within=1e-14)


# programs, recorder and kernel


def circle_and_cubic(u, z, g, J):
    """Write g = (x² + y² − u, x − y³) and ∂g/∂(x, y) by columns."""
    x, y = z
    g[:2] = x * x + y * y - u[0], x - y**3
    J[:4] = 2 * x, 1.0, 2 * y, -3 * y * y


@pytest.mark.parametrize(
    ("u", "guess", "expected"),
    [
        (2.0, [3.0, 0.5], [1.0, 1.0]),
        (2.0, [-30.0, -0.1], [-1.0, -1.0]),
        (10.0, [0.1, 0.1], [8.0**0.5, 2.0**0.5]),
    ],
)
def test_newton_with_damping_finds_the_root_of_the_side_it_starts_on(u, guess, expected):
    z, memory, work = np.zeros(2), np.array(guess), np.zeros(work_size(2))
    turns = solve_square(2, circle_and_cubic, np.array([u]), z, z, memory, work)
    assert 0 < turns < 60
    if u == 2.0:
        close(z, expected, within=1e-15)
    close(circle_and_cubic_values(u, z), 0.0, within=4e-15)
    np.testing.assert_array_equal(memory, z)


def circle_and_cubic_values(u, z):
    g = np.zeros(2)
    circle_and_cubic([u], z, g, np.zeros(4))
    return g


def test_newton_gives_up_where_there_is_no_root_and_keeps_the_guess():
    z, memory, work = np.zeros(2), np.array([0.5, 0.5]), np.zeros(work_size(2))
    assert solve_square(2, circle_and_cubic, np.array([-1.0]), z, z, memory, work) == 0
    assert np.isnan(z).all()
    assert memory.tolist() == [0.5, 0.5]


def two_bars(a, unknowns, lengths=(1.0, 0.8), part="two bars"):
    """Return the angles of two bars that end at (a, 0.3)."""

    def residual(q):
        b, c = q
        x = lengths[0] * cos(b) + lengths[1] * cos(c) - a
        return [x, lengths[0] * sin(b) + lengths[1] * sin(c) - 0.3]

    return current().solve(TracedLoop(part, unknowns, residual, lambda: []))


def test_programs_close_loops_and_remember_them():
    unknowns = [AngularVariable("b", q=0.9), AngularVariable("c", q=-0.9)]
    program = compile_program("bars", {"a": 1}, lambda a: {"q": two_bars(a[0], unknowns)})
    q = program.function([1.2])
    close(np.cos(q) @ [1.0, 0.8], 1.2, within=4e-16)
    close(np.sin(q) @ [1.0, 0.8], 0.3, within=4e-16)
    np.testing.assert_array_equal(program.memory, q)
    assert program.failed is None
    assert np.isnan(program.function([2.0])).all()  # they reach 1.8
    assert program.failed == 0
    np.testing.assert_array_equal(program.memory, q)
    program.function([1.2])
    assert program.failed == 0  # until somebody has taken notice
    program.clear_failure()
    assert program.failed is None


def test_a_loop_met_again_is_taken_down_once():
    import casadi

    recorder, a = LoopRecorder(), casadi.SX.sym("a")
    unknowns = [AngularVariable("b", q=0.9), AngularVariable("c", q=-0.9)]
    with recording(recorder):
        first, again = two_bars(a, unknowns), two_bars(a, unknowns)
        other = two_bars(a + 0.1, unknowns)
    assert [str(x) for x in first] == [str(x) for x in again]
    assert first is again
    assert other is not first
    assert [loop.size for loop in recorder.loops] == [2, 2]
    assert recorder.loops[1].guess == [0.9, -0.9]


def test_an_unknown_cannot_be_an_input():
    loop = FourBar()
    with pytest.raises(CompileError, match="beta: is both an input"):
        compile_chain(loop.chain, [loop.theta, loop.beta], loop.outputs)


def test_strangers_and_misspelt_quantities_are_named():
    arm = Arm()
    with pytest.raises(CompileError, match=r"stranger.*is not part of the chain"):
        compile_chain(arm.chain, arm.variables, [(Frame("stranger"), "p")])
    with pytest.raises(CompileError, match="Did you mean 'lin_v'"):
        compile_chain(arm.chain, arm.variables, [(arm.K[5], "linv")])
    with pytest.raises(CompileError, match="has no quantity 'p'"):
        compile_chain(arm.chain, arm.variables, [(arm.phi, "p")])


def test_a_vector_chord_closes_natively_too():
    K0, K1, K2, K3 = (Frame(f"K{i}") for i in range(4))
    a, b, s = AngularVariable("a", q=0.3), AngularVariable("b", q=0.2), LinearVariable("s")
    target = LinearVariable("height", q=0.5, qd=0.1, qdd=0.2)
    lift = MapChain() << RigidLink(K0, K1, Vector(1.0, 0.2, 0.0))
    lift << ElementaryJoint(K1, K2, target, Z)
    A, B = Frame("A"), Frame("B")
    reach = MapChain() << ElementaryJoint(K0, A, a, Z) << ElementaryJoint(A, B, b, Y)
    reach << ElementaryJoint(B, K3, s, X)
    s.q = 1.0
    solver = ImplicitConstraintSolver(Chord3DPosition(K3, K2), [a, b, s], reach)
    chain = MapChain() << lift << solver << MassElement(K3, 1.0)
    found = compile_chain(chain, [target], [(v, "q") for v in (a, b, s)])(
        *motion_of([target])
    )
    x, y, z = 1.0, 0.2, 0.5
    expected = (
        np.arctan2(y, x),
        -np.arctan2(z, np.hypot(x, y)),
        np.sqrt(x * x + y * y + z * z),
    )
    close(flat(found), expected, within=3e-16)
    assert abs(b.q) < pi


@pytest.mark.slow
def test_a_loop_folded_with_lengths_that_do_not_fit_says_so():
    loop = FourBar()
    loop.ground.x = 7.0
    native = compile_chain(loop.chain, [loop.theta], loop.outputs, live=False)
    loop.ground.x = 3.0
    with pytest.raises(LoopError, match="compile again if constants were changed"):
        native([3.0], [2.0], [-1.0])


def test_a_chain_that_holds_a_file_is_refused(tmp_path):
    arm = Arm()
    with open(tmp_path / "log.txt", "w") as stream:
        arm.chain << OutputGenerator({"phi": (arm.phi, "q")}, stream)
        with pytest.raises(CompileError, match="that hold files"):
            compile_chain(arm.chain, arm.variables, arm.outputs)


@pytest.mark.slow
def test_a_native_function_outlives_its_chain():
    loop = FourBar()
    function = compile_chain(loop.chain, [loop.theta], [(loop.beta, "q")]).function
    p = [e for parameter in loop.chain.parameters for e in parameter.entries]
    gc.collect()
    (beta,) = function([0.4], [0.0], [0.0], p)
    loop.numbers(0.4)
    close(beta, loop.beta.q, within=2e-15)
