"""Examples of rotational drive lines."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import Model, rotational
from scripts.catalogue.lines import between, by_sine, on_one, pressed, to_carriage


def moving():
    """Return an inertia that moves."""
    return rotational.Inertia(J=1.0, w=1.0)


def at_speed():
    """Return two inertias, the first of which moves."""
    return rotational.Inertia(J=1.0, w=1.0), rotational.Inertia(J=2.0)


def apart():
    """Return two inertias that move apart."""
    return rotational.Inertia(J=1.0), rotational.Inertia(J=2.0, phi=0.1, w=1.0)


def AccSensor():
    model = on_one(rotational.AccSensor(), moving())
    return model


def Accelerate():
    model = by_sine(on_one(rotational.Accelerate(), rotational.Inertia(J=1.0)), "a_ref")
    return model


def AngleSensor():
    model = on_one(rotational.AngleSensor(), moving())
    return model


def AngleToTorqueAdaptor():
    adaptor = rotational.AngleToTorqueAdaptor(use_w=False, use_a=False)
    model = by_sine(on_one(adaptor, rotational.Inertia(J=1.0)), "phi")
    return model


def BearingFriction():
    bearing = rotational.BearingFriction(tau_pos=((0.0, 0.2), (10.0, 0.5)), peak=1.1)
    model = between(bearing, *at_speed())
    return model


def Brake():
    model = pressed(between(rotational.Brake(fn_max=2.0), *at_speed()), 0.5)
    return model


def Clutch():
    model = pressed(between(rotational.Clutch(fn_max=10.0, peak=1.1), *at_speed()), 1.0)
    return model


def ConstantSpeed():
    model = on_one(rotational.ConstantSpeed(w_fixed=2.0), rotational.Inertia(J=1.0))
    return model


def ConstantTorque():
    model = on_one(rotational.ConstantTorque(tau_constant=2.0), moving())
    return model


def Coupling():
    model = between(
        rotational.Coupling(),
        rotational.Inertia(J=1.0, w=1.0),
        rotational.Inertia(J=2.0, w=-1.0),
    )
    return model


def Damper():
    model = between(rotational.Damper(d=3.0), *apart())
    return model


def Disc():
    model = between(rotational.Disc(deltaPhi=0.2), *at_speed())
    return model


def EddyCurrentTorque():
    brake = rotational.EddyCurrentTorque(tau_nominal=5.0, w_nominal=2.0)
    model = on_one(brake, rotational.Inertia(J=1.0, w=5.0))
    return model


def ElastoBacklash():
    model = between(rotational.ElastoBacklash(c=20.0, d=0.5, b=0.1), *apart())
    return model


def ElastoBacklash2():
    model = between(rotational.ElastoBacklash2(c=20.0, d=0.5, b=0.1), *apart())
    return model


def Fixed():
    model = Model()
    model.wall, model.spring = rotational.Fixed(phi0=0.0), rotational.Spring(c=20.0)
    model.inertia = rotational.Inertia(J=1.0, phi=0.3)
    model.connect(model.wall.flange, model.spring.flange_a)
    model.connect(model.spring.flange_b, model.inertia.flange_a)
    return model


def Gearbox():
    table = [[0, 0.9, 0.85, 0.1, 0.12]]
    box = rotational.Gearbox(ratio=3.0, lossTable=table, c=200.0, d=2.0, b=0.02)
    model = between(box, *at_speed())
    return model


def GeneralAngleToTorqueAdaptor():
    adaptor = rotational.GeneralAngleToTorqueAdaptor(use_pder=False)
    model = by_sine(on_one(adaptor, rotational.Inertia(J=1.0)), "p")
    return model


def GeneralTorqueToAngleAdaptor():
    model = by_sine(on_one(rotational.GeneralTorqueToAngleAdaptor(), moving()), "f")
    return model


def IdealGear():
    model = between(rotational.IdealGear(ratio=3.0), *at_speed())
    return model


def IdealGearR2T():
    model = to_carriage(rotational.IdealGearR2T(ratio=5.0))
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
    model = to_carriage(rotational.IdealRollingWheel(radius=0.3))
    return model


def Inertia():
    model = Model()
    model.part = rotational.Inertia(J=2.0, phi=0.1, w=1.0)
    return model


def InitializeFlange():
    start = rotational.InitializeFlange(use_phi_start=False, use_a_start=False)
    model = on_one(start, rotational.Inertia(J=1.0))
    2.0 >> model.part.w_start
    return model


def InverseSpeedDependentTorque():
    motor = rotational.InverseSpeedDependentTorque(tau_nominal=2.0, w_nominal=1.0)
    model = on_one(motor, moving())
    return model


def LinearSpeedDependentTorque():
    model = on_one(
        rotational.LinearSpeedDependentTorque(tau_nominal=-1.0, w_nominal=10.0), moving()
    )
    return model


def LossyGear():
    gear = rotational.LossyGear(ratio=3.0, lossTable=[[0, 0.9, 0.85, 0.1, 0.12]])
    model = between(gear, *at_speed())
    return model


def Move():
    model = on_one(rotational.Move(), rotational.Inertia(J=1.0))
    for k, value in enumerate((0.0, 2.0, 0.0)):
        value >> model.part.u[k]
    return model


def MultiSensor():
    model = between(rotational.MultiSensor(), *at_speed())
    return model


def OneWayClutch():
    model = pressed(between(rotational.OneWayClutch(fn_max=2.0), *apart()), 0.5)
    return model


def Position():
    model = by_sine(
        on_one(rotational.Position(exact=True), rotational.Inertia(J=1.0)), "phi_ref"
    )
    return model


def PowerSensor():
    model = between(rotational.PowerSensor(), *at_speed())
    return model


def QuadraticSpeedDependentTorque():
    model = on_one(
        rotational.QuadraticSpeedDependentTorque(tau_nominal=-1.0, w_nominal=10.0), moving()
    )
    return model


def RelAccSensor():
    model = between(rotational.RelAccSensor(), *apart())
    return model


def RelAngleSensor():
    model = between(rotational.RelAngleSensor(), *apart())
    return model


def RelSpeedSensor():
    model = between(rotational.RelSpeedSensor(), *apart())
    return model


def RelativeStates():
    states = rotational.RelativeStates(phi_rel=0.2, w_rel=-1.0)
    model = between(states, rotational.Inertia(J=1.0, w=1.0), rotational.Inertia(J=2.0))
    return model


def SignTorque():
    model = on_one(rotational.SignTorque(tau_nominal=-2.0, reg="Sine"), moving())
    return model


def Speed():
    model = by_sine(
        on_one(rotational.Speed(exact=True), rotational.Inertia(J=1.0)), "w_ref"
    )
    return model


def SpeedSensor():
    model = on_one(rotational.SpeedSensor(), moving())
    return model


def Spring():
    model = between(rotational.Spring(c=20.0, phi_rel0=0.05), *apart())
    return model


def SpringDamper():
    model = between(rotational.SpringDamper(c=20.0, d=3.0), *apart())
    return model


def Torque():
    model = by_sine(on_one(rotational.Torque(), moving()), "tau")
    return model


def Torque2():
    model = by_sine(
        between(
            rotational.Torque2(),
            rotational.Inertia(J=1.0, phi=0.0, w=0.0),
            rotational.Inertia(J=2.0),
        ),
        "tau",
        2.0,
    )
    return model


def TorqueSensor():
    model = between(rotational.TorqueSensor(), *at_speed())
    return model


def TorqueStep():
    model = on_one(rotational.TorqueStep(stepTorque=2.0, startTime=0.05), moving())
    return model


def TorqueToAngleAdaptor():
    model = by_sine(on_one(rotational.TorqueToAngleAdaptor(), moving()), "tau")
    return model
