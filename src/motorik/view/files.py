"""Files of pictures, films and diagrams: names that can be written, and errors that name them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from motorik.errors import ParameterError, suggest
from motorik.results.files import path_of, writing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["path_of", "save_figure", "writing"]


def save_figure(figure: Figure, caller: str, file: str | Path) -> None:
    """Write a figure in the format of the suffix of its file; PNG without one."""
    path = path_of(caller, file)
    known = figure.canvas.get_supported_filetypes()
    suffix = path.suffix.lower().removeprefix(".")
    if suffix and suffix not in known:
        raise ParameterError(
            caller,
            f"cannot write a picture as {suffix!r} ({file}).",
            suggest(suffix, known),
            parameter="file",
            value=str(file),
        )
    with writing(caller, path):
        figure.savefig(path)
