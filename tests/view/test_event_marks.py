"""Events in plots: marked where they are, named where that is asked for."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.axes import Axes

from motorik.errors import ParameterError
from motorik.results import Event, Events, SavedResult
from motorik.view.plots import plot_result
from tests.events.parts import Ball, Collision

TIME = np.linspace(0.0, 10.0, 11)


def saved(*times: float, parts: str = "ab") -> SavedResult:
    """Return a result with events at these times, of parts in turn."""
    events = [Event(t, parts[k % len(parts)], "sticks") for k, t in enumerate(times)]
    values, units = {"m.v": TIME, "m.s": TIME}, {"m.v": "m/s", "m.s": "m"}
    return SavedResult(TIME, values, units, events=Events(events))


def marks(axes: Axes) -> list[float]:
    """Return where there are vertical lines."""
    lines = [line.get_xdata() for line in axes.get_lines()]
    return [float(x[0]) for x in lines if len(x) == 2 and x[0] == x[1]]


def names(axes: Axes) -> list[str]:
    """Return the names above the axes."""
    return [text.get_text() for text in axes.texts]


def test_events_are_marked_in_all_axes_and_named_above_the_first():
    upper, lower = plot_result(saved(2.0, 7.0), "m.v", "m.s").axes
    assert marks(upper) == marks(lower) == [2.0, 7.0] and names(upper) == []
    upper, lower = plot_result(saved(2.0, 7.0), "m.v", "m.s", event_names=True).axes
    assert names(upper) == ["a sticks", "b sticks"] and names(lower) == []


@pytest.mark.slow
def test_many_events_are_marked_only_if_that_is_asked_for_and_the_plot_says_so():
    many = saved(*np.linspace(0.1, 9.9, 120))
    left_out = plot_result(many, "m.v").axes[0]
    assert marks(left_out) == []
    assert left_out.get_title(loc="right").startswith("120 events are not marked")
    for asked in (True, False):
        axes = plot_result(many, "m.v", events=asked).axes[0]
        assert len(marks(axes)) == 120 * asked
        assert axes.get_title(loc="right") == ""
    several = plot_result(saved(*np.linspace(0.1, 9.9, 78)), "m.v").axes[0]
    assert len(marks(several)) == 78 and several.get_title(loc="right") == ""
    assert marks(plot_result(saved(1.0), "m.v", events=False).axes[0]) == []


def test_events_as_near_as_one_line_count_once():
    bounces = saved(*(5.0 + 0.9 ** np.arange(300)))
    assert len(marks(plot_result(bounces, "m.v").axes[0])) > 5


def test_events_of_some_parts_are_marked():
    result = saved(1.0, 2.0, 3.0)
    assert marks(plot_result(result, "m.v", events="a").axes[0]) == [1.0, 3.0]
    assert marks(plot_result(result, "m.v", events=["a", "b"]).axes[0]) == [1.0, 2.0, 3.0]
    with pytest.raises(ParameterError, match="there is no event of 'c'"):
        plot_result(result, "m.v", events="c")


def test_events_that_are_close_share_a_name_and_a_line():
    near = saved(5.0, 5.001, 5.002, 5.1, 5.2)
    axes = plot_result(near, "m.v", event_names=True).axes[0]
    assert marks(axes) == [5.0, 5.1, 5.2]
    assert names(axes) == ["a sticks, b sticks"]
    axes = plot_result(saved(5.0, 5.1, 5.2, parts="abc"), "m.v", event_names=True).axes[0]
    assert names(axes) == ["a, b, c: 3 events"]


def test_curves_jump_where_the_motion_does():
    result = Collision().simulate(3.0, output=4, rtol=1e-9)
    line = result.plot("a.v", "b.v").axes[0].get_lines()[0]
    x, y = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
    hit = result.events[0].time
    np.testing.assert_allclose(y[x == hit], [5**0.5, 0.0], atol=1e-8)
    again = Ball().simulate(1.0, output="steps")
    steps = again.plot("ball.v").axes[0].get_lines()[0].get_xdata()
    assert len(np.asarray(steps)) == len(again)  # rows at events are there already
