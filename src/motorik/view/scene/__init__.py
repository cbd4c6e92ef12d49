"""Scenes: what is seen of a model or a run, as data that every viewer shows.

`scene_of` and `run_of` make them of models and results; they are loaded when first used, since
looks of parts need the types of this package.
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
    """Return what makes scenes."""
    if name in ("run_of", "scene_of"):
        from motorik.view.scene_builder import build

        return getattr(build, name)
    raise AttributeError(name)
