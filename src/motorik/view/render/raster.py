"""Kernels: triangles in a buffer of depths, and the colours of a picture from it.

A band is some rows of a picture in `ss` × `ss` samples per pixel. `near` holds the nearness of
the surface in each sample, `face` the number of its triangle, -1 where there is none.
Positions are multiples of 1/256 of a sample, so that inside and outside are decided exactly.
"""

from __future__ import annotations

from math import fabs, floor, sqrt

import numpy as np

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel
from motorik.immutable import immutable

GRID = 256.0  # positions in a sample
AMBIENT = 0.50  # of the colour of a surface: light from everywhere
SKY = 0.08  # more of it on what faces upward in the picture
KEY = (-0.42, 0.61, 0.672)  # towards the light: from the left above, behind the viewer
KEY_LIGHT = 0.44
FILL = (0.8, 0.0, 0.6)  # towards a weaker one on the right
FILL_LIGHT = 0.14
GLOSS = 0.23  # of white, where all light is mirrored


@immutable
class Faces:
    """Triangles in samples: corners (3 of x, y, nearness), normals (3 × 3), and their material.

    `material` holds red, green, blue, opacity and specular; `patch` the smooth surface, -1 for
    strokes, which have no outline and no light.
    """

    count: Int
    xy: Floats
    near: Floats
    normals: Floats
    material: Floats
    patch: Ints


@kernel
def edge(ax: Float, ay: Float, bx: Float, by: Float, x: Float, y: Float) -> Float:
    """Return twice the area of the triangle a, b, (x, y)."""
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax)


@kernel
def lowest(slope: Float, value: Float, low: Int, high: Int) -> Int:
    """Return from which column on value + slope (i + ½) may be positive, `low` or more."""
    if slope > 0.0:
        x = -value / slope - 0.5
        if x > float(low):
            return floor(min(x, float(high)))
    return low


@kernel
def highest(slope: Float, value: Float, low: Int, high: Int) -> Int:
    """Return up to which column value + slope (i + ½) may be positive, `high` or less."""
    if slope < 0.0:
        x = -value / slope + 1.5
        if x < float(high):
            return floor(max(x, float(low)))
    return high


@kernel
def rows_of(faces: Faces, k: Int, top: Int, bottom: Int, row: Floats) -> None:
    """Write the interpolation coefficients of triangle k for rows of samples into `row`.

    Six numbers say how the weights of its corners grow along a row, and from row to row; then
    twice its area, and the rows, from `top` to `bottom`, that it may reach: none if it has no
    area.
    """
    ax, ay = faces.xy[6 * k], faces.xy[6 * k + 1]
    bx, by = faces.xy[6 * k + 2], faces.xy[6 * k + 3]
    cx, cy = faces.xy[6 * k + 4], faces.xy[6 * k + 5]
    area = edge(ax, ay, bx, by, cx, cy)
    sign = 1.0 if area > 0.0 else -1.0
    row[0], row[1], row[2] = sign * (by - cy), sign * (cy - ay), sign * (ay - by)
    row[6] = sign * area
    low, high = min(ay, min(by, cy)), max(ay, max(by, cy))
    row[7] = float(max(top, floor(max(low, float(top)))))
    row[8] = float(min(bottom, floor(min(high, float(bottom))) + 1))
    if area == 0.0:
        row[8] = row[7]


@kernel
def columns_of(faces: Faces, k: Int, j: Int, width: Int, row: Floats) -> None:
    """Write the weights of the corners at the left of row j, and the columns it may reach."""
    ax, ay = faces.xy[6 * k], faces.xy[6 * k + 1]
    bx, by = faces.xy[6 * k + 2], faces.xy[6 * k + 3]
    cx, cy = faces.xy[6 * k + 4], faces.xy[6 * k + 5]
    sign = 1.0 if edge(ax, ay, bx, by, cx, cy) > 0.0 else -1.0
    left = max(0, floor(min(ax, min(bx, cx))))
    right = min(width, floor(max(ax, max(bx, cx))) + 1)
    y = float(j) + 0.5
    row[3] = sign * edge(bx, by, cx, cy, 0.0, y)
    row[4] = sign * edge(cx, cy, ax, ay, 0.0, y)
    row[5] = sign * edge(ax, ay, bx, by, 0.0, y)
    begin = lowest(row[0], row[3], left, right)
    begin = lowest(row[1], row[4], begin, right)
    begin = lowest(row[2], row[5], begin, right)
    end = highest(row[0], row[3], left, right)
    end = highest(row[1], row[4], left, end)
    end = highest(row[2], row[5], left, end)
    row[9], row[10] = float(begin), float(end)


def room_for_row() -> np.ndarray:
    """Return room for the eleven numbers that `rows_of` and `columns_of` write."""
    return np.zeros(11)


@kernel(inline=False)
def fill(
    faces: Faces,
    width: Int,
    top: Int,
    rows: Int,
    tie: Float,
    near: Floats,
    face: Ints,
    row: Floats,
) -> None:
    """Rasterise triangles into rows top … top + rows with a depth test.

    Of surfaces nearer to one another than `tie` that of the first triangle is seen. `row` is
    that of `room_for_row`.
    """
    for k in range(faces.count):
        rows_of(faces, k, top, top + rows, row)
        za, zb, zc = faces.near[3 * k], faces.near[3 * k + 1], faces.near[3 * k + 2]
        da, db, dc, area = row[0], row[1], row[2], row[6]
        for j in range(floor(row[7]), floor(row[8])):
            columns_of(faces, k, j, width, row)
            ea, eb, ec = row[3], row[4], row[5]
            for i in range(floor(row[9]), floor(row[10])):
                x = float(i) + 0.5
                wa, wb, wc = ea + da * x, eb + db * x, ec + dc * x
                if wa >= 0.0 and wb >= 0.0 and wc >= 0.0:
                    z = (wa * za + wb * zb + wc * zc) / area
                    at = (j - top) * width + i
                    if z > near[at] + tie:
                        near[at] = z
                        face[at] = k


@kernel
def lit(faces: Faces, k: Int, x: Float, y: Float, light: Floats) -> None:
    """Write how bright triangle k is at (x, y): part of its own colour, and of white."""
    ax, ay = faces.xy[6 * k], faces.xy[6 * k + 1]
    bx, by = faces.xy[6 * k + 2], faces.xy[6 * k + 3]
    cx, cy = faces.xy[6 * k + 4], faces.xy[6 * k + 5]
    area = edge(ax, ay, bx, by, cx, cy)
    wa = edge(bx, by, cx, cy, x, y) / area
    wb = edge(cx, cy, ax, ay, x, y) / area
    wc = 1.0 - wa - wb
    n = 9 * k
    nx = wa * faces.normals[n] + wb * faces.normals[n + 3] + wc * faces.normals[n + 6]
    ny = wa * faces.normals[n + 1] + wb * faces.normals[n + 4] + wc * faces.normals[n + 7]
    nz = wa * faces.normals[n + 2] + wb * faces.normals[n + 5] + wc * faces.normals[n + 8]
    size = sqrt(nx * nx + ny * ny + nz * nz)
    if size > 0.0:
        side = 1.0 if nz >= 0.0 else -1.0
        nx = side * nx / size
        ny = side * ny / size
        nz = side * nz / size
    key = nx * KEY[0] + ny * KEY[1] + nz * KEY[2]
    mirrored = max(0.0, 2.0 * key * nz - KEY[2])
    shine = mirrored * mirrored
    shine = shine * shine
    shine = shine * shine
    other = nx * FILL[0] + ny * FILL[1] + nz * FILL[2]
    light[0] = AMBIENT + SKY * (0.5 + 0.5 * ny) + KEY_LIGHT * max(0.0, key)
    light[0] += FILL_LIGHT * max(0.0, other)
    light[1] = GLOSS * shine * shine


@kernel
def steepness(faces: Faces, k: Int, dx: Float, dy: Float) -> Float:
    """Return how much the nearness of triangle k changes along (dx, dy)."""
    ax, ay = faces.xy[6 * k], faces.xy[6 * k + 1]
    ux, uy = faces.xy[6 * k + 2] - ax, faces.xy[6 * k + 3] - ay
    vx, vy = faces.xy[6 * k + 4] - ax, faces.xy[6 * k + 5] - ay
    area = ux * vy - uy * vx
    u = faces.near[3 * k + 1] - faces.near[3 * k]
    v = faces.near[3 * k + 2] - faces.near[3 * k]
    return fabs((dx * (u * vy - v * uy) + dy * (v * ux - u * vx)) / area)


@kernel
def is_edge(
    faces: Faces,
    own: Int,
    other: Int,
    dx: Float,
    dy: Float,
    near: Float,
    beyond: Float,
    jump: Float,
) -> Int:
    """Return whether an outline runs between samples (dx, dy) apart; the nearer one has it.

    Within a patch it does where the surface steps back by more than it falls.
    """
    if own == other:
        return 0
    if other < 0:
        return 1
    if faces.patch[other] < 0:
        return 0
    if faces.patch[own] != faces.patch[other]:
        return 1 if near >= beyond - jump else 0
    if near <= beyond + jump:
        return 0
    fall = max(steepness(faces, own, dx, dy), steepness(faces, other, dx, dy))
    return 1 if near > beyond + jump + 2.0 * fall else 0


@kernel(inline=False)
def shade(
    faces: Faces,
    width: Int,
    top: Int,
    rows: Int,
    ss: Int,
    reach: Int,
    jump: Float,
    ink: Floats,
    near: Floats,
    face: Ints,
    light: Floats,
    out: Floats,
) -> None:
    """Write red, green, blue and coverage of the pixels of a band, colours times coverage.

    The buffers have `reach` more rows of samples above and below; they begin at row `top`.
    Outlines in the colour `ink` (with its opacity) are drawn on samples within `reach` of
    another patch, or of a step in nearness greater than `jump`.
    """
    pixels = width // ss
    high = rows + 2 * reach
    share = 1.0 / float(ss * ss)
    for j in range(rows):
        row = j + reach
        for i in range(width):
            own = face[row * width + i]
            if own < 0:
                continue
            material = 5 * own
            red, green, blue = (
                faces.material[material],
                faces.material[material + 1],
                faces.material[material + 2],
            )
            alpha = faces.material[material + 3]
            if faces.patch[own] >= 0:
                x = float(i) + 0.5
                y = float(top + row) + 0.5
                lit(faces, own, x, y, light)
                shine = light[1] * faces.material[material + 4]
                red = min(1.0, red * light[0] + shine)
                green = min(1.0, green * light[0] + shine)
                blue = min(1.0, blue * light[0] + shine)
                here = near[row * width + i]
                found = 0
                for dj in range(-1, 2):
                    for di in range(-1, 2):
                        wide = reach if di == 0 or dj == 0 else (reach * 3) // 4
                        v = row + dj * wide
                        u = i + di * wide
                        if found == 0 and 0 <= v and v < high and 0 <= u and u < width:
                            at = v * width + u
                            x, y = float(di * wide), float(dj * wide)
                            found = is_edge(
                                faces, own, face[at], x, y, here, near[at], jump
                            )
                if found == 1:
                    red += ink[3] * (ink[0] - red)
                    green += ink[3] * (ink[1] - green)
                    blue += ink[3] * (ink[2] - blue)
                    alpha = max(alpha, min(1.0, 2.5 * alpha))
            at = 4 * ((j // ss) * pixels + i // ss)
            out[at] += share * alpha * red
            out[at + 1] += share * alpha * green
            out[at + 2] += share * alpha * blue
            out[at + 3] += share * alpha


@kernel(inline=False)
def overlaps(
    faces: Faces,
    unit: Ints,
    width: Int,
    rows: Int,
    tie: Float,
    near: Floats,
    face: Ints,
    stamps: Ints,
    room: Int,
    pairs: Ints,
    row: Floats,
) -> Int:
    """Write which units of triangles must be painted before which; return how many pairs.

    In every sample, whatever is farther than the triangle that is seen there, by more than
    `tie`, is painted before it, and what is nearer (and transparent) after it. `stamps` is -1,
    twice for each unit. Pairs beyond `room` are counted, not written. `row` is that of
    `room_for_row`.
    """
    count = 0
    for k in range(faces.count):
        rows_of(faces, k, 0, rows, row)
        da, db, dc, area = row[0], row[1], row[2], row[6]
        own = unit[k]
        for j in range(floor(row[7]), floor(row[8])):
            columns_of(faces, k, j, width, row)
            ea, eb, ec = row[3], row[4], row[5]
            for i in range(floor(row[9]), floor(row[10])):
                x = float(i) + 0.5
                seen = face[j * width + i]
                if seen < 0:
                    continue
                other = unit[seen]
                if other == own:
                    continue
                wa, wb, wc = ea + da * x, eb + db * x, ec + dc * x
                if wa < 0.0 or wb < 0.0 or wc < 0.0:
                    continue
                za, zb, zc = faces.near[3 * k], faces.near[3 * k + 1], faces.near[3 * k + 2]
                z = (wa * za + wb * zb + wc * zc) / area
                if fabs(z - near[j * width + i]) < tie:
                    continue
                after = 1 if z > near[j * width + i] else 0
                if stamps[2 * other + after] == own:
                    continue
                stamps[2 * other + after] = own
                if count < room:
                    pairs[2 * count] = other if after == 1 else own
                    pairs[2 * count + 1] = own if after == 1 else other
                count += 1
    return count
