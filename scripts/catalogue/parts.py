"""Examples of bodies and fixed frames."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import Model, Revolute, parts, rotational


def hinge():
    """Return a model with a hinge on the world that waits for a body."""
    model = Model()
    model.world, model.joint = parts.World(), Revolute(n="z", phi=0.5)
    model.connect(model.world.frame_b, model.joint.frame_a)
    return model


def BevelGear1D():
    model = hinge()
    model.body = parts.Body(m=1.0, I_11=0.1, I_22=0.1, I_33=0.1)
    model.gear = parts.BevelGear1D(ratio=2.0, n_a="x", n_b="z")  # its housing is the body
    model.motor = rotational.ConstantTorque(tau_constant=0.1)
    model.first, model.second = (parts.Rotor1D(J=0.001, n=n) for n in ("x", "z"))
    model.connect(model.joint.frame_b, model.body.frame_a, model.gear.frame_a)
    model.connect(model.body.frame_a, model.first.frame_a, model.second.frame_a)
    model.connect(model.motor.flange, model.first.flange_a)
    model.connect(model.first.flange_b, model.gear.flange_a)
    model.connect(model.gear.flange_b, model.second.flange_a)
    return model


def Body():
    model = hinge()
    model.body = parts.Body(m=2.0, r_CM=(0.4, 0, 0), I_11=0.01, I_22=0.1, I_33=0.1)
    model.connect(model.joint.frame_b, model.body.frame_a)
    return model


def BodyBox():
    model = hinge()
    model.beam = parts.BodyBox(r=(0.5, 0, 0), width=0.05, height=0.02, density=2700.0)
    model.connect(model.joint.frame_b, model.beam.frame_a)
    return model


def BodyCylinder():
    model = hinge()
    model.tube = parts.BodyCylinder(r=(0.5, 0, 0), diameter=0.05, innerDiameter=0.04)
    model.connect(model.joint.frame_b, model.tube.frame_a)
    return model


def BodyShape():
    model = hinge()
    model.arm = parts.BodyShape(r=(0.5, 0, 0), r_CM=(0.2, 0, 0), m=3.0)
    model.connect(model.joint.frame_b, model.arm.frame_a)
    return model


def BodyWithPoints():
    model = hinge()
    points = {"tip": (0.5, 0, 0), "eye": (0.2, 0.1, 0)}
    model.arm = parts.BodyWithPoints(m=1.0, r_CM=(0.2, 0, 0), points=points)
    model.tool = parts.PointMass(m=0.5)
    model.connect(model.joint.frame_b, model.arm.frame_a)
    model.connect(model.arm.tip, model.tool.frame_a)
    return model


def Fixed():
    model = Model()
    model.world, model.ceiling = parts.World(), parts.Fixed(r=(0, 2.0, 0))
    model.joint, model.body = Revolute(n="z", phi=0.5), parts.Body(m=1.0, r_CM=(0.5, 0, 0))
    model.connect(model.ceiling.frame_b, model.joint.frame_a)
    model.connect(model.joint.frame_b, model.body.frame_a)
    return model


def FixedRotation():
    model = hinge()
    model.wedge = parts.FixedRotation(r=(0.3, 0, 0), n="z", angle=0.7)  # rad
    model.body = parts.Body(m=1.0, r_CM=(0.2, 0, 0))
    model.connect(model.joint.frame_b, model.wedge.frame_a)
    model.connect(model.wedge.frame_b, model.body.frame_a)
    return model


def FixedTranslation():
    model = hinge()
    model.arm, model.body = parts.FixedTranslation(r=(0.3, 0, 0)), parts.Body(m=1.0)
    model.connect(model.joint.frame_b, model.arm.frame_a)
    model.connect(model.arm.frame_b, model.body.frame_a)
    return model


def Marker():
    model = hinge()
    model.body = parts.Body(m=1.0, r_CM=(0.3, 0, 0))
    model.connect(model.joint.frame_b, model.body.frame_a)
    model.mark = parts.Marker()
    model.connect(model.body.frame_a, model.mark.frame_a)
    return model


def Mounting1D():
    model = hinge()
    model.body = parts.Body(m=1.0, r_CM=(0.3, 0, 0))
    model.mounting = parts.Mounting1D(n="z")  # the motor's reaction goes to the body
    model.motor = rotational.ConstantTorque(tau_constant=0.1, useSupport=True)
    model.rotor = parts.Rotor1D(J=0.001, n="z")
    model.connect(model.joint.frame_b, model.body.frame_a)
    model.connect(model.body.frame_a, model.mounting.frame_a, model.rotor.frame_a)
    model.connect(model.mounting.flange_b, model.motor.support)
    model.connect(model.motor.flange, model.rotor.flange_a)
    return model


def PointMass():
    model = hinge()
    model.arm, model.mass = parts.FixedTranslation(r=(0.5, 0, 0)), parts.PointMass(m=1.0)
    model.connect(model.joint.frame_b, model.arm.frame_a)
    model.connect(model.arm.frame_b, model.mass.frame_a)
    return model


def RollingWheel():
    model = Model()
    model.world = parts.World(n="-z")
    model.wheel = parts.RollingWheel(
        radius=0.3, m=2.0, I_axis=0.06, I_long=0.12, der_angles=(0, 0, 5)
    )
    return model


def RollingWheelSet():
    model = Model()
    model.world = parts.World(n="-z")
    model.wheels = parts.RollingWheelSet(
        R_wheel=0.3, m_wheel=2.0, I_wheelAxis=0.06, I_wheelLong=0.12, track=1.0
    )
    model.axle = parts.Body(m=10.0, I_11=0.5, I_22=0.5, I_33=0.5)
    model.connect(model.wheels.frameMiddle, model.axle.frame_a)
    return model


def Rotor1D():
    model = hinge()
    model.body = parts.Body(m=1.0, r_CM=(0.3, 0, 0))
    model.rotor = parts.Rotor1D(
        J=0.01, n="x", w=100.0
    )  # gyroscopic torques act on the body
    model.connect(model.joint.frame_b, model.body.frame_a)
    model.connect(model.body.frame_a, model.rotor.frame_a)
    return model


def World():
    model = Model()
    model.world = parts.World(g=9.81, n="-z")
    model.body = parts.Body(m=1.0, r_0=(0, 0, 10.0), v_0=(1.0, 0, 0))  # nothing holds it
    return model


def FlangeWithBearing():
    model = Model()
    model.world, model.connector = parts.World(), parts.FlangeWithBearing()
    model.torque, model.wheel = (
        rotational.ConstantTorque(tau_constant=1.0),
        rotational.Inertia(),
    )
    model.connect(model.torque.flange, model.connector.flange)
    model.connect(model.connector.flange, model.wheel.flange_a)
    return model


def FlangeWithBearingAdaptor():
    model = Model()
    model.world, model.connector = parts.World(), parts.FlangeWithBearing()
    model.torque = rotational.ConstantTorque(tau_constant=1.0)
    model.connect(model.torque.flange, model.connector.flange)
    model.adaptor, model.load = parts.FlangeWithBearingAdaptor(), rotational.Inertia(J=2.0)
    model.connector >> model.adaptor.fwb
    model.connect(model.adaptor.flange, model.load.flange_a)
    return model
