"""Attack the default options with random models; each run is judged by a second route.

A case is known by its attack, the seed and its number.

    python -m validation.attack --seconds 1200 --seed 1
    python -m validation.attack --seed 1 --only lift_offs --case 17
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context

from validation.attack.cases import ATTACKS, Case, findings
from validation.attack.finding import Finding


def cases(options: argparse.Namespace) -> Iterator[Case]:
    """Yield cases, attack after attack, without end; just one where a number is given."""
    names = [options.only] if options.only else list(ATTACKS)
    if options.case is not None:
        for name in names:
            yield name, options.seed, options.case
        return
    number = 0
    while True:
        for name in names:
            yield name, options.seed, number
        number += 1


def outcomes(options: argparse.Namespace) -> Iterator[tuple[Case, list[Finding]]]:
    """Yield cases and what they showed until the time is over."""
    end = time.monotonic() + options.seconds
    todo = cases(options)
    if options.jobs <= 1 or options.case is not None:
        for case in todo:
            yield case, findings(case)
            if time.monotonic() > end:
                return
        return
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        running: dict[Future[list[Finding]], Case] = {}
        while True:
            while len(running) < options.jobs and time.monotonic() < end:
                case = next(todo)
                running[pool.submit(findings, case)] = case
            if not running:
                return
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(done), done.result()


def table(found: Sequence[tuple[Case, Finding]]) -> str:
    """Return runs, wrong ones, early ends and the worst deviation of each attack and law."""
    heads = " ".join(f"{word:>6}" for word in ("runs", "wrong", "early", "named"))
    lines = [f"{'attack':14} {'law':28} {heads} {'worst':>9}"]
    groups: dict[tuple[str, str], list[Finding]] = {}
    for (attack, _, _), finding in found:
        groups.setdefault((attack, finding.law), []).append(finding)
    for (attack, law), some in groups.items():
        counts = [sum(f.verdict == v for f in some) for v in ("wrong", "early", "named")]
        worst = max((f.deviation for f in some), default=0.0)
        cells = " ".join(f"{count:6d}" for count in (len(some), *counts))
        lines.append(f"{attack:14} {law:28} {cells} {worst:9.2g}")
    lines.append("worst: largest deviation, as a multiple of what the law allows")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; return 1 if a run was wrong or ended early."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.attack",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seconds", type=float, default=60.0, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument(
        "--case", type=int, metavar="N", help="just the case of this number"
    )
    parser.add_argument(
        "--only", choices=ATTACKS, metavar="ATTACK", help=", ".join(ATTACKS)
    )
    parser.add_argument("--jobs", type=int, default=2, metavar="J", help="processes")
    options = parser.parse_args(arguments)
    found: list[tuple[Case, Finding]] = []
    try:
        for case, some in outcomes(options):
            for finding in some:
                found.append((case, finding))
                if finding.verdict != "right":
                    attack, seed, number = case
                    again = f"--seed {seed} --only {attack} --case {number}"
                    what = finding.early or f"{finding.deviation:.2g}"
                    print(
                        f"{finding.verdict:6} {again}  {finding.law}: {what} [{finding.detail}]",
                        flush=True,
                    )
    except KeyboardInterrupt:
        print("interrupted")
    print(table(found))
    verdicts = [finding.verdict for _, finding in found]
    failed = sum(v in ("wrong", "early") for v in verdicts)
    print(f"{len(verdicts) - failed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
