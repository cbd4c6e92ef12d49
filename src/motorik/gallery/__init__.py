"""Gallery: mechanisms that examples, documents, tests and benchmarks share.

Each is a `Model` (or a function that makes one) with published data where there are any: pendulums,
four-bars, slider-cranks, engines, the Andrews squeezer, a Stewart platform, a MacPherson
suspension, Bricard's overconstrained loop, and chains of any length for benchmarks. Those whose
name ends in `Analytic` are built from assemblies with closed-form loops. `motor_chain.py` has the
equations of motion of a chain written with motors alone, without parts.
"""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik.gallery.andrews import Andrews
    from motorik.gallery.bricard import Bricard
    from motorik.gallery.chains import chain
    from motorik.gallery.double_pendulum import DoublePendulum
    from motorik.gallery.engine_v6 import EngineV6, EngineV6Analytic
    from motorik.gallery.engines import Engine1a, Engine1b, Engine1bAnalytic
    from motorik.gallery.fourbars import (
        Fourbar1,
        Fourbar2,
        FourbarAnalytic,
        PlanarFourbar,
        PlanarLoopsAnalytic,
    )
    from motorik.gallery.fourfold_pendulum import FourfoldPendulum
    from motorik.gallery.macpherson import MacPherson, MacPhersonAnalytic
    from motorik.gallery.manipulator import manipulator6
    from motorik.gallery.motor_chain import MotorBody, joint_forces, state_rates
    from motorik.gallery.n_four_bar import NFourBar, ThreeCranks
    from motorik.gallery.pendulum import Pendulum
    from motorik.gallery.slider_crank import SliderCrank, SpatialSliderCrank
    from motorik.gallery.spinning_wheel import SpinningWheel
    from motorik.gallery.stewart import StewartPlatform
    from motorik.gallery.trolley_pendulum import TrolleyPendulum

__all__ = [
    "Andrews",
    "Bricard",
    "DoublePendulum",
    "Engine1a",
    "Engine1b",
    "Engine1bAnalytic",
    "EngineV6",
    "EngineV6Analytic",
    "Fourbar1",
    "Fourbar2",
    "FourbarAnalytic",
    "FourfoldPendulum",
    "MacPherson",
    "MacPhersonAnalytic",
    "MotorBody",
    "NFourBar",
    "Pendulum",
    "PlanarFourbar",
    "PlanarLoopsAnalytic",
    "SliderCrank",
    "SpatialSliderCrank",
    "SpinningWheel",
    "StewartPlatform",
    "ThreeCranks",
    "TrolleyPendulum",
    "chain",
    "joint_forces",
    "manipulator6",
    "state_rates",
]

_HOMES = {
    "motorik.gallery.andrews": ("Andrews",),
    "motorik.gallery.bricard": ("Bricard",),
    "motorik.gallery.chains": ("chain",),
    "motorik.gallery.double_pendulum": ("DoublePendulum",),
    "motorik.gallery.engine_v6": (
        "EngineV6",
        "EngineV6Analytic",
    ),
    "motorik.gallery.engines": (
        "Engine1a",
        "Engine1b",
        "Engine1bAnalytic",
    ),
    "motorik.gallery.fourbars": (
        "Fourbar1",
        "Fourbar2",
        "FourbarAnalytic",
        "PlanarFourbar",
        "PlanarLoopsAnalytic",
    ),
    "motorik.gallery.fourfold_pendulum": ("FourfoldPendulum",),
    "motorik.gallery.macpherson": (
        "MacPherson",
        "MacPhersonAnalytic",
    ),
    "motorik.gallery.manipulator": ("manipulator6",),
    "motorik.gallery.motor_chain": (
        "MotorBody",
        "joint_forces",
        "state_rates",
    ),
    "motorik.gallery.n_four_bar": (
        "NFourBar",
        "ThreeCranks",
    ),
    "motorik.gallery.pendulum": ("Pendulum",),
    "motorik.gallery.slider_crank": (
        "SliderCrank",
        "SpatialSliderCrank",
    ),
    "motorik.gallery.spinning_wheel": ("SpinningWheel",),
    "motorik.gallery.stewart": ("StewartPlatform",),
    "motorik.gallery.trolley_pendulum": ("TrolleyPendulum",),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
