"""Examples of planar parts."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from math import pi

from motorik import guess, planar, sqrt


def pendulum():
    """Return a model with a bar on a hinge in the plane."""
    model = planar.Model()
    model.ground = planar.Ground(ports={"O": (0, 0), "wall": (0.5, 0)})
    model.bar = planar.Body(
        m=1.0, I=0.02, ports={"O": (0, 0.25), "end": (0, -0.25)}, theta=0.7
    )
    model.hinge = planar.Revolute()
    model.connect(model.ground.O, model.hinge.frame_a)
    model.connect(model.hinge.frame_b, model.bar.O)
    return model


def Body():
    model = planar.Model()
    model.ground = planar.Ground()
    model.body = planar.Body(m=1.0, I=0.02, x=0.0, y=1.0, vx=2.0, w=3.0)  # flies freely
    return model


def Curve():
    def heart(x, y):
        """Vanish on a cam of radius 0.1 m, and 0.13 m on its x axis."""
        r = sqrt(x * x + y * y)
        return r - 0.1 - 0.03 * x / r

    model = planar.Model()
    model.ground = planar.Ground(ports={"O": (0, 0), "guide": (0, 0, pi / 2)})
    model.cam = planar.Body(m=2.0, I=0.02, ports={"O": (0, 0)}, theta=0.2, w=8.0)
    model.follower = planar.Body(
        m=0.3, I=1e-3, ports={"tip": (0, 0, pi / 2)}, y=guess(0.11)
    )
    model.bearing, model.guide = planar.Revolute(), planar.Translational()
    model.contact = planar.Curve(curve=heart)
    model.connect(model.ground.O, model.bearing.frame_a)
    model.connect(model.bearing.frame_b, model.cam.O)
    model.connect(model.ground.guide, model.guide.frame_a)
    model.connect(model.guide.frame_b, model.follower.tip)
    model.connect(model.cam.O, model.contact.frame_a)
    model.connect(model.contact.frame_b, model.follower.tip)
    return model


def GearPair():
    model = planar.Model()
    model.ground = planar.Ground(ports={"O": (0, 0), "P": (0.1, 0)})
    model.pinion = planar.Body(m=0.5, I=1e-4, ports={"O": (0, 0)}, w=20.0)
    model.wheel = planar.Body(m=2.0, I=5e-3, ports={"P": (0, 0)}, x=guess(0.1))
    model.left, model.right = planar.Revolute(), planar.Revolute()
    model.gear = planar.GearPair(r_i=0.03, r_j=0.07)
    model.connect(model.ground.O, model.left.frame_a)
    model.connect(model.left.frame_b, model.pinion.O)
    model.connect(model.ground.P, model.right.frame_a)
    model.connect(model.right.frame_b, model.wheel.P)
    model.connect(model.pinion.O, model.gear.frame_a)
    model.connect(model.gear.frame_b, model.wheel.P)
    return model


def Ground():
    model = pendulum()
    return model


def Parallel():
    model = planar.Model()
    model.ground = planar.Ground()
    model.bar, model.level = planar.Body(m=1.0, I=0.01, vx=1.0), planar.Parallel()
    model.connect(model.ground.frame_b, model.level.frame_a)
    model.connect(model.level.frame_b, model.bar.G)  # moves without turning
    return model


def PointMass():
    model = planar.Model()
    model.ground = planar.Ground()
    model.mass = planar.PointMass(m=0.5, x=0.6, y=-0.2, vx=0.0, vy=0.0)
    model.spring = planar.SpringDamper(c=40.0, s0=0.5)
    model.connect(model.ground.frame_b, model.spring.frame_a)
    model.connect(model.spring.frame_b, model.mass.G)
    return model


def RackAndPinion():
    model = planar.Model()
    model.ground = planar.Ground(ports={"slope": (0, 0, -0.3)})
    model.wheel = planar.Body(m=2.0, I=0.01, ports={"middle": (0, 0)}, y=guess(0.1))
    model.rolling = planar.RackAndPinion(r=0.1)
    model.connect(model.ground.slope, model.rolling.frame_a)
    model.connect(model.rolling.frame_b, model.wheel.middle)
    return model


def Revolute():
    model = pendulum()
    return model


def Rod():
    model = planar.Model()
    model.ground = planar.Ground(ports={"A": (0, 0)})
    model.plate = planar.Body(
        m=1.5, I=0.04, ports={"A": (-0.2, 0.05)}, y=guess(-0.6), w=1.0
    )
    model.rod = planar.Rod(length=0.6)
    model.connect(model.ground.A, model.rod.frame_a)
    model.connect(model.rod.frame_b, model.plate.A)
    return model


def Slot():
    model = planar.Model()
    model.ground = planar.Ground(ports={"O": (0, 0), "pivot": (0, -0.4)})
    model.crank = planar.Body(m=1.0, I=0.01, ports={"O": (0, 0), "pin": (0.15, 0)}, w=6.0)
    model.lever = planar.Body(m=0.8, I=0.03, ports={"pivot": (-0.3, 0)}, theta=guess(1.4))
    model.bearing, model.pivot, model.slot = (
        planar.Revolute(),
        planar.Revolute(),
        planar.Slot(),
    )
    model.connect(model.ground.O, model.bearing.frame_a)
    model.connect(model.bearing.frame_b, model.crank.O)
    model.connect(model.ground.pivot, model.pivot.frame_a)
    model.connect(model.pivot.frame_b, model.lever.pivot)
    model.connect(model.lever.pivot, model.slot.frame_a)
    model.connect(model.slot.frame_b, model.crank.pin)
    return model


def SpringDamper():
    model = pendulum()
    model.spring = planar.SpringDamper(c=30.0, d=0.5, s0=0.2)
    model.connect(model.ground.wall, model.spring.frame_a)
    model.connect(model.spring.frame_b, model.bar.end)
    return model


def Translational():
    model = planar.Model()
    model.ground = planar.Ground(ports={"guide": (0, 0, 0.3)})
    model.block, model.guide = planar.Body(m=1.0, I=0.01), planar.Translational()
    model.connect(model.ground.guide, model.guide.frame_a)
    model.connect(model.guide.frame_b, model.block.G)
    return model


def Weld():
    model = pendulum()
    model.lower = planar.Body(m=0.7, I=0.01, ports={"end": (0, 0.2)}, y=guess(-0.5))
    model.weld = planar.Weld()
    model.connect(model.bar.end, model.weld.frame_a)
    model.connect(model.weld.frame_b, model.lower.end)
    return model
