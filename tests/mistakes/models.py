"""Models with something wrong in them, and how a mistake is noted and checked.

A mistake is a row: what is wrong, how it is given, the error, and words of its message.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import motorik as mk
import motorik.planar as pl
from motorik import Part, blocks
from motorik import rotational as rot
from motorik.components.base.contributions import FrameForce
from motorik.components.base.part import frame, rotational_flange, signal_output
from motorik.components.blocks.block import Block
from motorik.components.lines.base import ROTATIONAL, Compliant
from motorik.errors import (
    MotorikError,
)
from tests.refusals import refused

Row = tuple[Any, ...]  # name, how it is given, error, words of its message …


class Mistakes(list[Row]):
    """Rows of mistakes, noted by decorating the functions that make them."""

    def __call__(self, error: type[MotorikError], *words: str) -> Callable[[Any], Any]:
        """Let a function be a mistake that is refused with this error and these words."""

        def note(function: Callable[[], None]) -> Callable[[], None]:
            self.append((function.__name__, function, error, *words))
            return function

        return note


def ids(rows: Sequence[Row]) -> list[str]:
    """Return the names of rows."""
    return [row[0] for row in rows]


def check(row: Row) -> None:
    """Expect the error of a row, with its words, a remedy and fields."""
    _, given, error, *words = row
    with refused(error, *words):
        given()


def pendulum(**given: Any) -> mk.Model:
    """Return a body on a hinge with flanges; the values of its parts by their names."""
    model = mk.Model()
    model.world = mk.World(**given.get("world", {}))
    model.hinge = mk.Revolute(useAxisFlange=True)
    model.bob = mk.Body(**{"r_CM": (0.5, 0, 0), **given.get("bob", {})})
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.bob.frame_a
    return model


def with_torque() -> mk.Model:
    """Return a pendulum with a torque that a signal gives."""
    model = pendulum()
    model.torque = rot.Torque()
    model.torque.flange >> model.hinge.axis
    return model


def driven(f: Any) -> mk.Model:
    """Return a pendulum under a torque that is a function of time."""
    model = with_torque()
    model.law = blocks.TimeFunction(f=f)
    model.law.y >> model.torque.tau
    return model


def run(model: mk.Model) -> mk.Result:
    return model.simulate(0.1)


def function_block(f: Any, n: int = 1) -> mk.Model:
    model = with_torque()
    model.law, model.clock = blocks.Function(f=f, n=n), blocks.ContinuousClock()
    for element in model.law.u:
        model.clock.y >> element
    model.law.y >> model.torque.tau
    return model


def expression(f: Any) -> mk.Model:
    model = with_torque()
    model.law = blocks.Expression(f=lambda motion: f(model, motion))
    model.law.y >> model.torque.tau
    return model


class OneOutput(Block):
    """A block that a user has not finished."""

    y = signal_output("what comes out")

    def outputs(self):
        return (self.y,)


def with_block(kind: type[Block]) -> mk.Model:
    model = with_torque()
    model.law = kind()
    model.law.y >> model.torque.tau
    return model


def compliant(f: Any) -> mk.Model:
    """Return a pendulum with a spring of the user's own kind."""

    class MySpring(Compliant):
        line_names = ROTATIONAL
        flange_a = rotational_flange("one side")
        flange_b = rotational_flange("the other")
        law = staticmethod(f)

    model = pendulum()
    model.sp = MySpring()
    model.sp.flange_a >> model.hinge.support
    model.sp.flange_b >> model.hinge.axis
    return model


def frame_force(f: Any) -> mk.Model:
    """Return a pendulum with a force of the user's own kind."""

    class MyForce(Part):
        frame_a = frame("where it acts")

        def contributions(self, p):
            yield FrameForce(self, (self.frame_a,), p, f)

    model = pendulum()
    model.push = MyForce()
    model.push.frame_a >> model.bob.frame_a
    return model


def grav(f: Any) -> mk.Result:
    return run(pendulum(world={"gravityAcceleration": f}))


def planar_pendulum(**given: Any) -> mk.Model:
    model = pl.Model()
    model.ground = pl.Ground(ports={"O": (0, 0)})
    model.arm = pl.Body(ports={"A": (-0.5, 0)}, x=0.5)
    model.pin = pl.Revolute(**given)
    model.ground.O >> model.pin.frame_a
    model.pin.frame_b >> model.arm.A
    return model


def hides_an_error(t: Any) -> float:
    try:
        return math.sin(t)
    except TypeError:
        return 0.0
