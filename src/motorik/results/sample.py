"""Sample: the variables of a run at one time, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from motorik.errors import UnknownNameError, checked_methods, suggest

Value = float | np.ndarray


@checked_methods
class Sample(Mapping[str, float]):
    """The variables of a run at one time: ``sample["rev.phi"]``.

    As a mapping it holds the states (and `Discrete` signals), and any other variable is read
    by its name. It can be given to a run as `initial` values: ``initial=result.sample(-1)``
    continues a run, ``sample | {"rev.w": 0.0}`` is the same sample with another value.

    States determine dependent angles only up to full turns and, where loops can be assembled
    in several ways, up to the branch. `dependent` holds these values, so that a run that starts
    from a sample keeps both; a plain ``dict(sample)`` does not.
    """

    def __init__(
        self,
        subject: str,
        time: float,
        states: Mapping[str, float],
        *,
        units: Mapping[str, str] | None = None,
        read: Callable[[str], Value] | None = None,
        dependent: Callable[[], Mapping[str, float]] = dict,
        energy: Callable[[], dict[str, float]] | None = None,
    ) -> None:
        self._subject = subject
        self.time = time
        self._states, self._units = dict(states), dict(units or {})
        self._read, self._find_dependent, self._energy = read, dependent, energy

    @property
    def dependent(self) -> dict[str, float]:
        """The values that follow from the states, by name: angles with their full turns."""
        return dict(self._find_dependent())

    def energy(self) -> dict[str, float]:
        """Return kinetic, potential and stored energy and their sum [J]."""
        if self._energy is None:
            raise UnknownNameError(
                "sample",
                "has no energy: it is a copy, or was read from a file.",
                "Ask the result of the run.",
                value="energy",
            )
        return self._energy()

    def __getitem__(self, name: str) -> Any:
        """Return a variable: a number, or an array of its shape."""
        if isinstance(name, str):
            if name in self._states:
                return self._states[name]
            if name == "time":
                return self.time
            if self._read is not None:
                return self._read(name)
        raise UnknownNameError(
            "sample", f"has no variable {name!r}.", suggest(name, self._states), value=name
        )

    def __contains__(self, name: object) -> bool:
        return name in self._states

    def __iter__(self) -> Iterator[str]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)

    def __or__(self, others: Mapping[str, float]) -> Sample:
        """Return the sample with other values of states; its variables are those of the run."""
        return Sample(
            self._subject,
            self.time,
            {**self._states, **others},
            units=self._units,
            read=self._read,
            dependent=self._find_dependent,
            energy=self._energy,
        )

    def __getstate__(self) -> dict[str, object]:
        """Return the state for a copy or a pickle: without the run that computes the rest."""
        known = self.dependent
        states = {**self.__dict__, "_read": None, "_find_dependent": dict, "_energy": None}
        return {**states, "_known": known}

    def __setstate__(self, state: dict[str, object]) -> None:
        known = state.pop("_known")
        self.__dict__.update(state)
        self._find_dependent = _Known(known)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        lines = [f"{self._subject} at t = {self.time:.9g} s"]
        width = max(map(len, self._states), default=0)
        for name, value in self._states.items():
            unit = self._units.get(name, "").replace(".", "·")
            lines.append(f"  {name:<{width}}  {value: .9g} {unit}".rstrip())
        return "\n".join(lines)


class _Known:
    """A function that returns values known beforehand, and can be pickled."""

    def __init__(self, values: Mapping[str, float]) -> None:
        self._values = values

    def __call__(self) -> Mapping[str, float]:
        return self._values
