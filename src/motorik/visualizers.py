"""Parts that are only drawn, and how parts are drawn.

Shapes        `FixedShape FixedShape2`, of any kind or from a file with a mesh
Signs         `FixedFrame FixedArrow SignalArrow FixedText FixedLine`
Surfaces      `Torus VoluminousWheel Rectangle Ground FixedSurface PipeWithScalarField`;
              `Surface` by a function of two parameters: one's own, `torus rectangle pipe`
Options       `Visual`: ``body.visual = Visual(color="red")``, or by name, ``body.color = "red"``

They have one frame (`FixedShape2` two), no mass and no state.
"""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik.components.base.visual import Visual
    from motorik.components.visualizers import (
        FixedArrow,
        FixedFrame,
        FixedLine,
        FixedShape,
        FixedShape2,
        FixedSurface,
        FixedText,
        Ground,
        PipeWithScalarField,
        Rectangle,
        SignalArrow,
        Surface,
        Torus,
        VoluminousWheel,
        pipe,
        rectangle,
        torus,
    )

__all__ = [
    "FixedArrow",
    "FixedFrame",
    "FixedLine",
    "FixedShape",
    "FixedShape2",
    "FixedSurface",
    "FixedText",
    "Ground",
    "PipeWithScalarField",
    "Rectangle",
    "SignalArrow",
    "Surface",
    "Torus",
    "Visual",
    "VoluminousWheel",
    "pipe",
    "rectangle",
    "torus",
]

_HOMES = {
    "motorik.components.base.visual": ("Visual",),
    "motorik.components.visualizers": (
        "FixedArrow",
        "FixedFrame",
        "FixedLine",
        "FixedShape",
        "FixedShape2",
        "FixedSurface",
        "FixedText",
        "Ground",
        "PipeWithScalarField",
        "Rectangle",
        "SignalArrow",
        "Surface",
        "Torus",
        "VoluminousWheel",
        "pipe",
        "rectangle",
        "torus",
    ),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
