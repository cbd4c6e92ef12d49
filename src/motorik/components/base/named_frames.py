"""Parts with frames that the user names and places."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from keyword import iskeyword
from typing import ClassVar

from motorik.components.base.composite import OWN_NAMES
from motorik.components.base.part import (
    DeclaredPart,
    ParameterSpec,
    Part,
    PortSpec,
    check_named,
)
from motorik.components.base.ports import Port
from motorik.errors import ParameterError

Declared = PortSpec | ParameterSpec


class NamedFrames(DeclaredPart):
    """A part with frames that are given by name, each an attribute with parameters of its place.

    They are the argument `argument` of the constructor, a dict. A class defines `declared_at`,
    which returns the declarations of one frame: the frame by its name, and its parameters.
    """

    argument: ClassVar[str]
    remedy: ClassVar[str]  # an example of the argument

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        named = cls.__dict__.get("argument") or getattr(cls, "argument", "")
        if not named:
            return
        given = inspect.Parameter(named, inspect.Parameter.KEYWORD_ONLY, default=None)
        others = [own for own in cls.__signature__.parameters.values() if own.name != named]
        cls.__signature__ = cls.__signature__.replace(parameters=[given, *others])

    def __init__(self, *unnamed: object, **given: object) -> None:
        check_named(type(self), unnamed)
        named = given.pop(self.argument, None)
        places = self._checked({} if named is None else named)
        own: dict[str, Declared] = {}
        for name, place in places.items():
            own |= self.declared_at(name, place, given)
        self.__dict__["own_specs"] = own
        self.__dict__.update(self._declared(own))
        Part.__init__(self, **given)

    def declared_at(
        self, name: str, place: object, given: dict[str, object]
    ) -> dict[str, Declared]:
        """Return the declarations of a frame, in which live values become ones `given`."""
        raise NotImplementedError

    def parameters_of(self, name: str) -> Iterable[str]:
        """Return the names of the parameters of a frame."""
        raise NotImplementedError

    def __getstate__(self) -> dict[str, object]:
        """Return the state of a copy or a pickle: of the declarations only its own."""
        declared = ("specs", "_parameters")
        return {
            name: value for name, value in self.__dict__.items() if name not in declared
        }

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self.__dict__.update(self._declared(self.__dict__["own_specs"]))

    def _declared(self, own: Mapping[str, Declared]) -> dict[str, object]:
        """Return all declarations of a part with these of its own, and the parameters."""
        specs = {**type(self).specs, **own}
        names = tuple(
            name for name, spec in specs.items() if isinstance(spec, ParameterSpec)
        )
        return {"specs": specs, "_parameters": names}

    def _checked(self, places: object) -> Mapping[str, object]:
        """Return the places by name, or refuse names that cannot be those of frames."""
        if not isinstance(places, Mapping):
            text = f"{self.argument} = {places!r} is not a dict of places."
            raise self.refused_place(text, self.remedy, places)
        taken = {"own_specs", "specs", "_parameters", *OWN_NAMES}
        for name in places:
            if not isinstance(name, str) or not name.isidentifier() or iskeyword(name):
                text = f"{name!r} is not a valid port name."
                raise self.refused_place(text, self.remedy, name)
            made = (name, *self.parameters_of(name))
            for one in made:
                if one in taken or hasattr(type(self), one):
                    raise self.refused_place(
                        f"{name!r} cannot name a port: {one!r} already means something else.",
                        "Choose another name for the port.",
                        name,
                    )
            taken.update(made)
        return places

    def refused_place(self, words: str, remedy: str, value: object) -> ParameterError:
        """Return the error about a name or a place."""
        return ParameterError(
            type(self).__name__, words, remedy, parameter=self.argument, value=value
        )

    def user_ports(self) -> list[Port]:
        """Return the frames that the user has given."""
        own = self.__dict__["own_specs"].items()
        return [self.__dict__[name] for name, spec in own if isinstance(spec, PortSpec)]

    def __repr__(self) -> str:
        given = self.given_places()
        kind, values = type(self).__name__, super().__repr__().split("(", 1)[1][:-1]
        shown = [values] if values else []
        return f"{kind}({', '.join([*shown, f'{self.argument}={given!r}'])})"

    def given_places(self) -> dict[str, object]:
        """Return the frames of the user as `argument` has them: their places by name."""
        return {port.name: self.given_place(port.name) for port in self.user_ports()}

    def given_place(self, name: str) -> object:
        """Return the place of a frame as it was given."""
        raise NotImplementedError
