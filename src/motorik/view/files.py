"""Files of pictures, films and diagrams: names that can be written, and errors that name them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from motorik.errors import ParameterError, suggest

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def path_of(caller: str, file: object) -> Path:
    """Return the path that a user gave; refuse what is none, or a folder that is not there."""
    if not isinstance(file, (str, os.PathLike)) or not os.fspath(file):
        _refuse(caller, f"file = {file!r} is not the name of a file.", "Give one.", file)
    path = Path(os.fsdecode(file))
    if path.is_dir():
        _refuse(caller, f"{path} is a folder.", "Name a file in it.", file)
    if not path.parent.is_dir():
        remedy = "Make it first, or name another file."
        _refuse(caller, f"there is no folder {path.parent}.", remedy, file)
    return path


@contextmanager
def writing(caller: str, file: Path) -> Iterator[None]:
    """Tell in words why a file could not be written."""
    try:
        yield
    except OSError as error:
        why = f"{file} cannot be written: {error.strerror or error}."
        _refuse(caller, why, "Name a file that you may write.", str(file), error)


def save_figure(figure: Figure, caller: str, file: str | Path) -> None:
    """Write a figure in the format of the suffix of its file; PNG without one."""
    path = path_of(caller, file)
    known = figure.canvas.get_supported_filetypes()
    suffix = path.suffix.lower().removeprefix(".")
    if suffix and suffix not in known:
        why = f"cannot write a picture as {suffix!r} ({file})."
        _refuse(caller, why, suggest(suffix, known), str(file))
    with writing(caller, path):
        figure.savefig(path)


def _refuse(
    caller: str, why: str, remedy: str, value: object, cause: OSError | None = None
) -> NoReturn:
    raise ParameterError(caller, why, remedy, parameter="file", value=value) from cause
