"""Mechanisms of many loops: beside each other, in chains, one on the other, tied by gears."""

from __future__ import annotations

from motorik import (
    BodyBox,
    BodyShape,
    Fixed,
    FixedTranslation,
    Model,
    Parameter,
    Revolute,
    Spherical,
    Universal,
    World,
    blocks,
    forces,
    guess,
    rotational,
)
from motorik.components.base.part import frame
from motorik.components.joints.rods import SphericalSpherical


class FourBar(Model):
    """Crank, coupler and rocker between two points of a ground, which may move itself."""

    ground, tip = frame("what it stands on"), frame("a point of the coupler")

    def build(self, phi=1.0, w=3.0, scale: float = 1.0) -> None:
        """Close the ring of bars."""
        width = 0.05 * scale
        self.frame = FixedTranslation(r=(0.9 * scale, 0, 0))
        self.pivot = Revolute(n="z", phi=phi, w=w, useAxisFlange=True, stateSelect="always")
        self.crank = BodyBox(r=(0.4 * scale, 0, 0), width=width)
        self.pin = Revolute(n="z")
        self.coupler = BodyBox(r=(0.9 * scale, 0.2 * scale, 0), width=width)
        self.joint = Revolute(n="z")
        self.rocker = BodyBox(r=(0.1 * scale, 0.8 * scale, 0), width=width)
        self.foot = Revolute(n="z")
        self.ground >> self.frame.frame_a
        self.ground >> self.pivot.frame_a
        self.pivot.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.pin.frame_a
        self.pin.frame_b >> self.coupler.frame_a
        self.coupler.frame_b >> self.joint.frame_b
        self.frame.frame_b >> self.foot.frame_a
        self.foot.frame_b >> self.rocker.frame_a
        self.rocker.frame_b >> self.joint.frame_a
        self.coupler.frame_b >> self.tip


class Swing(Model):
    """A crank in space that swings a lever by a rod between a ball and a universal joint."""

    ground, tip = frame("what it stands on"), frame("the lever's end")

    def build(self, w: float = 2.0, rodLength: float | None = None) -> None:
        """Close the loop in space, by a rod as long as the start tells if no length is given."""
        self.pivot = Revolute(n=(1, 0, 0.2), phi=0.3, w=w, stateSelect="always")
        self.crank = BodyShape(
            m=0.5, r=(0.1, 0.3, 0), r_CM=(0.05, 0.15, 0), I_11=0.01, I_22=0.01, I_33=0.01
        )
        self.foot = FixedTranslation(r=(1.0, 0.1, 0.1))
        self.bearing = Revolute(n=(0.1, 0, 1))
        self.lever = BodyShape(
            m=0.8, r=(0, 0.5, 0.1), r_CM=(0, 0.2, 0), I_11=0.02, I_22=0.02, I_33=0.02
        )
        self.rod = SphericalSpherical(
            rodLength=rodLength or 1.0, computeRodLength=rodLength is None
        )
        self.ground >> self.pivot.frame_a
        self.pivot.frame_b >> self.crank.frame_a
        self.ground >> self.foot.frame_a
        self.foot.frame_b >> self.bearing.frame_a
        self.bearing.frame_b >> self.lever.frame_a
        self.crank.frame_b >> self.rod.frame_a
        self.rod.frame_b >> self.lever.frame_b
        self.lever.frame_b >> self.tip


def arm(model: Model, end, count: int, name: str = "arm"):
    """Hang links in space on a frame of a model; return the last frame."""
    axes = ("z", (0, 1, 0.3), "x")
    for i in range(count):
        hinge = Revolute(n=axes[i % 3], phi=0.2 * (i + 1), w=0.5 - 0.3 * i)
        link = BodyBox(r=(0.3, 0.05 * i, 0), width=0.04)
        setattr(model, f"{name}_hinge{i}", hinge)
        setattr(model, f"{name}_link{i}", link)
        end >> hinge.frame_a
        hinge.frame_b >> link.frame_a
        end = link.frame_b
    return end


def grounded() -> Model:
    """Return a model of a world alone."""
    model = Model()
    model.world = World(n="-y")
    return model


def beside() -> Model:
    """Return loops beside an arm."""
    model = grounded()
    arm(model, model.world.frame_b, 3)
    for i in range(3):
        setattr(model, f"bars{i}", FourBar(phi=1.0 + 0.1 * i, scale=1.0 + 0.2 * i))
        model.world.frame_b >> model.parts[f"bars{i}"].ground
    return model


def on_an_arm() -> Model:
    """Return an arm that carries a four-bar, which carries an arm."""
    model = grounded()
    end = arm(model, model.world.frame_b, 3)
    model.bars = FourBar()
    end >> model.bars.ground
    arm(model, model.bars.tip, 2, "hand")
    return model


def nested() -> Model:
    """Return four-bars on the couplers of others, and a loop in space on the last."""
    model = grounded()
    end = model.world.frame_b
    for i in range(3):
        bars = FourBar(phi=1.0 + 0.2 * i, w=1.0 - i, scale=1.0 / (i + 1))
        setattr(model, f"bars{i}", bars)
        end >> bars.ground
        end = bars.tip
    model.swing = Swing()
    end >> model.swing.ground
    return model


def geared() -> Model:
    """Return two four-bars on an arm, their cranks tied by a gear."""
    model = grounded()
    end = arm(model, model.world.frame_b, 2)
    model.one, model.two = FourBar(), FourBar(phi=0.5, w=6.0, scale=0.5)
    model.gear = rotational.IdealGear(ratio=2.0)
    end >> model.one.ground
    end >> model.two.ground
    model.gear.flange_a >> model.two.pivot.axis
    model.gear.flange_b >> model.one.pivot.axis
    model.two.pivot.phi, model.two.pivot.w = 2.0, 6.0
    model.one.pivot.stateSelect = "prefer"  # the gear leaves one angle free
    return model


def driven() -> Model:
    """Return an arm with a four-bar whose crank time drives, and an arm on this."""
    model = grounded()
    end = arm(model, model.world.frame_b, 2)
    model.bars = FourBar(phi=guess(1.0), w=guess(0.0))
    model.turn = blocks.Sine(amplitude=0.7, f=0.5, offset=0.8, startTime=-10.0)
    model.drive = rotational.Position(exact=True)
    end >> model.bars.ground
    model.drive.flange >> model.bars.pivot.axis
    model.turn.y >> model.drive.phi_ref
    arm(model, model.bars.tip, 2, "hand")
    return model


def sprung() -> Model:
    """Return loops and arms that springs and live parameters tie to one another."""
    model = grounded()
    end = arm(model, model.world.frame_b, 3)
    model.bars = FourBar()
    model.swing = Swing()
    end >> model.swing.ground
    model.world.frame_b >> model.bars.ground
    model.spring = forces.SpringDamperParallel(c=Parameter(30.0), d=2.0, s_unstretched=0.3)
    model.bars.tip >> model.spring.frame_a
    model.spring.frame_b >> model.swing.tip
    return model


def balls() -> Model:
    """Return a body on a ball that carries a loop in space and a universal joint."""
    model = grounded()
    model.ball = Spherical()
    model.body = BodyBox(r=(0.5, 0, 0), width=0.2)
    model.swing = Swing()
    model.cross = Universal()
    model.tail = BodyBox(r=(0, -0.4, 0.1), width=0.1)
    model.world.frame_b >> model.ball.frame_a
    model.ball.frame_b >> model.body.frame_a
    model.body.frame_b >> model.swing.ground
    model.swing.tip >> model.cross.frame_a
    model.cross.frame_b >> model.tail.frame_a
    return model


def in_a_row(count: int = 4) -> Model:
    """Return a chain with a rod from every third link to the third after it."""
    model = grounded()
    end = model.world.frame_b
    ends = [end]
    for i in range(3 * count + 1):
        hinge = Revolute(n="z", phi=(0.3, 0.5, -0.4)[i % 3])
        link = BodyBox(r=(0.3, 0, 0), width=0.03)
        setattr(model, f"hinge{i}", hinge)
        setattr(model, f"link{i}", link)
        end >> hinge.frame_a
        hinge.frame_b >> link.frame_a
        end = link.frame_b
        ends.append(end)
    for k in range(count):
        bar = SphericalSpherical(computeRodLength=True)
        setattr(model, f"bar{k}", bar)
        ends[3 * k] >> bar.frame_a
        bar.frame_b >> ends[3 * k + 3]
    return model


def many_bars(count: int = 20) -> Model:
    """Return four-bars of several sizes side by side on the ground."""
    model = grounded()
    for i in range(count):
        setattr(model, f"foot{i}", Fixed(r=(2.0 * i, 0, 0)))
        setattr(model, f"bars{i}", FourBar(phi=0.8 + 0.02 * i, scale=1.0 + 0.001 * i))
        model.parts[f"foot{i}"].frame_b >> model.parts[f"bars{i}"].ground
    return model


MODELS = {
    "beside": beside,
    "on an arm": on_an_arm,
    "nested": nested,
    "geared": geared,
    "driven": driven,
    "sprung": sprung,
    "balls": balls,
    "in a row": in_a_row,
    "many bars": many_bars,
}
