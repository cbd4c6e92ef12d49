"""Linearisation: the linear equations of small motions about a state, by names and units."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from motorik.analysis.directional import DirectionalCode, work_of
from motorik.analysis.evaluate import named
from motorik.analysis.modes import Modes
from motorik.analysis.operating_point import OperatingPoint
from motorik.analysis.tangent import Tangent, state_scales
from motorik.errors import (
    MotorikError,
    ParameterError,
    SimulationError,
    UnknownNameError,
    refuse_pickle,
    suggest,
)
from motorik.immutable import immutable
from motorik.numerics.tolerances import DEPENDENCE, RANK, ROUNDING, STATIONARY_RATE
from motorik.results.matrices import labelled_matrices

if TYPE_CHECKING:
    import casadi
    import xarray

Force = {"rad": "N.m", "m": "N"}  # along a coordinate, by its unit


@immutable
class Linearization:
    """Small motions about a state: E δṡ = A δs + B δu, δy = C δs + D δu.

    `states` are the names of s, `inputs` of u, `outputs` of y, with their units in
    `state_units`, `input_units`, `output_units`; `at` are the states themselves. E is None
    (the unit matrix) in minimal form; in descriptor form s are all coordinates and speeds and
    the multipliers of constraints. `held` names the parts whose freedoms friction or contact
    holds: "stuck" or "closed".
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    state_units: tuple[str, ...]
    input_units: tuple[str, ...]
    output_units: tuple[str, ...]
    at: dict[str, float]
    held: dict[str, str]
    point: OperatingPoint
    motion: np.ndarray  # δX = motion δs: all coordinates, speeds and states of blocks
    E: np.ndarray | None = None

    def __reduce__(self) -> tuple[object, ...]:
        refuse_pickle(
            "linearization", "Pickle `to_xarray()` of it, or the arrays A, B, C, D."
        )

    def to_xarray(self) -> xarray.Dataset:
        """Return the matrices with the names of their rows and columns; `rate` are rows of A."""
        matrices = {
            "A": (("rate", "state"), self.A),
            "B": (("rate", "input"), self.B),
            "C": (("output", "state"), self.C),
            "D": (("output", "input"), self.D),
        }
        if self.E is not None:
            matrices["E"] = (("rate", "state"), self.E)
        names = {"state": self.states, "input": self.inputs, "output": self.outputs}
        units = {
            "state": self.state_units,
            "input": self.input_units,
            "output": self.output_units,
        }
        rates = [f"der({name})" for name in self.states]
        return labelled_matrices(matrices, {"rate": rates, **names}, units)

    def to_control(self) -> object:
        """Return the system as `control.StateSpace` (python-control needed).

        Its names are those here, with "_" for each dot, which python-control does not allow.
        """
        if self.E is not None:
            raise SimulationError(
                "to_control",
                "a StateSpace has no matrix E.",
                'Linearise with form="minimal".',
                parameter="form",
                value="descriptor",
            )
        try:
            control = import_module("control")
        except ImportError as error:
            raise MotorikError(
                "to_control",
                "the package control is not installed.",
                "Install it, pip install control, or use the arrays A, B, C, D.",
            ) from error
        names = {
            kind: [name.replace(".", "_") for name in own]
            for kind, own in (
                ("states", self.states),
                ("inputs", self.inputs),
                ("outputs", self.outputs),
            )
        }
        return control.ss(self.A, self.B, self.C, self.D, **names)

    def modes(self) -> Modes:
        """Return the modes of the free small motions, by rising natural frequency."""
        if self.E is not None:
            raise SimulationError(
                "modes",
                "the descriptor form has multipliers, which have no modes.",
                'Linearise with form="minimal".',
                parameter="form",
                value="descriptor",
            )
        return Modes.of(self.point, self.A, self.motion)

    def __repr__(self) -> str:
        lines = [f"Linearization with {len(self.states)} states at t = {self.point.t:g} s"]
        for title, names, units in (
            ("states", self.states, self.state_units),
            ("inputs", self.inputs, self.input_units),
            ("outputs", self.outputs, self.output_units),
        ):
            shown = [f"{n} [{u}]" if u else n for n, u in zip(names, units, strict=True)]
            lines.append(f"  {title}: {', '.join(shown) or 'none'}")
        if self.held:
            own = (f"{part} ({mode})" for part, mode in self.held.items())
            lines.append(f"  held: {', '.join(own)}")
        return "\n".join(lines)


@immutable
class InputEntries:
    """InputEntries as changes of p and of generalised forces, one row for each."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    p: np.ndarray
    tau: np.ndarray

    @staticmethod
    def of(point: OperatingPoint, names: Sequence[str]) -> InputEntries:
        """Return the meaning of names: live parameters, signals, coordinates that are driven."""
        system, layout = point.system, point.system.layout
        places = {**layout.live_names, **layout.kept_signals}
        p, tau = np.zeros((len(names), point.p.size)), np.zeros((len(names), system.n_u))
        units = []
        for k, name in enumerate(names):
            if name in places:
                p[k, places[name]] = 1.0
                units.append(layout.live[places[name]].parameter.unit)
                _refuse_designed(point, name, places[name])
                continue
            try:
                work = work_of(system, name)
            except UnknownNameError:
                driven = [s.name for s in layout.coordinates]
                raise UnknownNameError(
                    "inputs",
                    f"no live parameter, Discrete signal or coordinate {name!r}.",
                    suggest(name, [*places, *driven]),
                    parameter="inputs",
                    value=name,
                ) from None
            q = layout.split(point.X)[0]
            tau[k] = np.array(work(q, point.live), dtype=float).reshape(-1)
            at = layout.index.get(name)
            unit = "rad" if at is None else layout.motion[at].unit
            units.append(Force.get(unit, ""))
        return InputEntries(tuple(names), tuple(units), p, tau)


def _refuse_designed(point: OperatingPoint, name: str, place: int) -> None:
    """Refuse a parameter by which the design pose changes: others follow from it there."""
    system, live = point.system, point.live
    if not system.n_designed:
        return
    moved = live.copy()
    moved[place] += 1e-3 * max(1.0, abs(moved[place]))
    designed = slice(live.size - system.n_designed, None)
    if not np.array_equal(system.completed(moved)[designed], live[designed]):
        raise ParameterError(
            name,
            "changes the design pose, from which other values follow: it cannot be an input.",
            "Linearise at several values of it: parameters={…}.",
            parameter=name,
            value=float(live[place]),
        )


@immutable(eq=False)
class OutputEntries:
    """OutputEntries, entry by entry, and their derivatives at a state."""

    point: OperatingPoint
    code: DirectionalCode
    wanted: list[str]
    names: tuple[str, ...]
    units: tuple[str, ...]

    @staticmethod
    def of(
        point: OperatingPoint, code: DirectionalCode, wanted: list[str]
    ) -> OutputEntries:
        """Return the entries of variables, with their units."""
        system, names, units = point.system, [], []
        for name in wanted:
            unit = system.equations.catalogue.find(name)[0].unit
            for index in np.ndindex(*system.shape_of(name)):
                at = ",".join(str(k + 1) for k in index)
                names.append(f"{name}[{at}]" if at else name)
                units.append(unit)
        return OutputEntries(point, code, wanted, tuple(names), tuple(units))

    def along(
        self, dX: np.ndarray, dud: np.ndarray, dp: np.ndarray, dtau: np.ndarray
    ) -> np.ndarray:
        """Return their changes with the motion, its accelerations, p and τ, row by row."""
        if not self.wanted:
            return np.zeros((len(dX), 0))
        point, system = self.point, self.point.system
        layout, p = system.layout, point.with_forces()
        samples = system.output_samples(point.time, point.X[None], point.p)
        q, u, z = layout.split(point.X)
        ud, lambdas = layout.split(samples.rates[0])[1], samples.multipliers[0]
        dq, du, dz = layout.split(dX)
        changes = {1: dq, 2: du, 3: dud, 4: dz, 6: dp}
        if lambdas.size and _needs_multipliers(system.output_function(self.wanted)):
            moved = dX, dud, dp, dtau
            changes[5] = _multiplier_changes(point, self.code, p, ud, lambdas, moved)
        given = point.time, q, u, ud, z, lambdas, p
        return self.code.outputs_along(self.wanted, given, changes)


FORMS = ("minimal", "descriptor")


def linearize(
    point: OperatingPoint,
    inputs: str | Sequence[str] = (),
    outputs: str | Sequence[str] = (),
    *,
    anywhere: bool = False,
    form: str = "minimal",
) -> Linearization:
    """Return the linear equations about a state.

    A state that moves on is refused unless `anywhere` is true: then the equations are those
    of the difference to the motion, at this instant. The descriptor form of a mechanism with
    loops always needs an equilibrium: the coefficients of its constraints change otherwise.
    """
    if form not in FORMS:
        raise ParameterError(
            "form",
            f"{form!r} is no form of linear equations.",
            suggest(form, FORMS),
            parameter="form",
            value=form,
        )
    system, layout = point.system, point.system.layout
    code, tangent = DirectionalCode.of(system), Tangent.at(point)
    given = InputEntries.of(point, _once(inputs, "inputs"))
    read = OutputEntries.of(point, code, _once(outputs, "outputs"))
    S, n_s, n = tangent.minimal, len(tangent.minimal), system.n_x
    seeds = {
        1: np.vstack([tangent.T.T, tangent.by_parameters(point, given.p)]),
        2: np.vstack([np.zeros((n_s, system.n_u)), given.tau]),
        3: np.vstack([np.zeros((n_s, point.p.size)), given.p]),
    }
    at = point.time, point.x, np.zeros(system.n_u), point.p
    moved = code.along("driven", at, seeds)
    motion = code.along("full_state", (at[0], at[1], at[3]), {1: seeds[1], 2: seeds[3]})
    dp = seeds[3].copy()
    if system.nonsmooth is not None:
        dp[:, layout.nonsmooth.columns.force] = moved[:, n + system.n_u :]
    change = read.along(motion, moved[:, n : n + system.n_u], dp, seeds[2])
    A, C = moved[:n_s, S].T, change[:n_s].T
    if not anywhere or (form == "descriptor" and system.equations.n_multipliers):
        _check_stationary(point, code.value("driven", *at)[:n], A, C, tangent)
    states = tuple(layout.states[k].name for k in S)
    found = Linearization(
        A,
        moved[n_s:, S].T,
        C,
        change[n_s:].T,
        states,
        given.names,
        read.names,
        tuple(layout.states[k].unit for k in S),
        given.units,
        read.units,
        {name: float(point.x[k]) for name, k in zip(states, S, strict=True)},
        point.held,
        point,
        motion[:n_s].T,
    )
    if form == "minimal":
        return found
    from motorik.analysis.descriptor import in_descriptor_form

    return in_descriptor_form(found, given, read)


def _once(names: str | Sequence[str], argument: str) -> list[str]:
    """Return names as a list, or refuse one that is there twice."""
    own = named(names, argument)
    twice = [name for k, name in enumerate(own) if name in own[:k]]
    if twice:
        raise ParameterError(
            argument,
            f"{twice[0]!r} is named twice.",
            "Name it once.",
            parameter=argument,
            value=twice[0],
        )
    return own


def _needs_multipliers(function: casadi.Function) -> bool:
    return bool(function.jac_sparsity(0, 5).nnz())


def _multiplier_changes(
    point: OperatingPoint,
    code: DirectionalCode,
    p: np.ndarray,
    ud: np.ndarray,
    lambdas: np.ndarray,
    changes: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
) -> np.ndarray:
    """Return changes of the multipliers: Gᵀ δλ = δ(M u̇ + h) − δτ − δGᵀ λ, of least norm."""
    system, scales = point.system, point.system.scales
    pattern = np.array(system.formulation.constraints.pattern, dtype=int).reshape(-1, 2)
    dX, dud, dp, dtau = changes
    at = point.time, point.X, ud, p
    right = code.along("imbalance", at, {1: dX, 2: dud, 3: dp}) - dtau
    dG = code.along("constraint_entries", (at[0], at[1], p), {1: dX, 2: dp})
    entries = code.value("constraint_entries", at[0], at[1], p)
    for k, (row, column) in enumerate(pattern):
        right[:, column] -= dG[:, k] * lambdas[row]
    G = np.zeros((lambdas.size, system.n_u))
    G[pattern[:, 0], pattern[:, 1]] = entries
    G = G * scales.speeds / scales.constraints[:, None]
    found = (right * scales.speeds) @ np.linalg.pinv(G, rcond=RANK)
    return found / scales.constraints


def _depends(rows: np.ndarray, unit: np.ndarray, largest: float = 0.0) -> np.ndarray:
    """Return on which states rows depend by more than rounding of their largest entries."""
    sizes = np.abs(rows) * unit
    most = np.maximum(sizes.max(axis=1, keepdims=True, initial=0.0), largest)
    return (sizes > DEPENDENCE * most).any(axis=0)


def _check_stationary(
    point: OperatingPoint, rates: np.ndarray, A: np.ndarray, C: np.ndarray, tangent: Tangent
) -> None:
    """Refuse a state at which something moves on that the small motions depend on.

    Loops and rolling leave rounding where nothing depends on a state, or no force acts.
    """
    layout, S = point.system.layout, tangent.minimal
    unit = state_scales(point)[S]
    fastest = float(np.abs(A / unit[:, None] * unit).max(initial=0.0))  # 1/s
    typical = np.abs(A) @ (unit + np.abs(point.x[S]))
    matters = _depends(A / unit[:, None], unit, fastest) | _depends(C, unit)
    least = STATIONARY_RATE * np.maximum(typical, np.abs(np.diag(A)))
    least = np.maximum(least, ROUNDING * fastest * unit)
    for i, k in enumerate(S):
        if matters[i] and abs(rates[k]) > least[i]:
            held = point.held
            also = f" Held are {', '.join(held)}." if held else ""
            name, unit = layout.states[k].name, layout.states[k].unit
            per = {"m/s": "m/s2", "rad/s": "rad/s2", "1": "1/s"}.get(unit, f"{unit}/s")
            raise SimulationError(
                name,
                f"changes at {rates[k]:.6g} {per}: this is not an equilibrium.{also}",
                "Linearise at model.equilibrium(), or give anywhere=True.",
                parameter="at",
                value=float(point.x[k]),
            )
