"""Files of pictures, films and diagrams: names that can be written, and errors that name them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from motorik.errors import ParameterError, suggest
from motorik.results.files import path_of, writing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["check_suffix", "path_of", "save_figure", "writing"]


def save_figure(figure: Figure, caller: str, file: str | Path) -> None:
    """Write a figure in the format of the suffix of its file; PNG without one."""
    path = check_suffix(caller, file, [*figure.canvas.get_supported_filetypes()])
    with writing(caller, path):
        figure.savefig(path)


def check_suffix(caller: str, given: object, known: Sequence[str]) -> Path:
    """Return the path of a file; refuse one whose suffix names no known format."""
    file = path_of(caller, given)
    suffix = file.suffix.lower().removeprefix(".")
    if suffix and suffix not in known:
        raise ParameterError(
            caller,
            f"cannot write {file.name} as {suffix!r}.",
            suggest(suffix, known),
            parameter="file",
            value=str(file),
        )
    return file
