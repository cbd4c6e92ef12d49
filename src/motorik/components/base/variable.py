"""Variable: a quantity of a part that results show."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.components.base.motion import Motion


@immutable
class Variable:
    """A quantity of a part that results show: how it follows from the motion of the mechanism.

    `value` is called with a `Motion` of the mechanism and returns a scalar, a vector, a
    matrix or a tuple of scalars.
    """

    value: Callable[[Motion], Any]
    unit: str = ""
    description: str = ""
