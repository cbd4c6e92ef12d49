"""Starting modes: what every switching row does at the start of a run."""

from __future__ import annotations

from motorik.errors import MotorikError
from motorik.simulation.event_log import modes_in_words
from motorik.simulation.faults import find_row
from motorik.simulation.make_run import make_run
from motorik.start.find import find_start
from motorik.system.system import System


def starting_modes(system: System) -> dict[str, str]:
    """Return the mode of each switching row at the start in words, {} if there is none."""
    if system.switching is None:
        return {}
    try:
        start = find_start(system, {}, system.parameter_values())
    except MotorikError:  # told with the states
        return {slip.part.path: "not known" for slip in system.switching.slips}
    p = start.p.copy()
    run = make_run(start.system, "dopri5", start.x, p, rtol=1e-6, atol=1e-9)
    assert run.happenings is not None
    if run.happenings.firing is not None:
        run.happenings.firing.skip_functions()
    outcome = run.advance(0.0)
    if outcome.is_failure:
        seen = find_row(start.system, outcome, run.happenings, (0.0, run.state, p))
        return {row.name: f"not found; {seen}" for row in run.happenings.rows}
    return modes_in_words(run.happenings)
