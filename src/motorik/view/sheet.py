"""Sheet: a figure of matplotlib that belongs to nobody but its user."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

from motorik.errors import MotorikError
from motorik.view.theme import THEME

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 110  # of what a notebook shows


@cache
def sheet_class() -> type[Figure]:
    """Return the class of figures that plots return."""
    from matplotlib.figure import Figure

    class Sheet(Figure):
        """A figure that is not among those of pyplot: it is shown where it is returned, once.

        A notebook shows it; `savefig` writes it; `show()` opens a window, where there is one.
        """

        def _repr_png_(self) -> bytes:
            import matplotlib

            store = BytesIO()
            with matplotlib.rc_context(THEME):
                self.savefig(store, format="png", dpi=DPI)
            return store.getvalue()

        def show(self, warn: bool = True) -> None:
            """Open a window and wait until it is closed."""
            import matplotlib
            from matplotlib import pyplot

            module = matplotlib.get_backend()
            if module.lower() in NON_INTERACTIVE or "inline" in module.lower():
                raise MotorikError(
                    "plot",
                    f"matplotlib's backend {module!r} opens no windows.",
                    "Save the figure with savefig('plot.png'), or show it in a notebook.",
                )
            manager = pyplot.new_figure_manager_given_figure(  # type: ignore[attr-defined]
                max([0, *pyplot.get_fignums()]) + 1, self
            )
            manager.show()
            pyplot.show(block=True)

        def __repr__(self) -> str:
            width, height = self.get_size_inches()
            return f"<figure of {len(self.axes)} axes, {width:g} × {height:g} inches>"

    return Sheet


NON_INTERACTIVE = ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")


def make_sheet(size: tuple[float, float], layout: str | None = "constrained") -> Any:
    """Return an empty sheet of this width and height [inches], of 100 pixels each."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    made: Any = sheet_class()
    sheet = made(figsize=size, dpi=100, layout=layout)
    FigureCanvasAgg(sheet)
    return sheet
