"""Each law on random mechanisms fails where something is wrong by a little."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from motorik.results import Result
from motorik.results.model_result import ModelResult
from validation.fuzz import case as cases
from validation.fuzz.case import COARSE, Case
from validation.fuzz.laws import LAWS
from validation.fuzz.trial import try_law

WRONG = 1e-4  # as a part of what is right
Mutation = Callable[[Case, pytest.MonkeyPatch], None]


def four_bar() -> Case:
    """Return a case with one planar loop that falls and turns."""
    return Case("plane", 11, 1, is_plain=True)


def too_few_steps(case: Case, patch: pytest.MonkeyPatch) -> None:
    """Let runs end early."""
    patch.setattr(cases, "STEPS", 10)


def heavier(case: Case, part: float = WRONG) -> None:
    """Let all runs from now on have a little more gravity."""
    case.condition()
    case.drawing.gravity = (1.0 + part) * case.drawing.gravity
    case._model = case.drawing.model(case.units)


def other_gravity(case: Case, patch: pytest.MonkeyPatch) -> None:
    """Let later runs differ from those before."""
    heavier(case)


def much_other_gravity(case: Case, patch: pytest.MonkeyPatch) -> None:
    """Let later runs differ by more than a user's tolerance."""
    heavier(case, 100 * WRONG)


def gravity_by_grid(case: Case, patch: pytest.MonkeyPatch) -> None:
    """Let a run with few rows of output differ from others."""
    case.condition()
    right, wrong = case.model(), four_bar()
    heavier(wrong)
    run = case.run

    def differently(**options) -> Result:
        few = isinstance(options.get("output"), int) and options["output"] < 10
        return run(wrong.model() if few else right, **options)

    patch.setattr(case, "run", differently)


def coarser(case: Case, patch: pytest.MonkeyPatch) -> None:
    """Let the run in finer units take fewer steps."""
    case._finer_units = case.run(rtol=COARSE), case.units


def wrong_variable(ending: str) -> Mutation:
    """Return what makes variables that end so wrong."""

    def mutate(case: Case, patch: pytest.MonkeyPatch) -> None:
        case.fine()
        read = Result.__getitem__

        def wrongly(self: Result, name: str) -> np.ndarray:
            return read(self, name) * (1.0 + WRONG * name.endswith(ending))

        patch.setattr(Result, "__getitem__", wrongly)

    return mutate


def wrong_energy(case: Case, patch: pytest.MonkeyPatch) -> None:
    """Let bodies have a little more kinetic energy."""
    read = ModelResult.energy

    def wrongly(self: ModelResult) -> dict[str, np.ndarray]:
        energy = dict(read(self))
        return energy | {"total": energy["total"] + WRONG * energy["kinetic"]}

    patch.setattr(ModelResult, "energy", wrongly)


def other_start(case: Case, patch: pytest.MonkeyPatch) -> None:
    """Let the model start a little beside what was drawn."""
    case.fine()
    name, value = next((n, v) for n, v in case.drawing.fixed.items() if v.number)
    wrong = replace(value, number=(1.0 + WRONG) * np.asarray(value.number))
    case.drawing.fixed[name] = wrong
    part, _, key = name.partition(".")
    case.drawing.pieces[part].given[key] = wrong
    case._model = case.drawing.model(case.units)


MUTATIONS: dict[str, list[Mutation]] = {
    "complete": [too_few_steps],
    "strategies": [other_gravity],
    "methods": [other_gravity],
    "grid": [gravity_by_grid],
    "order": [other_gravity],
    "units": [other_gravity],
    "steps": [coarser],
    "defaults": [much_other_gravity],
    "newton": [wrong_variable(".f"), wrong_variable(".t"), wrong_variable(".a_0")],
    "power": [wrong_energy],
    "closed": [wrong_variable(".phi"), wrong_variable(".r_0")],
    "start": [other_start],
    "story": [other_start],
    "states": [other_start],
}


def test_every_law_is_tried():
    assert set(MUTATIONS) == set(LAWS)


@pytest.mark.thorough
@pytest.mark.slow
def test_all_laws_hold_where_nothing_is_wrong():
    case = four_bar()
    assert {law: try_law(case, law) for law in LAWS} == dict.fromkeys(LAWS, ("pass", ""))


@pytest.mark.kinds(7)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "mutation"), [(law, one) for law, some in MUTATIONS.items() for one in some]
)
def test_a_law_fails_where_something_is_wrong(law, mutation, monkeypatch):
    case = four_bar()
    mutation(case, monkeypatch)
    assert try_law(case, law)[0] == "fail"
