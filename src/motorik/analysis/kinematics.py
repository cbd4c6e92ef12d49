"""Kinematics of a mechanism that is driven through given positions, without masses and forces."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from motorik.analysis.configurations import Configurations
from motorik.analysis.evaluate import named
from motorik.analysis.pose_equations import PoseEquations
from motorik.errors import ParameterError, refuse_pickle
from motorik.immutable import immutable
from motorik.initialisation.given import finite_numbers
from motorik.numerics.tolerances import PENETRATION
from motorik.results.matrices import labelled_dataset
from motorik.results.run_info import RunInfo

if TYPE_CHECKING:
    import xarray

    from motorik.analysis.operating_point import OperatingPoint
    from motorik.compiled_model import CompiledModel
    from motorik.results.model_result import ModelResult

SAME_PLACE = 1e-3  # dead points nearer than this, in scales, are one
SEEN = 5  # dead points that are listed in words


@immutable
class DeadPoint:
    """A place beyond which the drives cannot move a mechanism on its branch.

    `values` are those of the drives there; `moves` names the coordinates that the drives do not
    determine there, most moving first; `branch` is the assembly mode; `stop` is the joint whose
    stop is reached, if it is no dead centre.
    """

    values: dict[str, float]
    moves: tuple[str, ...]
    branch: str = ""
    stop: str = ""

    def __str__(self) -> str:
        at = ", ".join(f"{name} = {value:.6g}" for name, value in self.values.items())
        where = f" on the branch {self.branch}" if self.branch else ""
        if self.stop:
            return f"{at}{where}: beyond a stop of {self.stop}"
        return f"{at}{where}: {', '.join(self.moves[:3])} may turn either way"


@immutable(eq=False)
class KinematicSweep:
    """The poses of a mechanism over a grid of values of its drives.

    ``sweep["hub.frame_b.r_0"]`` is any variable at rest there, as an `xarray.DataArray` with a
    dimension for each drive and one for the branches, if several were asked for; it is no number
    where the mechanism cannot go. `reached` says where it can: the workspace. `dead_points`
    are the places at which it ends.
    """

    system: CompiledModel
    drives: dict[str, np.ndarray]
    branches: tuple[str, ...]
    rows: Configurations  # those of all branches, one after the other
    went: np.ndarray  # whether a row is reached
    dead_points: tuple[DeadPoint, ...]

    def __reduce__(self) -> tuple[object, ...]:
        refuse_pickle("sweep", "Pickle `to_xarray(names)` of it.")

    @property
    def shape(self) -> tuple[int, ...]:
        """The numbers of values of the drives, after that of branches, if there are several."""
        counts = tuple(own.size for own in self.drives.values())
        return (len(self.branches), *counts) if self.branches else counts

    @property
    def reached(self) -> xarray.DataArray:
        """Whether the mechanism can go there."""
        return self.to_xarray(())["reached"]

    def __getitem__(self, name: str) -> xarray.DataArray:
        """Return a variable over the drives."""
        return self.to_xarray(name)[name]

    def to_xarray(self, names: str | Sequence[str]) -> xarray.Dataset:
        """Return variables over the drives, with units, and `reached`."""
        wanted = named(names)
        dims = (*(("branch",) if self.branches else ()), *self.drives)
        found: dict[str, tuple[tuple[str, ...], np.ndarray]] = {
            "reached": (dims, self.went.reshape(self.shape))
        }
        units = {name: self._unit(name) for name in wanted}
        for name, values in self._values(wanted).items():
            own = values.shape[1:]
            inner = tuple(f"{name}_{k + 1}" for k in range(len(own)))
            found[name] = (*dims, *inner), values.reshape(*self.shape, *own)
        coords: dict[str, object] = {
            name: (name, own, {"units": self._unit(name)})
            for name, own in self.drives.items()
        }
        if self.branches:
            coords["branch"] = list(self.branches)
        return labelled_dataset(found, coords, units)

    def _values(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        if not names:
            return {}
        index, X = self.system.layout.index, self.rows.X
        found = {name: X[:, index[name]] for name in names if name in index}
        rest = [name for name in names if name not in index]
        if rest:
            given = self.rows.time, X, self.rows.p
            found |= self.system.output_samples(*given).values(rest)
        off = ~self.went
        for name, values in found.items():
            found[name] = values.astype(float)
            found[name][off] = math.nan
        return found

    def _unit(self, name: str) -> str:
        index = self.system.layout.index
        if name in index:
            return self.system.layout.motion[index[name]].unit
        return self.system.equations.catalogue.find(name)[0].unit

    def result(self, duration: float = 1.0) -> ModelResult:
        """Return the poses that are reached, one after the other, as a result to be shown.

        Its time [s] is only their order: the whole sweep takes `duration`.
        """
        from motorik.results.model_result import ModelResult

        X = self.rows.X[self.went]
        time = np.linspace(0.0, duration, max(len(X), 1))[: len(X)]
        p = self.rows.p if self.rows.p.ndim == 1 else self.rows.p[self.went]
        text = f"kinematics: {', '.join(self.drives)}"
        info = RunInfo("kinematics", max(len(X) - 1, 0), 0, 0, 0, 0.0, True, text)
        return ModelResult(self.system, time, X, p, info)

    def __repr__(self) -> str:
        size = " × ".join(map(str, self.shape))
        over = ", ".join(
            f"{name} {own.min():.6g} … {own.max():.6g} {self._unit(name)}"
            for name, own in self.drives.items()
        )
        lines = [f"KinematicSweep of {size} poses: {over}; {int(self.went.sum())} reached"]
        lines += [f"  dead point at {point}" for point in self.dead_points[:SEEN]]
        if len(self.dead_points) > SEEN:
            lines.append(f"  and {len(self.dead_points) - SEEN} more dead points")
        return "\n".join(lines)


def check_drives(
    drives: str | Mapping[str, object], values: object
) -> dict[str, np.ndarray]:
    """Return the values of all drives, or refuse what are none."""
    if isinstance(drives, str):
        drives = {drives: values}
    elif not isinstance(drives, Mapping) or values is not None or not drives:
        raise ParameterError(
            "drives",
            f"{drives!r} is neither a name with values nor a dict of values by name.",
            'Give e.g. "jack.s", np.linspace(0, 0.1, 50), or {"jack.s": …, "rack.s": …}.',
            parameter="drives",
            value=drives,
        )
    found = {}
    for name, own in drives.items():
        array = finite_numbers(str(name), own, "Give the values of the drive.")
        if array.ndim != 1 or not array.size:
            raise ParameterError(
                str(name),
                f"has values of the shape {array.shape}.",
                "Give a list of numbers in SI units.",
                parameter="values",
                value=own,
            )
        found[name] = array
    return found


def sweep_kinematics(
    points: Mapping[str, OperatingPoint], drives: Mapping[str, np.ndarray]
) -> KinematicSweep:
    """Return the poses over a grid of values of drives, on the branch of each point."""
    (first, *_) = points.values()
    rows, went, dead = [], [], []
    for branch, point in points.items():
        own, reached, ends = _grid(point, drives)
        rows.append(own)
        went.append(reached)
        dead += [DeadPoint(end.values, end.moves, branch, end.stop) for end in ends]
    count = len(went[0])
    p = first.p
    if len(rows) > 1:
        p = np.repeat(np.array([point.p for point in points.values()]), count, axis=0)
    X = np.vstack(rows)
    time = np.broadcast_to(first.time, (len(X),))
    names = tuple(points) if len(points) > 1 else ()
    all_rows = Configurations(first.system, time, X, p)
    return KinematicSweep(
        first.system, dict(drives), names, all_rows, np.concatenate(went), tuple(dead)
    )


def _grid(
    point: OperatingPoint, drives: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, np.ndarray, list[DeadPoint]]:
    """Return the motion, what is reached and where it ends, row by row of the grid."""
    system, layout = point.system, point.system.layout
    equations = PoseEquations.of(system, list(drives))
    _refuse_vectors(equations)
    q, _, z = layout.split(point.X)
    grid = np.array(list(product(*drives.values())))
    shape = tuple(own.size for own in drives.values())
    order = _serpentine(shape)
    at_start = equations.values(point.time, q, z, point.live)
    given = point.time, z, point.live
    begin = equations.given_rows(*given, at_start[None])[0]
    rows = equations.given_rows(*given, grid)
    for name, row in equations.prescribed(q, rows).items():
        place = list(drives).index(name)
        raise ParameterError(
            name,
            f"is prescribed as {at_start[place]:.6g}, and cannot become {grid[row, place]:.6g}.",
            "Drive another coordinate, or change the source that prescribes it by parameters={…}.",
            parameter="drives",
            value=float(grid[row, place]),
        )
    found = equations.follow(q, begin, rows[order])
    poses, went, stopped = found.q.copy(), found.reached.copy(), found.stopped.copy()
    poses[order], went[order], stopped[order] = found.q, found.reached, found.stopped
    if len(shape) > 1:
        _reach_from_neighbours(equations, rows, shape, poses, went, stopped)
    beyond = _within_stops(equations, point, q, rows, poses, went)
    X = np.tile(point.X, (len(grid), 1))
    X[:, : layout.n_q] = poses
    X[:, layout.n_q : layout.n_q + layout.n_u] = 0.0
    ends: list[DeadPoint] = []
    places: list[np.ndarray] = []
    for i in order[~went[order]].tolist():
        end = grid[i] if beyond[i] else stopped[i][-len(drives) :]
        if any(np.abs((end - o) / equations.scales).max() < SAME_PLACE for o in places):
            continue
        places.append(end)
        moves = () if beyond[i] else equations.undetermined(poses[i], stopped[i])
        values = dict(zip(drives, end.tolist(), strict=True))
        ends.append(DeadPoint(values, moves, stop=beyond[i]))
    return X, went, ends


def _within_stops(
    equations: PoseEquations,
    point: OperatingPoint,
    q: np.ndarray,
    rows: np.ndarray,
    poses: np.ndarray,
    went: np.ndarray,
) -> list[str]:
    """Find poses within the stops of joints, or name for each row the stop that prevents it."""
    system, found = point.system, [""] * len(rows)
    bounds = equations.stops(point.live)
    room = PENETRATION * np.maximum(system.scales.coordinates, np.abs(poses))
    off = (poses < bounds[0] - room) | (poses > bounds[1] + room)
    far = np.flatnonzero(went & off.any(axis=1))
    if not far.size:
        return found
    within = equations.solve(q, rows[far], bounds, q[None])
    own = within.q
    inside = (own >= bounds[0] - room[far]) & (own <= bounds[1] + room[far])
    is_met = within.reached & inside.all(axis=1)
    poses[far[is_met]] = own[is_met]
    for i in far[~is_met].tolist():
        went[i] = False
        found[i] = system.layout.coordinates[int(np.argmax(off[i]))].name
    return found


def _refuse_vectors(equations: PoseEquations) -> None:
    for name, size in zip(equations.names, equations.sizes, strict=True):
        if size != 1:
            raise ParameterError(
                name,
                f"is {size} numbers.",
                f"Drive one of them, such as {name + '[1]'!r}, or several by a dict.",
                parameter="drives",
                value=name,
            )


def _serpentine(shape: Sequence[int]) -> np.ndarray:
    """Return the places of a grid in an order in which each is beside the one before."""
    order = np.zeros((1, 0), dtype=int)
    for count in shape:
        up = np.arange(count)
        parts = [
            np.column_stack([np.tile(line, (count, 1)), up if k % 2 == 0 else up[::-1]])
            for k, line in enumerate(order)
        ]
        order = np.vstack(parts)
    return np.asarray(np.ravel_multi_index(tuple(order.T), tuple(shape)))


def _reach_from_neighbours(
    equations: PoseEquations,
    rows: np.ndarray,
    shape: Sequence[int],
    poses: np.ndarray,
    went: np.ndarray,
    stopped: np.ndarray,
) -> None:
    """Try what is not reached from each neighbour that is, as long as more is reached."""
    steps = [math.prod(shape[k + 1 :]) for k in range(len(shape))]
    rest = list(np.flatnonzero(~went))
    tried: set[tuple[int, int]] = set()
    while rest:
        i = int(rest.pop())
        if went[i]:
            continue
        place = np.unravel_index(i, tuple(shape))
        beside = [
            i + way * step
            for k, step in enumerate(steps)
            for way in (-1, 1)
            if 0 <= place[k] + way < shape[k]
        ]
        for j in beside:
            if not went[j] or (i, j) in tried:
                continue
            tried.add((i, j))
            found = equations.follow(poses[j], rows[j], rows[i : i + 1])
            if found.reached[0]:
                poses[i], went[i] = found.q[0], True
                rest += [k for k in beside if not went[k]]
                break
            stopped[i] = found.stopped[0]
