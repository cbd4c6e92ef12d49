"""Gears with losses in series, in parallel, and in hits."""

import itertools

import numpy as np
import pytest

from motorik import Model, Revolute, World, blocks, parts
from motorik import rotational as rot
from tests.covering import each_once


class Series(Model):
    """Two rotors of 1 and 1.5 kg·m² on two gears, a third one or nothing between these."""

    def build(self, tables, ratios, middle=0.0, left=0.0, right=0.0, w=0.0):
        self.one, self.two = rot.Inertia(J=1.0, phi=0.0, w=w), rot.Inertia(J=1.5)
        self.first = rot.LossyGear(ratio=ratios[0], lossTable=(tables[0],))
        self.second = rot.LossyGear(ratio=ratios[1], lossTable=(tables[1],))
        self.left, self.right = (
            rot.ConstantTorque(tau_constant=left),
            rot.ConstantTorque(tau_constant=right),
        )
        self.left.flange >> self.one.flange_a
        self.one.flange_b >> self.first.flange_a
        if middle:
            self.middle = rot.Inertia(J=middle)
            self.first.flange_b >> self.middle.flange_a
            self.middle.flange_b >> self.second.flange_a
        else:
            self.first.flange_b >> self.second.flange_a
        self.second.flange_b >> self.two.flange_a
        self.right.flange >> self.two.flange_b


def bearing_inside(table):
    _, eta_a, eta_b, bearing_a, bearing_b = table
    return (bearing_a - bearing_b) / (eta_a - 1.0 / eta_b)


def all_that_fit(tables, ratios, middle, left, right, way):
    """Return the accelerations of all combinations of driving sides that fit, turning one way.

    Unknown are a and the torques on both sides a: a = left − τ₁;
    0 = τ_b + i (τ_a − τ_loss) of each gear; J a of the rotors between.
    """
    (i1, i2), found = ratios, []
    ways = (way, way * np.sign(i1))
    for sides in itertools.product((True, False), repeat=2):
        eta, loss = [], []
        for table, side, turns in zip(tables, sides, ways, strict=True):
            _, eta_a, eta_b, bearing_a, bearing_b = table
            eta.append(eta_a if side else 1.0 / eta_b)
            loss.append(turns * (bearing_a if side else bearing_b))
        A = np.array(
            [
                [1.0, 1.0, 0.0],
                [middle / i1, -i1 * eta[0], 1.0],
                [1.5 / (i1 * i2), 0.0, -i2 * eta[1]],
            ]
        )
        a, tau_1, tau_2 = np.linalg.solve(A, [left, -i1 * loss[0], right - i2 * loss[1]])
        given = zip(tables, sides, (tau_1, tau_2), ways, strict=True)
        if all((u * tau >= bearing_inside(table)) == side for table, side, tau, u in given):
            found.append(a)
    return found


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(("seed", "middle"), each_once(range(8), [0.0, 0.3]))
def test_gears_in_series_are_in_the_only_modes_that_fit(seed, middle):
    rng = np.random.default_rng(seed)
    tables = []
    for _ in range(2):
        eta_a, eta_b = rng.uniform(0.5, 0.98, 2)
        inside, beside = rng.uniform(0.0, 0.3, 2)
        bearings = eta_a * inside + beside, inside / eta_b + beside
        tables.append((0.0, eta_a, eta_b, *bearings))
    ratios = rng.choice([-1.0, 1.0], 2) * rng.uniform(0.5, 3.0, 2)
    left, right = 3.0 * rng.normal(size=2)
    way = float(rng.choice([-1.0, 1.0]))
    expected = all_that_fit(tables, ratios, middle, left, right, way)
    given = {"left": left, "right": right, "middle": middle, "w": 10.0 * way}
    result = Series(tables=tables, ratios=ratios.tolist(), **given).simulate(1e-3)
    assert len(expected) == 1
    np.testing.assert_allclose(result["one.a"], expected[0], rtol=1e-9, atol=1e-9)


class Parallel(Model):
    """Two rotors of 1 and 1.5 kg·m², gears of one ratio between them, the last turned round."""

    def build(self, tables, ratio=2.0, turned=False, tau=5.0):
        self.one, self.two = rot.Inertia(J=1.0, phi=0.0, w=5.0), rot.Inertia(J=1.5)
        self.motor = rot.ConstantTorque(tau_constant=tau)
        self.motor.flange >> self.one.flange_a
        ratios = [ratio] * (len(tables) - 1) + [1.0 / ratio if turned else ratio]
        self.gear = [
            rot.LossyGear(ratio=own, lossTable=(table,))
            for own, table in zip(ratios, tables, strict=True)
        ]
        for gear, own in zip(self.gear, ratios, strict=True):
            ends = (self.one.flange_b, self.two.flange_a)
            a, b = ends if own == ratio else reversed(ends)
            a >> gear.flange_a
            gear.flange_b >> b


def shared(tables, ratio, tau):
    """Return the acceleration of the first rotor, and the torques of the teeth of gears.

    Gear k takes τ_k with teeth λ_k: 1 a = τ − Σ τ_k, 1.5 a / i = i Σ λ_k, and driven forward
    λ_k = η_k τ_k − b_k. Among all λ with this sum the least have Σ λ_k² as small as can be: equal.
    """
    n = len(tables)
    A, rhs = np.zeros((2 * n + 1, 2 * n + 1)), np.zeros(2 * n + 1)
    A[0, 0], A[0, 1 : n + 1], rhs[0] = 1.0, 1.0, tau
    A[1, 0], A[1, n + 1 :] = 1.5 / ratio, -ratio
    for k, (_, eta, _, bearing, _) in enumerate(tables):
        A[2 + k, 1 + k], A[2 + k, n + 1 + k], rhs[2 + k] = eta, -1.0, bearing
    for k in range(n - 1):
        A[n + 2 + k, n + 1], A[n + 2 + k, n + 2 + k] = 1.0, -1.0
    x = np.linalg.solve(A, rhs)
    return x[0], x[n + 1 :]


TABLES = [
    [(0.0, 0.8, 0.7, 0.1, 0.1), (0.0, 0.9, 0.9, 0.05, 0.05)],
    [(0.0, 0.8, 0.8, 0.0, 0.0)] * 3,
]


@pytest.mark.slow
@pytest.mark.parametrize("tables", TABLES)
def test_gears_in_parallel_share_their_load_and_that_is_told(tables):
    """Rigid gears do not tell how: the least torques of the teeth are taken."""
    model = Parallel(tables=tables)
    result = model.simulate(1e-3)
    a, teeth = shared(tables, 2.0, 5.0)
    np.testing.assert_allclose(result["one.a"], a, rtol=1e-9)
    for k, own in enumerate(teeth):
        torque = np.asarray(result[f"gear[{k + 1}].flange_b.tau"])
        np.testing.assert_allclose(torque, -2.0 * own, rtol=1e-9)
    assert "gear[2] couples what already moves together" in model.explain()


def test_it_does_not_matter_which_way_round_a_gear_without_losses_is_mounted():
    ideal = (0.0, 1.0, 1.0, 0.0, 0.0)
    for turned in (False, True):
        result = Parallel(tables=[ideal, ideal], turned=turned).simulate(1e-3)
        a = 5.0 / (1.0 + 1.5 / 4.0)
        through = 1.5 * a / 4.0 / 2.0  # at the faster shaft, of each gear
        ports = ["gear[1].flange_a.tau", f"gear[2].flange_{'b' if turned else 'a'}.tau"]
        for port in ports:
            np.testing.assert_allclose(np.abs(result[port]), through, rtol=1e-12)


class Hit(Model):
    """A rotor of 1 kg·m² drives through a gear a body of 1.5 kg·m² against a stop."""

    def build(self, table, ratio, e, w, push):
        self.world = World(g=0.0)
        ahead = w / ratio > 0.0
        stops = (None, 1.0) if ahead else (-1.0, None)
        self.hinge = Revolute(
            n=(0, 0, 1), useAxisFlange=True, stops=stops, restitution=e, phi=0.0
        )
        self.body = parts.Body(m=1.0, r_CM=(0, 0, 0), I_11=1.0, I_22=1.0, I_33=1.5)
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.body.frame_a
        self.one = rot.Inertia(J=1.0, w=w)
        self.gear = rot.LossyGear(ratio=ratio, lossTable=(table,))
        self.push = rot.ConstantTorque(tau_constant=push)
        self.push.flange >> self.one.flange_a
        self.one.flange_b >> self.gear.flange_a
        self.gear.flange_b >> self.hinge.axis


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(
    ("push", "ratio", "w"), [(-1.0, 2.0, 10.0), (0.0, -0.7, 8.0), (1.0, 1.5, -6.0)]
)
def test_in_a_hit_the_side_drives_that_the_impulse_tells(e, push, ratio, w):
    """Stopped at flange_b, the rotor at flange_a drives, whatever drove before.

    The rotor gives (1 + e) w⁻, of which the teeth take the part 1 − η.
    """
    eta = 0.6
    given = {"ratio": ratio, "w": w, "e": e, "push": push}
    result = Hit(table=(0.0, eta, 0.5, 0.02, 0.03), **given).simulate(1.5)
    k = next(k for k, event in enumerate(result.events) if event.what == "hits")
    at, own = result.at_event(k), result.events[k]
    before = at.before["one.w"]
    given_by_rotor = (1.0 + e) * before
    impulse = 1.5 * (1.0 + e) * before / ratio + ratio * eta * given_by_rotor
    assert abs(own.impulse) == pytest.approx(abs(impulse), rel=1e-9)
    lost = sum(event.energy_lost for event in result.events if event.time == own.time)
    change = at.before.energy()["kinetic"] - at.after.energy()["kinetic"]
    assert lost == pytest.approx(change, rel=1e-9, abs=1e-9)
    assert all(e.energy_lost >= -1e-12 for e in result.events if e.time == own.time)


@pytest.mark.slow
def test_a_gearbox_hits_by_its_spring_alone():
    """Behind elastic teeth a hit does not reach the losses at once."""

    class Boxed(Hit):
        def build(self):
            super().build(
                table=(0.0, 0.6, 0.5, 0.02, 0.03), ratio=2.0, e=0.5, w=10.0, push=0.0
            )
            self.extra = rot.Gearbox(
                ratio=3.0, lossTable=((0.0, 0.9, 0.8, 0.0, 0.0),), c=500.0
            )
            self.end = rot.Inertia(J=0.2)
            self.one.flange_b >> self.extra.flange_a
            self.extra.flange_b >> self.end.flange_a

    result = Boxed().simulate(0.5, rtol=1e-8)
    hit = next(k for k, event in enumerate(result.events) if event.what == "hits")
    assert result.at_event(hit).before["end.w"] == result.at_event(hit).after["end.w"]
    assert (np.array([e.energy_lost for e in result.events]) >= -1e-12).all()


def test_a_one_way_clutch_carries_the_impulse_of_a_hit_one_way_only():
    """Locked it pushes what it drives into the stop; overrun it lets its rotor go on."""

    class Freed(Hit):
        def build(self, w):
            super().build(
                table=(0.0, 1.0, 1.0, 0.0, 0.0), ratio=1.0, e=0.0, w=5.0, push=0.0
            )
            self.clutch, self.free = rot.OneWayClutch(), rot.Inertia(J=2.0, phi=0.0, w=w)
            self.press = blocks.Constant(k=0.0)
            self.press.y >> self.clutch.f_normalized
            self.free.flange_b >> self.clutch.flange_a
            self.clutch.flange_b >> self.one.flange_a

    for w, exact in ((5.0, 5.0 * 4.5), (3.0, 5.0 * 2.5 + 2.0 * 3.0)):
        result = Freed(w=w).simulate(0.3)
        at = result.at_event(len(result.events) - 1)
        pushes = [event.impulse for event in result.events.of("hinge") if event.impulse]
        assert abs(sum(pushes)) == pytest.approx(exact)
        assert at.after["free.w"] == pytest.approx(0.0, abs=1e-12)
        assert at.after["hinge.w"] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_clutches_without_load_rest_beside_a_gear_that_turns(count):
    """Behind a clutch that is open nothing acts: what is pressed there rests, with no force."""
    model = Model()
    model.driven = rot.Inertia(J=0.7, phi=0.0, w=2.0)
    model.gear = rot.LossyGear(ratio=-1.13, lossTable=((0.0, 0.54, 0.54, 0.35, 0.67),))
    model.open = rot.Clutch(fn_max=10.0)
    model.clutches = [rot.Clutch(fn_max=5.0 * 1.7**k) for k in range(count)]
    model.rotors = [rot.Inertia(J=0.5 + 0.13 * k) for k in range(count + 2)]
    model.none, model.pressed = blocks.Constant(k=0.0), blocks.Constant(k=0.7)
    model.driven.flange_b >> model.gear.flange_a
    model.gear.flange_b >> model.rotors[0].flange_a
    model.none.y >> model.open.f_normalized
    for k, clutch in enumerate([model.open, *model.clutches]):
        model.rotors[k].flange_b >> clutch.flange_a
        clutch.flange_b >> model.rotors[k + 1].flange_a
        if k:
            model.pressed.y >> clutch.f_normalized
    result = model.simulate(2.0)
    assert result.complete, result.info.message
    for k in range(count):
        assert (result[f"clutches[{k + 1}].mode"] == 0).all()
        assert result[f"rotors[{k + 2}].w"] == pytest.approx(0.0, abs=1e-15)
    assert result["driven.w"][-1] < 2.0
