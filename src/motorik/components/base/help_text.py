"""Help: the declarations of a kind of part, as `help(Revolute)` and editors show them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from motorik.errors import ParameterError, suggest

if TYPE_CHECKING:
    from motorik.components.base.declarations import ParameterSpec, PortSpec, StartSpec
    from motorik.components.base.part import Part
    from motorik.components.base.ports import Port


def make_document(
    document: str,
    ports: Mapping[str, PortSpec[Port]],
    parameters: Mapping[str, ParameterSpec],
    starts: Mapping[str, StartSpec],
) -> str:
    """Return a docstring followed by lists of ports, parameters and start values."""
    tables = {
        "Ports": [
            f"{name}: {spec.description}{f', if {spec.when}' if spec.when else ''}"
            for name, spec in ports.items()
        ],
        "Parameters": [
            f"{name}{_unit(spec.unit)} = {spec.default!r}: {spec.description}"
            for name, spec in parameters.items()
        ],
        "Start values": [
            f"{name}{_unit(spec.unit)}: {spec.description}" for name, spec in starts.items()
        ],
    }
    paragraphs = [inspect.cleandoc(document)]
    for title, lines in tables.items():
        if lines:
            paragraphs.append("\n".join([f"{title}:", *(f"  {line}" for line in lines)]))
    return "\n\n".join(paragraphs)


def make_signature(
    parameters: Mapping[str, ParameterSpec],
    starts: Mapping[str, StartSpec],
    build: Callable[..., object] | None,
) -> inspect.Signature:
    """Return the signature of a kind of part; everything is given by name."""
    defaults = {name: spec.default for name, spec in parameters.items()}
    defaults |= {name: spec.default for name, spec in starts.items()}
    by_name = inspect.Parameter.KEYWORD_ONLY
    named = {
        name: inspect.Parameter(name, by_name, default=default)
        for name, default in defaults.items()
    }
    rest: list[inspect.Parameter] = []
    arguments = [*inspect.signature(build).parameters.values()] if callable(build) else []
    for argument in arguments[1:]:  # after self
        if argument.kind is inspect.Parameter.VAR_KEYWORD:
            rest.append(argument)
        elif argument.kind is not inspect.Parameter.VAR_POSITIONAL:
            named[argument.name] = argument.replace(kind=by_name)
    return inspect.Signature([*named.values(), *rest])


def check_named(kind: type[Part], unnamed: Sequence[object]) -> None:
    """Refuse values that are given without the names of their parameters."""
    if unnamed:
        raise ParameterError(
            kind.__name__,
            f"takes its values by name, and {unnamed[0]!r} has none.",
            f"Write {kind.__name__}(name=…). {suggest('', kind.__signature__.parameters)}",
            parameter="values",
            value=unnamed[0],
        )


def _unit(unit: str) -> str:
    return f" [{unit}]" if unit not in ("", "1") else ""
