"""Branches of closed forms for native code: the values that solutions are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.initialisation.start_layout import Table, WantedTable
from motorik.loops.formulation import LoopFormulation

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel


class Wanted:
    """Values that closed forms are compared with, step by step, as native code reads them.

    Of each: its place among coordinates and hinges, a value, its unit (0 for an angle), and
    the coordinate that gives the value, −1 for none. `signs` are those that steps have.
    """

    def __init__(
        self, steps: Sequence[Sequence[tuple[int, float, float, int]]], signs: Sequence[int]
    ) -> None:
        entries = [entry for step in steps for entry in step]
        place, value, unit, coordinate = (
            zip(*entries, strict=True) if entries else ((),) * 4
        )
        own = np.array(coordinate, dtype=np.int64)
        at = np.flatnonzero(own >= 0)
        self.table = Table(WantedTable, WantedTable.SIZE)
        self.table.set(
            signs=np.array([*signs, 0], dtype=np.int64),
            counts=np.array([*map(len, steps), 0], dtype=np.int64),
            place=np.array([*place, 0], dtype=np.int64),
            values=np.array([*value, 0.0]),
            unit=np.array([*unit, 0.0]),
            n=at.size,
            followed=np.append(at, 0),
            coordinate=np.append(own[at], 0),
        )


def by_guesses(system: CompiledModel, hinges: Sequence[int]) -> Wanted | None:
    """Return the guesses that closed forms are compared with; None where there are none.

    `hinges` are those whose coordinates follow the coordinates of the tree.
    """
    f, joints = system.formulation, system.mechanism.inventory.joints
    assert isinstance(f, LoopFormulation)
    numbers = {h: system.layout.n_q + k for k, h in enumerate(hinges)}
    steps: list[list[tuple[int, float, float, int]]] = []
    for form, step in f.branched_groups:
        solved = [h for own in form.decomposition.groups for h in own.hinges]
        if not any(joints[h].starts[0].is_given for h in solved):
            return None
        given = [h for h in step.hinges if joints[h].starts[0].is_given]
        entries = []
        for h in given or step.hinges:
            unit = 0.0 if form.hinges[h].kind == "R" else system.scales.length
            value = float(joints[h].starts[0].value)  # type: ignore[arg-type]
            entries.append((numbers[h], value, unit, form.coordinate.get(h, -1)))
        steps.append(entries)
    return (
        Wanted(steps, [step.n_branches for _, step in f.branched_groups])
        if f.forms
        else None
    )


def by_pose(system: CompiledModel) -> Wanted:
    """Return the values that closed forms are compared with: the coordinates of a pose."""
    f = system.formulation
    assert isinstance(f, LoopFormulation)
    turns, steps = {k for k, _ in f.constraints.revolutes}, []
    for form, step in f.branched_groups:
        own = [form.coordinate[h] for h in step.hinges if h in form.coordinate]
        unit = {k: 0.0 if k in turns else float(f.scales.coordinates[k]) for k in own}
        steps.append([(k, 0.0, unit[k], k) for k in own])
    return Wanted(steps, [step.n_branches for _, step in f.branched_groups])
