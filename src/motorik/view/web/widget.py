"""The viewer as a widget of notebooks, for two-way use (extra `notebook`)."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

from motorik.errors import SimulationError
from motorik.view.web.page import viewer_code
from motorik.view.web.show import HEIGHT

ALONE = "delete window.__THREE__;"
"""Each widget has a three.js of its own, of which others need not be warned."""


def has_widgets() -> bool:
    """Return whether the package that brings widgets into notebooks is installed."""
    return find_spec("anywidget") is not None


@cache
def widget_class() -> type[Any]:
    """Return the class of the widget; anywidget is needed for it."""
    if not has_widgets():
        raise SimulationError(
            "widget",
            "anywidget is not installed.",
            "Install it: pip install 'motorik[notebook]'.",
        )
    import anywidget  # type: ignore[import-not-found]
    import traitlets  # type: ignore[import-not-found]

    class ViewerWidget(anywidget.AnyWidget):  # type: ignore[misc]
        """The viewer in cells of a notebook; `scene` is a message of a scene, packed.

        All else goes by custom messages, see `motorik.view.live.comm`.
        """

        _esm = f"{ALONE}\n{viewer_code()}\nexport default motorik.widget;\n"
        scene = traitlets.Bytes(b"").tag(sync=True)
        height = traitlets.Int(HEIGHT).tag(sync=True)

    return ViewerWidget
