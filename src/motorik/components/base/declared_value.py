"""DeclaredValue: an immutable value that declares its numbers as parts declare parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn

from motorik.components.base.declarations import ParameterSpec, parameter
from motorik.components.base.help_text import make_document, make_signature
from motorik.components.base.live_numbers import Live, LiveScalar
from motorik.components.base.resolving import NamedNumbers
from motorik.components.base.transform import dataclass_transform
from motorik.errors import ImmutableError, ParameterError, UnknownNameError, suggest


@dataclass_transform(kw_only_default=True, field_specifiers=(parameter,))
class DeclaredValue(NamedNumbers):
    """A value of numbers with names, units and limits; all are given by name, and may be live."""

    specs: ClassVar[Mapping[str, ParameterSpec]] = {}

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        own = {n: v for n, v in vars(cls).items() if isinstance(v, ParameterSpec)}
        cls.specs = {**cls.specs, **own}
        cls._leaves = tuple(cls.specs)
        cls.__signature__ = make_signature(cls.specs, {}, None)
        cls.__doc__ = make_document(vars(cls).get("__doc__") or "", {}, cls.specs, {})

    def __init__(self, *unnamed: object, **given: object) -> None:
        kind = type(self).__name__
        if unnamed:
            raise ParameterError(
                kind,
                f"takes its values by name, and {unnamed[0]!r} has none.",
                f"Write {kind}(name=…). {suggest('', self.specs)}",
                parameter="values",
                value=unnamed[0],
            )
        for name, value in given.items():
            if name not in self.specs:
                raise UnknownNameError(
                    kind,
                    f"has no parameter {name!r}.",
                    suggest(name, self.specs),
                    parameter=name,
                    value=value,
                )
        for name, spec in self.specs.items():
            value = given.get(name, spec.default)
            self.__dict__[name] = spec.convert(kind, name, spec.unit, value)
        self.check()

    def check(self) -> None:
        """Raise `ParameterError` if the numbers contradict each other."""

    def check_numbers(self, part: str, place: str) -> None:
        """Refuse numbers out of their limits, as live ones may become, for a parameter."""
        for name, spec in self.specs.items():
            spec.convert(part, f"{place}.{name}", spec.unit, self.__dict__[name])

    def __setattr__(self, name: str, value: object) -> NoReturn:
        kind = type(self).__name__
        raise ImmutableError(
            kind,
            f"cannot be changed: {name} = {value!r}.",
            f"Make another {kind} and assign it.",
            parameter=name,
            value=value,
        )

    def _numbers(self) -> tuple[Any, ...]:
        return tuple(self.__dict__[name] for name in self._leaves)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._numbers() == other._numbers()  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((type(self), self._numbers()))

    def __repr__(self) -> str:
        shown = [
            f"{name}={_as_given(self.__dict__[name])!r}"
            for name, spec in self.specs.items()
            if isinstance(self.__dict__[name], Live) or self.__dict__[name] != spec.default
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


def _as_given(value: object) -> object:
    return value.parameter if isinstance(value, LiveScalar) else value
