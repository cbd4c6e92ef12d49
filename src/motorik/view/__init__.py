"""View: plots of variables, pictures, films and diagrams of mechanisms."""

from motorik.names import refuse_others as _refuse_others
from motorik.view.diagram import Diagram, make_diagram
from motorik.view.plots import plot_result
from motorik.view.render import Camera, Picture, draw, write_movie

__all__ = [
    "Camera",
    "Diagram",
    "Picture",
    "draw",
    "make_diagram",
    "plot_result",
    "write_movie",
]

__getattr__ = _refuse_others(__name__, __all__)
