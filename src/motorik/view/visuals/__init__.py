"""Looks: the shapes of each kind of part, with sizes of the model and colours by role."""

from motorik.view.visuals import (
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
from motorik.view.visuals.base import Shapes, shapes_of, visual
from motorik.view.visuals.named_shapes import mesh_of_part
from motorik.view.visuals.setting import Setting, Sizes

__all__ = ["Setting", "Shapes", "Sizes", "mesh_of_part", "shapes_of", "visual"]

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
