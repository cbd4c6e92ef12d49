"""Every parameter of every part live: the run is that of the model made with the number."""

from __future__ import annotations

import importlib
import inspect

import numpy as np
import pytest

import motorik as mk
from motorik.algebra import Symmetric, Vector
from motorik.components.base.part import ParameterSpec, Part
from motorik.components.base.values import reason_not_live
from motorik.constraints import RevolutePlanarLoopConstraint, UniversalConstraint
from tests.components.live_cases import ASSEMBLIES, CASES, FLAT, FUNCTIONS

ROOMS = (
    *("joints", "parts", "forces", "sensors", "assemblies", "constraints"),
    *("rotational", "translational", "blocks", "planar"),
)
#: Directions in loops, which only close while the axes stay as they are, and other guides.
TILT = (0.05, -0.02, 0.03)
LOOPED = {
    UniversalConstraint,
    RevolutePlanarLoopConstraint,
    *(kind for kind, _, _ in (*ASSEMBLIES, *FLAT)),
}


def other_value(kind: type[Part], name: str, value: object) -> object:
    """Return another value of the same kind, at which the mechanism still fits together."""
    if isinstance(value, float):
        return 1.05 * value + (0.0 if value else 0.02)
    if isinstance(value, Vector):
        is_axis = abs(float(value.norm()) - 1.0) < 1e-12 and name.startswith("n")
        if is_axis:
            tilt = (0.0, 0.0, 0.0) if kind in LOOPED else TILT
            return tuple(2.0 * c + d for c, d in zip(value.xyz, tilt, strict=True))
        return tuple(1.05 * c for c in value.xyz)
    if isinstance(value, Symmetric):
        return [[1.05 * e for e in row.xyz] for row in value.full().rows]
    assert isinstance(value, tuple), (kind, name, value)
    return tuple(other_value(kind, name, entry) for entry in value)


def made_live(name: str, value: object) -> object:
    """Return a value with all its numbers live; those of lists and tables have names."""
    if isinstance(value, float):
        return mk.Parameter(value)
    if isinstance(value, Vector):
        return mk.Parameter(value.xyz)
    if isinstance(value, Symmetric):
        rows = [row.xyz for row in value.full().rows]
        one = mk.Parameter(1.0, name=f"scale_{name}")
        return [[one * e for e in row] for row in rows]
    assert isinstance(value, tuple)
    one = mk.Parameter(1.0, name=f"scale_{name}")
    return _scaled(one, value)


def _scaled(one: mk.Parameter, value: tuple) -> tuple:
    return tuple(_scaled(one, e) if isinstance(e, tuple) else one * e for e in value)


def live_names(kind: type[Part], given: dict) -> list[str]:
    """Return the parameters of a part that have numbers and may be live."""
    part = kind(**given)
    names = []
    for name in part._parameters:
        spec, value = part.specs[name], part.__dict__[name]
        assert isinstance(spec, ParameterSpec)
        if reason_not_live(spec.convert) or value is None or callable(value):
            continue
        if name.startswith("I_") and "I" in given:  # the same tensor
            continue
        names.append(name)
    return names


TRIED = [
    (k, name)
    for k, (kind, given, _) in enumerate(CASES)
    for name in live_names(kind, given)
]


def trajectory(model: mk.Model, **options: object) -> dict[str, np.ndarray]:
    """Return all coordinates, speeds and block states on a grid, by steps of one size."""
    times = np.linspace(0.0, 0.1, 6)
    result = model.simulate(
        0.1, method="rk4", step=2e-3, output=times, strategy="auto", **options
    )
    assert result.complete, result.info.message
    return {name: result[name] for name in result.state_names}


SPREAD = sorted(range(len(CASES)), key=lambda k: k % 3)  # a third has parts of all rooms


@pytest.mark.kinds(49)
@pytest.mark.slow
@pytest.mark.parametrize("case", SPREAD, ids=[f"{CASES[k][0].__name__}{k}" for k in SPREAD])
def test_live_values_move_like_the_numbers(case):
    """All values of a part are live at once and get others: the run is that of the numbers."""
    kind, given, place = CASES[case]
    part = kind(**given)
    before = {name: part.__dict__[name] for k, name in TRIED if k == case}
    after = {name: other_value(kind, name, value) for name, value in before.items()}
    live = place(kind(**given | {name: made_live(name, v) for name, v in before.items()}))
    values = {}
    for own in live.live_parameters():
        name = own.split(".")[-1]
        values[own] = 1.05 if name.startswith("scale_") else after[name]
    assert len(values) == len(before)
    same(live, values, place(kind(**given | after)))


def same(live: mk.Model, values: dict[str, object], plain: mk.Model) -> None:
    """Compare a run with live values with that of a model made with the numbers."""
    expected, found = trajectory(plain), trajectory(live, parameters=values)
    assert expected.keys() == found.keys()
    for state, numbers in expected.items():
        scale = max(1.0, float(np.abs(numbers).max()))
        np.testing.assert_allclose(found[state], numbers, rtol=0, atol=1e-9 * scale)


@pytest.mark.kinds(5)
@pytest.mark.slow
@pytest.mark.parametrize(
    "case", FUNCTIONS, ids=[f"{case[0].__name__}.{case[1]}" for case in FUNCTIONS]
)
def test_a_function_of_a_live_value_moves_like_that_of_the_number(case):
    kind, name, given, maker, place = case
    live = place(kind(**given, **{name: maker(mk.Parameter(0.7, name="a"))}))
    same(live, {"a": 0.9}, place(kind(**given, **{name: maker(0.9)})))


def test_every_parameter_of_every_part_is_tried_or_says_why_it_cannot_be_live():
    tried = {id(CASES[k][0].specs.get(name)) for k, name in TRIED}
    tried |= {id(kind.specs[name]) for kind, name, *_ in FUNCTIONS}
    left = []
    for room in ROOMS:
        module = importlib.import_module(f"motorik.{room}")
        for kind in (getattr(module, name) for name in dir(module)):
            if not (inspect.isclass(kind) and issubclass(kind, Part)):
                continue
            for name, spec in kind.specs.items():
                is_free = isinstance(spec, ParameterSpec) and not reason_not_live(
                    spec.convert
                )
                if is_free and id(spec) not in tried:
                    left.append(f"{kind.__name__}.{name}")
    assert not left, sorted(set(left))
