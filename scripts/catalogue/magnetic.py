"""Examples of magnetic circuits."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import Model, blocks, electrical, magnetic, translational


def driven(part):
    """Return a model with a part in a circuit of 500 A and a reluctance of 1e6 1/H."""
    model = Model()
    model.source = magnetic.ConstantMagneticPotentialDifference(V_m=500.0)
    model.gap, model.part = magnetic.ConstantReluctance(R_m=1e6), part
    model.ground = magnetic.Ground()
    model.connect(model.source.port_p, model.gap.port_p)
    model.connect(model.gap.port_n, model.part.port_p)
    model.connect(model.part.port_n, model.source.port_n, model.ground.port)
    return model


def wound(part):
    """Return a model with a part in the circuit of a coil at 12 V."""
    model = Model()
    model.battery, model.earth = electrical.ConstantVoltage(V=12.0), electrical.Ground()
    model.resistance = electrical.Resistor(R=5.0)
    model.coil = magnetic.ElectroMagneticConverter(N=500.0, i=0.0)
    model.part, model.ground = part, magnetic.Ground()
    model.connect(model.battery.p, model.resistance.p)
    model.connect(model.resistance.n, model.coil.p)
    model.connect(model.coil.n, model.battery.n, model.earth.p)
    model.connect(model.coil.port_p, model.part.port_p)
    model.connect(model.part.port_n, model.coil.port_n, model.ground.port)
    return model


def pulling(part):
    """Return a model with an air gap that a coil closes against a spring."""
    model = wound(part)
    model.armature = translational.Mass(m=0.1, s=5e-3, v=0.0)
    model.spring = translational.SpringDamper(c=1e4, d=20.0, s_rel0=5e-3)
    model.yoke = translational.Fixed()
    model.connect(model.part.flange, model.armature.flange_a, model.spring.flange_b)
    model.connect(model.spring.flange_a, model.yoke.flange)
    return model


def ConstantMagneticPotentialDifference():
    model = driven(magnetic.GenericFluxTube())
    return model


def ConstantPermeance():
    model = wound(magnetic.ConstantPermeance(G_m=1e-6))
    return model


def ConstantReluctance():
    model = wound(magnetic.ConstantReluctance(R_m=1e6))
    return model


def CuboidParallelFlux():
    model = pulling(magnetic.CuboidParallelFlux())
    return model


def EddyCurrent():
    model = wound(magnetic.ConstantReluctance(R_m=1e6))
    model.eddies = magnetic.EddyCurrent(l=0.05, A=1e-4)
    model.bypass = magnetic.ConstantReluctance(R_m=2e6)
    model.connect(model.coil.port_p, model.eddies.port_p)
    model.connect(model.eddies.port_n, model.bypass.port_p)
    model.connect(model.bypass.port_n, model.coil.port_n)
    return model


def ElectroMagneticConverter():
    model = wound(magnetic.GenericFluxTube(l=0.1))
    return model


def GenericFluxTube():
    model = wound(magnetic.GenericFluxTube(l=0.1))
    return model


def GenericLinearPermanentMagnet():
    model = Model()
    model.magnet = magnetic.GenericLinearPermanentMagnet()
    model.gap = magnetic.CuboidParallelFlux()
    model.armature = translational.Mass(m=0.1, s=5e-3)
    model.ground = magnetic.Ground()
    model.connect(model.magnet.port_p, model.gap.port_p)
    model.connect(model.gap.port_n, model.magnet.port_n, model.ground.port)
    model.spring, model.yoke = translational.Spring(c=1e5), translational.Fixed(s0=5e-3)
    model.connect(model.gap.flange, model.armature.flange_a, model.spring.flange_b)
    model.connect(model.spring.flange_a, model.yoke.flange)
    return model


def Ground():
    model = wound(magnetic.ConstantReluctance(R_m=1e6))
    return model


def HollowCylinderAxialFlux():
    model = pulling(magnetic.HollowCylinderAxialFlux(r_o=0.005))
    return model


def HollowCylinderRadialFlux():
    model = pulling(magnetic.HollowCylinderRadialFlux(r_i=0.005, r_o=0.006))
    return model


def MagneticFluxSensor():
    model = driven(magnetic.MagneticFluxSensor())
    return model


def MagneticPotentialDifferenceSensor():
    model = driven(magnetic.GenericFluxTube())
    model.sensor = magnetic.MagneticPotentialDifferenceSensor()
    model.connect(model.sensor.port_p, model.part.port_p)
    model.connect(model.sensor.port_n, model.part.port_n)
    return model


def SignalMagneticPotentialDifference():
    model = Model()
    model.source = magnetic.SignalMagneticPotentialDifference()
    model.iron, model.ground = magnetic.GenericFluxTube(l=0.1), magnetic.Ground()
    model.sine = blocks.Sine(amplitude=500.0, f=1.0)
    model.connect(model.sine.y, model.source.V_m)
    model.connect(model.source.port_p, model.iron.port_p)
    model.connect(model.iron.port_n, model.source.port_n, model.ground.port)
    return model


def VariableReluctance():
    model = driven(magnetic.VariableReluctance())
    model.ramp = blocks.Ramp(height=1e6, duration=0.1, offset=1e6)
    model.connect(model.ramp.y, model.part.R_m)
    return model
