"""Examples of hydraulics."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import (
    BodyBox,
    FixedTranslation,
    Model,
    Revolute,
    World,
    blocks,
    hydraulic,
    rotational,
    translational,
)


def between(part):
    """Return a model with a part between a line under pressure and a tank."""
    model = Model()
    model.line = hydraulic.LineVolume(V=1e-3, p=2e7)
    model.tank, model.part = hydraulic.Tank(), part
    model.connect(model.line.port, model.part.port_a)
    model.connect(model.part.port_b, model.tank.port)
    return model


def on_volume(part):
    """Return a model with a part at a volume that leaks into a tank."""
    model = between(hydraulic.LaminarResistance(R=1e11))
    model.source = part
    model.connect(model.source.port, model.line.port)
    return model


def turning(part):
    """Return a model with a machine between a line under pressure and a tank, on a wheel."""
    model = between(part)
    model.wheel = rotational.Inertia(J=0.01, w=100.0)
    model.connect(model.part.flange, model.wheel.flange_a)
    return model


def fed(part):
    """Return a model with a part that is filled by a constant flow."""
    model = Model()
    model.supply, model.part = hydraulic.FlowSource(q=1e-5), part
    model.connect(model.supply.port, model.part.port_a)
    return model


def pushing(part):
    """Return a model with a cylinder that a constant flow drives against a mass."""
    model = fed(part)
    model.wall, model.mass = translational.Fixed(), translational.Mass(m=50.0, s=0.1)
    model.connect(model.wall.flange, model.part.flange_a)
    model.connect(model.part.flange_b, model.mass.flange_a)
    return model


def lifting(part):
    """Return a model with a cylinder that a constant flow drives under a boom."""
    model = fed(part)
    model.world = World()
    model.hinge = Revolute(phi=0.3)
    model.boom = BodyBox(r=(2.0, 0.0, 0.0), width=0.2, density=2000.0)
    model.head = FixedTranslation(r=(0.5, -1.0, 0.0))
    model.eye = FixedTranslation(r=(1.2, -0.1, 0.0))
    model.connect(model.world.frame_b, model.hinge.frame_a, model.head.frame_a)
    model.connect(model.hinge.frame_b, model.boom.frame_a, model.eye.frame_a)
    model.connect(model.head.frame_b, model.part.frame_a)
    model.connect(model.eye.frame_b, model.part.frame_b)
    return model


def drained(model):
    """Return the model with chamber b of its part drained into a tank."""
    model.outlet, model.tank = hydraulic.Orifice(A=1e-5), hydraulic.Tank()
    model.connect(model.part.port_b, model.outlet.port_a)
    model.connect(model.outlet.port_b, model.tank.port)
    return model


def Accumulator():
    model = Model()
    model.pump, model.part = hydraulic.FlowSource(q=1e-5), hydraulic.Accumulator(p=6e6)
    model.connect(model.pump.port, model.part.port)
    return model


def CheckValve():
    model = between(hydraulic.CheckValve())
    return model


def Cylinder():
    model = drained(pushing(hydraulic.Cylinder()))
    return model


def CylinderBetweenFrames():
    cylinder = hydraulic.CylinderBetweenFrames(A_a=5e-3, A_b=3e-3, L_0=0.9, p_a=3e6)
    model = drained(lifting(cylinder))
    return model


def DirectionalValve():
    model = drained(pushing(hydraulic.Cylinder()))
    model.pump, model.valve = hydraulic.PressureSource(p=1e7), hydraulic.DirectionalValve()
    model.other = hydraulic.LineVolume(V=1e-3)
    model.sine = blocks.Sine(amplitude=1.0, f=1.0)
    model.connect(model.pump.port, model.valve.port_p)
    model.connect(model.tank.port, model.valve.port_t)
    model.connect(model.part.port_a, model.valve.port_a)
    model.connect(model.other.port, model.valve.port_b)
    model.connect(model.sine.y, model.valve.spool)
    return model


def FlowSensor():
    model = Model()
    model.line, model.sensor = hydraulic.LineVolume(p=1e7), hydraulic.FlowSensor()
    model.orifice, model.tank = hydraulic.Orifice(), hydraulic.Tank()
    model.connect(model.line.port, model.sensor.port_a)
    model.connect(model.sensor.port_b, model.orifice.port_a)
    model.connect(model.orifice.port_b, model.tank.port)
    return model


def FlowSource():
    model = on_volume(hydraulic.FlowSource(q=1e-5))
    return model


def LaminarResistance():
    model = between(hydraulic.LaminarResistance(R=1e11))
    return model


def LineVolume():
    model = between(hydraulic.Orifice(A=1e-6))
    return model


def Motor():
    model = turning(hydraulic.Motor(D=1e-6))
    return model


def Orifice():
    model = between(hydraulic.Orifice(A=1e-6))
    return model


def PrescribedFlow():
    model = on_volume(hydraulic.PrescribedFlow())
    model.sine = blocks.Sine(amplitude=1e-5, f=1.0)
    model.connect(model.sine.y, model.source.q)
    return model


def PrescribedPressure():
    model = Model()
    model.source, model.sine = hydraulic.PrescribedPressure(), blocks.Sine(amplitude=1e6)
    model.orifice, model.line = hydraulic.Orifice(), hydraulic.LineVolume()
    model.connect(model.sine.y, model.source.p)
    model.connect(model.source.port, model.orifice.port_a)
    model.connect(model.orifice.port_b, model.line.port)
    return model


def PressureSensor():
    model = on_volume(hydraulic.PressureSensor())
    return model


def PressureSource():
    model = Model()
    model.source = hydraulic.PressureSource(p=1e7)
    model.orifice, model.line = hydraulic.Orifice(), hydraulic.LineVolume()
    model.connect(model.source.port, model.orifice.port_a)
    model.connect(model.orifice.port_b, model.line.port)
    return model


def Pump():
    model = Model()
    model.tank, model.pump = hydraulic.Tank(), hydraulic.Pump(D=1e-6, G_leak=1e-13)
    model.drive = rotational.ConstantSpeed(w_fixed=150.0)
    model.line, model.relief = hydraulic.LineVolume(), hydraulic.ReliefValve()
    model.connect(model.drive.flange, model.pump.flange)
    model.connect(model.tank.port, model.pump.port_a)
    model.connect(model.pump.port_b, model.line.port, model.relief.port_a)
    model.connect(model.relief.port_b, model.tank.port)
    return model


def RelPressureSensor():
    model = between(hydraulic.RelPressureSensor())
    return model


def ReliefValve():
    model = between(hydraulic.ReliefValve(p_open=1e7, p_full=1.1e7))
    return model


def SingleActingCylinder():
    model = pushing(hydraulic.SingleActingCylinder())
    return model


def SingleActingCylinderBetweenFrames():
    cylinder = hydraulic.SingleActingCylinderBetweenFrames(A_a=5e-3, L_0=0.9, p_a=3e6)
    model = lifting(cylinder)
    return model


def Tank():
    model = between(hydraulic.Orifice(A=1e-6))
    return model


def VariableOrifice():
    model = between(hydraulic.VariableOrifice(A=1e-6))
    model.ramp = blocks.Ramp(height=1.0, duration=0.1)
    model.connect(model.ramp.y, model.part.opening)
    return model


def VariablePump():
    model = turning(hydraulic.VariablePump(D=1e-6))
    model.sine = blocks.Sine(amplitude=1.0, f=1.0)
    model.connect(model.sine.y, model.part.displaced)
    return model
