"""Pictures of the documentation: ``python -m scripts.make_pictures`` makes them all anew.

Every model of the gallery is drawn in a characteristic pose (docs/gallery/, docs/gallery.md)
and plays in a page of films (docs/gallery.html); the V6 engine moves at the top of the README,
and guides show their models.
"""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from PIL import Image

from motorik import Model, gallery
from motorik.results import ModelResult
from motorik.view import Camera, Picture
from motorik.view.web.gallery import FilmCard, write_gallery

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SIZE = (560, 420)  # px
PICTURES, FPS = 40, 20.0  # of the film
SAMPLES, SHORTEST = 160, 4.0  # of films on the page: samples, and how long they play [s]
COLOURS = 200  # of a picture on the gallery page
POSES: dict[str, dict[str, Any]] = {  # duration and time of the pose [s], how it is drawn
    "Andrews": {"run": 0.03, "time": 0.012, "trace": "arm_K2.frame_b"},
    "Bricard": {"run": 2.0, "time": 1.2},
    "DoublePendulum": {"run": 3.0, "time": 1.6, "trace": "box2.frame_b", "ghosts": 3},
    "EngineV6": {"run": 0.2, "time": 0.05, "camera": Camera((30.0, 20.0))},
    "EngineV6Analytic": {"run": 0.2, "time": 0.05, "camera": Camera((30.0, 20.0))},
    "Fourbar1": {"run": 1.0, "time": 0.4},
    "MacPherson": {"run": 1.0, "time": 0.5},
    "MacPhersonAnalytic": {"run": 1.0, "time": 0.5},
    "NFourBar": {"run": 1.0, "time": 0.6},
    "Pendulum": {"run": 3.0, "time": 1.2, "trace": "body.r_CM_0", "ghosts": 3},
    "PlanarFourbar": {"run": 1.0, "time": 0.5},
    "SpinningWheel": {"run": 0.5, "time": 0.1},
    "StewartPlatform": {"run": 0.5, "time": 0.3},
    "TrolleyPendulum": {"run": 2.0, "time": 1.0, "ghosts": 2},
}
USUAL: dict[str, Any] = {"run": 1.0, "time": 0.5}


def gallery_models() -> dict[str, type[Model]]:
    """Return the models of the gallery by name."""
    found = {name: getattr(gallery, name) for name in gallery.__all__}
    return {
        name: kind
        for name, kind in found.items()
        if inspect.isclass(kind) and issubclass(kind, Model)
    }


def run_model(name: str) -> tuple[ModelResult, Picture]:
    """Return a run of a model of the gallery, and its picture in motion."""
    given = {**USUAL, **POSES.get(name, {})}
    run, time = given.pop("run"), given.pop("time")
    model = getattr(gallery, name)()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some runs end at a dead centre, after the picture
        result = model.simulate(run)
    return result, result.draw(min(time, float(result.time[-1])), size=SIZE, **given)


def about(kind: type[Model]) -> str:
    """Return the first line of what is said about a model."""
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def write_films() -> None:
    """Write the page on which all models of the gallery play: docs/gallery.html."""
    cards = []
    for name, kind in gallery_models().items():
        given = {**USUAL, **POSES.get(name, {})}
        result, picture = run_model(name)
        span = float(result.time[-1] - result.time[0])
        scene = result.scene(trace=given.get("trace", ()))
        slow = tuple(replace(run, speed=min(1.0, span / SHORTEST)) for run in scene.runs)
        cards.append(FilmCard(name, about(kind), picture, scene.with_runs(*slow)))
    file = write_gallery(
        DOCS / "gallery.html", cards, "motorik: the gallery", samples=SAMPLES
    )
    print(f"docs/gallery.html, {file.stat().st_size / 1e6:.1f} MB")


def save_small(picture: Picture, file: Path) -> None:
    """Write a picture in few colours, to be small."""
    file.parent.mkdir(exist_ok=True)
    image = Image.fromarray(picture.pixels).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)


def write_pictures() -> None:
    """Draw all models of the gallery and write the page that shows them."""
    lines = [
        "# Gallery",
        "",
        "Mechanisms of `motorik.gallery`, each drawn by `result.draw(t)`. They all play in "
        "[gallery.html](gallery.html), one page without network: open it in a browser. "
        "`python -m scripts.make_pictures` makes both.",
        "",
        "| | |",
        "|---|---|",
    ]
    cells = []
    for name, kind in gallery_models().items():
        save_small(run_model(name)[1], DOCS / "gallery" / f"{name}.png")
        cells.append(f"![{name}](gallery/{name}.png)<br>**{name}**: {about(kind)}")
        print(f"docs/gallery/{name}.png")
    cells += [""] * (len(cells) % 2)
    pairs = zip(cells[::2], cells[1::2], strict=True)
    lines += [f"| {left} | {right} |" for left, right in pairs]
    (DOCS / "gallery.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_film() -> None:
    """Write the moving picture at the top of the README: one turn of the V6 engine."""
    result = gallery.EngineV6().simulate(1.5, output=3000)
    phi = result["bearing.phi"]
    begin = 0.5
    first = float(np.interp(begin, result.time, phi))
    turn = float(np.interp(first + 2 * np.pi, phi, result.time)) - begin
    result.to_movie(
        DOCS / "engine_v6.webp",
        start_time=begin,
        stop_time=begin
        + turn * (PICTURES - 1) / PICTURES,  # the next would be the first again
        speed=turn * FPS / PICTURES,
        fps=FPS,
        size=(560, 380),
        camera=Camera((30.0, 20.0)),
        forces=False,
    )
    print("docs/engine_v6.webp")


def write_guides() -> None:
    """Draw what guides and examples draw, by running their own code."""
    sources = {
        "loops.png": (code_of(DOCS / "loops.md"), "loops.png"),
        "first_mechanism.png": (
            code_of(DOCS / "first_mechanism.md"),
            "first_mechanism.png",
        ),
    }
    for name, (code, made) in sources.items():
        with TemporaryDirectory() as folder:
            program = Path(folder) / "program.py"
            program.write_text(code, encoding="utf-8")
            subprocess.run([sys.executable, program], cwd=folder, check=True)
            image = Image.open(Path(folder) / made).convert("RGB")
            image.quantize(COLOURS, dither=Image.Dither.NONE).save(
                DOCS / name, optimize=True
            )
        print(f"docs/{name}")


def code_of(document: Path) -> str:
    """Return the blocks of Python in a document."""
    text = document.read_text(encoding="utf-8")
    return "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL))


def main() -> None:
    """Make everything, or what is named: gallery, films, film, guides."""
    makers = {
        "gallery": write_pictures,
        "films": write_films,
        "film": write_film,
        "guides": write_guides,
    }
    for name in sys.argv[1:] or makers:
        makers[name]()


if __name__ == "__main__":
    main()
