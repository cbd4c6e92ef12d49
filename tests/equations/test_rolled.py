"""Long mechanisms with networks: equal links share their code, the network is between them."""

from __future__ import annotations

import pytest

from motorik import BodyShape, Model, Revolute, World, electrical
from motorik.system import native_functions
from tests.equations.parts import CartesianPendulum


class MotorChain(Model):
    """A hanging chain with a motor at every joint, and a pendulum of equations beside it."""

    def build(self, n: int = 4) -> None:
        self.world = World()
        self.joint = [Revolute(n="z", phi=0.2, w=0.1, useAxisFlange=True) for _ in range(n)]
        self.link = [
            BodyShape(m=1.0, r=(0.3, 0, 0), r_CM=(0.1, 0, 0), I_33=0.01, physical=False)
            for _ in range(n)
        ]
        self.source, self.ground = electrical.ConstantVoltage(V=3.0), electrical.Ground()
        self.R = [electrical.Resistor(R=1.0 + k) for k in range(n)]
        self.L = [electrical.Inductor(L=0.05) for _ in range(n)]
        self.emf = [electrical.RotationalEMF(k=0.4) for _ in range(n)]
        self.pendulum = CartesianPendulum()
        self.source.n >> self.ground.p
        before = self.world.frame_b
        for k in range(n):
            before >> self.joint[k].frame_a
            self.joint[k].frame_b >> self.link[k].frame_a
            before = self.link[k].frame_b
            self.source.p >> self.R[k].p
            self.R[k].n >> self.L[k].p
            self.L[k].n >> self.emf[k].p
            self.emf[k].n >> self.ground.p
            self.emf[k].flange >> self.joint[k].axis


def test_shared_code_and_straight_code_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["joint[1].phi", "joint[4].w", "L[2].i", "pendulum.x", "pendulum.y"]
    straight = MotorChain().simulate(0.3, rtol=1e-9, output=5)
    monkeypatch.setattr(native_functions, "ROLL_FROM", 1)
    model = MotorChain()
    rolled = model.simulate(0.3, rtol=1e-9, output=5)
    assert model.compile().is_rolled
    for name in names:
        assert rolled[name] == pytest.approx(straight[name], rel=1e-8, abs=1e-8)
    length = rolled["pendulum.x"] ** 2 + rolled["pendulum.y"] ** 2
    assert length == pytest.approx(1.0, abs=1e-11)
