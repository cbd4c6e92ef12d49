"""Operations that formulas of live numbers are made of, by name."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial

from motorik.algebra import scalar as s
from motorik.algebra.scalar import Scalar

ELEMENTARY = "sin cos tan arcsin arccos arctan sqrt exp log fabs floor".split()
COMPARED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def _choose(compare: Callable[[Scalar, Scalar], Scalar], *given: Scalar) -> Scalar:
    a, b, yes, no = given
    return s.where(compare(a, b), yes, no)


OPERATIONS: dict[str, Callable[..., Scalar]] = {
    "add": s.add,
    "sub": s.sub,
    "mul": s.mul,
    "div": s.div,
    "pow": operator.pow,
    "neg": s.neg,
    "arctan2": s.arctan2,
    **{name: getattr(s, name) for name in ELEMENTARY},
    **{f"where_{op}": partial(_choose, getattr(operator, op)) for op in COMPARED},
}
"""What formulas are made of, by name."""

VECTOR_OPERATIONS: dict[str, Callable[..., Scalar]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
}
