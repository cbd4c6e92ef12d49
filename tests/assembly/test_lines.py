"""Drive lines: shafts and their coordinates, gears, planetary sets, forces at flanges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import motorik as mk
from motorik import rotational as rot
from motorik import translational as tra
from motorik.compiler.rolled.tape import Tape
from motorik.errors import AssemblyError, LoopError, PortError
from motorik.motion.drive_lines import eliminate, line_forces
from motorik.motion.view import MotionView
from motorik.topology.assemble import assemble
from tests.refusals import refused


def model_of(**parts: mk.Part) -> mk.Model:
    """Return a model with a world and these parts."""
    model = mk.Model()
    model.world = mk.World()
    for name, part in parts.items():
        setattr(model, name, part)
    return model


def gear_train() -> mk.Model:
    """Return three inertias on one shaft: 4 : 1 down, then 1 : −2 and turned on by 0.5 rad."""
    model = model_of(
        motor=rot.Inertia(J=0.3, phi=0.2, w=-1.0),
        first=rot.IdealGear(ratio=4.0),
        middle=rot.Inertia(J=0.7),
        disc=rot.Disc(deltaPhi=0.5),
        second=rot.IdealGear(ratio=-0.5),
        load=rot.Inertia(J=1.1),
        drive=rot.ConstantTorque(tau_constant=2.0),
        brake=rot.Damper(d=0.6),
        wall=rot.Fixed(phi0=0.1),
    )
    model.drive.flange >> model.motor.flange_a
    model.motor.flange_b >> model.first.flange_a
    model.first.flange_b >> model.middle.flange_a
    model.middle.flange_b >> model.disc.flange_a
    model.disc.flange_b >> model.second.flange_a
    model.second.flange_b >> model.load.flange_a
    model.load.flange_b >> model.brake.flange_b
    model.brake.flange_a >> model.wall.flange
    return model


# --- shafts -------------------------------------------------------------------------------------


def test_a_gear_train_is_one_link_that_carries_all_inertias():
    mechanism = assemble(gear_train())
    assert [state.name for state in mechanism.states] == ["motor.phi", "motor.w"]
    (link,) = mechanism.links
    # the load turns −2 · ¼ times as fast as the motor
    assert link.armature == pytest.approx(0.3 + 0.7 / 16 + 1.1 / 4, rel=1e-15)
    motion = MotionView(mechanism, [0.2], [-1.0])
    model = mechanism.inventory.model
    assert motion.flange(model.middle.flange_b) == pytest.approx((0.05, -0.25), rel=1e-15)
    expected = (-2.0 * (0.05 + 0.5), 0.5)
    assert motion.flange(model.load.flange_a) == pytest.approx(expected, rel=1e-15)


def test_a_gear_train_moves_as_its_reduced_equation_says():
    model = gear_train()
    result = model.simulate(2.0, rtol=1e-11, solver=mk.SolverOptions(atol=1e-12))
    J = 0.3 + 0.7 / 16 + 1.1 / 4

    def by_hand(t: float, x: np.ndarray) -> list[float]:
        return [x[1], (2.0 - 0.6 * 0.25 * x[1]) / J]

    reference = solve_ivp(by_hand, (0, 2), [0.2, -1.0], rtol=1e-12, atol=1e-13)
    end = [result["motor.phi"][-1], result["motor.w"][-1]]
    assert end == pytest.approx(reference.y[:, -1], rel=2e-13)


def test_the_wish_and_then_fixed_starts_choose_the_state_of_a_shaft():
    for wishes, name in (({}, "b"), ({"stateSelect": "prefer"}, "a")):
        model = model_of(a=rot.Inertia(**wishes), b=rot.Inertia(phi=0.3, w=0.0))
        model.a.flange_b >> model.b.flange_a
        mechanism = assemble(model)
        assert mechanism.coordinates[0].name == f"{name}.phi"
        required = {f"{d.part}.{d.name}" for d in mechanism.initial_conditions}
        assert required == (set() if name == "b" else {"b.phi", "b.w"})


def test_fixed_starts_of_any_inertia_of_a_shaft_are_met():
    model = gear_train()
    model.motor.phi, model.motor.w = mk.guess(0.0), mk.guess(0.0)
    model.motor.stateSelect = "always"
    model.load.phi, model.load.w = -1.4, 0.5
    result = model.simulate(0.1)
    assert result["motor.phi"][0] == pytest.approx(4 * (1.4 / 2 - 0.5), rel=1e-14)
    assert result["motor.w"][0] == pytest.approx(-1.0, rel=1e-14)


def test_a_slider_and_a_wheel_are_one_shaft():
    model = model_of(
        wheel=rot.IdealRollingWheel(radius=0.25),
        rim=rot.Inertia(J=0.5, phi=0.0, w=0.0),
        cart=tra.Mass(m=3.0, L=0.4),
        push=tra.ConstantForce(f_constant=2.0),
    )
    model.rim.flange_b >> model.wheel.flangeR
    model.wheel.flangeT >> model.cart.flange_a
    model.cart.flange_b >> model.push.flange
    result = model.simulate(1.0)
    a = 2.0 / (3.0 + 0.5 / 0.25**2)
    assert result["cart.a"] == pytest.approx(a, rel=1e-14)
    assert result["cart.s"][-1] == pytest.approx(0.5 * a + 0.2, rel=1e-14)
    assert result["rim.phi"][-1] == pytest.approx(0.5 * a / 0.25, rel=1e-14)


def test_a_second_gear_beside_the_first_says_nothing_new():
    model = gear_train()
    model.twin = rot.IdealGear(ratio=4.0)
    model.twin.flange_a >> model.motor.flange_b
    model.twin.flange_b >> model.middle.flange_a
    mechanism = assemble(model)
    assert mechanism.n_u == 1 and not mechanism.relations
    assert any("twin couples what already moves together" in r for r in mechanism.reasons)


# --- planetary sets -------------------------------------------------------------------------------


def planetary() -> mk.Model:
    """Return a planetary set with an inertia and a torque on each shaft."""
    model = model_of(
        gear=rot.IdealPlanetary(ratio=2.5),
        sun=rot.Inertia(J=0.4, phi=0.0, w=1.0),
        ring=rot.Inertia(J=1.5, phi=0.0, w=-0.5),
        carrier=rot.Inertia(J=0.9),
        on_sun=rot.ConstantTorque(tau_constant=1.2),
        on_ring=rot.ConstantTorque(tau_constant=-0.7),
        on_carrier=rot.ConstantTorque(tau_constant=0.3),
    )
    for name in ("sun", "ring", "carrier"):
        part = getattr(model, name)
        getattr(model, f"on_{name}").flange >> part.flange_a
        part.flange_b >> getattr(model.gear, name)
    return model


def test_a_planetary_set_is_a_relation_of_three_shafts():
    mechanism = assemble(planetary())
    assert mechanism.n_u == 3
    (relation,) = mechanism.relations
    names = {mechanism.speeds[k].name: c for k, c in relation.terms}
    assert names == {"sun.w": 1.0, "ring.w": 2.5, "carrier.w": -3.5}


def test_a_planetary_set_accelerates_as_lagrange_says():
    result = planetary().simulate(0.5)
    J, c = np.diag([0.4, 1.5, 0.9]), np.array([1.0, 2.5, -3.5])
    system = np.block([[J, c[:, None]], [c[None, :], np.zeros((1, 1))]])
    *expected, multiplier = np.linalg.solve(system, [1.2, -0.7, 0.3, 0.0])
    for name, a in zip(("sun", "ring", "carrier"), expected, strict=True):
        assert result[f"{name}.a"] == pytest.approx(a, rel=1e-14)
    torques = [result[f"gear.{name}.tau"][-1] for name in ("sun", "ring", "carrier")]
    assert torques == pytest.approx(multiplier * c, rel=1e-14)
    speeds = (result["sun.w"] + 2.5 * result["ring.w"]) / 3.5
    assert result["carrier.w"] == pytest.approx(speeds, rel=1e-14)


def test_a_planetary_set_with_a_held_ring_is_a_gear():
    model = planetary()
    model.wall = rot.Fixed()
    model.wall.flange >> model.ring.flange_a
    model.ring.phi, model.ring.w = mk.guess(0.0), mk.guess(0.0)
    mechanism = assemble(model)
    assert mechanism.n_u == 1 and not mechanism.relations
    result = model.simulate(0.2)
    a = (1.2 + 0.3 / 3.5) / (0.4 + 0.9 / 3.5**2)
    assert result["sun.a"] == pytest.approx(a, rel=1e-14)
    # the wall takes what the ring gets from the gear beside its own torque
    sun = 0.4 * a - 1.2
    assert result["wall.flange.tau"] == pytest.approx(-0.7 - 2.5 * -sun, rel=1e-14)


def test_a_shaft_without_inertia_may_follow_from_two_others():
    model = model_of(
        gear=rot.IdealPlanetary(ratio=2.0),
        sun=rot.Inertia(J=0.4, phi=0.0, w=1.0),
        ring=rot.Inertia(J=1.5, phi=0.0, w=0.2),
        brake=rot.Damper(d=0.3),
        wall=rot.Fixed(),
    )
    model.sun.flange_b >> model.gear.sun
    model.ring.flange_b >> model.gear.ring
    model.gear.carrier >> model.brake.flange_b
    model.brake.flange_a >> model.wall.flange
    result = model.simulate(1.0, rtol=1e-11, solver=mk.SolverOptions(atol=1e-12))

    def by_hand(t: float, w: np.ndarray) -> np.ndarray:
        load = -0.3 * (w[0] + 2.0 * w[1]) / 3.0
        return np.array([load / 3.0 / 0.4, load * 2.0 / 3.0 / 1.5])

    reference = solve_ivp(by_hand, (0, 1), [1.0, 0.2], rtol=1e-12, atol=1e-13)
    end = [result["sun.w"][-1], result["ring.w"][-1]]
    assert end == pytest.approx(reference.y[:, -1], rel=5e-13)


# --- forces at flanges ----------------------------------------------------------------------------


def test_flows_at_connected_flanges_sum_to_zero_and_ideal_parts_lose_nothing():
    for model in (gear_train(), planetary()):
        result = model.simulate(0.3)
        mechanism = model.compile().mechanism
        for node, ports in mechanism.inventory.ports.sets().items():
            if node in mechanism.flanges:
                total = sum(result[f"{port.path}.tau"] for port in ports)
                assert np.abs(total).max() < 3e-15, node.path
        for part in model.parts.values():
            if isinstance(part, (rot.IdealGear, rot.IdealPlanetary, rot.Disc)):
                names = [port.path for port in part.ports()]
                power = sum(result[f"{n}.tau"] * result[f"{n}.w"] for n in names)
                assert np.abs(power).max() < 3e-15, part.path
            if isinstance(part, rot.Inertia):
                given = sum(result[f"{p.path}.tau"] for p in part.ports())
                assert given == pytest.approx(part.J * result[f"{part.path}.a"], abs=1e-14)


def test_unknown_forces_are_solved_like_any_linear_system():
    random = np.random.default_rng(4)
    A = random.normal(size=(6, 6)) * (random.random((6, 6)) < 0.6) + np.eye(6)
    b = random.normal(size=6)
    rows = [
        ({j: float(c) for j, c in enumerate(row)}, float(r))
        for row, r in zip(A, b, strict=True)
    ]
    found = eliminate(rows, {})
    assert [found[j] for j in range(6)] == pytest.approx(np.linalg.solve(A, b), rel=1e-14)


def test_what_the_balance_leaves_open_is_zero_or_shared():
    assert eliminate([({"a": 1.0, "b": 1.0}, 3.0)], {}) == {"a": 3.0}
    found = eliminate([({"a": 1.0, "b": 1.0}, 3.0)], {"a": 2.0, "b": 1.0})
    assert found == pytest.approx({"a": 1.0, "b": 2.0})


def test_shared_forces_are_those_of_the_least_weighed_squares():
    """Against the pseudo-inverse, with more unknowns than balances."""
    random = np.random.default_rng(5)
    A, b = random.normal(size=(3, 7)), random.normal(size=3)
    shares = random.uniform(0.5, 2.0, 7)
    rows = [
        ({j: float(c) for j, c in enumerate(row)}, float(r))
        for row, r in zip(A, b, strict=True)
    ]
    found = eliminate(rows, dict(enumerate(shares.tolist())))
    scale = 1.0 / np.sqrt(shares)
    expected = scale * (np.linalg.pinv(A * scale) @ b)
    assert [found[j] for j in range(7)] == pytest.approx(expected, rel=1e-11)


# --- lines on joints ------------------------------------------------------------------------------


def pendulum() -> mk.Model:
    """Return a body on a hinge with flanges."""
    model = model_of(
        hinge=mk.Revolute(useAxisFlange=True, phi=0.3, w=0.5),
        bob=mk.Body(m=2.0, r_CM=(0.5, 0, 0), I_11=0.1, I_22=0.1, I_33=0.1),
    )
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.bob.frame_a
    return model


INERTIA, WEIGHT = 2.0 * 0.25 + 0.1, 2.0 * 9.80665 * 0.5


def test_a_rotor_on_a_joint_adds_to_its_inertia():
    model = pendulum()
    model.gear, model.rotor = rot.IdealGear(ratio=-5.0), rot.Inertia(J=0.02)
    model.rotor.flange_b >> model.gear.flange_a
    model.gear.flange_b >> model.hinge.axis
    result = model.simulate(2.0, rtol=1e-11, solver=mk.SolverOptions(atol=1e-12))
    J = INERTIA + 25 * 0.02

    def by_hand(t: float, x: np.ndarray) -> list[float]:
        return [x[1], -WEIGHT * np.cos(x[0]) / J]

    reference = solve_ivp(by_hand, (0, 2), [0.3, 0.5], rtol=1e-12, atol=1e-13)
    assert result["hinge.phi"][-1] == pytest.approx(reference.y[0, -1], rel=1e-11)
    assert result["rotor.w"] == pytest.approx(-5.0 * result["hinge.w"], rel=1e-14)
    # what drives the hinge is what is left over from accelerating the rotor
    drive = 25 * 0.02 * result["hinge.a"]
    assert result["hinge.tau"] == pytest.approx(-drive, rel=1e-14, abs=1e-14)
    cut = result["bob.frame_a.t"][:, 2]
    assert result["hinge.tau"] == pytest.approx(cut, rel=1e-14, abs=1e-14)


def test_a_spring_through_a_gear_on_a_joint_pushes_with_its_ratio():
    model = pendulum()
    model.gear = rot.IdealGear(ratio=3.0)
    model.spring, model.wall = rot.Spring(c=4.0), rot.Fixed()
    model.gear.flange_b >> model.hinge.axis
    model.gear.flange_a >> model.spring.flange_b
    model.spring.flange_a >> model.wall.flange
    result = model.simulate(1.0)
    assert result["hinge.tau"] == pytest.approx(-36.0 * result["hinge.phi"], rel=1e-14)


def test_two_joints_on_a_shaft_are_a_relation():
    model = pendulum()
    model.other = mk.Revolute(useAxisFlange=True)
    model.mass = mk.Body(m=1.0, r_CM=(0.2, 0, 0), I_11=0.3, I_22=0.3, I_33=0.3)
    model.gear = rot.IdealGear(ratio=2.0)
    model.world.frame_b >> model.other.frame_a
    model.other.frame_b >> model.mass.frame_a
    model.hinge.axis >> model.gear.flange_a
    model.gear.flange_b >> model.other.axis
    result = model.simulate(1.0, rtol=1e-10, solver=mk.SolverOptions(atol=1e-11))
    assert result["other.phi"] == pytest.approx(0.5 * result["hinge.phi"], abs=1e-14)

    def by_hand(t: float, x: np.ndarray) -> list[float]:
        weight = WEIGHT * np.cos(x[0]) + 0.5 * 9.80665 * 0.2 * np.cos(0.5 * x[0])
        return [x[1], -weight / (INERTIA + 0.25 * (0.3 + 0.04))]

    reference = solve_ivp(by_hand, (0, 1), [0.3, 0.5], rtol=1e-12, atol=1e-13)
    assert result["hinge.phi"][-1] == pytest.approx(reference.y[0, -1], rel=2e-12)
    tau = INERTIA * result["hinge.a"] + WEIGHT * np.cos(result["hinge.phi"])
    assert result["hinge.tau"] == pytest.approx(tau, rel=2e-12)
    assert result["gear.flange_a.tau"] == pytest.approx(-tau, rel=3e-12)


def test_a_driven_joint_tells_the_torque_that_it_takes():
    model = pendulum()
    model.hinge.phi, model.hinge.w = mk.guess(0.0), mk.guess(0.0)
    model.drive = rot.Position(exact=True)
    model.wave = mk.blocks.Sine(amplitude=0.4, f=0.7)
    model.wave.y >> model.drive.phi_ref
    model.drive.flange >> model.hinge.axis
    result = model.simulate(2.0, output=100)
    w, t = 2 * np.pi * 0.7, result.time
    phi = 0.4 * np.sin(w * t)
    assert result["hinge.phi"] == pytest.approx(phi, abs=1e-14)
    tau = -INERTIA * w**2 * phi + WEIGHT * np.cos(phi)
    assert result["hinge.tau"] == pytest.approx(tau, rel=1e-14)
    assert result["drive.flange.tau"] == pytest.approx(-tau, rel=1e-14)


def test_forces_on_a_rolling_tape_are_those_on_numbers():
    model = gear_train()
    model.spring = rot.SpringDamper(c=3.0, d=0.2)
    model.spring.flange_a >> model.wall.flange
    model.spring.flange_b >> model.disc.flange_b
    mechanism = assemble(model)
    tape = Tape()
    q, u = tape.input("q", 1), tape.input("u", 1)
    tape.output("tau", line_forces(mechanism, q, u, tape))
    native = tape.compile(name="forces")
    expected = line_forces(mechanism, [0.3], [-0.7])
    assert native([0.3], [-0.7]) == pytest.approx(expected, rel=1e-14)


# --- refusals -------------------------------------------------------------------------------------


def test_a_spring_alone_does_not_say_where_its_end_is():
    model = model_of(mass=rot.Inertia(), one=rot.Spring(), seen=rot.AngleSensor())
    model.mass.flange_b >> model.one.flange_a
    model.one.flange_b >> model.seen.flange
    with refused(AssemblyError, "seen.flange", "its position is undetermined", "inertia"):
        assemble(model)


def test_a_flange_connected_to_nothing_is_named():
    model = model_of(mass=rot.Inertia(), spring=rot.Spring())
    model.mass.flange_b >> model.spring.flange_a
    with refused(PortError, "spring.flange_b", "connected to nothing"):
        assemble(model)


def test_fixed_points_that_disagree_are_both_named():
    model = model_of(a=rot.Fixed(phi0=0.1), b=rot.Fixed(phi0=0.2), disc=rot.Disc())
    model.a.flange >> model.disc.flange_a
    model.disc.flange_b >> model.b.flange
    with refused(LoopError, "disc", "a.flange", "b.flange", "-0.1"):
        assemble(model)
    model = model_of(a=rot.Fixed(phi0=0.1), b=rot.Fixed(phi0=0.2))
    model.a.flange >> model.b.flange
    with refused(LoopError, "b.flange", "a.flange", "disagree"):
        assemble(model)


def test_fixed_points_that_agree_are_fine():
    model = model_of(
        a=rot.Fixed(phi0=0.1), b=rot.Fixed(phi0=0.3), disc=rot.Disc(deltaPhi=0.2)
    )
    model.a.flange >> model.disc.flange_a
    model.disc.flange_b >> model.b.flange
    mechanism = assemble(model)
    motion = MotionView(mechanism, [], [])
    assert motion.flange(model.disc.flange_b) == (pytest.approx(0.3), 0.0)


def test_gears_that_lock_one_another_hold_the_shaft():
    model = gear_train()
    model.twin = rot.IdealGear(ratio=3.0)
    model.twin.flange_a >> model.motor.flange_b
    model.twin.flange_b >> model.middle.flange_a
    assert assemble(model).n_u == 0  # only φ = 0 fits both ratios


def test_a_flange_that_is_moved_twice_is_named():
    model = model_of(mass=rot.Inertia(), one=rot.ConstantSpeed(), two=rot.ConstantSpeed())
    model.one.flange >> model.mass.flange_a
    model.two.flange >> model.mass.flange_b
    with refused(LoopError, "two.flange", "one.flange", "spring"):
        assemble(model)
    model = model_of(mass=rot.Inertia(), one=rot.ConstantSpeed(), wall=rot.Fixed())
    mk.connect(model.one.flange, model.mass.flange_a, model.wall.flange)
    with refused(LoopError, "one.flange", "wall.flange"):
        assemble(model)
