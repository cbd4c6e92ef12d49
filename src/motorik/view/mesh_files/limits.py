"""Limits of mesh files: the largest file, and the most triangles and corners it may expand to."""

from __future__ import annotations

from typing import NoReturn

MOST_BYTES = 64_000_000  # of a file
MOST_FACES = 500_000
MOST_CORNERS = 3 * MOST_FACES
LONGEST_LINE = 1_000_000  # bytes


class MeshFormatError(ValueError):
    """The reason why a file is rejected, and the remedy."""

    def __init__(self, reason: str, remedy: str = "Write the file again.") -> None:
        super().__init__(reason)
        self.reason, self.remedy = reason, remedy


def check_faces(count: int, known: bool = True) -> None:
    """Refuse a mesh with too many triangles; `known` is whether these are all."""
    if count > MOST_FACES:
        many = f"{count}" if known else f"more than {MOST_FACES}"
        raise MeshFormatError(f"has {many} triangles", f"Keep to {MOST_FACES}.")


def check_corners(count: int) -> None:
    """Refuse a mesh with more corners than so many triangles need."""
    if count > MOST_CORNERS:
        raise MeshFormatError(
            f"has more than {MOST_CORNERS} corners", f"Keep to {MOST_FACES} triangles."
        )


def refuse(reason: str) -> NoReturn:
    """Refuse a file."""
    raise MeshFormatError(reason)
