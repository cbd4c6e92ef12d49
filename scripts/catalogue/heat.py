"""Examples of heat transfer."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import Model, blocks, heat


def warm():
    """Return a warm body of 100 J/K in a room at 293.15 K."""
    model = Model()
    model.body = heat.HeatCapacitor(C=100.0, T=350.0)
    model.room = heat.FixedTemperature(T=293.15)
    return model


def between(part):
    """Return a model with a part between the warm body and the room."""
    model = warm()
    model.part = part
    model.connect(model.body.port, model.part.port_a)
    model.connect(model.part.port_b, model.room.port)
    return model


def on_body(part):
    """Return a model with a part at the warm body."""
    model = warm()
    model.part = part
    model.connect(model.body.port, model.part.port)
    return model


def in_air(part, signal, value):
    """Return a model with a part between the warm body and the air of the room."""
    model = warm()
    model.part, model.given = part, blocks.Constant(k=value)
    model.connect(model.body.port, model.part.solid)
    model.connect(model.part.fluid, model.room.port)
    model.connect(model.given.y, getattr(model.part, signal))
    return model


def BodyRadiation():
    model = between(heat.BodyRadiation(Gr=0.8 * 0.05))
    return model


def Convection():
    model = in_air(heat.Convection(), "Gc", 2.5)
    return model


def ConvectiveResistor():
    model = in_air(heat.ConvectiveResistor(), "Rc", 0.4)
    return model


def FixedHeatFlow():
    model = on_body(heat.FixedHeatFlow(Q_flow=50.0))
    return model


def FixedTemperature():
    model = between(heat.ThermalConductor(G=2.0))
    return model


def HeatCapacitor():
    model = between(heat.ThermalConductor(G=2.0))
    return model


def HeatFlowSensor():
    model = Model()
    model.body = heat.HeatCapacitor(C=100.0, T=350.0)
    model.sensor = heat.HeatFlowSensor()
    model.wall = heat.ThermalConductor(G=2.0)
    model.room = heat.FixedTemperature(T=293.15)
    model.connect(model.body.port, model.sensor.port_a)
    model.connect(model.sensor.port_b, model.wall.port_a)
    model.connect(model.wall.port_b, model.room.port)
    return model


def PrescribedHeatFlow():
    model = on_body(heat.PrescribedHeatFlow())
    model.sine = blocks.Sine(amplitude=100.0, f=1.0)
    model.connect(model.sine.y, model.part.Q_flow)
    return model


def PrescribedTemperature():
    model = Model()
    model.body = heat.HeatCapacitor(C=100.0, T=293.15)
    model.wall = heat.ThermalConductor(G=50.0)
    model.outside = heat.PrescribedTemperature()
    model.sine = blocks.Sine(amplitude=10.0, f=1.0, offset=293.15)
    model.connect(model.sine.y, model.outside.T)
    model.connect(model.body.port, model.wall.port_a)
    model.connect(model.wall.port_b, model.outside.port)
    return model


def RelTemperatureSensor():
    model = between(heat.RelTemperatureSensor())
    return model


def TemperatureSensor():
    model = on_body(heat.TemperatureSensor())
    return model


def ThermalCollector():
    model = Model()
    model.winding, model.iron = (
        heat.FixedHeatFlow(Q_flow=20.0),
        heat.FixedHeatFlow(Q_flow=5.0),
    )
    model.collector = heat.ThermalCollector()
    model.body = heat.HeatCapacitor(C=100.0)
    model.connect(model.winding.port, model.iron.port, model.collector.port_a)
    model.connect(model.collector.port_b, model.body.port)
    return model


def ThermalConductor():
    model = between(heat.ThermalConductor(G=2.0))
    return model


def ThermalResistor():
    model = between(heat.ThermalResistor(R=0.5))
    return model
