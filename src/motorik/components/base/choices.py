"""Kinds of parameters without unit: directions, choices, counts, lists, functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from motorik.algebra.matrix import Symmetric
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.conversions import (
    as_count,
    as_curve_table,
    as_friction,
    as_function,
    as_number_or_numbers,
    as_numbers,
    as_surface_table,
    as_table,
    as_time_table,
    as_turn,
    as_turns,
    as_whole,
)
from motorik.components.base.kind import (
    AxisName,
    Choice,
    GivenList,
    GivenMatrix,
    GivenNumber,
    GivenNumbers,
    GivenVector,
    Kind,
    optional,
)
from motorik.components.base.values import (
    DECIDES,
    Derived,
    as_axis,
    as_choice,
    as_given,
    as_sequence,
    as_tensor,
    never_live,
    plain_only,
)

if TYPE_CHECKING:
    from motorik.components.base.motion import Motion

# --- directions, tensors, turns ---------------------------------------------------------------


class OptionalAxis(
    Kind[Vector | None, GivenVector | AxisName | None],
    unit="1",
    convert=optional(as_axis),
):
    """A direction, or None."""

    form = "axis"
    is_optional = True


class InertiaTensor(
    Kind[
        Symmetric | None,
        GivenMatrix | Symmetric | Derived | None,
    ],
    unit="kg.m2",
    convert=as_tensor,
):
    """A symmetric 3×3 inertia tensor, or None."""

    form = "tensor"
    is_optional = True


class Turn(Kind[Scalar, GivenNumber], unit="rad", convert=as_turn):
    """A constant angle of rotation, at most two full turns [rad]."""

    form = "number"


class Turns(Kind[Vector, GivenVector], unit="rad", convert=as_turns):
    """Three angles, each of at most two full turns [rad]."""

    form = "vector"


class AxisSequence(Kind[tuple[int, int, int], Sequence[int]], convert=as_sequence):
    """The axes of three rotations one after another, e.g. (1, 2, 3)."""

    form = "numbers"


# --- choices ----------------------------------------------------------------------------------

StatePriority = Literal["never", "avoid", "default", "prefer", "always"]
RotationTypes = Literal["RotationAxis", "TwoAxesVectors", "PlanarRotationSequence"]
FrameOrWorld = Literal["world", "frame_b", "frame_resolve"]
FrameA = Literal["world", "frame_a", "frame_resolve"]
AnyFrame = Literal["world", "frame_a", "frame_b", "frame_resolve"]
Initializing = Literal["NoInit", "SteadyState", "InitialState", "InitialOutput"]
ControllerName = Literal["P", "PI", "PD", "PID"]
FilterName = Literal["CriticalDamping", "Bessel", "Butterworth", "ChebyshevI"]
PassName = Literal["LowPass", "HighPass", "BandPass", "BandStop"]
Smoothing = Literal["Exp", "Sine", "Linear", "CoSine"]
Continuing = Literal["HoldLastPoint", "LastTwoPoints", "Periodic", "NoExtrapolation"]
Curve = Literal[
    "LinearSegments",
    "ContinuousDerivative",
    "ConstantSegments",
    "MonotoneContinuousDerivative1",
    "MonotoneContinuousDerivative2",
    "ModifiedContinuousDerivative",
]
GravityName = Literal[
    "UniformGravity", "NoGravity", "PointGravity", "uniform", "none", "point"
]
Quantity = Literal[
    "Force",
    "Torque",
    "Velocity",
    "Acceleration",
    "AngularVelocity",
    "AngularAcceleration",
    "RelativePosition",
]
ColorMapName = Literal[
    "jet",
    "hot",
    "gray",
    "spring",
    "summer",
    "autumn",
    "winter",
    "coolWarm",
    "plasma",
    "trafficLight",
    "viridis",
]

GRAVITY_NAMES = {"uniform": "UniformGravity", "none": "NoGravity", "point": "PointGravity"}


@plain_only(DECIDES)
def _as_gravity(part: str, name: str, unit: str, value: object) -> str:
    known = as_choice(*GRAVITY_NAMES.values())
    return known(part, name, unit, GRAVITY_NAMES.get(str(value).lower(), value))


class StateSelect(Choice[StatePriority], choices=get_args(StatePriority)):
    """How much coordinates are preferred as states."""


class RotationType(Choice[RotationTypes], choices=get_args(RotationTypes)):
    """How a fixed rotation is given."""


class ResolveInFrameB(Choice[FrameOrWorld], choices=get_args(FrameOrWorld)):
    """The frame in whose axes vectors are resolved, where there is a frame_b."""


class ResolveInFrameA(Choice[FrameA], choices=get_args(FrameA)):
    """The frame in whose axes vectors are resolved, where there is a frame_a."""


class ResolveInFrameAB(Choice[AnyFrame], choices=get_args(AnyFrame)):
    """The frame in whose axes vectors are resolved, where there are two frames."""


class OptionalResolveInFrameAB(
    Kind[AnyFrame | None, AnyFrame | None], convert=optional(ResolveInFrameAB.convert)
):
    """The frame in whose axes vectors are resolved, or None."""

    form = "choice"
    is_optional = True
    choices = get_args(AnyFrame)


class ColorMap(Choice[ColorMapName], choices=get_args(ColorMapName)):
    """The colours from the smallest to the largest value of a field."""


class VectorQuantity(Choice[Quantity], choices=get_args(Quantity)):
    """The quantity of an arrow."""


class InitType(Choice[Initializing], choices=get_args(Initializing)):
    """How the states of a block start."""


class ControllerType(Choice[ControllerName], choices=get_args(ControllerName)):
    """The actions of a controller: proportional, integral, derivative."""


class AnalogFilter(Choice[FilterName], choices=get_args(FilterName)):
    """The characteristic of a filter."""


class FilterType(Choice[PassName], choices=get_args(PassName)):
    """The frequencies that a filter passes."""


class Regularization(Choice[Smoothing], choices=get_args(Smoothing)):
    """Regularization of a force that changes its sign with the speed."""


class Extrapolation(Choice[Continuing], choices=get_args(Continuing)):
    """Extrapolation of a table beyond its ends."""


class Smoothness(Choice[Curve], choices=get_args(Curve)):
    """The curve of a table through its rows."""


class GravityType(
    Choice[GravityName], choices=tuple(GRAVITY_NAMES.values()), convert=_as_gravity
):
    """The kind of a gravity field."""


# --- options of blocks -------------------------------------------------------------------------


class Count(Kind[int, int], convert=as_count(1)):
    """A whole number from 1 on."""

    form = "count"
    minimum = 1.0


class OptionalCount(Kind[int | None, int | None], convert=optional(as_count(0))):
    """A whole number from 0 on, or None."""

    form = "count"
    is_optional = True
    minimum = 0.0


class WholeNumber(Kind[int, int], convert=as_whole):
    """A whole number of any sign, which is needed before the run."""

    form = "count"


class CountOrEndless(Kind[int, int], convert=as_count(-1)):
    """A whole number from 0 on, or −1 for no end."""

    form = "count"
    minimum = -1.0


class Numbers(Kind[tuple[Scalar, ...], GivenNumbers], convert=as_numbers):
    """One or more finite numbers, which may be live."""

    form = "numbers"


def _as_truths(part: str, name: str, unit: str, value: object) -> tuple[Scalar, ...]:
    """Convert truth values to the numbers 1 and 0, which may be given as well."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        value = tuple(float(x) if isinstance(x, (bool, np.bool_)) else x for x in value)
    return as_numbers(part, name, unit, value)


class Truths(Numbers, convert=_as_truths):
    """One or more truth values, True or False, kept as the numbers 1 and 0."""


class NumberOrNumbers(
    Kind[Scalar | tuple[Scalar, ...], GivenNumber | GivenNumbers],
    convert=as_number_or_numbers,
):
    """One finite number, or several; each may be live."""

    form = "numbers"


class Factors(Numbers, unit="1"):
    """One or more factors."""


class Table(
    Kind[tuple[tuple[Scalar, ...], ...], GivenMatrix],
    convert=as_table,
):
    """A matrix of finite numbers, which may be live, row by row."""

    form = "matrix"


class PlainTable(
    Kind[tuple[tuple[Scalar, ...], ...], GivenMatrix], convert=never_live(as_table)
):
    """A matrix of finite numbers, row by row, which is needed before the run."""

    form = "matrix"


class FrictionTable(
    Kind[tuple[tuple[Scalar, ...], ...], GivenMatrix],
    convert=as_friction,
):
    """Rows (speed, friction) with rising speeds from 0 on, nothing negative; may be live."""

    form = "matrix"


class TimeTable(
    Kind[tuple[tuple[float, ...], ...], GivenMatrix],
    convert=never_live(as_time_table),
):
    """Rows (time, values …) with times that never fall: two rows of one time are a step."""

    form = "matrix"


class CurveTable(
    Kind[tuple[tuple[float, ...], ...], GivenMatrix],
    convert=never_live(as_curve_table),
):
    """Rows (u, values …) with rising u."""

    form = "matrix"


class SurfaceTable(
    Kind[tuple[tuple[float, ...], ...], GivenMatrix],
    convert=never_live(as_surface_table),
):
    """A first row (0, u2 …) and rows (u1, values …), with rising u1 and u2."""

    form = "matrix"


class OptionalNumbers(
    Kind[Sequence[float] | None, GivenList | None], convert=never_live(as_given)
):
    """Numbers that are needed before the run, checked by the part itself, or None."""

    form = "numbers"
    is_optional = True


class OptionalTable(
    Kind[Sequence[Sequence[Scalar]] | None, GivenMatrix | None],
    convert=optional(as_table),
):
    """A matrix of finite numbers, which may be live, row by row, or None."""

    form = "matrix"
    is_optional = True


class Function(Kind[Callable[..., Scalar], Callable[..., Any]], convert=as_function):
    """A function of scalars, traced once before the run."""

    form = "function"


class FunctionOfTime(
    Kind[Callable[[Scalar], Any], Callable[[Scalar], Any]], convert=as_function
):
    """A function of the time, traced once before the run."""

    form = "function"


class FunctionOfMotion(
    Kind[Callable[["Motion"], Any], Callable[["Motion"], Any]], convert=as_function
):
    """A function of the motion of the mechanism, traced once before the run."""

    form = "function"


class GravityField(
    Kind[Callable[[Vector], Any] | None, Callable[[Vector], Any] | None], unit="m/s2"
):
    """A function that returns the gravity acceleration at a position, or None."""

    form = "function"
    is_optional = True
