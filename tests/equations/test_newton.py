"""Newton's method in equations of parts: it follows one of several solutions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import motorik as mk
from motorik.authoring import Equation, EquationPart, der, equal, kinds, parameter, unknown
from tests.equations.parts import model_of


class Waves(EquationPart):
    """sin(x − t) = 0: solutions at every half turn."""

    x: kinds.Number = unknown("solution", start=0.0)
    y: kinds.Number = unknown("its integral", start=0.0, fixed=True)

    def equations(self) -> Iterator[Equation]:
        """Yield the equation, and ẏ = x."""
        yield equal(mk.sin(self.x - self.time), 0.0)
        yield equal(der(self.y), self.x)


@pytest.mark.parametrize("method", ["auto", "rk4", "bdf"])
def test_a_run_follows_one_of_many_solutions(method: str):
    """Results follow it as well, though their samples are more than half a turn apart."""
    options = {"step": 0.1} if method == "rk4" else {}
    result = model_of(a=Waves()).simulate(20.0, interval=5.0, method=method, **options)
    t = np.asarray(result.time)
    assert np.asarray(result["a.x"]) == pytest.approx(t)
    assert np.asarray(result["a.y"]) == pytest.approx(0.5 * t * t, rel=1e-4)


class Cubic(EquationPart):
    """x³ − x = 0.3 sin t: three solutions at all times."""

    x: kinds.Number = unknown("solution", start=1.0)
    y: kinds.Number = unknown("its integral", start=0.0, fixed=True)

    def equations(self) -> Iterator[Equation]:
        """Yield the equation, and ẏ = x."""
        yield equal(self.x**3 - self.x, 0.3 * mk.sin(self.time))
        yield equal(der(self.y), self.x)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_start_value_chooses_the_solution(place: int):
    model = model_of(a=Cubic(x=mk.guess([-1.0, 0.0, 1.0][place])))
    result = model.simulate(6.0, interval=0.5)
    right = 0.3 * np.sin(np.asarray(result.time))
    exact = [np.sort(np.roots([1.0, 0.0, -1.0, -own]).real)[place] for own in right]
    assert np.asarray(result["a.x"]) == pytest.approx(np.array(exact))


class Fold(EquationPart):
    """x³ − x = 0.2 − t: from x = 1.09 on the solution ends at a fold, x = 1 / √3."""

    u: kinds.Number = parameter("right side at the start", default=0.2)
    x: kinds.Number = unknown("solution", start=1.0)
    y: kinds.Number = unknown("its integral", start=0.0, fixed=True)

    def equations(self) -> Iterator[Equation]:
        """Yield the equation, and ẏ = x."""
        yield equal(self.x**3 - self.x, self.u - self.time)
        yield equal(der(self.y), self.x)


def test_a_run_ends_where_its_solution_ends():
    end = 0.2 + 2.0 / (3.0 * np.sqrt(3.0))
    with pytest.warns(UserWarning, match=r"a\.x .*no solution is near the last one, a\.x"):
        result = model_of(a=Fold()).simulate(1.0, interval=0.1)
    assert result.time[-1] == pytest.approx(end, abs=1e-4)
    assert result["a.x"][-1] == pytest.approx(1.0 / np.sqrt(3.0), abs=1e-2)
    assert result["a.x"][0] == pytest.approx(1.0880339, abs=1e-6)


def test_a_solution_that_depends_on_time_alone_has_no_time_events():
    compiled = model_of(a=Waves()).compile()
    assert compiled.layout.guesses
    assert compiled.time_events.count == 0
