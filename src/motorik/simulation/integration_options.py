"""Options of an integration, as `Integration` describes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.nonsmooth.application.run_events import RunEvents
    from motorik.simulation.stepping.native_functions import Native, Numbers


@immutable
class ErrorScales:
    """What error norms by ranges need beside absolute tolerances, see `methods.norm`.

    `kinds` are those of the states. `stretch(t, x, p, y)` writes the relative coordinates and
    speeds that enter the norm, with their kinds and their absolute tolerances, rtol times
    their scale.
    """

    kinds: NDArray[np.int64]
    stretch: Native | None = None
    stretch_kinds: Numbers = field(default_factory=lambda: np.zeros(0))
    stretch_atol: Numbers = field(default_factory=lambda: np.zeros(0))


class StepOptions(TypedDict, total=False):
    """Options of an `Integration` beside its functions, its parameters and `rtol`."""

    rhs_lanes: Native | Callable[[], Native] | None
    t0: float
    guard: Native | None
    guarded: int
    unwrap: Native | None
    unwrapped: int
    unwrapped_at: int
    unwrapped_within: float
    atol: ArrayLike
    step: float | None
    max_step: float
    min_step: float
    max_steps: int
    record: bool
    stiff_method: str | None
    run_events: RunEvents | None
    discontinuous: bool
    scales: ErrorScales | None
    may_jump: int
    audit: Native | None
    audits_rates: bool


class IntegrationOptions(StepOptions, total=False):
    """All options of an `Integration` but `rtol`."""

    p: Numbers | None
    jacobian: Native | Callable[[], Native] | None
    project: Native | None
