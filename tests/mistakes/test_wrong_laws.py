"""Laws that cannot be traced, or give what is not wanted: each is refused in words."""

# ruff: noqa: F821 - what is wrong here is meant

from __future__ import annotations

import math

import casadi
import numpy as np
import pytest

from motorik import blocks
from motorik.algebra.motor import Motor
from motorik.algebra.vector import Vector
from motorik.components.base.user_law import _NoNumbers
from motorik.errors import (
    AssemblyError,
    ParameterError,
)
from tests.mistakes.models import (
    check,
    compliant,
    driven,
    expression,
    frame_force,
    function_block,
    grav,
    hides_an_error,
    ids,
    pendulum,
    run,
)

# fmt: off

ROWS = [
    ('Function math.sin', lambda: run(function_block(lambda u: math.sin(u))), ParameterError,
     'law', 'f(u)', 'plain number', 'motorik.functions'),
    ('Function arity', lambda: run(function_block(lambda u: u, 2)), ParameterError, 'Function',
     'f is called as f(u1, u2), which <lambda>(u)'),
    ('Function none', lambda: run(function_block(lambda u: None)), ParameterError, 'law',
     'f(u) returned None'),
    ('Function if', lambda: run(function_block(lambda u: 1.0 if u > 0 else 0.0)),
     ParameterError, 'law', 'f(u)', 'tests a condition', 'where(condition, yes, no)'),
    ('Function n string', lambda: blocks.Function(n="2"), ParameterError, 'Function',
     "n = '2' is not a whole number from"),
    ('Function n float', lambda: blocks.Function(n=1.5), ParameterError, 'Function',
     'n = 1.5 is not a whole number from'),
    ('Function n huge', lambda: blocks.Function(n=math.inf), ParameterError, 'Function',
     'n = inf is not a whole number from'),
    ('Function n nan', lambda: blocks.Function(n=math.nan), ParameterError, 'Function',
     'n = nan is not a whole number from'),
    ('Expression math',
     lambda: run(expression(lambda m, v: math.sin(v.variable(m.hinge, "phi")))), ParameterError,
     'law', 'f(motion)', 'plain number', 'motorik.functions'),
    ('Expression none', lambda: run(expression(lambda m, v: None)), ParameterError, 'law',
     'f(motion) returned None'),
    ('Expression vector', lambda: run(expression(lambda m, v: v.pose(m.bob.frame_a).p)),
     ParameterError, 'law', 'f(motion) returned Vector(0.0, 0.0, 0.0)'),
    ('Expression pose', lambda: run(expression(lambda m, v: v.pose(m.bob.frame_a))),
     ParameterError, 'law',
     'f(motion) returned Pose(Matrix(cos(q), (-sin(q)), 0.0, sin(q), cos(q), 0.0, …'),
    ('Expression port path', lambda: run(expression(lambda m, v: v.pose("bob.frame_a").x)),
     ParameterError, 'law', "f(motion) raised KeyError: 'bob.frame_a'"),
    ('Expression name only', lambda: run(expression(lambda m, v: v.variable("hinge", "phi"))),
     ParameterError, 'law', "f(motion) raised AttributeError: 'str' object has no attribute"),
    ('Expression part other model',
     lambda: run(expression(lambda m, v: v.variable(pendulum().hinge, "phi"))), ParameterError,
     'law', 'f(motion) raised KeyError: Revolute(useAxisFlange=True)'),
    ('Expression self', lambda: run(expression(lambda m, v: v.signal(m.law.y))), AssemblyError,
     'law', 'needs its own output: law forms an algebraic loop'),
    ('Expression none given', lambda: blocks.Expression(), ParameterError, 'Expression',
     'f = None is not a function'),
    ('spring law math', lambda: run(compliant(lambda p, x, v: math.sin(x))), ParameterError,
     'MySpring', 'law(p, x, v)', 'plain number', 'motorik.functions'),
    ('spring law none', lambda: run(compliant(lambda p, x, v: None)), ParameterError,
     'MySpring', 'law(p, x, v) returned None'),
    ('spring law if', lambda: run(compliant(lambda p, x, v: x if x > 0 else 0.0)),
     ParameterError, 'MySpring', 'law(p, x, v)', 'tests a condition',
     'where(condition, yes, no)'),
    ('spring law arity', lambda: run(compliant(lambda x, v: x)), ParameterError, 'MySpring',
     'law(p, x, v) raised TypeError: <lambda>.<locals>.<lambda>() takes 2'),
    ('spring law tuple', lambda: run(compliant(lambda p, x, v: (x,))), ParameterError,
     'MySpring', 'law(p, x, v) returned (x,)'),
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
     'motorik.functions'),
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
     'gravityAcceleration(r)', 'plain number', 'motorik.functions'),
    ('gravity if', lambda: grav(lambda r: (0, -9.81, 0) if r.y > 0 else (0,0,0)),
     ParameterError, 'world', 'gravityAcceleration(r)', 'tests a condition',
     'where(condition, yes, no)'),
    ('gravity index', lambda: grav(lambda r: (0, -9.81 * r[1], 0)), ParameterError, 'world',
     'gravityAcceleration(r)', 'a Vector is not a sequence', '.x, .y, .z'),
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
     'gravityAcceleration(r)', 'has no meaning', 'v.dot(w)'),
    ('gravity nested', lambda: grav(lambda r: ((0,),(-9.81,),(0,))), ParameterError, 'world',
     'gravityAcceleration(r) returned ((0,), (-9.81,), (0,))'),
]
# fmt: on
# fmt: off

LAWS: list[LawRow] = [
    ('math.sin', lambda t: math.sin(t), 'law', 'f(t)', 'plain number',
     'motorik.functions'),
    ('np.array', lambda t: np.array([t]), 'law', 'f(t) returned array([t], dtype=object)'),
    ('if', lambda t: 1.0 if t > 0.5 else 0.0, 'law', 'f(t)', 'tests a condition',
     'where(condition, yes, no)'),
    ('and', lambda t: (t > 0.5 and t < 1.0) * 1.0, 'law', 'f(t)', 'tests a condition',
     'where(condition, yes, no)'),
    ('chain', lambda t: 1.0 if 0.0 < t < 0.5 else 0.0, 'law', 'f(t)', 'tests a condition',
     'where(condition, yes, no)'),
    ('max', lambda t: max(t, 0.5), 'law', 'f(t)', 'tests a condition',
     'where(condition, yes, no)'),
    ('min', lambda t: min(t, 0.5), 'law', 'f(t)', 'tests a condition',
     'where(condition, yes, no)'),
    ('int', lambda t: int(t), 'law', 'f(t)', 'plain number', 'motorik.functions'),
    ('float', lambda t: float(t), 'law', 'f(t)', 'plain number',
     'motorik.functions'),
    ('eq', lambda t: 1.0 if t == 0 else 0.0, 'law', 'f(t)', 'tests a condition',
     'where(condition, yes, no)'),
    ('f-string', lambda t: f"{t}", 'law', "f(t) returned 't'"),
    ('none', lambda t: None, 'law', 'f(t) returned None'),
    ('print', lambda t: print(end=""), 'law', 'f(t) returned None'),
    ('string', lambda t: "1.0", 'law', "f(t) returned '1.0'"),
    ('tuple', lambda t: (t, t), 'law', 'f(t) returned (t, t)'),
    ('list1', lambda t: [t], 'law', 'f(t) returned [t]'),
    ('list3', lambda t: [t, t, t], 'law', 'f(t) returned [t, t, t]'),
    ('dict', lambda t: {"y": t}, 'law', "f(t) returned {'y': t}"),
    ('complex', lambda t: 1j * t, 'law',
     'f(t) computes * with a complex'),
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
     'f(t)', 'uses one of them as a plain number', '[1.0,2.0][t]'),
    ('dict lookup', lambda t: {0.0: 1.0}[t], 'law', 'f(t)', 'uses one of them as a plain number'),
    ('range', lambda t: sum(1.0 for _ in range(t)), 'law',
     'f(t)', 'as a plain number: line', 'range(t)'),
    ('nameerror', lambda t: undefined_name * t, 'law',
     "f(t) raised NameError: name 'undefined_name' is not defined"),
    ('class', float, 'law', 'f(t)', 'plain number', 'motorik.functions'),
    ('math.sin itself', math.sin, 'law', 'f(t)', 'plain number',
     'motorik.functions'),
    ('np.interp table', lambda t: np.interp(float(t), [0,1],[0,1]), 'law', 'f(t)',
     'plain number', 'motorik.functions'),
    ('casadi vec', lambda t: casadi.vertcat(t, t), 'law', 'f(t) returned [t, t]'),
    ('math.sqrt', lambda t: math.sqrt(t), 'law', 'f(t)', 'plain number',
     'motorik.functions'),
    ('math.exp', lambda t: math.exp(t), 'law', 'f(t)', 'plain number',
     'motorik.functions'),
    ('math.pow', lambda t: math.pow(t, 2), 'law', 'f(t)', 'plain number',
     'motorik.functions'),
    ('math.atan2', lambda t: math.atan2(t, 1.0), 'law', 'f(t)', 'plain number',
     'motorik.functions'),
    ('try', hides_an_error, 'law', 'f(t)', 'plain number', 'motorik.functions'),
]
# fmt: on


@pytest.mark.parametrize("row", ROWS, ids=ids(ROWS))
def test_a_wrong_law_is_refused_in_words(row):
    check(row)


@pytest.mark.parametrize("row", LAWS, ids=ids(LAWS))
def test_a_law_that_cannot_be_traced_is_refused_in_words(row):
    name, f, *words = row
    check((name, lambda: run(driven(f)), ParameterError, *words))


def test_a_law_that_calls_itself_without_end_leaves_symbols_as_they_were():
    def endless(t):
        with _NoNumbers():
            return endless(t)

    with pytest.raises(RecursionError):
        endless(0.0)
    assert math.isnan(float(casadi.SX.sym("x")))
