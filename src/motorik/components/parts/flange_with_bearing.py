"""A rotational flange together with the frame of its bearing, connected as one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from motorik.components.base import kinds
from motorik.components.base.composite import DeclaredComposite
from motorik.components.base.contributions import Contribution
from motorik.components.base.declarations import frame, parameter, rotational_flange
from motorik.components.base.part import DeclaredPart
from motorik.components.base.ports import join
from motorik.components.base.resolving import Values
from motorik.errors import PortError

if TYPE_CHECKING:
    from typing_extensions import Self


class FlangeWithBearing(DeclaredPart):
    """A rotational flange and, if there is a bearing, the frame of that bearing.

    It passes both on, and ``one >> other`` connects both with those of another one: so a part can
    offer a drive line and its housing by one name. Without a bearing on either side only the
    flanges are connected.
    """

    is_drawn = False

    flange = rotational_flange("flange of the drive line")
    bearingFrame = frame("frame of the bearing", when="includeBearingConnector")
    includeBearingConnector: kinds.Boolean = parameter(
        "whether there is the frame of the bearing", default=False
    )

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute nothing: ports that are connected here are one."""
        return ()

    if not TYPE_CHECKING:

        def __rshift__(self, other: object) -> object:
            return self._link(other)

    else:

        def __rshift__(self, other: Self) -> Self: ...

    def _link(self, other: object) -> FlangeWithBearing:
        """Connect the flanges, and the frames of the bearings if both have one."""
        if not isinstance(other, FlangeWithBearing) or other is self:
            raise PortError(
                self.label,
                "is a flange with a bearing and cannot be connected with "
                f"{getattr(other, 'label', other)!s}.",
                "Connect its flange or its bearingFrame, or another FlangeWithBearing.",
                port=self.name or "flange",
                value=other,
            )
        if self.includeBearingConnector != other.includeBearingConnector:
            raise PortError(
                self.label,
                f"includeBearingConnector is {self.includeBearingConnector} here and "
                f"{other.includeBearingConnector} of {other.label}.",
                "Give both the same value.",
                port="bearingFrame",
                value=other,
            )
        join(self.flange, other.flange)
        if self.includeBearingConnector:
            join(self.bearingFrame, other.bearingFrame)
        return other


class FlangeWithBearingAdaptor(DeclaredComposite):
    """Parts a flange with a bearing `fwb` into its flange and its frame."""

    is_open = False
    is_drawn = False

    flange = rotational_flange("flange of the drive line")
    frame = frame("frame of the bearing", when="includeBearingConnector")
    includeBearingConnector: kinds.Boolean = parameter(
        "whether there is the frame of the bearing", default=False
    )
    fwb: FlangeWithBearing

    def build(self) -> None:
        """Make the flange with its bearing, and connect its ports with those of the adaptor."""
        has_bearing = self.includeBearingConnector
        self.fwb = FlangeWithBearing(includeBearingConnector=has_bearing)
        join(self.fwb.flange, self.flange)
        if has_bearing:
            join(self.fwb.bearingFrame, self.frame)
