"""Looks: the shapes of each kind of part, with sizes of the model and colours by role."""

from motorik.view.looks import (
    bodies,
    forces,
    joints,
    line_gears,
    lines,
    planar,
    sensors,
    visualizers,
    world,
)
from motorik.view.looks.base import Shapes, look, shapes_of
from motorik.view.looks.named_shapes import mesh_of_part
from motorik.view.looks.setting import Setting, Sizes

__all__ = ["Setting", "Shapes", "Sizes", "look", "mesh_of_part", "shapes_of"]

REGISTERED = (
    bodies,
    forces,
    joints,
    line_gears,
    lines,
    planar,
    sensors,
    visualizers,
    world,
)
"""Modules that register looks when they are imported."""
