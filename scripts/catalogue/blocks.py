"""Examples of signal blocks."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import Model, blocks, sin, sqrt


def with_sine(block):
    """Return a model with a block that is given a sine."""
    model = Model()
    model.sine, model.block = blocks.Sine(amplitude=2.0, f=1.0), block
    model.connect(model.sine.y, model.block.u)
    return model


def joined(block, count):
    """Return a model in which constants are joined to one signal."""
    model = Model()
    model.block = block
    for k in range(1, count + 1):
        source = blocks.Constant(k=float(k))
        setattr(model, f"source{k}", source)
        model.connect(source.y, getattr(block, f"u{k}")[0])
    return model


def parted(block, count):
    """Return a model in which a signal of several elements is parted."""
    model = Model()
    rows = ((0.0, *(float(k) for k in range(count))), (1.0, *(1.0,) * count))
    model.table, model.block = blocks.CombiTimeTable(table=rows), block
    model.connect(model.table.y, model.block.u)
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


def with_keys(block, count=2):
    """Return a model in which truth values are joined to the elements of one signal."""
    model = Model()
    model.block = block
    for k in range(count):
        key = blocks.BooleanPulse(period=0.2 * (k + 1))
        setattr(model, f"key{k + 1}", key)
        model.connect(key.y, block.u[k])
    return model


def with_counts(block):
    """Return a model in which whole numbers are joined to the elements of one signal."""
    model = Model()
    model.block = block
    for k in range(2):
        step = blocks.IntegerStep(height=k + 1, offset=2, startTime=0.2)
        setattr(model, f"step{k + 1}", step)
        model.connect(step.y, block.u[k])
    return model


def alone(source):
    """Return a model with a source."""
    model = Model()
    model.source = source
    return model


def with_pulses(block):
    """Return a model with a block that is given pulses of two lengths, true or false."""
    model = Model()
    model.short, model.long, model.block = (
        blocks.BooleanPulse(period=0.02),
        blocks.BooleanPulse(period=0.05),
        block,
    )
    model.connect(model.short.y, model.block.u1)
    model.connect(model.long.y, model.block.u2)
    return model


def with_pulse(block):
    """Return a model with a block that is given a pulse, true or false."""
    model = Model()
    model.pulse, model.block = blocks.BooleanPulse(period=0.04), block
    model.connect(model.pulse.y, model.block.u)
    return model


def with_positive(block):
    """Return a model with a block that is given a number between 0.1 and 0.9."""
    model = Model()
    model.source, model.block = blocks.Sine(amplitude=0.4, f=1.0, offset=0.5), block
    model.connect(model.source.y, model.block.u)
    return model


def with_vector(block):
    """Return a model with a block whose input of two elements is a sine and a constant."""
    model = Model()
    model.sine, model.constant, model.block = (
        blocks.Sine(f=1.0),
        blocks.Constant(k=2.0),
        block,
    )
    model.connect(model.sine.y, model.block.u[0])
    model.connect(model.constant.y, model.block.u[1])
    return model


def Abs():
    model = with_sine(blocks.Abs())
    return model


def Acos():
    model = with_positive(blocks.Acos())
    return model


def Add():
    model = with_two(blocks.Add(k1=1.0, k2=-1.0))
    return model


def Add3():
    model = with_two(blocks.Add3(k3=0.5))
    model.connect(model.sine.y, model.block.u3)
    return model


def And():
    model = with_pulses(blocks.And())
    return model


def Asin():
    model = with_positive(blocks.Asin())
    return model


def Atan():
    model = with_sine(blocks.Atan())
    return model


def Atan2():
    model = with_two(blocks.Atan2())
    return model


def BandLimitedWhiteNoise():
    model = alone(blocks.BandLimitedWhiteNoise(noisePower=0.01))
    return model


def BooleanConstant():
    model = alone(blocks.BooleanConstant(k=True))
    return model


def BooleanExpression():
    model = with_sine(blocks.Gain())
    model.part = blocks.BooleanExpression(f=lambda motion: motion["block.y"] > 0.5)
    return model


def BooleanPassThrough():
    model = with_pulse(blocks.BooleanPassThrough())
    return model


def BooleanPulse():
    model = alone(blocks.BooleanPulse(width=30.0, period=0.04))
    return model


def BooleanStep():
    model = alone(blocks.BooleanStep(startTime=0.05))
    return model


def BooleanTable():
    model = alone(blocks.BooleanTable(table=(0.02, 0.05, 0.07)))
    return model


def BooleanToInteger():
    model = with_pulse(blocks.BooleanToInteger(integerTrue=5))
    return model


def BooleanToReal():
    model = with_pulse(blocks.BooleanToReal(realTrue=5.0))
    return model


def Bus():
    model = Model()
    model.bus, model.sine, model.gain = blocks.Bus(), blocks.Sine(f=1.0), blocks.Gain(k=2.0)
    model.connect(model.sine.y, model.bus["reference"])
    model.connect(model.bus["reference"], model.gain.u)
    return model


def Change():
    model = with_pulse(blocks.Change())
    return model


def CombiTable1Ds():
    model = with_sine(
        blocks.CombiTable1Ds(
            table=((-1.0, 1.0), (0.0, 0.0), (1.0, 2.0)), smoothness="ContinuousDerivative"
        )
    )
    return model


def CombiTable1Dv():
    model = with_sine(
        blocks.CombiTable1Dv(
            table=((-1.0, 1.0), (0.0, 0.0), (1.0, 2.0)), extrapolation="HoldLastPoint"
        )
    )
    return model


def CombiTable2Ds():
    model = with_two(
        blocks.CombiTable2Ds(table=((0.0, 0.0, 2.0), (-1.0, 1.0, 0.0), (1.0, 0.0, 3.0)))
    )
    return model


def CombiTable2Dv():
    model = with_two(
        blocks.CombiTable2Dv(
            table=((0.0, 0.0, 2.0), (-1.0, 1.0, 0.0), (1.0, 0.0, 3.0)), n=1
        )
    )
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


def Cos():
    model = with_sine(blocks.Cos())
    return model


def Cosh():
    model = with_sine(blocks.Cosh())
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


def DiscretePI():
    model = with_sine(blocks.DiscretePI(k=2.0, T=0.5, yMax=1.0, samplePeriod=0.01))
    return model


def DiscretePID():
    model = with_sine(blocks.DiscretePID(k=2.0, samplePeriod=0.01))
    return model


def DiscreteStateSpace():
    model = Model()
    model.sine = blocks.Sine(f=1.0)
    model.block = blocks.DiscreteStateSpace(
        A=((0.9, 0.1), (0.0, 0.8)), B=((0.0,), (1.0,)), C=((1.0, 0.0),), samplePeriod=0.01
    )
    model.connect(model.sine.y, model.block.u[0])
    return model


def DiscreteTransferFunction():
    model = with_sine(
        blocks.DiscreteTransferFunction(b=(0.2,), a=(1.0, -0.8), samplePeriod=0.01)
    )
    return model


def Division():
    model = with_two(blocks.Division())
    return model


def Edge():
    model = with_pulse(blocks.Edge())
    return model


def Exp():
    model = with_sine(blocks.Exp())
    return model


def ExpSine():
    model = alone(blocks.ExpSine(f=20.0, damping=10.0))
    return model


def Exponentials():
    model = alone(blocks.Exponentials(riseTime=0.05, riseTimeConst=0.01))
    return model


def Expression():
    model = with_sine(blocks.Integrator())
    model.part = blocks.Expression(
        f=lambda motion: 2.0 * motion.signal(model.block.y) + motion.t
    )
    return model


def FallingEdge():
    model = with_pulse(blocks.FallingEdge())
    return model


def Feedback():
    model = with_two(blocks.Feedback())
    return model


def Filter():
    model = with_sine(blocks.Filter(analogFilter="Butterworth", order=3, f_cut=5.0))
    return model


def FirstOrder():
    model = with_sine(blocks.FirstOrder(T=0.5))
    return model


def FirstOrderHold():
    model = with_sine(blocks.FirstOrderHold(samplePeriod=0.02))
    return model


def FixedDelay():
    model = with_sine(blocks.FixedDelay(delayTime=0.2))
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


def Greater():
    model = with_two(blocks.Greater())
    return model


def GreaterEqual():
    model = with_two(blocks.GreaterEqual())
    return model


def GreaterEqualThreshold():
    model = with_sine(blocks.GreaterEqualThreshold(threshold=0.5))
    return model


def GreaterThreshold():
    model = with_sine(blocks.GreaterThreshold(threshold=0.5))
    return model


def Hysteresis():
    model = with_sine(blocks.Hysteresis(uLow=-0.5, uHigh=0.5))
    return model


def IntegerConstant():
    model = alone(blocks.IntegerConstant(k=3))
    return model


def IntegerExpression():
    model = alone(blocks.IntegerExpression(f=lambda motion: 3.0))
    return model


def IntegerPassThrough():
    model = Model()
    model.number, model.block = blocks.IntegerConstant(k=3), blocks.IntegerPassThrough()
    model.connect(model.number.y, model.block.u)
    return model


def IntegerStep():
    model = alone(blocks.IntegerStep(height=2, startTime=0.05))
    return model


def IntegerToBoolean():
    model = with_pulse(blocks.BooleanToInteger())
    model.truth = blocks.IntegerToBoolean()
    model.connect(model.block.y, model.truth.u)
    return model


def IntegerToReal():
    model = with_pulse(blocks.BooleanToInteger())
    model.real = blocks.IntegerToReal()
    model.connect(model.block.y, model.real.u)
    return model


def Integrator():
    model = with_sine(blocks.Integrator(k=2.0, y_start=1.0))
    return model


def KinematicPTP():
    model = alone(
        blocks.KinematicPTP(deltaq=(0.5, 1.0), qd_max=(2.0,), qdd_max=(50.0, 80.0))
    )
    return model


def KinematicPTP2():
    model = alone(
        blocks.KinematicPTP2(
            q_begin=(0.0, 1.0), q_end=(0.1, 0.8), qd_max=(2.0,), qdd_max=(50.0,)
        )
    )
    return model


def Less():
    model = with_two(blocks.Less())
    return model


def LessEqual():
    model = with_two(blocks.LessEqual())
    return model


def LessEqualThreshold():
    model = with_sine(blocks.LessEqualThreshold(threshold=1.0))
    return model


def LessThreshold():
    model = with_sine(blocks.LessThreshold(threshold=0.5))
    return model


def LimIntegrator():
    model = with_sine(blocks.LimIntegrator(k=10.0, outMax=0.2))
    return model


def LimPID():
    model = Model()
    model.target, model.block = blocks.Step(height=0.5), blocks.LimPID(yMax=2.0, k=3.0)
    model.plant = blocks.FirstOrder(T=0.2)
    model.connect(model.target.y, model.block.u_s)
    model.connect(model.plant.y, model.block.u_m)
    model.connect(model.block.y, model.plant.u)
    return model


def Limiter():
    model = with_sine(blocks.Limiter(uMax=1.5, uMin=-1.0))
    return model


def LinearDependency():
    model = with_two(blocks.LinearDependency(y0=1.0, k1=2.0))
    return model


def Log():
    model = with_positive(blocks.Log(base=2.0))
    return model


def Log10():
    model = with_positive(blocks.Log10())
    return model


def LogFrequencySweep():
    model = alone(blocks.LogFrequencySweep(wMin=1.0, wMax=100.0, duration=0.1))
    return model


def LogicalDelay():
    model = with_pulse(blocks.LogicalDelay(delayTime=0.01))
    return model


def LogicalSwitch():
    model = with_pulses(blocks.LogicalSwitch())
    model.connect(model.short.y, model.block.u3)
    return model


def LowpassButterworth():
    model = with_sine(blocks.LowpassButterworth(n=3, f=5.0))
    return model


def MatrixGain():
    model = with_vector(blocks.MatrixGain(K=((1.0, 2.0), (0.0, 1.0))))
    return model


def Max():
    model = with_two(blocks.Max())
    return model


def Mean():
    model = with_sine(blocks.Mean(f=20.0))
    return model


def Min():
    model = with_two(blocks.Min())
    return model


def MinMax():
    model = with_vector(blocks.MinMax(nu=2))
    return model


def MultiProduct():
    model = with_vector(blocks.MultiProduct(nu=2))
    return model


def MultiSum():
    model = with_vector(blocks.MultiSum(k=(1.0, -1.0)))
    return model


def Nand():
    model = with_pulses(blocks.Nand())
    return model


def Nor():
    model = with_pulses(blocks.Nor())
    return model


def NormalNoise():
    model = alone(blocks.NormalNoise(sigma=0.5))
    return model


def Not():
    model = with_pulse(blocks.Not())
    return model


def OnOffController():
    model = with_sine(blocks.OnOffController(bandwidth=0.2))
    0.5 >> model.block.reference
    return model


def Or():
    model = with_pulses(blocks.Or())
    return model


def PI():
    model = with_sine(blocks.PI(k=2.0, T=0.5))
    return model


def PID():
    model = with_sine(blocks.PID(k=2.0, Ti=0.5, Td=0.1))
    return model


def PadeDelay():
    model = with_sine(blocks.PadeDelay(delayTime=0.02, n=2))
    return model


def Power():
    model = with_sine(blocks.Power())
    return model


def Pre():
    model = with_pulse(blocks.Pre())
    return model


def Product():
    model = with_two(blocks.Product())
    return model


def Pulse():
    model = alone(blocks.Pulse(amplitude=2.0, width=30.0, period=0.5))
    return model


def RSFlipFlop():
    model = Model()
    model.set, model.reset = (
        blocks.BooleanPulse(period=0.02),
        blocks.BooleanPulse(period=0.05),
    )
    model.block = blocks.RSFlipFlop()
    model.connect(model.set.y, model.block.S)
    model.connect(model.reset.y, model.block.R)
    return model


def Ramp():
    model = alone(blocks.Ramp(height=2.0, duration=0.5))
    return model


def RealPassThrough():
    model = with_sine(blocks.RealPassThrough())
    return model


def RealToBoolean():
    model = with_sine(blocks.RealToBoolean())
    return model


def RealToInteger():
    model = with_sine(blocks.RealToInteger())
    return model


def RectifiedMean():
    model = with_sine(blocks.RectifiedMean(f=20.0))
    return model


def Replicator():
    model = with_sine(blocks.Replicator(nout=3))
    return model


def ContinuousMean():
    model = with_sine(blocks.ContinuousMean())
    return model


def Variance():
    model = with_sine(blocks.Variance())
    return model


def StandardDeviation():
    model = with_sine(blocks.StandardDeviation())
    return model


def Harmonic():
    model = with_sine(blocks.Harmonic(f=20.0))
    return model


def TotalHarmonicDistortion():
    model = with_sine(blocks.TotalHarmonicDistortion(f=20.0))
    return model


def RootMeanSquare():
    model = with_sine(blocks.RootMeanSquare(f=20.0))
    return model


def SampleTrigger():
    model = alone(blocks.SampleTrigger(period=0.02))
    return model


def Sampler():
    model = with_sine(blocks.Sampler(samplePeriod=0.02))
    return model


def SawTooth():
    model = alone(blocks.SawTooth(amplitude=2.0, period=0.03))
    return model


def SecondOrder():
    model = with_sine(blocks.SecondOrder(w=10.0, D=0.7))
    return model


def Sign():
    model = with_sine(blocks.Sign())
    return model


def Sin():
    model = with_sine(blocks.Sin())
    return model


def Sinc():
    model = alone(blocks.Sinc(f=20.0))
    return model


def Sine():
    model = alone(blocks.Sine(amplitude=2.0, f=1.0, phase=0.5))
    return model


def SineVariableFrequencyAndAmplitude():
    model = Model()
    model.rise, model.block = (
        blocks.Ramp(height=20.0, duration=0.1),
        blocks.SineVariableFrequencyAndAmplitude(),
    )
    model.connect(model.rise.y, model.block.f)
    2.0 >> model.block.amplitude
    return model


def Sinh():
    model = with_sine(blocks.Sinh())
    return model


def SlewRateLimiter():
    model = with_sine(blocks.SlewRateLimiter(Rising=5.0))
    return model


def Sqrt():
    model = with_positive(blocks.Sqrt())
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


def Switch():
    model = Model()
    model.on, model.sine, model.block = (
        blocks.BooleanStep(startTime=0.05),
        blocks.Sine(f=1.0),
        blocks.Switch(),
    )
    model.connect(model.sine.y, model.block.u1)
    model.connect(model.on.y, model.block.u2)
    0.5 >> model.block.u3
    return model


def Tan():
    model = with_sine(blocks.Tan())
    return model


def Tanh():
    model = with_sine(blocks.Tanh())
    return model


def TerminateSimulation():
    model = with_sine(blocks.Gain())
    model.end = blocks.TerminateSimulation(condition=lambda motion: motion["block.y"] > 1.0)
    return model


def TimeFunction():
    model = alone(blocks.TimeFunction(f=lambda t: sqrt(1.0 + sin(t) ** 2)))
    return model


def TimeTable():
    model = alone(blocks.TimeTable(table=((0.0, 1.0), (0.5, 3.0), (0.5, 0.0), (1.0, 2.0))))
    return model


def Timer():
    model = with_pulse(blocks.Timer())
    return model


def TransferFunction():
    model = with_sine(blocks.TransferFunction(b=[1.0], a=[0.1, 1.0]))
    return model


def Trapezoid():
    model = alone(
        blocks.Trapezoid(amplitude=2.0, rising=0.1, width=0.2, falling=0.1, period=0.5)
    )
    return model


def TriggeredMax():
    model = with_sine(blocks.TriggeredMax())
    model.pulse = blocks.BooleanPulse(period=0.02)
    model.connect(model.pulse.y, model.block.trigger)
    return model


def TriggeredSampler():
    model = with_sine(blocks.TriggeredSampler())
    model.pulse = blocks.BooleanPulse(period=0.02)
    model.connect(model.pulse.y, model.block.trigger)
    return model


def TriggeredTrapezoid():
    model = with_pulse(blocks.TriggeredTrapezoid(rising=0.01, falling=0.005))
    return model


def UniformNoise():
    model = alone(blocks.UniformNoise(y_min=-1.0))
    return model


def UnitDelay():
    model = with_sine(blocks.UnitDelay(samplePeriod=0.02, y_start=1.0))
    return model


def VariableDelay():
    model = with_sine(blocks.VariableDelay(delayMax=0.5))
    model.time = blocks.Constant(k=0.2)
    model.connect(model.time.y, model.block.delayTime)
    return model


def VariableLimiter():
    model = with_sine(blocks.VariableLimiter())
    model.ramp = blocks.Ramp(height=1.0, duration=0.1)
    model.connect(model.ramp.y, model.block.limit1)
    0.1 >> model.block.limit2
    return model


def WrapAngle():
    model = with_sine(blocks.WrapAngle())
    return model


def Xor():
    model = with_pulses(blocks.Xor())
    return model


def ZeroCrossing():
    model = with_sine(blocks.ZeroCrossing())
    return model


def ZeroOrderHold():
    model = with_sine(blocks.ZeroOrderHold(samplePeriod=0.02))
    return model


def BooleanReplicator():
    model = Model()
    model.pulse, model.block = (
        blocks.BooleanPulse(period=0.5),
        blocks.BooleanReplicator(nout=2),
    )
    model.connect(model.pulse.y, model.block.u)
    return model


def IntegerReplicator():
    model = Model()
    model.step, model.block = (
        blocks.IntegerStep(startTime=0.5),
        blocks.IntegerReplicator(nout=2),
    )
    model.connect(model.step.y, model.block.u)
    return model


def IntegerTable():
    model = Model()
    model.table = blocks.IntegerTable(table=[(0.0, 1), (0.5, 3), (0.8, 2)])
    return model


def Multiplex():
    model = Model()
    model.sine, model.constant = blocks.Sine(f=1.0), blocks.Constant(k=2.0)
    model.block = blocks.Multiplex(n=2)
    model.connect(model.sine.y, model.block.u[0])
    model.connect(model.constant.y, model.block.u[1])
    return model


def Multiplex2():
    model = joined(blocks.Multiplex2(), 2)
    return model


def DeMultiplex2():
    model = parted(blocks.DeMultiplex2(), 2)
    return model


def Multiplex3():
    model = joined(blocks.Multiplex3(), 3)
    return model


def DeMultiplex3():
    model = parted(blocks.DeMultiplex3(), 3)
    return model


def Multiplex4():
    model = joined(blocks.Multiplex4(), 4)
    return model


def DeMultiplex4():
    model = parted(blocks.DeMultiplex4(), 4)
    return model


def Multiplex5():
    model = joined(blocks.Multiplex5(), 5)
    return model


def DeMultiplex5():
    model = parted(blocks.DeMultiplex5(), 5)
    return model


def Multiplex6():
    model = joined(blocks.Multiplex6(), 6)
    return model


def DeMultiplex6():
    model = parted(blocks.DeMultiplex6(), 6)
    return model


def DeMultiplex():
    model = parted(blocks.DeMultiplex(n=2), 2)
    return model


def ExtractSignal():
    model = parted(blocks.ExtractSignal(nin=3, extract=(3, 1)), 3)
    return model


def Extractor():
    model = parted(blocks.Extractor(nin=2), 2)
    model.step = blocks.IntegerStep(offset=1, startTime=0.5)
    model.connect(model.step.y, model.block.index)
    return model


def PolarToRectangular():
    model = Model()
    model.one, model.clock = blocks.Constant(k=1.0), blocks.ContinuousClock()
    model.block = blocks.PolarToRectangular()
    model.connect(model.one.y, model.block.u_abs)
    model.connect(model.clock.y, model.block.u_arg)
    return model


def RectangularToPolar():
    model = Model()
    model.sine, model.cosine = blocks.Sine(f=0.2), blocks.Cosine(f=0.2)
    model.block = blocks.RectangularToPolar()
    model.connect(model.cosine.y, model.block.u_re)
    model.connect(model.sine.y, model.block.u_im)
    return model


def Pythagoras():
    model = with_two(blocks.Pythagoras())
    return model


def MultiAnd():
    model = with_keys(blocks.MultiAnd(nu=3), 3)
    return model


def MultiOr():
    model = with_keys(blocks.MultiOr(nu=3), 3)
    return model


def MultiXor():
    model = with_keys(blocks.MultiXor(nu=3), 3)
    return model


def MultiNand():
    model = with_keys(blocks.MultiNand(nu=3), 3)
    return model


def MultiNor():
    model = with_keys(blocks.MultiNor(nu=3), 3)
    return model


def MultiSwitch():
    model = with_keys(blocks.MultiSwitch(expr=(3.0, 5.0), y_default=1.0))
    return model


def BooleanMultiSwitch():
    model = with_keys(blocks.BooleanMultiSwitch(expr=(True, False)))
    return model


def IntegerMultiSwitch():
    model = with_keys(blocks.IntegerMultiSwitch(expr=(3, 5)))
    return model


def OnDelay():
    model = with_pulse(blocks.OnDelay(delayTime=0.005))
    return model


def IntegerSum():
    model = with_counts(blocks.IntegerSum(k=(1, -2)))
    return model


def IntegerProduct():
    model = with_counts(blocks.IntegerProduct())
    return model


def TriggeredAdd():
    model = Model()
    model.pulse, model.block = blocks.BooleanPulse(period=0.1), blocks.TriggeredAdd()
    3 >> model.block.u
    model.connect(model.pulse.y, model.block.trigger)
    return model


def RealFFT():
    model = with_sine(blocks.RealFFT(f_max=4.0, f_res=1.0))
    return model


def TruncatedNormalNoise():
    model = alone(blocks.TruncatedNormalNoise(y_min=-1.0, y_max=1.0))
    return model


def CosineVariableFrequencyAndAmplitude():
    model = Model()
    model.rise = blocks.Ramp(height=20.0, duration=0.1)
    model.block = blocks.CosineVariableFrequencyAndAmplitude(useConstantAmplitude=True)
    model.connect(model.rise.y, model.block.f)
    return model


def Affine():
    model = with_sine(blocks.Affine(k=1.8, offset=32.0))
    return model
