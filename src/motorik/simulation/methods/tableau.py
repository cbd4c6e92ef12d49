"""Tableau: an explicit Runge–Kutta method as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from motorik.errors import SimulationError
from motorik.immutable import immutable

Row = tuple[float, ...]


@immutable
class Control:
    """How the size of the next step follows from the error of the last one.

    Proportional-integral control (Gustafsson 1991), err in units of the tolerance,

        h ← h · S err⁻ᵃ err_oldᵇ,   S = `safety`, a = `exponent`, b = `damping`,

    held between `shrink` and `grow` times the old size.
    """

    safety: float
    exponent: float
    damping: float
    shrink: float = 0.2
    grow: float = 10.0


@immutable
class Tableau:
    """An explicit Runge–Kutta method of s stages, as numbers.

    A step goes from t to t + h:

        kᵢ = f(t + cᵢ h, x + h Σⱼ aᵢⱼ kⱼ),   x(t + h) = x + h Σⱼ bⱼ kⱼ.

    `nodes` c and `stages` a leave out the first stage, k₁ = f(t, x). `weights` are b.

    `errors` are the differences b − b̂ from the weights of embedded formulas, by the order of
    these. Of one such row, err is the norm of h Σ eⱼ kⱼ; of two, h e₁² / √(e₁² + 0.01 e₂²).
    A row of s + 1 numbers also takes the rate at the end of the step, which then is the first
    stage of the next step. Without `errors` the method has a fixed step.

    Between the ends, x(t + θh) is Hermite's cubic through both and, for each row of `dense`,
    one bubble more, θ²(1 − θ)² times 1, θ, θ(1 − θ), …: its factor is h Σ dⱼ kⱼ, over the s
    stages, the rate at the end, and those of `dense_stages`, at `dense_nodes`, which are
    computed only where an output falls into the step. `dense_order` is the order so reached,
    without them that of Hermite's cubic, 3 or less.

    `stable_within`: |hλ| of the border of stability, by which stiffness is noticed; only where
    the last stage is at the end of the step.
    """

    name: str
    title: str
    order: int
    nodes: Row
    stages: tuple[Row, ...]
    weights: Row
    errors: Mapping[int, Row] = field(default_factory=dict)
    dense: tuple[Row, ...] = ()
    dense_nodes: Row = ()
    dense_stages: tuple[Row, ...] = ()
    dense_order: int | None = None
    stable_within: float = 0.0
    control: Control | None = None

    def __post_init__(self) -> None:
        s = len(self.weights)
        count = s + 1 + len(self.dense_nodes)
        self._check("nodes", [self.nodes], [s - 1])
        self._check("stages", self.stages, range(1, s))
        errors = list(self.errors.values())
        self._check("errors", errors, [s + self.reuses_last_rate] * len(errors))
        self._check("dense_stages", self.dense_stages, range(s + 1, count))
        self._check("dense", self.dense, [count] * len(self.dense))
        if len(errors) > 2:
            raise SimulationError(
                f"tableau {self.name!r}",
                f"has {len(errors)} error estimates",
                "Give one or two rows in `errors`.",
            )

    def __str__(self) -> str:
        return self.name

    @property
    def reuses_last_rate(self) -> bool:
        """Whether the error takes the rate at the end, the first stage of the next step."""
        return any(len(row) > len(self.weights) for row in self.errors.values())

    @property
    def interpolation_order(self) -> int:
        """The order of states between the ends of a step."""
        return self.dense_order or min(self.order, 3)

    @property
    def step_control(self) -> Control:
        """The control that was given, or that which suits the order q: b = 0.2/q, a = 0.85/q."""
        q = self.order
        return self.control or Control(safety=0.85, exponent=0.85 / q, damping=0.2 / q)

    def _check(self, name: str, rows: object, sizes: object) -> None:
        seen = [len(row) for row in rows]  # type: ignore[attr-defined]
        wanted = list(sizes)  # type: ignore[call-overload]
        if seen != wanted:
            raise SimulationError(
                f"tableau {self.name!r}",
                f"has rows of {seen} numbers in `{name}`",
                f"Its {len(self.weights)} weights ask for rows of {wanted} numbers.",
            )
