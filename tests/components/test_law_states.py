"""Force laws with states: one contribution, tried against parts in series and closed forms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson
from scipy.linalg import expm

import motorik as mk
from motorik import gallery
from motorik import rotational as rot
from motorik import translational as tra
from motorik.algebra import Motor, Vector
from motorik.authoring import (
    Compliant,
    Contribution,
    DeclaredPart,
    FrameForce,
    LineForce,
    RotationalTwoFlanges,
    Scalar,
    TranslationalTwoFlanges,
    Values,
    frame,
    kinds,
    parameter,
    rotational_flange,
    start,
)
from motorik.errors import AssemblyError, ParameterError
from tests.refusals import refused

C, D, M = 100.0, 5.0, 2.0


class SeriesLaw(Compliant):
    """A spring and a damper in series: f = c (x − y), ẏ = f / d, with the damper's stretch y."""

    states = ("y",)
    c: kinds.Number = parameter("stiffness", default=C)
    d: kinds.Number = parameter("damping", default=D)

    @staticmethod
    def law(p: Values, x: Scalar, v: Scalar, y: Scalar) -> Scalar:
        """Return c (x − y)."""
        return p.c * (x - y)

    @staticmethod
    def rates(p: Values, x: Scalar, v: Scalar, y: Scalar) -> Sequence[Scalar]:
        """Return f / d."""
        return (p.c * (x - y) / p.d,)

    @staticmethod
    def stored(p: Values, x: Scalar, y: Scalar) -> Scalar:
        """Return ½ c (x − y)²."""
        return 0.5 * p.c * (x - y) * (x - y)

    @staticmethod
    def lost(p: Values, x: Scalar, v: Scalar, y: Scalar) -> Scalar:
        """Return f² / d."""
        f = p.c * (x - y)
        return f * f / p.d


class Maxwell(SeriesLaw, TranslationalTwoFlanges):
    """A Maxwell element between translational flanges."""

    y: kinds.StartDistance = start("stretch of the damper", "m")


class MaxwellTorsion(SeriesLaw, RotationalTwoFlanges):
    """A Maxwell element between rotational flanges."""

    y: kinds.StartAngle = start("twist of the damper", "rad")


class MaxwellLine(DeclaredPart):
    """A Maxwell element along the line between two frames, with the rest length L."""

    frame_a = frame("one end")
    frame_b = frame("other end")
    L: kinds.Number = parameter("rest length", unit="m", default=1.0)
    y: kinds.StartDistance = start("stretch of the damper", "m")

    @staticmethod
    def force(p: Values, t: Scalar, motions, y: Scalar) -> tuple[Motor, Motor]:
        """Return the forces on both ends, each in its frame."""
        (X_a, _), (X_b, _) = motions
        r = X_b.p - X_a.p
        length = r.norm()
        f = r * (C * (length - p.L - y) / length)
        still = Vector(0.0, 0.0, 0.0)
        return Motor(X_a.R.T @ f, still), Motor(-(X_b.R.T @ f), still)

    @staticmethod
    def rates(p: Values, t: Scalar, motions, y: Scalar) -> tuple[Scalar]:
        """Return the rate of y."""
        (X_a, _), (X_b, _) = motions
        return (C * ((X_b.p - X_a.p).norm() - p.L - y) / D,)

    @staticmethod
    def energy(p: Values, poses, y: Scalar) -> Scalar:
        """Return ½ c (length − L − y)²."""
        s = (poses[1].p - poses[0].p).norm() - p.L - y
        return 0.5 * C * s * s

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the force with its state."""
        own, frames = type(self), (self.frame_a, self.frame_b)
        law = FrameForce(self, frames, p, own.force, own.energy)
        yield replace(law, states=("y",), rates=own.rates)


class OnWall(mk.Model):
    """A mass on a Maxwell element."""

    def build(self, c: float | mk.Parameter = C) -> None:
        self.wall = tra.Fixed()
        self.element = Maxwell(c=c, y=0.02)
        self.mass = tra.Mass(m=M, s=0.1, v=0.0)
        mk.connect(self.wall.flange, self.element.flange_a)
        mk.connect(self.element.flange_b, self.mass.flange_a)


class InSeries(mk.Model):
    """The same made of a spring and a damper, with a point without mass between them."""

    def build(self) -> None:
        self.wall = tra.Fixed()
        self.damper, self.spring = tra.Damper(d=D), tra.Spring(c=C)
        self.mass = tra.Mass(m=M, s=0.1, v=0.0)
        mk.connect(self.wall.flange, self.damper.flange_a)
        mk.connect(self.damper.flange_b, self.spring.flange_a)
        mk.connect(self.spring.flange_b, self.mass.flange_a)


@pytest.mark.parametrize("method", ["dop853", "bdf"])
def test_a_maxwell_element_follows_its_closed_form(method):
    result = OnWall().simulate(2.0, rtol=1e-10, output=40, method=method)
    A = np.array([[0, 1, 0], [-C / M, 0, C / M], [C / D, 0, -C / D]])
    exact = np.array([expm(A * t) @ [0.1, 0.0, 0.02] for t in result.time])
    assert result.state_names == ["mass.s", "mass.v", "element.y"]
    np.testing.assert_allclose(result.states, exact, rtol=0, atol=2e-8)
    force = C * (exact[:, 0] - exact[:, 2])
    np.testing.assert_allclose(result["element.f"], force, rtol=0, atol=2e-6)
    assert result.unit("element.y") == "m"


def test_it_moves_as_a_spring_and_a_damper_in_series_do():
    one = OnWall().simulate(2.0, rtol=1e-10)
    two = InSeries().simulate(2.0, rtol=1e-10, initial={"damper.flange_b.s": 0.02})
    np.testing.assert_allclose(one["mass.s"], two["mass.s"], rtol=0, atol=1e-8)
    np.testing.assert_allclose(one["element.y"], two["damper.s_rel"], rtol=0, atol=1e-8)
    np.testing.assert_allclose(
        one["element.lossPower"], two["damper.lossPower"], rtol=0, atol=1e-7
    )


def test_the_energy_it_stores_changes_by_the_power_that_it_loses():
    result = OnWall().simulate(2.0, rtol=1e-11, output=4000)
    total, lost = result.energy()["total"], result["element.lossPower"]
    taken = cumulative_simpson(lost, x=result.time, initial=0.0)
    np.testing.assert_allclose(total + taken, total[0], rtol=1e-8)


def test_states_are_given_to_a_run_and_parameters_are_live():
    plain = OnWall(c=250.0).simulate(1.0, rtol=1e-9, initial={"element.y": 0.05})
    model = OnWall(c=mk.Parameter(C))
    live = model.simulate(
        1.0, rtol=1e-9, initial={"element.y": 0.05}, parameters={"c": 250.0}
    )
    assert plain["element.y"][0] == 0.05
    np.testing.assert_allclose(live.states, plain.states, rtol=0, atol=1e-9)
    half = model.simulate(0.5, rtol=1e-9)
    rest = model.simulate(1.0, start_time=0.5, initial=half.sample(-1), rtol=1e-9)
    whole = model.simulate(1.0, rtol=1e-9)
    np.testing.assert_allclose(rest.states[-1], whole.states[-1], rtol=0, atol=1e-8)


def slider(element: mk.Part, **slide) -> mk.Model:
    """Return a body that slides along x against a Maxwell element."""
    model = mk.Model()
    model.world = mk.World(gravityType="NoGravity")
    model.slide = mk.Prismatic(n="x", s=1.1, v=0.2, **slide)
    model.body = mk.Body(m=M)
    model.element = element
    mk.connect(model.world.frame_b, model.slide.frame_a)
    mk.connect(model.slide.frame_b, model.body.frame_a)
    return model


def test_between_frames_it_acts_as_along_the_axis_of_a_joint():
    line = slider(MaxwellLine(y=0.02))
    mk.connect(line.world.frame_b, line.element.frame_a)
    mk.connect(line.body.frame_a, line.element.frame_b)
    axis = slider(Maxwell(y=1.02), useAxisFlange=True)
    mk.connect(axis.slide.support, axis.element.flange_a)
    mk.connect(axis.slide.axis, axis.element.flange_b)
    one, two = (model.simulate(2.0, rtol=1e-10) for model in (line, axis))
    np.testing.assert_allclose(one["slide.s"], two["slide.s"], rtol=0, atol=1e-8)
    np.testing.assert_allclose(one["element.y"], two["element.y"] - 1.0, rtol=0, atol=1e-8)
    np.testing.assert_allclose(
        one.energy()["total"], two.energy()["total"], rtol=0, atol=1e-8
    )


@pytest.mark.slow
@pytest.mark.kinds(1)
@pytest.mark.parametrize("strategy", ["explicit", "projected"])
def test_in_a_loop_it_moves_as_parts_in_series_do(strategy):
    class Driven(gallery.PlanarFourbar):
        """A four-bar whose crank is held by a Maxwell element, as one part or as two."""

        def build(self, is_one: bool) -> None:
            super().build()
            crank = self.revolute1
            if is_one:
                self.element = MaxwellTorsion(c=3.0, d=0.5)
                ends = self.element.flange_a, self.element.flange_b
            else:
                self.loss, self.spring = rot.Damper(d=0.5), rot.Spring(c=3.0)
                mk.connect(self.loss.flange_b, self.spring.flange_a)
                ends = self.loss.flange_a, self.spring.flange_b
            mk.connect(crank.support, ends[0])
            mk.connect(crank.axis, ends[1])

    one = Driven(is_one=True).simulate(1.0, rtol=1e-9, strategy=strategy)
    begin = {"loss.flange_b.phi": 0.0}
    two = Driven(is_one=False).simulate(1.0, rtol=1e-9, strategy=strategy, initial=begin)
    assert np.abs(one["element.y"]).max() > 0.1
    np.testing.assert_allclose(
        one["revolute1.phi"], two["revolute1.phi"], rtol=0, atol=1e-6
    )


def with_law(names: tuple[str, ...], rates) -> mk.Part:
    """Return a part whose law has states of these names."""

    class Own(DeclaredPart):
        """A law with states."""

        flange_a = rotational_flange("one flange")
        flange_b = rotational_flange("other flange")
        z: kinds.StartAngle = start("a state", "rad")

        def contributions(self, p: Values) -> Iterable[Contribution]:
            """Contribute the law."""
            law = LineForce(self.flange_a, self.flange_b, p, lambda p, x, v, *z: x)
            yield replace(law, states=names, rates=rates)

    return Own()


def shaft(part: mk.Part) -> mk.Model:
    """Return an inertia on a part."""
    model = mk.Model()
    model.wall, model.part, model.inertia = rot.Fixed(), part, rot.Inertia(J=1.0)
    mk.connect(model.wall.flange, part.flange_a)
    mk.connect(part.flange_b, model.inertia.flange_a)
    return model


def test_states_without_rates_or_declaration_are_refused_by_name():
    with refused(AssemblyError, "part", "states z", "rates"):
        shaft(with_law(("z",), None)).simulate(1.0)
    with refused(AssemblyError, "part", "'s'", "start("):
        shaft(with_law(("s",), lambda p, x, v, s: (x,))).simulate(1.0)
    with refused(ParameterError, "part", "rates"):
        shaft(with_law(("z",), lambda p, x, v, z: (x, v))).simulate(1.0)
