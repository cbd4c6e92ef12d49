"""Case: a mechanism in some units, its runs, and what they say in natural units."""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

import motorik as mk
from motorik.results import Result
from validation.fuzz.drawing import Drawing
from validation.fuzz.kinds import draw
from validation.fuzz.units import BY_NAME, LENGTH, Units

FINE, COARSE = 1e-9, 1e-7
GAIN = 10.0  # of Baumgarte's stabilisation, in natural units
STEPS = 200_000  # of one run, at most


class LawError(Exception):
    """A law does not hold."""


class UnclearError(Exception):
    """A law cannot be judged here, since the motion is too sensitive."""


@dataclass
class Case:
    """A drawn mechanism and the runs that laws ask for."""

    kind: str
    seed: int
    number: int
    is_plain: bool = False
    is_thorough: bool = False  # whether it takes all strategies and methods
    drawing: Drawing = field(init=False)
    units: Units = field(init=False)
    _model: mk.Model | None = None
    _tolerances: dict[object, dict[str, float]] = field(default_factory=dict)
    _fine: Result | None = None
    _finer_units: tuple[Result, Units] | None = None
    _condition: float | None = None

    def __post_init__(self) -> None:
        self.drawing, self.units = draw(self.kind, self.seed, self.number, self.is_plain)

    # --- runs -------------------------------------------------------------------------------

    def model(self) -> mk.Model:
        """Return the model in the units of the case."""
        if self._model is None:
            self._model = self.drawing.model(self.units)
        return self._model

    def run(
        self,
        model: mk.Model | None = None,
        units: Units | None = None,
        rtol: float = FINE,
        strategy: str | None = None,
        method: str = "dop853",
        output: int | str | np.ndarray = 20,
    ) -> Result:
        """Return a complete run; absolute tolerances follow the units."""
        # strategies are tried on mechanisms without loops as well
        warnings.filterwarnings("ignore", category=mk.UnusedOptionWarning)
        model, units = model or self.model(), units or self.units
        gain = GAIN / units.time
        options = {"strategy": strategy, "loops": mk.LoopOptions(gains=(gain, gain))}
        if strategy != "baumgarte" and not self.drawing.planar:
            options.pop("loops")
        stop = self.drawing.stop * units.time
        key = (id(model), strategy)
        if key not in self._tolerances:
            look = model.simulate(
                1e-6 * stop, output=1, rtol=1e-3, progress=False, **options
            )
            self._tolerances[key] = {
                name: units.of(BY_NAME[look.unit(name)]) for name in look.state_names
            }
        atol = {name: rtol * scale for name, scale in self._tolerances[key].items()}
        result = model.simulate(
            stop,
            method=method,
            rtol=rtol,
            solver=mk.SolverOptions(atol=atol, max_steps=STEPS),
            output=output if not isinstance(output, np.ndarray) else output * units.time,
            progress=False,
            **options,
        )
        if not result.complete:
            how = f"{strategy or 'default'} {method}"
            why = result.info.message.partition("\n")[0]
            raise LawError(f"{how} incomplete at {result.time[-1] / stop:.3f} of it: {why}")
        return result

    def fine(self) -> Result:
        """Return the run that others are compared with."""
        if self._fine is None:
            self._fine = self.run()
        return self._fine

    def in_finer_units(self) -> tuple[Result, Units]:
        """Return the run in units a thousand times as fine, and these units."""
        if self._finer_units is None:
            finer = self.units.finer(1e3)
            self._finer_units = self.run(self.drawing.model(finer), finer), finer
        return self._finer_units

    def some(self, names: Sequence[str], count: int) -> list[str]:
        """Return a few of many names, chosen by the seed of the case, in their order."""
        if self.is_thorough:
            return list(names)
        whose = [self.number, self.seed, zlib.crc32(self.kind.encode()), len(names)]
        chosen = np.random.default_rng(whose).permutation(len(names))[:count]
        return [names[int(k)] for k in np.sort(chosen)]

    def condition(self) -> float:
        """Return how far a run with a hundredfold tolerance is from the fine one."""
        if self._condition is None:
            self._condition = self.apart(self.fine(), self.run(rtol=COARSE))
        return self._condition

    # --- what runs say ----------------------------------------------------------------------

    def poses(
        self,
        result: Result,
        units: Units | None = None,
        names: dict[str, str] | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return positions in natural units and rotations of all bodies, by time and body."""
        units, names = units or self.units, names or {}
        frames = [_renamed(body.frame, names) for body in self.drawing.bodies]
        result.compute(f"{frame}.{what}" for frame in frames for what in ("r_0", "R.T"))
        r = np.stack([result[f"{frame}.r_0"] for frame in frames], axis=1)
        T = np.stack([result[f"{frame}.R.T"] for frame in frames], axis=1)
        return r / units.of(LENGTH), T

    def apart(
        self,
        one: Result,
        other: Result,
        units: Units | None = None,
        names: dict[str, str] | None = None,
    ) -> float:
        """Return how far two runs are apart, at the same times: lengths against the size."""
        r, T = self.poses(one)
        s, S = self.poses(other, units, names)
        size = max(1.0, float(np.abs(r).max()))
        found = max(float(np.abs(r - s).max()) / size, float(np.abs(T - S).max()))
        return found if np.isfinite(found) else np.inf

    def check_same(self, found: float, what: str) -> None:
        """Fail if two motions are further apart than tolerances explain."""
        condition = self.condition()
        if found > 1e-6 + 3.0 * condition:
            raise LawError(f"{what}: {found:.1e} apart, tolerances explain {condition:.1e}")

    def check_clear(self) -> None:
        """Stop if the motion depends on rounding too much to be compared."""
        if self.condition() > 1e-3:
            raise UnclearError(
                f"a hundredfold tolerance moves it by {self.condition():.1e}"
            )


def _renamed(path: str, names: dict[str, str]) -> str:
    part, _, rest = path.partition(".")
    return f"{names.get(part, part)}.{rest}"
