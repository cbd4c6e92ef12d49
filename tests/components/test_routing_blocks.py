"""Signals joined, parted, taken out of others, and tables of truth values and whole numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import motorik as mk
from motorik import blocks
from motorik.errors import ParameterError
from motorik.exchange.modelica import read
from tests.refusals import refused


def constants(model: mk.Model, *values: float) -> list[Any]:
    """Return constant sources, which become parts of the model."""
    made = []
    for k, value in enumerate(values):
        source = blocks.Constant(k=value)
        setattr(model, f"constant{k}", source)
        made.append(source)
    return made


def test_what_is_joined_and_parted_is_as_before():
    """Six signals of several widths, joined by one block and parted by another."""
    model = mk.Model()
    widths = (1, 2, 1, 1, 2, 1)
    named = {f"n{k}": n for k, n in enumerate(widths, 1)}
    model.join, model.part = blocks.Multiplex6(**named), blocks.DeMultiplex6(**named)
    values = [float(k) for k in range(1, 9)]
    sources = iter(constants(model, *values))
    for k, n in enumerate(widths, 1):
        for i in range(n):
            mk.connect(next(sources).y, getattr(model.join, f"u{k}")[i])
    mk.connect(model.join.y, model.part.u)
    result = model.simulate(1.0)
    found = [np.atleast_1d(result[f"part.y{k}"][-1]) for k in range(1, 7)]
    assert np.concatenate(found).tolist() == values
    assert result["join.y"][-1].tolist() == values


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_each_size_joins_and_parts_as_many_as_it_says(count: int):
    model = mk.Model()
    model.join = getattr(blocks, f"Multiplex{count}")()
    model.part = getattr(blocks, f"DeMultiplex{count}")()
    for k, source in enumerate(constants(model, *range(1, count + 1)), 1):
        mk.connect(source.y, getattr(model.join, f"u{k}")[0])
    mk.connect(model.join.y, model.part.u)
    result = model.simulate(1.0)
    found = [float(np.ravel(result[f"part.y{k}"][-1])[0]) for k in range(1, count + 1)]
    assert found == list(range(1, count + 1))


@pytest.fixture(scope="module")
def taken() -> Any:
    model = mk.Model()
    model.join, model.part = blocks.Multiplex(n=3), blocks.DeMultiplex(n=3)
    model.some = blocks.ExtractSignal(nin=3, extract=(3, 1))
    model.one, model.none = (
        blocks.Extractor(nin=3),
        blocks.Extractor(nin=3, allowOutOfRange=True, outOfRangeValue=-1.0),
    )
    model.index = blocks.IntegerTable(table=[(0.0, 2), (0.4, 3), (0.7, 1)])
    model.beyond = blocks.IntegerConstant(k=4)
    model.copies, model.whole = (
        blocks.BooleanReplicator(nout=2),
        blocks.IntegerReplicator(nout=3),
    )
    model.pulses = blocks.BooleanTable(table=(0.1, 0.3, 0.6), extrapolation="Periodic")
    for k, source in enumerate(constants(model, 5.0, 7.0, 9.0)):
        mk.connect(source.y, model.join.u[k])
    for block in (model.part, model.some, model.one, model.none):
        mk.connect(model.join.y, block.u)
    mk.connect(model.index.y, model.one.index)
    mk.connect(model.beyond.y, model.none.index)
    mk.connect(model.pulses.y, model.copies.u)
    mk.connect(model.index.y, model.whole.u)
    return model.simulate(2.0, output=np.linspace(0.0, 2.0, 41) + 0.0)


def test_elements_are_taken_by_their_numbers(taken: Any):
    assert taken["some.y"][0].tolist() == [9.0, 5.0]
    assert taken["part.y"][0].tolist() == [5.0, 7.0, 9.0]
    expected = np.where(taken.time < 0.4, 7.0, np.where(taken.time < 0.7, 9.0, 5.0))
    inside = np.abs(np.subtract.outer(taken.time, [0.4, 0.7])).min(axis=1) > 1e-9
    assert (taken["one.y"] == expected)[inside].all()
    assert (taken["none.y"] == -1.0).all()


def test_a_periodic_table_repeats_from_its_first_to_its_last_time(taken: Any):
    """It changes at 0.1 and 0.3, and begins again at 0.6 as at 0.1: the period is 0.5."""
    phase = np.mod(taken.time - 0.1, 0.5)
    inside = np.minimum(np.abs(phase - 0.2), np.minimum(phase, 0.5 - phase)) > 1e-9
    assert (taken["pulses.y"] == (phase < 0.2))[inside].all()
    assert (taken["copies.y"].T == taken["pulses.y"]).all()
    assert (taken["whole.y"].T == taken["index.y"]).all()


def test_triangles_and_polar_coordinates():
    model = mk.Model()
    three, four, five = constants(model, 3.0, 4.0, 5.0)
    model.hypotenuse = blocks.Pythagoras()
    model.leg = blocks.Pythagoras(u1IsHypotenuse=True)
    model.nothing = blocks.Pythagoras(u1IsHypotenuse=True)
    model.polar, model.back = blocks.RectangularToPolar(), blocks.PolarToRectangular()
    for a, b, block in (
        (three, four, model.hypotenuse),
        (five, four, model.leg),
        (three, four, model.nothing),
    ):
        mk.connect(a.y, block.u1)
        mk.connect(b.y, block.u2)
    mk.connect(three.y, model.polar.u_re)
    mk.connect(four.y, model.polar.u_im)
    mk.connect(model.polar.y_abs, model.back.u_abs)
    mk.connect(model.polar.y_arg, model.back.u_arg)
    result = model.simulate(0.1)
    names = "hypotenuse.y", "leg.y", "nothing.y", "nothing.valid", "leg.valid"
    assert [result[name][0] for name in names] == [5.0, 3.0, 0.0, 0.0, 1.0]
    assert result["polar.y_arg"][0] == pytest.approx(math.atan2(4.0, 3.0))
    assert result["back.y_re"][0] == pytest.approx(3.0)
    assert result["back.y_im"][0] == pytest.approx(4.0)


def test_numbers_and_tables_that_do_not_fit_are_refused():
    with refused(ParameterError, "extract: u has no element 4", "from 1 to nin"):
        blocks.ExtractSignal(nin=3, extract=(1, 4))
    with refused(ParameterError, "is not for truth values", "Periodic"):
        blocks.BooleanTable(extrapolation="LastTwoPoints")
    with refused(ParameterError, "a table of 1 times has no period", "two times"):
        blocks.BooleanTable(table=(1.0,), extrapolation="Periodic")
    with refused(ParameterError, "not a time and a whole number", "whole number"):
        blocks.IntegerTable(table=[(0.0, 0.5), (1.0, 1.0)])


def test_routing_is_read_from_modelica():
    kinds = {
        "a": ("Routing.Multiplex3", {"n2": "2"}),
        "b": ("Routing.ExtractSignal", {"nin": "3", "nout": "2", "extract": "{3, 1}"}),
        "c": ("Sources.BooleanTable", {
            "table": "{1, 2}", "extrapolation": "Modelica.Blocks.Types.Extrapolation.Periodic",
        }),
        "d": ("Sources.IntegerTable", {"table": "[0, 1; 2, 3]"}),
    }  # fmt: skip
    parts = [
        {"name": name, "type": f"Modelica.Blocks.{kind}", "modifiers": given}
        for name, (kind, given) in kinds.items()
    ]
    model = read("M", {"M": {"components": parts}}).model
    assert model.a.n2 == 2 and model.b.extract == (3.0, 1.0)
    assert model.c.extrapolation == "Periodic"
    assert model.d.table == ((0.0, 1.0), (2.0, 3.0))
