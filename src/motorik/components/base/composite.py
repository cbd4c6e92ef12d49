"""Composite: a part made of parts, named by assignment and connected within."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from motorik.components.base.law_faults import line_of_error
from motorik.components.base.live_names import ARGUMENTS, OWN, live_parameters
from motorik.components.base.live_numbers import Live
from motorik.components.base.name_faults import taken_name
from motorik.components.base.parameter import Parameter
from motorik.components.base.part import (
    ParameterSpec,
    Part,
    PortSpec,
    StartSpec,
    check_named,
    parameter,
)
from motorik.components.base.ports import Port, SameKind, join
from motorik.components.base.resolving import has_live
from motorik.components.base.transform import dataclass_transform
from motorik.components.base.visual import set_visual, take_visual, visual_names
from motorik.components.base.visual_options import FramedVisual
from motorik.components.parts.world import World
from motorik.errors import (
    MotorikError,
    ParameterError,
    UnknownNameError,
    checked_methods,
    suggest,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import ParamSpec

    Given = ParamSpec("Given")

    class Building(Protocol[Given]):
        """A class with a `build` of these arguments."""

        def build(self, *args: Given.args, **kwargs: Given.kwargs) -> object:
            """Make and connect the parts within."""
            ...

    class AsBuild:
        """A constructor that takes the arguments of `build`."""

        def __get__(self, model: Building[Given], kind: type) -> Callable[Given, None]: ...

    class Unbuilt(Protocol):
        """A plain model without a `build` of its own, filled from outside."""

        build: _NoBuild

    class _NoBuild(Protocol):
        is_missing: bool


# --- arguments of `build` -----------------------------------------------------------------


class _Nested(threading.local):
    """The kinds of composites that are being built in a thread, outer before inner."""

    def __init__(self) -> None:
        self.kinds: tuple[type, ...] = ()
        self.deepest: tuple[type, ...] = ()


_NESTED = _Nested()


class under_way:  # noqa: N801 - it is read as a statement
    """A context in which a kind of composite is built; one that builds itself is named.

    A kind may build itself with other arguments, as long as that comes to an end. Each context
    restores what was under way before: the ends of inner ones have no room on a full stack.
    """

    def __init__(self, kind: type) -> None:
        self.outer = _NESTED.kinds
        self.kinds = (*self.outer, kind)

    def __enter__(self) -> None:
        """Begin."""
        if not self.outer:
            _NESTED.deepest = ()
        _NESTED.kinds = self.kinds

    def __exit__(self, kind: type | None, error: object, trace: object) -> None:
        """End; the outermost names the kinds that built one another without end."""
        _NESTED.kinds = self.outer
        if kind is None or not issubclass(kind, RecursionError):
            return
        deepest = _NESTED.deepest = _NESTED.deepest or self.kinds
        if self.outer:
            return
        last = deepest[-1]
        before = [i for i, one in enumerate(deepest[:-1]) if one is last]
        if not before:
            return
        circle = " → ".join(one.__name__ for one in deepest[before[-1] :])
        raise ParameterError(
            last.__name__,
            f"builds itself without end: {circle}.",
            "Make a part of another class there, or end with an argument that becomes smaller.",
            parameter="build",
            value=last,
        ) from None


def arguments_of_build(kind: type[Composite]) -> list[inspect.Parameter]:
    """Return the arguments of `build` after self, found once for each class."""
    build, kept = kind.build, vars(kind).get("_arguments_of_build")
    if kept is None or kept[0] is not build:
        check_build(kind)
        kept = (build, [*inspect.signature(build).parameters.values()][1:])
        type.__setattr__(kind, "_arguments_of_build", kept)
    return kept[1]


def check_build(kind: type[Composite]) -> None:
    """Refuse a kind of model whose `build` cannot be called by its constructor."""
    build = inspect.getattr_static(kind, "build")
    wanted = "Write `def build(self, name=value, …):`; all values are given by name."

    def refuse(why: str) -> ParameterError:
        return ParameterError(
            f"{kind.__name__}.build", why, wanted, parameter="build", value=build
        )

    if not inspect.isfunction(build):
        raise refuse(f"is a {type(build).__name__}, not a method that makes parts.")
    if inspect.iscoroutinefunction(build) or inspect.isgeneratorfunction(build):
        raise refuse("has an `await` or `yield`, so calling it makes no parts.")
    own, *others = [*inspect.signature(build).parameters.values(), None]
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if own is None or own.kind not in by_place or own.default is not own.empty:
        raise refuse("does not take `self` first.")
    for argument in others[:-1]:
        assert argument is not None
        if argument.kind in (argument.POSITIONAL_ONLY, argument.VAR_POSITIONAL):
            star = "*" if argument.kind is argument.VAR_POSITIONAL else ""
            raise refuse(f"takes {star}{argument.name} without a name.")
        if argument.name in kind.specs:
            raise ParameterError(
                f"{kind.__name__}.build",
                f"takes {argument.name!r}, which is declared in the class, too.",
                f"Read self.{argument.name} in build, or declare it in one place.",
                parameter=argument.name,
                value=argument.name,
            )


OWN_NAMES = frozenset(Part().__dict__)  # attributes of every part


@checked_methods
class Composite(Part):
    """A part made of parts; assignment names them: ``self.hinge = Revolute()``.

    Parts in a list, tuple or dict are named by place or key: those of ``self.legs = [Leg(),
    Leg()]`` are ``legs[1]`` and ``legs[2]``, that of ``self.wheels = {"left": Wheel()}`` is
    ``wheels[left]``. Places in names count from 1, as in ``r_0[1]``.

    A kind of composite overrides `build`, whose arguments are those of the constructor that
    are not declared parameters.
    """

    is_model: ClassVar[bool] = True
    own_ports: ClassVar[tuple[str, ...]] = ()  # to which it gives a flow itself
    _lists_names: ClassVar[bool] = True

    _followers: dict[str, list[tuple[Part, str]]]

    if TYPE_CHECKING:  # for editors the constructor is as `build` of the class; any name is
        # known of a plain `Model()` only
        build: Any
        __init__: AsBuild

        def __getattr__(self: Unbuilt, name: str) -> Any: ...
        def __setattr__(self: Unbuilt, name: str, value: object) -> None: ...

        def connect(self, first: SameKind, second: SameKind, *others: SameKind) -> None:
            """Connect ports of one kind to one another."""
            ...
    else:

        def __init__(self, *unnamed: object, **given: object) -> None:
            self._make(unnamed, given)

        def __getattr__(self, name: str) -> object:
            own = self.__dict__.get(OWN, {})  # live arguments of `build`
            return own[name] if name in own else super().__getattr__(name)

        def build(self) -> None:
            """Make and connect the parts within; called once by the constructor."""

        def connect(self, *ports: Port) -> None:
            """Connect ports of one kind to one another."""
            join(*ports)

    def _make(self, unnamed: Sequence[object], given: Mapping[str, object]) -> None:
        check_named(type(self), unnamed)
        self.__dict__["_followers"] = {}
        self.__dict__["_world"] = None
        declared = {
            name: value
            for name, value in given.items()
            if isinstance(self.specs.get(name), (ParameterSpec, StartSpec))
        }
        others = {name: value for name, value in given.items() if name not in declared}
        Part.__init__(self, **declared)
        if "visual" in others or not self.is_open:
            known = ("visual",) if self.is_open else ("visual", *visual_names(type(self)))
            others = take_visual(self, others, [name for name in others if name in known])
        self._check_arguments(others)
        others = self._live_arguments(others)
        self.__dict__["_reads"] = set()  # from now on parameters note when they are read
        made = self._built(others)
        self.__dict__["_read_by_build"] = self.__dict__.pop("_reads")
        if isinstance(made, Part) and made is not self:
            raise ParameterError(
                type(self).__name__,
                f"build returned {made!r}, which is not a part of the model.",
                "Name the parts by assignment, `self.name = Part(…)`, and return nothing.",
                parameter="build",
                value=made,
            )

    def _check_arguments(self, given: dict[str, Any]) -> None:
        """Refuse arguments that `build` does not take, or does not get."""
        takes = arguments_of_build(type(self))
        names = [a.name for a in takes if a.kind is not a.VAR_KEYWORD]
        for name in given:
            if name not in names and len(names) == len(takes):
                raise UnknownNameError(
                    type(self).__name__,
                    f"has no parameter {name!r}.",
                    suggest(name, [*self.parameter_names(), *names]),
                    parameter=name,
                    value=given[name],
                )
        for argument in takes:
            if argument.name in names and argument.default is argument.empty:
                if argument.name not in given:
                    raise ParameterError(
                        type(self).__name__,
                        f"needs a value for {argument.name!r}.",
                        f"Make it with {type(self).__name__}({argument.name}=…).",
                        parameter=argument.name,
                    )

    def _built(self, given: dict[str, Any]) -> Any:
        """Return the value of `build`; a failure is reported with its line."""
        try:
            with under_way(type(self)):
                return self.build(**given)
        except (MotorikError, RecursionError):
            raise
        except Exception as error:
            line = line_of_error(error)
            raise ParameterError(
                type(self).__name__,
                f"build raised {type(error).__name__}: {error}"
                f"{f': {line}' if line else ''}.",
                "Correct this line of `build`, or the values it was given: "
                f"{', '.join(given) or 'none'}.",
                parameter="build",
                value=error,
            ) from error

    def _live_arguments(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of `build`, live ones named; a live default is copied."""
        for argument in arguments_of_build(type(self)):
            if argument.name not in given and isinstance(argument.default, Parameter):
                given[argument.name] = argument.default.copy()
        names = [argument.name for argument in arguments_of_build(type(self))]
        live = {name: v if has_live(v) else None for name, v in given.items()}
        self.__dict__[ARGUMENTS] = dict.fromkeys(names) | live
        for name, value in given.items():
            if isinstance(value, Parameter):
                self._own(name, value)
        return given

    def _own(self, name: str, live: Parameter) -> None:
        """Keep a live parameter under the name that it has in this model."""
        self.prepare_change()
        own = self.__dict__.setdefault(OWN, {})
        if own.setdefault(name, live) is not live:
            raise ParameterError(
                f"{self.label}.{name}",
                f"already is {own[name]!r}, which parts may have been given.",
                f"Give it another value: model.{name} = 2.0.",
                parameter=name,
                value=live,
            )
        live.settle(name)
        for part in self.lineage():
            part.__dict__["revision"] += 1

    def share(self, part: Part, **names: str) -> None:
        """Let values of an inner part follow values of this one: inner="outer"."""
        for inner, outer in names.items():
            self._followers.setdefault(outer, []).append((part, inner))
        state, theirs = self.__dict__, part.__dict__
        values = {inner: state[outer] for inner, outer in names.items()}
        others = {n: value for n, value in values.items() if theirs[n] is not value}
        if others:
            part._assign(others)

    def _assign(self, values: Mapping[str, Any]) -> None:
        for name in values:
            self._check_built(name)
        super()._assign(values)
        following: dict[Part, dict[str, Any]] = {}
        for name in values:
            for part, inner in self._followers.get(name, ()):
                following.setdefault(part, {})[inner] = self.__dict__[name]
        for part, theirs in following.items():
            part._assign(theirs)

    def _set(self, name: str, value: object) -> None:
        if isinstance(value, Part):
            self._attach(name, value)
        elif isinstance(value, type) and issubclass(value, Part):
            raise ParameterError(
                f"{self.label}.{name}",
                f"{value.__name__} is a kind of part, not a part.",
                f"Make one: {value.__name__}(…).",
                parameter=name,
                value=value,
            )
        elif isinstance(self.specs.get(name), (ParameterSpec, StartSpec, PortSpec)):
            super()._set(name, value)
        elif isinstance(self.__dict__.get(name), Part):
            raise ParameterError(
                f"{self.label}.{name}",
                f"is a part and cannot become {value!r}.",
                "Choose another name for the value.",
                parameter=name,
                value=value,
            )
        elif name in OWN_NAMES or _is_behaviour(getattr(type(self), name, None)):
            raise ParameterError(
                f"{self.label}.{name}",
                taken_name(type(self), name, "value"),
                f"Choose another name, e.g. {name}_value.",
                parameter=name,
                value=value,
            )
        elif name == "visual" or (not self.is_open and self._is_built and name[:1] != "_"):
            set_visual(self, name, value)
        elif isinstance(value, Parameter):
            self._own(name, value)
            object.__setattr__(self, name, value)
        elif name in self.__dict__.get(OWN, {}) and not isinstance(value, Live):
            if any(_is_loose(one) for _, one in _within(value)):
                self._check_no_live(name, value)
            self.__dict__[OWN][name].value = value
        else:
            self._attach_all(name, value)
            object.__setattr__(self, name, value)

    @property
    def _is_built(self) -> bool:
        return "_read_by_build" in self.__dict__

    def _attach_all(self, name: str, value: object) -> None:
        """Take the parts of a list, tuple or dict as `name[1]`, `name[2,1]`, `name[left]`."""
        if isinstance(value, (set, frozenset)) and any(_is_loose(one) for one in value):
            raise ParameterError(
                f"{self.label}.{name}",
                "a set has no order, so its parts would have no names.",
                "Give a list, a tuple or a dict of parts.",
                parameter=name,
                value=value,
            )
        loose = [(index, part) for index, part in _within(value) if _is_loose(part)]
        if len({id(part) for _, part in loose}) < len(loose):
            raise ParameterError(
                f"{self.label}.{name}",
                "holds one part several times.",
                "Make a new part for every place: [Body() for _ in range(4)].",
                parameter=name,
                value=value,
            )
        for index, part in loose:
            self._attach(f"{name}[{','.join(map(str, index))}]", part)

    def _check_built(self, name: str) -> None:
        """Refuse a new value of a parameter that `build` has read: its parts would not follow."""
        read = self.__dict__.get("_read_by_build", ())
        if name in read and name not in self._followers:
            kind = type(self).__name__
            raise ParameterError(
                f"{self.label}.{name}",
                "was read when the model was built and cannot be changed.",
                f"Make a new one by {kind}({name}=…), or give {name} as a live Parameter.",
                parameter=name,
                value=self.__dict__[name],
            )

    def _forgotten(self) -> str:
        """Return the name of an attribute whose parts were never named, "" if all were."""
        for name, value in self.__dict__.items():
            held = value if isinstance(value, (set, frozenset)) else ()
            held = [*held, *(one for _, one in _within(value))]
            if name not in OWN_NAMES and any(map(_is_loose, held)):
                return name
        return ""

    def _check_no_live(self, name: str, value: object) -> None:
        """Refuse parts under the name of a live parameter: that name would mean both."""
        live = self.__dict__.get(OWN, {}).get(name)
        if live is not None:
            raise ParameterError(
                f"{self.label}.{name}",
                f"is a live parameter, {live!r}; a part of the same name makes "
                f"parameters={{{name!r}: …}} ambiguous.",
                "Give the part or the parameter another name.",
                parameter=name,
                value=value,
            )

    def _attach(self, name: str, part: Part) -> None:
        self._check_no_live(name, part)
        if name in self.parts:
            raise ParameterError(
                f"{self.label}.{name}",
                f"two parts have this name: {self.parts[name]!r} and {part!r}.",
                "Give the second one another name.",
                parameter=name,
                value=part,
            )
        if not name or "." in name or any(map(str.isspace, name)):
            raise ParameterError(
                f"{self.label}.{name}".rstrip("."),
                f"{name!r} is not a name: it is empty, or has spaces, or dots, which separate "
                "names.",
                "Choose a name of letters, digits and underscores, without dots.",
                parameter=name or "name",
                value=name,
            )
        if name in self.specs or hasattr(type(self), name) or name in self.__dict__:
            raise ParameterError(
                f"{self.label}.{name}",
                taken_name(type(self), name, "part"),
                f"Choose another name, e.g. {name}_{type(part).__name__.lower()}.",
                parameter=name,
                value=part,
            )
        if any(part is outer for outer in self.lineage()):
            raise ParameterError(
                f"{self.label}.{name}",
                f"{type(part).__name__} cannot be a part of itself.",
                "Make a new part for every place.",
                parameter=name,
                value=part,
            )
        if part.parent is not None:
            raise ParameterError(
                f"{self.label}.{name}",
                f"this part already is {part.path!r}.",
                "Make a new part for every place.",
                parameter=name,
                value=part,
            )
        self.prepare_change()
        for inner in part.walk():
            inner.prepare_change()
        part.__dict__["parent"] = self
        part.__dict__["name"] = name
        self.parts[name] = part
        self.__dict__[name] = part
        world = part if isinstance(part, World) else part.__dict__.get("_world")
        for outer in self.lineage():
            outer.__dict__["revision"] += 1
            if outer.__dict__["_world"] is None:
                outer.__dict__["_world"] = world
        for inner in part.walk():  # within, the paths are others
            inner.__dict__["revision"] += 1

    def live_parameters(self) -> dict[str, Parameter]:
        """Return the live parameters of the model and all its parts by name."""
        return live_parameters(self)

    def tree(self, indent: str = "") -> str:
        """Return the parts and their parameters as an indented list."""
        lines = []
        for name, part in self.parts.items():
            lines.append(f"{indent}{name}: {Part.__repr__(part)}")
            if isinstance(part, Composite) and part.is_open:
                lines.append(part.tree(indent + "  "))
        return "\n".join(line for line in lines if line)


@dataclass_transform(kw_only_default=True, field_specifiers=(parameter,))
class DeclaredComposite(Composite, FramedVisual):
    """A composite whose constructor takes its declarations, and no more.

    `build` has no arguments but self; it makes parts whose values follow the declared ones.
    """


def _is_loose(value: object) -> bool:
    return isinstance(value, Part) and not value._is_attached


def _within(
    value: object, index: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield the items of a list, tuple, array or dict, with places from 1 and keys."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        value = value.tolist()
    if isinstance(value, Mapping):
        held: Any = value.items()
    elif isinstance(value, (list, tuple)):
        held = enumerate(value, 1)
    else:
        if index:
            yield index, value
        return
    for key, one in held:
        yield from _within(one, (*index, key))


def _is_behaviour(attribute: object) -> bool:
    return callable(attribute) or isinstance(attribute, property)
