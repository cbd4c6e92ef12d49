"""The initial state of a run: consistent, with the modes of friction, checked for jumps."""

from __future__ import annotations

import time as clock
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import DeadCentreError
from motorik.initialisation.initialise import initialise
from motorik.initialisation.jumps import check_jumps
from motorik.initialisation.penetration import check_penetration
from motorik.loops.options import STOP
from motorik.simulation.initial_modes import select_initial_modes

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.initialise import InitialState
    from motorik.simulation.options import RunOptions


def initialise_run(
    compiled: CompiledModel, options: RunOptions, live: np.ndarray
) -> InitialState:
    """Return the state in which a run begins; `live` are the values of live parameters.

    Its model is another form of `compiled` where the formulation does not hold for these
    values, and at a dead centre, unless runs shall stop there.
    """
    began = clock.perf_counter()
    time, branch = options.start_time, options.loops.branch
    given = options.initial, live, time
    try:
        found = initialise(compiled, *given, branch, select_initial_modes)
        if found.system.reformulated_because:
            from motorik.initialisation.reformulation import changed_values

            parts, _, why = found.system.reformulated_because.partition(": ")
            values = changed_values(compiled, live)
            found = replace(found, remark=(parts, f"{why}; decided again for {values}"))
    except DeadCentreError as error:
        if options.loops.dead_centre == STOP:
            raise
        found = initialise(compiled.projected, *given, None, select_initial_modes)
        remark = error.place, f"started by projection: {error.reason}"
        found = replace(found, remark=remark)
    check_jumps(found, options.stop_time)
    check_penetration(found)
    found.system.prepare()  # another form may not be compiled yet
    return replace(found, seconds=clock.perf_counter() - began)
