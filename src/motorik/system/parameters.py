"""Live parameters of a model: their names, values for a run, and checks."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.vector import Vector
from motorik.components.base.composite import Composite
from motorik.components.base.live_names import check_settable, find_place, live_at
from motorik.components.base.part import Part
from motorik.components.base.values import LiveScalar, Parameter
from motorik.errors import ParameterError, SimulationError
from motorik.loops.closing import Moment, PoseProblem
from motorik.loops.clusters import find_clusters
from motorik.loops.guesses import guesses
from motorik.loops.refusals import refuse_open_loop
from motorik.loops.rows import ConstraintRows
from motorik.loops.scales import find_scales
from motorik.loops.survey import Subject, block_starts
from motorik.topology.mechanism import Mechanism

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel


def live_scalars(model: Composite) -> tuple[LiveScalar, ...]:
    """Return the live numbers of a model.

    The user's, then those that parts have for themselves, then those the design pose gives.
    """
    live = [e for parameter in model.live_parameters().values() for e in parameter.elements]
    internal = [e for part in model.walk() for e in part.internal().values()]
    designed = [e for part in model.walk() for e in part.designed()]
    return (*live, *internal, *designed)


def design_values(subject: Subject) -> Subject:
    """Return the subject with the values that follow from its design pose.

    That is the pose of the model's own start values, with the designed lengths left open.
    """
    if not any(scalar.parameter.is_designed for scalar in subject.live):
        return subject
    mechanism = subject.assembled()
    open_ones = {
        k: closure.design
        for k, closure in enumerate(mechanism.closures)
        if closure.design is not None
    }
    q = _design_pose(subject, mechanism, frozenset(open_ones))
    numeric = subject.numeric(mechanism)
    values = dict(zip(subject.live, subject.p.tolist(), strict=True))
    for k, scalar in open_ones.items():
        closure = numeric.closures[k]
        a, b = (numeric.pose_from(closure.base, end, q.tolist()) for end in closure.ends)
        length = float((b.p - a.p).norm())
        if not length > 0.0:
            raise ParameterError(
                closure.part,
                "its ends meet at the start values of the model, so it has no length.",
                "Give start values at which they are apart, or rodLength.",
                parameter="length",
                value=0.0,
            )
        values[scalar] = length
    return subject.with_values(np.array(list(values.values())))


def _design_pose(
    subject: Subject, mechanism: Mechanism, without: frozenset[int]
) -> np.ndarray:
    """Return the pose of the model's own start values, some closures left open."""
    rows = ConstraintRows(mechanism, subject.symbols)
    scales = find_scales(subject.numeric(mechanism), rows, find_clusters(mechanism))
    demands = [d for d in mechanism.initial_conditions if d.level == 0]
    problem = PoseProblem(mechanism, rows, subject.symbols, scales, demands, without)
    fixed = np.array([s.start.is_fixed for s in mechanism.coordinates], dtype=bool)
    moment = Moment(subject.p, 0.0, block_starts(mechanism))
    start = np.array(mechanism.start_values()[0])
    q, gap = problem.solve(start, ~fixed, moment, guesses(mechanism))
    if not gap < problem.tolerance(q):
        refuse_open_loop(problem, q, moment)
    return q


@dataclass(frozen=True)
class GivenValues:
    """Values of parameters for one run: `live` ones by parameter, `plain` ones by name."""

    live: dict[Parameter, np.ndarray]
    plain: dict[str, object]

    @staticmethod
    def of(model: Composite, values: Mapping[str, object]) -> GivenValues:
        """Return the meaning of values by name; refuse unknown names and invalid values."""
        if not isinstance(values, Mapping):
            raise SimulationError(
                "simulate",
                f"parameters = {values!r} is not a dict by name.",
                'Give e.g. {"body.m": 2.0}.',
            )
        known = _known_live(model, values)
        given = GivenValues({}, {})
        for name, value in values.items():
            own = known[name]
            if own is None:
                given.plain[name] = value
            elif own in given.live:
                raise ParameterError(
                    name,
                    f"is the parameter {own.name!r}, given twice.",
                    "Give it once.",
                    parameter=own.name,
                    value=values,
                )
            else:
                given.live[own] = own.checked(value)  # type: ignore[arg-type]
        return given

    def copied(self, model: Composite) -> Composite:
        """Return a copy of a model with the plain values; live parameters stay the same."""
        kept = [*model.live_parameters().values()]
        twin = copy.deepcopy(model, {id(live): live for live in kept})
        for name, value in self.plain.items():
            part, parameter = find_place(twin, name)
            check_settable(part, parameter)
            setattr(part, parameter, value)
        return twin

    def shown(self, model: Composite) -> dict[str, tuple[object, str]]:
        """Return value and unit of the plain numbers and vectors as the copied model has them."""
        found = {}
        for name in self.plain:
            part, parameter = find_place(model, name)
            value = part.__dict__[parameter]
            entries = value.xyz if isinstance(value, Vector) else value
            numbers = entries if isinstance(entries, tuple) and entries else (entries,)
            if all(type(x) in (int, float) for x in numbers):
                found[name] = entries, part.specs[parameter].unit
        return found

    def written(self, system: CompiledModel) -> np.ndarray:
        """Return the live values of a system, with those given."""
        values = system.parameter_values()
        for k, scalar in enumerate(system.parameters):
            if scalar.parameter in self.live:
                values[k] = self.live[scalar.parameter][scalar.index]
        return system.completed(values)


def _known_live(model: Composite, names: Iterable[str]) -> Mapping[str, Parameter | None]:
    """Return the live parameters that names mean, None of what is plain.

    They are found again if the model or the name of a parameter has changed.
    """
    own = model.__dict__
    revision, live, places = own.get("_latest_live", (None, {}, {}))
    known = revision == own["revision"] and all(p.name == n for n, p in live.items())
    if not known:
        live, places = model.live_parameters(), {}
        own["_latest_live"] = own["revision"], live, places
    for name in names:
        if name not in live and name not in places:
            places[name] = live_at(*find_place(model, name))
    return {**places, **live}


class ParameterCheck:
    """Refuses invalid live values; accepted values are not checked again."""

    def __init__(self, model: Composite, live: Sequence[LiveScalar]) -> None:
        self._parts = [part for part in model.walk() if part.has_live_parameters]
        self._index = {scalar: i for i, scalar in enumerate(live)}
        self._accepted: dict[Part, dict[int, float]] = {}

    def __call__(self, p: np.ndarray) -> None:
        """Raise `ParameterError` if live values of a part are invalid."""
        now = p.tolist()
        for part in self._parts:
            accepted = self._accepted.get(part)
            if accepted is None or any(now[i] != value for i, value in accepted.items()):
                self._accepted[part] = self._check(part, now)

    def _check(self, part: Part, now: Sequence[float]) -> dict[int, float]:
        """Return the live values that a part reads and finds right."""
        read: dict[int, float] = {}

        def resolve(scalar: LiveScalar) -> float:
            i = self._index[scalar]
            read[i] = now[i]
            return now[i]

        part.check_live(resolve)
        return read
