"""Plots: one axes per unit, a line per component, and nothing lost on the way."""

import numpy as np
import pytest

import motorik as mk
from motorik import blocks, rotational
from motorik.errors import MotorikError
from motorik.results import SavedResult
from motorik.view.curves import axis_label
from motorik.view.plots import plot_result
from motorik.view.scene import read_scene

TIME = np.linspace(0.0, 2.0, 5)
VALUES = {
    "a.phi": np.sin(TIME),
    "b.phi": np.cos(TIME),
    "a.w": np.cos(TIME),
    "tip.r_0": np.column_stack([TIME, TIME**2, -TIME]),
    "tip.R.T": np.arange(45.0).reshape(5, 3, 3),
    "count": TIME,
}
UNITS = {"a.phi": "rad", "b.phi": "rad", "a.w": "rad/s", "tip.r_0": "m", "tip.R.T": "1"}


@pytest.fixture
def result():
    return SavedResult(TIME, VALUES, UNITS)


def drawn(axes):
    return {line.get_label(): line.get_ydata() for line in axes.get_lines()}


def test_variables_of_one_unit_share_an_axes(result):
    figure = plot_result(result, "a.phi", "a.w", "b.phi")
    angles, rates = figure.axes
    assert list(drawn(angles)) == ["a.phi", "b.phi"]
    assert list(drawn(rates)) == ["a.w"]
    assert (angles.get_ylabel(), rates.get_ylabel()) == (
        "angle [rad]",
        "angular velocity [rad/s]",
    )
    assert rates.get_xlabel() == "time [s]"
    assert [text.get_text() for text in angles.get_legend().get_texts()] == [
        "a.phi",
        "b.phi",
    ]


def test_lines_show_the_values_over_all_time(result):
    (axes,) = plot_result(result, "a.phi").axes
    (line,) = axes.get_lines()
    np.testing.assert_array_equal(line.get_xdata(), TIME)
    np.testing.assert_array_equal(line.get_ydata(), VALUES["a.phi"])
    assert axes.get_xlim() == (0.0, 2.0)


def test_a_vector_has_a_line_for_each_component(result):
    (axes,) = plot_result(result, "tip.r_0").axes
    curves = drawn(axes)
    assert list(curves) == ["tip.r_0[1]", "tip.r_0[2]", "tip.r_0[3]"]
    np.testing.assert_array_equal(curves["tip.r_0[2]"], TIME**2)


def test_lines_of_one_axes_can_be_told_apart(result):
    (axes,) = plot_result(result, "tip.R.T").axes
    materials = [(line.get_color(), line.get_linestyle()) for line in axes.get_lines()]
    assert len(materials) == len(set(materials)) == 9


def test_without_names_everything_saved_is_plotted(result):
    figure = plot_result(result)
    assert sum(len(axes.get_lines()) for axes in figure.axes) == 1 + 1 + 1 + 3 + 9 + 1


def test_a_file_is_written_and_settings_of_the_user_stay(result, tmp_path):
    import matplotlib

    before = dict(matplotlib.rcParams)
    file = tmp_path / "plot.png"
    figure = plot_result(result, "a.phi", title="Swing", file=file, size=(4.0, 3.0))
    assert file.stat().st_size > 5000
    assert figure.get_suptitle() == "Swing"
    np.testing.assert_array_equal(figure.get_size_inches(), (4.0, 3.0))
    assert dict(matplotlib.rcParams) == before


def test_a_misspelt_name_is_answered_with_the_right_one(result):
    with pytest.raises(MotorikError, match=r"Did you mean 'a\.phi'"):
        plot_result(result, "a.phj")


def test_nothing_to_plot_is_said():
    with pytest.raises(MotorikError, match="no variable to plot"):
        plot_result(SavedResult(TIME, {}, {}))


@pytest.mark.parametrize(
    ("unit", "label"),
    [
        ("kg.m2/s", "angular momentum [kg·m²/s]"),
        ("m/s2", "acceleration [m/s²]"),
        ("N.m.s/rad", "[N·m·s/rad]"),
        ("", "[1]"),
    ],
)
def test_units_are_written_as_in_print(unit, label):
    assert axis_label(unit) == label


class Clocked(mk.Model):
    """A controller that samples slower than rows follow each other, and a brake."""

    def build(self):
        self.x = blocks.Integrator(y_start=1.0)
        self.u = blocks.Discrete(start=0.0)
        self.shaft = rotational.Inertia(J=1.0, w=1.0)
        self.bearing = rotational.BearingFriction(tau_pos=[(0.0, 1.0)])
        self.u.y >> self.x.u
        self.connect(self.bearing.flange_a, self.shaft.flange_b)
        self.sample(
            0.1, lambda t, y: -2.0 * y, inputs=["x.y"], outputs=[self.u], name="law"
        )


def test_what_keeps_its_value_is_drawn_in_steps():
    result = Clocked().simulate(1.5, output=47)
    ways = {}
    for axes in result.plot("u.y", "x.y", "shaft.w", "bearing.mode", "bearing.locked").axes:
        ways |= {line.get_label(): line.get_drawstyle() for line in axes.get_lines()}
    assert ways["u.y"] == ways["bearing.mode"] == ways["bearing.locked"] == "steps-post"
    assert ways["x.y"] == ways["shaft.w"] == "default"
    channels = result.scene(values=["bearing.mode", "u.y"]).channels
    steps = {channel.name: channel.steps for channel in channels}
    assert steps["u.y"] and steps["bearing.mode"]
    assert not steps["x.y"] and not steps["shaft.w"]
    again = read_scene(result.scene(values=["bearing.mode"]).text())
    assert {c.name: c.steps for c in again.channels}["bearing.mode"]
    over = result.plot("u.y", x="x.y").axes[0].get_lines()[0]
    assert over.get_drawstyle() == "default"
