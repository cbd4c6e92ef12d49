"""Runs of one published model: its signals at the reference's times, as users would get them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from motorik import SolverOptions
from motorik.errors import SimulationError, UnknownNameError
from motorik.exchange.modelica import ReadModel
from motorik.initialisation.initialise import initialise
from motorik.results import Result
from validation.reference import Reference
from validation.reference_solver import registered

TIGHT = 1e-12
TIGHTEST = 1e-13
TOLERANCES = 17


@dataclass(frozen=True)
class Runs:
    """Runs of a model that was read, at the times of a reference.

    The error of the reference's method is the largest among `tolerances` around its own.
    """

    reading: ReadModel
    reference: Reference
    tolerances: int = TOLERANCES
    known: dict[tuple[str, float], dict[str, np.ndarray]] = field(default_factory=dict)

    def simulate(
        self,
        rtol: float,
        method: str = "auto",
        output: np.ndarray | None = None,
        initial: dict[str, float] | None = None,
        parameters: dict[str, Any] | None = None,
    ) -> Result:
        """Return a complete run, or raise what stopped it.

        The absolute tolerance is `rtol` in SI units, as the reference's solver has it.
        """
        times = np.unique(self.reference.time) if output is None else output
        at_start = output is None or initial is None
        with registered():
            result = self.reading.model.simulate(
                self.reference.stop if output is None else float(times[-1]),
                start_time=self.reference.start if at_start else float(times[0]),
                method=method,
                rtol=rtol,
                solver=SolverOptions(atol=rtol),
                output=times,
                initial=initial,
                parameters=parameters,
                progress=False,
            )
        if not result.complete:
            raise SimulationError(
                self.reference.model, f"stopped early: {result.info.message}"
            )
        return result

    def signals(self, result: Result) -> dict[str, np.ndarray]:
        """Return our values of the reference's signals at every time of a result."""
        with suppress(UnknownNameError):
            result.compute(self.reference.signals)  # all at once is cheaper than one by one
        ours: dict[str, np.ndarray] = {}
        for name in self.reference.signals:
            try:
                ours[name] = self.reading.signal(result, name)
            except UnknownNameError as error:
                count = self.reading.other_equations
                remedy = (
                    f"{count} equations of the model are not in the file." if count else ""
                )
                raise UnknownNameError(
                    self.reference.name, error.reason, remedy, **error.fields
                ) from None
        return ours

    def until(self, time: float) -> Runs:
        """Return the runs up to a time."""
        return Runs(self.reading, self.reference.until(time), self.tolerances)

    def rows(self, result: Result) -> dict[str, np.ndarray]:
        """Return our values of the reference's signals, one for each of its rows."""
        return self.spread(self.signals(result))

    def spread(self, signals: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return values at the different times of the reference, one for each of its rows."""
        _, index = np.unique(self.reference.time, return_inverse=True)
        return {name: values[index] for name, values in signals.items()}

    def time_events(self) -> int:
        """Return how many times there are in the run at which laws change."""
        system = self.reading.model.compile()
        start = initialise(system, {}, system.parameter_values(), self.reference.start)
        times = start.system.time_events.times(
            self.reference.start, self.reference.stop, start.p
        )
        return len(times)

    def by(self, method: str, rtol: float) -> dict[str, np.ndarray]:
        """Return the signals of a run, one value for each row of the reference."""
        if (method, rtol) not in self.known:
            self.known[method, rtol] = self.rows(self.simulate(rtol, method))
        return self.known[method, rtol]
