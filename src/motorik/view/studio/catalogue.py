"""The catalogue as pages get it: classes with symbol and role, kinds of ports with colours."""

from __future__ import annotations

from functools import cache

from motorik.documents.building import port_kinds
from motorik.documents.catalogue import catalogue
from motorik.documents.classes import find_class
from motorik.documents.folders import kept
from motorik.documents.reading import Data
from motorik.view.diagram.drawing import style_of
from motorik.view.diagram.structure import role_of_class
from motorik.view.diagram.symbols import symbol_of_class
from motorik.view.theme import ROLES


@cache
def page_catalogue() -> Data:
    """Return the catalogue with symbols, roles and colours; constant for a version."""
    return kept("catalogue", ("components", "documents", "planar", "view/diagram"), _made)


def _made() -> Data:
    found = catalogue()
    classes = []
    for entry in found["classes"]:
        kind = find_class(entry["class"])
        drawn = {"role": role_of_class(kind), "symbol": symbol_of_class(kind)}
        classes.append({**entry, **drawn})
    kinds = []
    for name, kind in port_kinds():
        colour, width, meaning = style_of(kind)
        kinds.append({"name": name, "color": colour, "width": width, "title": meaning})
    colours = {kind["name"]: kind["color"] for kind in kinds}
    return {
        **found,
        "classes": classes,
        "kinds": {"fits": found["fits"], "colours": colours, "list": kinds},
        "roles": dict(ROLES),
    }
