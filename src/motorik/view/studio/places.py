"""Places in the diagram: the automatic layout, and aligning."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from motorik.documents.building import build_model
from motorik.documents.reading import Data
from motorik.errors import ParameterError
from motorik.view.diagram.layout import lay_out
from motorik.view.diagram.structure import Marks, structure_of

STEP = 10.0  # px, to which places are rounded
WIDE = 190.0  # px, that a part of the page takes for its values
LETTER, BESIDE = 7.8, 84.0  # px, a letter of its name, and all beside the name
COLUMN = 60.0  # px within which parts stand in one column
GAP = 40.0  # px at least between columns
SPREAD = (1.35, 1.5)  # boxes of the page are larger than those of the drawing


def layout(data: Data, scope: str = "", ids: Collection[str] = ()) -> Data:
    """Return places of the parts of a scope; with `ids` of these only, where they are together."""
    inner = data["models"][scope] if scope else data
    model = build_model({**inner, "models": data.get("models", {})}).model
    if not model.parts:
        return {}
    drawing = lay_out(structure_of(model, 1, Marks()))
    found = {
        box.node.name: [
            STEP * round(box.x * SPREAD[0] / STEP),
            STEP * round(box.y * SPREAD[1] / STEP),
        ]
        for box in drawing.boxes
        if box.node.name in model.parts
    }
    found = spaced(found)
    if not ids:
        return found
    present = inner.get("diagram", {})
    chosen = {name: at for name, at in found.items() if name in ids}
    placed = [present[name] for name in chosen if name in present]
    if not chosen or not placed:
        return chosen
    shift = [
        min(at[k] for at in placed) - min(at[k] for at in chosen.values()) for k in (0, 1)
    ]
    return {name: [at[0] + shift[0], at[1] + shift[1]] for name, at in chosen.items()}


def spaced(places: Data) -> Data:
    """Return places in columns so far apart that parts of the page do not overlap."""
    columns: list[list[str]] = []
    for name in sorted(places, key=lambda name: places[name][0]):
        if columns and places[name][0] - places[columns[-1][0]][0] <= COLUMN:
            columns[-1].append(name)
        else:
            columns.append([name])
    made: Data = {}
    free = -float("inf")
    for column in columns:
        x = max(places[column[0]][0], STEP * round(free / STEP) if made else free)
        made |= {name: [x, places[name][1]] for name in column}
        free = x + GAP + max(_width(name) for name in column)
    return made


def _width(name: str) -> float:
    """Return how wide a part may be in the page [px]: its values may take all there is."""
    return max(WIDE, LETTER * len(name) + BESIDE)


WAYS = {
    "left": (0, min), "right": (0, max), "top": (1, min), "bottom": (1, max),
    "center": (0, None), "middle": (1, None),
}  # fmt: skip


def aligned(places: Data, ids: Sequence[str], how: str) -> Data:
    """Return the places of parts in one line, or evenly apart ("across", "down")."""
    known = {name: [*places[name]] for name in ids if name in places}
    if how in ("across", "down", "horizontal", "vertical"):
        k = 0 if how in ("across", "horizontal") else 1
        order = sorted(known, key=lambda name: known[name][k])
        if len(order) > 2:
            first, last = known[order[0]][k], known[order[-1]][k]
            for place, name in enumerate(order):
                known[name][k] = first + (last - first) * place / (len(order) - 1)
        return known
    if how not in WAYS:
        raise ParameterError(
            "align",
            f"{how!r} is not known.",
            f"Give one of {', '.join(WAYS)}.",
            value=how,
            parameter="how",
        )
    k, choose = WAYS[how]
    values = [at[k] for at in known.values()]
    if values:
        line = choose(values) if choose is not None else sum(values) / len(values)
        for at in known.values():
            at[k] = line
    return known
