"""Shadow: how dark the ground is under what is shown, lit from straight above."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motorik.view.render.camera import Lens
from motorik.view.render.content import Content
from motorik.view.render.paint import TIE, faces_of, native_kernels
from motorik.view.render.raster import room_for_row
from motorik.view.render.seen import see_facets

DARK = 0.20  # the darkest shadow, of black
SOFT = 0.012  # of the width of the picture: how far its edge is spread
LOWEST = 0.1  # sine of the angle above the ground from which it is seen


def shadow(content: Content, lens: Lens, up: np.ndarray) -> np.ndarray:
    """Return how dark each pixel of the ground is, 0 to 1; it lies below everything."""
    width, height = lens.size
    up = np.asarray(up, dtype=float) / np.linalg.norm(up)
    facets = content.facets
    solid = facets.looks[:, 3] >= 1.0
    if lens.axes[2] @ up < LOWEST or not solid.any():
        return np.zeros((height, width))
    level = facets.points @ up
    ground = level.min()
    flat = facets.points + (ground - level)[:, None] * up
    facets = replace(
        facets,
        points=flat,
        triangles=facets.triangles[solid],
        looks=facets.looks[solid],
        patches=facets.patches[solid],
    )
    faces = faces_of(see_facets(facets, lens), 1)
    near = np.full(width * height, -np.inf)
    face = np.full(width * height, -1, dtype=np.int64)
    enter, _ = native_kernels()
    enter(faces, width, 0, height, TIE, near, face, room_for_row())
    dark = (face >= 0).reshape(height, width).astype(float)
    return DARK * spread(dark, max(1, round(SOFT * width)))


def spread(dark: np.ndarray, radius: int) -> np.ndarray:
    """Return a picture spread out by three running means, nearly Gauss's bell."""
    size = 2 * radius + 1
    for _ in range(3):
        for axis in (0, 1):
            edges = [(0, 0), (0, 0)]
            edges[axis] = (radius + 1, radius)
            total = np.cumsum(np.pad(dark, edges), axis=axis)
            n = dark.shape[axis]
            after = np.take(total, np.arange(size, size + n), axis=axis)
            dark = (after - np.take(total, np.arange(n), axis=axis)) / size
    return dark
