"""Bodies with feet and limbs thrown on a floor: runs end, feet stay above it, energy falls."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motorik import Model, Parameter, World, forces, joints, parts

STEPS = 10_000  # of which the worst of these takes a quarter


class Thrown(Model):
    """A body on coplanar feet, with a limb at a joint, all by a seed."""

    def build(self, seed: int, feet: int, limb: str = "") -> None:
        draw = np.random.default_rng(seed)
        self.mu, self.e = Parameter(0.3), Parameter(0.0)
        self.world = World()
        axes = np.diag(draw.uniform(0.02, 0.038, 3))
        turned = np.linalg.qr(draw.normal(size=(3, 3)))[0]
        J = turned @ axes @ turned.T
        self.body = parts.Body(
            m=draw.uniform(1, 3), I_11=J[0, 0], I_22=J[1, 1], I_33=J[2, 2],
            I_21=J[1, 0], I_31=J[2, 0], I_32=J[2, 1],
            r_0=(0, draw.uniform(0.12, 0.4), 0), v_0=tuple(draw.normal(size=3) * 0.7),
            w_0_start=tuple(draw.normal(size=3) * 3),
            angles_start=tuple(draw.normal(size=3) * 0.3), angles_fixed=True,
        )  # fmt: skip
        angles = np.sort(draw.uniform(0, 2 * np.pi, feet))
        places = [(0.15 * math.cos(a), -0.08, 0.15 * math.sin(a)) for a in angles]
        self.feet = [parts.FixedTranslation(r=place) for place in places]
        self.contacts = [forces.PointPlaneContact(mu=self.mu, e=self.e) for _ in places]
        for foot, contact in zip(self.feet, self.contacts, strict=True):
            self.connect(self.body.frame_a, foot.frame_a)
            self.connect(self.world.frame_b, contact.frame_a)
            self.connect(foot.frame_b, contact.frame_b)
        if limb:
            self.joint = getattr(joints, limb)()
            self.arm = parts.BodyBox(r=tuple(draw.normal(size=3) * 0.15), width=0.03)
            self.connect(self.body.frame_a, self.joint.frame_a)
            self.connect(self.joint.frame_b, self.arm.frame_a)


CASES = {  # seed, feet, limb; μ, e; methods and tolerances
    "falls flat": ((10, 4, ""), (0.5054, 0.0), [("dopri5", 1e-7), ("dopri5", 1e-9)]),
    "turns to rest": ((10, 4, ""), (0.505434871551317, 0.0), [("dopri5", 1e-8)]),
    "with an arm": ((6, 4, "Revolute"), (0.2519365779912372, 0.0), [("dop853", 1e-10)]),
    "rebounds": ((17, 4, "Spherical"), (0.7481320925887425, 0.4), [("dop853", 1e-10)]),
    "others hold it": ((15, 4, "Revolute"), (0.12899500880709244, 0.4), [("dopri5", 1e-8)]),
    "three feet": ((3, 3, "Universal"), (0.4, 0.4), [("dopri5", 1e-8), ("gbs", 1e-8)]),
}


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_what_is_thrown_on_its_feet_comes_to_rest(name):
    (seed, feet, limb), (mu, e), ways = CASES[name]
    model = Thrown(seed=seed, feet=feet, limb=limb)
    for method, rtol in ways:
        given = {"mu": mu, "e": e}
        result = model.simulate(2.0, method=method, rtol=rtol, parameters=given)
        assert result.complete, (method, rtol, result.info.message)
        assert result.info.steps < STEPS, (method, rtol)
        gaps = np.array([result[f"contacts[{k}].gap"] for k in range(1, feet + 1)])
        assert gaps.min() > -1e3 * rtol * 0.15
        energy = result.energy()["total"]
        assert np.diff(energy).max() < 1e3 * rtol * np.ptp(energy), (method, rtol)
