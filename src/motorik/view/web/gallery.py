"""Galleries: one page with many films, each chosen by its picture, that needs no network."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from motorik.immutable import immutable
from motorik.view.files import writing
from motorik.view.web.film import ViewOptions, check_page, scene_text
from motorik.view.web.page import make_gallery_page, pack

if TYPE_CHECKING:
    from motorik.view.render import Picture
    from motorik.view.scene import Scene

QUALITY = 80  # of pictures


@immutable(eq=False)
class FilmCard:
    """A film of a gallery: its title, a line of text, its picture and its scene with a run."""

    title: str
    text: str
    picture: Picture
    scene: Scene


def write_gallery(
    file: str | Path,
    films: Sequence[FilmCard],
    title: str = "Gallery",
    samples: int = 300,
    view: ViewOptions | None = None,
) -> Path:
    """Write films as one page (.html), the viewer in it once; return its path.

    `samples` is how many samples are kept of each run; `view` is the initial view of its page.
    """
    path = check_page("write_gallery", file)
    cards = [
        {
            "title": film.title,
            "text": film.text,
            "picture": picture_address(film.picture),
            "scene": pack(scene_text(film.scene, view or {}, "write_gallery", samples)),
        }
        for film in films
    ]
    with writing("write_gallery", path):
        path.write_text(make_gallery_page(title, cards), encoding="utf-8")
    return path


def picture_address(picture: Picture) -> str:
    """Return a picture as a data address (WebP)."""
    from PIL import Image

    held = io.BytesIO()
    Image.fromarray(picture.pixels).convert("RGB").save(held, "webp", quality=QUALITY)
    return f"data:image/webp;base64,{base64.b64encode(held.getvalue()).decode('ascii')}"
