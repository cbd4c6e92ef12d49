"""Visuals: the shapes of each class of parts.

`visual` (`base.py`) is a generic function by the class of the part; modules register one case per
class: `bodies`, `joints`, `forces`, `sensors`, `planar`, `visualizers`, `world`, and `lines` with
`line_gears` for drive lines. A case takes the part and a `Setting` (`setting.py`): places of
frames, sizes of annotations, options of drawing, and channels whose values arrows follow. It
returns shapes, or None to show the parts within instead.

Parts of drive lines have no place in space. `line_layout.py` arranges them in cells along the axis
of the joint or the line of force to which they belong; `line_cell.py` gives visuals the places and
usual sizes in a cell. `clearance.py` measures bodies, so that symbols of joints stick out of
them. `named_shapes.py` has the shapes chosen by name (`shapeType="cone"`) and meshes from files.
Options that a model gives for its parts are resolved by `inherited_options.py`. `chains.py` has the
visuals of MOBILE's elements.

A part without a visual is drawn as rods between its frames.
"""

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
"""Modules that register visuals when they are imported."""
