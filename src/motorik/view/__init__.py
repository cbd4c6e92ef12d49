"""View: plots of variables, pictures, movies, pages and diagrams of mechanisms.

A `Scene` (`scene`) is the one description of what can be seen: rigid groups that move, shapes on
them, channels of values, and runs, which are poses and values over time. Everything that draws
takes a scene; nothing that draws knows models or results.

Data flow from a model or result to a picture::

    model, Result ─ scene_builder (visuals of parts, sizes, places) ─► Scene
    Scene ─ scene.forms (pieces of meshes, lines, words) ─┬─ render ─► Picture: PNG, SVG, PDF; movie
                                                          ├─ web ───► page in one file, notebook
                                                          └─ live ──► page of a running model

- `visuals`: the shapes of each class of parts, registered by `visual`.
- `scene_builder`: builds the scene of a model, of results, of a MOBILE program.
- `scene`: the data types of scenes and shapes, their meshes, and their JSON.
- `render`: software renderer: pixels by a depth buffer, vector drawings by sorting.
- `web`: pages with the viewer (`viewer/`, TypeScript on three.js) and a scene in one HTML file.
- `live`: sessions in which a model runs while pages show it and drag it.
- `chains`: MOBILE's chains of transmission elements as live subjects.
- `diagram`: composition diagrams; `plots.py`, `curves.py`, `event_marks.py`: plots over time.
- `meshes.py`, `mesh_files`: meshes from STL, OBJ, GLB and DXF files.

Options of drawing belong to parts but are kept apart from their parameters
(`components/base/visual.py`): nothing of the physics reads them.
"""

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
