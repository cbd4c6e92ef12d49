"""Frames without mass between springs and dampers: forces balance there."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import forces
from motorik.errors import AssemblyError, IncompleteRunWarning
from tests.refusals import refused

POSTS = ((1.0, 1.0, 0.0), (-1.0, 1.0, 0.3), (0.0, 0.8, -1.0))
STIFF = (50.0, 100.0, 150.0)


def star(
    link: mk.Part, length: float = 0.5, *, mass: float = 0.0, g: float = 9.81
) -> mk.Model:
    """Return a body on a part `link`, whose other end three springs hold to posts."""
    model = mk.Model()
    model.world = mk.World(g=g)
    model.body = mk.Body(m=1.0, r_0=(0.3, -0.5, 0.1), v_0=(0.5, 0.0, 0.3))
    model.link = link
    for k, (place, c) in enumerate(zip(POSTS, STIFF, strict=True)):
        post, spring = mk.Fixed(r=place), forces.Spring(c=c, s_unstretched=length)
        setattr(model, f"post{k}", post)
        setattr(model, f"s{k}", spring)
        post.frame_b >> spring.frame_a
        spring.frame_b >> link.frame_a
    link.frame_b >> model.body.frame_a
    if mass:
        model.point = mk.PointMass(m=mass)
        model.point.frame_a >> link.frame_a
    return model


def forces_at_the_point(result: mk.Result, *others: str) -> np.ndarray:
    names = ("s0.frame_b", "s1.frame_b", "s2.frame_b", "link.frame_a", *others)
    return sum(result[f"{name}.f"] for name in names)


def place(result: mk.Result) -> np.ndarray:
    return result["link.frame_a.r_0"]


# --- springs ------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_star_of_springs_without_length_is_one_spring():
    """Springs of no length pull as c (r − p): all of it is linear, the same in all directions."""
    model = star(forces.Spring(c=80.0), 0.0)
    result = model.simulate(3.0, rtol=1e-11)
    total, c = sum(STIFF), 80.0
    centre = sum(k * np.array(p) for k, p in zip(STIFF, POSTS, strict=True)) / total
    series = c * total / (c + total)
    rest = centre + np.array([0.0, -9.81 / series, 0.0])
    omega, t = np.sqrt(series), result.time[:, None]
    away = np.array([0.3, -0.5, 0.1]) - rest
    exact = rest + away * np.cos(omega * t)
    exact = exact + np.array([0.5, 0.0, 0.3]) / omega * np.sin(omega * t)
    assert np.abs(result["body.r_0"] - exact).max() < 1e-9
    assert np.abs(place(result) - (total * centre + c * exact) / (total + c)).max() < 1e-9
    assert np.abs(forces_at_the_point(result)).max() < 1e-12


@pytest.mark.slow
def test_a_chain_of_springs_is_one_spring():
    """Points in one line with the springs: tension holds them across."""
    long, short = mk.Model(), mk.Model()
    stiff = [100.0 + 7.0 * k for k in range(6)]
    for model in (long, short):
        model.world = mk.World()
        model.body = mk.Body(m=1.0, r_0=(0.3, -2.0, 0.1), v_0=(0.5, 0.0, 0.3))
    last = long.world.frame_b
    for k, c in enumerate(stiff):
        spring = forces.Spring(c=c, s_unstretched=0.1)
        setattr(long, f"s{k}", spring)
        last >> spring.frame_a
        last = spring.frame_b
    last >> long.body.frame_a
    c = 1.0 / sum(1.0 / own for own in stiff)
    short.s = forces.Spring(c=c, s_unstretched=0.6)
    short.world.frame_b >> short.s.frame_a
    short.s.frame_b >> short.body.frame_a
    a, b = (model.simulate(0.3, rtol=1e-10) for model in (long, short))
    assert np.abs(a["body.r_0"] - b["body.r_0"]).max() < 1e-8
    assert np.abs(a["s5.f"] - b["s.f"]).max() < 1e-6


def limit(link, *, steps: int, **kinds: object) -> tuple[np.ndarray, np.ndarray]:
    """Return where the body goes without mass at the point, and with less and less mass."""
    model = star(link(), **kinds)
    result = model.simulate(1.0, rtol=1e-9, output=20)
    begin = result["link.frame_a.r_0"][0]
    speed = np.array([result[f"s0.frame_b.v_0[{k}]"][0] for k in (1, 2, 3)])
    runs = []
    for k in range(steps):
        heavy = star(link(), mass=1e-3 / 2**k, **kinds)
        heavy.point.r_0, heavy.point.v_0 = tuple(begin.tolist()), tuple(speed.tolist())
        runs.append(heavy.simulate(1.0, rtol=1e-9, output=20, method="bdf")["body.r_0"])
    return result["body.r_0"], 2.0 * runs[1] - runs[0]


@pytest.mark.slow
def test_it_is_the_limit_of_a_small_mass():
    """By springs alone the small mass swings; a damper beside each lets it come to rest."""
    exact, extrapolated = limit(
        lambda: forces.SpringDamperParallel(c=80.0, d=10.0, s_unstretched=0.3), steps=2
    )
    assert np.abs(exact - extrapolated).max() < 1e-5


@pytest.mark.slow
def test_energy_is_kept():
    result = star(forces.Spring(c=80.0, s_unstretched=0.3)).simulate(3.0, rtol=1e-11)
    energy = result.energy()
    assert np.ptp(energy["total"]) < 1e-7
    stored = sum(result[f"{name}.stored_energy"] for name in ("s0", "s1", "s2", "link"))
    assert np.abs(energy["stored"] - stored).max() < 1e-12
    assert np.abs(forces_at_the_point(result)).max() < 1e-11


@pytest.mark.slow
def test_speed_and_acceleration_are_the_rates_of_the_position():
    model = star(forces.Spring(c=80.0, s_unstretched=0.3))
    h = 1e-3
    result = model.simulate(0.1, rtol=1e-12, interval=h)
    r = place(result)
    system = model.compile()
    v = np.stack([result[f"s0.frame_b.v_0[{k}]"] for k in (1, 2, 3)], axis=1)
    slope = (r[:-4] - 8.0 * r[1:-3] + 8.0 * r[3:-1] - r[4:]) / (12.0 * h)
    assert np.abs(v[2:-2] - slope).max() < 1e-8
    names = [f"s0.frame_b.v_0[{k}]" for k in (1, 2, 3)]
    own = [system.layout.index[name] for name in names]
    X = np.stack([result[name] for name in system.layout.motion_names], axis=1)
    rates = system.full_state_rates.map(result.time.reshape(-1, 1), X, np.zeros(0))
    slope = (v[:-4] - 8.0 * v[1:-3] + 8.0 * v[3:-1] - v[4:]) / (12.0 * h)
    assert np.abs(rates[2:-2, own] - slope).max() < 1e-6


# --- dampers ------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_spring_and_a_damper_between_frames():
    """The damper acts along its line alone; across it springs hold the point."""
    one, two = mk.Model(), mk.Model()
    for model in (one, two):
        model.world = mk.World()
        model.body = mk.Body(m=1.0, r_0=(0.3, -0.5, 0.1), v_0=(0.5, 0.0, 0.3))
    one.damper, one.spring = (
        forces.Damper(d=20.0),
        forces.Spring(c=100.0, s_unstretched=0.2),
    )
    one.world.frame_b >> one.damper.frame_a
    one.damper.frame_b >> one.spring.frame_a
    one.spring.frame_b >> one.body.frame_a
    two.both = forces.SpringDamperSeries(c=100.0, s_unstretched=0.2, d=20.0, s_damper=0.1)
    two.world.frame_b >> two.both.frame_a
    two.both.frame_b >> two.body.frame_a
    line = np.array([0.3, -0.5, 0.1])
    begin = 0.1 * line / np.linalg.norm(line)
    start = {f"damper.frame_b.r_0[{k + 1}]": x for k, x in enumerate(begin.tolist())}
    a = one.simulate(0.3, rtol=1e-10, initial=start)
    b = two.simulate(0.3, rtol=1e-10)
    assert np.abs(a["body.r_0"] - b["body.r_0"]).max() < 1e-8
    assert np.abs(a["damper.s"] - b["both.s_damper"]).max() < 1e-8
    assert np.abs(a["damper.f"] - a["spring.f"]).max() < 1e-10


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2])
def test_dampers_in_one_two_or_three_directions(count):
    """Against the limit of a small mass."""

    def made(mass: float) -> mk.Model:
        link = forces.SpringDamperParallel(c=80.0, d=10.0, s_unstretched=0.3)
        model = star(link, mass=mass)
        for k in range(count):
            damper = forces.Damper(d=3.0 + k)
            setattr(model, f"d{k}", damper)
            getattr(model, f"post{k}").frame_b >> damper.frame_a
            damper.frame_b >> link.frame_a
        return model

    result = made(0.0).simulate(1.0, rtol=1e-9, output=20)
    extra = [f"d{k}.frame_b" for k in range(count)]
    assert np.abs(forces_at_the_point(result, *extra)).max() < 1e-10
    speed = [float(result[f"d0.frame_b.v_0[{k}]"][0]) for k in (1, 2, 3)]
    runs = []
    for mass in (1e-3, 5e-4):
        heavy = made(mass)
        heavy.point.r_0, heavy.point.v_0 = tuple(place(result)[0].tolist()), tuple(speed)
        runs.append(heavy.simulate(1.0, rtol=1e-9, output=20, method="bdf")["body.r_0"])
    assert np.abs(result["body.r_0"] - 2.0 * runs[1] + runs[0]).max() < 1e-5


# --- beside loops -------------------------------------------------------------------------


def four_bar() -> mk.Model:
    """Return a four-bar whose coupler is held by a star of springs."""
    model = mk.Model()
    model.world, model.base = mk.World(), mk.Fixed(r=(0.9, 0.0, 0.0))
    for k, length in enumerate((0.4, 1.0, 0.7)):
        setattr(model, f"bar{k}", mk.BodyBox(r=(length, 0, 0), width=0.05))
    model.j0 = mk.Revolute(phi=0.6, w=1.0)
    model.j1, model.j2, model.j3 = mk.Revolute(), mk.Revolute(), mk.Revolute()
    model.world.frame_b >> model.j0.frame_a
    model.j0.frame_b >> model.bar0.frame_a
    model.bar0.frame_b >> model.j1.frame_a
    model.j1.frame_b >> model.bar1.frame_a
    model.bar1.frame_b >> model.j2.frame_a
    model.base.frame_b >> model.j3.frame_a
    model.j3.frame_b >> model.bar2.frame_a
    model.bar2.frame_b >> model.j2.frame_b
    model.top, model.low = mk.Fixed(r=(0.5, 2.0, 0.2)), mk.Fixed(r=(0.3, -1.0, -0.4))
    model.s0 = forces.Spring(c=30.0, s_unstretched=0.2)
    model.s1 = forces.Spring(c=40.0, s_unstretched=0.1)
    model.s2 = forces.Spring(c=50.0, s_unstretched=0.1)
    model.top.frame_b >> model.s0.frame_a
    model.low.frame_b >> model.s1.frame_a
    model.bar1.frame_a >> model.s2.frame_a
    model.s0.frame_b >> model.s1.frame_b
    model.s0.frame_b >> model.s2.frame_b
    return model


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["projected", "baumgarte", "absolute"])
def test_every_strategy_moves_the_point_alike(strategy):
    a = four_bar().simulate(1.0, rtol=1e-9, output=50)
    model = four_bar()
    b = model.simulate(1.0, rtol=1e-9, output=50, strategy=strategy)
    assert np.abs(a["s0.frame_b.r_0"] - b["s0.frame_b.r_0"]).max() < 1e-8
    assert np.abs(a["j0.phi"] - b["j0.phi"]).max() < 1e-7
    balance = sum(b[f"s{k}.frame_b.f"] for k in range(3))
    assert np.abs(balance).max() < 1e-11
    assert np.ptp(b.energy()["total"]) < 1e-6
    kinds = [guarded.kind for guarded in model.compile(strategy=strategy).guarded]
    assert kinds.count("not held") == 3


@pytest.mark.slow
def test_live_stiffness_and_many_starts():
    model = star(forces.Spring(c=80.0), 0.0, g=0.0)
    model.c = mk.Parameter(80.0, unit="N/m")
    model.link.c = model.c
    for k in range(12):  # from the ninth on in native code
        c, x = 40.0 + 10.0 * k, 0.3 + 0.05 * k
        start = {"body.r_0[1]": x, "s0.frame_b.r_0[2]": 0.4}
        result = model.simulate(0.2, rtol=1e-10, parameters={"c": c}, initial=start)
        total = sum(STIFF)
        centre = sum(k * np.array(p) for k, p in zip(STIFF, POSTS, strict=True)) / total
        exact = (total * centre + c * result["body.r_0"]) / (total + c)
        assert np.abs(place(result) - exact).max() < 1e-11


@pytest.mark.slow
def test_the_torque_that_a_motion_takes():
    """Springs without length in a star pull the tip of an arm as one spring."""
    model = star(forces.Spring(c=80.0), 0.0, g=0.0)
    model.hinge, model.arm = mk.Revolute(n="z"), mk.FixedTranslation(r=(0.5, 0.0, 0.0))
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.arm.frame_a
    model.arm.frame_b >> model.body.frame_a
    model.body.r_0, model.body.v_0 = mk.guess((0.5, 0.0, 0.0)), mk.guess((0.0, 0.0, 0.0))
    time = np.linspace(0.0, 1.0, 11)
    phi, rate, second = 0.8 * time**2, 1.6 * time, np.full(time.size, 1.6)
    found = model.inverse_dynamics(time, {"hinge.phi": (phi, rate, second)})["hinge.phi"]
    total = sum(STIFF)
    centre = sum(k * np.array(p) for k, p in zip(STIFF, POSTS, strict=True)) / total
    tip = 0.5 * np.stack([np.cos(phi), np.sin(phi)], axis=1)
    pull = 80.0 * total / (80.0 + total) * (centre[:2] - tip)
    moment = tip[:, 0] * pull[:, 1] - tip[:, 1] * pull[:, 0]
    inertia = 0.25 + model.body.I_33
    assert np.abs(found - inertia * second + moment).max() < 1e-9


# --- guided by a joint ----------------------------------------------------------------------


def test_a_slider_without_mass_between_springs():
    model = mk.Model()
    model.world, model.rail = mk.World(g=0.0), mk.Prismatic(n="x")
    model.slide, model.body = mk.Prismatic(n="x", s=1.0), mk.Body(m=2.0)
    model.a, model.b = forces.Spring(c=30.0), forces.Spring(c=60.0)
    model.world.frame_b >> model.rail.frame_a
    model.world.frame_b >> model.slide.frame_a
    model.slide.frame_b >> model.body.frame_a
    model.world.frame_b >> model.a.frame_a
    model.a.frame_b >> model.rail.frame_b
    model.rail.frame_b >> model.b.frame_a
    model.b.frame_b >> model.body.frame_a
    result = model.simulate(0.3, rtol=1e-11)
    exact = np.cos(np.sqrt(10.0) * result.time)
    assert np.abs(result["slide.s"] - exact).max() < 1e-10
    assert np.abs(result["rail.s"] - 2.0 / 3.0 * exact).max() < 1e-10


# --- where nothing holds it ------------------------------------------------------------------


def in_series(length: float) -> mk.Model:
    model = mk.Model()
    model.world, model.body = mk.World(), mk.Body(m=1.0, r_0=(0.0, -2.0, 0.0))
    model.a = forces.Spring(c=100.0, s_unstretched=length)
    model.b = forces.Spring(c=100.0, s_unstretched=length)
    model.world.frame_b >> model.a.frame_a
    model.a.frame_b >> model.b.frame_a
    model.b.frame_b >> model.body.frame_a
    return model


def test_springs_in_line_without_force_are_refused():
    with refused(AssemblyError, "a.frame_b", "nothing holds it", "stretched"):
        in_series(1.0).simulate(0.1)


def test_slack_springs_are_refused():
    model = in_series(1.5)
    with refused(AssemblyError, "a.frame_b", "nothing holds it", "slack"):
        model.simulate(0.1, initial={"a.frame_b.r_0[1]": 1.0})


def test_a_point_between_compressed_springs_is_refused():
    model = in_series(1.5)  # in one line, where it would buckle
    with refused(AssemblyError, "a.frame_b", "unstable", "joint"):
        model.simulate(0.1)


def test_a_torque_on_a_point_is_refused():
    model = in_series(0.1)
    model.torque = forces.WorldTorque()
    model.torque.frame_b >> model.a.frame_b
    for k in range(3):
        1.0 >> model.torque.torque[k]
    with refused(AssemblyError, "frame_b", "torque", "orientation", "Body"):
        model.compile()


def pushed_through() -> mk.Model:
    """Return a body that pushes a point through between three posts: it snaps over."""
    model = star(forces.Spring(c=5.0, s_unstretched=0.3), 1.0, g=0.0)
    for k, r in enumerate(((0.0, 1.0, 0.0), (0.0, -1.0, 0.5), (0.0, -1.0, -0.5))):
        getattr(model, f"post{k}").r = r
        getattr(model, f"s{k}").c = 11.0 + k
    model.body.r_0, model.body.v_0 = (1.5, 0.0, 0.0), (-0.5, 0.0, 0.0)
    model.slide = mk.Prismatic(n="x", s=1.5, v=-0.5)
    model.world.frame_b >> model.slide.frame_a
    model.slide.frame_b >> model.body.frame_a
    return model


@pytest.mark.slow
def test_a_run_ends_where_nothing_holds_the_point():
    model = pushed_through()
    with pytest.warns(IncompleteRunWarning, match="s0.frame_b has no mass"):
        result = model.simulate(5.0)
    assert not result.complete and 0.5 < result.time[-1] < 2.0
    assert np.abs(forces_at_the_point(result)).max() < 1e-6
    assert "Give it a small mass" in result.info.message


@pytest.mark.slow
def test_the_rates_of_the_margins_are_right():
    system = pushed_through().compile()
    run = pushed_through().simulate(0.5, rtol=1e-10, output=10)
    X = np.stack([run[name] for name in system.layout.motion_names], axis=1)
    count = len(system.guarded)
    h, none = 1e-5, np.zeros(0)
    assert count == 3
    for t, row in zip(run.time, X, strict=True):
        x = system.layout.state_of(row)
        rate = system.derivative(np.array([t]), x, none)
        low, here, high = (
            system.margins(np.array([t]), x + s * h * rate, none) for s in (-1.0, 0.0, 1.0)
        )
        slope = (high[:count] - low[:count]) / (2.0 * h)
        assert here[count:] == pytest.approx(slope, rel=1e-4, abs=1e-9)
