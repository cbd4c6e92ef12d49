"""Examples of forces."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import (
    Body,
    Fixed,
    FixedTranslation,
    Model,
    Revolute,
    World,
    blocks,
    forces,
    translational,
)


def swing():
    """Return a model with a body on a hinge and a fixed frame beside it."""
    model = Model()
    model.world, model.wall = World(), Fixed(r=(1.0, 0.5, 0))
    model.joint, model.body = Revolute(n="z"), Body(m=1.0, r_CM=(0.5, 0, 0))
    model.connect(model.world.frame_b, model.joint.frame_a)
    model.connect(model.joint.frame_b, model.body.frame_a)
    return model


def on_tip(force):
    """Return a swing with a point on its body that a line force pulls towards the wall."""
    model = swing()
    model.tip, model.force = FixedTranslation(r=(0.8, 0, 0)), force
    model.connect(model.body.frame_a, model.tip.frame_a)
    model.connect(model.wall.frame_b, model.force.frame_a)
    model.connect(model.force.frame_b, model.tip.frame_b)
    return model


def give(model, *signals):
    """Connect all elements of signals with a sine, in the model."""
    model.sine = blocks.Sine(amplitude=2.0, f=1.0)
    for signal in signals:
        for i in range(3):
            model.connect(model.sine.y, signal[i])


def Damper():
    model = on_tip(forces.Damper(d=5.0))
    return model


def Force():
    model = swing()
    model.force = forces.Force(resolveInFrame="frame_b")
    model.connect(model.wall.frame_b, model.force.frame_a)
    model.connect(model.force.frame_b, model.body.frame_a)
    give(model, model.force.force)
    return model


def ForceAndTorque():
    model = swing()
    model.force = forces.ForceAndTorque(resolveInFrame="world")
    model.connect(model.wall.frame_b, model.force.frame_a)
    model.connect(model.force.frame_b, model.body.frame_a)
    give(model, model.force.force, model.force.torque)
    return model


def LineForceWithMass():
    model = on_tip(forces.LineForceWithMass(m=0.2, lengthFraction=0.5))
    model.cylinder = translational.SpringDamper(c=100.0, d=5.0, s_rel0=0.4)
    model.connect(model.force.flange_a, model.cylinder.flange_a)
    model.connect(model.cylinder.flange_b, model.force.flange_b)
    return model


def LineForceWithTwoMasses():
    model = on_tip(forces.LineForceWithTwoMasses(m_a=0.1, m_b=0.1, L_a=0.1, L_b=0.1))
    model.cylinder = translational.SpringDamper(c=100.0, d=5.0, s_rel0=0.4)
    model.connect(model.force.flange_a, model.cylinder.flange_a)
    model.connect(model.cylinder.flange_b, model.force.flange_b)
    return model


def PointPlaneContact():
    model = Model()
    model.world, model.ball = World(), Body(m=1.0, r_0=(0, 1.0, 0), v_0=(0.5, 0, 0))
    model.contact = forces.PointPlaneContact(mu=0.3, e=0.6, radius=0.1)
    model.connect(model.world.frame_b, model.contact.frame_a)
    model.connect(model.contact.frame_b, model.ball.frame_a)
    return model


def Spring():
    model = on_tip(forces.Spring(c=50.0, s_unstretched=0.3))
    return model


def SpringDamperParallel():
    model = on_tip(forces.SpringDamperParallel(c=50.0, s_unstretched=0.3, d=5.0))
    return model


def SpringDamperSeries():
    model = on_tip(
        forces.SpringDamperSeries(c=50.0, s_unstretched=0.3, d=5.0, s_damper=0.1)
    )
    return model


def Torque():
    model = swing()
    model.torque = forces.Torque()
    model.connect(model.wall.frame_b, model.torque.frame_a)
    model.connect(model.torque.frame_b, model.body.frame_a)
    give(model, model.torque.torque)
    return model


def WorldForce():
    model = swing()
    model.force = forces.WorldForce()
    model.connect(model.force.frame_b, model.body.frame_a)
    give(model, model.force.force)
    return model


def WorldForceAndTorque():
    model = swing()
    model.force = forces.WorldForceAndTorque(resolveInFrame="frame_b")
    model.connect(model.force.frame_b, model.body.frame_a)
    give(model, model.force.force, model.force.torque)
    return model


def WorldTorque():
    model = swing()
    model.torque = forces.WorldTorque()
    model.connect(model.torque.frame_b, model.body.frame_a)
    give(model, model.torque.torque)
    return model
