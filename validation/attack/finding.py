"""Finding: one run and how it was judged."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import motorik as mk
from motorik.results import Result

LIMIT = 30.0  # s of wall clock for one run; a run that needs more counts as early
TRUTHS = ("Painlevé", "dead centre", "locked", "cannot move", "fit together")
METHODS = ("auto", "dop853", "dopri5", "gbs", "adams", "bdf")


@dataclass(frozen=True)
class Finding:
    """The finding of one run: `deviation` is a multiple of the tolerance of the law.

    A run that ended early has its reason in `early`; where the model has no continuation
    the reason is one of `TRUTHS`, and the run is not counted as a failure.
    """

    law: str
    deviation: float = 0.0
    detail: str = ""
    early: str = ""

    @property
    def verdict(self) -> str:
        """Return "right", "wrong", "early" or "named"."""
        if self.early:
            return "named" if any(truth in self.early for truth in TRUTHS) else "early"
        return "right" if self.deviation <= 1.0 else "wrong"


class EarlyEnd(Exception):  # noqa: N818 (it ends the judging of a run, it is no error)
    """A run ended before its stop time, for the reason given."""


class NotApplicable(Exception):  # noqa: N818 (it ends the judging of a run, it is no error)
    """A strategy does not apply to a model, and says so by name."""


def run(model: mk.Model, stop: float, **options: Any) -> Result:
    """Return a complete run; raise `EarlyEnd` with its reason otherwise."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options = {
            "progress": False,
            "solver": mk.SolverOptions(time_limit=LIMIT),
            **options,
        }
        try:
            result = model.simulate(stop, **options)
        except mk.LoopError as error:
            words = str(error)
            is_unfit = "closed form" in words or "does not apply" in words
            if options.get("strategy") and is_unfit:
                raise NotApplicable from error
            raise
    if not result.complete:
        reason = " ".join(result.info.message.split())
        raise EarlyEnd(f"t = {result.time[-1]:.6g} of {stop:g} s: {reason}")
    return result


def judged(law: str, measure: Callable[[], float], detail: str = "") -> Finding:
    """Return the finding of a law whose deviation is measured by a function.

    A strategy that does not apply to the model is no finding against the law.
    """
    try:
        deviation = float(measure())
    except EarlyEnd as end:
        return Finding(law, detail=detail, early=str(end))
    except NotApplicable:
        return Finding(law, detail=detail)
    except mk.MotorikError as error:
        words = " ".join(str(error).split())[:200]
        return Finding(law, np.inf, f"{detail}: {type(error).__name__}: {words}")
    return Finding(law, deviation if np.isfinite(deviation) else np.inf, detail)
