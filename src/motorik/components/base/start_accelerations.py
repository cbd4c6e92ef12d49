"""Initial conditions for the components of an acceleration that are fixed at the start."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.contributions import InitialCondition
from motorik.components.base.motion import Motion
from motorik.components.base.part import Part
from motorik.components.base.values import Start

Reading = Callable[[Motion], Vector]


def start_accelerations(
    part: Part, name: str, begin: Start, reading: Reading
) -> Iterable[InitialCondition]:
    """Yield the condition that the fixed components of an acceleration have their start values."""
    fixed, values = begin.fixed_components(), begin.value
    assert isinstance(values, Sequence)
    wanted = [(k, value) for k, value in enumerate(values) if fixed[k]]
    if wanted:

        def residual(motion: Motion) -> tuple[Scalar, ...]:
            seen = reading(motion).xyz
            return tuple(seen[k] - value for k, value in wanted)

        yield InitialCondition(part.path, name, 2, residual, always=True)
