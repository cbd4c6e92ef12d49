"""Planar mechanisms of every kind of joint, and their description for the independent solver."""

from math import cos, pi, sin

import numpy as np

from motorik import guess, planar
from motorik.algebra import sqrt
from motorik.planar import Body, Ground, Model, Revolute
from motorik.planar.forces import VectorForce
from motorik.planar.vector_joint import VectorJoint
from motorik.planar.vector_part import VectorPart
from tests.planar.absolute import STEP, Mechanism, port_of


class SliderCrank(Model):
    """A driven crank, a rod and a piston in its guide; the gas is a spring."""

    def build(self, drive=0.4):
        self.ground = Ground(ports={"O": (0, 0), "guide": (0, 0)})
        self.crank = Body(
            m=0.5, I=2e-3, ports={"O": (-0.05, 0), "pin": (0.05, 0)}, theta=0.9, w=10.0
        )
        self.rod = Body(m=0.3, I=3e-3, ports={"pin": (-0.1, 0), "wrist": (0.15, 0)})
        self.piston = Body(m=0.4, I=1e-3, x=guess(0.3), ports={"wrist": (0, 0)})
        self.bearing = Revolute(drive=lambda t, phi, w: drive - 0.01 * w)
        self.pin, self.wrist = Revolute(), Revolute()
        self.guide = planar.Translational()
        self.gas = planar.SpringDamper(c=300.0, d=0.5, s0=0.3)
        self.ground.O >> self.bearing.frame_a
        self.bearing.frame_b >> self.crank.O
        self.crank.pin >> self.pin.frame_a
        self.pin.frame_b >> self.rod.pin
        self.rod.wrist >> self.wrist.frame_a
        self.wrist.frame_b >> self.piston.wrist
        self.ground.guide >> self.guide.frame_a
        self.guide.frame_b >> self.piston.G
        self.ground.O >> self.gas.frame_a
        self.gas.frame_b >> self.piston.G


class QuickReturn(Model):
    """A crank whose pin slides in the slot of a lever; a drive pushes along the slot."""

    def build(self):
        self.ground = Ground(ports={"O": (0, 0), "pivot": (0, -0.4)})
        self.crank = Body(
            m=1.0, I=0.01, ports={"O": (0, 0), "pin": (0.15, 0)}, theta=0.3, w=6.0
        )
        self.lever = Body(
            m=0.8, I=0.03, ports={"pivot": (-0.3, 0)}, theta=guess(1.4), y=guess(-0.1)
        )
        self.bearing, self.pivot = Revolute(), Revolute()
        self.slot = planar.Slot(drive=lambda t, s, v: 2.0 * (0.4 - s) - 0.5 * v)
        self.ground.O >> self.bearing.frame_a
        self.bearing.frame_b >> self.crank.O
        self.ground.pivot >> self.pivot.frame_a
        self.pivot.frame_b >> self.lever.pivot
        self.lever.pivot >> self.slot.frame_a
        self.slot.frame_b >> self.crank.pin


class HungByRods(Model):
    """A plate on two rods of unequal length, swinging under gravity."""

    def build(self):
        self.ground = Ground(ports={"A": (0, 0), "B": (0.5, 0)})
        self.plate = Body(
            m=1.5,
            I=0.04,
            ports={"A": (-0.2, 0.05), "B": (0.2, 0.05)},
            x=guess(0.45),
            y=guess(-0.6),
            theta=0.2,
            vx=guess(0.5),
        )
        self.rod_A, self.rod_B = planar.Rod(length=0.6), planar.Rod(length=0.5)
        for name in "AB":
            rod = getattr(self, f"rod_{name}")
            getattr(self.ground, name) >> rod.frame_a
            rod.frame_b >> getattr(self.plate, name)


def heart(x, y):
    """Vanish on a cam whose radius is 0.1 m, and 0.13 m on its x axis."""
    r = sqrt(x * x + y * y)
    return r - 0.1 - 0.03 * x / r


class Cam(Model):
    """A turning cam lifts a follower, which a spring presses on it."""

    def build(self):
        self.ground = Ground(ports={"O": (0, 0), "guide": (0, 0, pi / 2)})
        self.cam = Body(m=2.0, I=0.02, ports={"O": (0, 0)}, theta=0.2, w=8.0)
        self.follower = Body(m=0.3, I=1e-3, ports={"tip": (0, 0, pi / 2)}, y=guess(0.11))
        self.bearing, self.guide = Revolute(), planar.Translational()
        self.contact = planar.Curve(curve=heart)
        self.spring = planar.SpringDamper(c=400.0, s0=0.0)
        self.ground.O >> self.bearing.frame_a
        self.bearing.frame_b >> self.cam.O
        self.ground.guide >> self.guide.frame_a
        self.guide.frame_b >> self.follower.tip
        self.cam.O >> self.contact.frame_a
        self.contact.frame_b >> self.follower.tip
        self.ground.O >> self.spring.frame_a
        self.spring.frame_b >> self.follower.tip


class Planetary(Model):
    """Sun, planet and a ring that stands still; the carrier holds the planet's distance."""

    def build(self, contact=False):
        r_sun, r_planet = 0.06, 0.04
        arm = r_sun + r_planet
        self.ground = Ground(ports={"O": (0, 0), "ring": (0, 0)})
        self.sun = Body(m=1.0, I=2e-3, ports={"O": (0, 0)}, w=20.0)
        self.carrier = Body(
            m=0.5, I=2e-3, ports={"O": (-arm / 2, 0), "P": (arm / 2, 0)}, theta=0.4
        )
        self.planet = Body(m=0.4, I=4e-4, ports={"P": (0, 0)}, x=guess(0.1))
        self.sun_bearing, self.carrier_bearing = Revolute(), Revolute(drive=-0.05)
        self.planet_bearing = Revolute()
        self.inner = planar.GearPair(r_i=r_sun, r_j=r_planet, contact=contact)
        self.outer = planar.GearPair(r_i=-(arm + r_planet), r_j=r_planet, contact=contact)
        self.ground.O >> self.sun_bearing.frame_a
        self.sun_bearing.frame_b >> self.sun.O
        self.ground.O >> self.carrier_bearing.frame_a
        self.carrier_bearing.frame_b >> self.carrier.O
        self.carrier.P >> self.planet_bearing.frame_a
        self.planet_bearing.frame_b >> self.planet.P
        self.sun.O >> self.inner.frame_a
        self.inner.frame_b >> self.planet.P
        self.ground.ring >> self.outer.frame_a
        self.outer.frame_b >> self.planet.P


class RollingWheel(Model):
    """A wheel rolls down a slope; its centre of mass is off its middle."""

    def build(self, slope=-0.3, off=0.02):
        self.ground = Ground(ports={"slope": (0, 0, slope)})
        self.wheel = Body(
            m=2.0,
            I=0.01,
            r_CM=(off, 0),
            ports={"middle": (0, 0)},
            x=guess(0.1 * sin(-slope)),
            y=guess(0.1 * cos(slope)),
            theta=0.5,
            w=guess(-2.0),
        )
        self.rolling = planar.RackAndPinion(r=0.1)
        self.ground.slope >> self.rolling.frame_a
        self.rolling.frame_b >> self.wheel.middle


class Welded(Model):
    """A pendulum of two bodies that are welded together at an angle."""

    def build(self):
        self.ground = Ground(ports={"O": (0, 0)})
        self.upper = Body(
            m=1.0, I=0.02, ports={"O": (0, 0.25), "end": (0, -0.25, 0.6)}, theta=0.7
        )
        self.lower = Body(m=0.7, I=0.01, ports={"end": (0, 0.2)}, y=guess(-0.5))
        self.hinge, self.weld = Revolute(), planar.Weld()
        self.ground.O >> self.hinge.frame_a
        self.hinge.frame_b >> self.upper.O
        self.upper.end >> self.weld.frame_a
        self.weld.frame_b >> self.lower.end


class OnEllipse(planar.VectorJoint):
    """N stays on an ellipse about M."""

    def constraint(self, OM, ON, x_i, y_i, x_j, y_j):
        x, y = (ON - OM).dot(x_i) / 0.4, (ON - OM).dot(y_i) / 0.2
        return (x * x + y * y - 1.0) * 0.15


class Bead(Model):
    """A bar that stays level, with one end on an ellipse that is fixed on the ground."""

    def build(self):
        self.ground = Ground(ports={"middle": (0, 0, 0.3)})
        self.bar = Body(m=1.0, I=0.01, ports={"end": (0.1, 0)}, x=guess(0.2), y=guess(0.2))
        self.ellipse, self.level = OnEllipse(), planar.Parallel()
        self.ground.middle >> self.ellipse.frame_a
        self.ellipse.frame_b >> self.bar.end
        self.ground.frame_b >> self.level.frame_a
        self.level.frame_b >> self.bar.G


MODELS = (
    SliderCrank,
    QuickReturn,
    HungByRods,
    Cam,
    Planetary,
    RollingWheel,
    Welded,
    Bead,
)


# --- the same for the independent solver ----------------------------------------------------


def bodies_of(model):
    return [part for part in model.walk() if isinstance(part, Body)]


def place_of(bodies, model, port):
    """Return the body (−1 is the ground) and the place (from G) a port is connected to."""
    for a, b in model.connections:
        other = b if a is port else a if b is port else None
        if other is None or isinstance(other.owner, VectorPart):
            continue
        owner = other.owner
        if other.name in ("G", "frame_b"):
            place = (0.0, 0.0, 0.0)
        else:
            r, angle = (getattr(owner, f"{of}_{other.name}") for of in ("r", "angle"))
            centre = getattr(owner, "r_CM", None)
            x, y = (0.0, 0.0) if centre is None else centre.xyz[:2]
            place = (r.x - x, r.y - y, angle)
        return (bodies.index(owner) if owner in bodies else -1), place
    raise LookupError(port)


def independent(model):
    """Return the mechanism of a model for the independent solver."""
    bodies = bodies_of(model)
    joints, pushing = [], []
    for part in model.walk():
        if isinstance(part, VectorPart):
            ends = [place_of(bodies, model, port) for port in (part.frame_a, part.frame_b)]
            entry = (part, *ends[0], *ends[1])
            if isinstance(part, VectorJoint):
                joints.append(entry)
            if isinstance(part, VectorForce) or part.drive is not None:
                pushing.append(entry)

    def freedom(entry, q):
        part, i, place_i, j, place_j = entry
        ends = [
            port_of((0.0, 0.0, 0.0) if k < 0 else q[3 * k : 3 * k + 3], place)
            for k, place in ((i, place_i), (j, place_j))
        ]
        (OM, x_i, y_i), (ON, x_j, y_j) = ends
        if isinstance(part, Revolute):  # of complex numbers no arctangent is taken
            th = [0.0 if k < 0 else q[3 * k + 2] for k in (i, j)]
            return th[1] + place_j[2] - th[0] - place_i[2]
        return part.freedom(OM, ON, x_i, y_i, x_j, y_j)

    def forces(t, q, v):
        total = np.zeros(q.size)
        for entry in pushing:
            slopes = np.array(
                [np.imag(freedom(entry, q + 1j * STEP * e)) / STEP for e in np.eye(q.size)]
            )
            s = float(np.real(freedom(entry, q.astype(complex))))
            total += entry[0].push(t, s, float(slopes @ v)) * slopes
        return total

    return Mechanism([(b.m, b.I) for b in bodies], joints, forces if pushing else None)


def motion_of(result, model, letters=("x", "y", "theta")):
    """Return the coordinates of all bodies over time."""
    names = [f"{body.path}.{letter}" for body in bodies_of(model) for letter in letters]
    return np.column_stack([result[name] for name in names])
