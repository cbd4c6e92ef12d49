"""View: plots of variables, pictures, films and diagrams of mechanisms."""

from motorik.names import refuse_others as _refuse_others
from motorik.view.diagram import Diagram, make_diagram
from motorik.view.plots import plot_result
from motorik.view.render import Camera, Picture, animate, draw

__all__ = [
    "Camera",
    "Diagram",
    "Picture",
    "animate",
    "draw",
    "make_diagram",
    "plot_result",
]

__getattr__ = _refuse_others(__name__, __all__)
