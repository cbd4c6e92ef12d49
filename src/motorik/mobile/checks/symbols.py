"""An element traced on symbols and compiled, against the same on numbers."""

from __future__ import annotations

import numpy as np

from motorik.mobile.checks.trial import Trial
from motorik.mobile.compiled.chain import CompiledChain
from motorik.mobile.compiled.quantities import Quantity
from motorik.mobile.states.frame import Frame

OF_FRAME = ("R", "p", "ang_v", "lin_v", "ang_a", "lin_a")
OF_VARIABLE = ("q", "qd", "qdd")


def differ_on_symbols(trial: Trial) -> float:
    """Return by how much motion and forces in machine code differ from those on numbers."""
    trial.put()
    trial.load()
    moving = [Quantity(s, name) for s in trial.inputs for name in _motion(s)]
    loads = [Quantity(s, name) for s in trial.outputs for name in _force(s)]
    made = [Quantity(s, name) for s in trial.outputs for name in _motion(s)]
    made += [Quantity(s, name) for s in trial.inputs for name in _force(s)]
    given = sorted([*moving, *loads], key=lambda quantity: ORDER.index(quantity.name))
    names = dict.fromkeys(quantity.name for quantity in given)
    arrays = [
        np.array([x for q in given if q.name == name for x in q.read()], dtype=float)
        for name in names
    ]
    native = CompiledChain(trial.element, given, made)
    seen = native(*arrays)
    trial.element.motion()
    trial.element.force()
    right = [x for quantity in made for x in quantity.read()]
    rows = seen if isinstance(seen, list) else [seen]
    flat = np.concatenate([np.ravel(row) for row in rows])
    return trial.deviation(flat, np.array(right, dtype=float))


ORDER = (*OF_FRAME, *OF_VARIABLE, "f", "t", "Q")
"""In which order quantities are written: those of acceleration need those of velocity."""


def _motion(state: object) -> tuple[str, ...]:
    return OF_FRAME if isinstance(state, Frame) else OF_VARIABLE


def _force(state: object) -> tuple[str, ...]:
    return ("f", "t") if isinstance(state, Frame) else ("Q",)
