"""Blocks of parameters: modes, branches and references have positions of their own in p."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik.components.base.internal import FrictionWithOnset
from motorik.gallery import DoublePendulum, Fourbar1, PlanarFourbar
from motorik.loops.formulate import Formulation
from motorik.system.layout import Layout
from tests.events.parts import Slide, braked


def braked_fourbar() -> mk.Model:
    """Return a four-bar with a brake at its drive."""
    return braked(torque=1.0, phi=0.5, w=1.0)


def positions(layout: Layout) -> list[int]:
    """Return the positions of all blocks of p, one after another."""
    own = layout.branch
    blocks = (own.branches, own.unwrapped, own.unwrapped_cuts, own.summed_cuts)
    found = [*layout.live_names.values(), *layout.internal]
    found += [k for block in blocks for k in range(block.start, block.stop)]
    return found


@pytest.mark.parametrize("kind", [PlanarFourbar, Fourbar1, braked_fourbar, Slide])
def test_the_blocks_of_parameters_share_no_position_and_leave_none_out(kind):
    layout = kind().compile().layout
    size = layout.n_live + layout.n_branch_parameters
    assert sorted(positions(layout)) == list(range(size))


def test_forces_and_modes_are_blocks_of_the_internal_numbers():
    system = Slide().compile()
    (own,) = system.layout.nonsmooth.forces
    names = [system.parameters[k].label for k in own.entries().values()]
    assert names == [
        f"pad.friction.{k}" for k in ("force", "stick", "direction", "saturated")
    ]
    assert set(own.entries().values()) <= set(system.layout.internal)


def test_the_mode_of_friction_stands_in_its_block():
    sim = Slide().simulator()
    own = sim.system.layout.nonsmooth.columns
    sim.step(2.0)
    assert sim.modes == {"pad": "stuck"}
    assert sim._p[own.stick] == 1.0 and sim._p[own.direction] == 0.0


def test_only_friction_of_lines_shows_its_onset():
    model = mk.Model()
    model.brake, model.shaft = mk.rotational.BearingFriction(), mk.rotational.Inertia()
    model.brake.flange_b >> model.shaft.flange_a
    layout = model.compile().layout.nonsmooth
    assert isinstance(layout.forces[0], FrictionWithOnset)
    assert layout.onsets.onset.size == 1
    assert Slide().compile().layout.nonsmooth.onsets.onset.size == 0


def test_the_formulation_of_a_tree_is_empty():
    system = DoublePendulum().compile()
    f = system.formulation
    assert type(f) is Formulation and f.is_empty
    assert (f.state_q, f.state_u) == ((0, 1), (0, 1)) and f.freedom == 2
    assert not (f.dependent_q or f.solved or f.with_multiplier or f.n_branch_parameters)
    t, x, p = np.array([0.0]), np.array([0.3, -0.2, 1.0, 2.0]), system.parameter_values()
    for function in (system.constraints, system.constraint_matrix):
        assert function(t, x, p).size == 0
    np.testing.assert_array_equal(system.full_state(t, x, p), x)
    np.testing.assert_array_equal(
        system.full_state_rates(t, x, p), system.derivative(t, x, p)
    )
