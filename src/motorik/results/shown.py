"""Shown: results that the viewer shows, as pages and in notebooks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from motorik.view.scene import Scene
    from motorik.view.web.film import ViewOptions


class HasScene(ABC):
    """A result with a scene, by which it is shown."""

    @abstractmethod
    def scene(
        self,
        *others: Self,
        trace: str | Sequence[str] = (),
        values: Sequence[str] = (),
        reactions: bool | str | Sequence[str] = False,
    ) -> Scene:
        """Return the scene of this run and of other runs of the same model.

        `trace` names points whose path is drawn, `values` further variables for plots,
        `reactions` joints whose force is drawn, True those of all.
        """

    def to_html(
        self,
        file: str | Path,
        *others: Self,
        trace: str | Sequence[str] = (),
        reactions: bool | str | Sequence[str] = False,
        samples: int = 2000,
        **options: Unpack[ViewOptions],
    ) -> Path:
        """Write the run as one page (.html) that moves in any browser, without network.

        Runs of `others` of the same model are shown with it; `trace` names points whose path
        is drawn, `reactions` joints whose force is; `samples` is how many of a longer run are
        kept. Options choose the first view: `camera` ("iso", "front", "top", "side"),
        `orthographic`, `follow` (a part), `plots` (any variables), `runs` ("over", "side",
        "one"), `forces`, `labels`, `frames`, `traces`, `time` [s].
        """
        from motorik.view.web.film import check_page, plotted, write_film

        check_page("to_html", file)
        values = plotted("to_html", options)
        scene = self.scene(*others, trace=trace, values=values, reactions=reactions)
        return write_film(scene, file, samples, **options)

    def show(
        self,
        *others: Self,
        trace: str | Sequence[str] = (),
        reactions: bool | str | Sequence[str] = False,
        height: int = 480,
        **options: Unpack[ViewOptions],
    ) -> Path | None:
        """Show the run: below the cell of a notebook, else as a page in the browser.

        Options as those of `to_html`; `height` [pixels] in a notebook. Returns the file of
        the page, which is written even if no browser can be opened; None in a notebook.
        """
        from motorik.view.web.film import plotted
        from motorik.view.web.show import show_scene

        values = plotted("show", options)
        scene = self.scene(*others, trace=trace, values=values, reactions=reactions)
        return show_scene(scene, height, **options)

    def _repr_html_(self) -> str:
        from motorik.view.web.show import representation

        return representation(self.scene)
