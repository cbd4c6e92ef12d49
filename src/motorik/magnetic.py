"""Magnetic circuits: flux tubes, coils, magnets, air gaps that pull, and sensors."""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik.components.magnetic.basic import (
        ConstantPermeance,
        ConstantReluctance,
        EddyCurrent,
        ElectroMagneticConverter,
        Ground,
        VariableReluctance,
    )
    from motorik.components.magnetic.sensors import (
        MagneticFluxSensor,
        MagneticPotentialDifferenceSensor,
    )
    from motorik.components.magnetic.shapes import (
        CuboidParallelFlux,
        GenericFluxTube,
        GenericLinearPermanentMagnet,
        HollowCylinderAxialFlux,
        HollowCylinderRadialFlux,
    )
    from motorik.components.magnetic.sources import (
        ConstantMagneticPotentialDifference,
        SignalMagneticPotentialDifference,
    )

__all__ = [
    "ConstantMagneticPotentialDifference",
    "ConstantPermeance",
    "ConstantReluctance",
    "CuboidParallelFlux",
    "EddyCurrent",
    "ElectroMagneticConverter",
    "GenericFluxTube",
    "GenericLinearPermanentMagnet",
    "Ground",
    "HollowCylinderAxialFlux",
    "HollowCylinderRadialFlux",
    "MagneticFluxSensor",
    "MagneticPotentialDifferenceSensor",
    "SignalMagneticPotentialDifference",
    "VariableReluctance",
]

_HOMES = {
    "motorik.components.magnetic.basic": (
        "ConstantPermeance",
        "ConstantReluctance",
        "EddyCurrent",
        "ElectroMagneticConverter",
        "Ground",
        "VariableReluctance",
    ),
    "motorik.components.magnetic.sensors": (
        "MagneticFluxSensor",
        "MagneticPotentialDifferenceSensor",
    ),
    "motorik.components.magnetic.shapes": (
        "CuboidParallelFlux",
        "GenericFluxTube",
        "GenericLinearPermanentMagnet",
        "HollowCylinderAxialFlux",
        "HollowCylinderRadialFlux",
    ),
    "motorik.components.magnetic.sources": (
        "ConstantMagneticPotentialDifference",
        "SignalMagneticPotentialDifference",
    ),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
