"""Examples of translational drive lines."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import Model, rotational, translational
from scripts.catalogue.lines import between, by_sine, on_one, pressed, to_carriage


def moving():
    """Return an inertia that moves."""
    return translational.Mass(m=1.0, v=1.0)


def at_speed():
    """Return two inertias, the first of which moves."""
    return translational.Mass(m=1.0, v=1.0), translational.Mass(m=2.0)


def apart():
    """Return two inertias that move apart."""
    return translational.Mass(m=1.0), translational.Mass(m=2.0, s=0.1, v=1.0)


def AccSensor():
    model = on_one(translational.AccSensor(), moving())
    return model


def Accelerate():
    model = by_sine(on_one(translational.Accelerate(), translational.Mass(m=1.0)), "a_ref")
    return model


def Brake():
    model = pressed(between(translational.Brake(fn_max=2.0), *at_speed()), 0.5)
    return model


def ConstantForce():
    model = on_one(translational.ConstantForce(f_constant=2.0), moving())
    return model


def ConstantSpeed():
    model = on_one(translational.ConstantSpeed(v_fixed=2.0), translational.Mass(m=1.0))
    return model


def Damper():
    model = between(translational.Damper(d=3.0), *apart())
    return model


def EddyCurrentForce():
    brake = translational.EddyCurrentForce(f_nominal=5.0, v_nominal=2.0)
    model = on_one(brake, translational.Mass(m=1.0, v=5.0))
    return model


def ElastoGap():
    model = between(translational.ElastoGap(c=20.0, d=0.5, s_rel0=0.2), *apart())
    return model


def Fixed():
    model = Model()
    model.wall, model.spring = translational.Fixed(s0=0.0), translational.Spring(c=20.0)
    model.inertia = translational.Mass(m=1.0, s=0.3)
    model.connect(model.wall.flange, model.spring.flange_a)
    model.connect(model.spring.flange_b, model.inertia.flange_a)
    return model


def Force():
    model = by_sine(on_one(translational.Force(), moving()), "f")
    return model


def Force2():
    model = by_sine(
        between(
            translational.Force2(),
            translational.Mass(m=1.0, s=0.0, v=0.0),
            translational.Mass(m=2.0),
        ),
        "f",
        2.0,
    )
    return model


def ForceSensor():
    model = between(translational.ForceSensor(), *at_speed())
    return model


def ForceStep():
    model = on_one(translational.ForceStep(stepForce=2.0, startTime=0.05), moving())
    return model


def GeneralForceToPositionAdaptor():
    model = by_sine(on_one(translational.GeneralForceToPositionAdaptor(), moving()), "f")
    return model


def GeneralPositionToForceAdaptor():
    adaptor = translational.GeneralPositionToForceAdaptor(use_pder=False)
    model = by_sine(on_one(adaptor, translational.Mass(m=1.0)), "p")
    return model


def IdealGearR2T():
    model = to_carriage(translational.IdealGearR2T(ratio=5.0))
    return model


def IdealLever():
    model = between(translational.IdealLever(ratio=3.0), *at_speed())
    return model


def IdealRollingWheel():
    model = to_carriage(translational.IdealRollingWheel(radius=0.3))
    return model


def InitializeFlange():
    start = translational.InitializeFlange(use_s_start=False, use_a_start=False)
    model = on_one(start, translational.Mass(m=1.0))
    2.0 >> model.part.v_start
    return model


def InverseSpeedDependentForce():
    motor = translational.InverseSpeedDependentForce(f_nominal=2.0, v_nominal=1.0)
    model = on_one(motor, moving())
    return model


def LinearSpeedDependentForce():
    model = on_one(
        translational.LinearSpeedDependentForce(f_nominal=-1.0, v_nominal=10.0), moving()
    )
    return model


def Mass():
    model = Model()
    model.part = translational.Mass(m=2.0, s=0.1, v=1.0)
    return model


def MassWithStopAndFriction():
    model = Model()
    model.part = translational.MassWithStopAndFriction(
        m=1.0,
        L=0.1,
        smin=-0.5,
        smax=0.5,
        F_prop=1.0,
        F_Coulomb=5.0,
        F_Stribeck=10.0,
        s=0.0,
        v=3.0,
    )
    return model


def Move():
    model = on_one(translational.Move(), translational.Mass(m=1.0))
    for k, value in enumerate((0.0, 2.0, 0.0)):
        value >> model.part.u[k]
    return model


def MultiSensor():
    model = between(translational.MultiSensor(), *at_speed())
    return model


def Position():
    model = by_sine(
        on_one(translational.Position(exact=True), translational.Mass(m=1.0)), "s_ref"
    )
    return model


def PositionSensor():
    model = on_one(translational.PositionSensor(), moving())
    return model


def PowerSensor():
    model = between(translational.PowerSensor(), *at_speed())
    return model


def QuadraticSpeedDependentForce():
    model = on_one(
        translational.QuadraticSpeedDependentForce(f_nominal=-1.0, v_nominal=10.0), moving()
    )
    return model


def RelAccSensor():
    model = between(translational.RelAccSensor(), *apart())
    return model


def RelPositionSensor():
    model = between(translational.RelPositionSensor(), *apart())
    return model


def RelSpeedSensor():
    model = between(translational.RelSpeedSensor(), *apart())
    return model


def RelativeStates():
    states = translational.RelativeStates(s_rel=0.2, v_rel=-1.0)
    model = between(states, translational.Mass(m=1.0, v=1.0), translational.Mass(m=2.0))
    return model


def Rod():
    model = between(translational.Rod(L=0.2), *at_speed())
    return model


def RollingResistance():
    model = on_one(translational.RollingResistance(fWeight=10.0, CrConstant=0.02), moving())
    return model


def SignForce():
    model = on_one(translational.SignForce(f_nominal=-2.0, reg="Sine"), moving())
    return model


def Speed():
    model = by_sine(
        on_one(translational.Speed(exact=True), translational.Mass(m=1.0)), "v_ref"
    )
    return model


def SpeedSensor():
    model = on_one(translational.SpeedSensor(), moving())
    return model


def Spring():
    model = between(translational.Spring(c=20.0, s_rel0=0.05), *apart())
    return model


def SpringDamper():
    model = between(translational.SpringDamper(c=20.0, d=3.0), *apart())
    return model


def SupportFriction():
    support = translational.SupportFriction(f_pos=((0.0, 0.2), (10.0, 0.5)), peak=1.1)
    model = between(support, *at_speed())
    return model


def Vehicle():
    model = Model()
    model.part = translational.Vehicle(m=1000.0, R=0.3, A=2.0, Cd=0.3, v=20.0)
    model.torque = rotational.ConstantTorque(tau_constant=100.0)
    model.connect(model.torque.flange, model.part.flangeR)
    return model
