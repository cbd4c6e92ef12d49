"""The ruler: every model of a folder of Modelica reference results, built, run, compared.

    python -m validation.modelica --reference DIR [--models FILE] [--limit X] [NAME …]

Each model is built from the structure in FILE (DIR/models.json) alone, simulated by the method
"auto" with a tolerance of 1e-12 at the times of the reference, and compared signal by signal
(see `validation.deviation`). Two more runs, by a Runge-Kutta and an Adams method with 1e-13,
tell how far the solution is converged. What is left is the error of the reference; how large it
may be is told, signal by signal, by `validation.expected`. --limit replaces this by a number.

A line tells the largest deviation; then deviation, limit and their ratio where a signal comes
nearest to its limit; how far our own runs agree (own); the smallest relative change of all
masses and inertias, and of gravity, that the comparison would see; what a run takes; and why
a limit is more than TELLING times its deviation.

Modes of friction, "sticks", "slips" or "is free", must be equal at all times of the reference but
the two beside one of its events; a line for each that is not follows that of its model.

A model with a part, or a use of a part, that motorik does not have is skipped; one that
cannot be built, assembled or simulated for another reason fails, and so does one with a
signal that is not found.

Two things end a comparison early; the line then tells the time up to which it was judged:

* chaos: if our two converged runs part by more than PARTED, the model is judged as far as
  a run with the reference's tolerance follows the converged one;
* a dead centre: where a loop passes the point at which its two positions meet, motorik goes
  on through it. A reference made by a closed form that knows only one of the two bounces
  there. That must be proven (see `validation.bounce`); if not, the model fails.

Where the file of the models is known not to be what the reference was made from,
`amendments.json` says what differs and how that is known. Both models are run: the line tells
how far each deviates, and a model fails whose amendment does not bring it nearer to the reference.
The report ends with the evidence.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from motorik.errors import MotorikError
from motorik.exchange.modelica import (
    EquationsLeftOut,
    Library,
    MissingFeatureError,
    ReadModel,
    UnknownPartError,
    load_library,
    read,
)
from motorik.results import Result
from validation.bounce import find_bounce
from validation.deviation import Signals, deviations, differences, largest
from validation.expected import BDF, FACTOR, Expected, expected
from validation.modes import Mismatch, compare_modes
from validation.reference import Reference, References, load_references
from validation.reference_solver import NAME as REFERENCE_SOLVER
from validation.runs import TIGHT, TIGHTEST, TOLERANCES, Runs
from validation.sensitivity import heavier, smallest_change, stronger_gravity

PARTED = 0.01  # part of a signal's range by which two runs have parted
TELLING = 5.0  # limit over deviation from which on the reason is told
REPETITIONS = 3
BETTER = 10.0  # times nearer to the reference: what an amendment must achieve


@dataclass(frozen=True)
class Amendment:
    """A parameter that had another value when the reference was made, and how that is known."""

    part: str
    parameter: str
    value: Any
    evidence: str

    def apply(self, reading: ReadModel) -> None:
        """Give the parameter its value."""
        value = tuple(self.value) if isinstance(self.value, list) else self.value
        setattr(reading.model.parts[self.part], self.parameter, value)

    def __str__(self) -> str:
        return f"{self.part}.{self.parameter} = {self.value}"


Amendments = dict[str, Amendment]


def load_amendments(file: Path) -> Amendments:
    """Return the amendments of a file by the name of the model."""
    return {name: Amendment(**own) for name, own in json.loads(file.read_text()).items()}


AMENDMENTS = load_amendments(Path(__file__).with_name("amendments.json"))


@dataclass(frozen=True)
class Verdict:
    """How one model fared: `outcome` is pass, fail or skip, with the reason.

    `largest` is the largest deviation of all signals; `deviation` is that of the `signal` and
    at the time `at` [s] that comes nearest to its limit, which is `allowed`. `unsure` is the
    largest deviation of our own runs from each other. `mass` and `gravity` are the smallest
    relative changes seen: NaN if not asked for, infinite without influence.
    """

    name: str
    outcome: str
    reason: str = ""
    largest: float = np.nan
    deviation: float = np.nan
    allowed: float = np.nan
    signal: str = ""
    at: float = np.nan
    unsure: float = np.nan
    mass: float = np.nan
    gravity: float = np.nan
    milliseconds: float = np.nan
    reference_seconds: float = np.nan
    remark: str = ""
    mismatches: tuple[Mismatch, ...] = ()

    @property
    def factor(self) -> float:
        """How many times the limit is as large as the deviation."""
        return self.allowed / self.deviation if self.deviation else np.inf

    def amended(self, amendment: Amendment, as_read: float) -> Verdict:
        """Return the verdict of an amended model; it fails unless that is much nearer."""
        words = f"with {amendment}, and off by {as_read:.1e} as the file has it"
        helps = self.largest * BETTER <= as_read
        return replace(
            self,
            outcome=self.outcome if helps else "fail",
            remark="; ".join(own for own in (words, self.remark) if own),
        )

    def line(self) -> str:
        """Return the verdict as one line of the report."""
        if self.reason:
            return f"{self.outcome}  {self.name:59} {self.reason}"
        figures = (
            f"{self.largest:7.1e}  {self.deviation:7.1e} of {self.allowed:7.1e} "
            f"×{self.factor:<6.3g}"
        )
        place = f"{self.signal} at {self.at:.3g} s"
        seen = f"mass {seen_text(self.mass)}  gravity {seen_text(self.gravity)}"
        cost = f"{self.milliseconds:8.2f} ms  Dymola {self.reference_seconds:6.3f} s"
        remark = f"  {self.remark}" if self.remark else ""
        wrong = "".join(f"\n      {mismatch}" for mismatch in self.mismatches)
        return (
            f"{self.outcome}  {self.name:59} {figures} {place:43} "
            f"own {self.unsure:7.1e}  {seen}  {cost}{remark}{wrong}"
        )


def seen_text(change: float) -> str:
    """Return a smallest relative change in words of equal length."""
    if np.isnan(change):
        return "not asked"
    return f"{change:<9.1e}" if np.isfinite(change) else "no effect"


@dataclass(frozen=True)
class Judgement:
    """Our signals beside the reference's: differences, and the limits they must keep."""

    exact: Signals
    unsure: dict[str, float]
    found: dict[str, np.ndarray]
    expected: Expected
    limits: Signals

    def nearest(self) -> tuple[str, int]:
        """Return the signal and row where a limit is nearest, or left most."""
        places = []
        for name, values in self.found.items():
            shares = np.abs(values) / self.limits[name]
            row = int(np.argmax(shares))
            places.append((float(shares[row]), name, row))
        _, name, row = max(places)
        return name, row

    @property
    def largest(self) -> float:
        """The largest deviation of all signals."""
        return max(float(np.abs(values).max()) for values in self.found.values())

    @property
    def passes(self) -> bool:
        """Whether no signal leaves its limit."""
        return all((np.abs(v) <= self.limits[name]).all() for name, v in self.found.items())

    def reason(self) -> str:
        """Return why the limit is not near the deviation, if it is not."""
        signal, row = self.nearest()
        found, limit = abs(self.found[signal][row]), self.limits[signal][row]
        if limit <= TELLING * found:
            return ""
        if not found:
            return "no deviation at all"
        part = self.expected.due_to(signal, row)
        if part == BDF:
            return (
                f"the reference is {limit / FACTOR / found:.2g} times more exact than the worst "
                "of BDF runs with its tolerance and steps"
            )
        return f"limit due to {part}"


def judge(runs: Runs, ours: Signals, limit: float | None = None) -> Judgement:
    """Compare our signals with the reference's."""
    reference = runs.reference
    exact = runs.by("dop853", TIGHTEST)
    second = runs.by("adams", TIGHTEST)
    unsure = largest(deviations(reference.time, exact, other) for other in (second, ours))
    found = differences(reference.time, reference.signals, ours)
    error = expected(runs, exact, unsure)
    limits = error.limits()
    if limit is not None:
        limits = {name: np.full(reference.time.size, limit) for name in found}
    return Judgement(exact, unsure, found, error, limits)


def check(
    reference: Reference,
    library: Library,
    limit: float | None = None,
    sensitivity: bool = True,
    tolerances: int = TOLERANCES,
) -> Verdict:
    """Build, run and compare one model.

    Fewer `tolerances` from which the reference's error is taken make tighter limits.
    """
    name = reference.name
    try:
        with warnings.catch_warnings():  # outputs that it compares are found otherwise
            warnings.simplefilter("ignore", EquationsLeftOut)
            reading = read(reference.model, library)
        amendment, as_read = AMENDMENTS.get(name), np.nan
        if amendment is not None:
            as_read = deviation_of(Runs(reading, reference, tolerances))
            amendment.apply(reading)
        verdict = _checked(Runs(reading, reference, tolerances), [], limit, sensitivity)
        return verdict if amendment is None else verdict.amended(amendment, as_read)
    except UnknownPartError as error:
        return Verdict(name, "skip", f"uses {error.type_name}")
    except MissingFeatureError as error:
        return Verdict(name, "skip", f"uses {error.feature}")
    except Exception as error:  # a model that fails does not prevent the others
        why = " ".join(str(error).split())
        return Verdict(name, "fail", f"{type(error).__name__}: {why}")


def _checked(
    runs: Runs, remarks: list[str], limit: float | None, sensitivity: bool
) -> Verdict:
    result, milliseconds = timed(runs)
    whole = runs
    horizon, chaos = predictable(runs)
    if chaos:
        remarks.append(chaos)
        runs = runs.until(horizon)
    judgement = judge(runs, _ours(runs, whole, result), limit)
    dead_centres = [e.time for e in result.events if "projection" in e.what]
    for event in () if judgement.passes else dead_centres:
        bounce = find_bounce(whole, event)
        if bounce is None:
            continue
        remarks.append(bounce.words())
        if bounce.is_proven(max(float(v.max()) for v in judgement.limits.values())):
            runs = runs.until(event)
            judgement = judge(runs, _ours(runs, whole, result), limit)
            remarks.append(f"judged up to {runs.reference.stop:.3g} s")
            break
        remarks.append("which is no proof")
    changes = [np.nan, np.nan]
    if sensitivity:
        changed = (heavier(runs.reading), stronger_gravity(runs.reading))
        given = (judgement.exact, judgement.limits, judgement.unsure)
        changes = [smallest_change(runs, values, *given) for values in changed]
    remarks += [judgement.expected.cause, judgement.reason()]
    modes = compare_modes(whole, result)
    remarks.append(modes.words())
    signal, row = judgement.nearest()
    return Verdict(
        runs.reference.name,
        "pass" if judgement.passes and not modes.mismatches else "fail",
        "",
        judgement.largest,
        abs(float(judgement.found[signal][row])),
        float(judgement.limits[signal][row]),
        signal,
        float(runs.reference.time[row]),
        max(judgement.unsure.values()),
        changes[0],
        changes[1],
        milliseconds,
        runs.reference.cpu_seconds,
        "; ".join(remark for remark in remarks if remark),
        modes.mismatches,
    )


def _ours(runs: Runs, whole: Runs, result: Result) -> Signals:
    """Return our signals of the whole run as far as the reference is looked at."""
    count = runs.reference.time.size
    return {name: values[:count] for name, values in whole.rows(result).items()}


def deviation_of(runs: Runs) -> float:
    """Return the largest deviation of a run from the reference."""
    found = differences(
        runs.reference.time, runs.reference.signals, runs.by("dop853", TIGHT)
    )
    return max(float(np.abs(values).max()) for values in found.values())


def timed(runs: Runs) -> tuple[Result, float]:
    """Simulate at the times of the reference; return the result and the milliseconds it took.

    The time is that of a whole call of `simulate`, the model being compiled already.
    """
    result = runs.simulate(TIGHT)
    spent = []
    for _ in range(REPETITIONS):
        began = time.perf_counter()
        result = runs.simulate(TIGHT)
        spent.append(1e3 * (time.perf_counter() - began))
    return result, min(spent)


def predictable(runs: Runs) -> tuple[float, str]:
    """Return the time [s] up to which a run means anything, and why not longer.

    Only two converged runs, by different methods, that part prove chaos. The reference,
    with its tolerance, parts from them earlier.
    """
    reference = runs.reference
    exact = runs.by("dop853", TIGHTEST)
    parted = _parting(reference.time, exact, runs.by("adams", TIGHTEST))
    if parted is None:
        return reference.stop, ""
    loose = _parting(reference.time, exact, runs.by(REFERENCE_SOLVER, reference.tolerance))
    horizon = min(parted, parted if loose is None else loose)
    words = (
        f"chaotic: our converged runs part at {parted:.3g} s, one with the reference's "
        f"tolerance at {horizon:.3g} s, judged up to there"
    )
    return float(reference.time[reference.time < horizon][-1]), words


def _parting(times: np.ndarray, exact: Signals, other: Signals) -> float | None:
    """Return the first time at which two runs are apart by more than PARTED."""
    apart = differences(times, exact, other).values()
    parted = np.max([np.abs(values) for values in apart], axis=0) > PARTED
    return float(times[parted][0]) if parted.any() else None


def summary(verdicts: Sequence[Verdict]) -> list[str]:
    """Return counts, and the medians and extremes of what the comparisons tell."""
    counts = Counter(verdict.outcome for verdict in verdicts)
    lines = []
    passed = [verdict for verdict in verdicts if verdict.outcome == "pass"]
    measures = (
        ("limit over deviation", [(v.factor, v.name) for v in passed if v.deviation]),
        ("smallest change of mass seen", [(v.mass, v.name) for v in passed]),
        ("smallest change of gravity seen", [(v.gravity, v.name) for v in passed]),
    )
    for what, every in measures:
        finite = sorted(pair for pair in every if np.isfinite(pair[0]))
        if finite:
            median = float(np.median([value for value, _ in finite]))
            worst, name = finite[-1]
            lines.append(
                f"{what}: median {median:.2g}, worst {worst:.2g} ({name}), "
                f"of {len(finite)} models"
            )
    used = [v.name for v in verdicts if v.name in AMENDMENTS]
    lines += [f"{name}: {AMENDMENTS[name]}. {AMENDMENTS[name].evidence}" for name in used]
    total = f"{counts['pass']} passed, {counts['fail']} failed, {counts['skip']} skipped"
    return [*lines, total]


def check_all(
    references: References,
    library: Library,
    names: Sequence[str],
    limit: float | None = None,
) -> list[Verdict]:
    """Check the named entries, or all, and print a line for each and a summary."""
    named = [key for name in names for key in references.find(name)]
    verdicts = []
    for key in named or references.manifest:
        verdicts.append(check(references.load(key), library, limit))
        print(verdicts[-1].line(), flush=True)
    print("\n".join(summary(verdicts)))
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
