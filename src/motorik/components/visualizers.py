"""Visualizers: parts that are only drawn, by the names of Modelica's library.

They have no mass, force or state. Colours and `animation` are options of every part, see
`motorik.components.base.visual`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import cos, isfinite, pi, sin
from typing import TYPE_CHECKING

from motorik.algebra.pose import Pose
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, Rigid
from motorik.components.base.part import DeclaredPart, frame, parameter, signal_input
from motorik.components.base.user_law import check_arguments
from motorik.components.base.variable import Variable
from motorik.components.base.visual_kinds import as_shape
from motorik.components.base.visual_options import DiameterVisual, FrameVisual, GroundVisual
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self

    from motorik.algebra.scalar import Scalar
    from motorik.components.base.motion import Motion


class FixedVisualizer(DeclaredPart):
    """Something that is drawn at frame_a."""

    frame_a = frame("frame at which it is drawn")


class ShapedVisualizer(FixedVisualizer):
    """A shape: its kind, or the name of a file with a mesh.

    `extra` means: of a cone the share of the diameter at its far end, of a pipe that of its
    hole, of a gear wheel the number of teeth (negative: inside), of a spring the number of
    coils, whose wire is half as thick as `height`.
    """

    shapeType: kinds.Text = parameter(
        "kind of shape, or file with a mesh (STL, OBJ, GLB, DXF)", default="box"
    )
    r_shape: kinds.Position = parameter(
        "from frame_a to where the shape begins", default=(0, 0, 0)
    )
    widthDirection: kinds.Axis = parameter("direction of the width", default=(0, 1, 0))
    width: kinds.LengthOrZero = parameter("width, or diameter", default=0.1)
    height: kinds.OptionalLength = parameter("height; by default the width", default=None)
    extra: kinds.Factor = parameter("number that some shapes need", default=0.0)

    def check(self, p: Self) -> None:
        """Refuse a kind of shape that does not exist."""
        as_shape(self.label, "shapeType", "", p.shapeType)


class FixedShape(ShapedVisualizer):
    """A shape at frame_a: ``FixedShape(shapeType="cylinder", length=0.3, width=0.05)``."""

    lengthDirection: kinds.Axis = parameter("direction of the length", default=(1, 0, 0))
    length: kinds.LengthOrZero = parameter("length", default=1.0)


class FixedShape2(ShapedVisualizer):
    """A shape between frame_a and frame_b, which is rigidly connected at r."""

    frame_b = frame("frame at r from frame_a, parallel to it")
    r: kinds.Position = parameter("from frame_a to frame_b", default=(1, 0, 0))
    lengthDirection: kinds.OptionalAxis = parameter(
        "direction of the length; by default that of r − r_shape", default=None
    )
    length: kinds.OptionalLength = parameter(
        "length; by default |r − r_shape|", default=None
    )

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the rigid connection of the frames."""
        yield Rigid(self.frame_a, self.frame_b, Pose(p=p.r))


class FixedFrame(FixedVisualizer, FrameVisual):
    """The three axes of frame_a, with labels x, y, z."""

    length: kinds.LengthOrZero = parameter("length of the axes", default=0.5)
    showLabels: kinds.Boolean = parameter("whether the axes have labels", default=True)


class Arrow(FixedVisualizer, DiameterVisual):
    """An arrow whose tail, or with headAtOrigin its head, is at r_tail from frame_a.

    `quantity` is its physical quantity: positions are drawn as they are, others in a scale that
    fits the model.
    """

    r_tail: kinds.Position = parameter("from frame_a to the arrow", default=(0, 0, 0))
    quantity: kinds.VectorQuantity = parameter(
        "quantity that the vector is", default="RelativePosition"
    )
    headAtOrigin: kinds.Boolean = parameter(
        "whether its head is at r_tail, not its tail", default=False
    )


class FixedArrow(Arrow):
    """An arrow along n, of a length, in frame_a."""

    n: kinds.Axis = parameter("direction in frame_a", default=(1, 0, 0))
    length: kinds.LengthOrZero = parameter("length", default=0.1)


class SignalArrow(Arrow):
    """An arrow of a signal of three components, resolved in frame_a."""

    r_head = signal_input("the vector, resolved in frame_a", "m", 3)


class Torus(FixedVisualizer):
    """A torus about the y axis of frame_a, or a slice of it."""

    R: kinds.Length = parameter("from its centre to that of the tube", default=0.5)
    r: kinds.Length = parameter("radius of the tube", default=0.1)
    opening: kinds.Angle = parameter(
        "half of the angle by which the tube is open outside", default=0.0
    )
    startAngle: kinds.Angle = parameter("where the slice begins", default=-pi)
    stopAngle: kinds.Angle = parameter("where the slice ends", default=pi)
    n_R: kinds.Count = parameter("points along the ring", default=40)
    n_r: kinds.Count = parameter("points along the tube", default=20)


class VoluminousWheel(FixedVisualizer):
    """A wheel about the y axis of frame_a: a rim with a tyre."""

    rTire: kinds.Length = parameter("radius of the tyre", default=0.25)
    rRim: kinds.LengthOrZero = parameter("radius of the rim", default=0.14)
    width: kinds.Length = parameter("width of the tyre", default=0.25)
    rCurvature: kinds.Length = parameter("radius of the tyre's section", default=0.3)


def node_positions(count: int) -> tuple[float, ...]:
    """Return shares of a length: both ends, and the middles of count − 2 cells between them."""
    cells = count - 2
    return (0.0, *((k + 0.5) / cells for k in range(cells)), 1.0)


class PipeWithScalarField(FixedVisualizer):
    """A pipe along the x axis of frame_a in the colours of a field T that changes along it.

    `T` is a function of the motion that returns the values of the field at the shares `xsi` of
    the length, e.g. ``lambda motion: (0.0, sin(motion.t))``. Values from `T_min` to `T_max`
    have the colours of `colorMap`.
    """

    rOuter: kinds.Length = parameter("outer radius", default=0.1)
    length: kinds.Length = parameter("length", default=1.0)
    xsi: kinds.Numbers = parameter(
        "where the field is given, shares of the length", default=node_positions(12)
    )
    T: kinds.FunctionOfMotion = parameter("values of the field at xsi")
    T_min: kinds.Factor = parameter("value with the first colour", default=0.0)
    T_max: kinds.Factor = parameter("value with the last colour", default=1.0)
    n_colors: kinds.Count = parameter("how many colours there are", default=64)
    colorMap: kinds.ColorMap = parameter("the colours", default="jet")

    def check(self, p: Self) -> None:
        """Refuse places that do not increase, and a range without extent."""
        check_arguments(self.label, "T", p.T, ("motion",))
        shares = [float(one) for one in p.xsi]
        if shares != sorted(shares):
            raise ParameterError(
                self.label,
                f"xsi = {tuple(shares)} does not increase.",
                "Give shares of the length from 0 to 1.",
                parameter="xsi",
                value=p.xsi,
            )
        if not float(p.T_min) < float(p.T_max):
            raise ParameterError(
                self.label,
                f"T_min = {float(p.T_min):g} is not less than T_max = {float(p.T_max):g}.",
                "Give the range of the field that is drawn.",
                parameter="T_max",
                value=p.T_max,
            )

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the values of the field."""
        return {"T": Variable(lambda motion: self._field(p, motion), "1", "field at xsi")}

    def _field(self, p: Self, motion: Motion) -> tuple[Scalar, ...]:
        found = tuple(p.T(motion))
        if len(found) != len(p.xsi):
            raise ParameterError(
                self.label,
                f"T gives {len(found)} values at {len(p.xsi)} places xsi.",
                "Give as many values as places.",
                parameter="T",
                value=p.T,
            )
        return found


class Rectangle(FixedVisualizer):
    """A flat rectangle about frame_a, along two directions."""

    direction_u: kinds.Axis = parameter("first direction", default=(1, 0, 0))
    direction_v: kinds.Axis = parameter("second direction", default=(0, 1, 0))
    length_u: kinds.Length = parameter("length along the first", default=3.0)
    length_v: kinds.Length = parameter("length along the second", default=1.0)
    nu: kinds.Count = parameter("points along the first", default=3)
    nv: kinds.Count = parameter("points along the second", default=2)


class Ground(FixedVisualizer, GroundVisual):
    """A square plate across the z axis of frame_a, under it."""

    length: kinds.Length = parameter("side of the square", default=10.0)
    height: kinds.LengthOrZero = parameter("thickness", default=0.02)


class FixedText(FixedVisualizer):
    """A text at frame_a that faces the viewer."""

    text: kinds.Text = parameter("text that is shown", default="")
    height: kinds.OptionalLength = parameter(
        "height of the letters; by default that of other annotations", default=None
    )


class FixedLine(FixedVisualizer):
    """A line through points of frame_a, rows x, y, z [m]."""

    points: kinds.Table = parameter("the points", default=((0, 0, 0), (1, 0, 0)))
    dashed: kinds.Boolean = parameter("whether it is dashed", default=False)

    def check(self, p: Self) -> None:
        """Refuse points that are not three numbers each."""
        rows = p.points
        if any(len(row) != 3 for row in rows) or len(rows) < 2:
            raise ParameterError(
                self.label,
                f"points = {rows!r} are not two or more rows x, y, z.",
                "Give e.g. points=((0, 0, 0), (0.5, 0, 0)).",
                parameter="points",
                value=rows,
            )


Point3 = tuple[float, float, float]
Characteristic = Callable[[float, float], Point3]


def torus(
    R: float = 1.0,
    r: float = 0.2,
    opening: float = 0.0,
    startAngle: float = -pi,
    stopAngle: float = pi,
) -> Characteristic:
    """Return the characteristic of a torus about the axis y, for `Surface`.

    R [m] is the radius of its middle, r that of its tube, whose opening outside is the half angle
    `opening` [rad].
    """

    def point(u: float, v: float) -> Point3:
        ring = startAngle + (stopAngle - startAngle) * u
        tube = opening - pi + 2.0 * (pi - opening) * v
        out = R - r * cos(tube)
        return out * sin(ring), r * sin(tube), out * cos(ring)

    return point


def rectangle(lu: float = 1.0, lv: float = 1.0) -> Characteristic:
    """Return the characteristic of a rectangle in x and y with sides lu, lv [m], for `Surface`."""
    return lambda u, v: (lu * (u - 0.5), lv * (v - 0.5), 0.0)


def pipe(rOuter: float = 0.1, length: float = 1.0) -> Characteristic:
    """Return the characteristic of a pipe along x, from frame_a on, for `Surface`."""

    def point(u: float, v: float) -> Point3:
        return length * u, rOuter * sin(2.0 * pi * v), rOuter * cos(2.0 * pi * v)

    return point


class Surface(FixedVisualizer):
    """A surface by a function of two parameters: its point (x, y, z)(u, v) in frame_a [m].

    u and v run from 0 to 1 in nu and nv points. `surfaceCharacteristic` is any Python function, or
    one that `torus`, `rectangle` or `pipe` return.
    """

    surfaceCharacteristic: kinds.Function = parameter("point (x, y, z) of u and v")
    nu: kinds.Count = parameter("points along u", default=30)
    nv: kinds.Count = parameter("points along v", default=30)

    def check(self, p: Self) -> None:
        """Refuse a function that gives no points."""
        check_arguments(
            self.label, "surfaceCharacteristic", p.surfaceCharacteristic, ("u", "v")
        )
        found = p.surfaceCharacteristic(0.5, 0.5)
        try:
            x, y, z = (float(value) for value in found)
            is_point = isfinite(x + y + z)
        except (TypeError, ValueError):
            is_point = False
        if not is_point:
            raise ParameterError(
                self.label,
                f"surfaceCharacteristic(0.5, 0.5) returned {found!r}, not three numbers.",
                "Return (x, y, z) in metres, e.g. lambda u, v: (u, v, 0.1 * u * v).",
                parameter="surfaceCharacteristic",
                value=found,
            )


class FixedSurface(FixedVisualizer):
    """A surface z(x, y) [m] over a rectangle of frame_a, by a function of x and y."""

    function: kinds.Function = parameter("height z of x and y")
    length: kinds.Length = parameter("extent along x", default=1.0)
    width: kinds.Length = parameter("extent along y", default=1.0)
    n_x: kinds.Count = parameter("points along x", default=30)
    n_y: kinds.Count = parameter("points along y", default=30)
