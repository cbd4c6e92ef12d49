"""Alike values side by side: the same numbers as one after the other, and fewer operations."""

import casadi
import numpy as np
import pytest

from motorik import Body, FixedRotation, FreeMotion, Model, Revolute, World
from motorik.compiler import compile_function, count_instructions
from motorik.compiler.straight import packing
from motorik.compiler.straight.code import read_function
from motorik.compiler.straight.packing import find_packs
from motorik.motion import traced


class Walker(Model):
    """A floating trunk with limbs of equal build and different numbers."""

    def build(self, limbs=4, joints=5) -> None:
        random = np.random.default_rng(limbs)
        self.world = World()
        self.free = FreeMotion()
        self.trunk = Body(m=9.0, r_CM=(0.1, 0.2, 0.0), I=np.diag([1.0, 1.2, 0.9]))
        self.connect(self.world.frame_b, self.free.frame_a)
        self.connect(self.free.frame_b, self.trunk.frame_a)
        for i in range(limbs):
            frame = self.trunk.frame_a
            for k in range(joints):
                angles, r = random.uniform(10, 80, 3), random.uniform(0.1, 0.5, 3)
                place = FixedRotation(
                    rotationType="PlanarRotationSequence", angles=np.radians(angles), r=r
                )
                A = random.normal(size=(3, 3))
                tensor = 0.1 * A @ A.T + 3.0 * np.eye(3)
                body = Body(
                    m=random.uniform(1, 2), r_CM=random.uniform(0, 0.3, 3), I=tensor
                )
                joint = Revolute(n="z")
                for name, part in (("place", place), ("joint", joint), ("body", body)):
                    setattr(self, f"{name}{i}_{k}", part)
                self.connect(frame, place.frame_a)
                self.connect(place.frame_b, joint.frame_a)
                self.connect(joint.frame_b, body.frame_a)
                frame = body.frame_a


@pytest.fixture(scope="module", params=[2, 3, 4, 5])
def walker(request):
    system = Walker(limbs=request.param).compile()
    random = np.random.default_rng(7)
    q, u, tau = (random.normal(size=n) for n in (system.n_q, system.n_u, system.n_u))
    q[3:7] /= np.linalg.norm(q[3:7])
    return system, q, u, tau


@pytest.mark.kinds(1)
@pytest.mark.slow
def test_limbs_are_packed_and_give_the_same_accelerations(walker):
    system, q, u, tau = walker
    function = system.function("forward_dynamics")
    assert find_packs(read_function(function)) is not None
    found = compile_function(function, cache=False)(q, u, tau, np.zeros(0))
    by_numbers = traced.speed_rates(system.mechanism, list(q), list(u), list(tau))
    scale = np.abs(by_numbers).max()
    np.testing.assert_allclose(found, by_numbers, rtol=0, atol=1e-13 * scale)


@pytest.mark.kinds(1)
@pytest.mark.slow
def test_packing_changes_nothing_but_the_order_of_work(walker, monkeypatch):
    system, q, u, tau = walker
    function = system.function("forward_dynamics")
    packed = compile_function(function, cache=False)(q, u, tau, np.zeros(0))
    monkeypatch.setattr(packing, "SHORTEST", 10**9)
    plain = compile_function(function, cache=False)(q, u, tau, np.zeros(0))
    np.testing.assert_allclose(packed, plain, rtol=0, atol=1e-13 * np.abs(plain).max())


@pytest.mark.kinds(2)
@pytest.mark.slow
def test_a_pack_holds_alike_values_that_do_not_hang_on_each_other(walker):
    code = read_function(walker[0].function("forward_dynamics"))
    packs = find_packs(code)
    assert packs is not None
    for pack in {pack for pack, _ in packs.home.values()}:
        assert 2 <= len(pack) <= packing.WIDEST
        assert len({code.operation[value] for value in pack}) == 1
        assert [packs.home[value] for value in pack] == [
            (pack, k) for k in range(len(pack))
        ]
    depth = {}  # longest way from the inputs: equal in a pack, so no member needs another
    for value in code.find_needed():
        below = [depth[operand] for operand in packs.operands[value]]
        depth[value] = 1 + max(below, default=0)
    for pack in {pack for pack, _ in packs.home.values()}:
        assert len({depth[value] for value in pack}) == 1


@pytest.mark.slow
def test_every_operation_may_stand_beside_packs():
    x = casadi.SX.sym("x", 40)
    out = []
    for k in range(4):
        value = x[10 * k]
        for n in range(1, 110):
            a, b = x[10 * k + n % 10], 0.513 + 0.01 * (k + n)
            value = casadi.sin(value * b + a) + casadi.sqrt(1.0 + a * a) / (2.0 + value**2)
        out.append(casadi.atan2(value, x[k]) + casadi.if_else(value > 0, casadi.tan(a), -b))
        out.append(casadi.exp(value) + casadi.fmax(value, a) - casadi.fabs(value) + x[3])
    function = casadi.Function("mixed", [x], [casadi.vertcat(*out, x[5], 2.0)])
    assert find_packs(read_function(function)) is not None
    at = np.random.default_rng(3).normal(size=40)
    expected = np.asarray(function(at)).ravel()
    found = compile_function(function, cache=False)(at)
    np.testing.assert_allclose(found, expected, rtol=2e-13, atol=2e-13)


def test_a_chain_has_nothing_to_pack():
    x = casadi.SX.sym("x")
    value = x
    for n in range(1200):
        value = casadi.sin(value) * (1.0 + 0.001 * n)
    function = casadi.Function("chain", [x], [value])
    code = read_function(function)
    assert find_packs(code) is None
    assert count_instructions(function) == len(code)


def alike_values(seed: int) -> casadi.Function:
    """Return random code in which many values of one structure share operands."""
    random = np.random.default_rng(seed)
    x = casadi.SX.sym("x", 12)
    layer = casadi.vertsplit(x)
    layers = [layer]
    for _ in range(12):
        operation = random.integers(4)
        new = []
        for _ in range(random.integers(6, 14)):
            a, b = (layer[k] for k in random.integers(0, len(layer), size=2))
            value = (a + b, a * b, a - b, casadi.sin(a) + casadi.cos(b))[operation]
            new.append(0.5 * value)
        layer = new
        layers.append(layer)
    chosen = [
        v for layer in layers[1:] for v in layer if random.random() < 0.4 or v is layer[0]
    ]
    return casadi.Function("alike", [x], [casadi.vertcat(*chosen)])


@pytest.mark.kinds(4)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_random_code_is_packed_without_a_value_in_two_packs(seed, monkeypatch):
    monkeypatch.setattr(packing, "SHORTEST", 10)
    monkeypatch.setattr(packing, "WORTHWHILE", 1.0)
    function = alike_values(seed)
    packs = find_packs(read_function(function))
    assert packs is not None
    for pack in {pack for pack, _ in packs.home.values()}:
        assert [packs.home[value] for value in pack] == [
            (pack, lane) for lane in range(len(pack))
        ]
    at = np.random.default_rng(seed).normal(size=12)
    found = compile_function(function, cache=False)(at)
    expected = np.asarray(function(at)).ravel()
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)
