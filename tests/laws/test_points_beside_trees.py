"""Points without mass beside long trees: rolled code against straight-line code."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from motorik import Body, FixedTranslation, Model, Revolute, World, forces, rotational
from motorik.compiled_model import CompiledModel
from motorik.joints import Coulomb, Prismatic
from motorik.loops import equations_of_motion
from motorik.parts import Fixed
from motorik.system import native_functions


class Suspended(Model):
    """A random tree; points between springs and dampers hang between its links and the world.

    One point is held by springs alone, one has a damper along one line, two are coupled, and a
    shaft without inertia is between two springs on the axes of joints.
    """

    def build(self, seed: int = 0, n: int = 5) -> None:
        rng = np.random.default_rng(seed)
        self.world = World(n="-y")
        rough = [Coulomb(tau=0.2) if seed % 2 and k % 2 else None for k in range(n)]
        self.joint = [
            Prismatic(n=tuple(rng.normal(size=3)), v=0.3, friction=None)
            if k == 2
            else Revolute(
                n=tuple(rng.normal(size=3)),
                w=float(rng.normal()),
                useAxisFlange=k in (0, 3),
                friction=rough[k],
            )
            for k in range(n)
        ]
        self.offset = [FixedTranslation(r=tuple(rng.uniform(-0.4, 0.4, 3))) for _ in rough]
        self.body = [
            Body(m=0.4, r_CM=tuple(rng.uniform(-0.1, 0.1, 3)), I=np.eye(3) * 0.01)
            for _ in rough
        ]
        ends = [self.world.frame_b]
        for joint, body, offset in zip(self.joint, self.body, self.offset, strict=True):
            ends[int(rng.integers(max(0, len(ends) - 3), len(ends)))] >> joint.frame_a
            joint.frame_b >> body.frame_a
            joint.frame_b >> offset.frame_a
            ends.append(offset.frame_b)
        self.wall = [Fixed(r=tuple(2.0 * rng.normal(size=3))) for _ in range(3)]
        walls = [wall.frame_b for wall in self.wall]
        tips = ends[-3:]
        self.spring = [
            forces.Spring(c=float(rng.uniform(20, 90)), s_unstretched=0.1) for _ in range(7)
        ]
        chains = [(walls[0], tips[0]), (walls[1], tips[1]), (walls[2], tips[2])]
        for k, (a, b) in enumerate(chains):
            a >> self.spring[2 * k].frame_a
            self.spring[2 * k].frame_b >> self.spring[2 * k + 1].frame_a
            self.spring[2 * k + 1].frame_b >> b
        self.spring[6].frame_a >> self.spring[0].frame_b
        self.spring[6].frame_b >> self.spring[2].frame_b
        self.damper = forces.Damper(d=3.0)
        self.damper.frame_a >> self.spring[4].frame_b
        self.damper.frame_b >> walls[0]
        self.twist = [rotational.Spring(c=4.0), rotational.SpringDamper(c=3.0, d=0.1)]
        self.joint[0].axis >> self.twist[0].flange_a
        self.twist[0].flange_b >> self.twist[1].flange_a
        self.twist[1].flange_b >> self.joint[3].axis


@cache
def made(seed: int, is_rolled: bool) -> CompiledModel:
    """Return a tree in rolled or in straight-line code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native_functions, "ROLL_FROM", 1 if is_rolled else 10_000)
        patch.setattr(equations_of_motion, "SMALL", 1)
        system = Suspended(seed=seed).compile()
        assert system.is_rolled == is_rolled
        return system


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(k, marks=pytest.mark.thorough) for k in (0, 2, 3))]
)
def test_rolled_and_straight_line_code_agree(seed: int) -> None:
    rolled, straight = made(seed, True), made(seed, False)
    rng, t, p = np.random.default_rng(seed), np.zeros(1), straight.parameter_values()
    if straight.nonsmooth is not None:
        for k, own in enumerate(straight.layout.nonsmooth.forces):
            p[own.stick], p[own.direction] = float(k % 2 == 0), float(k % 2)
    projects = straight.natives.get("project")
    start = np.concatenate(straight.mechanism.start_values())
    for _ in range(3):
        near = straight.layout.state_of(start + 0.05 * rng.normal(size=start.size))
        x = projects(t, projects(t, near, p), p)
        for name in ("project", "derivative", "audited", "margins", "full_state"):
            one, other = (own.natives.get(name)(t, x, p) for own in (rolled, straight))
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-10, err_msg=name)
