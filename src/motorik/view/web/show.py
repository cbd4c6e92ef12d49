"""Showing: a page in a browser, or in the notebook that runs."""

from __future__ import annotations

import base64
import html
import os
import re
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from motorik.errors import MotorikError
from motorik.view.argument_checks import check_count
from motorik.view.web.film import ViewOptions, scene_text, write_film
from motorik.view.web.page import make_film

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Unpack

    from motorik.view.scene import Scene

HEIGHT = 480
"""Height of a viewer in a notebook, in pixels."""
WIDE = 800
"""Width of a picture of that height, in pixels."""
LOWEST, HIGHEST = 120, 960  # pixels of a picture
NOTEBOOK_ROWS = 1000
"""Rows of a run in a notebook."""


def show_scene(
    scene: Scene, height: int = HEIGHT, **options: Unpack[ViewOptions]
) -> Path | None:
    """Show a scene: in a notebook below the cell, else as a film in the browser.

    Without a browser the film is written all the same, and where is printed. Returns its
    file, None in a notebook.
    """
    check_count("show", "height", height, low=1)
    if in_notebook():
        from IPython.display import HTML, display  # type: ignore[import-not-found]

        display(HTML(notebook_html(scene, height, **options)))
        return None
    folder = Path(tempfile.mkdtemp(prefix="motorik-"))
    name = re.sub(r"\W+", "_", scene.title).strip("_") or "scene"
    path = write_film(scene, folder / f"{name}.html", caller="show", **options)
    if has_display() and open_browser(path):
        return path
    print(f"No browser could be opened here. The film is in {path}: open it in one.")
    return path


def open_browser(path: Path) -> bool:
    """Open a file in the user's browser; return whether there is one."""
    try:
        return webbrowser.open(path.resolve().as_uri())
    except (webbrowser.Error, OSError):
        return False


def has_display() -> bool:
    """Tell whether a browser with windows can be opened.

    On Linux without a display the browsers of the terminal would be taken, and show nothing.
    """
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def in_notebook() -> bool:
    """Tell whether this is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


def notebook_html(
    scene: Scene, height: int = HEIGHT, **options: Unpack[ViewOptions]
) -> str:
    """Return the viewer with a scene as HTML that notebooks show: a page within the page.

    Behind it is a picture: a notebook that is not trusted shows no pages, but pictures.
    """
    page = make_film(scene_text(scene, options, "show", NOTEBOOK_ROWS), scene.title)
    title, high = html.escape(scene.title), f"height: {int(height)}px"
    fills = "position: absolute; left: 0; top: 0; width: 100%; border: 0"
    picture = (
        f'<img src="data:image/png;base64,{picture_of(scene, height)}" alt="{title}" '
        f'style="display: block; max-width: 100%; max-height: 100%; margin: 0 auto">'
    )
    return (
        f'<div style="position: relative; {high}">{picture}'
        f'<iframe srcdoc="{html.escape(page)}" style="{fills}; {high}; border-radius: 6px" '
        f'title="{title}" allowfullscreen></iframe></div>'
    )


def picture_of(scene: Scene, height: int = HEIGHT) -> str:
    """Return a picture of a scene, where its run begins, as PNG in base64."""
    from motorik.view.render.draw import draw

    high = min(max(int(height), LOWEST), HIGHEST)
    time = float(scene.runs[0].time[0]) if scene.runs else None
    png = draw(scene, time, size=(WIDE * high // HEIGHT, high)).png()
    return base64.b64encode(png).decode("ascii")


def representation(make_scene: Callable[[], Scene]) -> str:
    """Return the view of a model or result in a notebook; without a scene, the reason."""
    try:
        return notebook_html(make_scene())
    except MotorikError as error:
        return f"<pre>{html.escape(str(error))}</pre>"
