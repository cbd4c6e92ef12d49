"""What a user wants of loops: strategies for all of them, or by parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from motorik.errors import LoopError, SimulationError, UnknownNameError, suggest
from motorik.loops.formulation import (
    ABSOLUTE,
    AUTO,
    BAUMGARTE,
    EXPLICIT,
    MINIMAL,
    PROJECTED,
    STRATEGIES,
)


@dataclass
class Wanted:
    """What the user wants: one strategy for all loops, or some by parts in them."""

    strategy: str = AUTO
    by_part: Mapping[str, str] | None = None
    gains: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.gains is not None:
            check_gains(self.gains)
        for name in (self.strategy, *(self.by_part or {}).values()):
            if name not in STRATEGIES:
                raise UnknownNameError(
                    "strategy", f"{name!r} is not known.", suggest(name, STRATEGIES)
                )
        for part, name in (self.by_part or {}).items():
            if name in (ABSOLUTE, BAUMGARTE):
                raise LoopError(
                    part,
                    f"the strategy {name!r} is one for all loops of a model.",
                    f"Give strategy={name!r}, or {EXPLICIT}, {PROJECTED} or {MINIMAL} here.",
                )

    def of(self, names: Sequence[str]) -> str:
        """Return the strategy of loops with these parts."""
        for part, strategy in (self.by_part or {}).items():
            if any(name == part or name.startswith(f"{part}.") for name in names):
                return strategy
        return self.strategy

    def check_parts(self, names: Sequence[str]) -> None:
        """Refuse a strategy for a part that is in no loop."""
        for part in self.by_part or {}:
            if not any(name == part or name.startswith(f"{part}.") for name in names):
                raise UnknownNameError(
                    "strategy", f"{part!r} is in no loop.", suggest(part, names)
                )


def check_gains(gains: Any) -> None:
    """Refuse gains of Baumgarte's stabilisation that are not two positive numbers."""
    try:
        alpha, beta = (float(gain) for gain in gains)
        is_right = 0.0 < alpha < float("inf") and 0.0 < beta < float("inf")
    except (TypeError, ValueError):
        is_right = False
    if not is_right:
        raise SimulationError(
            "baumgarte",
            f"the gains {gains!r} are not two positive numbers.",
            "Give (alpha, beta) in 1/s, e.g. (10.0, 10.0).",
        )
