"""Variables of a model at one state, without a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import UnknownNameError

if TYPE_CHECKING:
    from motorik.analysis.operating_point import OperatingPoint

Value = float | np.ndarray


def evaluate(point: OperatingPoint, names: str | Sequence[str]) -> dict[str, Value]:
    """Return variables at a point by name: numbers, or arrays of their shape, in SI units.

    Besides variables, names of live parameters and of `Discrete` signals are known.
    """
    wanted = named(names)
    layout = point.system.layout
    places = {**layout.live_names, **layout.kept_signals}
    found: dict[str, Value] = {n: float(point.p[places[n]]) for n in wanted if n in places}
    found["time"] = point.t
    rest = [name for name in wanted if name not in found]
    if rest:
        given = point.time, point.X[None], point.p
        rows = point.system.output_samples(*given).values(rest)
        found |= {name: _plain(rows[name][0]) for name in rest}
    return {name: found[name] for name in wanted}


def named(names: object, argument: str = "names") -> list[str]:
    """Return a name or several as a list, or refuse what is neither."""
    wanted = [names] if isinstance(names, str) else names
    is_list = isinstance(wanted, Sequence) and all(isinstance(n, str) for n in wanted)
    if not is_list:
        raise UnknownNameError(
            argument,
            f"{names!r} is neither a name nor a list of names.",
            'Give e.g. ["body.frame_a.r_0", "hinge.phi"].',
            parameter=argument,
            value=names,
        )
    return list(wanted)  # type: ignore[call-overload]


def _plain(value: np.ndarray) -> Value:
    return float(value) if value.ndim == 0 else value.copy()
