"""Registry: the parts of motorik for types of Modelica's library.

One call of `register` assigns a part to a type; these calls are in `catalogue`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field
from typing import Any

from motorik.components.base.part import Part, PortSpec
from motorik.components.base.values import Start
from motorik.exchange.modelica.arrays import Value
from motorik.immutable import immutable


@immutable
class RegisteredPart:
    """How a type of Modelica's library becomes a part.

    Modifiers that are options of drawing of the part become its visual; `ignore` are others
    without an effect on the motion (None: any), variables among them as far as a modifier
    only gives a guess of their start; `absent` are features the part does not have, harmless
    while false or not fixed, `always` those that it cannot do without, `only` parameters that
    the part does not have, with the values of which it is what Modelica's part is then;
    every other modifier is refused by name. `counts` are numbers of elements, with the list
    parameter that has as many, ones unless it is given. `preset` is given to
    the constructor; `defaults` are Modelica expressions for parameters that other parts may
    refer to, `derived` reads such values from the finished part; `aliases` are names of
    variables within Modelica's part, and their names here. `expressions` are
    modifiers whose value changes in time, and the parameters that take it as a function of
    the motion, `lists` the same for several values. `units` are functions from a modifier's
    value in the unit of Modelica's parameter to that of the part's. A part that is `placed`
    has no frame in Modelica: `R` and `r` say where it is drawn; `vector` is the modifier that
    is its direction and length. `instead` are switches with the type that takes the place of
    this one where they are true.
    """

    name: str
    part: type[Part]
    ignore: frozenset[str] | None = frozenset()
    absent: frozenset[str] = frozenset()
    preset: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)
    derived: Mapping[str, Callable[[Any], Value]] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    expressions: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    lists: Mapping[str, str] = field(default_factory=dict)
    always: frozenset[str] = frozenset()
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    counts: Mapping[str, str] = field(default_factory=dict)
    placed: bool = False
    vector: str = ""
    instead: Mapping[str, str] = field(default_factory=dict)


PARTS: dict[str, RegisteredPart] = {}
PORTS: dict[str, PortSpec] = {}
PORT_BASES: dict[str, Mapping[str, PortSpec]] = {}
FUNCTIONS: dict[str, Callable[..., Any]] = {}
FORMER_PORTS = {"bearing": "support"}  # names of ports before Modelica 3
EQUATIONS: dict[str, Mapping[str, str]] = {}
INITIAL_EQUATIONS: dict[str, Mapping[str, Start]] = {}


def register(
    name: str,
    part: type[Part],
    ignore: Iterable[str] | None = (),
    absent: Iterable[str] = (),
    preset: Mapping[str, Any] | None = None,
    defaults: Mapping[str, str] | None = None,
    derived: Mapping[str, Callable[[Any], Value]] | None = None,
    aliases: Mapping[str, str] | None = None,
    expressions: Mapping[str, str] | None = None,
    units: Mapping[str, Callable[[Any], Any]] | None = None,
    lists: Mapping[str, str] | None = None,
    always: Iterable[str] = (),
    only: Mapping[str, tuple[str, ...]] | None = None,
    counts: Mapping[str, str] | None = None,
    placed: bool = False,
    vector: str = "",
    instead: Mapping[str, str] | None = None,
) -> None:
    """Assign `part` to the Modelica type `name` (its full dotted name).

    A type of the same name in a file is then built from this part too, which is how a model
    with equations of its own is written by hand. See `RegisteredPart` for the other arguments.
    """
    PARTS[name] = RegisteredPart(
        name,
        part,
        None if ignore is None else frozenset(ignore),
        frozenset(absent),
        dict(preset or {}),
        dict(defaults or {}),
        dict(derived or {}),
        dict(aliases or {}),
        dict(expressions or {}),
        dict(units or {}),
        dict(lists or {}),
        frozenset(always),
        dict(only or {}),
        dict(counts or {}),
        placed,
        vector,
        dict(instead or {}),
    )


def register_port(name: str, spec: PortSpec) -> None:
    """Let the Modelica connector `name` be a port of this kind."""
    PORTS[name] = spec


def register_port_base(name: str, **ports: PortSpec) -> None:
    """Let the Modelica base model `name` give these ports and nothing else."""
    PORT_BASES[name] = ports


def register_function(name: str, function: Callable[..., Any]) -> None:
    """Assign `function` to `redeclare function … = name(…)` of a model."""
    FUNCTIONS[name] = function


def register_equations(model: str, **values: str) -> None:
    """Let quantities that a model declares without a value be these Modelica expressions.

    For models whose own equations a file counts but does not contain.
    """
    EQUATIONS[model] = values


def register_initial_equations(model: str, starts: Mapping[str, Start]) -> None:
    """Let parts of a model start so, each by its path and the quantity: "spring.w_rel".

    For models whose own initial equations a file counts but does not contain.
    """
    INITIAL_EQUATIONS[model] = starts


def find_full_name(name: str, within: str, known: Collection[str]) -> str | None:
    """Return the full name that a type name means in the model `within`, if it is known.

    As in Modelica, the scopes around `within` are searched from the inside out, except that a
    name that begins with one of the registered libraries (`MultiBody.…`) is that library's.
    Imports are not in the file: after the scopes the last parts of the name decide, if only
    one known name ends so, registered ones first, and if no registered package in scope
    already contains the name.
    """
    if name in known:
        return name
    root = library_root(name)
    if root is not None:
        return root + name if root + name in known else None
    for scope in scopes(within):
        full = f"{scope}.{name}"
        if full in known and full != within:
            return full
    if claimed_name(name, within) is not None:
        return None
    matches = [full for full in known if full.endswith(f".{name}") and full != within]
    registered = [full for full in matches if full in PARTS or full in PORTS]
    chosen = registered or matches
    return chosen[0] if len(chosen) == 1 else None


def library_root(name: str) -> str | None:
    """Return `Modelica.Mechanics.` for a name that begins with one of its libraries.

    `Modelica.Blocks` has no libraries, only packages whose names many libraries have.
    """
    first, dot, _ = name.partition(".")
    for full in PARTS:
        top, middle, library, *_ = full.split(".")
        if dot and library == first and middle != "Blocks":
            return f"{top}.{middle}."
    return None


def scopes(within: str) -> list[str]:
    """Return a dotted name and the packages around it, innermost first."""
    parts = within.split(".")
    return [".".join(parts[:count]) for count in range(len(parts), 0, -1)]


def claimed_name(name: str, within: str) -> str | None:
    """Return the full name if a registered package in scope holds the name's first part.

    `Components.Brake` within `Modelica.Mechanics.Translational.Examples` is claimed by
    `Modelica.Mechanics.Translational.Components`, so it is no other library's brake.
    """
    first = name.split(".")[0]
    packages = _packages()
    for scope in scopes(within):
        if f"{scope}.{first}" in packages:
            return f"{scope}.{name}"
    return None


def completed_name(name: str, within: str) -> str:
    """Return the full name of an unknown type as far as it is known, for messages."""
    root = library_root(name)
    return root + name if root else claimed_name(name, within) or name


def _packages() -> set[str]:
    return {scope for full in (*PARTS, *PORTS) for scope in scopes(full)[1:]}
