"""Signal blocks: sources, arithmetic, filters and controllers."""

from motorik.components.blocks.arithmetic import (
    Add,
    Add3,
    Division,
    Feedback,
    Function,
    Gain,
    LessEqualThreshold,
    Product,
    Sum,
)
from motorik.components.blocks.block import Block, OneToOne, Source
from motorik.components.blocks.continuous import (
    PI,
    PID,
    Der,
    Derivative,
    FirstOrder,
    Integrator,
    SecondOrder,
)
from motorik.components.blocks.discrete import Discrete
from motorik.components.blocks.linear import CriticalDamping, StateSpace, TransferFunction
from motorik.components.blocks.sources import (
    Constant,
    ContinuousClock,
    Cosine,
    Expression,
    Ramp,
    Sine,
    TimeFunction,
    Trapezoid,
)

__all__ = [
    "PI",
    "PID",
    "Add",
    "Add3",
    "Block",
    "Constant",
    "ContinuousClock",
    "Cosine",
    "CriticalDamping",
    "Der",
    "Derivative",
    "Discrete",
    "Division",
    "Expression",
    "Feedback",
    "FirstOrder",
    "Function",
    "Gain",
    "Integrator",
    "LessEqualThreshold",
    "OneToOne",
    "Product",
    "Ramp",
    "SecondOrder",
    "Sine",
    "Source",
    "StateSpace",
    "Sum",
    "TimeFunction",
    "TransferFunction",
    "Trapezoid",
]
