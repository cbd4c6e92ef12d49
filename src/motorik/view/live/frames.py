"""Frames: scenes, poses and runs as the messages by which pages get them."""

from __future__ import annotations

import json

import numpy as np

from motorik.view.scene.blob import in_range
from motorik.view.scene.scene import Scene, SceneRun

BLOBS = ("values", "poses", "time")  # of a run: large


def scene_message(scene: Scene) -> str:
    """Return a scene as a message."""
    return f'{{"type":"scene","scene":{scene.text()}}}'


def frame_message(t: float, poses: np.ndarray, values: np.ndarray) -> bytes:
    """Return a frame: the time, the poses of all carriers, the values of all channels."""
    numbers = in_range(poses, "<f4").tobytes() + in_range(values, "<f4").tobytes()
    return np.float64(t).tobytes() + numbers


def run_message(run: SceneRun) -> str:
    """Return a recorded run as a message."""
    said = run.to_json()
    blobs = {name: said[name]["data"] for name in BLOBS}  # of letters and digits alone
    said |= {name: {**said[name], "data": f"@{name}"} for name in BLOBS}
    text = json.dumps({"type": "run", "run": said}, allow_nan=False)
    for name, data in blobs.items():
        text = text.replace(f'"@{name}"', f'"{data}"', 1)
    return text
