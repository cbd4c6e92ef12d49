"""Where a run starts: as users gave it, whatever hides in parts, and as explain() says."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

import motorik as mk
from motorik import forces, guess, planar, translational
from motorik.assemblies import JointSSP
from motorik.components.joints.rods import SphericalSpherical
from tests.covering import each_once
from tests.laws.four_bars import DRAG, ROCKING, Lengths
from tests.laws.gallery_models import ALL, FEW, STRATEGIES, applies, model_of

MASSES = (1e-9, 1.0)


# --- masses on lines do not move the joints of users --------------------------------------------


def arms(m: float, line: Callable[[float], mk.Part], w: float = 0.4) -> mk.Model:
    """Return two arms that hang on guesses, with a line from the second to the world."""
    model = mk.Model()
    model.world = mk.World()
    model.post = mk.FixedTranslation(r=(1.1, 0.2, 0.3))
    model.one = mk.Revolute(n="z", phi=guess(-0.7), w=guess(w))
    model.two = mk.Revolute(n="y", phi=guess(0.9), w=guess(-w))
    model.upper = mk.BodyShape(r=(0.5, 0, 0), r_CM=(0.25, 0, 0), m=1.0)
    model.lower = mk.BodyShape(r=(0.6, 0, 0), r_CM=(0.3, 0, 0), m=2.0)
    model.line = line(m)
    mk.connect(model.world.frame_b, model.one.frame_a)
    mk.connect(model.world.frame_b, model.post.frame_a)
    mk.connect(model.one.frame_b, model.upper.frame_a)
    mk.connect(model.upper.frame_b, model.two.frame_a)
    mk.connect(model.two.frame_b, model.lower.frame_a)
    mk.connect(model.lower.frame_b, model.line.frame_a)
    mk.connect(model.post.frame_b, model.line.frame_b)
    return model


def line_force(m: float, kind: Callable[..., mk.Part]) -> mk.Model:
    """Return the arms with a spring in the drive line of a line force."""
    masses = {"m": m} if kind is forces.LineForceWithMass else {"m_a": m, "m_b": 2 * m}
    if kind is not forces.LineForceWithMass:
        masses |= {"L_a": 0.1, "L_b": 0.2}
    model = arms(m, lambda _: kind(**masses))
    model.spring = translational.Spring(c=10.0, s_rel0=0.4)
    mk.connect(model.line.flange_a, model.spring.flange_a)
    mk.connect(model.spring.flange_b, model.line.flange_b)
    return model


def tied(m: float, phi: object) -> mk.Model:
    """Return two arms in a plane, tied by a rod that does not fit the guesses."""
    model = mk.Model()
    model.world, model.post = mk.World(), mk.FixedTranslation(r=(1.0, 0, 0))
    model.one = mk.Revolute(n="z", phi=phi)
    model.two = mk.Revolute(n="z", phi=guess(-1.9))
    model.left = mk.BodyShape(r=(0.5, 0, 0), m=1.0)
    model.right = mk.BodyShape(r=(0.6, 0, 0), m=1.5)
    model.rod = SphericalSpherical(rodLength=0.75, m=m)
    mk.connect(model.world.frame_b, model.one.frame_a)
    mk.connect(model.world.frame_b, model.post.frame_a)
    mk.connect(model.post.frame_b, model.two.frame_a)
    mk.connect(model.one.frame_b, model.left.frame_a)
    mk.connect(model.two.frame_b, model.right.frame_a)
    mk.connect(model.left.frame_b, model.rod.frame_a)
    mk.connect(model.right.frame_b, model.rod.frame_b)
    return model


def slider(m: float) -> mk.Model:
    """Return a crank that drives a slider by an assembly whose rod has a mass."""
    model = mk.Model()
    model.world = mk.World()
    model.one = mk.Revolute(n="x", phi=guess(0.3), w=guess(2.0))
    model.crank = mk.BodyCylinder(r=(0, 0.5, 0.1), diameter=0.05)
    model.base = mk.FixedTranslation(r=(1.2, 0, 0))
    model.two = JointSSP(
        rod1Length=1.0488, rod1Mass=m, n_b="x", s_offset=-0.2, rRod2_ib=(0, 0.2, 0)
    )
    model.bar = mk.BodyCylinder(r=(0, 0.2, 0), diameter=0.05)
    mk.connect(model.world.frame_b, model.one.frame_a)
    mk.connect(model.one.frame_b, model.crank.frame_a)
    mk.connect(model.world.frame_b, model.base.frame_a)
    mk.connect(model.crank.frame_b, model.two.frame_a)
    mk.connect(model.base.frame_b, model.two.frame_b)
    mk.connect(model.bar.frame_a, model.two.frame_ib)
    return model


WITH_MASS: dict[str, Callable[[float], mk.Model]] = {
    "spring": lambda m: arms(m, lambda m: forces.Spring(c=10.0, m=m)),
    "spring, mass near an end": lambda m: arms(
        m, lambda m: forces.Spring(c=10.0, m=m, lengthFraction=0.1)
    ),
    "line force": lambda m: line_force(m, forces.LineForceWithMass),
    "line force, two masses": lambda m: line_force(m, forces.LineForceWithTwoMasses),
    "rod": lambda m: tied(m, guess(-1.2)),
    "rod, one arm fixed": lambda m: tied(m, -1.2),
    "assembly": slider,
}


def start_of(model: mk.Model, names: tuple[str, ...], strategy: str) -> np.ndarray:
    result = model.simulate(1e-6, output=1, strategy=strategy)
    assert max(result.constraint_violation()) < 1e-7
    return np.array([result[name][0] for name in names])


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "strategy", "m"), each_once(WITH_MASS, ["auto", "projected"], MASSES)
)
def test_a_mass_on_a_line_does_not_move_the_start(name, strategy, m):
    joints = ("one.phi", "two.prismatic.s" if name == "assembly" else "two.phi")
    without = start_of(WITH_MASS[name](0.0), joints, strategy)
    if name in ("spring", "line force"):
        np.testing.assert_array_equal(without, [-0.7, 0.9])
    found = start_of(WITH_MASS[name](m), joints, strategy)
    np.testing.assert_allclose(found, without, rtol=0, atol=1e-9)


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize(("name", "m"), each_once(WITH_MASS, MASSES))
def test_nor_does_it_move_the_speeds(name, m):
    joints = ("one.w", "two.prismatic.v" if name == "assembly" else "two.w")
    without = start_of(WITH_MASS[name](0.0), joints, "auto")
    if "spring" in name or "line force" in name:
        np.testing.assert_array_equal(without, [0.4, -0.4])
    found = start_of(WITH_MASS[name](m), joints, "auto")
    np.testing.assert_allclose(found, without, rtol=0, atol=1e-9)


# --- explain() tells the start of the result ----------------------------------------------------

LINE = re.compile(r"^  (\S+) = (\S+)(?: (\S+))? \((fixed|guess.*)\)$")


def told(text: str) -> dict[str, tuple[str, str, str]]:
    """Return the states that explain() lists: value, unit and how it is given."""
    _, _, rest = text.partition("states, with their start values:\n")
    found: dict[str, tuple[str, str, str]] = {}
    for line in rest.splitlines():
        match = LINE.match(line)
        if match is None:
            break
        found[match[1]] = (match[2], match[3] or "", match[4])
    return found


TOLD = [*((name, "auto") for name in ALL)]
TOLD += each_once(FEW, [strategy for strategy in STRATEGIES if strategy != "auto"])


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(("name", "strategy"), TOLD)
def test_explain_tells_the_states_the_start_and_the_freedom_of_the_result(name, strategy):
    if not applies(name, strategy):
        pytest.skip("this strategy does not apply")
    model = model_of(name)
    text = model.explain(strategy)
    result = model.simulate(1e-6 * ALL[name].stop, output=1, strategy=strategy)
    states = told(text)
    assert list(states) == result.state_names
    for k, (state, (value, unit, _)) in enumerate(states.items()):
        row = float(result.states[0, k])
        assert value == f"{row:g}" or abs(float(value) - row) < 1e-12, state
        assert unit == result.unit(state).replace("1", "", 1) or unit == result.unit(state)
    freedom = re.search(r"(\d+) degrees? of freedom.* (\d+) states?", text)
    summed = re.search(r"(\d+) degrees? of freedom", result.summary())
    assert freedom is not None and summed is not None
    assert int(freedom[2]) == len(states)
    assert freedom[1] == summed[1] == str(model.compile(strategy).freedom)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", FEW)
def test_all_strategies_find_the_same_freedom(name):
    found = {
        strategy: model_of(name).compile(strategy).freedom
        for strategy in STRATEGIES
        if applies(name, strategy)
    }
    assert len(found) >= 3 and len(set(found.values())) == 1, found


# --- guesses on bodies in the plane -------------------------------------------------------------


def hung(theta: object, along: object = None, **more: object) -> planar.Model:
    """Return a body on a hinge, and one on a slide that is at an angle of 0.4 rad."""
    model = planar.Model()
    model.ground = planar.Ground(ports={"O": (0, 0), "rail": (0.5, 0.2, 0.4)})
    model.bob = planar.Body(ports={"O": (-0.5, 0), "tip": (0.5, 0)}, theta=theta, **more)
    model.hinge = planar.Revolute()
    mk.connect(model.ground.O, model.hinge.frame_a)
    mk.connect(model.hinge.frame_b, model.bob.O)
    if along is not None:
        model.block = planar.Body(x=along)
        model.rail = planar.Translational()
        mk.connect(model.ground.rail, model.rail.frame_a)
        mk.connect(model.rail.frame_b, model.block.G)
        model.spring = planar.SpringDamper(c=10.0, s0=0.3)
        mk.connect(model.bob.tip, model.spring.frame_a)
        mk.connect(model.spring.frame_b, model.block.G)
    return model


PLANAR = ("auto", "absolute", "projected")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "theta", "fixed"), each_once(PLANAR, [0.0, -2.5], [False, True])
)
def test_a_guess_of_a_body_places_its_hinge(strategy, theta, fixed):
    wish = theta if fixed else guess(theta)
    model = hung(wish, guess(0.9))
    result = model.simulate(1e-6, output=1, strategy=strategy)
    assert result["bob.theta"][0] == pytest.approx(theta, abs=1e-9)
    assert result["hinge.phi"][0] == pytest.approx(theta, abs=1e-9)
    assert result["block.x"][0] == pytest.approx(0.9, abs=1e-9)
    assert result["block.y"][0] == pytest.approx(0.2 + 0.4 * np.tan(0.4), abs=1e-9)


@pytest.mark.kinds(3)
@pytest.mark.parametrize("strategy", PLANAR)
@pytest.mark.parametrize("wish", [2.0, guess(2.0)])
def test_a_speed_of_a_body_moves_its_hinge(strategy, wish):
    result = hung(0.9, w=wish).simulate(1e-6, output=1, strategy=strategy)
    assert result["bob.w"][0] == pytest.approx(2.0, abs=1e-4)


@pytest.mark.slow
def test_guessed_speeds_of_joints_move_bodies_with_coordinates_of_their_own():
    model = mk.Model()
    model.world = mk.World()
    model.one = mk.Revolute(n="z", phi=0.3, w=guess(2.0))
    model.two = mk.Revolute(n="y", phi=-0.8, w=guess(-3.0))
    model.upper, model.lower = (mk.BodyShape(r=(0.5, 0, 0.1), m=1.0) for _ in "ab")
    mk.connect(model.world.frame_b, model.one.frame_a)
    mk.connect(model.one.frame_b, model.upper.frame_a)
    mk.connect(model.upper.frame_b, model.two.frame_a)
    mk.connect(model.two.frame_b, model.lower.frame_a)
    result = model.simulate(1e-6, output=1, strategy="absolute")
    assert result["one.w"][0] == pytest.approx(2.0, abs=1e-9)
    assert result["two.w"][0] == pytest.approx(-3.0, abs=1e-9)


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", PLANAR)
@pytest.mark.parametrize("x", [0.0, 0.3])
def test_a_guess_of_zero_is_a_guess(strategy, x):
    """Of a body at the end of an arm: x = 0 is straight above or below the hinge."""
    model = hung(guess(1.2), x=guess(x))
    plain = hung(guess(1.2))
    moved, there = (
        m.simulate(1e-6, output=1, strategy=strategy)["bob.x"][0] for m in (model, plain)
    )
    assert there == pytest.approx(0.5 * np.cos(1.2), abs=1e-9)
    assert abs(moved - x) < abs(there - x)


def planar_four_bar(lengths: Lengths, phi: float, elbow: int, wish: str) -> planar.Model:
    """Return a four-bar of planar bodies; all that is known of its pose are guesses."""
    psi, theta = lengths.rocker_angle(phi, elbow), lengths.coupler_angle(phi, elbow)
    A = lengths.crank * np.array([np.cos(phi), np.sin(phi)])
    G = A + lengths.coupler / 2 * np.array([np.cos(theta), np.sin(theta)])
    F = [lengths.base, 0] + lengths.rocker / 2 * np.array([np.cos(psi), np.sin(psi)])
    known = {
        "angles": ({"theta": guess(theta)}, {"theta": guess(psi)}),
        "rough angles": ({"theta": guess(theta + 0.1)}, {"theta": guess(psi - 0.1)}),
        "all": tuple(
            {"theta": guess(a), "x": guess(p[0]), "y": guess(p[1])}
            for a, p in ((theta, G), (psi, F))
        ),
    }[wish]
    model = planar.Model()
    model.ground = planar.Ground(ports={"O": (0, 0), "foot": (lengths.base, 0)})
    for name, start in zip(
        ("crank", "coupler", "rocker"), ({"theta": phi}, *known), strict=True
    ):
        half = getattr(lengths, name) / 2
        ports = {"a": (-half, 0), "b": (half, 0)}
        setattr(model, name, planar.Body(ports=ports, I=half**2 / 3, **start))
    wires = (
        ("bearing", model.ground.O, model.crank.a),
        ("pin", model.crank.b, model.coupler.a),
        ("knuckle", model.rocker.b, model.coupler.b),
        ("pivot", model.ground.foot, model.rocker.a),
    )
    for name, one, other in wires:
        setattr(model, name, planar.Revolute())
        mk.connect(one, model.parts[name].frame_a)
        mk.connect(model.parts[name].frame_b, other)
    return model


POSES = [
    *((ROCKING, elbow, phi) for elbow in (1, -1) for phi in (0.0, 2.4)),
    *((DRAG, elbow, 0.0) for elbow in (1, -1)),
    *((DRAG, elbow, 0.9) for elbow in (1, -1)),
    (DRAG, -1, 2.4),
]


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("pose", "strategy", "wish"), each_once(POSES, PLANAR, ["rough angles", "all"])
)
def test_guesses_of_bodies_choose_the_elbow(pose, strategy, wish):
    lengths, elbow, phi = pose
    model = planar_four_bar(lengths, phi, elbow, wish)
    result = model.simulate(1e-6, output=1, strategy=strategy)
    assert result["crank.theta"][0] == pytest.approx(phi, abs=1e-9)
    for name, wanted in (
        ("coupler.theta", lengths.coupler_angle(phi, elbow)),
        ("rocker.theta", lengths.rocker_angle(phi, elbow)),
    ):
        turned = (result[name][0] - wanted + np.pi) % (2 * np.pi) - np.pi
        assert turned == pytest.approx(0.0, abs=1e-6), name
