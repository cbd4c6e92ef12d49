"""Files of pictures: the suffix determines the format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from motorik.errors import ParameterError, suggest

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def save_figure(figure: Figure, caller: str, file: str | Path) -> None:
    """Write a figure in the format of the suffix of its file; PNG without one."""
    known = figure.canvas.get_supported_filetypes()
    suffix = Path(file).suffix.lower().removeprefix(".")
    if suffix and suffix not in known:
        raise ParameterError(
            caller,
            f"cannot write a picture as {suffix!r} ({file}).",
            suggest(suffix, known),
            parameter="file",
            value=str(file),
        )
    figure.savefig(file)
