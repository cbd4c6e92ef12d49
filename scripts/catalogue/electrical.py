"""Examples of electrical circuits."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import Model, blocks, electrical, heat, rotational, translational


def loaded(source):
    """Return a model with a source that feeds a resistor."""
    model = Model()
    model.source, model.load = source, electrical.Resistor(R=2.0)
    model.ground = electrical.Ground()
    model.connect(model.source.p, model.load.p)
    model.connect(model.load.n, model.source.n)
    model.connect(model.source.n, model.ground.p)
    return model


def in_series(part):
    """Return a model with a part, a resistor and a source of alternating voltage in a ring."""
    model = Model()
    model.source, model.part = electrical.SineVoltage(V=10.0, f=50.0), part
    model.resistor, model.ground = electrical.Resistor(R=2.0), electrical.Ground()
    model.connect(model.source.p, model.resistor.p)
    model.connect(model.resistor.n, model.part.p)
    model.connect(model.part.n, model.source.n)
    model.connect(model.source.n, model.ground.p)
    return model


def between(part):
    """Return a model with a two-port from a source to a resistor."""
    model = Model()
    model.source, model.part = electrical.SineVoltage(V=10.0, f=50.0), part
    model.inner, model.load = electrical.Resistor(R=0.1), electrical.Resistor(R=2.0)
    model.ground = electrical.Ground()
    model.connect(model.source.p, model.inner.p)
    model.connect(model.inner.n, model.part.p1)
    model.connect(model.part.n1, model.source.n)
    model.connect(model.part.p2, model.load.p)
    model.connect(model.part.n2, model.load.n)
    model.connect(model.source.n, model.part.n2)
    model.connect(model.source.n, model.ground.p)
    return model


def amplifying(part):
    """Return a model of an amplifier with the gain −10."""
    model = Model()
    model.source, model.part = electrical.SineVoltage(V=1.0, f=50.0), part
    model.first, model.back = electrical.Resistor(R=1e3), electrical.Resistor(R=1e4)
    model.ground = electrical.Ground()
    model.connect(model.source.p, model.first.p)
    model.connect(model.first.n, model.part.in_n)
    model.connect(model.back.p, model.part.in_n)
    model.connect(model.back.n, model.part.out)
    model.connect(model.part.in_p, model.ground.p)
    model.connect(model.source.n, model.ground.p)
    return model


def controlled(part):
    """Return a model with a switch that closes and opens."""
    model = in_series(part)
    model.pulse = blocks.BooleanPulse(period=0.02)
    model.connect(model.pulse.y, model.part.control)
    return model


def by_signal(part, signal):
    """Return a model with a source that a signal controls."""
    model = loaded(part)
    model.sine = blocks.Sine(f=50.0)
    model.connect(model.sine.y, getattr(model.source, signal))
    return model


def measured(sensor):
    """Return a model with a sensor between a source and a resistor."""
    model = Model()
    model.source, model.load = (
        electrical.ConstantVoltage(V=10.0),
        electrical.Resistor(R=2.0),
    )
    model.sensor, model.ground = sensor, electrical.Ground()
    model.connect(model.source.p, model.sensor.pc)
    model.connect(model.sensor.nc, model.load.p)
    model.connect(model.sensor.pv, model.load.p)
    model.connect(model.sensor.nv, model.load.n)
    model.connect(model.load.n, model.source.n)
    model.connect(model.source.n, model.ground.p)
    return model


def Capacitor():
    model = in_series(electrical.Capacitor(C=1e-3, v=0.0))
    return model


def Conductor():
    model = in_series(electrical.Conductor(G=0.5))
    return model


def ConstantCurrent():
    model = loaded(electrical.ConstantCurrent(I=5.0))
    return model


def ConstantVoltage():
    model = loaded(electrical.ConstantVoltage(V=5.0))
    return model


def CosineCurrent():
    model = loaded(electrical.CosineCurrent(I=5.0, f=50.0))
    return model


def CosineVoltage():
    model = loaded(electrical.CosineVoltage(V=5.0, f=50.0))
    return model


def CurrentSensor():
    model = in_series(electrical.CurrentSensor())
    return model


def DCMotor():
    model = in_series(electrical.DCMotor(R=0.5, L=0.01, k=0.2, J=1e-3, i=0.0, w=0.0))
    return model


def Diode():
    model = in_series(electrical.Diode(Ids=1e-9))
    return model


def ExpSineCurrent():
    model = loaded(electrical.ExpSineCurrent(I=5.0, f=50.0, damping=20.0))
    return model


def ExpSineVoltage():
    model = loaded(electrical.ExpSineVoltage(V=5.0, f=50.0, damping=20.0))
    return model


def Ground():
    model = loaded(electrical.ConstantVoltage(V=5.0))
    return model


def Gyrator():
    model = between(electrical.Gyrator(G1=0.5, G2=0.5))
    return model


def HeatingResistor():
    model = in_series(electrical.HeatingResistor(R_ref=3.0, alpha=0.004))
    model.wire = heat.HeatCapacitor(C=0.5)
    model.connect(model.part.heatPort, model.wire.port)
    return model


def IdealClosingSwitch():
    model = controlled(electrical.IdealClosingSwitch())
    return model


def IdealDiode():
    model = in_series(electrical.IdealDiode(Vknee=0.7))
    return model


def IdealOpAmp():
    model = Model()
    model.source, model.part = (
        electrical.SineVoltage(V=1.0, f=50.0),
        electrical.IdealOpAmp(),
    )
    model.first, model.back = electrical.Resistor(R=1e3), electrical.Resistor(R=1e4)
    model.ground = electrical.Ground()
    model.connect(model.source.p, model.first.p)
    model.connect(model.first.n, model.part.n1)
    model.connect(model.back.p, model.part.n1)
    model.connect(model.back.n, model.part.p2)
    for pin in (model.part.p1, model.part.n2, model.source.n):
        model.connect(pin, model.ground.p)
    return model


def IdealOpAmp3Pin():
    model = amplifying(electrical.IdealOpAmp3Pin())
    return model


def IdealOpeningSwitch():
    model = controlled(electrical.IdealOpeningSwitch())
    return model


def IdealTransformer():
    model = between(electrical.IdealTransformer(n=0.5))
    return model


def IdealizedOpAmpLimited():
    model = amplifying(electrical.IdealizedOpAmpLimited())
    return model


def Idle():
    model = in_series(electrical.Idle())
    return model


def Inductor():
    model = in_series(electrical.Inductor(L=0.01, i=0.0))
    return model


def MultiSensor():
    model = measured(electrical.MultiSensor())
    return model


def OpAmp():
    model = amplifying(electrical.OpAmp())
    model.high = electrical.ConstantVoltage(V=15.0)
    model.low = electrical.ConstantVoltage(V=-15.0)
    model.connect(model.high.p, model.part.VMax)
    model.connect(model.low.p, model.part.VMin)
    model.connect(model.high.n, model.ground.p)
    model.connect(model.low.n, model.ground.p)
    return model


def PotentialSensor():
    model = loaded(electrical.ConstantVoltage(V=5.0))
    model.sensor = electrical.PotentialSensor()
    model.connect(model.sensor.p, model.load.p)
    return model


def Potentiometer():
    model = Model()
    model.source, model.part = (
        electrical.ConstantVoltage(V=10.0),
        electrical.Potentiometer(R=100.0),
    )
    model.load, model.ground = electrical.Resistor(R=50.0), electrical.Ground()
    model.connect(model.source.p, model.part.pin_p)
    model.connect(model.part.contact, model.load.p)
    for pin in (model.part.pin_n, model.load.n, model.source.n):
        model.connect(pin, model.ground.p)
    return model


def PowerSensor():
    model = measured(electrical.PowerSensor())
    return model


def PulseCurrent():
    model = loaded(electrical.PulseCurrent(I=5.0, period=0.02))
    return model


def PulseVoltage():
    model = loaded(electrical.PulseVoltage(V=5.0, period=0.02))
    return model


def RampCurrent():
    model = loaded(electrical.RampCurrent(I=5.0, duration=0.05))
    return model


def RampVoltage():
    model = loaded(electrical.RampVoltage(V=5.0, duration=0.05))
    return model


def Resistor():
    model = in_series(electrical.Resistor(R=3.0, alpha=0.004, T=330.0))
    return model


def RotationalEMF():
    model = in_series(electrical.RotationalEMF(k=0.5))
    model.shaft = rotational.Inertia(J=0.01, w=0.0)
    model.connect(model.part.flange, model.shaft.flange_a)
    return model


def SawToothCurrent():
    model = loaded(electrical.SawToothCurrent(I=5.0, period=0.02))
    return model


def SawToothVoltage():
    model = loaded(electrical.SawToothVoltage(V=5.0, period=0.02))
    return model


def Short():
    model = in_series(electrical.Short())
    return model


def SignalCurrent():
    model = by_signal(electrical.SignalCurrent(), "i")
    return model


def SignalVoltage():
    model = by_signal(electrical.SignalVoltage(), "v")
    return model


def SineCurrent():
    model = loaded(electrical.SineCurrent(I=5.0, f=50.0))
    return model


def SineVoltage():
    model = loaded(electrical.SineVoltage(V=5.0, f=50.0))
    return model


def StepCurrent():
    model = loaded(electrical.StepCurrent(I=5.0, startTime=0.02))
    return model


def StepVoltage():
    model = loaded(electrical.StepVoltage(V=5.0, startTime=0.02))
    return model


def Transformer():
    model = between(electrical.Transformer(L1=0.1, L2=0.4, M=0.19))
    return model


def TranslationalEMF():
    model = in_series(electrical.TranslationalEMF(k=5.0))
    model.rod = translational.Mass(m=0.1, v=0.0)
    model.connect(model.part.flange, model.rod.flange_a)
    return model


def TrapezoidCurrent():
    pulse = electrical.TrapezoidCurrent(I=5.0, rising=0.01, width=0.01, period=0.05)
    model = loaded(pulse)
    return model


def TrapezoidVoltage():
    pulse = electrical.TrapezoidVoltage(V=5.0, rising=0.01, width=0.01, period=0.05)
    model = loaded(pulse)
    return model


def VariableResistor():
    model = in_series(electrical.VariableResistor())
    model.ramp = blocks.Ramp(offset=1.0, height=5.0, duration=0.1)
    model.connect(model.ramp.y, model.part.R)
    return model


def VoltageSensor():
    model = loaded(electrical.ConstantVoltage(V=5.0))
    model.sensor = electrical.VoltageSensor()
    model.connect(model.sensor.p, model.load.p)
    model.connect(model.sensor.n, model.load.n)
    return model
