"""The integration of a system: its native functions and their options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from motorik.simulation.integrate import AUTO, LANES_FROM, make_integration
from motorik.simulation.integration import Integration
from motorik.simulation.integration_options import StepOptions
from motorik.simulation.switching.firing import Firing
from motorik.simulation.switching.happenings import Happenings, SwitchedRow
from motorik.system.system import System

if TYPE_CHECKING:
    from typing_extensions import Unpack


def happenings_of(
    system: System, begin: float, end: float, p: np.ndarray
) -> Happenings | None:
    """Return what may happen at instants in a run of a system, None if nothing does."""

    def corners(begin: float, end: float) -> np.ndarray:
        return system.corners.times(begin, end, p)

    firing = Firing(system, begin) if system.mechanism.inventory.triggers else None
    if system.switching is None and firing is None:
        has_corners = system.corners.count and (
            not np.isfinite(end) or corners(begin, end).size
        )
        return Happenings(corners=corners) if has_corners else None
    projects = system.form.projects_states
    if system.switching is None:
        changing = system.layout.changing
        return Happenings((), None, corners, firing, projects, changing)
    functions = system.watched, system.coupling, system.pushed
    changing = system.layout.changing
    rows = switched_rows(system)
    return Happenings(rows, functions, corners, firing, projects, changing)


def switched_rows(system: System) -> Sequence[SwitchedRow]:
    """Return the switching rows of a system, found once."""
    kept = system.prepared.get(ROWS)
    if kept is None:
        assert system.switching is not None
        pairs = system.pairs()
        places = zip(system.force_places, *system.mode_places(), strict=True)
        slips = system.switching.slips
        count = Counter(slip.part.path for slip in slips)
        found: list[SwitchedRow] = []
        for slip, own, pair in zip(slips, places, pairs, strict=True):
            path = slip.part.path
            name = path if count[path] == 1 else f"{path}.{slip.force}"
            unit = slip.part.internal()[slip.force].parameter.unit
            force, stick, way = map(int, own)
            at = force, stick, way, unit, *pair
            found.append(SwitchedRow(name, slip.gap is not None, *at))
        kept = system.prepared[ROWS] = tuple(found)
    return cast("Sequence[SwitchedRow]", kept)


ROWS = "switched rows"
PREPARED = "run"  # by this name a system keeps what its runs need


def prepare(system: System) -> None:
    """Compile what every run of a system needs, so that it does not count as computing."""
    if PREPARED in system.prepared:
        return
    functions = system.project, system.margins, system.followed, system.derivative
    whole = None if system.formulation is None else system.full_state
    system.prepared[PREPARED] = *functions, whole


def make_run(
    system: System,
    method: str,
    x0: np.ndarray,
    p: np.ndarray,
    *,
    rtol: float,
    end: float = np.inf,
    **options: Unpack[StepOptions],
) -> Integration:
    """Return an integration of the system by a method's name."""
    layout = system.layout
    if system.margins is not None:
        options |= {"guard": system.margins, "guarded": len(system.guarded)}
    if system.followed is not None:
        options |= {
            "wind": system.followed,
            "wound": layout.n_followed,
            "wound_at": layout.followed_at,
        }
    options["happenings"] = happenings_of(system, options.get("t0", 0.0), end, p)
    tight = method == AUTO and rtol <= LANES_FROM
    if not system.iterates and not (tight and system.natives.has_kinks):
        options["rhs_lanes"] = lambda: system.derivative_lanes
    has_jacobian = not (system.is_rolled or system.iterates)
    project = system.project
    return make_integration(
        method,
        lambda: system.derivative,
        x0,
        p=p if p.size else np.zeros(1),
        jacobian=(lambda: system.jacobian) if has_jacobian else None,
        project=project.replace_address if project is not None else None,
        rtol=rtol,
        **options,
    )
