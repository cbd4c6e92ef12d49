"""A film of every gallery model: it opens, moves and is seen; its picture is kept.

Pictures are written into the folder that MOTORIK_PICTURES names, else they are thrown away.
"""

import inspect
import io
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from motorik import Model, gallery
from tests.view.web.conftest import quiet

MODELS = [
    name
    for name in gallery.__all__
    if inspect.isclass(getattr(gallery, name)) and issubclass(getattr(gallery, name), Model)
]


def seen(shot: bytes) -> float:
    """Return the share of the picture that is not background."""
    pixels = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"), dtype=int)
    return float((abs(pixels - pixels[5, 5]).sum(axis=2) > 40).mean())


def show(page, share: float) -> None:
    """Show a film at this share of its time, and wait until its picture is drawn."""
    seek = f"viewer.player.seek({share} * viewer.player.last)"
    before = page.evaluate(f"(() => {{ {seek}; return viewer.drawn.count; }})()")
    page.until(f"viewer.drawn.count > {before}")
    page.wait_for_timeout(500)  # the smooth picture at rest


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_a_film_of_every_model(page, tmp_path, name):
    with quiet():
        result = getattr(gallery, name)().simulate(0.5, output=50)
    file = result.to_html(tmp_path / f"{name}.html")
    assert file.stat().st_size < 1_500_000
    page.open(file)
    show(page, 0.3)
    shot = page.screenshot()
    if os.environ.get("MOTORIK_PICTURES"):
        folder = Path(os.environ["MOTORIK_PICTURES"])
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.png").write_bytes(shot)
    canvas = page.locator(".stage canvas").first.screenshot()
    assert 0.005 < seen(canvas) < 0.7
    show(page, 0.9)
    moved = page.locator(".stage canvas").first.screenshot()
    a, b = (
        np.asarray(Image.open(io.BytesIO(x)).convert("L"), dtype=int)
        for x in (canvas, moved)
    )
    assert (abs(a - b) > 25).any()
