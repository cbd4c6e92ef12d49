"""Inverse kinematics: rows, limits, choice by nearness, and Pinocchio as the second route."""

from __future__ import annotations

import math
from importlib.util import find_spec

import numpy as np
import pytest

from motorik import Body, FixedTranslation, Model, Revolute, World, gallery
from motorik.errors import InitialValueError, ParameterError, UnknownNameError

LENGTHS = 1.0, 0.8, 0.6


class PlanarArm(Model):
    """Three links in a plane, the elbow with stops."""

    def build(self, low: float = -3.0, high: float = 3.0) -> None:
        """Connect shoulder, elbow and wrist."""
        self.world = World(g=0.0)
        end = self.world.frame_b
        for k, (name, length) in enumerate(zip(("a", "b", "c"), LENGTHS, strict=True)):
            stops = (low, high) if name == "b" else None
            joint = Revolute(n="z", phi=0.3 + 0.2 * k, stops=stops)
            link, body = FixedTranslation(r=(length, 0.0, 0.0)), Body(m=1.0)
            setattr(self, name, joint)
            setattr(self, f"link_{name}", link)
            setattr(self, f"body_{name}", body)
            self.connect(end, joint.frame_a)
            self.connect(joint.frame_b, link.frame_a)
            self.connect(link.frame_b, body.frame_a)
            end = link.frame_b


TIP = "link_c.frame_b.r_0"


def tip(a, b, c):
    """Return the tip of the arm by trigonometry."""
    angles = np.cumsum(np.array([a, b, c]), axis=0)
    x = sum(L * np.cos(own) for L, own in zip(LENGTHS, angles, strict=True))
    y = sum(L * np.sin(own) for L, own in zip(LENGTHS, angles, strict=True))
    return np.stack([x, y, 0.0 * x], axis=-1)


def test_rows_meet_their_targets_and_stay_near():
    s = np.linspace(0.0, 1.0, 40)
    wanted = tip(0.3 + 0.4 * s, 0.5 + 0.5 * s, 0.7 - 0.2 * s)
    found = PlanarArm().inverse_kinematics({TIP: wanted})
    angles = [found[f"{name}.phi"] for name in "abc"]
    assert np.abs(tip(*angles) - wanted).max() < 1e-9
    assert np.abs(np.diff(angles)).max() < 0.1
    one = PlanarArm().inverse_kinematics(
        {TIP: wanted[7]}, near={n: float(v[6]) for n, v in found.items()}
    )
    again = np.array([one[f"{name}.phi"] for name in "abc"])
    assert np.abs(tip(*again) - wanted[7]).max() < 1e-9


def test_what_is_left_free_is_nearest_to_the_start():
    near = np.array([0.3, 0.5, 0.7])
    wanted = tip(*(near + np.array([0.2, -0.3, 0.25])))
    found = PlanarArm().inverse_kinematics({TIP: wanted})
    best = np.array([found[f"{name}.phi"] for name in "abc"])
    h = 1e-6  # the way to the start is perpendicular to the motion that keeps the tip
    J = np.column_stack(
        [(tip(*(best + h * e)) - tip(*(best - h * e)))[:2] / (2 * h) for e in np.eye(3)]
    )
    along = np.linalg.svd(J)[2][2]
    assert abs(along @ (best - near)) < 1e-6


def test_answers_are_states():
    model = PlanarArm()
    found = model.inverse_kinematics({TIP: tip(0.5, 0.9, 0.2)})
    at = model.evaluate(TIP, at=found)
    assert np.allclose(at[TIP], tip(0.5, 0.9, 0.2))
    assert np.allclose(model.prepare(0.1)(start=found)[TIP][0], at[TIP])
    rows = model.inverse_kinematics(
        {TIP: tip(0.5 * np.ones(3), np.full(3, 0.9), np.zeros(3))}
    )
    assert model.jacobian("link_c.frame_b", at=rows).shape == (3, 6, 3)


@pytest.mark.parametrize("by_stops", [True, False])
def test_limits_choose_the_other_elbow(by_stops):
    wanted = tip(0.3, 0.9, 0.4)
    keep = {"c.phi": 0.4}
    bent = PlanarArm().inverse_kinematics({TIP: wanted}, keep)
    assert bent["b.phi"] == pytest.approx(0.9)
    if by_stops:
        other = PlanarArm(high=0.2).inverse_kinematics(
            {TIP: wanted}, keep, near={"b.phi": 0.1}
        )
    else:
        other = PlanarArm().inverse_kinematics(
            {TIP: wanted}, keep, limits={"b.phi": (-3, 0.2)}
        )
    assert other["b.phi"] < 0.2 and other["c.phi"] == 0.4
    assert np.allclose(tip(*(other[f"{name}.phi"] for name in "abc")), wanted)


def test_a_redundant_arm_goes_along_its_limit():
    wanted = tip(0.3, 1.4, 0.4)
    found = PlanarArm().inverse_kinematics({TIP: wanted}, limits={"b.phi": (0.0, 0.8)})
    assert 0.0 <= found["b.phi"] <= 0.8 + 1e-8
    assert np.allclose(tip(*(found[f"{name}.phi"] for name in "abc")), wanted)


class LongArm(Model):
    """Links of given lengths in a plane."""

    def build(self, lengths: tuple[float, ...], phi: tuple[float, ...]) -> None:
        """Connect them one to the next."""
        self.world = World(g=0.0)
        end = self.world.frame_b
        for k, (length, angle) in enumerate(zip(lengths, phi, strict=True)):
            joint, link = Revolute(n="z", phi=angle), FixedTranslation(r=(length, 0.0, 0.0))
            for name, part in (("j", joint), ("l", link), ("b", Body(m=1.0))):
                setattr(self, f"{name}{k}", part)
            self.connect(end, joint.frame_a)
            self.connect(joint.frame_b, link.frame_a)
            self.connect(link.frame_b, getattr(self, f"b{k}").frame_a)
            end = link.frame_b


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 5])
def test_within_limits_nothing_is_nearer(n):
    """What can be reached is, and no pose beside it is nearer: SciPy finds none from there."""
    from scipy.optimize import minimize

    rng = np.random.default_rng(n)
    lengths, start = rng.uniform(0.3, 1.0, n), rng.uniform(-1.0, 1.0, n)
    model = LongArm(lengths=tuple(lengths), phi=tuple(start))

    def place(q):
        turned = np.cumsum(q)
        return np.array([lengths @ np.cos(turned), lengths @ np.sin(turned)])

    for case in range(12):
        low, high = start - rng.uniform(0.05, 1.5, n), start + rng.uniform(0.05, 1.5, n)
        inside = rng.uniform(low, high)
        if case % 3 == 0:
            inside = np.where(rng.random(n) < 0.5, low, high)
        wanted = place(inside)
        limits = {f"j{k}.phi": (low[k], high[k]) for k in range(n)}
        target = {f"l{n - 1}.frame_b.r_0": (*wanted, 0.0)}
        found = model.inverse_kinematics(target, limits=limits)
        q = np.array([found[f"j{k}.phi"] for k in range(n)])
        assert (q >= low - 1e-8).all() and (q <= high + 1e-8).all()
        assert np.abs(place(q) - wanted).max() < 1e-8
        nearer = minimize(
            lambda x: float(((x - start) ** 2).sum()),
            q,
            jac=lambda x: 2.0 * (x - start),
            bounds=list(zip(low, high, strict=True)),
            constraints={"type": "eq", "fun": lambda x, at=wanted: place(x) - at},
            method="SLSQP",
            options={"ftol": 1e-13},
        )
        far = float(((q - start) ** 2).sum())
        is_met = nearer.success and np.abs(place(nearer.x) - wanted).max() < 1e-8
        assert not is_met or nearer.fun > far * (1.0 - 1e-5) - 1e-9


def test_a_joint_leaves_its_limit_where_the_path_allows():
    """Out to the limit of the elbow and back: the way back is the way out."""
    s = np.sin(np.linspace(0.0, math.pi, 41))
    wanted = tip(0.3 + 0.3 * s, 0.5 + 0.9 * s, 0.7 + 0.2 * s)
    limits = {"b.phi": (0.0, 0.9)}
    found = PlanarArm().inverse_kinematics({TIP: wanted}, limits=limits)
    angles = np.array([found[f"{name}.phi"] for name in "abc"])
    assert angles[1].max() == pytest.approx(0.9) and angles[1, -1] < 0.6
    assert np.abs(angles - angles[:, ::-1]).max() < 1e-5
    assert np.abs(tip(*angles) - wanted).max() < 1e-8


def test_what_is_wrong_is_named():
    model = PlanarArm()
    limits = {"b.phi": (0.0, 0.1), "c.phi": (0.0, 0.1)}
    with pytest.raises(InitialValueError, match=r"row 1 limits prevent it.*beyond"):
        model.inverse_kinematics(
            {TIP: [tip(0.3, 0.05, 0.05), (0.9, 0.3, 0.0)]}, limits=limits
        )
    with pytest.raises(ParameterError, match="are no limits"):
        model.inverse_kinematics({TIP: tip(0.3, 0.5, 0.4)}, limits={"b.phi": (1.0, 0.0)})
    with pytest.raises(UnknownNameError, match=r"Did you mean 'b\.phi'"):
        model.inverse_kinematics({TIP: tip(0.3, 0.5, 0.4)}, limits={"b.ph": (0.0, 1.0)})
    with pytest.raises(ParameterError, match="has 2 rows where"):
        model.inverse_kinematics({TIP: np.zeros((3, 3)), "c.phi": [0.0, 1.0]})


@pytest.mark.skipif(find_spec("pinocchio") is None, reason="Pinocchio is the second route")
def test_an_arm_of_six_axes_agrees_with_pinocchio():
    import pinocchio as pin

    from benchmarks.models import make_manipulator, make_samples
    from benchmarks.ours import make_model

    tree = make_manipulator()
    model, twin = make_model(tree), pin.Model()
    for i, link in enumerate(tree.links):
        joint = pin.JointModelRevoluteUnaligned(np.array(link.axis, dtype=float))
        place = pin.SE3(np.array(link.R), np.array(link.p))
        twin.addJoint(link.parent + 1, joint, place, f"j{i}")
    data, q = twin.createData(), make_samples(tree).q
    poses = []
    for row in q:
        pin.forwardKinematics(twin, data, row)
        poses.append(data.oMi[len(tree.links)].copy())
    last = f"joint{len(tree.links) - 1}.frame_b"
    targets = {
        f"{last}.r_0": np.array([X.translation for X in poses]),
        f"{last}.R.T": np.array([X.rotation.T for X in poses]),
    }
    found = model.inverse_kinematics(targets)
    solved = np.column_stack([found[f"joint{i}.phi"] for i in range(len(tree.links))])
    for row, X in zip(solved, poses, strict=True):
        pin.forwardKinematics(twin, data, row)
        assert np.allclose(data.oMi[len(tree.links)].homogeneous, X.homogeneous, atol=1e-8)


@pytest.mark.slow
def test_loops_close_in_every_row():
    model = gallery.Fourbar1()
    sweep = model.sweep_kinematics("j1.phi", np.linspace(0.1, 1.5, 5))
    wanted = sweep["b3.frame_b.r_0"].values
    found = model.inverse_kinematics({"b3.frame_b.r_0": wanted}, near={"j1.phi": 0.1})
    assert np.allclose(found["j1.phi"], np.linspace(0.1, 1.5, 5), atol=1e-7)
    assert math.isfinite(float(found["j2.s"].sum()))
