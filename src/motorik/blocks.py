"""Signal blocks: sources, arithmetic, filters and controllers."""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik.components.blocks.arithmetic import (
        Add,
        Add3,
        DeadZone,
        Division,
        Feedback,
        Function,
        Gain,
        LessEqualThreshold,
        Limiter,
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
    from motorik.components.blocks.linear import (
        CriticalDamping,
        StateSpace,
        TransferFunction,
    )
    from motorik.components.blocks.sources import (
        Constant,
        ContinuousClock,
        Cosine,
        Expression,
        Pulse,
        Ramp,
        Sine,
        Step,
        TimeFunction,
        Trapezoid,
    )
    from motorik.components.blocks.tables import CombiTimeTable

__all__ = [
    "PI",
    "PID",
    "Add",
    "Add3",
    "Block",
    "CombiTimeTable",
    "Constant",
    "ContinuousClock",
    "Cosine",
    "CriticalDamping",
    "DeadZone",
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
    "Limiter",
    "OneToOne",
    "Product",
    "Pulse",
    "Ramp",
    "SecondOrder",
    "Sine",
    "Source",
    "StateSpace",
    "Step",
    "Sum",
    "TimeFunction",
    "TransferFunction",
    "Trapezoid",
]

_HOMES = {
    "motorik.components.blocks.arithmetic": (
        "Add",
        "Add3",
        "DeadZone",
        "Division",
        "Feedback",
        "Function",
        "Gain",
        "LessEqualThreshold",
        "Limiter",
        "Product",
        "Sum",
    ),
    "motorik.components.blocks.block": (
        "Block",
        "OneToOne",
        "Source",
    ),
    "motorik.components.blocks.continuous": (
        "PI",
        "PID",
        "Der",
        "Derivative",
        "FirstOrder",
        "Integrator",
        "SecondOrder",
    ),
    "motorik.components.blocks.discrete": ("Discrete",),
    "motorik.components.blocks.linear": (
        "CriticalDamping",
        "StateSpace",
        "TransferFunction",
    ),
    "motorik.components.blocks.sources": (
        "Constant",
        "ContinuousClock",
        "Cosine",
        "Expression",
        "Pulse",
        "Ramp",
        "Sine",
        "Step",
        "TimeFunction",
        "Trapezoid",
    ),
    "motorik.components.blocks.tables": ("CombiTimeTable",),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
