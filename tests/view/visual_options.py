"""Options of drawing: which of them change nothing of a picture."""

import json

from motorik.components.base.visual import set_visual, visual_names
from motorik.components.base.visual_kinds import (
    AnyNumber,
    Color,
    Direction,
    FileName,
    LongShape,
    Positive,
    ShapeName,
    Share,
    Size,
    Switch,
)
from motorik.initialisation.initialise import initialise
from motorik.view.scene_builder.build import SceneBuilder
from motorik.view.scene_builder.places import MechanismPlaces

VALUES = {  # of each kind of option, one that no part has by itself
    Switch: (True, False),
    Size: (0.0371,),
    Share: (0.31,),
    Positive: (0.43,),
    AnyNumber: (0.37, 3.0),
    Color: ((0.9, 0.1, 0.7),),
    Direction: ((0.3, 0.5, 0.81),),
    ShapeName: ("cone",),
    LongShape: ("cone",),
    FileName: ("tetrahedron.obj",),
}
NEEDED = {  # what else must be chosen, so that an option has a meaning
    "meshScale": {"mesh": "tetrahedron.obj"},
    "r_mesh": {"mesh": "tetrahedron.obj"},
    "rodHeight": {"rodShapeType": "box"},
    "rodExtra": {"rodShapeType": "pipe"},
    "groundLength_u": {"animateGround": True},
    "groundLength_v": {"animateGround": True},
    "groundAxis_u": {"animateGround": True},
    "groundColor": {"animateGround": True},
}
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"


def builder_maker(model):
    """Return a function that gives the builder of a model's scene as it is chosen now."""
    system = model.compile()
    found = initialise(system, {}, system.parameter_values())
    poses = found.system.poses(found.t, found.X, found.p).reshape(-1, 7)
    places = MechanismPlaces.of(found.system, found.p, poses)
    return lambda: SceneBuilder(model, places, found.system)


def painter(model):
    """Return a function that gives the shapes of a model as they are chosen now."""
    make = builder_maker(model)
    return lambda: json.dumps([shape.to_json() for shape in make().found.shapes])


def silent_options(model, part, names=None):
    """Return the options of a part that change nothing of its picture."""
    known, shapes = visual_names(type(part)), painter(model)
    found, plain = [], shapes()
    for name in names or [n for n in known if n not in type(part).specs]:
        needed = {n: v for n, v in NEEDED.get(name, {}).items() if n in known}
        for other, value in needed.items():
            set_visual(part, other, value)
        before, changed = shapes() if needed else plain, False
        for value in VALUES[known[name]]:
            if not changed:
                set_visual(part, name, value)
                changed = shapes() != before
        for own in (name, *needed):
            set_visual(part, own, None)
        if not changed:
            found.append(name)
    return found
