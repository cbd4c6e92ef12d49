"""The pipeline: from a model to the result of a simulation, one line for each stage.

====================  ===================  =================================================
stage                 makes                of what kind
====================  ===================  =================================================
assemble_model        `AssembledModel`     connected parts as a tree of links with closures
formulate             `FormulatedModel`    states, and the solution of loops
compile_model         `CompiledModel`      equations of motion as machine code
initialise_run        `InitialState`       consistent positions, speeds, modes of friction
integrate             `Trajectory`         output samples of the states, and events
make_result           `Result`             every variable of every part, on demand
====================  ===================  =================================================

Each stage is a function of the one before; a model keeps the compiled models of its last
states, so that a second run begins at the fourth stage. There is one exception: where a run
with the same options is repeated and nothing happens in it but motion, a `PreparedRun` finds the
start by one kernel and lets native code go from there to the end. All else that it is asked for
comes back to `simulate`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from motorik.compiled_model import CompiledModel, compile_model
from motorik.results.model_result import make_result
from motorik.simulation.initial_state import initialise_run
from motorik.simulation.run import integrate
from motorik.stored.store import StorePlace

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from motorik.components.base.composite import Composite
    from motorik.initialisation.start import InitialState
    from motorik.loops.options import LoopStrategy
    from motorik.results import Result
    from motorik.simulation.options import RunOptions


def compiled_parts(model: Composite, strategy: LoopStrategy) -> CompiledModel:
    """Return a model as it is now, compiled in this process or, if it is stored, before."""
    place = StorePlace.of(model, strategy)
    stored = None if place is None else place.read(model, strategy)
    if stored is None:
        system = compile_parts(model, strategy)
    else:
        system = CompiledModel(stored)
        model.complete_before_change(system)
    system.place = place
    return system


def compile_parts(model: Composite, strategy: LoopStrategy) -> CompiledModel:
    """Return a model as it is now, compiled: the stages that need no options of a run."""
    from motorik.loops.formulate import formulate
    from motorik.topology.assembled_model import assemble_model

    assembled = assemble_model(model)
    formulated = formulate(assembled, strategy)
    return compile_model(formulated)


def simulate(
    compiled: CompiledModel,
    options: RunOptions,
    live: np.ndarray,
    shown: Mapping[str, tuple[object, str]] | None = None,
    start: InitialState | None = None,
) -> Result:
    """Return the result of a run, complete or partial: the stages that follow compilation.

    `live` are the values of live parameters; `shown` are value and unit of other parameters
    set for this run, which the result lists as well. A repeated run gives the `start` that it
    has found.
    """
    seconds = compiled.prepare_run()
    initial = initialise_run(compiled, options, live) if start is None else start
    trajectory = integrate(initial, options)
    result = make_result(trajectory, shown, seconds)
    if result.complete:
        compiled.store()
    return result
