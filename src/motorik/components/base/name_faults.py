"""Faults of names: attributes or ports of a part that do not exist."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING

from motorik.components.base.place import NamedObject
from motorik.errors import ParameterError, PortError, UnknownNameError, question_of, suggest

if TYPE_CHECKING:
    from motorik.components.base.part import Part


def no_such_name(part: Part, name: str, withheld: str) -> UnknownNameError:
    """Return the refusal of a name; `withheld` is the parameter that excludes the port."""
    if withheld:
        return UnknownNameError(
            part.label,
            f"has no port {name!r}: it was made with {withheld}=False.",
            f"Make the part with {withheld}=True.",
            port=name,
            parameter=withheld,
            value=name,
        )
    import difflib

    known = [*part.specs, *part.parts]
    methods = [own for own in type.__dir__(type(part)) if _is_method(type(part), own)]
    near = difflib.get_close_matches(name, methods, n=1, cutoff=0.85)
    meant = question_of(name, near) if near and not question_of(name, known) else ""
    return UnknownNameError(
        part.label,
        f"has no {name!r}.",
        f"{meant}{suggest(name, known)}",
        parameter=name,
        value=name,
    )


def _is_method(kind: type, name: str) -> bool:
    """Return whether a name is that of a public method of a kind of part."""
    return name[:1] != "_" and callable(getattr(kind, name, None))


def no_parameter(
    part: Part, name: str, value: object, others: Sequence[str] = ()
) -> UnknownNameError:
    """Return the refusal of a value for a parameter that a part does not have.

    `others` are names besides its parameters that may be meant.
    """
    return UnknownNameError(
        part.label,
        f"has no parameter {name!r}.",
        suggest(name, [*part.parameter_names(), *others]),
        parameter=name,
        value=value,
    )


def taken_name(kind: type, name: str, what: str) -> str:
    """Return why a part or a value cannot have this name: the kind of model uses it itself."""
    own = inspect.getattr_static(kind, name, None)
    title = kind.__name__
    if isinstance(own, property) or not callable(own):
        return (
            f"{name!r} is an attribute that every {title} has, which the {what} would hide."
        )
    meaning = (inspect.getdoc(own) or "").partition("\n")[0].rstrip(".")
    shown = f" ({meaning})" if meaning else ""
    return f"{name}() is a method that every {title} has{shown}; the {what} would hide it."


def not_made(kind: type, name: str) -> ParameterError:
    """Return the refusal of a name of a part whose constructor has not run yet."""
    return ParameterError(
        kind.__name__,
        f"{name!r} does not exist yet: __init__ of the part has not been called.",
        "Make the parts in `build`, or call super().__init__() first.",
        parameter=name,
        value=kind,
    )


def no_port(part: NamedObject, other: object, ports: Sequence[str]) -> PortError:
    """Return the refusal of a connection with a part instead of one of its ports."""
    is_part = isinstance(other, NamedObject)
    theirs = f"{other.label}.frame_a" if is_part else getattr(other, "label", other)
    mine = ports[0] if ports and "frame_b" not in ports else "frame_b"
    named = ", ".join(ports)
    return PortError(
        part.label,
        f"is a part; only ports can be connected, here {named or 'none'}.",
        f"Connect a port, e.g. {part.label}.{mine} >> {theirs}.",
        port=named,
        value=other,
    )
