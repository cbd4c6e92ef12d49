"""Models of the tests of analyses, compiled once."""

from __future__ import annotations

from functools import cache

from motorik import (
    Body,
    Model,
    Parameter,
    Revolute,
    Spherical,
    World,
    gallery,
    rotational,
    translational,
)

G = 9.81


class QuarterCar(Model):
    """A wheel on its tyre, and a body on spring and damper above it, along one line."""

    def build(self) -> None:
        """Connect road, wheel and body; positions are deflections."""
        self.road = translational.Fixed()
        self.tyre = translational.Spring(c=160e3)
        self.wheel = translational.Mass(m=40.0)
        self.strut = translational.SpringDamper(c=16e3, d=Parameter(1200.0))
        self.body = translational.Mass(m=300.0)
        self.push = translational.ConstantForce(f_constant=Parameter(0.0))
        self.road.flange >> self.tyre.flange_a
        self.tyre.flange_b >> self.wheel.flange_a
        self.wheel.flange_b >> self.strut.flange_a
        self.strut.flange_b >> self.body.flange_a
        self.push.flange >> self.body.flange_b


class SpringChain(Model):
    """Equal masses between equal springs, the first and the last of them fixed."""

    def build(self, n: int = 12, c: float = 500.0, m: float = 0.2) -> None:
        """Connect the masses in a row."""
        self.wall = translational.Fixed()
        end = self.wall.flange
        for k in range(n):
            spring, mass = translational.Spring(c=c), translational.Mass(m=m)
            setattr(self, f"spring{k}", spring)
            setattr(self, f"mass{k}", mass)
            end >> spring.flange_a
            spring.flange_b >> mass.flange_a
            end = mass.flange_b
        self.last, self.far = translational.Spring(c=c), translational.Fixed()
        end >> self.last.flange_a
        self.last.flange_b >> self.far.flange


class Pendulum(Model):
    """A point mass on a rod of length L about z, with a torque and dry friction at will."""

    def build(self, L: float = 0.5, friction: float = 0.0, phi: float = 0.0) -> None:
        """Connect hinge and bob; phi is 0 where it hangs."""
        self.world = World(g=G, n="-y")
        self.hinge = Revolute(n="z", useAxisFlange=True, phi=phi, w=0.0)
        self.bob = Body(m=2.0, r_CM=(0.0, -L, 0.0))
        self.torque = rotational.ConstantTorque(tau_constant=Parameter(0.0))
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.bob.frame_a
        self.torque.flange >> self.hinge.axis
        if friction:
            self.bearing = rotational.BearingFriction(tau_pos=((0.0, friction),))
            self.bearing.flange_a >> self.hinge.axis


class BallPendulum(Model):
    """A body that hangs on a ball joint, whose coordinates are a quaternion."""

    def build(self) -> None:
        """Connect ball and body."""
        self.world = World(g=G, n="-z")
        self.ball = Spherical()
        self.bob = Body(m=1.5, r_CM=(0.0, 0.0, -0.4), I_11=0.1, I_22=0.2, I_33=0.15)
        self.world.frame_b >> self.ball.frame_a
        self.ball.frame_b >> self.bob.frame_a


quarter_car = cache(QuarterCar)
spring_chain = cache(SpringChain)
pendulum = cache(Pendulum)
ball_pendulum = cache(BallPendulum)


@cache
def suspension() -> Model:
    """Return the suspension of the gallery with its steering at rest."""
    return gallery.MacPherson(steering=0.0, bounce=0.0)
