"""Building: the arguments of `build`, which the constructor of a composite takes."""

from __future__ import annotations

import inspect
import threading
from typing import TYPE_CHECKING, Protocol

from motorik.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import ParamSpec

    from motorik.components.base.composite import Composite

    Given = ParamSpec("Given")

    class Building(Protocol[Given]):
        """What has a `build` with these arguments."""

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


class _Nested(threading.local):
    """The kinds of composites that are being built in a thread, outer before inner."""

    def __init__(self) -> None:
        self.kinds: list[type] = []
        self.deepest: tuple[type, ...] = ()


_NESTED = _Nested()


class under_way:  # noqa: N801 - it is read as a statement
    """A context in which a kind of composite is built; one that builds itself is named.

    A kind may build itself with other arguments, as long as that comes to an end.
    """

    def __init__(self, kind: type) -> None:
        self.kind = kind

    def __enter__(self) -> None:
        """Begin."""
        if not _NESTED.kinds:
            _NESTED.deepest = ()
        _NESTED.kinds.append(self.kind)

    def __exit__(self, kind: type | None, error: object, trace: object) -> None:
        """End; the outermost names the kinds that built one another without end."""
        if kind is not None and issubclass(kind, RecursionError) and not _NESTED.deepest:
            _NESTED.deepest = tuple(_NESTED.kinds)
        _NESTED.kinds.pop()
        deepest = _NESTED.deepest
        if _NESTED.kinds or kind is None or not issubclass(kind, RecursionError):
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
