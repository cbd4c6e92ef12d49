"""Blocks and parts of a user's own that are not finished: each is refused in words."""

from __future__ import annotations

import math

import pytest

import motorik as mk
from motorik import Part
from motorik.components.base.contributions import Mass
from motorik.components.base.part import frame, signal_output
from motorik.components.blocks.block import Block
from motorik.errors import (
    AssemblyError,
    EquationWarning,
    ParameterError,
)
from tests.mistakes.models import (
    Mistakes,
    OneOutput,
    check,
    ids,
    pendulum,
    run,
    with_block,
)

wrong = Mistakes()


class OneState(OneOutput):
    """Gives its one state; what the rate of this is, nothing says."""

    def states(self, p):
        return {"x": mk.Start(0.0)}

    @staticmethod
    def law(p, t, inputs, states):
        return (states[0],)


class OneFrame(Part):
    """Has a frame."""

    frame_a = frame("a")


def with_part(kind: type[OneFrame]) -> mk.Model:
    """Return a pendulum whose bob carries a part `p`."""
    m = pendulum()
    m.p = kind()
    m.p.frame_a >> m.bob.frame_a
    return m


@wrong(ParameterError, "law", "law(p, t, inputs, states) returned t ")
def block_law_scalar() -> None:
    class B(OneOutput):
        @staticmethod
        def law(p, t, inputs, states):
            return t

    run(with_block(B))


@wrong(ParameterError, "law", "law(p, t, inputs, states) returned None")
def block_law_none() -> None:
    class B(OneOutput):
        @staticmethod
        def law(p, t, inputs, states):
            pass

    run(with_block(B))


@wrong(ParameterError, "law", "law(p, t, inputs, states) returned ()")
def block_law_too_few() -> None:
    class B(OneOutput):
        @staticmethod
        def law(p, t, inputs, states):
            return ()

    run(with_block(B))


@wrong(ParameterError, "law", "law(p, t, inputs, states) returned (t, t)")
def block_law_too_many() -> None:
    class B(OneOutput):
        @staticmethod
        def law(p, t, inputs, states):
            return (t, t)

    run(with_block(B))


@wrong(ParameterError, "law", "does not define law(p, t, inputs, states)")
def block_law_missing() -> None:
    run(with_block(OneOutput))


@wrong(
    ParameterError,
    "law",
    "law(p, t, inputs, states) raised TypeError: block_law_self.<locals>.B.law() takes",
)
def block_law_self() -> None:
    class B(OneOutput):
        def law(self, t):
            return (t,)

    run(with_block(B))


@wrong(
    ParameterError,
    "law",
    "law(p, t, inputs, states)",
    "plain number",
    "motorik.functions",
)
def block_law_math() -> None:
    class B(OneOutput):
        @staticmethod
        def law(p, t, inputs, states):
            return (math.sin(t),)

    run(with_block(B))


@wrong(ParameterError, "law", "does not define its output signals")
def block_no_outputs() -> None:
    class B(Block):
        y = signal_output("y")

        @staticmethod
        def law(p, t, inputs, states):
            return (t,)

    run(with_block(B))


@wrong(ParameterError, "law", "rates(p, t, inputs, states) returned ()")
def block_rates_too_few() -> None:
    class B(OneState):
        @staticmethod
        def rates(p, t, inputs, states):
            return ()

    run(with_block(B))


@wrong(ParameterError, "law", "has the states x, but does not define their")
def block_rates_missing() -> None:
    run(with_block(OneState))


@wrong(ParameterError, "law", "rates(p, t, inputs, states) returned (None,)")
def block_rates_none() -> None:
    class B(OneState):
        @staticmethod
        def rates(p, t, inputs, states):
            return (None,)

    run(with_block(B))


@wrong(AssemblyError, "p", "its contributions(p) returned None")
def contributions_none() -> None:
    class P(OneFrame):
        def contributions(self, p):
            return None

    run(with_part(P))


@wrong(AssemblyError, "p", "its contributions(p) yield 3, which is not a contribution")
def contributions_strange() -> None:
    class P(OneFrame):
        def contributions(self, p):
            yield 3

    run(with_part(P))


@wrong(
    AssemblyError,
    "p",
    "its contributions(p) returned <class 'motorik.components.base.contributions.Mass'>",
)
def contributions_single() -> None:
    class P(OneFrame):
        def contributions(self, p):
            return Mass

    run(with_part(P))


@pytest.mark.parametrize("row", wrong, ids=ids(wrong))
def test_a_wrong_block_is_refused_in_words(row):
    check(row)


def test_a_loop_of_blocks_without_a_solution_is_named():
    model = mk.Model()
    model.square, model.sum = mk.blocks.Product(), mk.blocks.Add()
    model.two = mk.blocks.Constant(k=2.0)
    model.connect(model.two.y, model.sum.u1)
    model.connect(model.square.y, model.sum.u2)
    model.connect(model.sum.y, model.square.u1, model.square.u2)  # u = 2 + u²
    with pytest.warns(
        EquationWarning, match=r"(sum|square)\.y: its equation has no solution"
    ):
        model.simulate(0.1)
