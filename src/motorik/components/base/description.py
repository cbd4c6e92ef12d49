"""Descriptions of parts: ports, parameters and start values of a class or of one part, as data.

``describe(Revolute)`` says what can be connected and what can be given, with units, limits and
defaults; ``describe(model.hinge)`` has the ports that this part has, and its present values.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from motorik.components.base.declarations import ParameterSpec, PortSpec, StartSpec
from motorik.components.base.kind import AnyKind
from motorik.components.base.ports import Port, SignalInput, SignalOutput
from motorik.components.base.values import reason_not_live
from motorik.components.base.visual import options_of, visual_names
from motorik.errors import ParameterError
from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.components.base.part import Part


@immutable
class ValueDescription:
    """A parameter or start value: its name, how it is entered, its unit, limits and default.

    `form` is "number", "vector", "axis", "choice", "flag", …: see `motorik.authoring.kinds`.
    Of a class `value` is the default, of a part its present value.
    """

    name: str
    form: str
    unit: str
    description: str
    default: object
    value: object
    size: int = 1
    low: float | None = None
    above: bool = False  # whether `low` itself is excluded
    high: float | None = None
    choices: tuple[str, ...] = ()
    is_start: bool = False
    is_optional: bool = False  # whether None is a value
    is_live: bool = True  # whether it may be a live `Parameter`


@immutable
class PortDescription:
    """A port: its kind, its direction if it is a signal, and when it exists."""

    name: str
    kind: str  # frame, rotational flange, signal, electrical port, …
    carries: str  # of a signal Real, Boolean or Integer
    direction: str  # of a signal "in" or "out"
    description: str
    unit: str
    when: str  # parameters on which it depends, "" if it always exists
    size: int | None  # None if it depends on parameters
    default: float | None  # of a signal input


@immutable
class PartDescription:
    """A class of parts, or one part, as data."""

    name: str
    summary: str
    text: str
    ports: Mapping[str, PortDescription]
    parameters: Mapping[str, ValueDescription]
    starts: Mapping[str, ValueDescription]
    visual: Mapping[str, ValueDescription]

    @property
    def values(self) -> dict[str, ValueDescription]:
        """Parameters and start values together."""
        return {**self.parameters, **self.starts}


def describe(source: Part | type[Part]) -> PartDescription:
    """Return ports, parameters and start values of a class of parts, or of one part.

    ``describe(Revolute).parameters["n"].form`` is "axis".
    """
    kind = source if isinstance(source, type) else type(source)
    specs = getattr(source, "specs", None)
    if specs is None:
        raise ParameterError(
            "describe",
            f"{source!r} is neither a part nor a class of parts.",
            "Give e.g. Revolute, or a part of a model.",
            parameter="source",
            value=source,
        )
    part = None if source is kind else source
    state: Mapping[str, Any] = {} if part is None else vars(part)
    ports, parameters, starts = {}, {}, {}
    for name, spec in specs.items():
        if isinstance(spec, PortSpec):
            if part is None or isinstance(state.get(name), Port):
                ports[name] = _port(name, spec, state.get(name))
        elif isinstance(spec, ParameterSpec):
            parameters[name] = described(name, spec, state.get(name, spec.default))
        elif isinstance(spec, StartSpec):
            starts[name] = _start(name, spec, state.get(name, spec.unset))
    drawn = {} if part is None else options_of(source)  # type: ignore[arg-type]
    visual = {
        name: _valued(name, own, own.unit, own.__doc__ or "", None, drawn.get(name))
        for name, own in visual_names(kind).items()  # type: ignore[arg-type]
    }
    text = inspect.cleandoc(kind.__doc__ or "")
    return PartDescription(
        kind.__name__, text.partition("\n")[0], text, ports, parameters, starts, visual
    )


def _port(name: str, spec: PortSpec[Port], port: Port | None) -> PortDescription:
    size = spec.size if isinstance(spec.size, int) else None if port is None else port.size
    kind = spec.type
    direction = (
        "in"
        if issubclass(kind, SignalInput)
        else "out"
        if issubclass(kind, SignalOutput)
        else ""
    )
    carries = kind.carries if isinstance(kind.carries, str) else ""
    return PortDescription(
        name,
        spec.kind.value,
        carries,
        direction,
        spec.description,
        spec.unit,
        spec.when,
        size,
        spec.default,
    )


def described(name: str, spec: ParameterSpec, value: object) -> ValueDescription:
    """Return the description of a declared parameter with a value."""
    kind = spec.kind_of_value
    if kind is None:
        live = not reason_not_live(spec.convert)
        return ValueDescription(
            name, "given", spec.unit, spec.description, spec.default, value, is_live=live
        )
    return _valued(name, kind, spec.unit, spec.description, spec.default, value)


def _valued(
    name: str, kind: AnyKind, unit: str, description: str, default: object, value: object
) -> ValueDescription:
    low = max(kind.minimum, kind.above)
    return ValueDescription(
        name,
        kind.form,
        unit,
        description,
        default,
        value,
        3 if kind.form in ("vector", "axis") else 1,
        low if math.isfinite(low) else None,
        math.isfinite(kind.above),
        kind.maximum if math.isfinite(kind.maximum) else None,
        tuple(kind.choices),
        is_optional=kind.is_optional,
        is_live=not reason_not_live(kind.convert),
    )


def _start(name: str, spec: StartSpec, value: object) -> ValueDescription:
    form = "number" if spec.size == 1 else "vector"
    return ValueDescription(
        name,
        form,
        spec.unit,
        spec.description,
        spec.unset,
        value,
        spec.size,
        is_start=True,
        is_live=False,
    )
