"""What a user asks of loops: a strategy for all of them, or some by parts; gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from motorik.errors import LoopError, SimulationError, UnknownNameError, suggest

AUTO, EXPLICIT, PROJECTED = "auto", "explicit", "projected"
MINIMAL, BAUMGARTE, ABSOLUTE = "minimal", "baumgarte", "absolute"
STRATEGIES = (AUTO, EXPLICIT, PROJECTED, MINIMAL, BAUMGARTE, ABSOLUTE)
DEFAULT_GAINS = (10.0, 10.0)  # α, β of Baumgarte's stabilisation [1/s]


@dataclass(frozen=True)
class LoopOptions:
    """How loops are to be solved: one strategy for all, or some by parts in them.

    `by_part` holds pairs of a part's path and a strategy; `gains` are α, β [1/s] of
    Baumgarte's stabilisation, which "baumgarte" and "absolute" use.
    """

    strategy: str = AUTO
    by_part: tuple[tuple[str, str], ...] = ()
    gains: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        for name in (self.strategy, *(name for _, name in self.by_part)):
            if name not in STRATEGIES:
                raise UnknownNameError(
                    "strategy", f"{name!r} is not known.", suggest(name, STRATEGIES)
                )
        for part, name in self.by_part:
            if name in (ABSOLUTE, BAUMGARTE):
                raise LoopError(
                    part,
                    f"the strategy {name!r} is one for all loops of a model.",
                    f"Give strategy={name!r}, or {EXPLICIT}, {PROJECTED} or {MINIMAL} here.",
                )

    @staticmethod
    def of(
        strategy: str | Mapping[str, str], gains: tuple[float, float] | None = None
    ) -> LoopOptions:
        """Return the options that a name or a dict by part means."""
        if not isinstance(strategy, (str, Mapping)):
            raise UnknownNameError(
                "strategy", f"{strategy!r} is not known.", 'Give a name, e.g. "projected".'
            )
        checked = None if gains is None else check_gains(gains)
        if isinstance(strategy, str):
            return LoopOptions(strategy, (), checked)
        return LoopOptions(AUTO, tuple(sorted(strategy.items(), key=str)), checked)

    @property
    def is_absolute(self) -> bool:
        """Whether every body gets coordinates of its own."""
        return self.strategy == ABSOLUTE

    @property
    def used_gains(self) -> tuple[float, float] | None:
        """The gains that stabilise the rows, None where these are projected."""
        if self.strategy == BAUMGARTE:
            return self.gains or DEFAULT_GAINS
        return self.gains if self.is_absolute else None

    def of_parts(self, names: Sequence[str]) -> str:
        """Return the strategy of loops with these parts."""
        for part, strategy in self.by_part:
            if any(name == part or name.startswith(f"{part}.") for name in names):
                return strategy
        return self.strategy

    def check_parts(self, names: Sequence[str]) -> None:
        """Refuse a strategy for a part that is in no loop."""
        for part, _ in self.by_part:
            if not any(name == part or name.startswith(f"{part}.") for name in names):
                raise UnknownNameError(
                    "strategy", f"{part!r} is in no loop.", suggest(part, names)
                )


def check_gains(gains: object) -> tuple[float, float]:
    """Return gains of Baumgarte's stabilisation, or refuse what is not two positive numbers."""
    try:
        alpha, beta = (float(gain) for gain in gains)  # type: ignore[attr-defined]
        if 0.0 < alpha < float("inf") and 0.0 < beta < float("inf"):
            return alpha, beta
    except (TypeError, ValueError):
        pass
    raise SimulationError(
        "baumgarte",
        f"the gains {gains!r} are not two positive numbers.",
        "Give (alpha, beta) in 1/s, e.g. (10.0, 10.0).",
    )
