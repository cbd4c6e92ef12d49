"""States with what sticks at rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, add

if TYPE_CHECKING:
    from motorik.system.forms import LoopForm, TreeForm

Scalars = Sequence[Scalar]


def at_rest(
    form: TreeForm | LoopForm, t: Scalar, x: list[Scalar], extra: Scalars
) -> list[Scalar]:
    """Return a state with the speeds of all rows that stick put to zero."""
    if form.switching is None:
        return x
    answer = form.answer(t, x, extra)
    speeds = form.switching.speeds(form.motion(t, x, extra))
    change = answer.moved(answer.to_rest(speeds))
    first = len(form.layout.state_q)
    moved = range(first, first + len(form.layout.state_u))
    return [add(v, change[k]) if k in moved else v for k, v in enumerate(x)]
