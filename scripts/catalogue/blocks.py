"""Examples of signal blocks."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import Model, blocks, sin, sqrt


def with_sine(block):
    """Return a model with a block that is given a sine."""
    model = Model()
    model.sine, model.block = blocks.Sine(amplitude=2.0, f=1.0), block
    model.connect(model.sine.y, model.block.u)
    return model


def with_two(block):
    """Return a model with a block that is given a sine and a constant."""
    model = Model()
    model.sine, model.constant, model.block = (
        blocks.Sine(f=1.0),
        blocks.Constant(k=2.0),
        block,
    )
    model.connect(model.sine.y, model.block.u1)
    model.connect(model.constant.y, model.block.u2)
    return model


def alone(source):
    """Return a model with a source."""
    model = Model()
    model.source = source
    return model


def Add():
    model = with_two(blocks.Add(k1=1.0, k2=-1.0))
    return model


def Add3():
    model = with_two(blocks.Add3(k3=0.5))
    model.connect(model.sine.y, model.block.u3)
    return model


def CombiTimeTable():
    rows = ((0.0, 1.0), (0.5, 3.0), (0.5, 0.0), (1.0, 2.0))
    model = alone(blocks.CombiTimeTable(table=rows, extrapolation="HoldLastPoint"))
    return model


def Constant():
    model = alone(blocks.Constant(k=2.0))
    return model


def ContinuousClock():
    model = alone(blocks.ContinuousClock(startTime=0.5))
    return model


def Cosine():
    model = alone(blocks.Cosine(amplitude=2.0, f=1.0))
    return model


def CriticalDamping():
    model = with_sine(blocks.CriticalDamping(n=2, f=5.0))
    return model


def DeadZone():
    model = with_sine(blocks.DeadZone(uMax=0.5))
    return model


def Der():
    model = with_sine(blocks.Der())
    return model


def Derivative():
    model = with_sine(blocks.Derivative(k=1.0, T=0.01))
    return model


def Discrete():
    model = alone(blocks.Discrete(start=2.0))
    return model


def Division():
    model = with_two(blocks.Division())
    return model


def Expression():
    model = with_sine(blocks.Integrator())
    model.part = blocks.Expression(
        f=lambda motion: 2.0 * motion.signal(model.block.y) + motion.t
    )
    return model


def Feedback():
    model = with_two(blocks.Feedback())
    return model


def FirstOrder():
    model = with_sine(blocks.FirstOrder(T=0.5))
    return model


def Function():
    model = Model()
    model.sine, model.block = (
        blocks.Sine(f=1.0),
        blocks.Function(f=lambda a, b: a * sin(b), n=2),
    )
    model.connect(model.sine.y, model.block.u[0], model.block.u[1])
    return model


def Gain():
    model = with_sine(blocks.Gain(k=3.0))
    return model


def Integrator():
    model = with_sine(blocks.Integrator(k=2.0, y_start=1.0))
    return model


def LessEqualThreshold():
    model = with_sine(blocks.LessEqualThreshold(threshold=1.0))
    return model


def Limiter():
    model = with_sine(blocks.Limiter(uMax=1.5, uMin=-1.0))
    return model


def PI():
    model = with_sine(blocks.PI(k=2.0, T=0.5))
    return model


def PID():
    model = with_sine(blocks.PID(k=2.0, Ti=0.5, Td=0.1))
    return model


def Product():
    model = with_two(blocks.Product())
    return model


def Pulse():
    model = alone(blocks.Pulse(amplitude=2.0, width=30.0, period=0.5))
    return model


def Ramp():
    model = alone(blocks.Ramp(height=2.0, duration=0.5))
    return model


def SecondOrder():
    model = with_sine(blocks.SecondOrder(w=10.0, D=0.7))
    return model


def Sine():
    model = alone(blocks.Sine(amplitude=2.0, f=1.0, phase=0.5))
    return model


def StateSpace():
    model = Model()
    model.sine = blocks.Sine(f=1.0)
    model.block = blocks.StateSpace(A=[[0, 1], [-4, -1]], B=[[0], [1]], C=[[1, 0]], D=[[0]])
    model.connect(model.sine.y, model.block.u[0])
    return model


def Step():
    model = alone(blocks.Step(height=2.0, startTime=0.5))
    return model


def Sum():
    model = Model()
    model.sine, model.block = blocks.Sine(f=1.0), blocks.Sum(k=[1.0, 2.0])
    model.connect(model.sine.y, model.block.u[0], model.block.u[1])
    return model


def TimeFunction():
    model = alone(blocks.TimeFunction(f=lambda t: sqrt(1.0 + sin(t) ** 2)))
    return model


def TransferFunction():
    model = with_sine(blocks.TransferFunction(b=[1.0], a=[0.1, 1.0]))
    return model


def Trapezoid():
    model = alone(
        blocks.Trapezoid(amplitude=2.0, rising=0.1, width=0.2, falling=0.1, period=0.5)
    )
    return model
