"""Diagrams: parts, ports and connections of a model, its spanning tree and its loops.

`structure.py` reads nodes and connections from a model and marks joints of the spanning tree
and cut joints; `layout.py` arranges them in layers from the world outward,
wide ones in bands; `drawing.py` draws boxes and wires, as SVG or as a figure.
"""

from motorik.view.diagram.drawing import Diagram, make_diagram

__all__ = ["Diagram", "make_diagram"]
