"""The ruler: every model of a folder of Modelica reference results, built, run, compared.

    python -m validation.modelica --reference DIR [--models FILE] [--limit X] [NAME …]

Each model is built from the structure in FILE (DIR/models.json) alone, simulated with a
tolerance a thousand times tighter than the reference's, at the times of the reference, and
compared signal by signal (see `validation.deviation`). What is left is, in the main, the
error of the reference; it passes if the largest deviation stays below LIMIT_FACTOR times the
reference's tolerance, but not below SMALLEST_LIMIT, or below --limit if that is given.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motorik.errors import MotorikError, UnknownNameError
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
LIMIT_FACTOR = 100.0
SMALLEST_LIMIT = 1e-6


@dataclass(frozen=True)
class Verdict:
    """How one model fared: `outcome` is pass, fail or skip, with the reason."""

    name: str
    outcome: str
    deviation: float = np.nan
    signal: str = ""
    reason: str = ""
    milliseconds: float = np.nan
    reference_seconds: float = np.nan

    def line(self) -> str:
        """Return the verdict as one line of the report."""
        if np.isnan(self.deviation):
            return f"{self.outcome:4}  {self.name:58} {self.reason}"
        figures = f"{self.deviation:8.1e}  {self.signal:34}"
        cost = f"{self.milliseconds:9.2f} ms  {self.reference_seconds:6.2f} s"
        return f"{self.outcome:4}  {self.name:58} {figures} {cost}  {self.reason}".rstrip()


def check(reference: Reference, library: Library, limit: float | None = None) -> Verdict:
    """Build, run and compare one model."""
    name = reference.name
    try:
        reading = read(reference.model, library)
        result, milliseconds = run(reading, reference)
        ours = signals_of(reading, result, reference)
    except UnknownPartError as error:
        return Verdict(name, "skip", reason=f"uses {error.type_name}")
    except MissingFeatureError as error:
        return Verdict(name, "skip", reason=f"uses {error.feature}")
    except MotorikError as error:
        why = " ".join(str(error).split())
        return Verdict(name, "fail", reason=f"{type(error).__name__}: {why}")
    found = deviations(reference.time, reference.signals, ours)
    worst = max(found, key=lambda signal: found[signal])
    allowed = limit or max(LIMIT_FACTOR * reference.tolerance, SMALLEST_LIMIT)
    passed = found[worst] <= allowed
    return Verdict(
        name,
        "pass" if passed else "fail",
        found[worst],
        worst,
        "" if passed else f"above {allowed:.0e}",
        milliseconds,
        reference.cpu_seconds,
    )


def run(reading: Reading, reference: Reference) -> tuple[Result, float]:
    """Simulate at the times of the reference; return the result and the milliseconds it took.

    The model is compiled before; the time is that of one whole call of `simulate`.
    """
    times = np.unique(reference.time)
    reading.model.compile()
    began = time.perf_counter()
    result = reading.model.simulate(
        reference.stop,
        begin=reference.start,
        rtol=TIGHTER * reference.tolerance,
        output=times,
        progress=False,
    )
    milliseconds = 1e3 * (time.perf_counter() - began)
    if not result.complete:
        raise MotorikError(reference.model, f"stopped early: {result.info.message}")
    return result, milliseconds


def signals_of(reading: Reading, result: Result, reference: Reference) -> dict[str, np.ndarray]:
    """Return our values of the reference's signals, one for each of its rows."""
    rows = np.searchsorted(result.time, reference.time)
    ours: dict[str, np.ndarray] = {}
    for name in reference.signals:
        try:
            ours[name] = reading.signal(result, name)[rows]
        except UnknownNameError as error:
            extra = reading.other_equations
            remedy = f"The model has {extra} equations that the file does not carry." if extra else ""
            raise UnknownNameError(reference.name, error.why, remedy) from None
    return ours


def check_all(
    references: References, library: Library, names: Sequence[str], limit: float | None = None
) -> list[Verdict]:
    """Check the named entries, or all, and print a line for each and the count."""
    keys = [key for name in names for key in references.find(name)] or list(references.manifest)
    verdicts = []
    for key in keys:
        verdicts.append(check(references.load(key), library, limit))
        print(verdicts[-1].line(), flush=True)
    counts = {kind: sum(v.outcome == kind for v in verdicts) for kind in ("pass", "fail", "skip")}
    print(f"{counts['pass']} passed, {counts['fail']} failed, {counts['skip']} skipped")
    return verdicts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; return 1 if a model failed."""
    parser = argparse.ArgumentParser(prog="python -m validation.modelica", description=__doc__)
    parser.add_argument("--reference", type=Path, required=True, help="folder of the results")
    parser.add_argument("--models", type=Path, help="file of the models (DIR/models.json)")
    parser.add_argument("--limit", type=float, help="largest deviation that passes")
    parser.add_argument("names", nargs="*", metavar="NAME", help="models, by (shortened) name")
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
