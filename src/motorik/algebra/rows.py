"""Nested rows and arrays of three by three, as users give them."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.scalar import Scalar
from motorik.errors import ParameterError


def nine_of(rows: Scalar) -> list[Scalar]:
    """Return the entries of nested rows, of an array or of a symbol, row by row."""
    three = range(3)
    try:
        if hasattr(rows, "shape"):
            if tuple(rows.shape[:2]) == (3, 3):
                return [rows[i, j] for i in three for j in three]
        elif [len(row) for row in rows] == [3, 3, 3]:
            return [rows[i][j] for i in three for j in three]
    except TypeError:
        pass
    raise ParameterError(
        "Matrix",
        f"{rows!r} is not three rows of three.",
        "Give ((a, b, c), (d, e, f), …).",
        parameter="rows",
        value=rows,
    )


def check_symmetry(entries: Sequence[float]) -> None:
    """Refuse nine numbers that are not those of a symmetric matrix, to 1e-9 of the largest."""
    _, xy, xz, yx, _, yz, zx, zy, _ = entries
    gap = max(abs(xy - yx), abs(xz - zx), abs(yz - zy))
    if not gap <= 1e-9 * max(map(abs, entries)):
        raise ParameterError(
            "Symmetric",
            f"the entries {', '.join(f'{e:.6g}' for e in entries)} are not symmetric.",
            f"They differ by {gap:.3g}: give the same on both sides of the diagonal.",
            parameter="entries",
            value=entries,
        )


__all__ = ["check_symmetry", "nine_of"]
