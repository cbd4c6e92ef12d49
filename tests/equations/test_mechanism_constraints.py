"""Equations of parts that constrain the mechanism: gears, cams and drives of one's own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import motorik as mk
from motorik import blocks, rotational, translational
from motorik.authoring import (
    Domain,
    Equation,
    EquationPart,
    balance,
    der,
    equal,
    kinds,
    parameter,
    rotational_flange,
    signal_input,
    translational_flange,
    unknown,
)
from motorik.errors import EquationError, MotorikError
from tests.equations.parts import model_of
from tests.refusals import refused

J_A, J_B = 0.1, 0.2


class TwoFlanges(EquationPart):
    """A part between two shafts."""

    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")


class Gear(TwoFlanges):
    """φ_a = ratio φ_b, without losses."""

    ratio: kinds.Factor = parameter("ratio", default=3.0)

    def equations(self) -> Iterator[Equation]:
        """Yield the relations of angles and torques."""
        yield equal(self.flange_a.phi, self.ratio * self.flange_b.phi)
        yield equal(self.flange_b.tau, -self.ratio * self.flange_a.tau)


class Oval(TwoFlanges):
    """φ_b = φ_a + e sin φ_a; a share 1 − η of the power is lost on the way from a to b."""

    e: kinds.Factor = parameter("eccentricity", default=0.2)
    eta: kinds.Factor = parameter("efficiency", default=1.0)
    x: kinds.Angle = unknown("output angle")

    def equations(self) -> Iterator[Equation]:
        """Yield the relations of angles and torques."""
        phi = self.flange_a.phi
        yield equal(self.x, phi + self.e * mk.sin(phi))
        yield equal(self.flange_b.phi, self.x)
        ratio = 1.0 + self.e * mk.cos(phi)
        yield equal(self.eta * self.flange_a.tau, -ratio * self.flange_b.tau)


class Slider(TwoFlanges):
    """A friction wheel: ω_b = (1 + u) ω_a."""

    u = signal_input("ratio less one")

    def equations(self) -> Iterator[Equation]:
        """Yield the relations of speeds and torques."""
        ratio = 1.0 + self.u
        yield equal(der(self.flange_b.phi), ratio * der(self.flange_a.phi))
        yield equal(self.flange_a.tau, -ratio * self.flange_b.tau)


class Adjuster(TwoFlanges):
    """φ_b = φ_a + u."""

    u = signal_input("angle between the shafts", "rad")

    def equations(self) -> Iterator[Equation]:
        """Yield the relations of angles and torques."""
        yield equal(self.flange_b.phi, self.flange_a.phi + self.u)
        yield equal(self.flange_a.tau, -self.flange_b.tau)


class Drive(EquationPart):
    """der(φ) = u."""

    flange = rotational_flange("driven flange")
    u = signal_input("speed", "rad/s")

    def equations(self) -> Iterator[Equation]:
        """Yield the speed."""
        yield equal(der(self.flange.phi), self.u)


oil = Domain("oil", across=("p", "Pa"), through=("q", "m3/s"))


class Piston(EquationPart):
    """A piston on an incompressible fluid: q = A v, f = A p."""

    port = oil.port("fluid")
    flange = translational_flange("rod")
    A: kinds.Length = parameter("area", default=2.0)

    def equations(self) -> Iterator[Equation]:
        """Yield flow and force."""
        yield equal(self.port.q, self.A * der(self.flange.s))
        yield equal(self.flange.f, self.A * self.port.p)


def shafts(part: EquationPart, **start: float) -> mk.Model:
    """Return two inertias with a part between them."""
    model = model_of(
        a=rotational.Inertia(J=J_A, **({"phi": 0.0, "w": 10.0} | start)),
        b=rotational.Inertia(J=J_B), part=part,
    )  # fmt: skip
    mk.connect(model.a.flange_b, model.part.flange_a)
    mk.connect(model.part.flange_b, model.b.flange_a)
    return model


def test_a_gear_of_ones_own_is_the_gear_of_the_library():
    runs = []
    for gear in (Gear(), rotational.IdealGear(ratio=3.0)):
        model = shafts(gear)
        model.torque, model.source = rotational.Torque(), blocks.Constant(k=0.5)
        mk.connect(model.source.y, model.torque.tau)
        mk.connect(model.torque.flange, model.b.flange_b)
        runs.append(model.simulate(1.0))
    own, library = runs
    assert own.state_names == library.state_names
    for name in ("a.phi", "b.w", "part.flange_a.tau", "part.flange_b.tau"):
        assert np.array_equal(np.asarray(own[name]), np.asarray(library[name])), name


def oval_with_losses(eta: float):
    """η τ_a = −k τ_b with τ_a = −J_a α, τ_b = −J_b (k α + k' ω²)."""

    def rates(t, y):
        phi, w = y
        k, slope = 1.0 + 0.2 * np.cos(phi), -0.2 * np.sin(phi)
        return [w, -J_B * k * slope * w * w / (eta * J_A + J_B * k * k)]

    return rates


@pytest.mark.parametrize("eta", [1.0, 0.9])
def test_an_oval_gear_follows_its_equation_of_motion(eta):
    result = shafts(Oval(eta=mk.Parameter(eta))).simulate(2.0, rtol=1e-9, interval=0.1)
    t = np.asarray(result.time)
    exact = solve_ivp(
        oval_with_losses(eta), (0.0, 2.0), [0.0, 10.0], rtol=1e-10, atol=1e-12, t_eval=t
    )
    phi, tau = np.asarray(result["a.phi"]), np.asarray(result["part.flange_b.tau"])
    assert np.abs(phi - exact.y[0]).max() < 1e-6
    assert np.abs(np.asarray(result["b.phi"]) - phi - 0.2 * np.sin(phi)).max() < 1e-9
    assert np.abs(tau + J_B * np.asarray(result["b.a"])).max() < 1e-9
    assert np.abs(np.asarray(result["part.x"]) - np.asarray(result["b.phi"])).max() < 1e-9
    work = np.asarray(result.energy()["kinetic"])
    assert (np.ptp(work) < 1e-6) == (eta == 1.0)


def test_a_cam_with_losses_between_joints_of_a_mechanism():
    """The same as between inertias, with two bodies on revolute joints."""
    model = model_of(
        world=mk.World(g=0.0), part=Oval(eta=0.9),
        one=mk.joints.Revolute(n=(0, 0, 1), useAxisFlange=True, phi=0.0, w=10.0),
        two=mk.joints.Revolute(n=(0, 0, 1), useAxisFlange=True),
        a=mk.parts.Body(m=1.0, r_CM=(0, 0, 0), I_11=0.1, I_22=0.1, I_33=J_A),
        b=mk.parts.Body(m=1.0, r_CM=(0, 0, 0), I_11=0.2, I_22=0.2, I_33=J_B),
    )  # fmt: skip
    for joint, body in ((model.one, model.a), (model.two, model.b)):
        mk.connect(model.world.frame_b, joint.frame_a)
        mk.connect(joint.frame_b, body.frame_a)
    mk.connect(model.one.axis, model.part.flange_a)
    mk.connect(model.part.flange_b, model.two.axis)
    result = model.simulate(1.0, rtol=1e-9)
    exact = solve_ivp(
        oval_with_losses(0.9), (0.0, 1.0), [0.0, 10.0], rtol=1e-10, atol=1e-12
    )
    assert result["one.phi"][-1] == pytest.approx(exact.y[0][-1], abs=1e-6)


def test_a_ratio_may_be_changed_between_runs():
    ratio = mk.Parameter(3.0)
    model = shafts(Gear(ratio=ratio))
    speeds = []
    for value in (3.0, 2.0):
        ratio.value = value
        speeds.append(model.simulate(0.1)["b.w"][-1])
    assert speeds == pytest.approx([10.0 / 3.0, 5.0])


def test_friction_behind_a_gear_with_losses_brings_it_to_rest():
    """η J_a α = −k (J_b (k α + k' ω²) + τ) until it stands."""
    model = shafts(Oval(eta=0.9), w=3.0)
    model.brake = rotational.BearingFriction(tau_pos=[[0.0, 0.5]])
    mk.connect(model.b.flange_b, model.brake.flange_a)
    result = model.simulate(3.0, rtol=1e-8)

    def rates(t, y):
        phi, w = y
        k, slope = 1.0 + 0.2 * np.cos(phi), -0.2 * np.sin(phi)
        return [w, -k * (J_B * slope * w * w + 0.5) / (0.9 * J_A + J_B * k * k)]

    def standing(t, y):
        return y[1]

    standing.terminal = True
    given = rates, (0.0, 3.0), [0.0, 3.0]
    exact = solve_ivp(*given, rtol=1e-10, atol=1e-12, events=standing)
    assert exact.status == 1
    assert result["a.phi"][-1] == pytest.approx(exact.y[0][-1], abs=1e-6)
    assert result["a.w"][-1] == pytest.approx(0.0, abs=1e-9)


def with_sine(part: EquationPart, **start: float) -> mk.Model:
    model = shafts(part, **start)
    model.sine = blocks.Sine(f=1.0 / (2.0 * np.pi), amplitude=1.0)
    mk.connect(model.sine.y, model.part.u)
    return model


def test_a_friction_wheel_relates_speeds_only():
    result = with_sine(Slider()).simulate(1.0, rtol=1e-9)

    def rates(t, w):
        k = 1.0 + np.sin(t)
        return -J_B * k * np.cos(t) * w / (J_A + J_B * k * k)

    exact = solve_ivp(rates, (0.0, 1.0), [10.0], rtol=1e-11, atol=1e-12).y[0][-1]
    assert result["a.w"][-1] == pytest.approx(exact, abs=1e-6)
    assert result["b.w"][-1] == pytest.approx(exact * (1.0 + np.sin(1.0)), abs=1e-6)


def test_an_angle_between_shafts_may_be_a_signal():
    """The angular momentum stays."""
    result = with_sine(Adjuster(), w=1.0).simulate(1.0)
    t = np.asarray(result.time)
    w_a = (J_A + J_B * 2.0 - J_B * np.cos(t)) / (J_A + J_B)
    assert np.abs(np.asarray(result["a.w"]) - w_a).max() < 1e-9
    between = np.asarray(result["b.phi"]) - np.asarray(result["a.phi"])
    assert np.abs(between - np.sin(t)).max() < 1e-9


def test_a_speed_of_one_flange_is_prescribed_from_where_it_stands():
    model = model_of(drive=Drive(), wheel=rotational.Inertia(J=J_B, phi=0.5))
    model.sine = blocks.Sine(f=1.0 / (2.0 * np.pi), amplitude=1.0)
    mk.connect(model.sine.y, model.drive.u)
    mk.connect(model.drive.flange, model.wheel.flange_a)
    result = model.simulate(1.0)
    t = np.asarray(result.time)
    assert np.abs(np.asarray(result["wheel.phi"]) - 1.5 + np.cos(t)).max() < 1e-5
    torque = np.asarray(result["drive.flange.tau"])
    assert np.abs(torque + J_B * np.cos(t)).max() < 1e-9


def test_pistons_on_an_incompressible_fluid_move_together():
    """A₁ s₁ + A₂ s₂ stays, so that m₁ + (A₁/A₂)² m₂ accelerates."""
    model = model_of(
        one=Piston(A=2.0), two=Piston(A=0.5), a=translational.Mass(m=1.0, s=0.0, v=0.0),
        b=translational.Mass(m=0.25, s=1.0), push=translational.Force(),
        force=blocks.Constant(k=5.0),
    )  # fmt: skip
    mk.connect(model.one.port, model.two.port)
    mk.connect(model.one.flange, model.a.flange_a)
    mk.connect(model.two.flange, model.b.flange_a)
    mk.connect(model.force.y, model.push.f)
    mk.connect(model.push.flange, model.a.flange_b)
    result = model.simulate(1.0)
    assert result["a.s"][-1] == pytest.approx(0.5, abs=1e-9)
    assert result["b.s"][-1] == pytest.approx(-1.0, abs=1e-9)
    assert result["two.flange.f"][-1] == pytest.approx(1.0, abs=1e-9)


# --- refusals ------------------------------------------------------------------------------


def written(*equations) -> EquationPart:
    """Return a part between two flanges with these equations, functions of it."""

    def own(self):
        for equation in equations:
            yield equation(self)

    return type("Written", (TwoFlanges,), {"equations": own})()


def angles(self):
    return equal(self.flange_b.phi, 2.0 * self.flange_a.phi)


def torques(self):
    return equal(self.flange_a.tau, -2.0 * self.flange_b.tau)


def no_torque(self):
    return equal(self.flange_b.tau, self.time)


def of_squares(self):
    return equal(der(self.flange_b.phi) * der(self.flange_b.phi), der(self.flange_a.phi))


def of_accelerations(self):
    return equal(der(der(self.flange_b.phi)), der(der(self.flange_a.phi)))


def of_forces(self):
    return equal(self.flange_b.phi, self.flange_a.phi + self.flange_a.tau)


@pytest.mark.parametrize(
    ("equations", "words"),
    [
        ((angles, torques, no_torque), ("1 too many", "flange_b.tau")),
        ((of_squares, torques), ("not linear",)),
        ((of_accelerations, torques), ("accelerations",)),
        ((angles,), ("1 too few",)),
    ],
)
def test_wrong_relations_are_named(equations, words):
    with refused(EquationError, "part", *words):
        shafts(written(*equations)).compile()


def test_a_relation_that_gives_way_under_a_torque_is_a_spring():
    result = shafts(
        written(of_forces, lambda self: balance(self.flange_a.tau, self.flange_b.tau))
    )
    assert len(result.simulate(0.1).state_names) == 4


def test_relations_that_contradict_each_other_are_named():
    model = shafts(Gear(ratio=3.0))
    model.other = Oval()
    mk.connect(model.a.flange_b, model.other.flange_a)
    mk.connect(model.other.flange_b, model.b.flange_a)
    with pytest.raises(MotorikError, match="other"):
        model.simulate(0.1)
