"""Mechanisms driven through given positions: closed forms, dead points, workspaces, branches."""

from __future__ import annotations

import numpy as np
import pytest

from motorik import Body, FixedTranslation, Model, Revolute, World, gallery
from motorik.errors import ParameterError, UnknownNameError
from tests.analysis.models import QuarterCar, suspension
from tests.laws.four_bars import DRAG, ROCKING, four_bar


class TwoLinks(Model):
    """Two links in a plane, of length 1 and 0.6."""

    def build(self) -> None:
        """Connect shoulder, elbow and tip."""
        self.world = World(g=0.0)
        self.shoulder = Revolute(n="z", phi=0.2)
        self.upper = FixedTranslation(r=(1.0, 0.0, 0.0))
        self.elbow = Revolute(n="z", phi=0.9)
        self.lower = FixedTranslation(r=(0.6, 0.0, 0.0))
        self.load = Body(m=1.0)
        self.world.frame_b >> self.shoulder.frame_a
        self.shoulder.frame_b >> self.upper.frame_a
        self.upper.frame_b >> self.elbow.frame_a
        self.elbow.frame_b >> self.lower.frame_a
        self.lower.frame_b >> self.load.frame_a


def test_the_tip_of_two_links_reaches_a_ring():
    x, y = np.linspace(0.13, 1.83, 18), np.linspace(-0.9, 0.9, 7)
    sweep = TwoLinks().sweep_kinematics(
        {"lower.frame_b.r_0[1]": x, "lower.frame_b.r_0[2]": y}
    )
    far = np.hypot(x[:, None], y)
    assert np.array_equal(sweep.reached.values, (far >= 0.4) & (far <= 1.6))
    tip = sweep["lower.frame_b.r_0"]
    assert np.allclose(
        tip.values[..., 0], np.where(sweep.reached, x[:, None], np.nan), equal_nan=True
    )
    elbow = sweep["elbow.phi"].values[sweep.reached.values]
    cosine = (far[sweep.reached.values] ** 2 - 1.36) / 1.2
    assert np.allclose(elbow, np.arccos(cosine), atol=1e-7)  # on the branch of the start
    for point in sweep.dead_points:
        end = float(np.linalg.norm(list(point.values.values())))
        assert min(abs(end - 0.4), abs(end - 1.6)) < 1e-5
        assert set(point.moves) <= {"shoulder.phi", "elbow.phi"}


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected"])
def test_a_sweep_meets_what_single_states_have(strategy):
    model = gallery.SliderCrank()
    phi = np.linspace(0.0, 2.0 * np.pi, 25)
    sweep = model.sweep_kinematics("bearing.phi", phi, strategy=strategy)
    for k in (3, 11, 20):
        at = {"bearing.phi": float(phi[k]), "bearing.w": 0.0}
        one = model.evaluate("rail.s", at=at)
        assert sweep["rail.s"].values[k] == pytest.approx(one["rail.s"], abs=1e-9)
    assert sweep["rail.s"].attrs["units"] == "m" and not sweep.dead_points


@pytest.mark.slow
def test_dead_points_are_where_a_crank_turns_back():
    model = gallery.Fourbar1()
    turning = model.sweep_kinematics("j1.phi", np.linspace(0.0, 2 * np.pi, 721))[
        "j2.s"
    ].values
    sweep = model.sweep_kinematics("j2.s", np.linspace(-1.0, 0.5, 61))
    ends = sorted(point.values["j2.s"] for point in sweep.dead_points)
    assert ends == pytest.approx([turning.min(), turning.max()], abs=1e-5)
    assert all("j1.phi" in point.moves for point in sweep.dead_points)
    assert "dead point at j2.s" in repr(sweep)


@pytest.mark.slow
def test_every_branch_is_swept_on_its_own():
    model = gallery.Fourbar1()
    sweep = model.sweep_kinematics("j1.phi", np.linspace(0.0, 2.0, 5), branches=True)
    found = model.branches()
    assert sweep.shape == (len(found), 5) and sweep.reached.values.all()
    first = sweep["j3.phi"].isel({"j1.phi": 0}).values
    expected = np.array([own.coordinates["j3.phi"] for own in found])
    assert np.allclose(np.cos(first - expected), 1.0)


@pytest.mark.slow
def test_a_suspension_has_camber_over_its_travel():
    model = suspension()
    travel = np.linspace(-0.3, 0.3, 7)
    sweep = model.sweep_kinematics("inner_joint.phi", travel)
    data = sweep.to_xarray(["hub.frame_b.R.T", "strut.s"])
    assert data["reached"].values.all() and data["strut.s"].attrs["units"] == "m"
    J = model.jacobian("hub.frame_b", at={"inner_joint.phi": travel})
    turning = J.sel(component=["w[1]", "w[2]", "w[3]"]).values[:, :, 0]
    h = 1e-5
    ahead = model.sweep_kinematics("inner_joint.phi", travel + h)["hub.frame_b.R.T"].values
    behind = model.sweep_kinematics("inner_joint.phi", travel - h)["hub.frame_b.R.T"].values
    now = data["hub.frame_b.R.T"].values
    rate = np.einsum("rki,rkj->rij", (ahead - behind) / (2 * h), now)  # Ṙ Rᵀ
    found = np.stack([rate[:, 2, 1], rate[:, 0, 2], rate[:, 1, 0]], axis=1)
    assert np.allclose(found, turning, atol=1e-7)
    assert (
        len(sweep.result().time) == 7 and sweep.result()["strut.s"][0] == data["strut.s"][0]
    )


@pytest.mark.slow
@pytest.mark.parametrize("lengths", [ROCKING, DRAG])
def test_four_bars_close_at_every_row(lengths):
    model = four_bar(lengths)
    sweep = model.sweep_kinematics("bearing.phi", np.linspace(-7.0, 7.0, 57))
    assert sweep.reached.values.all()
    result = sweep.result()
    assert max(result.constraint_violation()) < 1e-12


class Stopped(TwoLinks):
    """The same, and the elbow has stops."""

    def build(self) -> None:
        """Connect shoulder, elbow and tip."""
        super().build()
        self.elbow.stops = (0.5, 2.0)


def test_stops_bound_the_workspace():
    model = Stopped()
    sweep = model.sweep_kinematics(
        {"elbow.phi": [0.4, 0.5, 2.0, 2.1], "shoulder.phi": [0.0]}
    )
    assert sweep.reached.values.ravel().tolist() == [False, True, True, False]
    assert (
        "beyond a stop of elbow" in repr(sweep) and sweep.dead_points[0].stop == "elbow.phi"
    )
    far, near = (np.sqrt(1.36 + 1.2 * np.cos(angle)) for angle in (0.5, 2.0))
    radii = np.array([near - 0.01, near + 0.01, far - 0.01, far + 0.01])
    grid = {"load.frame_a.r_0[1]": radii, "load.frame_a.r_0[2]": [0.0]}
    assert model.sweep_kinematics(grid).reached.values.ravel().tolist() == [
        False,
        True,
        True,
        False,
    ]


def test_a_prescribed_motion_is_no_drive():
    steered = gallery.MacPherson(steering=0.02, bounce=0.0)
    with pytest.raises(
        ParameterError, match=r"rack\.s: is prescribed as 0, .* become -0\.01"
    ):
        steered.sweep_kinematics("rack.s", [-0.01, 0.0])
    both = {"rack.s": [0.0], "inner_joint.phi": [-0.1, 0.0, 0.1]}
    assert bool(steered.sweep_kinematics(both).reached.all())


def test_what_is_wrong_is_named():
    model = TwoLinks()
    with pytest.raises(UnknownNameError, match=r"Did you mean 'phi'"):
        model.sweep_kinematics("elbow.phy", [0.0, 1.0])
    with pytest.raises(ParameterError, match="neither a name with values"):
        model.sweep_kinematics({"elbow.phi": [0.0]}, [1.0])
    with pytest.raises(ParameterError, match="shape"):
        model.sweep_kinematics("elbow.phi", 1.0)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"is 3 numbers[^\0]*r_0\[1\]"):
        model.sweep_kinematics("lower.frame_b.r_0", [0.0, 1.0])
    with pytest.raises(ParameterError, match="does not depend on the pose"):
        QuarterCar().sweep_kinematics("body.v", [0.0, 1.0])
