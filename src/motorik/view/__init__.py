"""View: plots of variables, pictures and films of mechanisms."""

from motorik.view.motion import animate, draw
from motorik.view.plots import plot_result

__all__ = ["animate", "draw", "plot_result"]
