"""Examples of sensors."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import Body, Fixed, Model, Revolute, World, sensors


def swing():
    """Return a model with a body on a hinge and a fixed frame beside it."""
    model = Model()
    model.world, model.wall = World(), Fixed(r=(1.0, 0.5, 0))
    model.joint, model.body = Revolute(n="z", w=1.0), Body(m=1.0, r_CM=(0.5, 0, 0))
    model.connect(model.world.frame_b, model.joint.frame_a)
    model.connect(model.joint.frame_b, model.body.frame_a)
    return model


def absolute(sensor):
    """Return a swing whose body is measured."""
    model = swing()
    model.sensor = sensor
    model.connect(model.body.frame_a, model.sensor.frame_a)
    return model


def relative(sensor):
    """Return a swing whose body is measured from the wall."""
    model = swing()
    model.sensor = sensor
    model.connect(model.wall.frame_b, model.sensor.frame_a)
    model.connect(model.sensor.frame_b, model.body.frame_a)
    return model


def between(sensor):
    """Return a pendulum with a sensor between its hinge and its body."""
    model = Model()
    model.world, model.sensor = World(), sensor
    model.joint, model.body = Revolute(n="z", w=1.0), Body(m=1.0, r_CM=(0.5, 0, 0))
    model.connect(model.world.frame_b, model.joint.frame_a)
    model.connect(model.joint.frame_b, model.sensor.frame_a)
    model.connect(model.sensor.frame_b, model.body.frame_a)
    return model


def AbsoluteAngles():
    model = absolute(sensors.AbsoluteAngles(sequence=(3, 1, 2)))
    return model


def AbsoluteAngularVelocity():
    model = absolute(sensors.AbsoluteAngularVelocity(resolveInFrame="frame_a"))
    return model


def AbsolutePosition():
    model = absolute(sensors.AbsolutePosition())
    return model


def AbsoluteSensor():
    model = absolute(sensors.AbsoluteSensor(get_r=True, get_v=True, get_a=True))
    return model


def AbsoluteVelocity():
    model = absolute(sensors.AbsoluteVelocity())
    return model


def CutForce():
    model = between(sensors.CutForce(resolveInFrame="world"))
    return model


def CutForceAndTorque():
    model = between(sensors.CutForceAndTorque())
    return model


def CutTorque():
    model = between(sensors.CutTorque())
    return model


def DistanceSensor():
    model = relative(sensors.DistanceSensor())
    return model


def PowerSensor():
    model = between(sensors.PowerSensor())
    return model


def RelativeAngles():
    model = relative(sensors.RelativeAngles())
    return model


def RelativeAngularVelocity():
    model = relative(sensors.RelativeAngularVelocity())
    return model


def RelativePosition():
    model = relative(sensors.RelativePosition(resolveInFrame="frame_a"))
    return model


def RelativeSensor():
    model = relative(sensors.RelativeSensor(get_r_rel=True, get_v_rel=True))
    return model


def RelativeVelocity():
    model = relative(sensors.RelativeVelocity())
    return model


def TransformAbsoluteVector():
    model = absolute(sensors.TransformAbsoluteVector(frame_r_out="world"))
    for k, value in enumerate((1.0, 0.0, 0.0)):
        value >> model.sensor.r_in[k]
    return model


def TransformRelativeVector():
    model = relative(sensors.TransformRelativeVector(frame_r_out="frame_b"))
    for k, value in enumerate((1.0, 0.0, 0.0)):
        value >> model.sensor.r_in[k]
    return model
