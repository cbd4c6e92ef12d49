"""Render: pictures and movies without a browser.

`draw` and `write_movie` take a model, a result or a scene, with the options of `options.py`. A
`Shot` (`shot.py`) is a scene with camera and options; `scene_content.py` poses the meshes of its
shapes at one instant (`content.py`: triangles, strokes, labels). `camera.py` fits a `Lens`,
`projection.py` gives triangles and ribbons in pixels. Two painters take these:

- `paint.py` fills a depth buffer in bands by native kernels (`raster.py`, also run as Python in
  tests). Positions are multiples of 1/256 of a sample, so inside and outside are exact; outlines
  are drawn where smooth patches meet or a surface steps back. `shade.py` has the lighting.
- `svg.py` paints flat faces from back to front, in an order given by the same depth buffer
  (`visibility.py`), splits intersecting faces and removes hidden parts of lines.

`lettering.py` places labels so that they can be read, `text.py` draws them, `ruler.py` the axes of
planar pictures. `Picture` (`picture.py`) makes pixels or SVG on demand; frames of movies wait in a
file until they are encoded (`film.py`, `animate.py`).
"""

from motorik.view.render.animate import write_movie
from motorik.view.render.camera import Camera
from motorik.view.render.draw import draw
from motorik.view.render.picture import Picture

__all__ = ["Camera", "Picture", "draw", "write_movie"]
