"""The visual of a part: its shapes, by its class.

A visual is registered for a class of parts and all that derive from it. It returns shapes, or
None to show the parts within instead::

    @visual.register
    def _(part: MyPart, s: Setting) -> Shapes:
        return [Cylinder(at=s.between(part.frame_a, part.frame_b), diameter=0.02)]
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

from motorik.components.base.composite import Composite
from motorik.components.base.part import Part
from motorik.errors import ParameterError
from motorik.view.scene.shapes import CylinderShape, Shape
from motorik.view.visuals.setting import Setting

Shapes = list[Shape] | None


@singledispatch
def visual(part: Part, s: Setting) -> Shapes:
    """Return the shapes of a part: by default rods from its first frame to the others."""
    frames = s.frames(part)
    if len(frames) < 2:
        return []
    first, *others = frames
    return [
        CylinderShape(at=s.between(first, other), diameter=s.sizes.joint_width / 3)
        for other in others
    ]


@visual.register
def _(part: Composite, s: Setting) -> Shapes:
    return None


def shapes_of(part: Part, s: Setting) -> Shapes:
    """Return the shapes of a part, checked; None to show the parts within instead."""
    own = visual(part, s)
    for one in own or ():
        if not isinstance(one, Shape):
            raise ParameterError(
                part.label,
                f"its visual returned {one!r}, which is not a shape.",
                "Return a list of shapes of `motorik.view.shapes`.",
                parameter="visual",
                value=one,
            )
    return own


Role = Callable[[Part], str]


@singledispatch
def role_of(part: Part) -> str:
    """Return the role of a part, by which it is coloured."""
    return "body"
