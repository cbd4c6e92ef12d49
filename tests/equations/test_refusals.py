"""Equations without a solution, or with several: the parts and unknowns are named."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import motorik as mk
from motorik import blocks
from motorik.authoring import Equation, EquationPart, equal, kinds, unknown
from motorik.errors import EquationError
from tests.equations.parts import Earth, R, V, model_of, series
from tests.refusals import refused


class Two(EquationPart):
    """Two unknowns."""

    x: kinds.Number = unknown("unknown")
    y: kinds.Number = unknown("unknown")


class Redundant(Two):
    """One equation twice."""

    def equations(self) -> Iterator[Equation]:
        """Yield it."""
        yield equal(self.x + self.y, 1.0)
        yield equal(2.0 * self.x + 2.0 * self.y, 2.0)


class Contradicting(Two):
    """Parallel lines."""

    def equations(self) -> Iterator[Equation]:
        """Yield them."""
        yield equal(self.x + self.y, 1.0)
        yield equal(2.0 * self.x + 2.0 * self.y, 3.0)


class TooMany(Two):
    """Three equations."""

    def equations(self) -> Iterator[Equation]:
        """Yield them."""
        yield equal(self.x, 1.0)
        yield equal(self.y, self.x)
        yield equal(self.y, 2.0)


class TooFew(Two):
    """One equation."""

    def equations(self) -> Iterator[Equation]:
        """Yield it."""
        yield equal(self.x, 1.0 + self.y)


class Flat(EquationPart):
    """A square with slope zero at the start."""

    x: kinds.Number = unknown("unknown")

    def equations(self) -> Iterator[Equation]:
        """Yield x² = 4."""
        yield equal(self.x * self.x, 4.0)


class Root(EquationPart):
    """A root of a negative number at the start."""

    x: kinds.Number = unknown("unknown", start=-1.0)

    def equations(self) -> Iterator[Equation]:
        """Yield √(x − 5) = 4."""
        yield equal(mk.sqrt(self.x - 5.0), 4.0)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (Redundant(), ("do not determine a.x, a.y",)),
        (Contradicting(), ("a.x, a.y contradict one another",)),
        (TooMany(), ("3 equations for 2 unknowns, x, y: 1 too many", "remove one")),
        (TooFew(), ("1 equation for 2 unknowns, x, y: 1 too few", "add")),
        (Flat(), ("Newton's method has no direction", "a.x = 0", "guess(…)")),
        (Root(), ("a.x = -1", "have no value near the start")),
    ],
)
def test_equations_of_one_part_are_refused(part: EquationPart, words: tuple[str, ...]):
    with refused(EquationError, "a", *words):
        model_of(a=part).compile()


def test_a_good_guess_helps_where_the_slope_vanishes_at_zero():
    assert model_of(a=Flat(x=mk.guess(1.0))).simulate(0.1)["a.x"][-1] == pytest.approx(2.0)


def test_a_source_whose_ends_are_connected_is_a_short_circuit():
    model = model_of(u=V(V=3.0), ground=Earth())
    mk.connect(model.u.p, model.u.n, model.ground.p)
    with refused(EquationError, "u", "-3 = 0", "short circuit"):
        model.compile()


def test_a_ring_of_sources_is_named():
    model = model_of(a=V(), b=V(), c=V(), ground=Earth())
    with refused(EquationError, "b, c, a", "one equation too many"):
        series(model, "a", "b", "c").compile()


def test_a_part_of_a_circuit_that_floats_is_named():
    model = model_of(u=V(), r=R(), other=V(), s=R(), ground=Earth())
    series(model, "u", "r")
    mk.connect(model.other.p, model.s.p)
    mk.connect(model.other.n, model.s.n)
    with refused(EquationError, "", "nothing determines s.v, other.i", "ground"):
        model.compile()


def test_a_loop_in_which_a_signal_comes_back_unchanged_is_refused():
    model = model_of(
        one=blocks.Constant(k=2.0), error=blocks.Feedback(), gain=blocks.Gain(k=-1.0)
    )
    mk.connect(model.one.y, model.error.u1)
    mk.connect(model.error.y, model.gain.u)
    mk.connect(model.gain.y, model.error.u2)
    with refused(EquationError, "error", "cancel out", "no solution"):
        model.compile()
