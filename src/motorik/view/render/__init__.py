"""Pictures and films without a browser: tessellation, cameras, a rasteriser, SVG."""

from motorik.view.render.animate import write_movie
from motorik.view.render.camera import Camera
from motorik.view.render.draw import draw
from motorik.view.render.picture import Picture

__all__ = ["Camera", "Picture", "draw", "write_movie"]
