"""Units: one rule, SI and radians everywhere; other units are written with their name."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import motorik as mk
from motorik import planar, units
from motorik.components.base.dimensions import dimension
from motorik.components.base.part import ParameterSpec, Part, StartSpec
from motorik.errors import ParameterError, UnknownNameError

WINDOWS = (
    *(mk.assemblies, mk.blocks, mk.constraints, mk.electrical, mk.forces, mk.heat),
    *(mk.hydraulic, mk.joints, mk.magnetic, mk.parts, mk.rotational, mk.sensors),
    *(mk.translational, planar),
)
PARTS = sorted(
    {
        value
        for window in WINDOWS
        for value in (getattr(window, name) for name in window.__all__)
        if inspect.isclass(value) and issubclass(value, Part)
    },
    key=lambda kind: (kind.__module__, kind.__name__),
)
KNOWN = {"", "Hz", "N or N.m"}  # Hz counts turns, whatever an angle is measured in


def is_of_si(unit: str) -> bool:
    """Return whether a unit is a product of powers of those of SI, without any factor."""
    found = dimension(unit)
    return unit in KNOWN or (
        found is not None and (found.size, found.turn, found.zero) == (1.0, 1.0, 0.0)
    )


def test_units_of_si_are_told_from_others():
    assert all(map(is_of_si, ("m", "1", "rad/s", "N.m/rad3", "m3/(Pa.s)", "kg.m2", "K/W")))
    others = ("mm", "g", "deg", "rpm", "1/min", "kN.m", "bar", "l", "degC", "%", "rod")
    assert not any(map(is_of_si, others))


@pytest.mark.parametrize("kind", PARTS, ids=lambda kind: kind.__name__)
def test_no_part_takes_another_unit_than_those_of_si(kind):
    for name, spec in kind.specs.items():
        if isinstance(spec, (ParameterSpec, StartSpec)):
            assert is_of_si(spec.unit), f"{kind.__name__}.{name} is in {spec.unit!r}"


def test_the_law_of_units_sees_every_angle():
    in_radians = [
        (kind, name)
        for kind in PARTS
        for name, spec in kind.specs.items()
        if isinstance(spec, (ParameterSpec, StartSpec)) and spec.unit == "rad"
    ]
    assert (mk.FixedRotation, "angle") in in_radians
    assert (mk.assemblies.JointRRR, "phi_guess") in in_radians
    assert len(in_radians) > 30


# --- the units themselves -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "value", "si"),
    [
        (units.deg, 180.0, np.pi),
        (units.rpm, 60.0, 2 * np.pi),
        (units.mm, 1e3, 1.0),
        (units.cm, 1e2, 1.0),
        (units.km_per_h, 36.0, 10.0),
        (units.gram, 1e3, 1.0),
        (units.kg_cm2, 1e4, 1.0),
        (units.g_per_cm3, 7.85, 7850.0),
        (units.kN, 2.5, 2500.0),
        (units.N_mm, 1e3, 1.0),
        (units.N_per_mm, 1.0, 1e3),
    ],
)
def test_a_unit_gives_si_and_back(unit, value, si):
    assert unit(value) == pytest.approx(si, rel=1e-15)
    assert unit.from_si(si) == pytest.approx(value, rel=1e-15)
    assert units.UNITS[unit.symbol] is unit is getattr(units, unit.symbol)


def test_a_unit_takes_numbers_sequences_arrays_and_live_parameters():
    assert type(mk.deg(30)) is float
    assert mk.mm((1, 2, 3)) == mk.mm([1, 2, 3]) == (0.001, 0.002, 0.003)
    grid = mk.deg(np.array([[90.0, 180.0]]))
    np.testing.assert_allclose(grid, [[np.pi / 2, np.pi]], rtol=1e-15)
    live = mk.deg(mk.Parameter(90.0, name="tilt", fixed=False))
    assert (live.name, live.unit, live.fixed) == ("tilt", "rad", False)
    assert live.value == pytest.approx(np.pi / 2)
    assert mk.cm(mk.Parameter((1.0, 0.0, 2.0))).value == (0.01, 0.0, 0.02)


@pytest.mark.parametrize("value", ["30", None, True, mk.guess(30.0), 1j])
def test_what_is_no_number_has_no_unit(value):
    with pytest.raises(ParameterError, match=r"(?s)neither a number.*guess\(deg\(1.5\)\)"):
        mk.deg(value)


# --- angles of parts ----------------------------------------------------------------------------


def pose_of(part: Part) -> np.ndarray:
    model = mk.Model()
    model.world = mk.World()
    model.turned = part
    model.tip = mk.Body(m=1.0)
    model.world.frame_b >> model.turned.frame_a
    model.turned.frame_b >> model.tip.frame_a
    return model.simulate(0.01)["tip.frame_a.R.T"][0].T


def test_a_fixed_rotation_turns_by_radians():
    by_degrees = pose_of(mk.FixedRotation(n="z", angle=mk.deg(30)))
    np.testing.assert_allclose(by_degrees @ [1, 0, 0], [np.sqrt(3) / 2, 0.5, 0], atol=1e-15)
    np.testing.assert_array_equal(
        by_degrees, pose_of(mk.FixedRotation(n="z", angle=np.pi / 6))
    )


@pytest.mark.parametrize(
    "given",
    [
        {"angle": 90},
        {"angle": mk.Parameter(-45.0)},
        {"rotationType": "PlanarRotationSequence", "angles": (0, 30.0, 0)},
    ],
)
def test_a_fixed_rotation_of_degrees_is_refused(given):
    with pytest.raises(
        ParameterError, match=r"(?s)more than two full turns.*radians.*deg\("
    ):
        mk.FixedRotation(n="z", **given)


def test_two_full_turns_are_no_error():
    np.testing.assert_allclose(
        pose_of(mk.FixedRotation(n="z", angle=mk.deg(-720))), np.eye(3), atol=1e-15
    )


# --- display ------------------------------------------------------------------------------------


def test_a_plot_shows_the_unit_that_is_asked_for():
    run = _pendulum_run()
    phi, w = run["rev.phi"], run["rev.w"]
    figure = run.plot("rev.phi", "rev.w", unit="deg")
    angle, speed = figure.axes
    assert angle.get_ylabel() == "angle [deg]"
    assert speed.get_ylabel() == "angular velocity [rad/s]"
    np.testing.assert_allclose(angle.lines[0].get_ydata(), np.degrees(phi), rtol=1e-14)
    np.testing.assert_array_equal(speed.lines[0].get_ydata(), w)
    both = run.plot("rev.phi", "rev.w", unit=("deg", units.rpm))
    np.testing.assert_allclose(
        both.axes[1].lines[0].get_ydata(), 30 / np.pi * w, rtol=1e-14
    )


def test_a_plot_refuses_a_unit_that_fits_nothing():
    run = _pendulum_run()
    with pytest.raises(ParameterError, match="none of the variables is in m"):
        run.plot("rev.phi", unit="mm")
    with pytest.raises(UnknownNameError, match="'degree' is not known"):
        run.plot("rev.phi", unit="degree")


def _pendulum_run():
    from motorik.gallery import Pendulum

    return Pendulum().simulate(0.1)
