"""Branches: the assembly configurations of the loops of a model."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from motorik.immutable import immutable
from motorik.initialisation.branches import BranchSearch
from motorik.initialisation.initialise import initialise
from motorik.loops.formulation import BRANCH_SIGNS

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel

AT_MOST = 64


@immutable
class Branch:
    """An assembly configuration: the branch of each Assur group, and all coordinates.

    `names` are those of the branches by a joint of the group, as `LoopOptions(branch=…)` takes
    them; `is_start` is true for the configuration in which the model starts.
    """

    names: dict[str, str]
    coordinates: dict[str, float]
    is_start: bool

    def __str__(self) -> str:
        names = ", ".join(f"{joint}: {name}" for joint, name in self.names.items())
        return f"{names}{' (start)' if self.is_start else ''}"


def branches(
    system: CompiledModel, initial: Mapping[str, float], t: float = 0.0
) -> list[Branch]:
    """Return the assembly configurations of a model at its independent coordinates.

    Loops without a closed form stay as they are at the start. At most 64 are listed.
    """
    begin = initialise(system, initial, system.parameter_values(), t)
    system, layout, f = begin.system, begin.system.layout, begin.system.formulation
    if f.is_empty:
        return []
    q, _, z = layout.split(begin.X)
    search = BranchSearch(system, q, z, layout.live_of(begin.p), t)
    given = begin.p[layout.branch.branches]
    names = [state.name for state in layout.coordinates]
    found: list[Branch] = []
    for signs in product(
        *(BRANCH_SIGNS[: group.n_branches] for _, group in f.branched_groups)
    ):
        values = search.coordinates(np.array(signs))
        if not np.isfinite(values).all():
            continue
        labels = {
            form.hinges[group.hinges[0]].name: group.branch_names[BRANCH_SIGNS.index(sign)]
            for (form, group), sign in zip(f.branched_groups, signs, strict=True)
            if group.n_branches > 1
        }
        is_start = bool((np.asarray(signs) == given).all())
        coordinates = dict(zip(names, values.tolist(), strict=True))
        found.append(Branch(labels, coordinates, is_start))
        if len(found) == AT_MOST:
            break
    return found
