"""Parameter values: those of one run, by name, with their units."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from motorik.errors import UnknownNameError, suggest
from motorik.immutable import immutable

NOTE = "parameters"  # the attribute of a file that holds them
Value = float | tuple[float, ...]


@immutable
class ParameterValue:
    """The value of a parameter, its unit, and whether it was computed at the start of the run."""

    value: Value
    unit: str = ""
    found: bool = False


class ParameterValues(Mapping[str, Value]):
    """The parameters of a run by name: ``result.parameters["leg.L"]``."""

    def __init__(self, entries: Mapping[str, ParameterValue]) -> None:
        self._entries = dict(entries)

    def __getitem__(self, name: str) -> Value:
        return self._entry(name).value

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def unit(self, name: str) -> str:
        """Return the unit of a parameter."""
        return self._entry(name).unit

    def is_found(self, name: str) -> bool:
        """Return whether the value was computed at the start: a guess, or a designed length."""
        return self._entry(name).found

    def _entry(self, name: str) -> ParameterValue:
        if name not in self._entries:
            raise UnknownNameError(
                "parameters",
                f"there is no {name!r}.",
                suggest(name, self._entries),
                value=name,
            )
        return self._entries[name]

    def __repr__(self) -> str:
        lines = [
            f"{name} = {_as_text(entry.value)} {entry.unit}".rstrip()
            + (" (computed at the start)" if entry.found else "")
            for name, entry in self._entries.items()
        ]
        return "\n".join(lines) or "no live parameters"

    def as_text(self) -> str:
        """Return them as text for a file, exactly."""
        import json

        return json.dumps({n: [e.value, e.unit, e.found] for n, e in self._entries.items()})

    @staticmethod
    def of_text(text: str) -> ParameterValues:
        """Return the values of such a text; any other text raises `ValueError`."""
        import json

        read = json.loads(text)
        if not isinstance(read, dict):
            raise ValueError("its parameters are not given by name")
        return ParameterValues({str(name): _checked(name, e) for name, e in read.items()})


def _checked(name: str, entry: object) -> ParameterValue:
    if isinstance(entry, list) and len(entry) == 3:
        value, unit, found = entry
        numbers = value if isinstance(value, list) else [value]
        finite = all(type(x) in (int, float) and math.isfinite(x) for x in numbers)
        if finite and numbers and type(found) is bool and type(unit) is str:
            single = not isinstance(value, list)
            own = float(value) if single else tuple(map(float, numbers))
            return ParameterValue(own, unit, found)
    raise ValueError(
        f"its parameter {name!r} is {entry!r}, not a value, a unit and a truth value"
    )


def _as_text(value: Value) -> str:
    numbers = value if isinstance(value, tuple) else (value,)
    text = ", ".join(f"{number:.9g}" for number in numbers)
    return f"({text})" if isinstance(value, tuple) else text
