"""One trial: some laws on the mechanism of one case."""

from __future__ import annotations

import time
import zlib
from dataclasses import dataclass

import numpy as np

from motorik import MotorikError
from validation.fuzz.case import Case, LawError, UnclearError
from validation.fuzz.laws import LAWS

FREE = ("complete", "start", "story", "states")  # laws that are tried on every case
QUICK = ("grid", "defaults", "newton", "power", "closed")  # they use what is compiled …
DEAR = (("strategies",), ("methods",), ("order",), ("units", "steps"))  # … these do not
QUICK_COUNT = 2  # of them for each case, beside one of the dear
BRIEF_COUNT, BRIEF_EVERY = 1, 5  # in brief: of them, and how often there is a dear one


@dataclass(frozen=True)
class Task:
    """A case and the laws to be tried on it, by default some chosen by its seed.

    If it `is_brief`, fewer are chosen. Laws that are given are tried thoroughly, with all
    strategies and methods instead of a few.
    """

    kind: str
    seed: int
    number: int
    laws: tuple[str, ...] | None = None
    is_plain: bool = False
    is_brief: bool = False


@dataclass(frozen=True)
class Outcome:
    """The outcome of a law in a case: pass, fail, unclear or refused."""

    kind: str
    seed: int
    number: int
    law: str
    verdict: str
    words: str = ""
    units: str = ""
    is_plain: bool = False
    seconds: float = 0.0

    def line(self) -> str:
        """Return one line with how to see it again."""
        again = (
            f"--seed {self.seed} --case {self.number} --only {self.kind} --law {self.law}"
        )
        again += " --plain" * self.is_plain
        return f"{self.verdict:7} {again}  [{self.units}] {self.words}"


def chosen_laws(task: Task) -> tuple[str, ...]:
    """Return the laws to try in a case."""
    if task.laws is not None:
        return task.laws
    rng = np.random.default_rng([task.number, task.seed, zlib.crc32(task.kind.encode())])
    count = BRIEF_COUNT if task.is_brief else QUICK_COUNT
    quick = (str(law) for law in rng.choice(QUICK, count, replace=False))
    dear = DEAR[rng.integers(len(DEAR))]
    if task.is_brief and rng.integers(BRIEF_EVERY) > 0:
        dear = ()
    return (*FREE, *quick, *dear)


def try_laws(task: Task) -> list[Outcome]:
    """Try laws on a case; stop at the first one if it does not run at all."""
    found: list[Outcome] = []
    try:
        whose = (task.kind, task.seed, task.number, task.is_plain)
        case = Case(*whose, is_thorough=task.laws is not None)
        units = str(case.units)
    except Exception as error:
        words = f"not drawn: {type(error).__name__}: {error}"
        return [Outcome(task.kind, task.seed, task.number, "complete", "fail", words)]
    for law in chosen_laws(task):
        began = time.perf_counter()
        verdict, words = try_law(case, law)
        seconds = time.perf_counter() - began
        whose = (task.kind, task.seed, task.number, law, verdict, words)
        found.append(Outcome(*whose, units, task.is_plain, seconds))
        if law == "complete" and verdict != "pass":
            break
    return found


def try_law(case: Case, law: str) -> tuple[str, str]:
    """Try a law on a case; return the verdict and what was found."""
    try:
        LAWS[law](case)
    except LawError as failure:
        return "fail", str(failure)
    except UnclearError as unclear:
        return "unclear", str(unclear)
    except MotorikError as error:
        return "refused", f"{type(error).__name__}: {' '.join(str(error).split())}"
    except Exception as error:
        words = " ".join(str(error).split())[:200]
        return "fail", f"crash: {type(error).__name__}: {words}"
    return "pass", ""
