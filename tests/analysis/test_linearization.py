"""Linear equations of small motions: closed forms, differences, and one strategy by another."""

from __future__ import annotations

import math
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from motorik import Body, Model, Parameter, Prismatic, Revolute, World, translational
from motorik.errors import MotorikError, ParameterError, SimulationError, UnknownNameError
from tests.analysis.models import (
    G,
    ball_pendulum,
    pendulum,
    quarter_car,
    spring_chain,
    suspension,
)

STEP = 1e-5
J = 2.0 * 0.5**2 + 0.001  # of the pendulum


def test_quarter_car_has_the_matrices_of_its_equations():
    linear = quarter_car().linearize("push.f_constant", ["tyre.f", "body.a"])
    order = [linear.states.index(n) for n in ("wheel.s", "body.s", "wheel.v", "body.v")]
    m, M, c, k, d = 40.0, 300.0, 160e3, 16e3, 1200.0
    A = np.array(
        [
            [0, 0, 1, 0],
            [0, 0, 0, 1],
            [-(c + k) / m, k / m, -d / m, d / m],
            [k / M, -k / M, d / M, -d / M],
        ]
    )
    assert np.allclose(linear.A[np.ix_(order, order)], A, rtol=1e-13, atol=1e-12)
    assert np.allclose(linear.B[order, 0], [0, 0, 0, 1 / M], atol=1e-16)
    assert np.allclose(linear.C[:, order], [[c, 0, 0, 0], A[3]], rtol=1e-13)
    assert np.allclose(linear.D[:, 0], [0, 1 / M], atol=1e-16)
    assert linear.input_units == ("N",) and linear.output_units == ("N", "m/s2")
    modes = quarter_car().modes()
    assert modes.is_stable is True
    expected = np.linalg.eigvals(A)
    assert modes[0].natural_frequency == pytest.approx(
        np.abs(expected).min() / math.tau, rel=1e-12
    )
    damped = quarter_car().modes(parameters={"strut.d": 0.0})
    assert damped.is_stable is None and all(mode.is_stable for mode in damped)


def test_a_chain_of_springs_has_its_known_frequencies():
    n, c, m = 12, 500.0, 0.2
    modes = spring_chain().modes()
    k = np.arange(1, n + 1)
    expected = 2 * math.sqrt(c / m) * np.sin(k * math.pi / (2 * (n + 1))) / math.tau
    assert np.allclose(modes.frequencies, expected, rtol=1e-12)
    third = np.array([modes[2].shape[f"mass{i}.s"] for i in range(n)])
    shape = np.sin(3 * k * math.pi / (n + 1))
    assert np.allclose(third / third[0], shape / shape[0], atol=1e-10)
    assert modes.is_stable is None  # they neither grow nor decay


def test_a_quaternion_gives_three_freedoms():
    model = ball_pendulum()
    linear = model.linearize()
    assert len(linear.states) == 6
    about_x, about_y = (
        math.sqrt(1.5 * G * 0.4 / (I + 1.5 * 0.4**2)) / math.tau for I in (0.1, 0.2)
    )
    found = sorted(linear.modes().frequencies)
    assert np.allclose(found[-2:], [about_y, about_x], rtol=1e-12)
    assert found[0] < 1e-6  # it turns freely about its axis


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["projected", "baumgarte", "absolute"])
def test_strategies_for_loops_have_one_linearisation(strategy):
    names = ["tyre.f", "mount.frame_a.f"]
    given = {"inputs": "inner_joint.phi", "outputs": names, "anywhere": True}
    one, other = (
        suspension().linearize(**given),
        suspension().linearize(**given, strategy=strategy),
    )
    for s in (10j, 3.0 + 70j):
        first, second = (
            L.C @ np.linalg.solve(s * np.eye(2) - L.A, L.B) + L.D for L in (one, other)
        )
        assert np.abs(first - second).max() < 1e-9 * np.abs(first).max()


@pytest.mark.slow
def test_loops_agree_with_differences_of_the_compiled_model():
    """Outputs by states along the loops, reactions among them, and accelerations."""
    model = suspension()
    names = ["inner_joint.a", "tyre.f", "mount.frame_a.f", "hub.frame_b.r_0"]
    at = {"inner_joint.phi": 0.03, "inner_joint.w": 0.7}
    linear = model.linearize((), names, at=at, anywhere=True)

    def values(state: str, change: float) -> np.ndarray:
        found = model.evaluate(names, at={**at, state: at[state] + change})
        return np.concatenate([np.atleast_1d(found[name]) for name in names])

    for k, state in enumerate(linear.states):
        column = (values(state, STEP) - values(state, -STEP)) / (2 * STEP)
        assert np.allclose(column, linear.C[:, k], rtol=1e-5, atol=1e-3), state
    assert np.allclose(linear.A[1], linear.C[0], rtol=1e-10)


@pytest.mark.slow
def test_descriptor_form_has_the_same_transfer_function():
    model, joint = suspension(), "inner_joint.phi"
    balanced = 0.0
    for _ in range(6):  # Newton's method to the equilibrium
        at = {joint: balanced}
        linear = model.linearize((), "inner_joint.a", at=at, anywhere=True)
        balanced -= model.evaluate("inner_joint.a", at)["inner_joint.a"] / linear.C[0, 0]
    given = {"inputs": joint, "outputs": ["tyre.f", "mount.frame_a.f"]}
    one = model.linearize(**given, at={joint: balanced})
    other = model.linearize(
        **given, at={joint: balanced}, form="descriptor", strategy="projected"
    )
    assert other.E is not None and other.A.shape == other.E.shape
    assert [name for name in other.states if ".lambda[" in name]
    for s in (10j, 3.0 + 70j):
        first = one.C @ np.linalg.solve(s * np.eye(2) - one.A, one.B) + one.D
        second = other.C @ np.linalg.solve(s * other.E - other.A, other.B) + other.D
        assert np.abs(first - second).max() < 1e-9 * np.abs(first).max()


def test_what_sticks_is_held_and_named():
    free, stuck = pendulum(), pendulum(friction=20.0, phi=0.3)
    assert len(free.linearize().states) == 2 and not free.linearize().held
    linear = stuck.linearize("torque.tau_constant", ["hinge.phi", "bearing.tau"])
    assert linear.states == () and linear.held == {"bearing": "stuck"}
    assert linear.D[0, 0] == 0.0 and abs(linear.D[1, 0]) == pytest.approx(1.0)
    assert len(stuck.modes()) == 0
    sliding = stuck.linearize(at={"hinge.w": 1.0}, anywhere=True)
    assert not sliding.held and len(sliding.states) == 2


def test_driven_coordinates_and_parameters_are_inputs():
    linear = pendulum().linearize(["hinge.phi", "torque.tau_constant"], "bob.frame_a.r_0")
    assert linear.B[1] == pytest.approx([1 / J] * 2)
    assert linear.inputs == ("hinge.phi", "torque.tau_constant")
    data = linear.to_xarray()
    assert float(data.A.sel(rate="der(hinge.w)", state="hinge.phi")) == pytest.approx(
        -G / J
    )
    assert data.input_unit.values.tolist() == ["N.m", "N.m"]
    assert "states: hinge.phi [rad], hinge.w [rad/s]" in repr(linear)


class Cube(Model):
    """A body in space that is turned about z."""

    def build(self):
        self.world = World(g=0.0)
        turned = {"angles_fixed": True, "angles_start": (0.0, 0.0, 0.5)}
        self.cube = Body(m=2.0, I_11=0.1, I_22=0.2, I_33=0.3, **turned)


def test_a_force_along_a_position_of_a_free_body_pushes_it_there():
    names = ["cube.r_0[1]", "cube.r_0[2]"]
    free = Cube().linearize(names, ["cube.a_0"])
    assert np.allclose(free.D, [[0.5, 0.0], [0.0, 0.5], [0.0, 0.0]], atol=1e-14)
    assert free.input_units == ("N", "N")
    with pytest.raises(ParameterError, match="part of a quaternion"):
        Cube().linearize("cube.Q[1]")


def test_where_nothing_moves_there_is_no_mode():
    stuck = pendulum(friction=20.0, phi=0.3).modes()
    assert len(stuck) == 0 and "nothing is free to move" in repr(stuck)
    assert "bearing (stuck)" in repr(stuck)


def test_python_control_gets_matrices_and_names(monkeypatch):
    linear = quarter_car().linearize("push.f_constant", "tyre.f")
    fake = SimpleNamespace(ss=lambda *matrices, **names: (matrices, names))
    monkeypatch.setitem(sys.modules, "control", fake)
    matrices, names = linear.to_control()
    assert all(
        given is own
        for given, own in zip(
            matrices, (linear.A, linear.B, linear.C, linear.D), strict=True
        )
    )
    assert names["inputs"] == ["push_f_constant"] and names["outputs"] == ["tyre_f"]
    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(MotorikError, match="pip install control"):
        linear.to_control()


def test_python_control_takes_the_names_as_they_are_given():
    control = pytest.importorskip("control", reason="python-control is not installed")
    linear = quarter_car().linearize("push.f_constant", ["tyre.f", "body.s"])
    plant = linear.to_control()
    assert isinstance(plant, control.StateSpace) and plant.input_labels == [
        "push_f_constant"
    ]
    assert plant.output_labels == ["tyre_f", "body_s"]
    assert np.allclose(sorted(plant.poles().imag), sorted(np.linalg.eigvals(linear.A).imag))


def test_a_mode_is_a_result_that_can_be_shown():
    modes = quarter_car().modes()
    film = modes.result(0, amplitude=0.02, periods=2)
    assert film["body.s"].max() == pytest.approx(0.02, rel=1e-9)
    assert film.time[-1] == pytest.approx(2 / modes[0].natural_frequency)
    assert "body.s" in repr(modes)
    for given, named in (
        ({"number": 7}, "number"),
        ({"number": 0, "amplitude": "far"}, "amplitude"),
        ({"number": 0, "periods": 0}, "periods"),
    ):
        with pytest.raises(ParameterError) as caught:
            modes.result(**given)
        assert caught.value.parameter == named


def test_a_mode_is_drawn_and_filmed_by_its_number(tmp_path):
    modes = quarter_car().modes()
    picture = modes.draw(1, size=(120, 90), file=tmp_path / "mode.png")
    assert (tmp_path / "mode.png").stat().st_size > 500
    assert picture.svg() != modes.draw(0, size=(120, 90)).svg()
    film = modes.to_movie(1, tmp_path / "mode.gif", fps=5, size=(60, 40))
    with Image.open(film) as movie:  # eleven hertz, and yet two seconds long
        assert 10 <= movie.n_frames <= 11
    for draw in (modes.draw, modes.show):
        with pytest.raises(ParameterError, match="Give one from 0 to 1"):
            draw(2)


def test_a_film_of_a_mode_keeps_loops_closed():
    film = suspension().modes(anywhere=True).result(0)
    assert max(film.constraint_violation()) < 1e-6
    assert np.ptp(film["hub.frame_b.r_0"][:, 2]) > 0.01


def test_what_is_wrong_is_named():
    model = quarter_car()
    with pytest.raises(UnknownNameError, match=r"Did you mean 'push.f_constant'"):
        model.linearize("push.f_constnt")
    with pytest.raises(UnknownNameError, match="tyre"):
        model.linearize((), "tire.f")
    with pytest.raises(UnknownNameError, match="neither a name nor a list"):
        model.linearize((), 3)
    with pytest.raises(ParameterError, match="minimal"):
        model.linearize(form="minimum")
    with pytest.raises(SimulationError, match="no matrix E"):
        model.linearize(form="descriptor").to_control()
    with pytest.raises(SimulationError, match="multipliers"):
        model.linearize(form="descriptor").modes()
    with pytest.raises(SimulationError, match="only what is smooth"):
        pendulum(friction=20.0, phi=0.3).linearize(form="descriptor")
    with pytest.raises(
        SimulationError, match=r"hinge.w: changes at -5\.78\d* rad/s2.*not an"
    ):
        pendulum().linearize(at={"hinge.phi": 0.3})
    with pytest.raises(SimulationError, match="is not a time"):
        pendulum().linearize(time="now")


class CartPole(Model):
    """An inverted pendulum on a cart: data of the Control Tutorials, University of Michigan."""

    def build(self):
        self.world, self.rail = World(g=9.8, n="-y"), Prismatic(n="x", useAxisFlange=True)
        self.cart = Body(m=0.5)
        self.hinge = Revolute(n="z")
        self.pole = Body(m=0.2, r_CM=(0.0, 0.3, 0.0), I_11=0.006, I_33=0.006)
        self.friction = translational.Damper(d=0.1)
        self.push = translational.ConstantForce(f_constant=Parameter(0.0))
        self.world.frame_b >> self.rail.frame_a
        self.rail.frame_b >> self.cart.frame_a
        self.rail.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.pole.frame_a
        self.friction.flange_a >> self.rail.support
        self.friction.flange_b >> self.rail.axis
        self.push.flange >> self.rail.axis


def test_a_cart_pole_has_the_published_matrices():
    linear = CartPole().linearize("push.f_constant")
    order = [linear.states.index(n) for n in ("rail.s", "rail.v", "hinge.phi", "hinge.w")]
    A = [[0, 1, 0, 0], [0, -0.1818, 2.6727, 0], [0, 0, 0, 1], [0, -0.4545, 31.1818, 0]]
    B = [[0], [1.8182], [0], [4.5455]]  # as printed, to four digits
    assert np.abs(linear.A[np.ix_(order, order)] - A).max() < 6e-5
    assert np.abs(linear.B[order] - B).max() < 6e-5
