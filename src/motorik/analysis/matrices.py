"""Matrices of a mechanism, with names and units: mass matrix and Jacobians of frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.analysis.directional import DirectionalCode
from motorik.analysis.evaluate import named
from motorik.components.base.ports import Port, PortKind
from motorik.errors import UnknownNameError, suggest
from motorik.results.matrices import labelled_array

if TYPE_CHECKING:
    import xarray

    from motorik.analysis.configurations import Configurations
    from motorik.compiled_model import CompiledModel

COMPONENTS = ("w[1]", "w[2]", "w[3]", "v[1]", "v[2]", "v[3]")
UNITS = ("rad/s",) * 3 + ("m/s",) * 3
INERTIA = {  # ∂momentum/∂speed, by the units of the speeds of row and column
    ("m/s", "m/s"): "kg",
    ("m/s", "rad/s"): "kg.m",
    ("rad/s", "m/s"): "kg.m",
    ("rad/s", "rad/s"): "kg.m2",
}


def mass_matrix(rows: Configurations) -> xarray.DataArray:
    """Return the mass matrix M of the independent speeds s: kinetic energy is ½ ṡᵀ M ṡ."""
    system, T = rows.system, rows.motions
    own = rows.independent
    seeds = T.transpose(0, 2, 1).reshape(-1, system.n_u)
    n, still = own.size, np.zeros(system.n_u)
    given = [np.repeat(a, n, axis=0) for a in (_column(rows.time), rows.X)]
    p = rows.p if rows.p.ndim == 1 else np.repeat(rows.p, n, axis=0)
    code = DirectionalCode.of(system)
    moved = code.along("imbalance", (*given, still, p), {2: seeds})
    M = moved.reshape(len(rows), n, system.n_u) @ T
    M = 0.5 * (M + M.transpose(0, 2, 1))
    speeds = [system.mechanism.speeds[k] for k in own]
    names = [s.name for s in speeds]
    units = np.array(
        [[INERTIA.get((a.unit, b.unit), "") for b in speeds] for a in speeds], dtype=object
    ).reshape(n, n)
    coords = {
        "state": names,
        "state_of_column": names,
        "unit": (("state", "state_of_column"), units.astype(str)),
    }
    dims = ("row", "state", "state_of_column")
    found = labelled_array("mass_matrix", M, dims, coords)
    return found[0] if rows.is_one else found


def frame_jacobians(rows: Configurations, frames: str | Sequence[str]) -> xarray.DataArray:
    """Return the velocities of frames by the independent speeds: 6 × n for each frame.

    Angular velocity [rad/s] and then the velocity of the origin [m/s], resolved in the world.
    """
    system, T = rows.system, rows.motions
    names = named(frames, "frames")
    ports = tuple(find_frame(system, name) for name in names)
    n, own = T.shape[2], rows.independent
    seeds = T.transpose(0, 2, 1).reshape(-1, system.n_u)
    q, _, z = system.layout.split(rows.X)
    p = rows.p if rows.p.ndim == 1 else np.repeat(rows.p, n, axis=0)
    given = [np.repeat(a, n, axis=0) for a in (_column(rows.time), q, z)]
    code = DirectionalCode.of(system)
    moved = code.velocities_of(ports, (*given, seeds, p))
    J = moved.reshape(len(rows), n, len(ports), 6).transpose(0, 2, 3, 1)
    coords = {
        "frame": names,
        "component": list(COMPONENTS),
        "component_unit": ("component", list(UNITS)),
        "state": [system.mechanism.speeds[k].name for k in own],
        "state_unit": ("state", [system.mechanism.speeds[k].unit for k in own]),
    }
    found = labelled_array("jacobian", J, ("row", "frame", "component", "state"), coords)
    if rows.is_one:
        found = found[0]
    return found.sel(frame=names[0]) if isinstance(frames, str) else found


def find_frame(system: CompiledModel, name: str) -> Port:
    """Return the frame of a part by its name, or refuse one that is not there."""
    part, rest = system.equations.catalogue.find_part(name)
    whole = part.parts.get(rest)
    if whole is not None:
        own = [port.name for port in whole.ports() if port.kind is PortKind.FRAME]
        raise UnknownNameError(
            name,
            "is a part, not a frame.",
            f"Give one of its frames, {name + '.' + own[-1]!r}."
            if own
            else "Give a frame.",
            parameter="frames",
            value=name,
        )
    frames = {port.name: port for port in part.ports() if port.kind is PortKind.FRAME}
    if rest not in frames:
        where = part.path or part.label
        inner = [own for own in part.parts if own not in frames] if not frames else []
        raise UnknownNameError(
            where,
            f"has no frame {rest!r}.",
            suggest(rest, [*frames, *inner]),
            parameter="frames",
            value=name,
        )
    return frames[rest]


def _column(time: np.ndarray) -> np.ndarray:
    return time.reshape(-1, 1)
