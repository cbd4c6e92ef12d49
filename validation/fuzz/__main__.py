"""Try laws on random mechanisms.

Each case is one mechanism, known by its kind, the seed and its number, on which some laws
are tried. It fails if one of them does. A case that the library refuses with a name is
counted, but does not fail.

    python -m validation.fuzz --cases 200 --seed 1
    python -m validation.fuzz --seed 1 --case 17 --only ring --law closed
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from validation.fuzz.kinds import KINDS
from validation.fuzz.laws import LAWS
from validation.fuzz.trial import Outcome, Task, try_laws


def tasks(options: argparse.Namespace) -> list[Task]:
    """Return what is to be tried."""
    kinds = [options.only] if options.only else list(KINDS)
    numbers = range(options.cases) if options.case is None else [options.case]
    laws = tuple(options.law) if options.law else None
    return [
        Task(kinds[n % len(kinds)], options.seed, n, laws, options.plain) for n in numbers
    ]


def outcomes(todo: Sequence[Task], jobs: int) -> Iterable[list[Outcome]]:
    """Yield the outcomes of each case, in order."""
    if jobs <= 1 or len(todo) == 1:
        yield from map(try_laws, todo)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(try_laws, todo)


def table(found: Sequence[Outcome]) -> str:
    """Return how each law did on each kind: passed/tried, and what failed."""
    laws = [law for law in LAWS if any(o.law == law for o in found)]
    kinds = [kind for kind in KINDS if any(o.kind == kind for o in found)]
    counts = Counter((o.kind, o.law, o.verdict) for o in found)
    width = max(map(len, [*laws, "refused"])) + 2
    lines = ["".join(f"{word:>{width}}" for word in ("", *laws, "refused"))]
    for kind in kinds:
        cells = []
        for law in laws:
            passed, failed = counts[kind, law, "pass"], counts[kind, law, "fail"]
            unclear = counts[kind, law, "unclear"]
            cell = f"{passed}/{passed + failed}" if passed + failed else "-"
            cells.append(cell + f"+{unclear}?" * bool(unclear))
        refused = len(
            {o.number for o in found if o.kind == kind and o.verdict == "refused"}
        )
        lines.append("".join(f"{cell:>{width}}" for cell in (kind, *cells, str(refused))))
    lines.append("passed/tried, +n? not clear; refused: cases turned down with a name")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; return 1 if a law failed."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--cases", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument(
        "--case", type=int, metavar="N", help="just the case of this number"
    )
    parser.add_argument("--only", choices=KINDS, metavar="KIND", help=", ".join(KINDS))
    parser.add_argument(
        "--law", choices=LAWS, metavar="LAW", action="append", help=", ".join(LAWS)
    )
    parser.add_argument(
        "--plain", action="store_true", help="lengths, masses, times near 1"
    )
    parser.add_argument("--jobs", type=int, default=2, metavar="J", help="processes")
    parser.add_argument("--verbose", action="store_true", help="also what is not clear")
    options = parser.parse_args(arguments)
    found: list[Outcome] = []
    failed = refused = 0
    shown = ("fail", "refused", "unclear") if options.verbose else ("fail", "refused")
    todo, tried = tasks(options), 0
    try:
        for some in outcomes(todo, options.jobs):
            tried += 1
            found += some
            verdicts = {outcome.verdict for outcome in some}
            failed += "fail" in verdicts
            refused += "refused" in verdicts - {"fail"}
            for outcome in some:
                if outcome.verdict in shown:
                    print(outcome.line(), flush=True)
    except KeyboardInterrupt:
        print(f"interrupted after {tried} of {len(todo)} cases")
    print(table(found))
    passed = tried - failed - refused
    print(f"{passed} passed, {failed} failed" + f", {refused} refused" * (refused > 0))
    return int(failed > 0 or tried < len(todo))


if __name__ == "__main__":
    sys.exit(main())
