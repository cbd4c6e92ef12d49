"""Placed: visualizers of Modelica without a frame; expressions R and r say where they are drawn.

They are drawn where these are constants, or the orientation and the origin of one frame,
``R = frame_a.R, r = frame_a.r_0``. What moves otherwise, or changes its size in time, is told in a
warning and left out: a picture never stands in the way of the physics.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from motorik.components.base.look import Look
from motorik.components.base.part import Part
from motorik.components.parts.rigid import Fixed
from motorik.components.visualizers import FixedShape
from motorik.exchange.modelica.arrays import flat
from motorik.exchange.modelica.errors import ModelicaError
from motorik.exchange.modelica.evaluate import Scope
from motorik.exchange.modelica.flatten import FlatModel
from motorik.exchange.modelica.looks import left_out
from motorik.exchange.modelica.modifiers import FUNCTION, VALUE, Bound, Modifiers
from motorik.exchange.modelica.parts import make_part
from motorik.exchange.modelica.registry import Entry
from motorik.model import Model

ORIENTATION, ORIGINS = "R", ("r", "r_0")
METRES = "RelativePosition"


@dataclass(frozen=True)
class Where:
    """Where something is drawn: at a frame of the model, or at r [m] in the world."""

    frame: str = ""
    r: tuple[float, ...] = (0.0, 0.0, 0.0)


def make_placed(
    entry: Entry, modifiers: Modifiers, scope: Scope, label: str
) -> tuple[Part, Where]:
    """Return a visualizer and where it is drawn; hidden, if it cannot be."""
    part, where = _hidden(FixedShape()), Where()
    with left_out(label):
        own = {k: v for k, v in modifiers.items() if k not in (ORIENTATION, *ORIGINS)}
        place = find_place(modifiers, scope, label)
        _check_functions(own, entry, label)
        if entry.vector:
            own = _with_length(own, entry.vector, label)
        part, where = make_part(entry, own, label), place
    return part, where


def find_place(modifiers: Modifiers, scope: Scope, label: str) -> Where:
    """Return where R and r are, if they are constant or those of a frame of the same model."""
    R = _given(modifiers, ORIENTATION)
    r = next((b for name in ORIGINS if (b := _given(modifiers, name)) is not None), None)
    if R is None or R.text.endswith("nullRotation()"):
        if r is None:
            return Where()
        numbers = flat(r.value())
        if len(numbers) != 3:
            raise ModelicaError(f"{label}.r", f"{r.text} is not a position.")
        return Where(r=tuple(map(float, numbers)))
    frame, _, last = R.text.rpartition(".")
    if last != "R" or r is None or r.text != f"{frame}.r_0":
        raise ModelicaError(label, "R and r are not those of one frame, nor constant.")
    if R.scope is not scope or r.scope is not scope:
        raise ModelicaError(label, f"{frame} is a frame of another model.")
    return Where(frame)


def put(model: Model, flattened: FlatModel, label: str, where: Where) -> None:
    """Connect a visualizer of a model to its frame, or to a fixed place in the world."""
    frame = where.frame
    if not frame:
        name, bracket, index = label.partition("[")
        place = f"{name}_place{bracket}{index}"
        setattr(model, place, _hidden(Fixed(r=where.r)))
        frame = f"{place}.frame_b"
    flattened.connections.append((f"{label}.frame_a", frame))


def _hidden(part: Part) -> Part:
    """Return a part that is not drawn."""
    part.look = Look(animation=False)
    return part


def _given(modifiers: Modifiers, name: str) -> Bound | None:
    """Return the expression of a modifier."""
    return modifiers.get(name, {}).get(VALUE)


def _check_functions(modifiers: Modifiers, entry: Entry, label: str) -> None:
    """Refuse a shape that is given by a function of Modelica, which files do not contain."""
    for name, modifier in modifiers.items():
        if FUNCTION in modifier and name not in entry.part.specs:
            text = modifier[FUNCTION].text.partition("(")[0]
            raise ModelicaError(label, f"its {name} is the function {text}.")


def _with_length(modifiers: Modifiers, name: str, label: str) -> Modifiers:
    """Return modifiers with the direction and the length of a vector, which must be constant."""
    vector, quantity = _given(modifiers, name), _given(modifiers, "quantity")
    if vector is None:
        raise ModelicaError(label, f"{name} is not given, so it has no length.")
    if quantity is not None and quantity.text.rpartition(".")[2] != METRES:
        raise ModelicaError(label, f"{quantity.text} is no length.")
    vector.value()  # refuses one that changes in time
    length = replace(vector, text=f"Modelica.Math.Vectors.length({vector.text})")
    rest = {key: value for key, value in modifiers.items() if key != name}
    return {**rest, "n": {VALUE: vector}, "length": {VALUE: length}}
