"""InitialisationMemory: functions and initial states that runs of one compiled model share."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from motorik.immutable import mutable

if TYPE_CHECKING:
    import casadi

    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.guidance import Guidance
    from motorik.initialisation.jumps import Differentiated, Switched
    from motorik.initialisation.native import NativeStart
    from motorik.initialisation.native_tree import TreeStart
    from motorik.initialisation.search import InitialState
    from motorik.initialisation.signal_blocks import BlockStart
    from motorik.loops.constraint_blocks import ConstraintBlock
    from motorik.loops.position_problem import Guess, PositionProblem

Places = tuple[int, ...]
"""Places of initial conditions that do not apply, since a run gives other values."""


@mutable
class InitialisationMemory:
    """Everything that searches for initial states of one compiled model make once and keep.

    Each field is made by the module that uses it, when it is first needed: traced functions,
    problems to be solved, native code, and the last initial states by the values given.
    """

    found: dict[tuple[Any, ...], InitialState] = field(default_factory=dict)
    searches: int = 0  # initial states that were searched for
    is_checked: bool = False  # whether machine code was compared with the equations
    native: NativeStart | TreeStart | None = None
    has_native: bool = True  # False: no native code suits the model
    reformulated: CompiledModel | None = None  # the model for other live values
    guesses: list[Guess] | None = None
    loops: PositionProblem | None = None  # the loops alone, without initial conditions
    positions: dict[Places, PositionProblem] = field(default_factory=dict)
    speeds: dict[Places, tuple[casadi.Function, tuple[ConstraintBlock, ...]]] = field(
        default_factory=dict
    )
    has_speed_guesses: bool = True  # False: no body has guessed speeds
    speed_guesses: casadi.Function | None = None
    joint: dict[Places, ConstraintBlock] = field(default_factory=dict)
    cut_angles: casadi.Function | None = None
    guidance: Guidance | None = None
    blocks: BlockStart | None = None
    branches: dict[str, str] | None = None  # those that parts give by name
    replaced: dict[tuple[str, ...], Places] = field(default_factory=dict)
    jumps: tuple[tuple[Switched, ...], tuple[Differentiated, ...]] | None = None
