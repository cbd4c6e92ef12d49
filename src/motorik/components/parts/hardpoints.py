"""Bodies with any number of named points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.pose import Pose
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, Rigid
from motorik.components.base.declarations import frame, parameter
from motorik.components.base.named_frames import Declared, NamedFrames
from motorik.components.base.resolving import Values
from motorik.components.base.values import Parameter
from motorik.components.base.variable import Variable
from motorik.components.parts.bodies import Body

if TYPE_CHECKING:
    from motorik.components.base.ports import FramePort


class BodyWithPoints(NamedFrames, Body):
    """A rigid body with any number of named frames: ``points={"A": (x, y, z), "B": (x, y, z)}``.

    The places [m] are from frame_a, resolved in it, and the axes parallel to its axes. Each point
    is a frame (``body.A``) with the parameter r_A; results show its position as A_r_0.
    """

    argument = "points"
    remedy = 'Give e.g. points={"A": (0.5, 0.0, 0.0)}.'

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> FramePort: ...

    def parameters_of(self, name: str) -> Iterable[str]:
        """Return the name of the place."""
        return (f"r_{name}",)

    def declared_at(
        self, name: str, place: object, given: dict[str, object]
    ) -> dict[str, Declared]:
        """Return the declarations of a frame and of its place."""
        entries = [*place] if isinstance(place, Sequence | np.ndarray) else []
        is_live = isinstance(place, Parameter)
        if not is_live and len(entries) != 3:
            raise self.refused_place(
                f"point {name!r} is at {place!r}, which is not (x, y, z).",
                self.remedy,
                place,
            )
        r: object = place
        if is_live or any(isinstance(one, Parameter) for one in entries):
            given.setdefault(f"r_{name}", place)  # a default would be copied
            r = (0.0, 0.0, 0.0)
        convert = kinds.Position.convert
        place_of = parameter(f"from frame_a to {name}", "m", r, convert)
        return {name: frame(f"point {name}"), f"r_{name}": place_of}

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the body, and the frames fixed to it."""
        yield from super().contributions(p)
        for port in self.user_ports():
            r = getattr(p, f"r_{port.name}")
            yield Rigid(self.frame_a, port, Pose(p=r))

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return those of the body, and the position of each point."""
        shown = dict(super().variables(p))
        for port in self.user_ports():
            shown[f"{port.name}_r_0"] = Variable(
                lambda motion, port=port: motion.pose(port).p,
                "m",
                f"position of {port.name}",
            )
        return shown

    def given_place(self, name: str) -> object:
        """Return the place as it was given."""
        return self.__dict__["own_specs"][f"r_{name}"].default
