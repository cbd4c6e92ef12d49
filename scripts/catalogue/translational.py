"""Examples of translational drive lines."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import Model, blocks, rotational, translational


def two():
    """Return a model with two inertias on a line, the first at rest."""
    model = Model()
    model.first, model.second = (
        translational.Mass(m=1.0, s=0.0, v=0.0),
        translational.Mass(m=2.0),
    )
    return model


def between(part):
    """Return a model with a part between two inertias, which move apart."""
    model = Model()
    model.first, model.second = (
        translational.Mass(m=1.0),
        translational.Mass(m=2.0, s=0.1, v=1.0),
    )
    model.part = part
    model.connect(model.first.flange_b, model.part.flange_a)
    model.connect(model.part.flange_b, model.second.flange_a)
    return model


def rigid(part):
    """Return a model with two inertias that a part connects rigidly, or by a ratio."""
    model = Model()
    model.first, model.second = translational.Mass(m=1.0, v=1.0), translational.Mass(m=2.0)
    model.part = part
    model.connect(model.first.flange_b, model.part.flange_a)
    model.connect(model.part.flange_b, model.second.flange_a)
    return model


def on_one(part):
    """Return a model with a part on the flange of an inertia that moves."""
    model = Model()
    model.inertia, model.part = translational.Mass(m=1.0, v=1.0), part
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
    model.inertia, model.part = translational.Mass(m=1.0), part
    model.sine = blocks.Sine(amplitude=0.2, f=1.0)
    model.connect(model.inertia.flange_b, model.part.flange)
    model.connect(model.sine.y, getattr(model.part, signal))
    return model


def AccSensor():
    model = on_one(translational.AccSensor())
    return model


def Accelerate():
    model = moved(translational.Accelerate(), "a_ref")
    return model


def ConstantForce():
    model = on_one(translational.ConstantForce(f_constant=2.0))
    return model


def ConstantSpeed():
    model = Model()
    model.inertia, model.part = (
        translational.Mass(m=1.0),
        translational.ConstantSpeed(v_fixed=2.0),
    )
    model.connect(model.inertia.flange_b, model.part.flange)
    return model


def Damper():
    model = between(translational.Damper(d=3.0))
    return model


def Fixed():
    model = Model()
    model.wall, model.spring = translational.Fixed(s0=0.0), translational.Spring(c=20.0)
    model.inertia = translational.Mass(m=1.0, s=0.3)
    model.connect(model.wall.flange, model.spring.flange_a)
    model.connect(model.spring.flange_b, model.inertia.flange_a)
    return model


def Force():
    model = driven(translational.Force(), "f")
    return model


def Force2():
    model = two()
    model.part, model.sine = translational.Force2(), blocks.Sine(amplitude=2.0, f=1.0)
    model.connect(model.first.flange_b, model.part.flange_a)
    model.connect(model.part.flange_b, model.second.flange_a)
    model.connect(model.sine.y, model.part.f)
    return model


def ForceSensor():
    model = rigid(translational.ForceSensor())
    return model


def IdealGearR2T():
    model = Model()
    model.shaft, model.carriage = (
        rotational.Inertia(J=0.1, w=1.0),
        translational.Mass(m=2.0),
    )
    model.part = translational.IdealGearR2T(ratio=5.0)
    model.connect(model.shaft.flange_b, model.part.flangeR)
    model.connect(model.part.flangeT, model.carriage.flange_a)
    return model


def IdealLever():
    model = rigid(translational.IdealLever(ratio=3.0))
    return model


def IdealRollingWheel():
    model = Model()
    model.shaft, model.carriage = (
        rotational.Inertia(J=0.1, w=1.0),
        translational.Mass(m=2.0),
    )
    model.part = translational.IdealRollingWheel(radius=0.3)
    model.connect(model.shaft.flange_b, model.part.flangeR)
    model.connect(model.part.flangeT, model.carriage.flange_a)
    return model


def LinearSpeedDependentForce():
    model = on_one(translational.LinearSpeedDependentForce(f_nominal=-1.0, v_nominal=10.0))
    return model


def Mass():
    model = Model()
    model.part = translational.Mass(m=2.0, s=0.1, v=1.0)
    return model


def MultiSensor():
    model = rigid(translational.MultiSensor())
    return model


def Position():
    model = moved(translational.Position(exact=True), "s_ref")
    return model


def PositionSensor():
    model = on_one(translational.PositionSensor())
    return model


def PowerSensor():
    model = rigid(translational.PowerSensor())
    return model


def QuadraticSpeedDependentForce():
    model = on_one(
        translational.QuadraticSpeedDependentForce(f_nominal=-1.0, v_nominal=10.0)
    )
    return model


def RelAccSensor():
    model = between(translational.RelAccSensor())
    return model


def RelPositionSensor():
    model = between(translational.RelPositionSensor())
    return model


def RelSpeedSensor():
    model = between(translational.RelSpeedSensor())
    return model


def Rod():
    model = rigid(translational.Rod(L=0.2))
    return model


def Speed():
    model = moved(translational.Speed(exact=True), "v_ref")
    return model


def SpeedSensor():
    model = on_one(translational.SpeedSensor())
    return model


def Spring():
    model = between(translational.Spring(c=20.0, s_rel0=0.05))
    return model


def SpringDamper():
    model = between(translational.SpringDamper(c=20.0, d=3.0))
    return model
