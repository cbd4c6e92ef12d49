"""Tables in files: columns of numbers as CSV, and Modelica's text files of named matrices."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from motorik.errors import FileFormatError, ParameterError

_MATRIX = re.compile(r"(?:double|float)\s+(\w+)\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)\s*$")
_SEPARATORS = re.compile(r"[\s,;]+")


def read_table(file: str | Path, name: str | None = None) -> np.ndarray:
    """Return the matrix of numbers in a file, for the `table` of a block.

    A file that begins with ``#1`` is one of Modelica's: it holds matrices, each after a line
    ``double name(rows, columns)``; `name` tells which, unless there is only one. Any other file
    holds rows of numbers between commas, semicolons, tabs or blanks (beside semicolons a comma is
    a decimal point). Lines before the first row that are no numbers are headings; a ``#`` begins a
    comment.
    """
    path = Path(file)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(
            "read_table",
            f"{path} cannot be read as text: {error}.",
            "Give the path of a CSV file, or of a text file of Modelica's tables.",
            parameter="file",
            value=str(path),
        ) from error
    if lines and lines[0].startswith("#1"):
        return _read_matrix(path, lines, name)
    if name is not None:
        raise ParameterError(
            "read_table",
            f"{path} does not begin with '#1', so it has no table of the name '{name}'.",
            "Omit the name for a CSV file.",
            parameter="name",
            value=name,
        )
    return _read_rows(path, lines)


def _read_matrix(path: Path, lines: list[str], name: str | None) -> np.ndarray:
    """Return a matrix of a file of Modelica's."""
    found: dict[str, tuple[int, int, int, list[float]]] = {}
    numbers: list[float] | None = None
    for k, line in enumerate(lines, 1):
        text = line.split("#")[0].strip()
        if not text:
            continue
        if match := _MATRIX.match(text):
            numbers = []
            found[match[1]] = int(match[2]), int(match[3]), k, numbers
            continue
        values = None if numbers is None else _numbers(text)
        if values is None or numbers is None:
            raise _fault(path, k, f"'{text[:40]}' is neither a matrix nor numbers")
        numbers += values
    if name is None and len(found) == 1:
        (name,) = found
    if name not in found:
        missing = "no name is given" if name is None else f"'{name}' is not among them"
        raise ParameterError(
            "read_table",
            f"{path} holds the tables {', '.join(found) or '(none)'}; {missing}.",
            f'Give one of them, e.g. read_table("{path.name}", "{next(iter(found), "tab")}").',
            parameter="name",
            value=name,
        )
    rows, columns, at, own = found[name]
    if len(own) != rows * columns:
        raise _fault(path, at, f"'{name}' has {len(own)} numbers, not {rows} × {columns}")
    return np.array(own).reshape(rows, columns)


def _read_rows(path: Path, lines: list[str]) -> np.ndarray:
    """Return the rows of a CSV file."""
    rows: list[list[float]] = []
    for k, line in enumerate(lines, 1):
        text = line.split("#")[0].strip()
        if not text:
            continue
        if ";" in text:
            text = text.replace(",", ".")
        values = _numbers(text)
        if values is None and rows:
            raise _fault(path, k, f"'{text[:40]}' is not a row of numbers")
        if values is None:
            continue  # a heading
        if rows and len(values) != len(rows[0]):
            raise _fault(
                path, k, f"it has {len(values)} numbers, the rows before {len(rows[0])}"
            )
        rows.append(values)
    if not rows:
        raise _fault(path, len(lines), "there is no row of numbers")
    return np.array(rows)


def _numbers(text: str) -> list[float] | None:
    """Return the numbers of a line, None if it has anything else."""
    try:
        return [float(word) for word in _SEPARATORS.split(text.strip(" \t,;"))]
    except ValueError:
        return None


def _fault(path: Path, line: int, reason: str) -> FileFormatError:
    return FileFormatError(
        "read_table",
        f"{path}, line {line}: {reason}.",
        "Give rows of equally many numbers, or Modelica's '#1' and 'double name(n, m)'.",
        parameter="file",
        value=str(path),
    )
