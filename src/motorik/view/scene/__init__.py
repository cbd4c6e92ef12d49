"""Scenes: rigid groups, shapes and runs as plain data, for every viewer.

`Scene` holds the names of rigid groups (0 is the world), `Shape`s, `ScenePart`s, `Channel`s and
`SceneRun`s. A shape is fixed to a rigid group (`ScenePose`) or spans two points of two groups
(`SceneSpan`); its class says what it is: solids in `shapes.py`, arrows, lines, texts, frames and
the ground grid in `annotations.py`.

Meshes are made here and nowhere else. `forms.py` maps a shape to pieces: a shared unit mesh
(`solids.py`, `mesh.py`) with scale, colour and length. Springs, dampers, arrows and rods between
moving points are stretched along x: each vertex has a share of the length and an offset.
`render` takes the meshes at each instant; `geometry.py` writes them once for pages, which stretch
them in the browser.

`Scene.to_json` is the form in which pages get it, `reading.py` reads it back. Arrays are base64
(`blob.py`). `scene_of` and `run_of` build scenes of models and results; they are loaded when first
used, since visuals of parts need the types of this package.
"""

from typing import TYPE_CHECKING

from motorik.view.scene.place import ScenePoint, ScenePose, SceneSpan
from motorik.view.scene.reading import read_run, read_scene, read_shape
from motorik.view.scene.scene import (
    Channel,
    Scene,
    SceneEvent,
    SceneMesh,
    ScenePart,
    SceneRun,
    Trace,
)
from motorik.view.scene.shapes import KINDS, LAYERS, Shape

if TYPE_CHECKING:
    from motorik.view.scene_builder.build import run_of, scene_of

__all__ = [
    "KINDS",
    "LAYERS",
    "Channel",
    "Scene",
    "SceneEvent",
    "SceneMesh",
    "ScenePart",
    "ScenePoint",
    "ScenePose",
    "SceneRun",
    "SceneSpan",
    "Shape",
    "Trace",
    "read_run",
    "read_scene",
    "read_shape",
    "run_of",
    "scene_of",
]


def __getattr__(name: str) -> object:
    """Return the functions that make scenes."""
    if name in ("run_of", "scene_of"):
        from motorik.view.scene_builder import build

        return getattr(build, name)
    raise AttributeError(name)
