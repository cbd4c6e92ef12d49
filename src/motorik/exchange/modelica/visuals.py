"""Visuals: modifiers of Modelica's parts that concern drawing only.

Those that the part has as options of drawing become its visual. One that cannot be drawn is
reported in a warning and ignored: a picture never prevents a simulation. The others, listed here,
have no meaning for the part.
"""

from __future__ import annotations

import warnings
from types import TracebackType

from motorik.components.base.kind import AnyKind
from motorik.components.base.part import Part
from motorik.components.base.visual import set_visual, visual_names
from motorik.components.base.visual_kinds import Color
from motorik.errors import MotorikError, MotorikWarning, calls_within_motorik
from motorik.exchange.modelica.arrays import Value, flat
from motorik.exchange.modelica.errors import ModelicaError
from motorik.exchange.modelica.modifiers import VALUE, Modifiers
from motorik.immutable import immutable


class ModelicaVisualWarning(MotorikWarning):
    """A modifier that concerns drawing cannot be drawn."""


def take_visuals(part: Part, modifiers: Modifiers, label: str) -> None:
    """Give the options of drawing of a file to a part; `label` names it in warnings."""
    for name, modifier in modifiers.items():
        if VALUE in modifier:
            with warn_and_skip(f"{label}.{name}"):
                kind, value = visual_names(type(part))[name], modifier[VALUE].value()
                set_visual(part, name, _as_given(kind, value, label, name))


@immutable
class warn_and_skip:  # noqa: N801 - it is read as a statement
    """A context that turns a fault of drawing into a warning and continues without it.

    It is no generator: calls of contextlib would stand between the warning and the caller.
    """

    place: str
    is_visual: bool = True

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        """Warn of the fault, if there is one."""
        if not (self.is_visual and isinstance(error, MotorikError)):
            return False
        message = f"{self.place} is not drawn: {error.reason}"
        warnings.warn(ModelicaVisualWarning(message), stacklevel=calls_within_motorik())
        return True


def _as_given(kind: AnyKind, value: Value, label: str, name: str) -> object:
    """Return a value of Modelica as `set_visual` takes it."""
    if kind is Color:  # of 0 to 255, whole or not
        numbers = flat(value)
        if len(numbers) != 3 or any(isinstance(one, (bool, str)) for one in numbers):
            raise ModelicaError(f"{label}.{name}", f"{value!r} is not a colour.")
        return tuple(min(max(float(one) / 255, 0.0), 1.0) for one in numbers)
    return value


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


ANY = _names("animation color specularCoefficient")
CYLINDER = ANY | _names("cylinderLength cylinderDiameter cylinderColor")
BOX = ANY | _names("boxWidthDirection boxWidth boxHeight boxColor")
SPHERE = ANY | _names("animateSphere sphereDiameter sphereColor")
ARROW = ANY | _names("arrowDiameter arrowColor")
SHAPE = ANY | _names(
    "shapeType r_shape lengthDirection widthDirection length width height extra"
)
WORLD = _names("label1 label2")  # of its icon
SURFACE = ANY | _names(
    "wireframe multiColoredSurface n_rTire n_rCurvature n_rOuter n_length"
)

# sizes that only matter to drawing, but that other parts may refer to
WORLD_SIZES = {
    "nominalLength": "1",
    "axisLength": "nominalLength/2",
    "groundAxis_u": "if abs(n[1]) >= 0.99 then {0,1,0} else {1,0,0}",
    "defaultAxisLength": "nominalLength/5",
    "defaultJointLength": "nominalLength/10",
    "defaultJointWidth": "nominalLength/20",
    "defaultForceLength": "nominalLength/10",
    "defaultForceWidth": "nominalLength/20",
    "defaultBodyDiameter": "nominalLength/9",
    "defaultArrowDiameter": "nominalLength/40",
    "defaultFrameDiameterFraction": "40",
    "defaultN_to_m": "1000",
    "defaultNm_to_m": "1000",
}
