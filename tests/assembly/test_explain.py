"""What was decided when a model was assembled is told in words."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import blocks, gallery, rotational, translational


class Crane(mk.Model):
    """A reversed joint, a welded load, a floating crate, a probe and live parameters."""

    def build(self) -> None:
        self.world = mk.World(g=10.0)
        self.hinge = mk.Revolute(n="z", phi=0.5)
        self.boom = mk.BodyShape(m=2.0, r=(1, 0, 0), r_CM=(0.5, 0, 0))
        self.hook = mk.Prismatic(n="y", s=mk.guess(0.2))
        self.load = mk.Body(m=mk.Parameter(5.0))
        self.crate = mk.Body(m=3.0)
        self.speck = mk.PointMass(m=0.1)
        self.probe = mk.FreeMotionScalarInit(use_r=True, r_rel_a_1=0.9)
        self.world.frame_b >> self.hinge.frame_b
        self.hinge.frame_a >> self.boom.frame_a
        self.boom.frame_b >> self.hook.frame_a
        self.hook.frame_b >> self.load.frame_a
        self.probe.frame_a >> self.world.frame_b
        self.probe.frame_b >> self.load.frame_a


def test_the_text_tells_every_decision():
    text = Crane().explain()
    for line in (
        "Crane: 11 degrees of freedom, 4 moving links, 23 states",
        "gravity: uniform, (0.0, -10.0, 0.0) m/s2",
        "forward dynamics: ",
        "  hinge (reversed Revolute, 1 freedom) carries 2 kg",
        "    hook (Prismatic, 1 freedom) carries live mass",
        "  crate (Body, 6 freedoms) carries 3 kg",
        "  speck (PointMass, 3 freedoms) carries 0.1 kg",
        "  boom.body, boom.frameTranslation",
        "  hinge.phi = 0.5 rad (fixed)",
        "  hook.s = 0.046759 m (guess 0.2)",
        "  probe.r_rel_a_1",
        "live parameters: load.m",
        "  hinge is used from frame_b to frame_a",
        "  crate floats freely",
        "  probe only measures",
    ):
        assert line in text, line


def test_the_order_of_the_tree_is_told_by_indentation():
    lines = Crane().explain().splitlines()
    hinge, hook = (
        next(x for x in lines if x.strip().startswith(n)) for n in ("hinge ", "hook ")
    )
    assert len(hook) - len(hook.lstrip()) > len(hinge) - len(hinge.lstrip())


def test_gravity_that_depends_on_the_place_is_told():
    crane = Crane()
    crane.world.gravityType = "point"
    assert "gravity: depends on the place" in crane.explain()
    crane.world.gravityType = "none"
    assert "gravity: none" in crane.explain()


def test_a_wish_for_states_decides_which_joint_only_measures():
    model = mk.Model()
    model.world, model.body = mk.World(), mk.Body()
    model.one, model.two = mk.FreeMotion(enforceStates=False), mk.FreeMotion()
    for joint in (model.one, model.two):
        model.world.frame_b >> joint.frame_a
        joint.frame_b >> model.body.frame_a
    assert "one only measures" in model.explain()
    assert all(name.startswith("two.") for name in model.compile().state_names)


@pytest.mark.parametrize(
    ("kind", "is_unique"), [(gallery.PlanarFourbar, True), (gallery.ThreeCranks, False)]
)
def test_forces_in_the_plane_are_called_unique_where_they_are(kind, is_unique):
    """Against the nullspace of all rows: reactions that balance one another in the plane."""
    model = kind()
    system = model.compile()
    f, (cluster, *_) = system.formulation, [d.cluster for d in system.formulation.decisions]
    q = system.mobility.q
    G = f.constraints.matrix(q, system.assembled.p, 0.0, [])[list(cluster.constraints)]
    # rows that hold across the plane have no gradient: nothing moves there
    across = np.linalg.norm(G, axis=1) < 1e-9
    assert is_unique == (np.linalg.matrix_rank(G[~across]) == (~across).sum())
    assert is_unique == ("forces in the plane of motion are unique" in model.explain())


class Shuttle(mk.Model):
    """A mass that is turned round at both ends, counted, and looked at by a clock."""

    def build(self) -> None:
        self.mass = translational.Mass(m=3.0, s=0.0, v=1.0)
        self.turns, self.seen = blocks.Discrete(), blocks.Discrete()
        back = {"mass.v": lambda motion: -motion["mass.v"]}
        self.when(lambda motion: motion["mass.s"] - 0.5, reset=back, name="far")
        self.when(lambda motion: -motion["mass.s"] - 0.5, reset=back, set={self.turns: 1.0})
        self.when(lambda motion: motion["turns.y"] - 0.5, stop=True, name="enough")
        self.sample(
            0.1, lambda t, s: s, inputs=["mass.s"], outputs=[self.seen], name="clock"
        )


def test_what_happens_at_instants_is_told():
    text = Shuttle().explain()
    for line in (
        "  mass (Mass, 1 freedom) carries 3 kg",
        "  far: where its condition becomes positive, resets mass.v",
        "sets turns.y, resets mass.v",
        "  enough: where its condition becomes positive, ends the run",
        "  clock: every 0.1 s, sets seen.y",
    ):
        assert line in text, text


def test_lines_that_turn_carry_inertia():
    model = mk.Model()
    model.disc = rotational.Inertia(J=0.5, phi=0.0, w=0.0)
    assert "disc (Inertia, 1 freedom) carries 0.5 kg·m2" in model.explain()
