"""Options of loops: strategy, branch at the start, continuation at dead centres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Literal

from motorik.errors import (
    LoopError,
    SimulationError,
    UnknownNameError,
    checked_constructor,
    suggest,
)
from motorik.immutable import immutable

AUTO, EXPLICIT, PROJECTED = "auto", "explicit", "projected"
BAUMGARTE, ABSOLUTE = "baumgarte", "absolute"
OWN = "own"  # gains that follow from the mechanism's own rate
Gains = tuple[float, float] | Literal["own"]
CONTINUE, STOP = "project", "stop"  # at the dead centre of a closed form
EARTHLY = 9.81**0.5  # rate [1/s] of a mechanism of 1 m on earth: its gains are 10 1/s


@immutable
class StrategyTraits:
    """The treatment of loops by a strategy.

    * `closed_forms`: loops that have a closed form are solved by it; with `must_close` a loop
      without one is refused;
    * `stabilises`: constraints with multipliers are stabilised by gains, where these are given
      or `own_gain` is, instead of being projected after each step; `own_gain` is α = β [1/s]
      for a mechanism of 1 m on earth;
    * `absolute`: every body has coordinates of its own;
    * `by_part`: it may be chosen for some loops of a model only.
    """

    closed_forms: bool = False
    must_close: bool = False
    stabilises: bool = False
    own_gain: float | None = None
    absolute: bool = False
    by_part: bool = True


STRATEGIES = {
    AUTO: StrategyTraits(closed_forms=True),
    EXPLICIT: StrategyTraits(closed_forms=True, must_close=True),
    PROJECTED: StrategyTraits(),
    BAUMGARTE: StrategyTraits(stabilises=True, own_gain=10.0, by_part=False),
    ABSOLUTE: StrategyTraits(stabilises=True, absolute=True, by_part=False),
}
"""The strategies by name. Every one is tried by `tests/laws/test_loops.py`."""
GAIN = 10.0  # of "own" gains, where the strategy has none


FLAT = {
    name: f"Give it to `simulate` itself: simulate(…, {name}=…)." for name in ("strategy",)
}


@checked_constructor(FLAT)
@immutable
class LoopOptions:
    """Options of loops for `simulate` and other methods of a model; all have a default.

    * `gains`: α, β [1/s] of Baumgarte's stabilisation, for the strategies "baumgarte" and
      "absolute"; "own" gains follow from the mechanism's size and gravity;
    * `branch`: the assembly branch in which loops start, by the name of a joint in them (see
      `Model.branches`);
    * `dead_centre`: at the dead centre of a loop in closed form, continue by projection
      ("project"), or "stop".
    """

    gains: Gains | None = None
    branch: Mapping[str, str] = field(default_factory=dict)
    dead_centre: str = CONTINUE

    def __post_init__(self) -> None:
        if self.gains is not None:
            object.__setattr__(self, "gains", check_gains(self.gains))
        if not isinstance(self.branch, Mapping):
            raise SimulationError(
                "LoopOptions",
                f"branch = {self.branch!r} is not a dict by name.",
                'Give a dict by name, e.g. {"elbow": "+"}.',
                parameter="branch",
                value=self.branch,
            )
        known = isinstance(self.dead_centre, str) and self.dead_centre in (CONTINUE, STOP)
        if not known:
            raise SimulationError(
                "LoopOptions",
                f"dead_centre = {self.dead_centre!r} is not known.",
                f'Give "{CONTINUE}" to continue by projection, or "{STOP}".',
                parameter="dead_centre",
                value=self.dead_centre,
            )


@immutable
class LoopStrategy:
    """How loops are to be solved: one strategy for all, or some by parts in them.

    `by_part` holds pairs of a part's path and a strategy; `gains` are α, β [1/s] of
    Baumgarte's stabilisation, which "baumgarte" and "absolute" use, or "own" ones.
    """

    strategy: str = AUTO
    by_part: tuple[tuple[str, str], ...] = ()
    gains: Gains | None = None

    def __post_init__(self) -> None:
        for name in (self.strategy, *(name for _, name in self.by_part)):
            if name not in [*STRATEGIES]:  # a name may be anything
                raise UnknownNameError(
                    "strategy",
                    f"{name!r} is not known.",
                    suggest(name, STRATEGIES),
                    parameter="strategy",
                    value=name,
                )
        for part, name in self.by_part:
            if not STRATEGIES[name].by_part:
                others = [own for own, traits in STRATEGIES.items() if traits.by_part]
                raise LoopError(
                    part,
                    f"the strategy {name!r} applies to all loops of a model only.",
                    f"Give strategy={name!r}, or one of {', '.join(others)} here.",
                    parameter="strategy",
                    value=name,
                )

    @staticmethod
    def of(strategy: str | Mapping[str, str], gains: Gains | None = None) -> LoopStrategy:
        """Return the options given by a name or a dict by part."""
        if not isinstance(strategy, (str, Mapping)):
            raise UnknownNameError(
                "strategy",
                f"{strategy!r} is not known.",
                'Give a name, e.g. "projected".',
                parameter="strategy",
                value=strategy,
            )
        checked = None if gains is None else check_gains(gains)
        if isinstance(strategy, str):
            return LoopStrategy(strategy, (), checked)
        return LoopStrategy(AUTO, tuple(sorted(strategy.items(), key=str)), checked)

    @property
    def is_auto(self) -> bool:
        """Whether closed forms are taken for all loops that have them."""
        return self.strategy == AUTO and not self.by_part

    @property
    def traits(self) -> StrategyTraits:
        """The traits of the strategy of all loops."""
        return STRATEGIES[self.strategy]

    @property
    def is_absolute(self) -> bool:
        """Whether every body has coordinates of its own."""
        return self.traits.absolute

    def used_gains(self, rate: float) -> tuple[float, float] | None:
        """Return the gains of Baumgarte's stabilisation, None where constraints are projected.

        Those that are not given follow from the rate [1/s] at which the mechanism moves.
        """
        if not self.traits.stabilises:
            return None
        own_gain = self.traits.own_gain
        if self.gains == OWN or (self.gains is None and own_gain is not None):
            own = (GAIN if own_gain is None else own_gain) * rate / EARTHLY
            return own, own
        return self.gains

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
                    "strategy",
                    f"{part!r} is in no loop.",
                    suggest(part, names),
                    parameter="strategy",
                    value=part,
                )


def check_gains(gains: object) -> Gains:
    """Return gains of Baumgarte's stabilisation; refuse all but two positive numbers."""
    if isinstance(gains, str) and gains == OWN:
        return OWN
    try:
        alpha, beta = (float(gain) for gain in gains)  # type: ignore[attr-defined]
        if 0.0 < alpha < float("inf") and 0.0 < beta < float("inf"):
            return alpha, beta
    except (TypeError, ValueError):
        pass
    raise SimulationError(
        "gains",
        f"the gains {gains!r} are not two positive numbers.",
        "Give (alpha, beta) in 1/s, e.g. (10.0, 10.0), or 'own'.",
        parameter="gains",
        value=gains,
    )
