"""The pasts of delayed signals in a run: their memory, and the times at which they jump.

A discontinuity at the time t returns in a signal delayed by T at t + T, where a step must end.
There it is a discontinuity again, of the next generation: an integration makes it smoother by one
derivative, so the fourth is seen by no method more than any other error of a step.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.recall import BEGIN, END, FIRST, ORDER, Past
from motorik.compiler.addresses import Numbers, start_of
from motorik.components.base.internal import single_number
from motorik.errors import InitialValueError, ParameterError
from motorik.nonsmooth.memory import PAST_ROOM, PastHead, past_size
from motorik.numerics.newton import undamped_newton
from motorik.numerics.tolerances import (
    BLOCK_DIFFERENCE,
    DELAY_LOCATED,
    EVENT_ROUNDING,
    NO_DELAY,
    SAME_PAST,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from motorik.compiled_model import CompiledModel
    from motorik.compiler.addresses import Native
    from motorik.initialisation.initialise import InitialState

GENERATIONS = 4  # of a discontinuity, and one more for each delayed signal
FIRST_ROOM = 4 * PAST_ROOM  # pieces
FOREVER = 1e300
ALL = 1e15  # more pieces than there are
NEVER = 1e9  # s

_heads: list[Numbers] = []
"""All heads: they are never freed, so that no address of a past becomes invalid."""
_living: weakref.WeakValueDictionary[int, Pasts] = weakref.WeakValueDictionary()


class Pasts:
    """The pasts of all delayed signals of a run, from x at t0 on, or continued from those in p.

    Their addresses are written into p. `native` computes the signals and their delays.
    """

    def __init__(
        self, system: CompiledModel, t0: float, x: Numbers, p: Numbers, rtol: float
    ) -> None:
        self._delays = system.mechanism.inventory.delays
        self.places = places_of(system)
        self.native: Native = system.delayed_signals
        self._system = system
        count = self.count = len(self._delays)
        self._width = FIRST + count * ORDER
        self.pasts = np.zeros(past_size(count))
        _heads.append(self.pasts)
        self.pieces = np.zeros((FIRST_ROOM, self._width))
        before = _living.get(int(p[self.places[0]]))
        self._discontinuities: list[tuple[float, int, int]] = []
        self._due: dict[float, int] = {}  # generations of discontinuities that return
        # of each variable delay: time and generation of the discontinuity that returns next
        self._following: dict[int, tuple[float, int]] = {}
        is_gap = before is not None and before.end + before._rounding(t0) < t0
        if before is None or is_gap:
            self._begin(t0, np.zeros(count) if is_gap else starts_in(p, self.places))
        else:
            self._continue(before, t0)
        room = (count + 1) * Past.SIZE + count * (ORDER + 2)
        starts = self.pieces[: int(self.pasts[PastHead.PIECES]), FIRST::ORDER]
        self.pasts[room : room + count] = starts.min(axis=0)
        self.pasts[room + count : room + 2 * count] = starts.max(axis=0)
        for k, place in enumerate(self.places):
            p[place] = start_of(self.pasts) + (k + 1) * Past.SIZE * self.pasts.itemsize
        _living[int(p[self.places[0]])] = self
        weakref.finalize(self, _forget, self.pasts, count)
        if is_gap:
            self.forget(t0, x, p)
        self.delays = self._delays_at(t0, x, p)
        self._check_delays(t0)
        self._set_windows(t0, p)

    def _begin(self, t0: float, starts: Numbers) -> None:
        """Let the signals have been constant until now."""
        self.pieces[0] = 0.0
        self.pieces[0, : FIRST + 1] = -FOREVER, t0, t0, 0.0
        self.pieces[0, FIRST::ORDER] = starts
        self._write_heads(1)
        self._discontinuities.append((t0, 1, 0))

    def _continue(self, before: Pasts, t0: float) -> None:
        """Take over the pasts of another integration, as far as t0."""
        count = int(before.pasts[PastHead.PIECES])
        begins = before.pieces[:count, BEGIN]
        count = max(int(np.searchsorted(begins, t0, side="left")), 1)
        self.pieces = np.zeros((count + FIRST_ROOM, self._width))
        self.pieces[:count] = before.pieces[:count]
        self._write_heads(count)
        own = (one for one in before._discontinuities if one[0] < t0)
        self._discontinuities = [*own, (t0, count, 0)]

    def _write_heads(self, count: int) -> None:
        """Write how the pieces are laid out."""
        self.pasts[PastHead.SIGNALS] = self.count
        self.pasts[PastHead.PIECES] = count
        for k in range(self.count):
            head = self.head(k)
            head[Past.STRIDE], head[Past.COUNT] = self._width, count
            head[Past.OFFSET], head[Past.HIGH] = FIRST + k * ORDER, ALL
        self._move()

    def _move(self) -> None:
        """Write where the pieces lie."""
        self.pasts[PastHead.CAPACITY] = len(self.pieces)
        for k in range(self.count):
            self.head(k)[Past.DATA] = start_of(self.pieces)

    def head(self, k: int) -> Numbers:
        """Return the head of the past of signal k."""
        return self.pasts[(k + 1) * Past.SIZE : (k + 2) * Past.SIZE]

    @property
    def end(self) -> float:
        """The time [s] up to which the pasts are known."""
        return float(self.pieces[int(self.pasts[PastHead.PIECES]) - 1, END])

    @property
    def arrays(self) -> tuple[Numbers, Numbers]:
        """The arrays that native code writes."""
        return self.pasts, self.pieces

    def extend(self) -> None:
        """Double the room."""
        self.pieces = np.concatenate([self.pieces, np.zeros_like(self.pieces)])
        self._move()

    # --- discontinuities -------------------------------------------------------------------

    @property
    def shortest(self) -> float:
        """The shortest constant delay [s], infinity without any."""
        own = zip(self._delays, self.delays, strict=True)
        return min((T for delay, T in own if delay.is_constant), default=np.inf)

    @property
    def shortest_name(self) -> str:
        """The part with the shortest delay."""
        return self._delays[int(np.argmin(self.delays))].part.path

    def note(self, t: float, x: Numbers, p: Numbers) -> None:
        """Note a discontinuity at the present time, or a jump within the last step."""
        jump, self.pasts[PastHead.JUMP] = int(self.pasts[PastHead.JUMP]), 0.0
        if jump:
            begun = float(self.pieces[jump, BEGIN])
            self._discontinuities.append((begun, jump, 0))
            self._discontinuities.sort()
            self.delays = self._delays_at(t, x, p)
            self._set_windows(t, p)
            return
        near = self._rounding(t)
        self.delays = self._delays_at(t, x, p)
        found = [own for due, own in self._due.items() if abs(due - t) <= near]
        for k, (due, own) in self._following.items():
            if abs(t - self.delays[k] - due) <= DELAY_LOCATED * max(abs(t), self.delays[k]):
                found.append(own + 1)
        generation = min(found, default=0)
        self._due = {due: own for due, own in self._due.items() if due > t + near}
        count = int(self.pasts[PastHead.PIECES])
        last, piece, _ = self._discontinuities[-1]
        if piece < count and t - last > DELAY_LOCATED * max(abs(t), *self.delays):
            self._discontinuities.append((t, count, generation))
        self._set_windows(t, p)

    def forget(self, t: float, x: Numbers, p: Numbers) -> None:
        """Begin at another time, with signals that have been constant until then."""
        self._discontinuities, self._due, self._following = [], {}, {}
        values = np.zeros(self.count)
        for _ in range(self.count + 1):  # a signal may be that of another delay
            self._discontinuities.clear()
            self._begin(t, values)
            values = self._system.delayed_signals(np.array([t]), x, p)[: self.count]
        self.delays = self._delays_at(t, x, p)
        self._set_windows(t, p)

    def returns(self, begin: float, end: float) -> Numbers:
        """Return the times after `begin` up to `end` at which discontinuities return."""
        near = self._rounding(begin)
        most = self._most
        for delay, T in zip(self._delays, self.delays, strict=True):
            if delay.is_constant:
                for t, _, generation in self._discontinuities:
                    if t + T > begin + near and generation < most:
                        known = self._due.get(t + T, most)
                        self._due[t + T] = min(known, generation + 1)
        found: list[float] = []
        for t in sorted(self._due):
            if begin + near < t < end and not (found and t <= found[-1] + near):
                found.append(t)
        return np.array(found)

    @property
    def _most(self) -> int:
        """The generation of discontinuities that return no more."""
        return GENERATIONS + self.count

    def _rounding(self, t: float) -> float:
        return EVENT_ROUNDING * max(abs(t), *self.delays)

    def _set_windows(self, t: float, p: Numbers) -> None:
        """Let each signal be read between the discontinuities of its past around its time.

        One with a variable delay may return to pieces before.
        """
        at = self._system.layout.position
        for k, (delay, T) in enumerate(zip(self._delays, self.delays, strict=True)):
            head, near = self.head(k), self._rounding(t)
            head[Past.TIME_ROUNDING] = near
            head[Past.LOW], head[Past.HIGH] = 0.0, ALL
            following, number = t + NEVER, 0
            if not delay.is_constant:
                near = head[Past.TIME_ROUNDING] = DELAY_LOCATED * max(abs(t), T)
            for begun, piece, generation in self._discontinuities:
                if generation >= self._most:
                    continue
                if begun + T <= t + near:
                    head[Past.LOW] = piece if delay.is_constant else 0.0
                else:
                    head[Past.HIGH], following, number = piece - 1, begun, generation
                    break
            if not delay.is_constant:
                p[at[single_number(delay.part.internal(), delay.following)]] = following
                self._following[k] = following, number

    def open(self) -> None:
        """Let the whole past be read, as results do."""
        for k in range(self.count):
            self.head(k)[Past.LOW], self.head(k)[Past.HIGH] = 0.0, ALL

    # --- delays ----------------------------------------------------------------------------

    def _delays_at(self, t: float, x: Numbers, p: Numbers) -> list[float]:
        """Return the delays [s] at a state."""
        values = self._system.delayed_signals(np.array([t]), x, p)
        return values[self.count :].tolist()

    def _check_delays(self, t: float) -> None:
        """Refuse delays that are not positive, or longer than said."""
        for delay, T in zip(self._delays, self.delays, strict=True):
            if not T > 0.0 or (delay.most and T > delay.most * (1.0 + EVENT_ROUNDING)):
                limit = f" up to delayMax = {delay.most:g} s" if delay.most else ""
                raise ParameterError(
                    delay.part.path,
                    f"delayTime = {T:g} s at t = {t:g} s is not a positive time{limit}.",
                    f"Give a positive delay{limit}; where there is none, connect the signal "
                    "itself.",
                    parameter="delayTime",
                    value=T,
                )

    def fault(self, t: float, x: Numbers, p: Numbers) -> tuple[str, str] | None:
        """Return the message on a delay by which a run has ended, and the remedy."""
        for delay, T in zip(self._delays, self._delays_at(t, x, p), strict=True):
            if delay.most and not NO_DELAY * delay.most < T < (1.0 - NO_DELAY) * delay.most:
                return (
                    f"{delay.part.path}: delayTime comes to {T:.6g} s, not within 0 … delayMax = "
                    f"{delay.most:g} s",
                    "Keep the delay above zero and up to delayMax, e.g. by maximum(T, T_min); "
                    "where it vanishes, let a Switch take the signal itself.",
                )
        return None


def _forget(pasts: Numbers, count: int) -> None:
    """Let a past that is no longer kept be nothing."""
    for k in range(count):
        head = pasts[(k + 1) * Past.SIZE : (k + 2) * Past.SIZE]
        head[Past.COUNT], head[Past.DATA], head[Past.START] = 0.0, 0.0, np.nan


def places_of(system: CompiledModel) -> list[int]:
    """Return the places in p of the addresses of all pasts."""
    at = system.layout.position
    delays = system.mechanism.inventory.delays
    return [at[single_number(own.part.internal(), own.address)] for own in delays]


# --- the start -----------------------------------------------------------------------------


def starts_in(p: Numbers, places: list[int]) -> Numbers:
    """Return the values of signals before a run, from the heads whose addresses are in p."""
    from motorik.algebra.recall import numbers_at

    return np.array([numbers_at(float(p[place]), -FOREVER)[1] for place in places])


def constant_pasts(live: Numbers, places: list[int], values: Numbers) -> Numbers:
    """Return live numbers with the addresses of pasts that have always had these values."""
    head = np.zeros((len(places), Past.SIZE))
    head[:, Past.START] = values
    _heads.append(head)
    made = live.copy()
    made[places] = [start_of(head) + k * head.strides[0] for k in range(len(places))]
    return made


def initialise_with_pasts(
    system: CompiledModel,
    live: Numbers,
    initialise: Callable[[Numbers], InitialState],
) -> InitialState:
    """Return the initial state in which delayed signals are what they are at the start.

    Before the start they have been constant, so a delayed signal begins with the signal itself.
    """
    places = places_of(system)
    n = len(places)

    def signals(values: Numbers) -> tuple[InitialState, Numbers]:
        found = initialise(constant_pasts(live, places, values))
        own = found.system.delayed_signals(np.array([found.t]), found.x, found.p)
        return found, own[:n]

    def is_met(values: Numbers, given: Numbers) -> bool:
        return bool((np.abs(given - values) <= SAME_PAST * np.abs(given)).all())

    def inverse(values: Numbers, fault: Numbers) -> Numbers:
        slopes, given = np.empty((n, n)), values - fault
        for j in range(n):
            size = max(abs(values[j]), abs(given[j]), BLOCK_DIFFERENCE)
            other = values.copy()
            other[j] += BLOCK_DIFFERENCE * size
            slopes[:, j] = (signals(other)[1] - given) / (BLOCK_DIFFERENCE * size)
        return np.asarray(np.linalg.inv(np.eye(n) - slopes), dtype=np.float64)

    values: Numbers | None = np.zeros(n)
    for _ in range(n + 1):  # a signal that does not depend on delayed ones is known at once
        found, given = signals(values)
        if is_met(values, given):
            return found
        values = given
    try:
        values = undamped_newton(lambda x: x - signals(x)[1], inverse, values)
    except np.linalg.LinAlgError:
        values = None
    if values is not None:
        found, given = signals(values)
        if is_met(values, given):
            return found
    names = ", ".join(own.part.path for own in system.mechanism.inventory.delays)
    raise InitialValueError(
        names,
        "no value of the signal at the start agrees with its delayed value there.",
        "Before the start a delayed signal is what it is at the start: let its loop have a "
        "solution without the delay.",
    )
