"""Files that are written: names that can be, and errors that name them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from motorik.errors import ParameterError

OTHERS = (".xls", ".xlsx", ".ods", ".mat", ".json", ".parquet", ".png", ".svg", ".html")
NOT_XLSX = (".xls", ".ods", ".csv", ".txt", ".nc", ".h5", ".json", ".html")
NOT_CSV, NOT_NETCDF = (*OTHERS, ".nc", ".h5", ".hdf5"), (*OTHERS, ".csv", ".txt")


def path_of(
    caller: str,
    file: object,
    parameter: str = "file",
    content: str = "",
    others: Sequence[str] = (),
) -> Path:
    """Return the path that a user gave; refuse a value that is none, or a missing folder.

    `content` describes the file, and `others` are suffixes of other formats.
    """
    if not isinstance(file, (str, os.PathLike)) or not os.fspath(file):
        why = f"{parameter} = {file!r} is not the name of a file."
        _refuse(caller, why, "Give one.", file, parameter)
    path = Path(os.fsdecode(file))
    if path.is_dir():
        _refuse(caller, f"{path} is a folder.", "Name a file in it.", file, parameter)
    if not path.parent.is_dir():
        remedy = "Make it first, or name another file."
        _refuse(caller, f"there is no folder {path.parent}.", remedy, file, parameter)
    if path.suffix.lower() in others:
        why = f"would write {content} to {path.name}, a name of another format."
        _refuse(caller, why, "Give the file the suffix of its format.", file, parameter)
    return path


@contextmanager
def writing(caller: str, file: Path, parameter: str = "file") -> Iterator[None]:
    """Raise an error with the reason if a file cannot be written."""
    try:
        yield
    except OSError as error:
        why = f"{file} cannot be written: {error.strerror or error}."
        remedy = "Name a file that you may write."
        _refuse(caller, why, remedy, str(file), parameter, error)


def _refuse(
    caller: str,
    why: str,
    remedy: str,
    value: object,
    parameter: str,
    cause: OSError | None = None,
) -> NoReturn:
    raise ParameterError(caller, why, remedy, parameter=parameter, value=value) from cause
