"""Signal blocks: sources, arithmetic, filters and controllers."""

from motorik.components.block import Block, OneToOne, Source
from motorik.components.blocks_continuous import (
    PI,
    PID,
    Derivative,
    FirstOrder,
    Integrator,
    SecondOrder,
)
from motorik.components.blocks_linear import CriticalDamping, StateSpace, TransferFunction
from motorik.components.blocks_math import (
    Add,
    Add3,
    Division,
    Feedback,
    Function,
    Gain,
    Product,
    Sum,
)
from motorik.components.blocks_sources import (
    Constant,
    ContinuousClock,
    Cosine,
    Ramp,
    Sine,
    TimeFunction,
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
    "Derivative",
    "Division",
    "Feedback",
    "FirstOrder",
    "Function",
    "Gain",
    "Integrator",
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
]
