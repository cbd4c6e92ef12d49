"""Configurations: consistent motions of a model, row by row, and their independent speeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from motorik.analysis.pose_equations import PoseEquations
from motorik.analysis.tangent import independent_rows
from motorik.errors import (
    InitialValueError,
    ParameterError,
    SimulationError,
    UnknownNameError,
)
from motorik.immutable import immutable
from motorik.initialisation.given import finite_numbers
from motorik.numerics.tolerances import RANK

if TYPE_CHECKING:
    from motorik.analysis.operating_point import OperatingPoint
    from motorik.analysis.pose_equations import FollowedPoses
    from motorik.compiled_model import CompiledModel
    from motorik.results.model_result import ModelResult


@immutable(eq=False)
class Configurations:
    """Motions X of a system at times t with parameters p, a row each, with loops closed.

    `is_one` is set where a single state was asked for: what is found of it has no rows.
    """

    system: CompiledModel
    time: np.ndarray
    X: np.ndarray
    p: np.ndarray
    is_one: bool = False

    @staticmethod
    def at(point: OperatingPoint) -> Configurations:
        """Return the configuration of one state."""
        return Configurations(point.system, point.time, point.X[None], point.p, True)

    @staticmethod
    def along(point: OperatingPoint, values: Mapping[str, np.ndarray]) -> Configurations:
        """Return the configurations at rows of values of states by name, continued from a point.

        The other states stay as at the point where they can; loops are closed on its branch.
        """
        system, layout = point.system, point.system.layout
        (count,) = {len(own) for own in values.values()}
        X = np.tile(point.X, (count, 1))
        places = {name: _place(system, name) for name in values}
        driven = [name for name, k in places.items() if k < layout.n_q]
        for name, k in places.items():
            X[:, k] = values[name]
        q, _, z = layout.split(point.X)
        if driven:
            equations = PoseEquations.of(system, driven)
            given = point.time, z, point.live
            wanted = np.column_stack([values[name] for name in driven])
            begin = q[[places[name] for name in driven]][None]
            found = equations.follow(
                q,
                equations.given_rows(*given, begin)[0],
                equations.given_rows(*given, wanted),
            )
            if not found.reached.all():
                refuse_row(system, driven, wanted, found)
            X[:, : layout.n_q] = found.q
        rows = Configurations(system, np.broadcast_to(point.time, (count,)), X, point.p)
        fast = [k - layout.n_q for k in places.values() if 0 <= k - layout.n_q < layout.n_u]
        u = X[:, layout.n_q : layout.n_q + layout.n_u]
        u[:] = rows.with_speeds(u, fast)
        return rows

    @staticmethod
    def of(result: ModelResult) -> Configurations:
        """Return the configurations of a run, one for each output time."""
        own = result._samples
        return Configurations(result._system, own.time, own.motion, own.parameters)

    def __len__(self) -> int:
        return len(self.X)

    # --- speeds ----------------------------------------------------------------------------

    @cached_property
    def constraint_rows(self) -> np.ndarray:
        """The constraint Jacobian G of each row, without units."""
        system = self.system
        count = system.equations.n_multipliers if not system.formulation.is_empty else 0
        G = np.zeros((len(self), count, system.n_u))
        if count:
            pattern = np.array(system.formulation.constraints.pattern, dtype=int)
            pattern = pattern.reshape(-1, 2)
            G[:, pattern[:, 0], pattern[:, 1]] = self.map("constraint_entries")
            G *= system.scales.speeds / system.scales.constraints[:, None]
        return G

    def map(self, name: str) -> np.ndarray:
        """Return one of the system's functions of (t, X, p) for all rows."""
        function = self.system.natives.for_samples(name, len(self))
        return function.map(self.time.reshape(-1, 1), self.X, self.p)

    def with_speeds(self, u: np.ndarray, fixed: Sequence[int]) -> np.ndarray:
        """Return speeds of which those `fixed` are kept and the others meet the constraints.

        Others that the constraints do not determine are changed least.
        """
        system, n_q, G = self.system, self.system.n_q, self.constraint_rows
        if not G.shape[1]:
            return u
        moving = self.X.copy()
        moving[:, n_q : n_q + system.n_u] = u
        rows = Configurations(system, self.time, moving, self.p)
        missed = rows.map("constraints")[:, -G.shape[1] :] / system.scales.constraints
        return u + self.completed(missed, fixed)

    def completed(self, missed: np.ndarray, fixed: Sequence[int]) -> np.ndarray:
        """Return the least changes c, zero where `fixed`, with G c = −missed, in units."""
        G, system = self.constraint_rows, self.system
        free = np.setdiff1d(np.arange(system.n_u), np.asarray(fixed, dtype=int))
        changes = np.zeros((len(self), system.n_u))
        step = -np.linalg.pinv(G[:, :, free], rcond=RANK) @ missed[:, :, None]
        changes[:, free] = step[:, :, 0] * system.scales.speeds[free]
        return changes

    # --- independent speeds ----------------------------------------------------------------

    @cached_property
    def independent(self) -> np.ndarray:
        """The numbers of independent speeds: as many as there are free motions."""
        system, G = self.system, self.constraint_rows
        if not G.shape[1]:
            return np.arange(system.n_u)
        B = null_space(G[0])
        states = list(system.layout.state_u)
        rest = [k for k in range(system.n_u) if k not in set(states)]
        return np.array(independent_rows(B, [states, rest]), dtype=np.intp)

    @cached_property
    def motions(self) -> np.ndarray:
        """All speeds per unit of each independent one: (row, speed, independent speed)."""
        system, own = self.system, self.independent
        G, unit = self.constraint_rows, self.system.scales.speeds
        found = np.zeros((len(self), system.n_u, own.size))
        found[:, own, np.arange(own.size)] = 1.0
        if not G.shape[1]:
            return found
        rest = np.setdiff1d(np.arange(system.n_u), own)
        if rest.size:
            U, sizes, V = np.linalg.svd(G[:, :, rest], full_matrices=False)
            strong = sizes > RANK * sizes[:, :1]
            short = strong.sum(axis=1) < rest.size
            if short.any():
                self._refuse_singular(int(np.argmax(short)))
            right = U.transpose(0, 2, 1) @ G[:, :, own]
            found[:, rest] = -(V.transpose(0, 2, 1) @ (right / sizes[:, :, None]))
            found[:, rest] *= unit[rest][:, None] / unit[own]
        return found

    def _refuse_singular(self, row: int) -> NoReturn:
        system = self.system
        names = [system.mechanism.speeds[k].name for k in self.independent]
        own = ", ".join(names) or "no speed"
        first = self.system.layout.coordinates
        at = ", ".join(
            f"{s.name} = {v:.6g}" for s, v in zip(first[:6], self.X[row], strict=False)
        )
        raise SimulationError(
            system.facts.name,
            f"in row {row} the mechanism is at a dead centre, where {own} do not determine "
            f"all motion: {at}.",
            "Leave this row out, or ask for it alone.",
            parameter="at",
            value=row,
        )


def null_space(G: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis of the motions that G allows, one column each."""
    if not G.size:
        return np.eye(G.shape[1])
    _, sizes, V = np.linalg.svd(G)
    rank = int(np.sum(sizes > RANK * max(float(sizes.max()), 1e-300)))
    return V[rank:].T


def _place(system: CompiledModel, name: str) -> int:
    """Return the place of a state in the motion."""
    from motorik.errors import suggest

    index = system.layout.index
    if name not in index:
        raise UnknownNameError(
            "at",
            f"there is no state {name!r}.",
            suggest(str(name), list(index)),
            parameter="at",
            value=name,
        )
    return index[name]


def refuse_row(
    system: CompiledModel, names: Sequence[str], wanted: np.ndarray, found: FollowedPoses
) -> NoReturn:
    """Raise the error of the first row of given values that the loops cannot follow."""
    row = int(np.argmin(found.reached))
    end = found.stopped[row][-wanted.shape[1] :]
    raise InitialValueError(
        system.facts.name,
        f"the loops cannot be followed to row {row}, {said(system, names, wanted[row])}: "
        f"{said(system, names, end)} is as far as they go on this branch.",
        "Give values within reach (model.sweep_kinematics shows it), or begin elsewhere by "
        "loops=LoopOptions(branch=…).",
        parameter=names[0],
        value=tuple(wanted[row].tolist()),
    )


def said(system: CompiledModel, names: Sequence[str], values: np.ndarray) -> str:
    """Return variables with their values in words."""
    words, at = [], 0
    for name in names:
        entry, _ = system.equations.catalogue.find(name)
        count = int(np.prod(system.shape_of(name), dtype=int))
        own = [f"{v:.6g}" for v in values[at : at + count]]
        at += count
        value = own[0] if count == 1 else f"({', '.join(own)})"
        unit = f" {entry.unit}" if entry.unit not in ("", "1") else ""
        words.append(f"{name} = {value}{unit}")
    return ", ".join(words)


def rows_of(values: Mapping[str, object], argument: str) -> dict[str, np.ndarray] | None:
    """Return values by name as rows of one length, None where none of them is an array."""
    many = {name: own for name, own in values.items() if np.ndim(own) > 0}  # type: ignore[arg-type]
    if not many:
        return None
    arrays = {
        name: finite_numbers(name, own, "Give a number, or one for each row.")
        for name, own in values.items()
    }
    counts = {name: own.size for name, own in arrays.items() if own.ndim}
    first, count = next(iter(counts.items()))
    for name, own in arrays.items():
        if own.ndim > 1 or not own.size:
            raise ParameterError(
                name,
                f"has the shape {own.shape}.",
                "Give a number, or a list of numbers, one for each row.",
                parameter=argument,
                value=own.shape,
            )
        if own.ndim == 1 and own.size != count:
            raise ParameterError(
                name,
                f"has the shape {own.shape} where {first} has {count} values.",
                "Give a number, or one for each row.",
                parameter=argument,
                value=own.shape,
            )
    return {name: np.broadcast_to(own, (count,)) for name, own in arrays.items()}
