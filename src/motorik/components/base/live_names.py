"""Names of live parameters: those of a model, and the meaning of dotted names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from motorik.algebra.vector import Vector
from motorik.components.base.declarations import ParameterSpec, StartSpec
from motorik.components.base.live_numbers import LiveScalar
from motorik.components.base.parameter import Parameter
from motorik.components.base.resolving import PLAIN, is_surely_plain, live_leaves
from motorik.errors import ParameterError, UnknownNameError, suggest

if TYPE_CHECKING:
    from motorik.components.base.part import Part

OWN = "_own_parameters"  # of a model: those that are its attributes or arguments, by name
ARGUMENTS = "_arguments"  # of a model: those of `build` by name, as far as they are live


def live_parameters(model: Part) -> dict[str, Parameter]:
    """Return the live parameters of a model and all parts by name, each named by its place.

    A place is the attribute or argument of a model, or else the first parameter of a part
    that it is given as.
    """
    found: dict[str, Parameter] = {}
    named: set[int] = set()
    values = [
        (part, name, value)
        for part in model.walk()
        for name in part._parameters
        if not is_surely_plain(value := part.__dict__[name])
    ]
    for live, path in (*_attributes(model), *_direct(values)):
        if id(live) not in named:
            named.add(id(live))
            live.rename(path)
            _register(found, live)
    for part, name, value in values:
        for live in _held_within(value):
            if id(live) not in named:
                named.add(id(live))
                _check_name(part, name, live)
                _register(found, live)
    for live in found.values():
        if live.is_named:
            _check_unlike_places(model, live)
    return found


def _attributes(model: Part) -> Iterator[tuple[Parameter, str]]:
    """Return the live attributes and arguments of a model and those within it."""
    for part in model.walk():
        for name, live in part.__dict__.get(OWN, {}).items():
            yield live, _path(part, name)


def _direct(values: Iterable[tuple[Part, str, object]]) -> Iterator[tuple[Parameter, str]]:
    """Return the values given to parts directly, not in a formula or function."""
    for part, name, value in values:
        for live, place in _entries(value, ()):
            yield live, _path(part, name) + place


def _entries(value: object, at: tuple[int, ...]) -> Iterator[tuple[Parameter, str]]:
    """Return the live entries of a value, with their places in it: [2], or [1,3]."""
    if type(value) in PLAIN:
        return
    if isinstance(value, LiveScalar):
        whole = value.parameter.is_vector or not at
        yield value.parameter, "" if whole else f"[{','.join(map(str, at))}]"
    elif isinstance(value, (Vector, tuple)):
        entries = value.xyz if isinstance(value, Vector) else value
        for k, entry in enumerate(entries, start=1):
            yield from _entries(entry, (*at, k))


def _held_within(value: object) -> Iterator[Parameter]:
    for leaf in live_leaves(value):
        yield leaf.parameter


def _check_name(part: Part, name: str, live: Parameter) -> None:
    """Refuse a parameter that no place can name."""
    if not live.is_named:
        raise ParameterError(
            f"{part.label}.{name}",
            f"follows from {live!r}, which has no name.",
            "Assign it to the model, self.L = Parameter(…), or give Parameter(…, name=…).",
            parameter=name,
            value=live,
        )


def _register(found: dict[str, Parameter], live: Parameter) -> None:
    if live.name in found:
        raise ParameterError(
            live.name,
            "two different live parameters have this name.",
            "Give one of them another name: Parameter(value, name=…).",
            parameter=live.name.rpartition(".")[2],
            value=live.value,
        )
    found[live.name] = live


def _check_unlike_places(model: Part, live: Parameter) -> None:
    """Refuse a given name that is also that of a part, or of a value of a part."""
    *path, last = live.name.split(".")
    part = model
    for step in path:
        if step not in part.parts:
            return
        part = part.parts[step]
    is_value = last in part.specs and live_at(part, last) is not live
    if last in part.parts or is_value:
        what = "a value of a part" if is_value else "a part"
        raise ParameterError(
            live.name,
            f"is the name of {what} and of {live!r}, which makes "
            f"parameters={{{live.name!r}: …}} ambiguous.",
            "Give the parameter another name: Parameter(value, name=…).",
            parameter=last,
            value=live,
        )


def _path(part: Part, name: str) -> str:
    return f"{part.path}.{name}" if part.path else name


# --- the meaning of a name ----------------------------------------------------------------------


def find_place(model: Part, name: object) -> tuple[Part, str]:
    """Return the part or model, and the name of its parameter, attribute or argument."""
    if not isinstance(name, str):
        raise UnknownNameError(
            model.label,
            f"{name!r} is not the name of a parameter.",
            'Give e.g. "body.m".',
            parameter="",
            value=name,
        )
    *path, last = name.split(".")
    part = model
    for step in path:
        if step not in part.parts:
            raise UnknownNameError(
                part.label,
                f"has no part {step!r}.",
                suggest(step, part.parts),
                parameter=step,
                value=name,
            )
        part = part.parts[step]
    spec = part.specs.get(last)
    if isinstance(spec, StartSpec):
        raise UnknownNameError(
            part.label,
            f"{last!r} is a start value, not a parameter.",
            f"Give it as initial={{{name!r}: …}}.",
            parameter=last,
            value=name,
        )
    own = part.__dict__.get(OWN, {})
    arguments = part.__dict__.get(ARGUMENTS, {})
    if not isinstance(spec, ParameterSpec) and last not in own and last not in arguments:
        known = [n for n, s in part.specs.items() if isinstance(s, ParameterSpec)]
        known += [*own, *arguments]
        if part is model:
            known += [live for live in live_parameters(model) if live not in known]
        raise UnknownNameError(
            part.label,
            f"has no parameter {last!r}.",
            suggest(last, dict.fromkeys(known)),
            parameter=last,
            value=name,
        )
    return part, last


def live_at(part: Part, name: str) -> Parameter | None:
    """Return the live parameter that a parameter, attribute or argument was given as."""
    own = part.__dict__.get(OWN, {})
    if name in own:
        return own[name]
    value = part.__dict__.get(name)
    entries = value.xyz if isinstance(value, Vector) else (value,)
    first = entries[0]
    if not isinstance(first, LiveScalar) or tuple(entries) != first.parameter.elements:
        return None
    return first.parameter


def check_settable(part: Part, name: str) -> None:
    """Refuse a plain value where one follows from live parameters, or was read by `build`."""
    if name in part.specs:
        return
    argument = part.__dict__[ARGUMENTS][name]
    kind = type(part).__name__
    names = ", ".join(dict.fromkeys(live.name for live in _held_within(argument)))
    if names:
        why, remedy = f"follows from {names}", f"Give {names} another value."
    else:
        why = "was read when the model was built and cannot be changed"
        remedy = f"Make it with {kind}({name}=Parameter(…)), or a new {kind}({name}=…)."
    raise ParameterError(_path(part, name), f"{why}.", remedy, parameter=name, value=name)
