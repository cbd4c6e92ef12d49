"""The flanges of parts of drive lines, of both kinds, rotational and translational."""

from __future__ import annotations

from typing import Any, ClassVar

from motorik.components.base import kinds
from motorik.components.base.declarations import (
    PortSpec,
    parameter,
    rotational_flange,
    translational_flange,
)
from motorik.components.base.part import DeclaredPart
from motorik.components.base.ports import RotationalFlange, TranslationalFlange
from motorik.immutable import immutable


@immutable
class VariableNames:
    """The names of position, speed, acceleration and force in a kind of line, and units."""

    x: str
    v: str
    a: str
    f: str
    unit_x: str
    unit_v: str
    unit_a: str
    unit_f: str


AnyFlange = PortSpec[Any]  # rotational or translational

ROTATIONAL = VariableNames("phi", "w", "a", "tau", "rad", "rad/s", "rad/s2", "N.m")
TRANSLATIONAL = VariableNames("s", "v", "a", "f", "m", "m/s", "m/s2", "N")


class RotationalPart(DeclaredPart):
    """A part of a rotational drive line."""

    line_names: ClassVar[VariableNames] = ROTATIONAL


class TranslationalPart(DeclaredPart):
    """A part of a translational drive line."""

    line_names: ClassVar[VariableNames] = TRANSLATIONAL


class RotationalEnd(RotationalPart):
    """A part with one flange that turns."""

    flange: ClassVar[PortSpec[RotationalFlange]] = rotational_flange("the flange")


class TranslationalEnd(TranslationalPart):
    """A part with one flange that slides."""

    flange: ClassVar[PortSpec[TranslationalFlange]] = translational_flange("the flange")


class RotationalTwoFlanges(RotationalPart):
    """A part between two flanges that turn."""

    flange_a: ClassVar[PortSpec[RotationalFlange]] = rotational_flange("left flange")
    flange_b: ClassVar[PortSpec[RotationalFlange]] = rotational_flange("right flange")


class TranslationalTwoFlanges(TranslationalPart):
    """A part between two flanges that slide."""

    flange_a: ClassVar[PortSpec[TranslationalFlange]] = translational_flange("left flange")
    flange_b: ClassVar[PortSpec[TranslationalFlange]] = translational_flange("right flange")


class Supported(DeclaredPart):
    """A part that acts between a flange and its support, or the ground."""

    useSupport: kinds.Boolean = parameter("whether the support has a flange", default=False)


class RotationalSupported(RotationalEnd, Supported):
    """A part that turns a flange relative to its support, or the ground."""

    support: ClassVar[PortSpec[RotationalFlange]] = rotational_flange(
        "support, takes the reaction", when="useSupport"
    )


class TranslationalSupported(TranslationalEnd, Supported):
    """A part that moves a flange relative to its support, or the ground."""

    support: ClassVar[PortSpec[TranslationalFlange]] = translational_flange(
        "support, takes the reaction", when="useSupport"
    )


class RotationalShaft(RotationalTwoFlanges):
    """A shaft from flange_a to flange_b in its housing."""

    support: ClassVar[PortSpec[RotationalFlange]] = rotational_flange(
        "flange of the housing, which takes the reaction", when="useSupport"
    )


class TranslationalShaft(TranslationalTwoFlanges):
    """A rod from flange_a to flange_b in its guide."""

    support: ClassVar[PortSpec[TranslationalFlange]] = translational_flange(
        "flange of the housing, which takes the reaction", when="useSupport"
    )
