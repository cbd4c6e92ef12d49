"""Stops at the start: a run must not begin beyond one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import InitialValueError
from motorik.nonsmooth.memory import CONTACT_STATE
from motorik.numerics.tolerances import PENETRATION

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.components.base.contributions import NonsmoothConstraint
    from motorik.initialisation.search import InitialState

GAP = 5  # the place of the gap among the event functions of a constraint


def check_penetration(start: InitialState) -> None:
    """Raise `InitialValueError` if something begins beyond a stop or within a contact."""
    found = find_beyond(start.system, start.t, start.x, start.p)
    if found is None:
        return
    constraint, gap = found
    where, words = _place(start, constraint), beyond_in_words(constraint, gap)
    seen = f"begins {words}{where}."
    remedy = "Give it a start value that the stop allows, or move the stop."
    if not words:
        seen = f"begins in what it touches: its gap is {gap:.6g}{where}."
        remedy = "Let it start where its gap is not negative."
    raise InitialValueError(
        constraint.part.path, seen, remedy, parameter=constraint.force, value=gap
    )


def find_beyond(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray
) -> tuple[NonsmoothConstraint, float] | None:
    """Return a constraint beyond its stop or within a contact, and its gap; None without one."""
    nonsmooth = system.nonsmooth
    if nonsmooth is None or all(
        constraint.gap is None for constraint in nonsmooth.constraints
    ):
        return None
    time = np.array([t])
    values = system.contact_state(time, x, p)
    gaps = values.reshape(-1, CONTACT_STATE)[:, GAP].tolist()
    size = float(
        np.abs(system.full_state(time, x, p)[: system.layout.n_q]).max(initial=0.0)
    )
    for constraint, gap in zip(nonsmooth.constraints, gaps, strict=True):
        if constraint.gap is not None and gap < -PENETRATION * max(size, -gap):
            return constraint, gap
    return None


def are_allowed(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray
) -> np.ndarray:
    """Return of rows of states whether nothing is beyond a stop or within a contact."""
    nonsmooth = system.nonsmooth
    allowed = np.ones(len(x), dtype=bool)
    if nonsmooth is None:
        return allowed
    own = [k for k, one in enumerate(nonsmooth.constraints) if one.gap is not None]
    if not own:
        return allowed
    time, n_q = np.array([t]), system.layout.n_q
    values = system.contact_state.map(time, x, p)
    shape = (
        len(x),
        len(nonsmooth.constraints),
        CONTACT_STATE,
    )  # where there are no rows, too
    gaps = values.reshape(shape)[:, own, GAP]
    q = np.abs(system.full_state.map(time, x, p)[:, :n_q])
    size = q.max(axis=1, initial=0.0)[:, None]
    return ~(gaps < -PENETRATION * np.maximum(size, -gaps)).any(axis=1)


def beyond_in_words(constraint: NonsmoothConstraint, gap: float) -> str:
    """Return how far something is beyond its stop; "" if it is within a contact."""
    stop = constraint.force_block().force.parameter.description.removeprefix("force of ")
    if "stop" in constraint.force:
        stop = f"its {constraint.force.replace('_', ' ')}"
    return f"{-gap:.6g} beyond {stop}" if "stop" in stop else ""


def _place(start: InitialState, constraint: NonsmoothConstraint) -> str:
    """Return where the joint of a stop is, in words."""
    mechanism = start.system.mechanism
    link = mechanism.link_of_part(constraint.part)
    if link is None or len(link.q) != 1:
        return ""
    state = mechanism.coordinates[link.q[0]]
    return f": {state.name} = {start.X[link.q[0]]:.6g} {state.unit}"
