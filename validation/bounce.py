"""Bounce: the proof that a reference turned back at a dead centre where the motion goes on.

At a dead centre the two positions of a loop meet. A closed form that knows only one of them
turns back there: what the reference does after that is what it did before, backwards, so each
signal is even or odd about that time. A motion does that of itself only where it stands still;
where there is kinetic energy at the dead centre, all velocities would have to jump to their
opposite, and nothing in the model pushes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from validation.deviation import scales
from validation.runs import TIGHT, Runs

ROWS = 20_001
TRIALS = 101
STANDS = 1e-3  # part of the largest kinetic energy at which a mechanism stands


@dataclass(frozen=True)
class Bounce:
    """A reference that runs its way back from a time `at` [s] up to a time `until` [s].

    `mirror` is how far it is from its mirror image, and `through` from the motion that goes
    on, both as parts of a signal's range; `kinetic` is the part of the largest kinetic energy
    that the mechanism has at the dead centre.
    """

    at: float
    until: float
    mirror: float
    through: float
    kinetic: float

    def is_proven(self, limit: float) -> bool:
        """Tell whether the reference is its own mirror image, to a limit, and in full motion."""
        return self.mirror <= limit < self.through and self.kinetic > STANDS

    def words(self) -> str:
        """Return the figures of the proof."""
        return (
            f"the reference bounces off a dead centre at {self.at:.4f} s: up to "
            f"{self.until:.3g} s it is its own mirror image in time to {self.mirror:.1e} "
            f"(the motion that goes on: {self.through:.1e}), with {self.kinetic:.0%} of the "
            "largest kinetic energy at the mirror"
        )


def find_bounce(runs: Runs, event: float) -> Bounce | None:
    """Return the mirror time next to an event at which the reference is most symmetric."""
    reference = runs.reference
    times = np.linspace(reference.start, reference.stop, ROWS)
    result = runs.simulate(TIGHT, "auto", times)
    ours = runs.signals(result)
    widths = scales(reference.signals)
    near = 4 * float(np.diff(np.unique(reference.time)).max())

    def after(at: float) -> np.ndarray:
        last = min(2 * at - reference.start, reference.stop)
        return (reference.time > at + near) & (reference.time <= last)

    def from_mirror(at: float) -> float:
        rows = after(at)
        back = 2 * at - reference.time[rows]
        worst = 0.0
        for name, values in ours.items():
            theirs, mirrored = reference.signals[name][rows], np.interp(back, times, values)
            apart = min(np.abs(theirs - s * mirrored).max() for s in (1.0, -1.0))
            worst = max(worst, apart / widths[name])
        return worst

    if not after(event + near).any():
        return None
    at, reach = event, near
    while reach > 1e-6 * near:
        trials = np.linspace(at - reach, at + reach, TRIALS)
        at = float(trials[int(np.argmin([from_mirror(float(trial)) for trial in trials]))])
        reach *= 4 / TRIALS
    rows = after(at)
    through = max(
        np.abs(reference.signals[n][rows] - np.interp(reference.time[rows], times, v)).max()
        / widths[n]
        for n, v in ours.items()
    )
    kinetic = np.asarray(result.energy()["kinetic"])
    share = float(np.interp(at, times, kinetic) / kinetic.max())
    until = float(reference.time[rows][-1])
    return Bounce(at, until, from_mirror(at), float(through), share)
