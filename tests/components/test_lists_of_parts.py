"""Parts in lists, tuples and dicts are named by place or key, and are like any other."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import motorik as mk
from motorik.errors import UnknownNameError

LENGTHS = (0.4, 0.3, 0.2)


class Chain(mk.Model):
    """A chain of arms on hinges, held in containers or named one by one."""

    def build(self, how="list"):
        self.world = mk.World()
        hinges = [mk.Revolute(phi=0.1 * k) for k in range(3)]
        arms = [mk.BodyCylinder(r=(length, 0, 0)) for length in LENGTHS]
        if how == "names":
            for k in range(3):
                setattr(self, f"hinges_{k + 1}", hinges[k])
                setattr(self, f"arms_{k + 1}", arms[k])
        elif how == "dict":
            self.hinges = {f"h{k}": hinge for k, hinge in enumerate(hinges)}
            self.arms = tuple(arms)
        elif how == "array":
            self.hinges, self.arms = np.array(hinges, dtype=object), [[*arms]]
        else:
            self.hinges, self.arms = hinges, arms
        end = self.world.frame_b
        for hinge, arm in zip(hinges, arms, strict=True):
            end >> hinge.frame_a
            hinge.frame_b >> arm.frame_a
            end = arm.frame_b


NAMES = {
    "list": ("hinges[3]", "arms[3]"),
    "dict": ("hinges[h2]", "arms[3]"),
    "array": ("hinges[3]", "arms[1,3]"),
}


@pytest.mark.parametrize("how", NAMES)
def test_a_chain_in_containers_moves_like_one_named_part_by_part(how):
    hinge, arm = NAMES[how]
    result, other = Chain(how=how).simulate(0.5), Chain(how="names").simulate(0.5)
    assert np.array_equal(result[f"{hinge}.phi"], other["hinges_3.phi"])
    for element in ("", "[2]"):
        name = f"frame_b.r_0{element}"
        assert np.array_equal(result[f"{arm}.{name}"], other[f"arms_3.{name}"])
    assert f"{hinge}.phi" in result.state_names
    assert len(result.names()) == len(set(result.names())) == len(other.names())


@pytest.mark.parametrize("how", NAMES)
def test_names_of_containers_work_wherever_names_do(how):
    hinge, arm = NAMES[how]
    model = Chain(how=how)
    assert hinge in repr(model) and hinge in model.explain()
    started = model.simulate(0.01, initial={f"{hinge}.phi": 0.7})
    assert started[f"{hinge}.phi"][0] == 0.7
    heavy = model.simulate(0.01, parameters={f"{arm}.density": 1000.0})
    assert not np.array_equal(heavy[f"{hinge}.phi"], model.simulate(0.01)[f"{hinge}.phi"])
    assert model.parts[hinge] is getattr(model, hinge)


def test_python_counts_from_0_and_names_from_1():
    model = Chain()
    assert model.hinges[0].path == "hinges[1]" and model.arms[2].path == "arms[3]"
    with pytest.raises(UnknownNameError, match=r"Did you mean 'hinges\[1\]' or"):
        model.simulate(0.01)["hinges[0].phi"]


def test_containers_within_parts_are_found_by_their_path():
    outer = mk.Model()
    outer.robots = [mk.Model(), mk.Model()]
    outer.robots[1].links = {"upper": mk.Body()}
    assert outer.robots[1].links["upper"].path == "robots[2].links[upper]"


def test_a_list_that_grew_takes_its_new_parts_when_it_is_assigned_again():
    model, links = mk.Model(), [mk.Body()]
    model.links = links
    links.append(mk.Body())
    model.links = links
    assert [part.path for part in links] == ["links[1]", "links[2]"]


def test_copies_and_pickles_hold_their_own_parts():
    model = Chain()
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert other.hinges[1] is other.parts["hinges[2]"]
        assert other.hinges[1] is not model.hinges[1]
        assert np.array_equal(
            other.simulate(0.1)["hinges[2].phi"], model.simulate(0.1)["hinges[2].phi"]
        )


def test_what_is_no_part_stays_what_it_is():
    model = mk.Model()
    model.notes, model.table = ["a", 1.0], {"k": (1, 2)}
    assert model.notes == ["a", 1.0] and model.parts == {}
