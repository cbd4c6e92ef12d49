"""Public names: those that `help` lists, and remedies for those that a module does not have."""

from __future__ import annotations

import importlib
import sys
from abc import ABCMeta
from collections.abc import Mapping, Sequence
from typing import Any

from motorik.errors import UnknownNameError, question_of, suggest

__all__ = ["PublicNames", "refuse_others"]

MODULES = (
    *("parts", "joints", "constraints", "assemblies", "forces", "sensors"),
    *("rotational", "translational", "electrical", "heat", "hydraulic", "magnetic"),
    *("blocks", "visualizers", "functions", "units"),
    *("planar", "mobile", "gallery", "results", "errors", "authoring"),
)
"""Modules in which a name is looked for that another one does not have."""

LAZY = (
    *("algebra", "analysis", "checks", "documents", "errors", "exchange", "gallery"),
    *("mobile", "planar", "results", "view"),
)
"""Public modules that `motorik` imports when they are first used."""

FUNCTION = "Write blocks.Function(f=lambda u: …) with motorik.functions."

ELSEWHERE = {
    # Modelica's names that are others here
    "Distance": "It is sensors.DistanceSensor.",
    "Power": "It is sensors.PowerSensor.",
    "RealExpression": "It is blocks.Expression.",
    "Clock": "It is blocks.ContinuousClock.",
    "CombiTable1D": "It is blocks.CombiTable1Dv.",
    "CombiTable2D": "It is blocks.CombiTable2Ds.",
    "UnitConversions": FUNCTION,
    "ActuatedRevolute": "It is joints.Revolute(useAxisFlange=True).",
    "ActuatedPrismatic": "It is joints.Prismatic(useAxisFlange=True).",
    "InternalSupport": "Parts have a flange `support` with useSupport=True.",
    # names of other tools, and plain words
    **dict.fromkeys(("Hinge", "Pin", "HingeJoint", "RevoluteJoint"), "It is Revolute."),
    **dict.fromkeys(("Slider", "SliderJoint", "PrismaticJoint"), "It is Prismatic."),
    **dict.fromkeys(("Ball", "BallJoint", "SphericalJoint"), "It is Spherical."),
    **dict.fromkeys(("Free", "Floating", "FreeJoint", "SixDof"), "It is FreeMotion."),
    **dict.fromkeys(("RigidBody", "Link", "Mass3D"), "It is Body, BodyBox or BodyCylinder."),
    **dict.fromkeys(("Box", "Cuboid"), "A body is BodyBox, a picture visualizers.FixedShape."),
    "Cylinder": "A body is BodyCylinder, a picture visualizers.FixedShape.",
    "Rod": "It is BodyCylinder, translational.Rod, or joints.SphericalSpherical.",
    "Gravity": "Give World(g=9.81, n='-y').",
    "Motor": "It is rotational.Torque or rotational.Position, connected to the axis of a joint.",
    "Contact": "It is forces.PointPlaneContact.",
    "simulate": "It is a method of a model: model.simulate(10.0).",
    "show": "It is a method of models and results: model.show().",
    "radians": "Write deg(90) for an angle in degrees.",
    "degrees": "Write deg(90) for an angle in degrees.",
    "pi": "Import it from math.",
    **dict.fromkeys(("abs", "max", "min", "asin", "acos", "atan", "atan2"), "Take the functions "
    "of motorik.functions: fabs, maximum, minimum, arcsin, arccos, arctan, arctan2."),
}  # fmt: skip


class PublicNames(ABCMeta):
    """The type of classes of which `dir` and `help` list only the public names."""

    def __dir__(cls) -> list[str]:
        """Return the public names."""
        return [name for name in super().__dir__() if not name.startswith("_")]


def refuse_others(
    module: str, names: Sequence[str], homes: Mapping[str, Sequence[str]] | None = None
) -> Any:
    """Return ``__getattr__`` of a module: names on their first use, and refusals of all others.

    `homes` are the modules that define its names, which are imported when one of them is
    first used; for type checkers the module imports them below TYPE_CHECKING. A refusal says what
    may be meant. It is declared as Any, so that type checkers go on to refuse unknown names
    themselves.
    """
    later = {name: home for home, own in (homes or {}).items() for name in own}

    def find(name: str) -> Any:
        if name in later:
            home = later[name]
            if home == module:  # a module of this package
                return importlib.import_module(f"{home}.{name}")
            value = getattr(importlib.import_module(home), name)
            setattr(sys.modules[module], name, value)
            return value
        if module == "motorik" and name in (*MODULES, *LAZY):
            return importlib.import_module(f"motorik.{name}")
        if name.startswith("_"):  # asked for by Python and by tools
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        raise UnknownNameError(
            module, f"has no {name!r}.", remedy_for(name, names, module), value=name
        )

    return find


def remedy_for(name: str, names: Sequence[str], module: str) -> str:
    """Return the remedy for a name that a module does not have."""
    homes = [
        other for other in MODULES if f"motorik.{other}" != module and _has(other, name)
    ]
    if homes:
        return f"It is {' or '.join(f'motorik.{home}.{name}' for home in homes)}."
    question = question_of(name, names)
    if question and name not in ELSEWHERE:
        return question.strip()
    if name in ELSEWHERE:
        return ELSEWHERE[name]
    return suggest(name, names)


def _has(module: str, name: str) -> bool:
    """Return whether a public module has a name; modules are imported for it only now."""
    return name in importlib.import_module(f"motorik.{module}").__all__
