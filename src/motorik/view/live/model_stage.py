"""ModelStage: what pages see of a model: its scene, and its poses in it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.system.system import System
from motorik.view.scene.scene import Channel, Scene
from motorik.view.staging.make import Maker
from motorik.view.staging.places import MechanismPlaces

if TYPE_CHECKING:
    from motorik.model import Model


class ModelStage:
    """The scene of a model at some values of its live parameters.

    Carriers, parts and channels do not depend on these values, but shapes may.
    """

    def __init__(
        self, model: Model, system: System, at: tuple[float, np.ndarray, np.ndarray]
    ) -> None:
        self.model, self.system = model, system
        carriers = system.equations.carriers
        self._links = {carrier: link for link, carrier in carriers.links.items()}
        self.scene = self._scene_at(*at)
        self.names = [channel.name for channel in self.scene.channels]
        index = system.layout.index
        self.motion_places = [index.get(name, -1) for name in self.names]

    def _scene_at(self, t: float, X: np.ndarray, p: np.ndarray) -> Scene:
        poses = self.system.poses(t, X, p).reshape(-1, 7)
        self._places = MechanismPlaces.of(self.system, p, poses)
        return Maker(self.model, self._places, self.system).scene(())

    def readings(self, part: int) -> tuple[Channel, ...]:
        """Return the values of a part that are shown of it besides those of the scene."""
        return self._readings[part]

    @cached_property
    def _readings(self) -> list[tuple[Channel, ...]]:
        maker = Maker(self.model, self._places, self.system, readings=True)
        known = {channel.name: channel for channel in maker.channels}
        own = set(self.names)
        return [
            tuple(known[name] for name in part.values if name not in own)
            for part in maker.found.parts
        ]

    def look_again(self, t: float, X: np.ndarray, p: np.ndarray) -> bool:
        """Make the scene anew for other parameters; return whether shapes changed."""
        before, self.scene = self.scene, self._scene_at(t, X, p)
        return before.shapes != self.scene.shapes

    def poses(self, t: float, X: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return the poses of all carriers at a motion, as the scene has them."""
        return self.scene.placed(self.system.poses(t, X, p).reshape(-1, 7))

    def link_of(self, carrier: int) -> int | None:
        """Return the link that a carrier is, None if it is none that a hand could hold."""
        return self._links.get(carrier)
