"""Visual: how a part is drawn, by options that nothing of the physics reads.

Options have the names of Modelica's library. A part takes those of the `visual_options` that its
class derives from, when it is made or later, one by one or as a `Visual`; what a model of parts
takes holds for the parts within, unless they take their own::

    Revolute(n="z", cylinderDiameter=0.05, cylinderColor="red")
    body.visual = Visual(color=(0, 128, 255), sphereDiameter=0.1)

They are kept apart from the parameters: no declaration, no equation, no fingerprint of a model
holds them, and changing one compiles nothing. Only `motorik.view` reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from motorik.components.base.declarations import PortSpec
from motorik.components.base.kind import AnyKind
from motorik.components.base.name_faults import no_parameter
from motorik.components.base.ports import PortKind
from motorik.components.base.values import Parameter
from motorik.components.base.visual_options import DrawnVisual, FramedVisual, VisualOptions
from motorik.errors import ParameterError, UnknownNameError, suggest

if TYPE_CHECKING:
    from motorik.components.base.part import Part

KEY = "_visual"  # under which a part holds its options


class Visual(Mapping[str, Any]):
    """Options of drawing by name, as they are given to a part."""

    def __init__(self, **options: object) -> None:
        self._options = options

    def __getitem__(self, name: str) -> Any:
        return self._options[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)

    def __repr__(self) -> str:
        return f"Visual({', '.join(f'{k}={v!r}' for k, v in self._options.items())})"


_known: WeakKeyDictionary[type[Part], dict[str, AnyKind]] = WeakKeyDictionary()


def visual_names(kind: type[Part]) -> Mapping[str, AnyKind]:
    """Return the options of a class of parts, and their kinds; none where nothing is drawn."""
    found = _known.get(kind)
    if found is None:
        found = _known[kind] = _find_names(kind)
    return found


def _find_names(kind: type[Part]) -> dict[str, AnyKind]:
    if not kind.is_drawn:
        return {}
    kinds = {spec.kind for spec in kind.specs.values() if isinstance(spec, PortSpec)}
    is_framed = (kind.is_model and kind.is_open) or PortKind.FRAME in kinds
    has_flanges = kinds & {PortKind.ROTATIONAL, PortKind.TRANSLATIONAL}
    drawn = (
        (DrawnVisual, FramedVisual) if is_framed else (DrawnVisual,) if has_flanges else ()
    )
    found: dict[str, AnyKind] = {}
    for base in drawn:
        found |= base.own_options
    for base in reversed(kind.__mro__):
        if issubclass(base, VisualOptions) and not issubclass(base, DrawnVisual):
            found |= base.own_options
    return found


def options_of(part: Part) -> Mapping[str, Any]:
    """Return the options that were chosen for a part."""
    return part.__dict__.get(KEY, {})


def set_visual(part: Part, name: str, value: object) -> None:
    """Choose an option of a part, or several by the name `visual`; refuse unknown names."""
    if name == "visual":
        if not isinstance(value, Mapping):
            raise ParameterError(
                part.label,
                f"visual = {value!r} is not a Visual.",
                "Give e.g. Visual(color=(255, 0, 0)).",
                parameter="visual",
                value=value,
            )
        known = visual_names(type(part))
        for own in value:
            if own not in known:
                raise UnknownNameError(
                    part.label,
                    f"has no option of drawing {own!r}.",
                    suggest(own, known),
                    parameter=own,
                    value=value[own],
                )
        for own, one in value.items():
            set_visual(part, own, one)
        return
    kind = visual_names(type(part)).get(name)
    if kind is None:
        known = alike(name, visual_names(type(part)))
        raise no_parameter(part, name, value, known)
    label = part.label if "parent" in part.__dict__ else type(part).__name__
    chosen = None if value is None else kind.convert(label, name, kind.unit, value)
    if isinstance(value, Parameter):
        value.settle(name, kind.unit, "drawing")
    own = {n: v for n, v in options_of(part).items() if n != name}
    part.__dict__[KEY] = own if chosen is None else {**own, name: chosen}


def alike(name: str, known: Iterable[str]) -> list[str]:
    """Return the names that a misspelt one may mean."""
    from difflib import get_close_matches

    return get_close_matches(name, list(known), 3)


def take_visual(
    part: Part, given: Mapping[str, Any], others: Iterable[str]
) -> dict[str, Any]:
    """Return the given values without the options of drawing, which the part takes.

    `others` are the names that are no parameters; one that is no option is refused.
    """
    known = visual_names(type(part))
    for name in others:
        if name != "visual" and name not in known:
            raise UnknownNameError(
                type(part).__name__,
                f"has no parameter {name!r}.",
                suggest(name, [*part.parameter_names(), *alike(name, known)]),
                parameter=name,
                value=given[name],
            )
    for name in others:
        set_visual(part, name, given[name])
    return {name: value for name, value in given.items() if name not in others}


def read_visual(part: Part, name: str) -> object:
    """Return an option of a part, None while it is not chosen; refuse unknown names."""
    if name == "visual":
        return Visual(**options_of(part))
    is_users = part.is_model and part.is_open  # whose names are the user's own
    if "parent" in part.__dict__ and not is_users and name in visual_names(type(part)):
        return options_of(part).get(name)
    return part._refuse_name(name)
