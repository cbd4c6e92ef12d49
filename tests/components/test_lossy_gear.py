"""Gears with losses: efficiencies, bearings, sticking, and the power that is lost."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from motorik import Model, blocks
from motorik import rotational as rot
from motorik.errors import ParameterError
from motorik.functions import sin, where
from tests.refusals import refused


class Geared(Model):
    """Two rotors of 1 and 1.5 kg·m² on a gear, each driven by a torque."""

    def build(
        self,
        table: object = ((0.0, 0.5, 0.4, 0.0, 0.0),),
        ratio: float = 2.0,
        left: object = 0.0,
        right: object = 0.0,
        w: float = 0.0,
    ) -> None:
        self.gear = rot.LossyGear(ratio=ratio, lossTable=table)
        self.one = rot.Inertia(J=1.0, phi=0.0, w=w)
        self.two = rot.Inertia(J=1.5)
        self.left, self.right = rot.Torque(), rot.Torque()
        self.one.flange_b >> self.gear.flange_a
        self.gear.flange_b >> self.two.flange_a
        self.left.flange >> self.one.flange_a
        self.right.flange >> self.two.flange_b
        for name, given in (("left", left), ("right", right)):
            source = blocks.TimeFunction(f=given) if callable(given) else None
            source = source or blocks.Constant(k=given)
            setattr(self, f"{name}_source", source)
            source.y >> getattr(self, name).tau


def accelerations(
    table: tuple[float, ...], ratio: float, left: float, right: float, way: int
) -> list[tuple[int, float]]:
    """Return all pairs of mode and acceleration of flange_a that fit, at rest or turning.

    Written anew: τ_loss is (1 − η) τ_a ± τ_bearing, or at rest what holds; the rotors are 1 and
    1.5 kg·m², and 0 = τ_b + ratio (τ_a − τ_loss).
    """
    _, eta_a, eta_b, bearing_a, bearing_b = table
    inner = (
        (bearing_a - bearing_b) / (eta_a - 1 / eta_b)
        if eta_a * eta_b < 1
        else bearing_a / 2
    )
    found = []
    modes = (0, 1, -1) if way == 0 else (way,)
    for mode, a_drives in itertools.product(modes, (True, False)):
        if mode == 0:
            a = 0.0
            tau_a = left
            loss = tau_a + right / ratio
        else:
            eta = eta_a if a_drives else 1 / eta_b
            bearing = mode * (bearing_a if a_drives else bearing_b)
            # a = left − τ_a;  1.5 a / ratio = right + ratio (τ_a − (1 − η) τ_a − bearing)
            A = np.array([[1.0, 1.0], [1.5 / ratio, -ratio * eta]])
            a, tau_a = np.linalg.solve(A, [left, right - ratio * bearing])
            loss = (1 - eta) * tau_a + bearing
        if mode and (mode * tau_a - inner >= 0) != a_drives:
            continue
        if mode == 0:
            most = max((1 - eta_a) * tau_a + bearing_a, (1 - 1 / eta_b) * tau_a + bearing_b)
            least = min(
                (1 - eta_a) * tau_a - bearing_a, (1 - 1 / eta_b) * tau_a - bearing_b
            )
            if not (a_drives and least <= loss <= most):
                continue
        elif way == 0 and mode * a <= 0:
            continue
        found.append((mode, a))
    return found


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_accelerations_are_those_of_all_modes_that_fit(seed):
    rng = np.random.default_rng(seed)
    bearing = rng.uniform(0.0, 0.5)
    eta_a, eta_b = rng.uniform(0.3, 1.0, 2)
    table = (0.0, eta_a, eta_b, bearing * eta_a + 0.2, bearing / eta_b + 0.2)
    ratio = rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 3.0)
    left, right = 3.0 * rng.normal(size=2)
    way = int(rng.integers(-1, 2))
    model = Geared(table=(table,), ratio=ratio, left=left, right=right, w=10.0 * way)
    result = model.simulate(1e-3)
    expected = accelerations(table, ratio, left, right, way)
    assert len(expected) == 1
    mode, a = expected[0]
    assert set(result["gear.mode"]) == {mode}
    np.testing.assert_allclose(result["one.a"], a, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(result["gear.a_a"], result["one.a"], atol=1e-12)
    np.testing.assert_allclose(result["two.phi"] * ratio, result["one.phi"], atol=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [2.0, -0.5])
def test_power_goes_in_out_and_into_heat(ratio):
    table = ((0.0, 0.7, 0.6, 0.05, 0.1), (10.0, 0.8, 0.75, 0.2, 0.3))
    model = Geared(table=table, ratio=ratio, left=lambda t: 4.0 * sin(5.0 * t), right=0.1)
    result = model.simulate(4.0, rtol=1e-10, output=20001)
    assert {-1.0, 0.0, 1.0} == set(result["gear.mode"])
    given = result["gear.flange_a.tau"] * result["one.w"]
    given = given + result["gear.flange_b.tau"] * result["two.w"]
    np.testing.assert_allclose(given, result["gear.lossPower"], atol=1e-9)
    assert result["gear.lossPower"].min() >= -1e-12
    energy = 0.5 * result["one.w"] ** 2 + 0.75 * result["two.w"] ** 2
    power = 4.0 * np.sin(5.0 * result.time) * result["one.w"] + 0.1 * result["two.w"]
    heat = np.trapezoid(power - result["gear.lossPower"], result.time)
    assert energy[-1] == pytest.approx(heat, abs=2e-5)


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("driver", ["left", "right"])
def test_a_turning_gear_loses_the_most_that_it_can(driver, way):
    """What goes in and does not come out is the bound of the direction and side that drives."""
    table = (0.0, 0.7, 0.6, 0.4, 0.5)
    torque = {driver: 5.0 * way}
    model = Geared(table=(table,), ratio=2.0, w=3.0 * way, **torque)
    result = model.simulate(0.1, output=2)
    into = result["gear.flange_a.tau"] * result["one.w"]
    out = -result["gear.flange_b.tau"] * result["two.w"]
    assert (np.sign(into) == (1.0 if driver == "left" else -1.0)).all()
    lost = (into - out) / result["one.w"]
    bound = "gear.tauLossMax" if way > 0 else "gear.tauLossMin"
    np.testing.assert_allclose(result[bound], lost, rtol=1e-12)
    eta, bearing = (table[1], table[3]) if driver == "left" else (1 / table[2], table[4])
    tau_a = result["gear.flange_a.tau"]
    np.testing.assert_allclose(lost, (1 - eta) * tau_a + way * bearing, rtol=1e-12)


def test_without_friction_of_the_teeth_both_sides_share_the_bearings():
    """The teeth pass the torque of flange_a less half of the bearings' torque."""
    model = Geared(table=((0.0, 1.0, 1.0, 0.5, 0.5),), left=2.0, w=3.0)
    result = model.simulate(0.1, output=2)
    teeth = result["gear.flange_a.tau"] - 0.25
    np.testing.assert_allclose(result["gear.tau_eta"], teeth, rtol=1e-12)
    behind = -result["gear.flange_b.tau"] / 2.0  # of the other side, seen at flange_a
    np.testing.assert_allclose(teeth - 0.25, behind, rtol=1e-12)


def test_bearings_alone_are_a_brake():
    """A rotor of 1 + 1.5/4 kg·m² and 11 rad/s, braked by 0.5 N·m, stops after 30.25 s."""
    model = Geared(table=((0.0, 1.0, 1.0, 0.5, 0.5),), w=11.0)
    result = model.simulate(40.0, output=401)
    stop = 11.0 * (1.0 + 1.5 / 4.0) / 0.5
    expected = np.where(result.time < stop, 11.0 * (1.0 - result.time / stop), 0.0)
    np.testing.assert_allclose(result["one.w"], expected, atol=1e-9)
    assert (result["one.w"][-1], result["gear.locked"][-1]) == (0.0, 1.0)


def test_without_losses_it_is_an_ideal_gear():
    model = Geared(table=((0.0, 1.0, 1.0, 0.0, 0.0),), left=1.0)
    result = model.simulate(1.0)
    np.testing.assert_allclose(result["one.a"], 1.0 / (1.0 + 1.5 / 4.0), rtol=1e-12)
    assert set(result["gear.mode"]) == {2.0}
    assert model.compile().nonsmooth is None


def test_a_load_breaks_loose_and_is_held_again():
    """Teeth alone, η = 0.5 both ways, at rest; 4 N·m at two: it holds up to twice the balance."""
    model = Geared(
        table=((0.0, 0.5, 0.5, 0.0, 0.0),),
        left=lambda t: where(t < 6.0, t, 1.0),
        right=-4.0,
    )
    result = model.simulate(7.0, rtol=1e-10, output=701)
    times, modes = result.time, result["gear.mode"]
    # held where left is between right/(2 η⁻¹) and right/(2 η): 1 … 4; below 1 the load sinks
    assert modes[1] == -1.0
    first = times[np.flatnonzero(modes == 0.0)[0]]
    second = times[np.flatnonzero((modes == 1.0) & (times > first))[0]]
    assert first > 1.0
    assert second == pytest.approx(4.0, abs=0.011)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ((0.0, 0.5, 0.5, 0.0), "five numbers"),
        ((1.0, 0.5, 0.5, 0.0, 0.0), "begin with 0"),
        ((0.0, 1.5, 0.5, 0.0, 0.0), "at most 1"),
        ((0.0, 0.5, 0.0, 0.0, 0.0), "above 0"),
        ((0.0, 0.5, 0.5, -1.0, 0.0), "not negative"),
        ((0.0, 1.0, 1.0, 1.0, 0.5), "are the same"),
    ],
)
def test_tables_that_are_none_are_refused(row, words):
    with refused(ParameterError, "LossyGear", "lossTable", words):
        Geared(table=(row,)).simulate(1.0)


def test_a_loss_sets_nothing_in_motion_by_itself():
    model = Geared(table=((0.0, 0.3, 0.3, 0.0, 0.0),))
    model.spring, model.wall = rot.Spring(c=10.0), rot.Fixed()
    model.wall.flange >> model.spring.flange_a
    model.spring.flange_b >> model.two.flange_b
    result = model.simulate(5.0)
    assert abs(result["one.w"]).max() == 0.0


class Boxed(Model):
    """Two rotors on a gearbox, or on its parts connected by hand."""

    def build(self, *, by_hand: bool = False) -> None:
        table = ((0.0, 0.9, 0.8, 0.02, 0.03),)
        self.one, self.two = rot.Inertia(J=0.2, w=20.0, phi=0.0), rot.Inertia(J=1.0)
        self.torque = rot.ConstantTorque(tau_constant=-2.0)
        self.torque.flange >> self.two.flange_b
        elastic = {"c": 200.0, "d": 1.0, "b": 0.02}
        if by_hand:
            self.gear = rot.LossyGear(ratio=3.0, lossTable=table)
            self.play = rot.ElastoBacklash(**elastic, phi_rel=0.0, w_rel=0.0)
            self.one.flange_b >> self.gear.flange_a
            self.gear.flange_b >> self.play.flange_a
            self.play.flange_b >> self.two.flange_a
        else:
            own = {"ratio": 3.0, "lossTable": table, "phi_rel": 0.0, "w_rel": 0.0}
            self.box = rot.Gearbox(**own, **elastic)
            self.one.flange_b >> self.box.flange_a
            self.box.flange_b >> self.two.flange_a


@pytest.mark.slow
def test_a_gearbox_is_its_parts():
    box, parts = (Boxed(by_hand=by_hand).simulate(2.0) for by_hand in (False, True))
    np.testing.assert_allclose(box["two.w"], parts["two.w"], rtol=1e-12)
    np.testing.assert_allclose(box["box.phi_rel"], parts["play.phi_rel"], atol=1e-14)
    twist = box["two.phi"] - box["one.phi"] / 3.0
    np.testing.assert_allclose(box["box.phi_rel"], twist, atol=1e-12)
