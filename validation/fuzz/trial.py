"""One trial: some laws on the mechanism of one case."""

from __future__ import annotations

import time
import zlib
from dataclasses import dataclass

import numpy as np

from motorik import MotorikError
from validation.fuzz.case import Case, LawError, UnclearError
from validation.fuzz.laws import LAWS

CHOSEN = 2  # laws for each case, beside that it runs


@dataclass(frozen=True)
class Task:
    """A case, and the laws to choose from: two at random of more than two."""

    kind: str
    seed: int
    number: int
    laws: tuple[str, ...] | None = None
    is_plain: bool = False


@dataclass(frozen=True)
class Outcome:
    """What became of a law in a case: pass, fail, unclear or refused."""

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
    others = [law for law in task.laws or LAWS if law != "complete"]
    if task.laws is not None and len(task.laws) <= CHOSEN:
        return task.laws
    rng = np.random.default_rng([task.number, task.seed, zlib.crc32(task.kind.encode())])
    return ("complete", *(str(x) for x in rng.choice(others, CHOSEN, replace=False)))


def try_laws(task: Task) -> list[Outcome]:
    """Try laws on a case; stop at the first one if it does not run at all."""
    found: list[Outcome] = []
    try:
        case = Case(task.kind, task.seed, task.number, task.is_plain)
        units = str(case.units)
    except Exception as error:
        words = f"not drawn: {type(error).__name__}: {error}"
        return [Outcome(task.kind, task.seed, task.number, "complete", "fail", words)]
    for law in chosen_laws(task):
        began = time.perf_counter()
        verdict, words = _try(case, law)
        seconds = time.perf_counter() - began
        whose = (task.kind, task.seed, task.number, law, verdict, words)
        found.append(Outcome(*whose, units, task.is_plain, seconds))
        if law == "complete" and verdict != "pass":
            break
    return found


def _try(case: Case, law: str) -> tuple[str, str]:
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
