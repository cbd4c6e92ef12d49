"""The direction of friction in a plane: against the velocity, continued through rest."""

from __future__ import annotations

from motorik.algebra.scalar import Scalar, sqrt, where
from motorik.components.base.contributions import Disc
from motorik.components.base.internal import discrete, switched_force
from motorik.components.base.part import DeclaredPart
from motorik.components.base.resolving import Values

DISC = Disc("friction_across", ("cosine", "sine", "pace", "since", "softness"))


class Rubbing(DeclaredPart):
    """What rubs in a plane: the force across the direction of its friction, and its numbers.

    A kind of part declares the force along that direction, and gives `DISC` to its `Slip`.
    """

    friction_across = switched_force("friction across the direction", "N")
    cosine = discrete("cosine of the direction", start=1.0)
    sine = discrete("sine of the direction", start=0.0)
    pace = discrete("rate of the speed up to which it creeps", "m/s2", start=0.0)
    since = discrete("time at which that speed would be zero", "s", start=0.0)
    softness = discrete("compliance against others that share the load", start=1.0)


def shares(p: Values, t: Scalar, ahead: Scalar, across: Scalar) -> tuple[Scalar, Scalar]:
    """Return the components of the unit vector along a velocity, at the time t [s].

    `ahead` and `across` are those of the velocity along the direction of a `Disc` and across
    it. What creeps turns by its speed across, against a speed that grows with time.
    """
    creeping = p.pace * (t - p.since)
    ahead = where(p.pace > 0.0, where(ahead < creeping, creeping, ahead), ahead)
    part = across / where(ahead == 0.0, 1.0, ahead)
    size = sqrt(1.0 + part * part)
    return 1.0 / size, part / size
