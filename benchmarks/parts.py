"""Parts: what it costs to create each kind of part, and a model of a hundred engines."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable
from typing import Any

from benchmarks.report import print_machine, print_result
from motorik import (
    assemblies,
    blocks,
    constraints,
    electrical,
    forces,
    heat,
    hydraulic,
    joints,
    magnetic,
    parts,
    planar,
    rotational,
    sensors,
    translational,
)
from motorik.components.base.part import Part
from motorik.gallery import EngineV6
from motorik.model import Model

WINDOWS = (
    joints,
    parts,
    forces,
    sensors,
    assemblies,
    constraints,
    rotational,
    translational,
    blocks,
    electrical,
    heat,
    hydraulic,
    magnetic,
    planar,
)
ABSTRACT = (planar.SpatialVectorJoint, planar.VectorJoint)  # a user says what they hold
USUAL: dict[type[Part], dict[str, Any]] = {
    parts.Body: {"m": 2.0, "r_CM": (0.5, 0, 0), "I_11": 0.1, "I_22": 0.1, "I_33": 0.1},
    parts.BodyBox: {"r": (1, 0, 0), "width": 0.1},
    parts.BodyCylinder: {"r": (1, 0, 0), "diameter": 0.1},
    parts.BodyShape: {
        "m": 2.0,
        "r": (1, 0, 0),
        "r_CM": (0.5, 0, 0),
        "I_11": 0.1,
        "I_22": 0.1,
        "I_33": 0.1,
    },
    parts.FixedRotation: {"n": "x", "angle": 0.5},
    parts.FixedTranslation: {"r": (1, 0, 0)},
    joints.Prismatic: {"n": "x", "s": 0.1, "useAxisFlange": True},
    joints.Revolute: {"n": "z", "phi": 0.1, "useAxisFlange": True},
    parts.World: {"g": 9.81, "n": "-y"},
    blocks.BooleanExpression: {"f": lambda motion: motion.t > 1.0},
    blocks.Expression: {"f": lambda motion: 2 * motion.t},
    blocks.IntegerExpression: {"f": lambda motion: 2 * motion.t},
    planar.Curve: {"curve": lambda x, y: y - x * x},
}
REPEATS = 40
SLOWEST = 10
ENGINES = 100


def public_parts() -> Iterable[type[Part]]:
    """Return every kind of part that users create, each once."""
    found: dict[type[Part], None] = {}
    for window in WINDOWS:
        for name in getattr(window, "__all__", vars(window)):
            kind = getattr(window, name)
            is_part = isinstance(kind, type) and issubclass(kind, Part)
            if is_part and kind not in ABSTRACT and not name.startswith("_"):
                found[kind] = None
    return found


def time_creation(kind: type[Part], repeats: int = REPEATS) -> float:
    """Return the least time [s] that creating a part took."""
    given = USUAL.get(kind, {})
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        kind(**given)
        times.append(time.perf_counter() - start)
    return min(times)


def make_engines(count: int) -> Model:
    """Return a model of as many engines side by side, each with a world of its own."""
    model = Model()
    for k in range(count):
        setattr(model, f"engine{k}", EngineV6())
    return model


def name_of(kind: type[Part]) -> str:
    """Return the name of a kind of part; those of the plane are told from those of space."""
    return f"planar.{kind.__name__}" if "planar" in kind.__module__ else kind.__name__


def main() -> None:
    """Print the ten slowest parts, the median of all, and the engines."""
    print_machine()
    costs = {name_of(kind): 1e3 * time_creation(kind) for kind in public_parts()}
    for name in sorted(costs, key=costs.__getitem__, reverse=True)[:SLOWEST]:
        print_result(f"parts.create.{name}", costs[name], "ms")
    print_result("parts.create.median", statistics.median(costs.values()), "ms")
    start = time.process_time()  # seconds long: a busy machine must not count
    make_engines(ENGINES)
    print_result(f"parts.engines{ENGINES}.create", time.process_time() - start, "s")


if __name__ == "__main__":
    main()
