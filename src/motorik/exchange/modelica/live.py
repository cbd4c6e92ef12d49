"""Live expressions: values of a file that follow the motion, as functions of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from motorik.algebra.scalar import Scalar
from motorik.errors import UnknownNameError
from motorik.exchange.modelica.arrays import Value, pick
from motorik.exchange.modelica.errors import ExpressionError, ModelicaError
from motorik.exchange.modelica.evaluate import Step, evaluate
from motorik.exchange.modelica.modifiers import ScopedExpression, part_name, shown
from motorik.motion.catalogue import Catalogue, ravel


@dataclass
class MotionScope:
    """The scope of an expression at one instant: time, variables of parts, and parameters."""

    model: Any
    motion: Any
    values: dict[str, Value] = field(default_factory=dict)

    def known_names(self) -> list[str]:
        """Return the names of the model's declarations, and time."""
        return [*self.model.known_names(), "time"]

    def value_of(self, steps: tuple[Step, ...]) -> Value | None:
        """Return the time, a declared quantity, a variable of a part or a parameter."""
        (name, subscripts), *rest = steps
        if name == "time" and not rest:
            return self.motion.t
        text = None if rest else self.model.expression_of(name)
        if text is not None:
            if name not in self.values:
                self.values[name] = evaluate(text, self)
            return pick(self.values[name], subscripts)
        found = self._variable(steps) if rest else None
        return self.model.value_of(steps) if found is None else found

    def _variable(self, steps: tuple[Step, ...]) -> Value | None:
        """Return a variable of a part: `rev.phi`, `body.frame_a.r_0[2]`."""
        inner = ".".join(
            part_name(name) + shown(subscripts) for name, subscripts in steps[:-1]
        )
        last, subscripts = steps[-1]
        path = f"{self.model.path}.{inner}.{last}".lstrip(".")
        try:
            entry, _ = Catalogue(self.motion.mechanism).find(path)
        except UnknownNameError:
            return None
        scalars, shape = ravel(entry.value(self.motion))
        return pick(_nested(scalars, shape), subscripts)


def reading_of(
    bound: ScopedExpression, place: str, several: bool = False
) -> Callable[[Any], Any]:
    """Return the value of an expression, or several, as a function of the motion."""

    def reading(motion: object) -> Scalar | tuple[Scalar, ...]:
        scope = MotionScope(bound.scope, motion)
        try:
            value = evaluate(bound.text, scope)
        except ExpressionError as error:
            raise error.at(place) from None
        value = bound.share(value)
        if several and isinstance(value, tuple):
            return tuple(float(one) if isinstance(one, int) else one for one in value)
        if isinstance(value, (tuple, str, bool)):
            raise ModelicaError(place, f"{bound.text!r} is not one number.")
        return float(value) if isinstance(value, int) else value

    return reading


def _nested(scalars: list[Scalar], shape: tuple[int, ...]) -> Value:
    """Return the scalars as an array of this shape."""
    if not shape:
        return scalars[0]
    step = len(scalars) // shape[0]
    rows = (scalars[i * step : (i + 1) * step] for i in range(shape[0]))
    return tuple(_nested(row, shape[1:]) for row in rows)
