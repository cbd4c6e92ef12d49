"""EnergyBalance: where the energy of a run comes from, where it is stored and where it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import UnknownNameError, suggest
from motorik.immutable import immutable
from motorik.numerics.tolerances import SAME_NUMBER

if TYPE_CHECKING:
    from motorik.results.model_result import ModelResult

MECHANICAL = ("kinetic", "potential")
GAUSS_POINTS = (
    5  # of a step: exact for polynomials of degree 9, of higher order than the steps
)


class EnergyBalance(Mapping[str, np.ndarray]):
    """Energies over the time of a result [J], by name.

    * ``kinetic``, ``potential``: of all bodies and drive lines;
    * ``elastic``, ``electrical``, ``heat``, ``hydraulic``, ``magnetic``: of springs and of the
      domains that the model has, ``stored`` their sum, ``total`` that of all;
    * ``supplied``: the work of sources since the start, ``lost`` what was dissipated and leaves
      no part as heat through a heat port, each event included by its jump;
    * ``undeclared``: the work of laws of which neither is known;
    * ``imbalance``: by what the total differs from total at the start + supplied − lost +
      undeclared, the error of the run.

    `supplied_by`, `lost_by` and `undeclared_by` are dicts of the same by part.
    """

    def __init__(
        self, stored: Mapping[str, np.ndarray], result: ModelResult | None
    ) -> None:
        self._stored, self._result = dict(stored), result
        if "stored" not in stored:
            forms = [values for name, values in stored.items() if name not in MECHANICAL]
            self._stored["stored"] = np.sum(forms, axis=0)
        self._stored["total"] = np.sum(list(stored.values()), axis=0)

    @cached_property
    def _works(self) -> Exchanged:
        if self._result is None:
            raise UnknownNameError(
                "energy",
                "the work of sources and losses is not known: the result is interpolated, or is "
                "no run of a model.",
                "Read it from the result that `simulate` has returned.",
                value="supplied",
            )
        return find_exchanged(self._result)

    @property
    def supplied_by(self) -> dict[str, np.ndarray]:
        """The work of each source since the start [J]."""
        return self._works.supplied

    @property
    def lost_by(self) -> dict[str, np.ndarray]:
        """The energy that each part has lost since the start [J]."""
        return self._works.lost

    @property
    def undeclared_by(self) -> dict[str, np.ndarray]:
        """The work of each part that declares neither what it stores nor what it loses [J]."""
        return self._works.undeclared

    def __getitem__(self, name: str) -> np.ndarray:
        if name in self._stored:
            return self._stored[name]
        known = [*iter(self)]
        if name not in known:
            raise UnknownNameError(
                "energy", f"there is no {name!r}.", suggest(name, known), value=name
            )
        if name == "imbalance":
            E = self._works.stored
            given = self["supplied"] - self["lost"] + self["undeclared"]
            return E - E[0] - given
        by_part = getattr(self, f"{name}_by").values()
        return np.sum([np.zeros_like(self["total"]), *by_part], axis=0)

    def __iter__(self) -> Iterator[str]:
        yield from self._stored
        if self._result is not None:
            yield from ("supplied", "lost", "undeclared", "imbalance")

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        lines = [f"{name:12} {values[-1]:.9g} J" for name, values in self.items()]
        return "at the end\n" + "\n".join(lines)


# --- works over a run ----------------------------------------------------------------------


Works = dict[str, np.ndarray]
"""Works or energies over time [J], by part."""


@immutable
class Exchanged:
    """Energy exchanged since the start of a run, over the time of its result.

    `stored` is the energy that changes: all but a potential that is not known.
    """

    stored: np.ndarray
    supplied: Works
    lost: Works
    undeclared: Works


def find_exchanged(result: ModelResult) -> Exchanged:
    """Return the works exchanged since the start of a run [J], at the times of its result.

    The run is repeated: for the ends of its steps, and for its motion at Gauss points between
    them. Powers are smooth there; where they are not yet integrated as exactly as the motion is,
    steps are divided. A jump at an event counts by the energies before and after it.
    """
    time, names = result.time, result.power_names
    edges = [result.ends_of_steps(), time, result.events.times]
    edges += map(np.array, result.stepped_intervals)
    ends = np.unique(np.concatenate(edges))
    at = _integrated(result, ends[(ends >= time[0]) & (ends <= time[-1])])
    for _ in range(DIVISIONS):
        coarse = at.is_coarse(result.info.tolerance)
        if not coarse.any():
            break
        inner = at.edges[:-1][coarse, None] + np.diff(at.edges)[coarse, None] * _THIRDS
        at = _integrated(result, np.unique(np.concatenate([at.edges, inner.ravel()])))

    is_stepped = np.zeros(at.edges.size - 1, dtype=bool)
    for begin, end in at.again.stepped_intervals:
        is_stepped |= (at.edges[:-1] >= begin) & (at.edges[1:] <= end)

    def since_start(kind: Mapping[str, str], passed: np.ndarray) -> Works:
        """Return the works of all parts at the edges; in intervals that were passed, none."""
        found = {part: np.where(passed, 0.0, at.works[name]) for part, name in kind.items()}
        return {part: np.append(0.0, np.cumsum(pieces)) for part, pieces in found.items()}

    nowhere = np.zeros_like(is_stepped)
    works = (
        since_start(names.supplied, nowhere),
        since_start(names.lost, is_stepped),
        since_start(names.undeclared, nowhere),
    )
    given = np.sum(
        [np.zeros(at.edges.size), *works[0].values(), *works[2].values()], axis=0
    )
    places = np.searchsorted(at.edges, time)
    at_samples = [{part: work[places] for part, work in own.items()} for own in works]
    found = Exchanged(at.stored, *at_samples)
    _add_jumps(at.again, time, found, partial(np.interp, xp=at.edges, fp=given))
    return found


DIVISIONS = 6  # of a step into three parts, at most, until its powers are integrated
_THIRDS = np.array([1.0, 2.0]) / 3.0


@immutable
class Integrated:
    """Works between neighbouring `edges` [s] of a run that was repeated as `again`.

    `works` are those of all powers by name, `errors` the sum of their errors, and `stored` is the
    known energy at the times of the result.
    """

    again: ModelResult
    edges: np.ndarray
    stored: np.ndarray
    works: Works
    errors: np.ndarray

    def is_coarse(self, rtol: float) -> np.ndarray:
        """Return which intervals have a larger part in the error than in the duration."""
        exchanged = np.ptp(self.stored)
        exchanged += sum(float(np.abs(work).sum()) for work in self.works.values())
        share = np.diff(self.edges) / (self.edges[-1] - self.edges[0])
        rounding = SAME_NUMBER * np.abs(self.stored).max()
        return self.errors > (rtol * exchanged + rounding) * share


def _integrated(result: ModelResult, edges: np.ndarray) -> Integrated:
    """Return the works between edges, by Gauss quadrature of the powers."""
    names, time, lengths = result.power_names, result.time, np.diff(edges)
    nodes = edges[:-1, None] + 0.5 * (_POINTS + 1.0) * lengths[:, None]
    grid = np.concatenate([time, nodes.ravel()])
    order = np.argsort(grid, kind="stable")
    places = np.argsort(order, kind="stable")
    again = result.repeated(grid[order])
    fluxes = [name for pairs in names.fluxes.values() for pair in pairs for name in pair]
    kinds = (names.supplied, names.lost, names.undeclared)
    found = again.compute([*(n for kind in kinds for n in kind.values()), *fluxes])
    samples = places[time.size :].reshape(nodes.shape)
    works: Works = {}
    errors = np.zeros(lengths.size)
    for part, name in (pair for kind in kinds for pair in kind.items()):
        power = found[name][samples] * 0.5 * lengths[:, None]
        own = () if kinds[1].get(part) == name else names.fluxes.get(part, ())
        for potential, flux in own:
            V_m, Phi = found[potential][samples], found[flux][samples]
            change = Phi - Phi.mean(axis=1, keepdims=True)
            change[np.abs(change) <= SAME_NUMBER * np.abs(Phi)] = 0.0
            power = power - V_m * (change @ _SLOPES.T)
        works[name] = power @ _WEIGHTS
        size, last = np.abs(power).max(axis=1), np.abs(power @ _LAST)
        ratio = np.divide(last, size, out=np.zeros_like(size), where=size > 0.0)
        errors += last if own else last * ratio
    stored = known_energy(again.all_energies()[places[: time.size]])
    return Integrated(again, edges, stored, works, errors)


_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(GAUSS_POINTS)
_LAST = np.linalg.inv(np.polynomial.legendre.legvander(_POINTS, GAUSS_POINTS - 1))[-1]
"""Takes values at the Gauss points to the last coefficient of their Legendre polynomial; its
square, by the size of the values, is about the error of the quadrature, of twice the order."""


def _slopes(points: np.ndarray) -> np.ndarray:
    """Return the matrix that takes values at points to the slopes of their polynomial there."""
    powers = np.arange(points.size)
    values = points[:, None] ** powers
    rates = powers * points[:, None] ** np.maximum(powers - 1, 0)
    return rates @ np.linalg.inv(values)


_SLOPES = _slopes(_POINTS)


def _add_jumps(
    result: ModelResult,
    time: np.ndarray,
    found: Exchanged,
    given: Callable[[np.ndarray], np.ndarray],
) -> None:
    """Add what is lost and supplied at events, and within intervals of time stepping.

    `given` is the work of all sources until some times.
    """
    if result.event_energies is None:
        return
    instants, energies = result.event_energies
    before, after = known_energy(energies[:, 0]), known_energy(energies[:, 1])
    rounding = SAME_NUMBER * np.nanmax(np.abs(energies), initial=0.0)
    left, part_of = list(result.stepped_intervals), result.power_names.part_of
    is_first = np.append(time[:-1] == time[1:], False)  # of two samples at one event
    for k, t in enumerate(instants):
        events = [event for event in result.events if event.instant == k]
        lost = sum(event.energy_lost for event in events)
        jump = after[k] - before[k]
        if events and left and left[0][0] <= t:
            begin, end = left[0]
            if t == begin and not lost:
                left.pop(0)
                at = np.clip(time, begin, end)
                E = np.where(
                    time > end, after[k], np.where(time > begin, found.stored, before[k])
                )
                work = given(at) - given(np.array(begin))
                _add(found.lost, part_of(events[0].part), work - (E - before[k]))
            continue
        passed = np.where(is_first, time > t, time >= t)
        for event in events:
            if event.energy_lost:
                _add(found.lost, part_of(event.part), event.energy_lost * passed)
        silent = [event.part for event in events if not event.energy_lost]
        if silent and abs(jump + lost) > rounding:
            kind = found.supplied if jump + lost > 0.0 else found.lost
            _add(kind, part_of(silent[0]), abs(jump + lost) * passed)


def _add(works: Works, part: str, work: np.ndarray) -> None:
    works[part] = works[part] + work if part in works else work


def known_energy(energies: np.ndarray) -> np.ndarray:
    """Return the sum of the energies that are known: a gravity function has no potential."""
    return np.nansum(energies, axis=-1)
