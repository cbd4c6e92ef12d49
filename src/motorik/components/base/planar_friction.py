"""The direction of friction in a plane: against the velocity, continued through rest."""

from __future__ import annotations

from motorik.algebra.scalar import Scalar, sqrt, where
from motorik.components.base.contributions import FrictionDisk
from motorik.components.base.internal import DiskState, disk_state, nonsmooth_force
from motorik.components.base.part import DeclaredPart

DISK = FrictionDisk("friction_across", "disk")


class PlanarFriction(DeclaredPart):
    """Friction in a plane: the force across its direction, and the state of its disk.

    A kind of part declares the force along that direction, and gives `DISK` to its
    `NonsmoothConstraint`.
    """

    friction_across = nonsmooth_force("friction across the direction", "N")
    disk = disk_state()


def sliding_direction(
    disk: DiskState[Scalar], t: Scalar, ahead: Scalar, across: Scalar
) -> tuple[Scalar, Scalar]:
    """Return the components of the unit vector along a velocity, at the time t [s].

    `ahead` and `across` are the components of the velocity along the direction of a
    `FrictionDisk` and across it. At the onset of slip the speed ahead is at least
    pace · (t − since): a regularisation that grows with time.
    """
    regularised = disk.pace * (t - disk.since)
    ahead = where(disk.pace > 0.0, where(ahead < regularised, regularised, ahead), ahead)
    part = across / where(ahead == 0.0, 1.0, ahead)
    size = sqrt(1.0 + part * part)
    return 1.0 / size, part / size
