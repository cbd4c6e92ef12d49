"""Mechanisms of any size: chains, rows of loops and engines, of n units each."""

from __future__ import annotations

from typing import Any

from benchmarks.models import make_chain
from benchmarks.ours import make_model
from motorik import BodyBox, Fixed, Model, Parameter, PointMass, Revolute, World, forces
from motorik.components.base.ports import FramePort, Port
from motorik.components.joints.rods import SphericalSpherical
from motorik.gallery import EngineV6
from motorik.joints import Coulomb


class FourBar(Model):
    """Crank, coupler and rocker on a frame that stands at r [m], all in a plane."""

    def build(self, r: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> None:
        """Close the ring of bars on two fixed points."""
        self.left, self.right = Fixed(r=r), Fixed(r=(r[0] + 0.9, r[1], r[2]))
        self.pivot = Revolute(n="z", phi=1.0, w=3.0, stateSelect="always")
        self.crank = BodyBox(r=(0.4, 0, 0), width=0.05)
        self.pin = Revolute(n="z")
        self.coupler = BodyBox(r=(0.9, 0.2, 0), width=0.05)
        self.joint = Revolute(n="z")
        self.rocker = BodyBox(r=(0.1, 0.8, 0), width=0.05)
        self.foot = Revolute(n="z")
        self.left.frame_b >> self.pivot.frame_a
        self.pivot.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.pin.frame_a
        self.pin.frame_b >> self.coupler.frame_a
        self.coupler.frame_b >> self.joint.frame_b
        self.right.frame_b >> self.foot.frame_a
        self.foot.frame_b >> self.rocker.frame_a
        self.rocker.frame_b >> self.joint.frame_a


def chain_and_four_bar(n: int) -> Model:
    """Return a chain of n links with one four-bar beside it on the ground."""
    model = make_model(make_chain(n))
    model.beside = FourBar(r=(2.0, 0.0, 0.0))
    return model


def chain_with_rods(n: int) -> Model:
    """Return a chain of 3 n + 3 links, a rod from every third link to the third after it.

    All hinges are about z; two neighbouring links of each three bend.
    """
    model = Model()
    model.world = World(g=9.81, n="-y")
    end = model.world.frame_b
    ends = [end]
    for i in range(3 * n + 3):
        hinge = Revolute(n="z", phi=(0.3, 0.5, -0.4)[i % 3])
        rod = BodyBox(r=(0.3, 0, 0), width=0.03)
        setattr(model, f"hinge{i}", hinge)
        setattr(model, f"link{i}", rod)
        end >> hinge.frame_a
        hinge.frame_b >> rod.frame_a
        end = rod.frame_b
        ends.append(end)
    for k in range(n):
        bar = SphericalSpherical(computeRodLength=True)
        setattr(model, f"bar{k}", bar)
        ends[3 * k] >> bar.frame_a
        bar.frame_b >> ends[3 * k + 3]
    return model


def four_bars(n: int) -> Model:
    """Return n four-bars side by side on the ground."""
    model = Model()
    model.world = World(n="-y")
    for i in range(n):
        setattr(model, f"bars{i}", FourBar(r=(2.0 * i, 0.0, 0.0)))
    return model


def net(n: int) -> Model:
    """Return n × n point masses in a plane, springs between neighbours and at the corners."""
    model = Model()
    model.world = World(n="-y")
    places = [(i, j) for i in range(n) for j in range(n)]
    ends: dict[tuple[int, int], FramePort] = {}
    for i, j in places:
        mass = PointMass(m=0.01, r_0=(0.1 * i, 0.0, 0.1 * j))
        setattr(model, f"mass{i}_{j}", mass)
        ends[i, j] = mass.frame_a
    pairs = [(at, (at[0] + 1, at[1])) for at in places if at[0] + 1 < n]
    pairs += [(at, (at[0], at[1] + 1)) for at in places if at[1] + 1 < n]
    joined = [(ends[a], ends[b], 0.09) for a, b in pairs]
    for i in (0, n - 1):
        for j in (0, n - 1):
            corner = Fixed(r=(0.102 * i - 0.01, 0.05, 0.102 * j - 0.01))
            setattr(model, f"corner{i}_{j}", corner)
            joined.append((corner.frame_b, ends[i, j], 0.01))
    for k, (a, b, length) in enumerate(joined):
        spring = forces.Spring(c=100.0, s_unstretched=length)
        setattr(model, f"spring{k}", spring)
        a >> spring.frame_a
        spring.frame_b >> b
    return model


class Engine(EngineV6):
    """An engine on the ground of a larger model."""

    def _ground(self) -> Port:
        self.mounting = Fixed()
        return self.mounting.frame_b


def engines(n: int) -> Model:
    """Return n engines with six cylinders each, on one ground."""
    model = Model()
    model.world = World()
    for i in range(n):
        setattr(model, f"engine{i}", Engine())
    return model


def live_chain(n: int) -> Model:
    """Return a chain of n links of which the mass of the last body is a live parameter."""
    model = make_model(make_chain(n))
    last: Any = model.parts[f"body{n - 1}"]
    last.m = Parameter(0.7)
    return model


def chain_with_spring(n: int) -> Model:
    """Return a chain of n links with a spring from the ground to its tip."""
    model = make_model(make_chain(n))
    model.spring = forces.Spring(c=100.0, s_unstretched=0.1)
    model.world.frame_b >> model.spring.frame_a
    last: Any = model.parts[f"joint{n - 1}"]
    model.spring.frame_b >> last.frame_b
    return model


def friction_chain(n: int, tau: float = 10.0) -> Model:
    """Return a zigzag of n links of 0.2 m from the world, with a friction torque in each hinge.

    Without friction where tau is 0 [N·m].
    """
    model = Model()
    model.world = World(g=9.81, n="-y")
    end = model.world.frame_b
    for i in range(n):
        friction = Coulomb(tau=tau) if tau > 0.0 else None
        hinge = Revolute(n="z", phi=0.1 if i % 2 else -0.1, friction=friction)
        link = BodyBox(r=(0.2, 0, 0), width=0.02)
        setattr(model, f"hinge{i}", hinge)
        setattr(model, f"link{i}", link)
        end >> hinge.frame_a
        hinge.frame_b >> link.frame_a
        end = link.frame_b
    return model
