"""MoveOutcome: the outcome of a movement by a manipulator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.analysis.manipulator.follow import MovementEnd
    from motorik.analysis.manipulator.grip import Grip

FREE, LIMIT, DEAD_CENTRE, OFF_PATH, OUT_OF_REACH, HELD = (
    "free",
    "limit",
    "dead centre",
    "off its path",
    "out of reach",
    "held",
)


@immutable
class MoveOutcome:
    """The outcome of a movement towards a target.

    `reached` tells whether the target is met; else the pose is the nearest one on this branch,
    `left` is the remaining distance [m or rad], and `kind` the reason: a "limit" (`parts` are
    those with the stops), a "dead centre" (`parts` is the only joint that can still move there),
    "off its path" (the held point has too few freedoms, and is at the nearest point of its path or
    surface), "out of reach", or "held", where nothing can move. `text` is the message.
    """

    reached: bool
    left: float
    kind: str = FREE
    parts: tuple[str, ...] = ()
    text: str = ""

    def __bool__(self) -> bool:
        return self.reached

    @property
    def is_news(self) -> bool:
        """Whether a user should be told; following a path off the target is not news."""
        return not self.reached and self.kind != OFF_PATH


def outcome_at_end(
    grip: Grip, stopped: MovementEnd, limits: Sequence[str], moves: str
) -> MoveOutcome:
    """Return the outcome where a movement ended.

    `limits` are the parts with active stops, `moves` is the only joint that can still move at a
    dead centre.
    """
    left, unit = float(np.linalg.norm(stopped.left)) * grip.scale, grip.unit
    if stopped.is_reached:
        return MoveOutcome(True, left)
    remain = f"{left:.3g} {unit} to the target remain"
    if limits:
        text = f"{', '.join(limits)}: at the stop; {remain}."
        return MoveOutcome(False, left, LIMIT, tuple(limits), text)
    if stopped.is_held:
        text = f"{grip.name} cannot move: loops and drives leave no freedom."
        return MoveOutcome(False, left, HELD, (), text)
    if moves:
        text = (
            f"{grip.name} is at a dead centre, stretched or folded at {moves}; "
            f"{remain}. Move {moves} to pass it."
        )
        return MoveOutcome(False, left, DEAD_CENTRE, (moves,), text)
    if stopped.is_off_path:
        text = f"{grip.name} is where its path comes nearest; {remain}."
        return MoveOutcome(False, left, OFF_PATH, (grip.name,), text)
    text = f"the target is out of reach of {grip.name} by {left:.3g} {unit}."
    return MoveOutcome(False, left, OUT_OF_REACH, (grip.name,), text)
