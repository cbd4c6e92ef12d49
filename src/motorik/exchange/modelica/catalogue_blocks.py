"""Catalogue of Modelica's signal blocks that exist here, one line each."""

from __future__ import annotations

import math

from motorik import blocks
from motorik.components.base.declarations import (
    boolean_input,
    boolean_output,
    integer_input,
    integer_output,
    signal_input,
    signal_output,
)
from motorik.components.base.values import Start, steady
from motorik.exchange.modelica.catalogue_lines import BLOCKS, named, register_all
from motorik.exchange.modelica.registry import (
    register,
    register_initial_equations,
    register_port,
)

# of limiters: without effect in Modelica 4, or of interest to its solver alone
LIMITS = {"limitsAtInit", "deadZoneAtInit", "strict", "homotopyType"}


def _known_start(name: object) -> object:
    """Return how a controller starts; Modelica 4 has one way more, which is out of use."""
    is_old = str(name).endswith("DoNotUse_InitialIntegratorState")
    return "InitialState" if is_old else name


# --- sources ----------------------------------------------------------------------------------

register_all(
    f"{BLOCKS}.Sources",
    named(
        blocks.BooleanConstant,
        blocks.BooleanPulse,
        blocks.BooleanStep,
        blocks.Constant,
        blocks.ContinuousClock,
        blocks.Cosine,
        blocks.ExpSine,
        blocks.Exponentials,
        blocks.IntegerConstant,
        blocks.IntegerStep,
        blocks.KinematicPTP,
        blocks.KinematicPTP2,
        blocks.LogFrequencySweep,
        blocks.Pulse,
        blocks.Ramp,
        blocks.SampleTrigger,
        blocks.SawTooth,
        blocks.Sinc,
        blocks.Sine,
        blocks.Step,
        blocks.Trapezoid,
    ),
    set(),
    set(),
)
register(
    f"{BLOCKS}.Sources.RealExpression",
    blocks.Expression,
    preset={"f": lambda motion: 0.0},
    expressions={"y": "f"},
)

register(
    f"{BLOCKS}.Sources.BooleanExpression",
    blocks.BooleanExpression,
    preset={"f": lambda motion: False},
    expressions={"y": "f"},
)
register(
    f"{BLOCKS}.Sources.IntegerExpression",
    blocks.IntegerExpression,
    preset={"f": lambda motion: 0.0},
    expressions={"y": "f"},
)
register(
    f"{BLOCKS}.Sources.BooleanTable",
    blocks.BooleanTable,
)
register(f"{BLOCKS}.Sources.IntegerTable", blocks.IntegerTable)

# --- mathematics ------------------------------------------------------------------------------

register_all(
    f"{BLOCKS}.Math",
    named(
        blocks.Acos,
        blocks.Add,
        blocks.Add3,
        blocks.Asin,
        blocks.Atan,
        blocks.Atan2,
        blocks.BooleanToInteger,
        blocks.BooleanToReal,
        blocks.Cos,
        blocks.Cosh,
        blocks.Division,
        blocks.Exp,
        blocks.Feedback,
        blocks.Gain,
        blocks.IntegerToBoolean,
        blocks.IntegerToReal,
        blocks.LinearDependency,
        blocks.Log10,
        blocks.MatrixGain,
        blocks.Max,
        blocks.Min,
        blocks.MinMax,
        blocks.MultiProduct,
        blocks.Product,
        blocks.RealToBoolean,
        blocks.RealToInteger,
        blocks.Sin,
        blocks.Sinh,
        blocks.Sqrt,
        blocks.Tan,
        blocks.Tanh,
        blocks.WrapAngle,
    ),
    set(),
    set(),
)
register(f"{BLOCKS}.Math.MultiSum", blocks.MultiSum, counts={"nu": "k"})
register(f"{BLOCKS}.Math.Sign", blocks.Sign, {"generateEvent"})
register(f"{BLOCKS}.Math.Abs", blocks.Abs, {"generateEvent"})
register(f"{BLOCKS}.Math.Log", blocks.Log, only={"logType": ("BaseE", "BaseAny", "Base10")})
register(f"{BLOCKS}.Math.Power", blocks.Power, {"useExp"})
register(f"{BLOCKS}.Math.Sum", blocks.Sum, preset={"k": (1.0,)}, counts={"nin": "k"})
UNITS = {  # unit of Modelica's conversion: how many SI units it has
    "deg": math.pi / 180.0,
    "rpm": math.pi / 30.0,
    "kmh": 1.0 / 3.6,
    "day": 86400.0,
    "hour": 3600.0,
    "minute": 60.0,
    "litre": 1e-3,
    "kWh": 3.6e6,
    "bar": 1e5,
    "gps": 1e-3,
}
for unit, size in UNITS.items():
    package = f"{BLOCKS}.Math.UnitConversions"
    register(f"{package}.From_{unit}", blocks.Gain, preset={"k": size})
    register(f"{package}.To_{unit}", blocks.Gain, preset={"k": 1.0 / size})
KELVIN = 273.15
for name, (k, offset) in {  # y = k u + offset
    "To_degC": (1.0, -KELVIN),
    "From_degC": (1.0, KELVIN),
    "To_degF": (1.8, 32.0 - 1.8 * KELVIN),
    "From_degF": (1.0 / 1.8, KELVIN - 32.0 / 1.8),
    "To_degRk": (1.8, 0.0),
    "From_degRk": (1.0 / 1.8, 0.0),
}.items():
    given = {"k": k, "offset": offset}
    register(f"{BLOCKS}.Math.UnitConversions.{name}", blocks.Affine, preset=given)
register_all(
    f"{BLOCKS}.Nonlinear",
    named(blocks.DeadZone, blocks.Limiter, blocks.SlewRateLimiter, blocks.VariableLimiter),
    LIMITS,
    set(),
)
register_all(
    f"{BLOCKS}.Nonlinear", named(blocks.FixedDelay, blocks.VariableDelay), set(), set()
)
register(f"{BLOCKS}.Nonlinear.PadeDelay", blocks.PadeDelay, ignore={"balance"})

# --- continuous -------------------------------------------------------------------------------

register_all(
    f"{BLOCKS}.Continuous",
    named(
        blocks.CriticalDamping,
        blocks.Der,
        blocks.Derivative,
        blocks.Filter,
        blocks.FirstOrder,
        blocks.Integrator,
        blocks.LowpassButterworth,
        blocks.PI,
        blocks.SecondOrder,
    ),
    set(),
    set(),
)
for controller in (blocks.LimPID, blocks.PID):
    register(
        f"{BLOCKS}.Continuous.{controller.__name__}",
        controller,
        LIMITS,
        units={"initType": _known_start},
    )
register(f"{BLOCKS}.Continuous.LimIntegrator", blocks.LimIntegrator, LIMITS)
register(
    f"{BLOCKS}.Continuous.StateSpace",
    blocks.StateSpace,
    preset={"A": ((1.0, 0.0), (0.0, 1.0)), "B": ((1.0,), (1.0,)), "C": ((1.0, 1.0),)},
)
register(
    f"{BLOCKS}.Continuous.TransferFunction", blocks.TransferFunction, preset={"a": (1.0,)}
)

# --- logic ------------------------------------------------------------------------------------

register_all(
    f"{BLOCKS}.Logical",
    named(
        blocks.And,
        blocks.Change,
        blocks.Edge,
        blocks.FallingEdge,
        blocks.Greater,
        blocks.GreaterEqual,
        blocks.GreaterEqualThreshold,
        blocks.GreaterThreshold,
        blocks.Hysteresis,
        blocks.Less,
        blocks.LessEqual,
        blocks.LessEqualThreshold,
        blocks.LessThreshold,
        blocks.LogicalDelay,
        blocks.LogicalSwitch,
        blocks.Nand,
        blocks.Nor,
        blocks.Not,
        blocks.OnOffController,
        blocks.Or,
        blocks.Pre,
        blocks.RSFlipFlop,
        blocks.Switch,
        blocks.Timer,
        blocks.TriggeredTrapezoid,
        blocks.Xor,
        blocks.ZeroCrossing,
    ),
    set(),
    set(),
)
register(
    f"{BLOCKS}.Logical.TerminateSimulation",
    blocks.TerminateSimulation,
    expressions={"condition": "condition"},
)

# --- sampled ----------------------------------------------------------------------------------

register_all(
    f"{BLOCKS}.Discrete",
    named(
        blocks.FirstOrderHold,
        blocks.Sampler,
        blocks.TriggeredMax,
        blocks.TriggeredSampler,
        blocks.UnitDelay,
        blocks.ZeroOrderHold,
    ),
    set(),
    set(),
)
register(f"{BLOCKS}.Discrete.TransferFunction", blocks.DiscreteTransferFunction)
register(f"{BLOCKS}.Discrete.StateSpace", blocks.DiscreteStateSpace)
register_all(
    f"{BLOCKS}.Noise",
    named(
        blocks.BandLimitedWhiteNoise,
        blocks.NormalNoise,
        blocks.TruncatedNormalNoise,
        blocks.UniformNoise,
    ),
    set(),
    set(),
)
register_all(
    f"{BLOCKS}.Math",
    named(
        *(blocks.Mean, blocks.RectifiedMean, blocks.RootMeanSquare),
        *(blocks.ContinuousMean, blocks.Variance, blocks.StandardDeviation),
        *(blocks.Harmonic, blocks.TotalHarmonicDistortion),
    ),
    set(),
    set(),
)

# --- routing ----------------------------------------------------------------------------------

register_all(
    f"{BLOCKS}.Routing",
    named(
        blocks.BooleanPassThrough,
        blocks.BooleanReplicator,
        blocks.DeMultiplex,
        blocks.DeMultiplex2,
        blocks.DeMultiplex3,
        blocks.DeMultiplex4,
        blocks.DeMultiplex5,
        blocks.DeMultiplex6,
        blocks.Extractor,
        blocks.IntegerPassThrough,
        blocks.IntegerReplicator,
        blocks.Multiplex,
        blocks.Multiplex2,
        blocks.Multiplex3,
        blocks.Multiplex4,
        blocks.Multiplex5,
        blocks.Multiplex6,
        blocks.RealPassThrough,
        blocks.Replicator,
    ),
    set(),
    set(),
)
register(f"{BLOCKS}.Routing.RealReplicator", blocks.Replicator)
register(
    f"{BLOCKS}.Routing.ExtractSignal", blocks.ExtractSignal, counts={"nout": "extract"}
)
register_all(
    f"{BLOCKS}.Math",
    named(blocks.PolarToRectangular, blocks.Pythagoras, blocks.RectangularToPolar),
    set(),
    set(),
)
ROBOT = "Modelica.Mechanics.MultiBody.Examples.Systems.RobotR3.Utilities"
register(f"{ROBOT}.AxisControlBus", blocks.Bus)
register(f"{ROBOT}.ControlBus", blocks.Bus)
register_initial_equations(
    f"{ROBOT}.GearType1",
    {"spring.w_rel": Start(0.0, fixed=True), "spring.a_rel": Start(0.0, fixed=True)},
)
register_initial_equations(f"{ROBOT}.Motor", {"C.v": steady(), "La.i": steady()})

# --- any number of inputs ----------------------------------------------------------------------

for name, kind in {
    "And": blocks.MultiAnd,
    "Or": blocks.MultiOr,
    "Xor": blocks.MultiXor,
    "Nand": blocks.MultiNand,
    "Nor": blocks.MultiNor,
    "Not": blocks.Not,
    "RisingEdge": blocks.Edge,
    "FallingEdge": blocks.FallingEdge,
    "ChangingEdge": blocks.Change,
    "OnDelay": blocks.OnDelay,
}.items():
    register(f"{BLOCKS}.MathBoolean.{name}", kind)
for package, kind in {
    "Math": blocks.MultiSwitch,
    "MathBoolean": blocks.BooleanMultiSwitch,
    "MathInteger": blocks.IntegerMultiSwitch,
}.items():
    register(f"{BLOCKS}.{package}.MultiSwitch", kind, {"precision"}, counts={"nu": "expr"})
register(f"{BLOCKS}.MathInteger.Sum", blocks.IntegerSum, counts={"nu": "k"})
register(f"{BLOCKS}.MathInteger.Product", blocks.IntegerProduct)
register(f"{BLOCKS}.MathInteger.TriggeredAdd", blocks.TriggeredAdd)
register(f"{BLOCKS}.Math.RealFFT", blocks.RealFFT, {"resultFileName"})
register(f"{BLOCKS}.Math.Edge", blocks.Edge)
register(f"{BLOCKS}.Math.BooleanChange", blocks.Change)
for name, rest in {
    "Sine": blocks.SineVariableFrequencyAndAmplitude,
    "Cosine": blocks.CosineVariableFrequencyAndAmplitude,
}.items():
    register(f"{BLOCKS}.Sources.{name}VariableFrequencyAndAmplitude", rest)

# --- ports of models --------------------------------------------------------------------------

for name, port in {
    "RealInput": signal_input("a signal of the model"),
    "RealOutput": signal_output("a signal of the model"),
    "BooleanInput": boolean_input("a truth value of the model"),
    "BooleanOutput": boolean_output("a truth value of the model"),
    "IntegerInput": integer_input("a whole number of the model"),
    "IntegerOutput": integer_output("a whole number of the model"),
}.items():
    register_port(f"{BLOCKS}.Interfaces.{name}", port)
