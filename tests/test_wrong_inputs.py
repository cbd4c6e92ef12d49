"""Wrong inputs, as an engineer would give them: each is refused in words, none passes silently.

One row each: what is wrong, how it is given, the error, and words of its message.
"""

# ruff: noqa: F821, B015, B018, N805 - what is wrong here is meant

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import casadi
import numpy as np
import pytest

import motorik as mk
import motorik.planar as pl
from motorik import Part, assemblies, blocks, forces, joints, parts, sensors
from motorik import rotational as rot
from motorik import translational as tra
from motorik.algebra import scalar as s
from motorik.algebra.motor import Motor
from motorik.algebra.vector import Vector
from motorik.components.base.contributions import FrameForce, Mass
from motorik.components.base.part import frame, parameter, rotational_flange, signal_output
from motorik.components.blocks.block import Block
from motorik.components.lines.base import ROTATIONAL, Compliant
from motorik.errors import (
    AssemblyError,
    LoopError,
    MotorikError,
    ParameterError,
    PortError,
    SimulationError,
    UnknownNameError,
)
from tests.refusals import refused

Row = tuple[Any, ...]  # name, how it is given, error, words of its message …
LawRow = tuple[Any, ...]  # name, function of time, words of the message …

CASES: list[Row] = []


def wrong(error: type[MotorikError], *words: str) -> Callable[[Any], Any]:
    """Let a function be a wrong input that is refused with this error and these words."""

    def note(function: Callable[[], None]) -> Callable[[], None]:
        CASES.append((function.__name__, function, error, *words))
        return function

    return note


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


# fmt: off

WRONG: list[Row] = [
    # --- parameters
    ('m string', lambda: mk.Body(m="1"), ParameterError, 'Body', "m = '1' kg is not a number"),
    ('m negative', lambda: mk.Body(m=-1), ParameterError, 'Body', 'm = -1 kg is too small'),
    ('m zero', lambda: mk.Body(m=0), ParameterError, 'Body', 'm = 0 kg is not positive'),
    ('m nan', lambda: mk.Body(m=math.nan), ParameterError, 'Body', 'm = nan kg is not finite'),
    ('m inf', lambda: mk.Body(m=math.inf), ParameterError, 'Body', 'm = inf kg is not finite'),
    ('m bool', lambda: mk.Body(m=True), ParameterError, 'Body', 'm = True kg is not a number'),
    ('m none', lambda: mk.Body(m=None), ParameterError, 'Body', 'm = None kg is not a number'),
    ('m complex', lambda: mk.Body(m=1j), ParameterError, 'Body', 'm = 1j kg is not a number'),
    ('m list', lambda: mk.Body(m=[1.0]), ParameterError, 'Body',
     'm = [1.0] kg is not a number'),
    ('m array', lambda: mk.Body(m=np.array([1.0])), ParameterError, 'Body',
     'm = array([1.]) kg is not a number'),
    ('m tuple', lambda: mk.Body(m=(1,2,3)), ParameterError, 'Body', 'm = (1, 2, 3) kg is not'),
    ('m np.str', lambda: mk.Body(m=np.str_("1")), ParameterError, 'Body', 'is not a number'),
    ('m complex np', lambda: mk.Body(m=np.complex128(1)), ParameterError, 'Body',
     'is not a number'),
    ('m vector parameter', lambda: mk.Body(m=mk.Parameter((1,2,3))), ParameterError, 'Body',
     'm is one number, not Parameter((1.0, 2.0, 3.0)'),
    ('parameter string', lambda: mk.Parameter("1.0"), ParameterError, 'Parameter',
     "value '1.0' is neither a finite number nor"),
    ('parameter none', lambda: mk.Parameter(None), ParameterError, 'Parameter',
     'value None is neither a finite number nor'),
    ('parameter bool', lambda: mk.Parameter(True), ParameterError, 'Parameter',
     'value True is neither a finite number nor'),
    ('parameter of parameter', lambda: mk.Parameter(mk.Parameter(1.0)), ParameterError,
     'Parameter', 'value Parameter(1.0) is neither a finite number nor'),
    ('parameter value string', lambda: setattr(mk.Parameter(1.0), "value", "2.0"),
     ParameterError, 'Parameter', "value '2.0' does not fit; it needs 1"),
    ('parameter fixed string', lambda: mk.Parameter(1.0, fixed="no"), ParameterError,
     'Parameter', "fixed = 'no' is not True or False"),
    ('parameter name number', lambda: mk.Parameter(1.0, name=3), ParameterError, 'Parameter',
     "name = 3 is not text"),
    ('parameter attribute misspelt', lambda: setattr(mk.Parameter(1.0), "val", 2.0),
     UnknownNameError, 'Parameter', "has no 'val'"),
    ('r_CM two', lambda: mk.Body(r_CM=(1, 2)), ParameterError, 'Body',
     'r_CM = (1, 2) has 2 components instead'),
    ('r_CM string entry', lambda: mk.Body(r_CM=(1, "2", 0)), ParameterError, 'Body',
     "r_CM[2] = '2' m is not a number"),
    ('r_CM string', lambda: mk.Body(r_CM="abc"), ParameterError, 'Body',
     "r_CM = 'abc' is not a vector"),
    ('r_CM number', lambda: mk.Body(r_CM=1.0), ParameterError, 'Body',
     'r_CM = 1.0 is not a vector'),
    ('r_CM dict', lambda: mk.Body(r_CM={1:1,2:2,3:3}), ParameterError, 'Body',
     'r_CM = {1: 1, 2: 2, 3: 3}'),
    ('r_CM set', lambda: mk.Body(r_CM={1.0,2.0,3.0}), ParameterError, 'Body',
     'r_CM = {1.0, 2.0, 3.0} is not a'),
    ('r_CM nested', lambda: mk.Body(r_CM=((1,),(2,),(3,))), ParameterError, 'Body',
     'r_CM[1] = (1,) m is not a number'),
    ('I not symmetric', lambda: mk.Body(I=((1,0.5,0),(0,1,0),(0,0,1))), ParameterError, 'Body',
     'I is not symmetric: [[1.0, 0.5, 0.0], [0.0'),
    ('I vector', lambda: mk.Body(I=(1,1,1)), ParameterError, 'Body', 'I = (1, 1, 1) is not a'),
    ('I strings', lambda: mk.Body(I=(("1","0","0"),("0","1","0"),("0","0","1"))),
     ParameterError, 'Body', "I = (('1', '0', '0'), ('0', '1', '0')"),
    ('I negative', lambda: mk.Body(I_11=-1), ParameterError, 'Body',
     'principal inertias -1, 0.001, 0.001 kg.m2: an inertia'),
    ('I triangle', lambda: mk.Body(I_11=1.0), ParameterError, 'Body',
     'principal inertias 0.001, 0.001, 1 kg.m2: the largest'),
    ('I and I_11 both', lambda: mk.Body(I=np.eye(3), I_11=2.0), ParameterError, 'Body',
     'its inertia is given twice, as the matrix'),
    ('axis zero', lambda: mk.Revolute(n=(0,0,0)), ParameterError, 'Revolute',
     'n = (0.0, 0.0, 0.0) has length zero'),
    ('axis word', lambda: mk.Revolute(n="w"), ParameterError, 'Revolute', "n = 'w' is no axis"),
    ('axis number', lambda: mk.Revolute(n=3), ParameterError, 'Revolute',
     'n = 3 is not a vector'),
    ('axis upper', lambda: mk.Revolute(n="Z"), ParameterError, 'Revolute',
     "n = 'Z' is no axis"),
    ('axis nan', lambda: mk.Revolute(n=(0,0,math.nan)), ParameterError, 'Revolute',
     'n[3] = nan is not finite'),
    ('flag string', lambda: mk.Revolute(useAxisFlange="yes"), ParameterError, 'Revolute',
     "useAxisFlange = 'yes' is not True or False"),
    ('flag int', lambda: mk.Revolute(useAxisFlange=1), ParameterError, 'Revolute',
     'useAxisFlange = 1 is not True or False'),
    ('unknown parameter', lambda: mk.Revolute(axis=(0,0,1)), UnknownNameError, 'Revolute',
     "has no parameter 'axis'"),
    ('misspelt', lambda: mk.Body(M=2), UnknownNameError, 'Body', "has no parameter 'M'"),
    ('positional', lambda: mk.Body(2.0), ParameterError, 'Body',
     'takes its values by name, and 2.0 has'),
    ('stateSelect', lambda: mk.Revolute(stateSelect="alway"), ParameterError, 'Revolute',
     "stateSelect = 'alway' is not known"),
    ('stateSelect bool', lambda: mk.Revolute(stateSelect=True), ParameterError, 'Revolute',
     'stateSelect = True is not known'),
    ('universal parallel axes', lambda: mk.Universal(n_a="x", n_b="x"), ParameterError,
     'Universal', 'n_a = (1.0, 0.0, 0.0) and n_b ='),
    ('planar n and n_x', lambda: mk.Planar(n="z", n_x="z"), ParameterError, 'Planar',
     'n_x = (0.0, 0.0, 1.0) is parallel to'),
    ('sequence', lambda: mk.Body(sequence_start=(1,1,2)), ParameterError, 'Body',
     'sequence_start = (1, 1, 2) is no sequence'),
    ('sequence string', lambda: mk.Body(sequence_start="xyz"), ParameterError, 'Body',
     "sequence_start = 'xyz' is no sequence of rotation"),
    ('sequence digits', lambda: mk.Body(sequence_start="123"), ParameterError, 'Body',
     "sequence_start = '123' is no sequence of rotation"),
    ('sequence floats', lambda: mk.Body(sequence_start=(1.9,2.2,3.1)), ParameterError, 'Body',
     'sequence_start = (1.9, 2.2, 3.1) is no sequence'),
    ('screw pitch zero', lambda: mk.Screw(pitch=0), UnknownNameError, 'Screw',
     "has no parameter 'pitch'"),
    ('fixed rotation unknown', lambda: mk.FixedRotation(rotationType="axis"), ParameterError,
     'FixedRotation', "rotationType = 'axis' is not known"),
    ('fixed rotation parallel n_x n_y',
     lambda: mk.FixedRotation(rotationType="TwoAxesVectors", n_x=(1,0,0), n_y=(1,0,0)),
     ParameterError, 'FixedRotation', 'n_x = (1.0, 0.0, 0.0) and n_y ='),
    ('bodybox zero length', lambda: mk.BodyBox(r=(0,0,0)), ParameterError, 'BodyBox',
     'has no length: r = (0.0, 0.0, 0.0)'),
    ('bodybox hole', lambda: mk.BodyBox(r=(1,0,0), width=0.1, innerWidth=0.2), ParameterError,
     'BodyBox', 'has mass -231 kg'),
    ('bodycylinder diameter string', lambda: mk.BodyCylinder(diameter="5cm"), ParameterError,
     'BodyCylinder', "diameter = '5cm' m is not a number"),
    ('density zero', lambda: mk.BodyBox(density=0), ParameterError, 'BodyBox',
     'density = 0 kg/m3 is too small'),
    ('spring c negative', lambda: forces.Spring(c=-1), ParameterError, 'Spring',
     'c = -1 N/m is too small'),
    ('rot spring c negative', lambda: rot.Spring(c=-1), ParameterError, 'Spring',
     'c = -1 N.m/rad is too small'),
    ('damper d negative', lambda: rot.Damper(d=-1), ParameterError, 'Damper',
     'd = -1 N.m.s/rad is too small'),
    ('inertia negative', lambda: rot.Inertia(J=-1), ParameterError, 'Inertia',
     'J = -1 kg.m2 is too small'),
    ('mass negative', lambda: tra.Mass(m=-1), ParameterError, 'Mass', 'm = -1 kg is too small'),
    ('gear 0', lambda: rot.IdealGear(ratio=0), ParameterError, 'IdealGear',
     'ratio = 0 couples nothing'),
    ('gear string', lambda: rot.IdealGear(ratio="2:1"), ParameterError, 'IdealGear',
     "ratio = '2:1' is not a number"),
    ('world g vector', lambda: mk.World(g=(0,0,-9.81)), ParameterError, 'World',
     'g = (0, 0, -9.81) m/s2 is not'),
    ('world n word', lambda: mk.World(n="down"), ParameterError, 'World',
     "n = 'down' is no axis"),
    ('world type', lambda: mk.World(gravityType="moon"), ParameterError, 'World',
     "gravityType = 'moon' is not known"),
    ('world gravity vector', lambda: mk.World(gravityAcceleration=(0,0,-9.81)), ParameterError,
     'World', 'gravityAcceleration = (0, 0, -9.81) is not a'),
    ('world mu negative', lambda: mk.World(mu=-1), ParameterError, 'World',
     'mu = -1 m3/s2 is too small'),
    ('assign class var', lambda: setattr(mk.Body(), "mass", 2.0), UnknownNameError, 'Body',
     "has no parameter 'mass'"),
    ('assign port', lambda: setattr(mk.Body(), "frame_a", 2.0), ParameterError, 'Body',
     'frame_a is a port and cannot be assigned'),
    ('assign start string', lambda: setattr(mk.Revolute(), "phi", "1"), ParameterError,
     'Revolute', "start value phi = '1': '1' is not"),
    ('use flange after',
     lambda: setattr(mk.Revolute(useAxisFlange=False), "useAxisFlange", True), ParameterError,
     'Revolute', 'useAxisFlange says which ports the part has; it'),
    # --- start values and guesses
    ('start string', lambda: mk.Revolute(phi="0.3"), ParameterError, 'Revolute',
     "start value phi = '0.3': '0.3' is not"),
    ('start word', lambda: mk.Revolute(phi="a"), ParameterError, 'Revolute',
     "start value phi = 'a': 'a' is not"),
    ('start bool', lambda: mk.Revolute(phi=True), ParameterError, 'Revolute',
     'start value phi = True: True is not'),
    ('start nan', lambda: mk.Revolute(phi=math.nan), ParameterError, 'Revolute',
     'start value phi = nan: nan is not'),
    ('start tuple', lambda: mk.Revolute(phi=(0.1,0.2)), ParameterError, 'Revolute',
     'start value phi = (0.1, 0.2): (0.1, 0.2)'),
    ('start parameter', lambda: mk.Revolute(phi=mk.Parameter(0.3)), ParameterError, 'Revolute',
     'start value phi = Parameter(0.3): Parameter(0.3) is not'),
    ('start complex', lambda: mk.Revolute(phi=1j), ParameterError, 'Revolute',
     'start value phi = 1j: 1j is not'),
    ('start np bytes', lambda: mk.Revolute(phi=np.array("0.3")), ParameterError, 'Revolute',
     "start value phi = array('0.3', dtype='<U3'): array('0.3', dtype='<U3')"),
    ('start list strings', lambda: mk.Body(r_0=("1","2","3")), ParameterError, 'Body',
     "start value r_0 = ('1', '2', '3'): ('1'"),
    ('start list bool', lambda: mk.Body(r_0=(True,False,True)), ParameterError, 'Body',
     'start value r_0 = (True, False, True): (True'),
    ('start scalar for vector', lambda: mk.Body(r_0=1.0), ParameterError, 'Body',
     'start value r_0 = 1.0: 1.0 is not'),
    ('start two for vector', lambda: mk.Body(r_0=(1.0,2)), ParameterError, 'Body',
     'start value r_0 = (1.0, 2): (1.0, 2)'),
    ('start dict unknown', lambda: mk.Revolute(phi={"value":1}), ParameterError, 'Revolute',
     "start value phi = {'value': 1}: 'value' is"),
    ('start dict string', lambda: mk.Revolute(phi={"start":"1"}), ParameterError, 'Revolute',
     "start value phi = {'start': '1'}: '1' is"),
    ('start dict fixed str', lambda: mk.Revolute(phi={"start":1, "fixed":"yes"}),
     ParameterError, 'Revolute', "start value phi = {'start': 1, 'fixed': 'yes'}"),
    ('guess string', lambda: mk.guess("0.3"), ParameterError, 'guess',
     "'0.3' is no finite number or vector"),
    ('guess none', lambda: mk.guess(None), ParameterError, 'guess',
     'None is no finite number or vector'),
    ('guess bool', lambda: mk.guess(True), ParameterError, 'guess',
     'True is no finite number or vector'),
    ('guess vector for scalar', lambda: mk.Revolute(phi=mk.guess((1,2,3))), ParameterError,
     'Revolute', 'start value phi = Start(value=(1.0, 2.0, 3.0), fixed=False)'),
    ('guess scalar for vector', lambda: mk.Body(r_0=mk.guess(1.0)), ParameterError, 'Body',
     'start value r_0 = Start(value=1.0, fixed=False): 1.0 is'),
    ('guess of 2', lambda: mk.Body(r_0=mk.guess((1.0,2.0))), ParameterError, 'Body',
     'start value r_0 = Start(value=(1.0, 2.0), fixed=False): (1.0'),
    ('Start string', lambda: mk.Revolute(phi=mk.Start("0.3")), ParameterError, 'Revolute',
     "start value phi = Start(value='0.3', fixed=False): '0.3' is"),
    ('Start nan', lambda: mk.Revolute(phi=mk.Start(math.nan)), ParameterError, 'Revolute',
     'start value phi = Start(value=nan, fixed=False): nan is'),
    ('Start fixed word', lambda: mk.Revolute(phi=mk.Start(1.0, "yes")), ParameterError,
     'Revolute', "start value phi = Start(value=1.0, fixed='yes'): fixed ="),
    ('Start wrong size', lambda: mk.Revolute(phi=mk.Start((1.0,2.0), True)), ParameterError,
     'Revolute', 'start value phi = Start(value=(1.0, 2.0), fixed=True): (1.0'),
    ('Start fixed too many', lambda: mk.Body(r_0=mk.Start((1.0,2.0,3.0),(True,False))),
     ParameterError, 'Body', 'start value r_0 = Start(value=(1.0, 2.0, 3.0), fixed=(True'),
    ('guess of guess', lambda: mk.guess(mk.guess(1.0)), ParameterError, 'guess',
     'Start(value=1.0, fixed=False) is no finite number or vector'),
    ('w_0_start without fixed string', lambda: mk.Body(w_0_start="fast"), ParameterError,
     'Body', "w_0_start = 'fast' is not a vector"),
    ('angles live', lambda: mk.Body(angles_start=mk.Parameter((0,0,1))), ParameterError, 'Body',
     "angles_start = Parameter((0.0, 0.0, 1.0), name='angles_start') cannot be"),
    # --- laws of blocks, parts and gravity
    ('Function math.sin', lambda: run(function_block(lambda u: math.sin(u))), ParameterError,
     'law', 'f(u)', 'plain number', 'functions of motorik.algebra'),
    ('Function arity', lambda: run(function_block(lambda u: u, 2)), ParameterError, 'Function',
     'f is called as f(u1, u2), which <lambda>(u)'),
    ('Function none', lambda: run(function_block(lambda u: None)), ParameterError, 'law',
     'f(u) returned None'),
    ('Function if', lambda: run(function_block(lambda u: 1.0 if u > 0 else 0.0)),
     ParameterError, 'law', 'f(u)', 'condition holds', 'where(condition, yes, no)'),
    ('Function n string', lambda: blocks.Function(n="2"), ParameterError, 'Function',
     "n = '2' is no whole number from"),
    ('Function n float', lambda: blocks.Function(n=1.5), ParameterError, 'Function',
     'n = 1.5 is no whole number from'),
    ('Function n huge', lambda: blocks.Function(n=math.inf), ParameterError, 'Function',
     'n = inf is no whole number from'),
    ('Function n nan', lambda: blocks.Function(n=math.nan), ParameterError, 'Function',
     'n = nan is no whole number from'),
    ('Expression math',
     lambda: run(expression(lambda m, v: math.sin(v.variable(m.hinge, "phi")))), ParameterError,
     'law', 'f(motion)', 'plain number', 'functions of motorik.algebra'),
    ('Expression none', lambda: run(expression(lambda m, v: None)), ParameterError, 'law',
     'f(motion) returned None'),
    ('Expression vector', lambda: run(expression(lambda m, v: v.pose(m.bob.frame_a).p)),
     ParameterError, 'law', 'f(motion) returned Vector(0.0, 0.0, 0.0)'),
    ('Expression pose', lambda: run(expression(lambda m, v: v.pose(m.bob.frame_a))),
     ParameterError, 'law',
     'f(motion) returned Pose(Matrix(cos(x_0), (-sin(x_0)), 0.0, sin(x_0), cos(x_0…'),
    ('Expression port path', lambda: run(expression(lambda m, v: v.pose("bob.frame_a").x)),
     ParameterError, 'law', "f(motion) raised KeyError: 'bob.frame_a'"),
    ('Expression name only', lambda: run(expression(lambda m, v: v.variable("hinge", "phi"))),
     ParameterError, 'law', "f(motion) raised AttributeError: 'str' object has no attribute"),
    ('Expression accel',
     lambda: run(expression(lambda m, v: v.acceleration(m.bob.frame_a).moment.x)),
     ParameterError, 'law', 'f(motion) raised AssertionError: accelerations need the rates of'),
    ('Expression part other model',
     lambda: run(expression(lambda m, v: v.variable(pendulum().hinge, "phi"))), ParameterError,
     'law', 'f(motion) raised KeyError: Revolute(useAxisFlange=True)'),
    ('Expression self', lambda: run(expression(lambda m, v: v.signal(m.law.y))), AssemblyError,
     'law', 'needs its own output: law forms a loop'),
    ('Expression none given', lambda: blocks.Expression(), ParameterError, 'Expression',
     'f = None is no function'),
    ('spring law math', lambda: run(compliant(lambda p, x, v: math.sin(x))), ParameterError,
     'MySpring', 'law(p, x, v)', 'plain number', 'functions of motorik.algebra'),
    ('spring law none', lambda: run(compliant(lambda p, x, v: None)), ParameterError,
     'MySpring', 'law(p, x, v) returned None'),
    ('spring law if', lambda: run(compliant(lambda p, x, v: x if x > 0 else 0.0)),
     ParameterError, 'MySpring', 'law(p, x, v)', 'condition holds',
     'where(condition, yes, no)'),
    ('spring law arity', lambda: run(compliant(lambda x, v: x)), ParameterError, 'MySpring',
     'law(p, x, v) raised TypeError: <lambda>.<locals>.<lambda>() takes 2'),
    ('spring law tuple', lambda: run(compliant(lambda p, x, v: (x,))), ParameterError,
     'MySpring', 'law(p, x, v) returned (SX(x_0),)'),
    ('spring law p', lambda: run(compliant(lambda p, x, v: p.k * x)), ParameterError,
     'MySpring', "law(p, x, v) raised AttributeError: 'types.SimpleNamespace' object has"),
    ('spring law string', lambda: run(compliant(lambda p, x, v: "1")), ParameterError,
     'MySpring', "law(p, x, v) returned '1'"),
    ('frame law none', lambda: run(frame_force(lambda p, t, motions: None)), ParameterError,
     'push', 'law(p, t, motions) returned None'),
    ('frame law motor alone',
     lambda: run(frame_force(lambda p, t, motions: Motor(Vector(1,0,0), Vector(0,0,0)))),
     ParameterError, 'push',
     'law(p, t, motions) returned Motor(Vector(1.0, 0.0, 0.0), Vector(0.0'),
    ('frame law two',
     lambda: run(frame_force(lambda p, t, motions: (Motor(Vector(1,0,0), Vector()),)*2)),
     ParameterError, 'push',
     'law(p, t, motions) returned (Motor(Vector(1.0, 0.0, 0.0), Vector(0.0'),
    ('frame law tuple', lambda: run(frame_force(lambda p, t, motions: ((1,0,0),))),
     ParameterError, 'push', 'law(p, t, motions) returned ((1, 0, 0),)'),
    ('frame law vector', lambda: run(frame_force(lambda p, t, motions: (Vector(1,0,0),))),
     ParameterError, 'push', 'law(p, t, motions) returned (Vector(1.0, 0.0, 0.0),)'),
    ('frame law math',
     lambda: run(frame_force(lambda p, t, motions: (Motor(Vector(math.sin(t),0,0), Vector()),))),
     ParameterError, 'push', 'law(p, t, motions)', 'plain number',
     'functions of motorik.algebra'),
    ('frame law arity',
     lambda: run(frame_force(lambda p, motions: (Motor(Vector(1,0,0), Vector()),))),
     ParameterError, 'push',
     'law(p, t, motions) raised TypeError: <lambda>.<locals>.<lambda>() takes 2'),
    ('gravity none', lambda: grav(lambda r: None), ParameterError, 'world',
     'gravityAcceleration(r) returned None'),
    ('gravity raises', lambda: grav(lambda r: r.foo), ParameterError, 'world',
     "gravityAcceleration(r) raised AttributeError: 'Vector' object has no attribute"),
    ('gravity two', lambda: grav(lambda r: (0, -9.81)), ParameterError, 'world',
     'gravityAcceleration(r) returned (0, -9.81)'),
    ('gravity scalar', lambda: grav(lambda r: -9.81), ParameterError, 'world',
     'gravityAcceleration(r) returned -9.81'),
    ('gravity four', lambda: grav(lambda r: (0, 0, 0, 1)), ParameterError, 'world',
     'gravityAcceleration(r) returned (0, 0, 0, 1)'),
    ('gravity strings', lambda: grav(lambda r: ("0", "0", "-9")), ParameterError, 'world',
     "gravityAcceleration(r) returned ('0', '0', '-9')"),
    ('gravity math', lambda: grav(lambda r: (0, -math.sqrt(r.y), 0)), ParameterError, 'world',
     'gravityAcceleration(r)', 'plain number', 'functions of motorik.algebra'),
    ('gravity if', lambda: grav(lambda r: (0, -9.81, 0) if r.y > 0 else (0,0,0)),
     ParameterError, 'world', 'gravityAcceleration(r)', 'condition holds',
     'where(condition, yes, no)'),
    ('gravity index', lambda: grav(lambda r: (0, -9.81 * r[1], 0)), ParameterError, 'world',
     "gravityAcceleration(r) raised TypeError: 'Vector' object is not subscriptable"),
    ('gravity arity', lambda: grav(lambda r, t: (0,0,0)), ParameterError, 'World',
     'gravityAcceleration is called as gravityAcceleration(r), which <lambda>(r, t)'),
    ('gravity arity0', lambda: grav(lambda: (0,0,0)), ParameterError, 'World',
     'gravityAcceleration is called as gravityAcceleration(r), which <lambda>() does'),
    ('gravity nan', lambda: grav(lambda r: (0, math.nan, 0)), ParameterError, 'world',
     'gravityAcceleration(r) returned (0, nan, 0)'),
    ('gravity string', lambda: grav(lambda r: "abc"), ParameterError, 'world',
     "gravityAcceleration(r) returned 'abc'"),
    ('gravity np', lambda: grav(lambda r: -9.81 * np.array(r) / np.linalg.norm(r)),
     ParameterError, 'world',
     'gravityAcceleration(r) raised TypeError: unsupported operand type(s) for *'),
    ('gravity nested', lambda: grav(lambda r: ((0,),(-9.81,),(0,))), ParameterError, 'world',
     'gravityAcceleration(r) returned ((0,), (-9.81,), (0,))'),
    # --- rods, planar parts, gears and blocks
    ('rod zero', lambda: joints.SphericalSpherical(rodLength=0.0), ParameterError,
     'SphericalSpherical', 'rodLength = 0.0 m is too small'),
    ('planar m', lambda: pl.Body(m=-1), ParameterError, 'Body', 'm = -1 kg is too small'),
    ('planar I', lambda: pl.Body(I=0), ParameterError, 'Body', 'I = 0 kg.m2 is too small'),
    ('planar ports list', lambda: pl.Body(ports=[(0,0)]), ParameterError, 'Body',
     'ports = [(0, 0)] is no dict of'),
    ('planar port name', lambda: pl.Body(ports={"1A": (0,0)}), ParameterError, 'Body',
     "'1A' is no name for a port"),
    ('planar port taken', lambda: pl.Body(ports={"m": (0,0)}), ParameterError, 'Body',
     "the port 'm' cannot be named so: 'm'"),
    ('planar port G', lambda: pl.Body(ports={"G": (0,0)}), ParameterError, 'Body',
     "the port 'G' cannot be named so: 'G'"),
    ('planar port 4', lambda: pl.Body(ports={"A": (0,0,0,0)}), ParameterError, 'Body',
     "port 'A' is at (0, 0, 0, 0)"),
    ('planar port string', lambda: pl.Body(ports={"A": ("0",0)}), ParameterError, 'Body',
     "r_A[1] = '0' m is not a number"),
    ('planar port nan', lambda: pl.Body(ports={"A": (0,math.nan)}), ParameterError, 'Body',
     'r_A[2] = nan m is not finite'),
    ('planar port x', lambda: pl.Body(ports={"x": (0,0)}), ParameterError, 'Body',
     "the port 'x' cannot be named so: 'x'"),
    ('planar port parent', lambda: pl.Body(ports={"name": (0,0)}), ParameterError, 'Body',
     "the port 'name' cannot be named so: 'name'"),
    ('planar port parts', lambda: pl.Body(ports={"parts": (0,0)}), ParameterError, 'Body',
     "the port 'parts' cannot be named so: 'parts'"),
    ('planar port connections', lambda: pl.Body(ports={"connections": (0,0)}), ParameterError,
     'Body', "the port 'connections' cannot be named so: 'connections'"),
    ('planar port revision', lambda: pl.Body(ports={"revision": (0,0)}), ParameterError, 'Body',
     "the port 'revision' cannot be named so: 'revision'"),
    ('planar port own_specs', lambda: pl.Body(ports={"own_specs": (0,0)}), ParameterError,
     'Body', "the port 'own_specs' cannot be named so: 'own_specs'"),
    ('planar port A and r_A', lambda: pl.Body(ports={"A": (0,0), "r_A": (1,0)}), ParameterError,
     'Body', "the port 'r_A' cannot be named so: 'r_A'"),
    ('planar port keyword', lambda: pl.Body(ports={"class": (0,0)}), ParameterError, 'Body',
     "'class' is no name for a port"),
    ('planar r_CM z', lambda: pl.Body(r_CM=(0,0,1)), ParameterError, 'Body',
     'r_CM = (0, 0, 1) lies beside the'),
    ('planar r_A z', lambda: setattr(pl.Body(ports={"A": (0,0)}), "r_A", (0,0,1)),
     ParameterError, 'Body', 'r_A = (0, 0, 1) lies beside the'),
    ('planar x string', lambda: pl.Body(x="1"), ParameterError, 'Body',
     "start value x = '1': '1' is not"),
    ('planar theta deg', lambda: pl.Body(theta="30"), ParameterError, 'Body',
     "start value theta = '30': '30' is not"),
    ('planar drive str', lambda: pl.Revolute(drive="1"), ParameterError, 'Revolute',
     "drive = '1' N or N.m is not"),
    ('planar curve none', lambda: pl.Curve(), ParameterError, 'Curve',
     'curve = None is no function'),
    ('planar curve const', lambda: pl.Curve(curve=lambda x, y: None), ParameterError, 'Curve',
     'its constraint returned None instead of numbers'),
    ('planar curve arity', lambda: pl.Curve(curve=lambda x: x), ParameterError, 'Curve',
     'its parameters do not fit: TypeError: <lambda>.<locals>.<lambda>() takes'),
    ('planar rod negative', lambda: pl.Rod(length=-1), ParameterError, 'Rod',
     'length = -1 m is too small'),
    ('planar unknown parameter', lambda: pl.Body(mass=1), UnknownNameError, 'Body',
     "has no parameter 'mass'"),
    ('planar drive none', lambda: run(planar_pendulum(drive=lambda t, s, v: None)),
     ParameterError, 'pin', 'law(p, t, motions) raised TypeError: unsupported operand type(s)'),
    ('planar drive arity', lambda: run(planar_pendulum(drive=lambda t: t)), ParameterError,
     'pin', 'law(p, t, motions) raised TypeError: <lambda>.<locals>.<lambda>() takes 1'),
    ('planar drive math', lambda: run(planar_pendulum(drive=lambda t, s, v: math.sin(t))),
     ParameterError, 'pin', 'law(p, t, motions)', 'plain number',
     'functions of motorik.algebra'),
    ('planar drive if',
     lambda: run(planar_pendulum(drive=lambda t, s, v: 1.0 if t > 0.5 else 0.0)),
     ParameterError, 'pin', 'law(p, t, motions)', 'condition holds',
     'where(condition, yes, no)'),
    ('spherical rod length neg', lambda: joints.SphericalSpherical(rodLength=-1), ParameterError,
     'SphericalSpherical', 'rodLength = -1 m is too small'),
    ('universal rod zero', lambda: joints.UniversalSpherical(rRod_ia=(0,0,0)), ParameterError,
     'UniversalSpherical', 'rRod_ia = (0.0, 0.0, 0.0) m has no'),
    ('universal rod axis along', lambda: joints.UniversalSpherical(n1_a=(1,0,0), rRod_ia=(1,0,0)),
     ParameterError, 'UniversalSpherical', 'the rod rRod_ia = (1.0, 0.0, 0.0) m'),
    ('assembly branch number', lambda: assemblies.JointRRR(branch=1), ParameterError,
     'JointRRR', 'branch = 1 is not a name'),
    ('assembly axes', lambda: assemblies.JointRRR(n_a=(0,0,0)), ParameterError, 'JointRRR',
     'n_a = (0.0, 0.0, 0.0) has length zero'),
    ('planetary -1', lambda: rot.IdealPlanetary(ratio=-1), ParameterError, 'IdealPlanetary',
     '1 + ratio = 0 couples nothing'),
    ('wheel radius', lambda: rot.IdealRollingWheel(radius=0), ParameterError,
     'IdealRollingWheel', 'radius = 0 m is too small'),
    ('rolling wheel', lambda: parts.RollingWheel(radius=-0.1), ParameterError, 'RollingWheel',
     'radius = -0.1 m is too small'),
    ('ramp 0', lambda: blocks.Ramp(duration=0), ParameterError, 'Ramp',
     'duration = 0 s is too small'),
    ('trapezoid', lambda: blocks.Trapezoid(period=0.1), ParameterError, 'Trapezoid',
     'rising + width + falling = 0.5 s'),
    ('trapezoid n', lambda: blocks.Trapezoid(nperiod=0.5), ParameterError, 'Trapezoid',
     'nperiod = 0.5 is no whole number from'),
    ('sine f str', lambda: blocks.Sine(f="1Hz"), ParameterError, 'Sine',
     "f = '1Hz' Hz is not a number"),
    ('sine freqHz', lambda: blocks.Sine(freqHz=1), UnknownNameError, 'Sine',
     "has no parameter 'freqHz'"),
    ('first order T', lambda: blocks.FirstOrder(T=0), ParameterError, 'FirstOrder',
     'T = 0 s is too small'),
    ('pid', lambda: blocks.PID(Ti=0), ParameterError, 'PID', 'Ti = 0 s is too small'),
    ('sum empty', lambda: blocks.Sum(k=()), ParameterError, 'Sum',
     'k = () is no list of finite'),
    ('sum string', lambda: blocks.Sum(k="ab"), ParameterError, 'Sum',
     "k = 'ab' is no list of finite"),
    ('sum strings', lambda: blocks.Sum(k=("1","2")), ParameterError, 'Sum',
     "k = ('1', '2') is no list of"),
    ('tf', lambda: blocks.TransferFunction(b=(1,0,0), a=(1,)), ParameterError,
     'TransferFunction', 'the numerator has degree 2, the denominator 0'),
    ('tf zero', lambda: blocks.TransferFunction(b=(1,), a=(0,1)), ParameterError,
     'TransferFunction', 'the denominator begins with 0'),
    ('ss', lambda: blocks.StateSpace(A=((1,0),), B=((1,),), C=((1,),), D=((0,),)),
     ParameterError, 'StateSpace', 'A is 1 × 2, not 1 ×'),
    ('ss str', lambda: blocks.StateSpace(A=(("1",),), B=((1,),), C=((1,),), D=((0,),)),
     ParameterError, 'StateSpace', "A = (('1',),) is no matrix of finite"),
    ('sensor resolve', lambda: sensors.AbsolutePosition(resolveInFrame="body"), ParameterError,
     'AbsolutePosition', "resolveInFrame = 'body' is not known"),
    ('force resolve', lambda: forces.WorldForce(resolveInFrame="frame_a"), ParameterError,
     'WorldForce', "resolveInFrame = 'frame_a' is not known"),
]


LAWS: list[LawRow] = [
    ('math.sin', lambda t: math.sin(t), 'law', 'f(t)', 'plain number',
     'functions of motorik.algebra'),
    ('np.array', lambda t: np.array([t]), 'law', 'f(t) returned array([SX(t)], dtype=object)'),
    ('if', lambda t: 1.0 if t > 0.5 else 0.0, 'law', 'f(t)', 'condition holds',
     'where(condition, yes, no)'),
    ('and', lambda t: (t > 0.5 and t < 1.0) * 1.0, 'law', 'f(t)', 'condition holds',
     'where(condition, yes, no)'),
    ('chain', lambda t: 1.0 if 0.0 < t < 0.5 else 0.0, 'law', 'f(t)', 'condition holds',
     'where(condition, yes, no)'),
    ('max', lambda t: max(t, 0.5), 'law', 'f(t)', 'condition holds',
     'where(condition, yes, no)'),
    ('min', lambda t: min(t, 0.5), 'law', 'f(t)', 'condition holds',
     'where(condition, yes, no)'),
    ('int', lambda t: int(t), 'law', 'f(t)', 'plain number', 'functions of motorik.algebra'),
    ('float', lambda t: float(t), 'law', 'f(t)', 'plain number',
     'functions of motorik.algebra'),
    ('eq', lambda t: 1.0 if t == 0 else 0.0, 'law', 'f(t)', 'condition holds',
     'where(condition, yes, no)'),
    ('f-string', lambda t: f"{t}", 'law', "f(t) returned 't'"),
    ('none', lambda t: None, 'law', 'f(t) returned None'),
    ('print', lambda t: print(end=""), 'law', 'f(t) returned None'),
    ('string', lambda t: "1.0", 'law', "f(t) returned '1.0'"),
    ('tuple', lambda t: (t, t), 'law', 'f(t) returned (SX(t), SX(t))'),
    ('list1', lambda t: [t], 'law', 'f(t) returned [SX(t)]'),
    ('list3', lambda t: [t, t, t], 'law', 'f(t) returned [SX(t), SX(t), SX(t)]'),
    ('dict', lambda t: {"y": t}, 'law', "f(t) returned {'y': SX(t)}"),
    ('complex', lambda t: 1j * t, 'law',
     'f(t) raised TypeError: unsupported operand type(s) for *'),
    ('nan', lambda t: math.nan, 'law', 'f(t) returned nan'),
    ('inf', lambda t: math.inf, 'law', 'f(t) returned inf'),
    ('lambda', lambda t: (lambda: t), 'law', 'f(t) returned <function'),
    ('vector', lambda t: Vector(t, t, t), 'law', 'f(t) returned Vector(t, t, t)'),
    ('arity0', lambda: 1.0, 'TimeFunction', 'f is called as f(t), which <lambda>() does'),
    ('arity2', lambda t, x: t, 'TimeFunction', 'f is called as f(t), which <lambda>(t, x)'),
    ('kwonly', lambda t, *, x: t, 'TimeFunction', 'f is called as f(t), which <lambda>(t, *'),
    ('zerodiv', lambda t: 1.0 / 0.0, 'law',
     'f(t) raised ZeroDivisionError: float division by zero'),
    ('index', lambda t: [1.0,2.0][t], 'law',
     'f(t) raised TypeError: list indices must be integers'),
    ('dict lookup', lambda t: {0.0: 1.0}[t], 'law', 'f(t) raised KeyError: SX(t)'),
    ('range', lambda t: sum(1.0 for _ in range(t)), 'law',
     "f(t) raised TypeError: 'SX' object cannot be interpreted"),
    ('nameerror', lambda t: undefined_name * t, 'law',
     "f(t) raised NameError: name 'undefined_name' is not defined"),
    ('class', float, 'law', 'f(t)', 'plain number', 'functions of motorik.algebra'),
    ('math.sin itself', math.sin, 'law', 'f(t)', 'plain number',
     'functions of motorik.algebra'),
    ('np.interp table', lambda t: np.interp(float(t), [0,1],[0,1]), 'law', 'f(t)',
     'plain number', 'functions of motorik.algebra'),
    ('casadi vec', lambda t: casadi.vertcat(t, t), 'law', 'f(t) returned SX([t, t])'),
    ('math.sqrt', lambda t: math.sqrt(t), 'law', 'f(t)', 'plain number',
     'functions of motorik.algebra'),
    ('math.exp', lambda t: math.exp(t), 'law', 'f(t)', 'plain number',
     'functions of motorik.algebra'),
    ('math.pow', lambda t: math.pow(t, 2), 'law', 'f(t)', 'plain number',
     'functions of motorik.algebra'),
    ('math.atan2', lambda t: math.atan2(t, 1.0), 'law', 'f(t)', 'plain number',
     'functions of motorik.algebra'),
    ('try', hides_an_error, 'law', 'f(t)', 'plain number', 'functions of motorik.algebra'),
]
# fmt: on


@wrong(ParameterError, "Revolute", "start value phi = '30deg': '30deg' is not")
def start_degrees_string() -> None:
    mk.Revolute(phi="30deg")


@wrong(PortError, "world.frame_b", "is connected with hinge.frame_a already")
def same_connection_twice() -> None:
    m = pendulum()
    m.world.frame_b >> m.hinge.frame_a
    m.compile()


@wrong(PortError, "hinge.frame_a", "is connected with world.frame_b already")
def same_connection_reversed() -> None:
    m = pendulum()
    m.hinge.frame_a >> m.world.frame_b
    m.compile()


@wrong(PortError, "d.flange_b", "is connected with hinge.axis already")
def same_connection_flange() -> None:
    m = pendulum()
    m.d = rot.Damper(d=1.0)
    m.d.flange_a >> m.hinge.support
    m.d.flange_b >> m.hinge.axis
    m.d.flange_b >> m.hinge.axis
    m.compile()


@wrong(PortError, "law.y", "is connected with torque.tau already")
def same_connection_signal() -> None:
    m = driven(lambda t: t)
    m.law.y >> m.torque.tau
    m.compile()


@wrong(PortError, "hinge.axis", "is a rotational flange, but bob.frame_a is a")
def frame_to_flange() -> None:
    m = pendulum()
    m.hinge.axis >> m.bob.frame_a


@wrong(PortError, "hinge.axis", "is a rotational flange, but s.flange_a is a")
def rot_to_trans() -> None:
    m = pendulum()
    m.s = tra.Mass()
    m.hinge.axis >> m.s.flange_a


@wrong(PortError, "bob.frame_a", "is connected to itself")
def self_connect() -> None:
    m = pendulum()
    m.bob.frame_a >> m.bob.frame_a


@wrong(PortError, "world", "is a part; connected are ports, of which")
def part_connect() -> None:
    m = pendulum()
    m.world >> m.hinge


@wrong(PortError, "connect", "Body(r_CM=(0.5, 0.0, 0.0)) is not a port")
def port_to_part() -> None:
    m = pendulum()
    m.world.frame_b >> m.bob


@wrong(PortError, "connect", "None is not a port")
def port_to_none() -> None:
    m = pendulum()
    m.world.frame_b >> None


@wrong(PortError, "connect", "1.0 is not a port")
def port_to_number() -> None:
    m = pendulum()
    m.world.frame_b >> 1.0


@wrong(PortError, "connect", "1.0 is not a port")
def signal_to_number() -> None:
    m = driven(lambda t: t)
    m.law.y >> 1.0


@wrong(PortError, "bob.frame_a", "is a frame, to which 1.0 cannot be")
def number_to_frame() -> None:
    m = pendulum()
    1.0 >> m.bob.frame_a


@wrong(PortError, "torque.tau", "is a signal, to which '1' cannot be")
def string_to_signal() -> None:
    m = driven(lambda t: t)
    "1" >> m.torque.tau


@wrong(PortError, "torque.tau", "is a signal, to which True cannot be")
def bool_to_signal() -> None:
    m = driven(lambda t: t)
    True >> m.torque.tau


@wrong(PortError, "law.y", "is an output, to which the number 1")
def number_to_output() -> None:
    m = driven(lambda t: t)
    1.0 >> m.law.y
    m.compile()


@wrong(PortError, "world.frame_b", "can be connected with bob.frame_a by >> alone")
def less_than_operator() -> None:
    m = pendulum()
    m.world.frame_b > m.bob.frame_a


@wrong(PortError, "world.frame_b", "can be connected with bob.frame_a by >> alone")
def left_shift() -> None:
    m = pendulum()
    m.world.frame_b << m.bob.frame_a


@wrong(PortError, "connect", "needs at least two ports")
def connect_one() -> None:
    m = pendulum()
    mk.connect(m.world.frame_b)


@wrong(PortError, "connect", "[<frame world.frame_b>, <frame bob.frame_a>] is not a port")
def connect_list() -> None:
    m = pendulum()
    mk.connect([m.world.frame_b, m.bob.frame_a])


@wrong(UnknownNameError, "world", "has no 'frame_c'")
def port_misspelt() -> None:
    m = pendulum()
    m.world.frame_c >> m.bob.frame_a


@wrong(PortError, "world.frame_b", "has no element 0: it is a frame")
def port_index_frame() -> None:
    m = pendulum()
    m.world.frame_b[0]


@wrong(PortError, "law.y", "has no element 'a': it is a signal")
def port_index_str() -> None:
    m = driven(lambda t: t)
    m.law.y["a"]


@wrong(PortError, "law.y", "has no element 0.0: it is a signal")
def port_index_float() -> None:
    m = driven(lambda t: t)
    m.law.y[0.0]


@wrong(PortError, "c.y", "is a signal of size 1, but f.force")
def sizes() -> None:
    m = pendulum()
    m.f = forces.WorldForce()
    m.c = blocks.Constant()
    m.c.y >> m.f.force


@wrong(PortError, "c.y", "and law both give the same signal")
def two_sources() -> None:
    m = driven(lambda t: t)
    m.c = blocks.Constant()
    m.c.y >> m.torque.tau
    m.compile()


@wrong(PortError, "d.y", "and c both give the same signal")
def output_to_output() -> None:
    m = pendulum()
    m.c = blocks.Constant()
    m.d = blocks.Constant()
    m.c.y >> m.d.y
    m.compile()


@wrong(PortError, "torque.tau", "is a signal that nothing gives")
def input_to_input_only() -> None:
    m = pendulum()
    m.torque = rot.Torque()
    m.torque.flange >> m.hinge.axis
    m.g = blocks.Gain()
    m.g.u >> m.torque.tau
    m.compile()


@wrong(PortError, "bob.frame_a", "(Body) is not in the same model as")
def other_model() -> None:
    m, n = (pendulum(), pendulum())
    m.world.frame_b >> n.bob.frame_a


@wrong(PortError, "Body.frame_a", "(Body) is not in the same model as")
def unattached() -> None:
    m = pendulum()
    m.world.frame_b >> mk.Body().frame_a


@wrong(PortError, "torque.tau", "is a signal that nothing gives")
def signal_open() -> None:
    m = pendulum()
    m.torque = rot.Torque()
    m.torque.flange >> m.hinge.axis
    m.compile()


@wrong(AssemblyError, "a", "needs its own output: a, b form a")
def unread_loop() -> None:
    m = pendulum()
    m.a = blocks.Gain(k=2.0)
    m.b = blocks.Gain(k=3.0)
    m.a.y >> m.b.u
    m.b.y >> m.a.u
    m.compile()


@wrong(AssemblyError, "a", "needs its own output: a forms a loop")
def unread_self_loop() -> None:
    m = pendulum()
    m.a = blocks.Gain(k=2.0)
    m.a.y >> m.a.u
    m.compile()


@wrong(AssemblyError, "a", "needs its own output: a forms a loop")
def read_loop() -> None:
    m = driven(lambda t: t)
    m.a = blocks.Add()
    m.torque2 = rot.Torque()
    m.torque2.flange >> m.hinge.axis
    m.a.y >> m.a.u1
    m.law.y >> m.a.u2
    m.a.y >> m.torque2.tau
    m.compile()


@wrong(AssemblyError, "a", "needs its own output: a, b form a")
def unread_loop_rate() -> None:
    m = pendulum()
    m.i = blocks.Integrator()
    m.a = blocks.Gain()
    m.b = blocks.Gain()
    m.a.y >> m.b.u
    m.b.y >> m.a.u
    m.a.y >> m.i.u
    m.compile()


@wrong(PortError, "rod.frame_a", "is connected to nothing, and no body or")
def loose_frame() -> None:
    m = pendulum()
    m.rod = mk.FixedTranslation(r=(1, 0, 0))
    m.compile()


@wrong(LoopError, "r2", "closes a loop of rigid parts between r2.frame_a")
def ring_of_rigid() -> None:
    m = pendulum()
    m.r1 = mk.FixedTranslation(r=(1, 0, 0))
    m.r2 = mk.FixedTranslation(r=(1, 0, 0))
    m.world.frame_b >> m.r1.frame_a
    m.world.frame_b >> m.r2.frame_a
    m.r1.frame_b >> m.r2.frame_b
    m.compile()


@wrong(LoopError, "r2", "closes a loop of rigid parts between r2.frame_a")
def ring_of_rigid_contradiction() -> None:
    m = pendulum()
    m.r1 = mk.FixedTranslation(r=(1, 0, 0))
    m.r2 = mk.FixedTranslation(r=(1, 1, 0))
    m.world.frame_b >> m.r1.frame_a
    m.world.frame_b >> m.r2.frame_a
    m.r1.frame_b >> m.r2.frame_b
    m.compile()


@wrong(PortError, "r1.frame_a", "is connected with r1.frame_b, the other end of")
def both_ends() -> None:
    m = pendulum()
    m.r1 = mk.FixedTranslation(r=(1, 0, 0))
    m.r1.frame_a >> m.r1.frame_b
    m.r1.frame_a >> m.bob.frame_a
    m.compile()


@wrong(PortError, "sp.frame_a", "is connected with sp.frame_b, the other end of")
def spring_both_ends() -> None:
    m = pendulum()
    m.sp = forces.Spring(c=1.0)
    m.sp.frame_a >> m.bob.frame_a
    m.sp.frame_b >> m.bob.frame_a
    run(m)


@wrong(PortError, "sp.flange_a", "is connected with sp.flange_b, the other end of")
def rot_spring_both_ends() -> None:
    m = pendulum()
    m.sp = rot.Spring(c=1.0)
    m.sp.flange_a >> m.hinge.axis
    m.sp.flange_b >> m.hinge.axis
    run(m)


@wrong(PortError, "j.frame_a", "is connected with j.frame_b, the other end of")
def joint_both_ends() -> None:
    m = pendulum()
    m.j = mk.Revolute()
    m.j.frame_a >> m.bob.frame_a
    m.j.frame_b >> m.bob.frame_a
    m.compile()


@wrong(AssemblyError, "sp.frame_b", "leads neither to the world nor to a")
def spring_loose_end() -> None:
    m = pendulum()
    m.sp = forces.Spring(c=1.0)
    m.sp.frame_a >> m.bob.frame_a
    m.compile()


@wrong(PortError, "s.frame_a", "is connected to nothing, and no body or")
def sensor_loose() -> None:
    m = pendulum()
    m.s = sensors.AbsoluteSensor(get_r=True)
    m.compile()


@wrong(PortError, "sp.flange_b", "is connected to nothing")
def spring_loose_flange() -> None:
    m = pendulum()
    m.sp = rot.Spring(c=1.0)
    m.sp.flange_a >> m.hinge.axis
    m.compile()


@wrong(AssemblyError, "world, w2", "a model has one World, not several")
def two_worlds() -> None:
    m = pendulum()
    m.w2 = mk.World()
    m.compile()


@wrong(AssemblyError, "Model", "'links' holds parts that have no name, so")
def part_list() -> None:
    m = mk.Model()
    m.links = [mk.Body(), mk.Body()]
    m.world = mk.World()
    m.compile()


@wrong(AssemblyError, "Model", "'links' holds parts that have no name, so")
def part_dict() -> None:
    m = mk.Model()
    m.links = {"a": mk.Body()}
    m.world = mk.World()
    m.compile()


@wrong(AssemblyError, "Model", "'links' holds parts that have no name, so")
def part_tuple() -> None:
    m = pendulum()
    m.links = (mk.Body(), mk.Revolute())
    m.compile()


@wrong(ParameterError, "Model.b", "this part already is 'a' of another model")
def same_part_twice() -> None:
    m = mk.Model()
    b = mk.Body()
    m.a = b
    m.b = b


@wrong(ParameterError, "Model.m", "Model cannot be a part of itself")
def part_of_itself() -> None:
    m = mk.Model()
    m.m = m


@wrong(ParameterError, "Model.a", "two parts claim this name: Body() and Body()")
def name_twice() -> None:
    m = mk.Model()
    m.a = mk.Body()
    m.a = mk.Body()


@wrong(ParameterError, "Model.simulate", "'simulate' already means something else in Model")
def name_reserved() -> None:
    m = mk.Model()
    m.simulate = mk.Body()


@wrong(ParameterError, "Model.compile", "'compile' already means something else in Model")
def name_reserved_value() -> None:
    m = mk.Model()
    m.compile = 3


@wrong(ParameterError, "Model.a", "Body is a kind of part, not a")
def kind_instead() -> None:
    m = mk.Model()
    m.a = mk.Body


@wrong(ParameterError, "Model.bob", "cannot be taken away")
def part_deleted() -> None:
    m = pendulum()
    del m.bob


@wrong(ParameterError, "Model.a.b", "'a.b' is no name: it is empty, or")
def setattr_dot() -> None:
    m = mk.Model()
    setattr(m, "a.b", mk.Body())


@wrong(ParameterError, "Model.a b", "'a b' is no name: it is empty")
def setattr_space() -> None:
    m = mk.Model()
    setattr(m, "a b", mk.Body())


@wrong(ParameterError, "Model.", "'' is no name: it is empty, or")
def setattr_empty() -> None:
    m = mk.Model()
    setattr(m, "", mk.Body())


@wrong(ParameterError, "Model", "takes its values by name, and 3 has")
def model_positional() -> None:
    mk.Model(3)


@wrong(UnknownNameError, "Model", "has no parameter 'gravity'")
def model_unknown() -> None:
    mk.Model(gravity=3)


@wrong(ParameterError, "M", "needs a value for 'x'")
def build_required() -> None:
    class M(mk.Model):
        def build(self, x):
            self.world = mk.World()

    M()


@wrong(ParameterError, "M.build", "takes *args without a name")
def build_star() -> None:
    class M(mk.Model):
        def build(self, *args):
            self.world = mk.World()

    M()


@wrong(ParameterError, "M.build", "takes *args without a name")
def build_star_given() -> None:
    class M(mk.Model):
        def build(self, *args):
            self.world = mk.World()

    M(args=(1, 2))


@wrong(ParameterError, "M.build", "takes x without a name")
def build_positional_only() -> None:
    class M(mk.Model):
        def build(self, x, /):
            self.world = mk.World()

    M(x=1)


@wrong(ParameterError, "M.build", "takes x without a name")
def build_positional_only_default() -> None:
    class M(mk.Model):
        def build(self, x=1, /):
            self.world = mk.World()

    M(x=2)


@wrong(ParameterError, "M.build", "does not take `self` first")
def build_no_self() -> None:
    class M(mk.Model):
        def build():
            pass

    M()


@wrong(ParameterError, "M.build", "does not take `self` first")
def build_self_forgotten_arg() -> None:
    class M(mk.Model):
        def build(damping=1.0):
            pass

    M()


@wrong(ParameterError, "M.build", "is a staticmethod, not a method that makes")
def build_static() -> None:
    class M(mk.Model):
        @staticmethod
        def build():
            pass

    M()


@wrong(ParameterError, "M", "build returned World(), which belongs to nothing")
def build_returns_part() -> None:
    class M(mk.Model):
        def build(self):
            return mk.World()

    M()


@wrong(PortError, "Revolute.frame_a", "(Revolute) is not in the same model as")
def build_local_parts() -> None:
    class M(mk.Model):
        def build(self):
            self.world = mk.World()
            hinge = mk.Revolute()
            self.world.frame_b >> hinge.frame_a

    M()


@wrong(ParameterError, "M.build", "has an `await` or `yield`, so that calling")
def build_generator() -> None:
    class M(mk.Model):
        def build(self):
            self.world = mk.World()
            yield self.world

    M()


@wrong(ParameterError, "M.build", "has an `await` or `yield`, so that calling")
def build_async() -> None:
    class M(mk.Model):
        async def build(self):
            self.world = mk.World()

    M()


@wrong(ParameterError, "M.build", "is a int, not a method that makes")
def build_attribute() -> None:
    class M(mk.Model):
        build = 3

    M()


@wrong(ParameterError, "M.build", "takes 'damping', which is declared in the class")
def build_shadow() -> None:
    class M(mk.Model):
        damping = parameter("d", "", 1.0)

        def build(self, damping=2.0):
            self.world = mk.World()

    M(damping=3.0)


@wrong(ParameterError, "M", "'parts' is not there yet: its __init__ has")
def build_calls_init() -> None:
    class M(mk.Model):
        def __init__(self):
            self.world = mk.World()

    M()


@wrong(UnknownNameError, "M", "has no 'nothing'")
def build_raises() -> None:
    class M(mk.Model):
        def build(self):
            self.world = mk.World()
            self.nothing

    M()


@wrong(AssemblyError, "M", "has no parts")
def parts_in_class_body() -> None:
    class M(mk.Model):
        world = mk.World()
        hinge = mk.Revolute()

    M().compile()


@wrong(ParameterError, "M.world", "two parts claim this name: World() and World()")
def call_build_twice() -> None:
    m = type("M", (mk.Model,), {"build": lambda self: setattr(self, "world", mk.World())})()
    m.build()


@wrong(ParameterError, "law", "law(p, t, inputs, states) returned SX(t)")
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


@wrong(ParameterError, "law", "law(p, t, inputs, states) returned (SX(t), SX(t))")
def block_law_too_many() -> None:
    class B(OneOutput):
        @staticmethod
        def law(p, t, inputs, states):
            return (t, t)

    run(with_block(B))


@wrong(ParameterError, "law", "does not say what law(p, t, inputs, states)")
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
    "functions of motorik.algebra",
)
def block_law_math() -> None:
    class B(OneOutput):
        @staticmethod
        def law(p, t, inputs, states):
            return (math.sin(t),)

    run(with_block(B))


@wrong(ParameterError, "law", "does not say which signals it gives")
def block_no_outputs() -> None:
    class B(Block):
        y = signal_output("y")

        @staticmethod
        def law(p, t, inputs, states):
            return (t,)

    run(with_block(B))


@wrong(ParameterError, "law", "rates(p, t, inputs, states) returned ()")
def block_rates_too_few() -> None:
    class B(OneOutput):
        def states(self, p):
            return {"x": mk.Start(0.0)}

        @staticmethod
        def law(p, t, inputs, states):
            return (states[0],)

        @staticmethod
        def rates(p, t, inputs, states):
            return ()

    run(with_block(B))


@wrong(ParameterError, "law", "has the states x, but nothing says their")
def block_rates_missing() -> None:
    class B(OneOutput):
        def states(self, p):
            return {"x": mk.Start(0.0)}

        @staticmethod
        def law(p, t, inputs, states):
            return (states[0],)

    run(with_block(B))


@wrong(ParameterError, "law", "rates(p, t, inputs, states) returned (None,)")
def block_rates_none() -> None:
    class B(OneOutput):
        def states(self, p):
            return {"x": mk.Start(0.0)}

        @staticmethod
        def law(p, t, inputs, states):
            return (states[0],)

        @staticmethod
        def rates(p, t, inputs, states):
            return (None,)

    run(with_block(B))


@wrong(AssemblyError, "p", "its contributions(p) returned None")
def contributions_none() -> None:
    class P(Part):
        frame_a = frame("a")

        def contributions(self, p):
            return None

    m = pendulum()
    m.p = P()
    m.p.frame_a >> m.bob.frame_a
    run(m)


@wrong(AssemblyError, "p", "its contributions(p) yield 3, which says nothing physical")
def contributions_strange() -> None:
    class P(Part):
        frame_a = frame("a")

        def contributions(self, p):
            yield 3

    m = pendulum()
    m.p = P()
    m.p.frame_a >> m.bob.frame_a
    run(m)


@wrong(
    AssemblyError,
    "p",
    "its contributions(p) returned <class 'motorik.components.base.contributions.Mass'>",
)
def contributions_single() -> None:
    class P(Part):
        frame_a = frame("a")

        def contributions(self, p):
            return Mass

    m = pendulum()
    m.p = P()
    m.p.frame_a >> m.bob.frame_a
    run(m)


@wrong(AssemblyError, "world", "a mass rests at the centre of point")
def point_gravity_hinged_centre() -> None:
    m = pendulum(world={"gravityType": "point", "mu": 1.0}, bob={"r_CM": (0, 0, 0)})
    run(m)


@wrong(ParameterError, "Model.path", "'path' already means something else in Model")
def planar_curve_math() -> None:
    m = pl.Model()
    m.ground = pl.Ground()
    m.cam = pl.Body(y=0.1)
    m.path = pl.Curve(curve=lambda x, y: y - math.sin(x))
    m.ground.frame_b >> m.path.frame_a
    m.path.frame_b >> m.cam.G
    m.simulate(0.1)


@wrong(AssemblyError, "b", "moves in the plane z = 0 of")
def planar_out_of_plane_gravity() -> None:
    m = mk.Model()
    m.world = mk.World(n="-z")
    m.b = pl.Body()
    run(m)


@wrong(AssemblyError, "b", "moves in the plane z = 0 of")
def planar_ground_out_of_plane() -> None:
    m = pl.Model()
    m.g = pl.Ground(n=(0, 0, -1))
    m.b = pl.Body()
    run(m)


@wrong(AssemblyError, "b", "moves in the plane z = 0 of")
def planar_ground_oblique() -> None:
    m = pl.Model()
    m.g = pl.Ground(n=(0, -1, -1))
    m.b = pl.Body()
    run(m)


@wrong(AssemblyError, "b.G", "belongs to the plane z = 0 of")
def planar_joint_spatial_tilted() -> None:
    m = mk.Model()
    m.world = mk.World()
    m.tilt = mk.FixedRotation(n="x", angle=90.0)
    m.b = pl.Body(ports={"A": (0, 0)})
    m.pin = pl.Revolute()
    m.world.frame_b >> m.tilt.frame_a
    m.tilt.frame_b >> m.pin.frame_a
    m.pin.frame_b >> m.b.A
    run(m)


@wrong(AssemblyError, "slot.frame_b", "belongs to the plane z = 0 of")
def planar_slot_spatial_bodies() -> None:
    m = mk.Model()
    m.world = mk.World()
    m.b = mk.Body(r_0=(0.3, 0, 0))
    m.slot = pl.Slot()
    m.world.frame_b >> m.slot.frame_a
    m.slot.frame_b >> m.b.frame_a
    run(m)


@wrong(AssemblyError, "slot.frame_b", "belongs to the plane z = 0 of")
def planar_slot_tilted_loop() -> None:
    m = mk.Model()
    m.world = mk.World()
    m.h = mk.Revolute(n="x", phi=0.3)
    m.b = mk.Body(r_CM=(0.1, 0.2, 0.0))
    m.slot = pl.Slot()
    m.world.frame_b >> m.h.frame_a
    m.h.frame_b >> m.b.frame_a
    m.world.frame_b >> m.slot.frame_a
    m.slot.frame_b >> m.b.frame_a
    run(m)


@wrong(AssemblyError, "b.G", "belongs to the plane z = 0 of")
def planar_body_on_spatial_hinge() -> None:
    m = mk.Model()
    m.world = mk.World()
    m.h = mk.Revolute(n="x")
    m.b = pl.Body(ports={"A": (0.1, 0.2)})
    m.world.frame_b >> m.h.frame_a
    m.h.frame_b >> m.b.A
    run(m)


@wrong(AssemblyError, "b.G", "belongs to the plane z = 0 of")
def planar_body_on_universal() -> None:
    m = mk.Model()
    m.world = mk.World()
    m.h = mk.Spherical()
    m.b = pl.Body(ports={"A": (0.1, 0.2)})
    m.world.frame_b >> m.h.frame_a
    m.h.frame_b >> m.b.A
    run(m)


@wrong(AssemblyError, "g, world", "a model has one World, not several")
def planar_and_world() -> None:
    m = pl.Model()
    m.g = pl.Ground()
    m.world = mk.World()
    m.b = pl.Body()
    m.compile()


@wrong(LoopError, "q.flange", "is moved as told, but p.flange already says")
def two_positions() -> None:
    m = mk.Model()
    m.j = rot.Inertia(J=1.0)
    m.p = rot.ConstantSpeed(w_fixed=1.0)
    m.q = rot.ConstantSpeed(w_fixed=2.0)
    m.p.flange >> m.j.flange_a
    m.q.flange >> m.j.flange_b
    run(m)


@wrong(LoopError, "p.flange", "is moved as told, but j.flange_a already says")
def position_on_fixed() -> None:
    m = mk.Model()
    m.j = rot.Inertia(J=1.0)
    m.p = rot.ConstantSpeed(w_fixed=1.0)
    m.q = rot.Fixed()
    m.p.flange >> m.j.flange_a
    m.q.flange >> m.j.flange_b
    run(m)


@wrong(ParameterError, "r", "f(t)", "plain number", "functions of motorik.algebra")
def exact_position_step() -> None:
    m = mk.Model()
    m.j = rot.Inertia(J=1.0)
    m.p = rot.Position(exact=True)
    m.r = blocks.TimeFunction(f=lambda t: math.sin(t))
    m.r.y >> m.p.phi_ref
    m.p.flange >> m.j.flange_a
    run(m)


@wrong(ParameterError, "r", "f(t) returned None")
def exact_position_none() -> None:
    m = mk.Model()
    m.j = rot.Inertia(J=1.0)
    m.p = rot.Position(exact=True)
    m.r = blocks.TimeFunction(f=lambda t: None)
    m.r.y >> m.p.phi_ref
    m.p.flange >> m.j.flange_a
    run(m)


@wrong(PortError, "f.force", "is a signal, to which (1.0, 2.0, 3.0)")
def three_numbers_to_a_force() -> None:
    m = pendulum()
    m.f = forces.WorldForce()
    m.f.frame_b >> m.bob.frame_a
    (1.0, 2.0, 3.0) >> m.f.force


@wrong(PortError, "f.frame_resolve", "is connected to nothing, and no body or")
def force_resolve_unconnected() -> None:
    m = pendulum()
    m.f = forces.WorldForce(resolveInFrame="frame_resolve")
    m.f.frame_b >> m.bob.frame_a
    1.0 >> m.f.force
    run(m)


@wrong(
    ParameterError,
    "d",
    "law(p, t, inputs, states) raised ZeroDivisionError: float division",
)
def division_by_zero() -> None:
    m = pendulum()
    m.torque = rot.Torque()
    m.torque.flange >> m.hinge.axis
    m.d = blocks.Division()
    1.0 >> m.d.u1
    0.0 >> m.d.u2
    m.d.y >> m.torque.tau
    run(m)


@wrong(ParameterError, "a.x", "two different live parameters have this name")
def dup_live_names() -> None:
    m = pendulum(bob={"m": mk.Parameter(1.0, name="a.x")})
    m.b2 = mk.Body(m=mk.Parameter(1.0, name="a.x"))
    m.b2.frame_a >> m.bob.frame_a
    m.compile()


@wrong(ParameterError, "hinge.n", "value (0, 1, 0) does not fit; it")
def live_name_of_other_parameter() -> None:
    m = pendulum(bob={"m": mk.Parameter(1.0, name="hinge.n")})
    m.compile()
    m.simulate(0.1, parameters={"hinge.n": (0, 1, 0)})


@wrong(ParameterError, "bob", "m = -1.0 kg is too small")
def live_negative() -> None:
    p = mk.Parameter(1.0)
    m = pendulum(bob={"m": p})
    p.value = -1.0
    run(m)


@wrong(UnknownNameError, "bob", "has no parameter 'mass'")
def parameters_unknown() -> None:
    pendulum().simulate(0.1, parameters={"bob.mass": 1})


@wrong(UnknownNameError, "Model", "has no part 'bobb'")
def parameters_part() -> None:
    pendulum().simulate(0.1, parameters={"bobb.m": 1})


@wrong(UnknownNameError, "bob", "has no part 'frame_a'")
def parameters_deep() -> None:
    pendulum().simulate(0.1, parameters={"bob.frame_a.m": 1})


@wrong(UnknownNameError, "Model", "1 is no name of a parameter")
def parameters_int_key() -> None:
    pendulum().simulate(0.1, parameters={1: 1})


@wrong(ParameterError, "bob", "m = '1' kg is not a number")
def parameters_string_value() -> None:
    pendulum().simulate(0.1, parameters={"bob.m": "1"})


@wrong(UnknownNameError, "hinge", "'phi' is a start value, not a parameter")
def parameters_start() -> None:
    pendulum().simulate(0.1, parameters={"hinge.phi": 1})


@wrong(UnknownNameError, "Model", "has no parameter ''")
def parameters_empty() -> None:
    pendulum().simulate(0.1, parameters={"": 1})


@wrong(SimulationError, "simulate", "parameters = [('bob.m', 1)] names no parameters")
def parameters_list() -> None:
    pendulum().simulate(0.1, parameters=[("bob.m", 1)])


ROWS = [*WRONG, *CASES]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_what_is_wrong_is_refused_in_words(row):
    _, given, error, *words = row
    with refused(error, *words):
        given()


@pytest.mark.parametrize("row", LAWS, ids=[row[0] for row in LAWS])
def test_a_law_that_cannot_be_traced_is_refused_in_words(row):
    _, f, *words = row
    with refused(ParameterError, *words):
        run(driven(f))


def test_the_table_is_long_enough():
    assert len(ROWS) + len(LAWS) >= 150


KINDS = sorted(
    {
        kind
        for room in (mk, pl, assemblies, blocks, forces, joints, parts, sensors, rot, tra)
        for kind in vars(room).values()
        if isinstance(kind, type) and issubclass(kind, Part)
    },
    key=lambda kind: (kind.__module__, kind.__name__),
)
STRANGE = ("text", math.nan, object(), 10**400, [None], {}, b"1", 1j, np.array(["a"]))
TEXTS = {"branch", "shape"}  # what may be any text


@pytest.mark.parametrize("kind", KINDS, ids=[kind.__name__ for kind in KINDS])
def test_no_parameter_of_any_part_takes_what_is_strange(kind):
    for name in kind.parameter_names():
        for value in STRANGE:
            if not (value == "text" and name in TEXTS):
                with pytest.raises(MotorikError) as caught:
                    kind(**{name: value})
                assert caught.value.remedy, (name, value)


# --- what looks wrong and is right ------------------------------------------------------------

RIGHT = [
    ("np.sin", np.sin, math.sin),
    ("np.exp", lambda t: np.exp(-t), lambda t: math.exp(-t)),
    ("np.maximum", lambda t: np.maximum(t, 0.05), lambda t: max(t, 0.05)),
    (
        "np.where",
        lambda t: np.where(t > 0.05, 1.0, 2.0),
        lambda t: 1.0 if t > 0.05 else 2.0,
    ),
    ("where", lambda t: s.where(t > 0.05, t, 0.0), lambda t: t if t > 0.05 else 0.0),
    ("remainder", lambda t: t % 0.03, lambda t: t % 0.03),
    ("condition", lambda t: t > 0.05, lambda t: float(t > 0.05)),
    ("whole number", lambda t: 2, lambda t: 2.0),
]


@pytest.mark.parametrize("row", RIGHT, ids=[row[0] for row in RIGHT])
def test_a_law_that_can_be_traced_gives_what_python_gives(row):
    _, f, expected = row
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = driven(f).simulate(0.1, output=[0.0, 0.021, 0.043, 0.077, 0.1])
        found = result["law.y"]
    deviation = np.abs(found - [expected(t) for t in (0.0, 0.021, 0.043, 0.077, 0.1)]).max()
    assert deviation <= 1e-12


def test_symbols_are_left_as_they_were_after_a_law():
    before = casadi.SX.__float__
    for f in (lambda t: 2.0 * t, math.sin, lambda t: None):
        try:
            run(driven(f))
        except ParameterError:
            pass
        assert casadi.SX.__float__ is before


def test_a_number_that_is_connected_anew_compiles_the_model_anew():
    model = with_torque()
    1.0 >> model.torque.tau
    before = model.compile()
    5.0 >> model.torque.tau
    assert model.compile() is not before
    assert model.simulate(0.1)["torque.tau"][0] == 5.0


def test_a_connection_after_compiling_compiles_the_model_anew():
    outer = mk.Model()
    outer.inner = pendulum()
    before = outer.compile()
    outer.inner.more = mk.Body(m=3.0)
    outer.inner.more.frame_a >> outer.inner.bob.frame_a
    assert outer.compile() is not before


def test_a_law_that_is_exchanged_compiles_the_model_anew():
    model = driven(lambda t: t)
    before = model.compile()
    model.law.f = lambda t: 2.0 * t
    assert model.compile() is not before


def test_a_list_of_named_parts_is_no_mistake():
    model = pendulum()
    model.moving = [model.hinge, model.bob]
    assert model.compile().state_names == ["hinge.phi", "hinge.w"]
