"""The kinds of random mechanisms, by name."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import numpy as np

from validation.fuzz.assemblies import assembly
from validation.fuzz.drawing import Drawing
from validation.fuzz.drives import driven
from validation.fuzz.linkages import clusters, mixed, plane_loops
from validation.fuzz.planar_library import library
from validation.fuzz.spatial import platform, ring, rods
from validation.fuzz.trees import tree, wheels
from validation.fuzz.units import Units

KINDS: dict[str, Callable[[Drawing], None]] = {
    "tree": tree,
    "plane": plane_loops,
    "ring": ring,
    "clusters": clusters,
    "driven": driven,
    "rods": rods,
    "mixed": mixed,
    "assembly": assembly,
    "library": library,
    "platform": platform,
    "wheels": wheels,
}
PLAIN = 1 / 2  # of all cases are of the order of one in SI units


def draw(
    kind: str, seed: int, number: int, is_plain: bool = False
) -> tuple[Drawing, Units]:
    """Return the mechanism of a case, and the units in which it is built.

    If it `is_plain`, they are natural ones.
    """
    rng = np.random.default_rng([seed, number, zlib.crc32(kind.encode())])
    units = Units()
    if rng.random() > PLAIN:
        units = Units(*(float(10.0 ** rng.integers(-6, 7)) for _ in range(3)))
    drawing = Drawing(kind, rng)
    KINDS[kind](drawing)
    return drawing, Units() if is_plain else units
