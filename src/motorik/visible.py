"""Visible: the scenes, pictures and diagrams of a model before a run."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from motorik.components.base.composite import Composite
from motorik.errors import checked_call, checked_methods

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from motorik.compiled_model import CompiledModel
    from motorik.results import Poses
    from motorik.view.diagram import Diagram
    from motorik.view.render import Picture
    from motorik.view.render.options import DrawOptions
    from motorik.view.scene import Scene
    from motorik.view.web.film import ViewOptions


@checked_methods
class Visible(Composite):
    """A composition of parts that can be compiled and shown."""

    _lists_names = True

    @abstractmethod
    def compile(self) -> CompiledModel:
        """Return the compiled system."""

    @checked_call
    def poses(self, initial: Mapping[str, float] | None = None) -> Poses:
        """Return the poses of all that moves as one at the start of a run.

        `initial` are start values by state name, as in `simulate`.
        """
        import numpy as np

        from motorik.initialisation.initialise import initialise
        from motorik.results import Poses

        system = self.compile()
        found = initialise(
            system, {} if initial is None else initial, system.parameter_values()
        )
        names = found.system.equations.rigid_groups.names
        numbers = found.system.poses(found.t, found.X, found.p)
        return Poses(names, np.array([found.t]), numbers)

    def scene(self) -> Scene:
        """Return the scene of the model at its start, for any viewer.

        A model that does not assemble is shown where its start values put its parts, with the
        error at the part it is about.
        """
        from motorik.view.scene import scene_of

        return scene_of(self)

    def show(self, height: int = 480, **options: Unpack[ViewOptions]) -> Path | None:
        """Show the model at its start: in a notebook, else as a page in the browser.

        A model that does not assemble is shown as well, with the error at its part. Options
        as those of `result.to_html`; `height` [pixels] in a notebook. Returns the file of the
        page, None in a notebook.
        """
        from motorik.view.web.show import show_scene

        return show_scene(self.scene(), height, **options)

    def draw(self, **options: Unpack[DrawOptions]) -> Picture:
        """Draw the model as it would start; return the picture.

        Options as in `motorik.view.draw`: `camera`, `size`, `style`, `file` … A model that
        does not assemble is drawn where its start values put its parts.
        """
        from motorik.view import draw

        return draw(self, **options)

    def diagram(self, depth: int = 1) -> Diagram:
        """Return the composition diagram: parts, ports, connections, spanning tree, loops.

        Notebooks show it, ``diagram().save("model.svg")`` writes it. Models within the model
        are boxes; with a `depth` of 2 and more they are opened.
        """
        from motorik.view.diagram import make_diagram

        return make_diagram(self, depth)

    def _repr_html_(self) -> str:
        from motorik.view.web.show import representation

        return representation(self.scene)
