"""Vectors of signals resolved in another frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from motorik.algebra.matrix import Matrix
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, SignalLaw
from motorik.components.base.motion import Motion
from motorik.components.base.part import frame, parameter, signal_input, signal_output
from motorik.components.base.resolving import Values
from motorik.components.sensors.base import FrameSensor, Reading

RESOLVED = ("frame_r_in", "frame_r_out")


class TransformVector(FrameSensor):
    """A vector of signals in the axes of one frame, and the same vector in those of another.

    r_out = T r_in, with the rotation matrix T = R_outᵀ R_in.
    """

    r_in = signal_input("vector, resolved in frame_r_in", size=3)
    r_out = signal_output("the same vector, resolved in frame_r_out", size=3)
    T = signal_output("rotation matrix from frame_r_in to frame_r_out, by rows", size=9)

    def __init__(self, *unnamed: object, **given: object) -> None:
        given.setdefault("frame_r_out", given.get("frame_r_in", "frame_a"))
        named = [str(given.get(name, "")).rsplit(".", 1)[-1] for name in RESOLVED]
        if "frame_resolve" in named:
            given = {"useFrameResolve": True, **given}
        super().__init__(*unnamed, **given)

    def readings(self, p: Values) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the rotation matrix."""

        def turned(motion: Motion) -> tuple[Scalar, ...]:
            R_in, R_out = (
                self.resolving(motion, name)[0] for name in (p.frame_r_in, p.frame_r_out)
            )
            return (R_out.T @ R_in).entries

        return {"T": (0, turned)}

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the rotation matrix as a reading, and the product with the vector."""
        yield from super().contributions(p)
        inputs = (*self.r_in.elements, *self.T.elements)
        yield SignalLaw(self, inputs, self.r_out.elements, p, _rotated)


def _rotated(
    p: Values, t: Scalar, inputs: Sequence[Scalar], states: Sequence[Scalar]
) -> tuple[Scalar, ...]:
    x, y, z, *entries = inputs
    return (Matrix(*entries) @ Vector(x, y, z)).xyz


class TransformAbsoluteVector(TransformVector):
    """Resolves a vector of signals in other axes: of the world, frame_a or frame_resolve."""

    frame_a = frame("one of the frames")
    frame_r_in: kinds.ResolveInFrameA = parameter("axes of r_in", default="frame_a")
    frame_r_out: kinds.ResolveInFrameA = parameter(
        "axes of r_out, those of r_in if they are not given", default="frame_a"
    )


class TransformRelativeVector(TransformVector):
    """Resolves a vector of signals in other axes: of the world, frame_a, frame_b, frame_resolve."""

    frame_a = frame("one of the frames")
    frame_b = frame("another one")
    frame_r_in: kinds.ResolveInFrameAB = parameter("axes of r_in", default="frame_a")
    frame_r_out: kinds.ResolveInFrameAB = parameter(
        "axes of r_out, those of r_in if they are not given", default="frame_a"
    )
