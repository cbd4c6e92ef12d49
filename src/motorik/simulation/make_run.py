"""The integration of a system: its native functions and their options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from motorik.nonsmooth.laws.state_events import skips_conditions
from motorik.nonsmooth.laws.time_events import AHEAD
from motorik.nonsmooth.memory import MESH_PARTS
from motorik.simulation.integrate import AUTO, LANES_FROM, make_integration
from motorik.simulation.methods import METHODS
from motorik.simulation.stepping.workspace import ProjectionJump

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from motorik.compiled_model import CompiledModel
    from motorik.nonsmooth.application.run_events import (
        ConstraintEntry,
        ConstraintTable,
        RunEvents,
    )
    from motorik.simulation.integration import Integration
    from motorik.simulation.integration_options import Numbers, StepOptions
    from motorik.simulation.options import RunOptions


def find_run_events(
    system: CompiledModel, begin: float, end: float, p: np.ndarray, visits: bool = True
) -> RunEvents | None:
    """Return what may happen at instants in a run of a system, None if nothing does.

    With `visits` steps end where functions of time do what long steps do not see.
    """
    hidden, crossed = system.time_events.mesh, None
    if visits or system.sliding_conditions:
        crossed = system.state_events
    known = system.has_events or system.time_events.count or hidden.count
    if not (known or crossed):
        return None
    from motorik.nonsmooth.application.run_events import RunEvents
    from motorik.nonsmooth.application.trigger_tables import TriggerTables

    is_whole = np.isfinite(end)
    look = hidden.times if is_whole else hidden.next_times

    find = system.time_events.times if is_whole else system.time_events.next_times
    ahead = 1.0 if is_whole else AHEAD

    def corners(begin: float, end: float) -> np.ndarray:
        return find(begin, end, p)

    def visited(begin: float, end: float) -> np.ndarray:
        return look(begin, end, p)

    def fineness(begin: float, end: float) -> tuple[float, float, np.ndarray]:
        first, last = (begin, end) if is_whole else hidden.window(begin, end)
        apart = hidden.fineness(first, last, p)
        return first, (last - first) / MESH_PARTS, apart

    changes = corners if system.time_events.count else None
    seen = visited if visits and hidden.count else None
    trigger_tables = (
        TriggerTables(system, begin) if system.mechanism.inventory.triggers else None
    )
    if system.nonsmooth is None and trigger_tables is None:
        both = changes, seen
        times = [own for own in both if own is not None]
        has_times = not is_whole or any(own(begin, end).size for own in times)
        has_times = has_times or system.time_events.are_at(begin, end, p)
        if not (times and has_times) and crossed is None:
            return None
        own = {"ahead": ahead, "crossed": crossed, "slides": slides_in(system, end - begin)}
        return RunEvents(no_rows(), None, *both, **own)
    projects = system.form.projects_states
    changing = system.layout.changing
    fine = fineness if hidden.count else None
    given = changes, seen, trigger_tables, projects, changing, fine, ahead, crossed
    given = *given, slides_in(system, end - begin)
    if system.nonsmooth is None:
        return RunEvents(no_rows(), None, *given)
    functions = system.contact_state, system.contact_lcp, system.impulse_response
    closing = system.velocity_closure if system.form.closes_at_events else None
    return RunEvents(system.constraint_table, functions, *given, closing)


def slides_in(
    system: CompiledModel, duration: float
) -> Callable[[float, Numbers, Numbers, int], bool] | None:
    """Return what tells whether the motion slides along a condition; None if it cannot."""
    if not system.sliding_conditions:
        return None
    from motorik.simulation.sliding_modes import is_attracting

    return partial(is_attracting, system, duration if np.isfinite(duration) else 1.0)


def find_assumption(system: CompiledModel, options: RunOptions) -> str:
    """Return in words what a run assumes of its laws, nothing if it need not."""
    if not is_adaptive(options.method):
        return ""
    found = []
    spacing = system.time_events.mesh.spacing(options.start_time, options.stop_time)
    if spacing and options.solver.max_step > spacing:
        found.append(
            f"functions of time were looked at every {spacing:.3g} s of the run: what they do "
            "within less may be missed; give `max_step` if they are faster"
        )
    if skips_conditions(system.equations) and np.isinf(options.solver.max_step):
        found.append(
            "cases of laws that depend on the motion were not looked for: what acts for less "
            "than a step may be missed; give `max_step` if something does"
        )
    return "; ".join(found)


def is_adaptive(method: str) -> bool:
    """Return whether a method of a name chooses its step by its error."""
    return method not in METHODS or METHODS[method].adaptive


@cache
def no_rows() -> ConstraintTable:
    """Return the table of a system without nonsmooth constraints."""
    from motorik.nonsmooth.application.run_events import ConstraintTable

    return ConstraintTable()


def make_table(system: CompiledModel) -> ConstraintTable:
    """Return the nonsmooth constraints of a model as native code reads them."""
    from motorik.nonsmooth.application.run_events import ConstraintEntry, ConstraintTable

    assert system.nonsmooth is not None
    layout, constraints = system.layout.nonsmooth, system.nonsmooth.constraints
    count = Counter(constraint.part.path for constraint in constraints)
    found: list[ConstraintEntry] = []
    for k, constraint in enumerate(constraints):
        path, pair = constraint.part.path, layout.pairs[k]
        first = constraints[-2 - pair] if pair < -1 else constraint
        normal = "" if first.disk is None else first.disk.normal
        found.append(
            ConstraintEntry(
                name=path if count[path] == 1 else f"{path}.{constraint.force}",
                has_gap=constraint.gap is not None,
                at=layout.forces[k],
                unit=constraint.force_block().force.parameter.unit,
                pair=pair,
                disk=layout.disks[k],
                sign_cases=layout.sign_cases[k],
                pressed=f"{path}.{normal}" if normal else "",
                is_sliding_mode=constraint.is_sliding_mode,
            )
        )
    return ConstraintTable(found)


AUDITS = True  # whether rates are audited where steps end; False measures what that costs


def may_jump(system: CompiledModel) -> int:
    """Return whether the projection of a system may move a state far."""
    if system.form.equilibrium is not None:  # massless points jump to their new equilibrium
        return ProjectionJump.ALWAYS
    joints = (link.joint for link in system.mechanism.links)
    has_charts = any(c.name == "chart" for joint in joints for c in joint.coordinates)
    return ProjectionJump.WITH_CHART if has_charts else ProjectionJump.NEVER


def longest_step(system: CompiledModel) -> float:
    """Return how long a step may be [s] so that what Baumgarte's gains do is seen within it.

    They close loops at their own rates, which output within a longer step would not resolve.
    """
    f = system.formulation
    fastest = 0.0 if f is None or f.gains is None else max(f.gains)
    return 1.0 / fastest if fastest > 0.0 else np.inf


def make_run(
    system: CompiledModel,
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
            "unwrap": system.followed,
            "unwrapped": layout.n_followed,
            "unwrapped_at": layout.followed_at,
        }
    options["run_events"] = find_run_events(
        system, options.get("t0", 0.0), end, p, is_adaptive(method)
    )
    tight = method == AUTO and rtol <= LANES_FROM
    if tight or method == "gbs":
        options["discontinuous"] = system.natives.has_discontinuities
    responds = system.equations.response is not None
    # lanes of a response take as long as its evaluations one by one
    in_lanes = method == "gbs" if responds else not system.iterates
    if in_lanes and not (tight and system.natives.has_discontinuities):
        options["rhs_lanes"] = lambda: system.derivative_lanes
    options["may_jump"] = may_jump(system)
    if AUDITS and system.audited is not None:
        options |= {"audit": system.audited, "audits_rates": not responds}
    if is_adaptive(method):
        options["max_step"] = min(options.get("max_step", np.inf), longest_step(system))
    has_jacobian = not (system.is_rolled or system.iterates or responds)
    project = system.project
    return make_integration(
        method,
        system.derivative,
        x0,
        p=p if p.size else np.zeros(1),
        jacobian=(lambda: system.jacobian) if has_jacobian else None,
        project=project.replace_address if project is not None else None,
        rtol=rtol,
        **options,
    )
