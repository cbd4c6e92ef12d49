"""FlangeConstraint: equations between the positions of flanges, without frames."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import ConstraintBetween, Contribution
from motorik.components.base.part import DeclaredPart
from motorik.components.base.ports import PortKind
from motorik.components.base.resolving import Values
from motorik.elements.constraint import Constraint

if TYPE_CHECKING:
    from typing_extensions import Self

FLANGES = (PortKind.ROTATIONAL, PortKind.TRANSLATIONAL)


class FlangeConstraint(DeclaredPart):
    """A part that is defined by equations of its flanges: ``residual(p, *positions) = 0``.

    The positions [rad or m] are those of its flanges in the order of their declaration. A class
    of such a part declares the flanges and defines the residual, and the unit ("m" or "rad") of
    each of its equations; speeds, accelerations and the forces on the flanges follow by
    differentiation, so that no power is lost::

        class NoncircularGear(FlangeConstraint, RotationalTwoFlanges):
            \"\"\"A gear with φ_b = φ_a + e sin φ_a.\"\"\"

            e: kinds.Factor = parameter("variation of the ratio", default=0.3)

            def residual(self, p, phi_a, phi_b):
                return (phi_b - phi_a - p.e * sin(phi_a),)

    Gears with a fixed ratio are a `Coupling`, which costs nothing in motion.
    """

    units: ClassVar[tuple[str, ...]] = ("rad",)

    def residual(self, p: Self, *positions: Scalar) -> tuple[Scalar, ...]:
        """Return the residual, which vanishes at the positions that the part allows."""
        raise NotImplementedError

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the equations of the flanges."""
        flanges = tuple(port for port in self.ports() if port.kind in FLANGES)
        constraint = Constraint(partial(self.residual, p), self.units)
        yield ConstraintBetween(self, (), constraint, flanges)
