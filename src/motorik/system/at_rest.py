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
    """Return a state with the speeds of all rows that stick put to zero.

    States of blocks are moved by shares of the branches of laws alone.
    """
    if form.switching is None:
        return x
    answer = form.answer(t, x, extra)
    speeds = form.switching.speeds(form.motion(t, x, extra))
    impulses = answer.to_rest(speeds)
    change = answer.moved(impulses)
    first = len(form.layout.state_q)
    last = first + len(form.layout.state_u)
    rest = [add(v, change[k]) if first <= k < last else v for k, v in enumerate(x)]
    of_cases = form.switching.of_cases
    if any(of_cases):
        own = zip(impulses, of_cases, strict=True)
        change = answer.moved([value if is_case else 0.0 for value, is_case in own])
        rest = [add(v, change[k]) if k >= last else v for k, v in enumerate(rest)]
    return rest
