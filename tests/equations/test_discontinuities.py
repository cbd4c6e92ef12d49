"""Comparisons in equations of parts: events, implicit equations that jump, sliding modes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import motorik as mk
from motorik.authoring import Equation, EquationPart, der, equal, kinds, parameter, unknown
from tests.equations.parts import C, Earth, R, TwoPins, model_of


class Decision(EquationPart):
    """A state that one sign of another state drives."""

    x: kinds.Number = unknown("driving state", start=1.0, fixed=True)
    y: kinds.Number = unknown("driven state", start=0.0, fixed=True)

    def equations(self) -> Iterator[Equation]:
        """Yield ẋ = −1, ẏ = 1 or −2."""
        yield equal(der(self.x), -1.0)
        yield equal(der(self.y), mk.where(self.x > 0.0, 1.0, -2.0))


def test_a_comparison_with_constant_branches_is_an_event():
    result = model_of(a=Decision()).simulate(2.5, interval=0.1)
    t = np.asarray(result.time)
    exact = np.where(t < 1.0, t, 1.0 - 2.0 * (t - 1.0))
    assert np.asarray(result["a.y"]) == pytest.approx(exact, abs=1e-5)


class Through(EquationPart):
    """The same with the compared quantity behind other equations."""

    x: kinds.Number = unknown("state", start=1.0, fixed=True)
    y: kinds.Number = unknown("state", start=0.0, fixed=True)
    s: kinds.Number = unknown("compared quantity")
    f: kinds.Number = unknown("decision")

    def equations(self) -> Iterator[Equation]:
        """Yield the decision before the quantity that it reads."""
        yield equal(self.f, mk.where(self.s > 0.0, 1.0, -2.0))
        yield equal(2.0 * self.s + self.x, 3.0 * self.x)
        yield equal(der(self.x), -1.0)
        yield equal(der(self.y), self.f)


def test_a_compared_unknown_is_solved_for_before_it_is_compared():
    result = model_of(a=Through()).simulate(2.5, interval=0.5)
    exact = [0.0, 0.5, 1.0, 0.0, -1.0, -2.0]
    assert np.asarray(result["a.y"]) == pytest.approx(np.array(exact), abs=1e-5)


class Implicit(EquationPart):
    """y = u − sign(y): a jump within the equation that it is solved from."""

    y: kinds.Number = unknown("solution", start=3.0)
    z: kinds.Number = unknown("its integral", start=0.0, fixed=True)

    def equations(self) -> Iterator[Equation]:
        """Yield y + sign(y) = 3 + t."""
        yield equal(self.y + mk.where(self.y > 0.0, 1.0, -1.0), 3.0 + self.time)
        yield equal(der(self.z), self.y)


def test_a_jump_in_an_implicit_equation_is_solved():
    result = model_of(a=Implicit()).simulate(1.0, interval=0.5)
    assert np.asarray(result["a.y"]) == pytest.approx([2.0, 2.5, 3.0])
    assert np.asarray(result["a.z"]) == pytest.approx([0.0, 1.125, 2.5], abs=1e-6)


# --- sliding modes -------------------------------------------------------------------------


class Relay(EquationPart):
    """A mass under the force ∓u of a relay at x + v = 0, and a disturbance that grows."""

    u: kinds.Number = parameter("force of the relay", default=3.0)
    d: kinds.Number = parameter("rate of the disturbance", default=0.0)
    x: kinds.Number = unknown("position", start=1.0, fixed=True)
    v: kinds.Number = unknown("speed", start=0.0, fixed=True)
    f: kinds.Number = unknown("force")

    def equations(self) -> Iterator[Equation]:
        """Yield the motion."""
        yield equal(self.f, mk.where(self.x + self.v > 0.0, -self.u, self.u))
        yield equal(der(self.x), self.v)
        yield equal(der(self.v), self.f + self.d * self.time)


def test_a_relay_slides_along_its_switching_surface():
    """On x + v = 0 the motion is ẋ = −x, and the force the equivalent one, f = ẋ̇ = x."""
    result = model_of(a=Relay()).simulate(4.0, interval=0.01)
    t, x = np.asarray(result.time), np.asarray(result["a.x"])
    # before: x = 1 − 3 t² / 2, v = −3 t, until x + v = 0
    begin = (-3.0 + np.sqrt(9.0 + 6.0)) / 3.0
    there = 1.0 - 1.5 * begin**2
    after = t > begin
    exact = np.where(after, there * np.exp(begin - t), 1.0 - 1.5 * t**2)
    assert x == pytest.approx(exact, abs=1e-6)
    assert np.asarray(result["a.f"])[after] == pytest.approx(exact[after], abs=1e-6)


def test_a_sliding_mode_ends_where_the_relay_is_too_weak():
    """f + d t = x on the surface; the relay gives no more than 3, which t = 1.5 demands."""
    result = model_of(a=Relay(d=2.0)).simulate(3.0, interval=0.01)
    t, s = np.asarray(result.time), np.asarray(result["a.x"]) + np.asarray(result["a.v"])
    f = np.asarray(result["a.f"])
    assert np.abs(s[(t > 0.5) & (t < 1.45)]).max() < 1e-8
    assert f[-1] == -3.0
    assert s[-1] > 0.5


class Thermostat(TwoPins):
    """A current of 2 A while the voltage is below 1 V, else none."""

    def law(self) -> Equation:
        """Return the current."""
        return equal(self.i, mk.where(self.v < 1.0, -2.0, 0.0))


def test_a_thermostat_without_hysteresis_holds_its_level():
    model = model_of(source=Thermostat(), R=R(R=1.0), C=C(C=0.5), ground=Earth())
    mk.connect(model.source.p, model.R.p, model.C.p)
    mk.connect(model.source.n, model.R.n, model.C.n, model.ground.p)
    result = model.simulate(3.0, interval=0.05)
    t = np.asarray(result.time)
    exact = np.minimum(2.0 * (1.0 - np.exp(-t / 0.5)), 1.0)
    assert np.asarray(result["C.v"]) == pytest.approx(exact, abs=1e-5)
    assert result["source.i"][-1] == pytest.approx(-1.0)  # half the time, in the mean


class Nested(EquationPart):
    """A relay whose sign another comparison reads, in the same equation."""

    x: kinds.Number = unknown("state that slides", start=0.3, fixed=True)
    y: kinds.Number = unknown("state that chooses the strength", start=0.1, fixed=True)

    def equations(self) -> Iterator[Equation]:
        """Yield ẋ = −s or −s / 2 + 0.1, s the sign of x, and ẏ = −0.1."""
        s = mk.where(self.x > 0.0, 1.0, -1.0)
        strong = self.y + 0.01 * s > 0.05
        yield equal(der(self.x), mk.where(strong, -s, 0.1 - 0.5 * s))
        yield equal(der(self.y), -0.1)


@pytest.mark.slow
def test_a_relay_that_another_comparison_reads_slides():
    result = model_of(a=Nested()).simulate(1.0, interval=0.125)
    exact = np.maximum(0.3 - np.asarray(result.time), 0.0)
    assert np.asarray(result["a.x"]) == pytest.approx(exact, abs=1e-5)
