"""Composition diagrams: parts, ports and connections of a model, spanning tree and loops."""

from motorik.view.diagram.drawing import Diagram, make_diagram

__all__ = ["Diagram", "make_diagram"]
