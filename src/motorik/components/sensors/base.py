"""Common basis of sensors of frames: outputs read from the motion, in a chosen frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from motorik.algebra.matrix import IDENTITY, Matrix
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, Measurement
from motorik.components.base.motion import Motion
from motorik.components.base.part import (
    DeclaredPart,
    PortSpec,
    Values,
    Variable,
    frame,
    parameter,
)
from motorik.components.forces.given import with_frame_resolve

if TYPE_CHECKING:
    from typing_extensions import Self


Reading = Callable[[Motion], Scalar]


class FrameSensor(DeclaredPart):
    """A sensor whose outputs are readings of the motion; it does not influence the motion.

    `readings` gives for each output the level of motion that it needs (0 positions, 1 speeds,
    2 accelerations and forces) and a function that reads it.
    """

    frame_resolve = frame("frame of the outputs' components", when="useFrameResolve")

    useFrameResolve: kinds.Boolean = parameter(
        "whether frame_resolve is used", default=False
    )

    def __init__(self, *unnamed: object, **given: object) -> None:
        super().__init__(*unnamed, **with_frame_resolve(given))

    def readings(self, p: Values) -> Mapping[str, tuple[int, Reading]]:
        """Return level and reading of every output that the sensor may have."""
        raise NotImplementedError

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the outputs as readings of the motion."""
        for name, (level, read) in self.readings(p).items():
            port = self.__dict__.get(name)
            if port is not None:
                yield Measurement(self, port.elements, _as_tuple(read), level)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the outputs that exist."""
        shown = {}
        for name, (_, read) in self.readings(p).items():
            spec = self.specs[name]
            if name in self.__dict__ and isinstance(spec, PortSpec):
                shown[name] = Variable(read, spec.unit, spec.description)
        return shown

    def resolving(self, motion: Motion, name: str) -> tuple[Matrix, Vector, Vector]:
        """Return R, ω and ω̇ of the frame of this name; its ω resolved in itself.

        ω̇ is zero while accelerations are not known.
        """
        if name == "world":
            return IDENTITY, ZERO, ZERO
        port = getattr(self, name)
        rate = motion.acceleration(port).resultant if motion.ud is not None else ZERO
        return motion.pose(port).R, motion.velocity(port).resultant, rate


def _as_tuple(read: Reading) -> Callable[[Motion], tuple[Scalar, ...]]:
    def reading(motion: Motion) -> tuple[Scalar, ...]:
        value = read(motion)
        if isinstance(value, Vector):
            return value.xyz
        return value if isinstance(value, tuple) else (value,)

    return reading
