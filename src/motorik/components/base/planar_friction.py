"""The direction of friction in a plane: against the velocity, continued through rest."""

from __future__ import annotations

from motorik.algebra.scalar import Scalar, sqrt, where
from motorik.components.base.contributions import FrictionDisk
from motorik.components.base.internal import discrete, nonsmooth_force
from motorik.components.base.part import DeclaredPart
from motorik.components.base.resolving import Values

DISK = FrictionDisk("friction_across", ("cosine", "sine", "pace", "since", "softness"))


class PlanarFriction(DeclaredPart):
    """Friction in a plane: the force across its direction, and the numbers of its disk.

    A kind of part declares the force along that direction, and gives `DISK` to its
    `NonsmoothConstraint`.
    """

    friction_across = nonsmooth_force("friction across the direction", "N")
    cosine = discrete("cosine of the direction", start=1.0)
    sine = discrete("sine of the direction", start=0.0)
    pace = discrete(
        "rate of the speed below which friction is regularised", "m/s2", start=0.0
    )
    since = discrete("time at which that speed would be zero", "s", start=0.0)
    softness = discrete("compliance against others that share the load", start=1.0)


def sliding_direction(
    p: Values, t: Scalar, ahead: Scalar, across: Scalar
) -> tuple[Scalar, Scalar]:
    """Return the components of the unit vector along a velocity, at the time t [s].

    `ahead` and `across` are the components of the velocity along the direction of a
    `FrictionDisk` and across it. At the onset of slip the speed ahead is at least
    pace · (t − since): a regularisation that grows with time.
    """
    regularised = p.pace * (t - p.since)
    ahead = where(p.pace > 0.0, where(ahead < regularised, regularised, ahead), ahead)
    part = across / where(ahead == 0.0, 1.0, ahead)
    size = sqrt(1.0 + part * part)
    return 1.0 / size, part / size
