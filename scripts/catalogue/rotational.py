"""Examples of rotational drive lines."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import Model, blocks, rotational, translational


def two():
    """Return a model with two inertias on a line, the first at rest."""
    model = Model()
    model.first, model.second = (
        rotational.Inertia(J=1.0, phi=0.0, w=0.0),
        rotational.Inertia(J=2.0),
    )
    return model


def between(part):
    """Return a model with a part between two inertias, which move apart."""
    model = Model()
    model.first, model.second = (
        rotational.Inertia(J=1.0),
        rotational.Inertia(J=2.0, phi=0.1, w=1.0),
    )
    model.part = part
    model.connect(model.first.flange_b, model.part.flange_a)
    model.connect(model.part.flange_b, model.second.flange_a)
    return model


def rigid(part):
    """Return a model with two inertias that a part connects rigidly, or by a ratio."""
    model = Model()
    model.first, model.second = rotational.Inertia(J=1.0, w=1.0), rotational.Inertia(J=2.0)
    model.part = part
    model.connect(model.first.flange_b, model.part.flange_a)
    model.connect(model.part.flange_b, model.second.flange_a)
    return model


def on_one(part):
    """Return a model with a part on the flange of an inertia that moves."""
    model = Model()
    model.inertia, model.part = rotational.Inertia(J=1.0, w=1.0), part
    model.connect(model.inertia.flange_b, model.part.flange)
    return model


def driven(part, signal):
    """Return a model with a part on the flange of an inertia, and a sine for its signal."""
    model = on_one(part)
    model.sine = blocks.Sine(amplitude=0.2, f=1.0)
    model.connect(model.sine.y, getattr(model.part, signal))
    return model


def moved(part, signal):
    """Return a model with an inertia that a part moves as a sine tells."""
    model = Model()
    model.inertia, model.part = rotational.Inertia(J=1.0), part
    model.sine = blocks.Sine(amplitude=0.2, f=1.0)
    model.connect(model.inertia.flange_b, model.part.flange)
    model.connect(model.sine.y, getattr(model.part, signal))
    return model


def AccSensor():
    model = on_one(rotational.AccSensor())
    return model


def Accelerate():
    model = moved(rotational.Accelerate(), "a_ref")
    return model


def AngleSensor():
    model = on_one(rotational.AngleSensor())
    return model


def ConstantSpeed():
    model = Model()
    model.inertia, model.part = (
        rotational.Inertia(J=1.0),
        rotational.ConstantSpeed(w_fixed=2.0),
    )
    model.connect(model.inertia.flange_b, model.part.flange)
    return model


def ConstantTorque():
    model = on_one(rotational.ConstantTorque(tau_constant=2.0))
    return model


def Damper():
    model = between(rotational.Damper(d=3.0))
    return model


def Disc():
    model = rigid(rotational.Disc(deltaPhi=0.2))
    return model


def Fixed():
    model = Model()
    model.wall, model.spring = rotational.Fixed(phi0=0.0), rotational.Spring(c=20.0)
    model.inertia = rotational.Inertia(J=1.0, phi=0.3)
    model.connect(model.wall.flange, model.spring.flange_a)
    model.connect(model.spring.flange_b, model.inertia.flange_a)
    return model


def IdealGear():
    model = rigid(rotational.IdealGear(ratio=3.0))
    return model


def IdealGearR2T():
    model = Model()
    model.shaft, model.carriage = (
        rotational.Inertia(J=0.1, w=1.0),
        translational.Mass(m=2.0),
    )
    model.part = rotational.IdealGearR2T(ratio=5.0)
    model.connect(model.shaft.flange_b, model.part.flangeR)
    model.connect(model.part.flangeT, model.carriage.flange_a)
    return model


def IdealPlanetary():
    model = Model()
    model.sun, model.carrier = rotational.Inertia(J=0.1, w=4.0), rotational.Inertia(J=1.0)
    model.part, model.brake = rotational.IdealPlanetary(ratio=3.0), rotational.Fixed()
    model.connect(model.sun.flange_b, model.part.sun)
    model.connect(model.part.carrier, model.carrier.flange_a)
    model.connect(model.part.ring, model.brake.flange)
    return model


def IdealRollingWheel():
    model = Model()
    model.shaft, model.carriage = (
        rotational.Inertia(J=0.1, w=1.0),
        translational.Mass(m=2.0),
    )
    model.part = rotational.IdealRollingWheel(radius=0.3)
    model.connect(model.shaft.flange_b, model.part.flangeR)
    model.connect(model.part.flangeT, model.carriage.flange_a)
    return model


def Inertia():
    model = Model()
    model.part = rotational.Inertia(J=2.0, phi=0.1, w=1.0)
    return model


def LinearSpeedDependentTorque():
    model = on_one(rotational.LinearSpeedDependentTorque(tau_nominal=-1.0, w_nominal=10.0))
    return model


def MultiSensor():
    model = rigid(rotational.MultiSensor())
    return model


def Position():
    model = moved(rotational.Position(exact=True), "phi_ref")
    return model


def PowerSensor():
    model = rigid(rotational.PowerSensor())
    return model


def QuadraticSpeedDependentTorque():
    model = on_one(
        rotational.QuadraticSpeedDependentTorque(tau_nominal=-1.0, w_nominal=10.0)
    )
    return model


def RelAccSensor():
    model = between(rotational.RelAccSensor())
    return model


def RelAngleSensor():
    model = between(rotational.RelAngleSensor())
    return model


def RelSpeedSensor():
    model = between(rotational.RelSpeedSensor())
    return model


def Speed():
    model = moved(rotational.Speed(exact=True), "w_ref")
    return model


def SpeedSensor():
    model = on_one(rotational.SpeedSensor())
    return model


def Spring():
    model = between(rotational.Spring(c=20.0, phi_rel0=0.05))
    return model


def SpringDamper():
    model = between(rotational.SpringDamper(c=20.0, d=3.0))
    return model


def Torque():
    model = driven(rotational.Torque(), "tau")
    return model


def Torque2():
    model = two()
    model.part, model.sine = rotational.Torque2(), blocks.Sine(amplitude=2.0, f=1.0)
    model.connect(model.first.flange_b, model.part.flange_a)
    model.connect(model.part.flange_b, model.second.flange_a)
    model.connect(model.sine.y, model.part.tau)
    return model


def TorqueSensor():
    model = rigid(rotational.TorqueSensor())
    return model


def TorqueStep():
    model = on_one(rotational.TorqueStep(stepTorque=2.0, startTime=0.05))
    return model
