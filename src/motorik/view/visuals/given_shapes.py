"""Shapes that a scene of a chain is given for a frame or an element: primitives and meshes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from numbers import Real
from typing import Any

from motorik.algebra.given import unit_axis
from motorik.algebra.vector import Vector, X
from motorik.components.base.visual_kinds import MESH_SUFFIXES, as_color
from motorik.errors import MotorikError, ParameterError, suggest
from motorik.immutable import immutable
from motorik.view.meshes import find_mesh
from motorik.view.scene import annotations, shapes
from motorik.view.scene.place import ScenePose, Triple, triple
from motorik.view.scene.shapes import Shape
from motorik.view.visuals.named_shapes import mesh_shape
from motorik.view.visuals.setting import Setting

PRIMITIVES: dict[str, tuple[type[Shape], tuple[str, ...]]] = {
    "sphere": (shapes.Sphere, ("diameter",)),
    "box": (shapes.BoxShape, ("length", "width", "height")),
    "beam": (shapes.Beam, ("length", "width", "height")),
    "cylinder": (shapes.CylinderShape, ("length", "diameter")),
    "cone": (shapes.Cone, ("length", "diameter")),
    "pipe": (shapes.Pipe, ("length", "diameter", "inner")),
    "ellipsoid": (shapes.Ellipsoid, ("length", "width", "height")),
    "torus": (shapes.TorusShape, ("diameter", "tube")),
    "wheel": (shapes.Wheel, ("diameter", "width", "inner")),
    "arrow": (annotations.ArrowAnnotation, ("length", "diameter")),
    "axes": (annotations.Axes, ("size",)),
}
"""The primitive shapes by name, and their sizes [m] in order."""


@immutable
class GivenShape:
    """A primitive or a mesh at a place of a frame; without a `name` the colour of its own shapes.

    Its x axis, along which it is long, points to `axis`; it begins at `at` [m], or has its
    centre there.
    """

    name: str = ""
    sizes: tuple[float, ...] = ()
    color: Triple | None = None
    at: Triple = (0.0, 0.0, 0.0)
    axis: Triple = (1.0, 0.0, 0.0)

    def shapes(
        self, s: Setting, part: object, on: ScenePose, own: Sequence[Shape]
    ) -> list[Shape]:
        """Return the shapes on a frame; `own` are those that the part has by itself."""
        if not self.name:
            return [replace(shape, color=self.color) for shape in own]
        place = on.moved(*self.at)
        if self.axis != (1.0, 0.0, 0.0):
            place = place.along(Vector(*self.axis))
        if self.name not in PRIMITIVES:
            made = mesh_shape(s, part, self.name, place, 1.0)
        else:
            kind, names = PRIMITIVES[self.name]
            options: dict[str, Any] = dict(zip(names, self.sizes, strict=True))
            made = kind(at=place, **options)
        return [made if self.color is None else replace(made, color=self.color)]


def read_shape(
    name: str, sizes: Sequence[float], color: object, at: object, axis: object
) -> GivenShape:
    """Return the shape of a name and sizes [m], or refuse what has none."""
    if name in PRIMITIVES:
        _check_sizes(name, sizes)
    elif "." in name:  # a file
        find_mesh(name)
        if sizes:
            raise _refused(
                f"{name!r} is a mesh, which has its own size.",
                "Leave the sizes out.",
                sizes,
            )
    elif name:
        raise _refused(
            f"{name!r} is neither a shape nor a file with a mesh.",
            f"{suggest(name, PRIMITIVES)} Meshes end in {', '.join(MESH_SUFFIXES)}.",
            name,
        )
    shares = None if color is None else as_color("make_shape", "color", "1", color)
    assert shares is None or isinstance(shares, tuple)
    try:
        place = triple(Vector.of(at).numpy())  # type: ignore[arg-type]
        direction = triple(unit_axis(X if axis is None else axis).numpy())  # type: ignore[arg-type]
    except (MotorikError, TypeError, ValueError) as error:
        raise _refused(
            f"at = {at!r} and axis = {axis!r} are no place and no direction.",
            'Give three numbers [m], and an axis such as "y" or Y.',
            (at, axis),
        ) from error
    return GivenShape(name, tuple(map(float, sizes)), shares, place, direction)


def _check_sizes(name: str, sizes: Sequence[float]) -> None:
    names = PRIMITIVES[name][1]
    call = f'make_shape(frame, "{name}", {", ".join(names)})'
    if len(sizes) != len(names):
        raise _refused(
            f"a {name} has {len(names)} sizes, and {len(sizes)} are given.",
            f"Write {call}, in m.",
            sizes,
        )
    for size, meaning in zip(sizes, names, strict=True):
        if not (isinstance(size, Real) and isfinite(size) and size > 0.0):
            raise _refused(
                f"{meaning} = {size!r} of a {name} is not a positive length.",
                f"Write {call}, in m.",
                size,
            )


def _refused(why: str, remedy: str, value: object) -> ParameterError:
    return ParameterError("Scene", why, remedy, parameter="parts", value=value)
