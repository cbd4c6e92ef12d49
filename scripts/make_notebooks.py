"""Run the notebooks of `examples/notebooks` and keep their outputs, to be read as pages.

    python scripts/make_notebooks.py [NAME …]

Nothing is kept of when and how long they ran; pictures have few colours, to be small.
"""

from __future__ import annotations

import base64
import io
import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from PIL import Image

import motorik

FOLDER = Path(__file__).parents[1] / "examples" / "notebooks"
SECONDS = 300  # for each cell
COLOURS = 64


def run(file: Path, then: str = "") -> nbformat.NotebookNode:
    """Return a notebook after it was run in its folder, and `then` a further cell."""
    book = nbformat.read(file, as_version=4)
    if then:
        book.cells.append(nbformat.v4.new_code_cell(then))
    where = {"metadata": {"path": str(file.parent)}}
    own = {**os.environ, "PYTHONPATH": str(Path(motorik.__file__).parents[1])}
    client = NotebookClient(book, timeout=SECONDS, kernel_name="python3", resources=where)
    client.execute(env=own)
    return book


def shrink(data: dict[str, str]) -> None:
    """Reduce a picture to as many colours as it needs to be read."""
    if "image/png" in data:
        picture = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
        flat = Image.new("RGB", picture.size, "white")
        flat.paste(picture, mask=picture.convert("RGBA").getchannel("A"))
        file = io.BytesIO()
        flat.quantize(COLOURS).save(file, "PNG", optimize=True)
        data["image/png"] = base64.b64encode(file.getvalue()).decode()


def main() -> None:
    """Run the notebooks that are named, by default all, and write them with their outputs."""
    names = sys.argv[1:] or [file.stem for file in sorted(FOLDER.glob("*.ipynb"))]
    for name in names:
        book = run(FOLDER / f"{name}.ipynb")
        for cell in book.cells:
            cell.metadata.pop("execution", None)
            for output in cell.get("outputs", []):
                shrink(output.get("data", {}))
        book.metadata["language_info"] = {"name": "python"}
        nbformat.write(book, FOLDER / f"{name}.ipynb")
        size = (FOLDER / f"{name}.ipynb").stat().st_size
        print(f"{name}.ipynb: {size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
