"""Nets of springs: equal laws are recorded once, for rates and for relative coordinates."""

from __future__ import annotations

from functools import cache

import casadi
import numpy as np
import pytest

import motorik as mk
from motorik import forces
from motorik.compiled_model import CompiledModel

SIDE = 5


@cache
def net() -> mk.Model:
    """Return masses on a grid in space, with springs between neighbours, one mass fixed."""
    model = mk.Model()
    model.world = mk.World(n="-y")
    model.spring = forces.Spring(c=mk.Parameter(30.0), s_unstretched=0.1)
    random = np.random.default_rng(3)
    masses = []
    for k in range(SIDE * SIDE):
        at = (float(k % SIDE), float(k // SIDE), 0.1 * random.uniform())
        masses.append(mk.PointMass(m=random.uniform(0.5, 1.5), r_0=at))
    model.masses = masses
    model.world.frame_b >> model.spring.frame_a
    model.spring.frame_b >> model.masses[0].frame_a
    for k in range(SIDE * SIDE):
        others = [k + 1] if (k + 1) % SIDE else []
        for other in (*others, *([k + SIDE] if k + SIDE < SIDE * SIDE else [])):
            spring = forces.SpringDamperParallel(
                c=random.uniform(10, 20), d=0.1, s_unstretched=0.9
            )
            setattr(model, f"spring{k}_{other}", spring)
            model.masses[k].frame_a >> spring.frame_a
            spring.frame_b >> model.masses[other].frame_a
    return model


def states_of(system: CompiledModel) -> np.ndarray:
    """Return a state at random."""
    return np.random.default_rng(4).uniform(-1.0, 1.0, system.layout.n_x)


def test_a_point_mass_has_six_states_and_laws_share_their_code():
    system = net().compile()
    assert system.is_rolled and system.layout.n_x == 6 * SIDE * SIDE
    for name in ("derivative", "relative_coordinates"):
        tape = system.natives.tape(name)
        shapes = {call.shape for call in tape.needed_calls()}
        assert not tape._glue
        assert sum(len(shape.code.operation) for shape in shapes) < 800


@pytest.mark.parametrize("name", ["derivative", "relative_coordinates"])
def test_shared_code_computes_what_straight_code_does(name):
    system = net().compile()
    given = 0.0, states_of(system), system.parameter_values()
    straight = np.array(system.function(name)(*map(casadi.DM, given)))[:, 0]
    shared = np.ravel(system.natives.get(name)(*given))
    np.testing.assert_allclose(shared, straight, rtol=1e-12, atol=1e-12)
