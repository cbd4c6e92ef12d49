"""The ruler: every model of a folder of Modelica reference results, built, run, compared.

    python -m validation.modelica --reference DIR [--models FILE] [--limit X] [NAME …]

Each model is built from the structure in FILE (DIR/models.json) alone, simulated with a
tolerance a thousand times tighter than the reference's, at the times of the reference, and
compared signal by signal (see `validation.deviation`). What is left is, in the main, the
error of the reference, which was made by a BDF method (DASSL). How large that may be, motorik
tells itself: it runs its own BDF method with the reference's tolerance, and the deviation of
that run from the exact one, times EXPECTED_FACTOR, is allowed; at least LOCAL_FACTOR times
the reference's tolerance, and never more than LARGEST_LIMIT. --limit replaces this by a number.

A model with a part, or a use of a part, that motorik does not have is skipped; one that
cannot be built, assembled or simulated for another reason fails, and so does one with a
signal that is not found.

Two things end a comparison early; the line then tells the time up to which it was judged:

* chaos: where motorik's own run with the reference's tolerance parts from its exact one by
  more than LARGEST_LIMIT, nobody's trajectory means anything;
* a dead centre: where a loop passes the point at which its two positions meet, motorik goes
  on through it. A closed form that knows only one of the two turns back there, and so does
  the reference, if it was made by one.

Where the file of the models is known not to be what the reference was made from, AMENDED
says what differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from motorik.errors import MotorikError, SimulationError, UnknownNameError
from motorik.exchange.modelica import (
    Library,
    MissingFeatureError,
    Reading,
    UnknownPartError,
    load_library,
    read,
)
from motorik.results import Result
from validation.deviation import deviations
from validation.reference import Reference, References, load_references

TIGHTER = 1e-3
TIGHTEST = 1e-12
LOCAL_FACTOR = 50.0
EXPECTED_FACTOR = 10.0
LARGEST_LIMIT = 0.1
PARTED = 0.01  # part of a signal's range by which two runs have parted
REPETITIONS = 3
AMENDED: dict[str, tuple[str, str, Any]] = {  # part, parameter, value
    # the reference shows frame_b of the box at r[3] = 0, the file has it at 1
    "Test.MultiBody.Sensors.AbsoluteSensor": ("box", "r", (1.0, 0.0, 0.0)),
}


@dataclass(frozen=True)
class Verdict:
    """How one model fared: `outcome` is pass, fail or skip, with the reason.

    `deviation` is the largest one, of `signal`; `allowed` is what it may be.
    """

    name: str
    outcome: str
    reason: str = ""
    deviation: float = np.nan
    allowed: float = np.nan
    signal: str = ""
    milliseconds: float = np.nan
    reference_seconds: float = np.nan
    remark: str = ""

    def line(self) -> str:
        """Return the verdict as one line of the report."""
        if self.reason:
            return f"{self.outcome}  {self.name:56} {self.reason}"
        figures = f"{self.deviation:7.1e} of {self.allowed:7.1e}  {self.signal:34}"
        cost = f"{self.milliseconds:9.3f} ms  Dymola {self.reference_seconds:6.3f} s"
        remark = f"  {self.remark}" if self.remark else ""
        return f"{self.outcome}  {self.name:56} {figures} {cost}{remark}"


def check(reference: Reference, library: Library, limit: float | None = None) -> Verdict:
    """Build, run and compare one model."""
    name = reference.name
    try:
        reading = read(reference.model, library)
        remark = amend(reading, name)
        result, milliseconds = run(reading, reference)
        ours = signals_of(reading, result, reference)
        allowed, horizon = expected_limit(reading, reference, ours)
    except UnknownPartError as error:
        return Verdict(name, "skip", f"uses {error.type_name}")
    except MissingFeatureError as error:
        return Verdict(name, "skip", f"uses {error.feature}")
    except Exception as error:  # whatever befalls a model, the others are judged too
        why = " ".join(str(error).split())
        return Verdict(name, "fail", f"{type(error).__name__}: {why}")
    allowed = allowed if limit is None else limit
    if horizon < reference.time[-1]:
        remark += f"judged up to {horizon:.3g} s: chaotic beyond"
    signal, found = worst_up_to(reference, ours, horizon)
    if found > allowed:
        for time_of, what in result.events:
            before = worst_up_to(reference, ours, time_of)
            if before[1] <= allowed:
                (signal, found), horizon = before, time_of
                remark += f"judged up to {time_of:.3g} s: {what}"
                break
    return Verdict(
        name,
        "pass" if found <= allowed else "fail",
        "",
        found,
        allowed,
        signal,
        milliseconds,
        reference.cpu_seconds,
        remark,
    )


def amend(reading: Reading, name: str) -> str:
    """Change what the reference was made without; return what was changed."""
    if name not in AMENDED:
        return ""
    part, parameter, value = AMENDED[name]
    setattr(reading.model.parts[part], parameter, value)
    return f"with {part}.{parameter} = {value}. "


def worst_up_to(
    reference: Reference, ours: Mapping[str, np.ndarray], time_of: float
) -> tuple[str, float]:
    """Return the signal that deviates most up to a time, relative to its whole range."""
    kept = reference.time <= time_of
    cut = {
        name: np.where(kept, values, reference.signals[name])
        for name, values in ours.items()
    }
    found = deviations(reference.time, reference.signals, cut)
    worst = max(found, key=lambda signal: found[signal])
    return worst, found[worst]


def run(reading: Reading, reference: Reference) -> tuple[Result, float]:
    """Simulate at the times of the reference; return the result and the milliseconds it took.

    The time is that of a whole call of `simulate`, the model being compiled already.
    """
    rtol = max(TIGHTER * reference.tolerance, TIGHTEST)
    result = simulate(reading, reference, rtol, "auto")
    spent = []
    for _ in range(REPETITIONS):
        began = time.perf_counter()
        result = simulate(reading, reference, rtol, "auto")
        spent.append(1e3 * (time.perf_counter() - began))
    return result, min(spent)


def simulate(reading: Reading, reference: Reference, rtol: float, method: str) -> Result:
    """Return a complete run at the times of the reference, or raise what stopped it."""
    result = reading.model.simulate(
        reference.stop,
        begin=reference.start,
        method=method,
        rtol=rtol,
        output=np.unique(reference.time),
        progress=False,
    )
    if not result.complete:
        raise SimulationError(reference.model, f"stopped early: {result.info.message}")
    return result


def expected_limit(
    reading: Reading, reference: Reference, exact: Mapping[str, np.ndarray]
) -> tuple[float, float]:
    """Return the deviation that a BDF method with the reference's tolerance may have.

    The time beyond which two runs of motorik itself have parted comes with it.
    """
    result = simulate(reading, reference, reference.tolerance, "bdf")
    loose = signals_of(reading, result, reference)
    horizon = float(reference.time[-1])
    exact_reference = replace(reference, signals=dict(exact))
    expected = worst_up_to(exact_reference, loose, horizon)[1]
    if expected > LARGEST_LIMIT:
        times = reference.time
        parted = [t for t in times if worst_up_to(exact_reference, loose, t)[1] > PARTED]
        horizon = float(times[times < parted[0]][-1]) if parted else horizon
        expected = worst_up_to(exact_reference, loose, horizon)[1]
    allowed = max(EXPECTED_FACTOR * expected, LOCAL_FACTOR * reference.tolerance)
    return min(allowed, LARGEST_LIMIT), horizon


def signals_of(
    reading: Reading, result: Result, reference: Reference
) -> dict[str, np.ndarray]:
    """Return our values of the reference's signals, one for each of its rows."""
    rows = np.searchsorted(result.time, reference.time)
    with suppress(UnknownNameError):
        result.compute(reference.signals)  # all at once is cheaper than one by one
    ours: dict[str, np.ndarray] = {}
    for name in reference.signals:
        try:
            ours[name] = reading.signal(result, name)[rows]
        except UnknownNameError as error:
            count = reading.other_equations
            remedy = f"{count} equations of the model are not in the file." if count else ""
            raise UnknownNameError(reference.name, error.why, remedy) from None
    return ours


def check_all(
    references: References,
    library: Library,
    names: Sequence[str],
    limit: float | None = None,
) -> list[Verdict]:
    """Check the named entries, or all, and print a line for each and the count."""
    named = [key for name in names for key in references.find(name)]
    verdicts = []
    for key in named or references.manifest:
        verdicts.append(check(references.load(key), library, limit))
        print(verdicts[-1].line(), flush=True)
    counts = Counter(verdict.outcome for verdict in verdicts)
    print(f"{counts['pass']} passed, {counts['fail']} failed, {counts['skip']} skipped")
    return verdicts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; return 1 if a model failed."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.modelica",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--reference", type=Path, required=True, help="folder of results")
    parser.add_argument("--models", type=Path, help="file of the models (DIR/models.json)")
    parser.add_argument("--limit", type=float, help="largest deviation that passes")
    parser.add_argument("names", nargs="*", metavar="NAME", help="(shortened) model names")
    options = parser.parse_args(arguments)
    try:
        references = load_references(options.reference)
        library = load_library(options.models or options.reference / "models.json")
        verdicts = check_all(references, library, options.names, options.limit)
    except MotorikError as error:
        print(error, file=sys.stderr)
        return 2
    return int(any(verdict.outcome == "fail" for verdict in verdicts))


if __name__ == "__main__":
    sys.exit(main())
