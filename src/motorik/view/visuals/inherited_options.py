"""Inherited options: options of drawing that a model of parts passes on to its parts.

A part takes the options of the models around it that apply to it, the nearest first,
and its own before all. Assemblies name some options after the parts within: `rod1Diameter`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from motorik.components.base.part import Part
from motorik.components.base.visual import options_of, visual_names
from motorik.components.forces.line_masses import MassOnLine
from motorik.components.joints.rods import (
    MasslessRod,
    SphericalSpherical,
    UniversalSpherical,
)
from motorik.components.joints.simple import Prismatic, Revolute
from motorik.components.parts.rigid import FixedTranslation

OWN = ("animation", "mesh", "meshScale", "r_mesh")  # of a model as a whole
PREFIXES = {"rod": ("rod1", "rod2"), "axis": ("prismatic", "offset")}
"""Prefixes of options by which assemblies address their parts, if not the names of the parts."""

Names = Mapping[str, str]
TURNED: Names = {
    "Diameter": "cylinderDiameter",
    "Length": "cylinderLength",
    "Color": "cylinderColor",
}
ROD: Names = {"Diameter": "rodDiameter", "Color": "rodColor"}
SUFFIXES: tuple[tuple[type[Part], Names], ...] = (
    (Revolute, TURNED),
    (Prismatic, {"Diameter": "boxWidth", "Color": "boxColor"}),
    (SphericalSpherical, ROD),
    (MasslessRod, ROD),
    (UniversalSpherical, {"Diameter": "rodWidth", "Color": "rodColor"}),
    (FixedTranslation, {"Diameter": "width", "Color": "color"}),
)
MASS: Names = {
    "massDiameter": "sphereDiameter",
    "massColor": "sphereColor",
    "showMass": "animateSphere",
    "animateMass": "animateSphere",
    "animateMasses": "animateSphere",
}


def chosen_options(part: Part) -> dict[str, Any]:
    """Return the options of a part, with those of the models around it."""
    own = dict(options_of(part))
    known = visual_names(type(part))
    for outer in list(part.lineage())[1:]:
        for name, value in options_of(outer).items():
            for meant in meanings(part, name):
                if meant in known and meant not in OWN:
                    own.setdefault(meant, value)
    return own


def meanings(part: Part, name: str) -> Iterator[str]:
    """Yield the names that an option of a model around a part has in the part."""
    yield name
    if isinstance(part, MassOnLine) and name in MASS:
        yield MASS[name]
    for kind, suffixes in SUFFIXES:
        if isinstance(part, kind):
            for suffix, meant in suffixes.items():
                prefix = name.removesuffix(suffix)
                if prefix != name and part.name in PREFIXES.get(prefix, (prefix,)):
                    yield meant
