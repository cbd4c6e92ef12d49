"""Wrong start values and guesses: each is refused in words."""

from __future__ import annotations

import math

import numpy as np
import pytest

import motorik as mk
from motorik.errors import (
    ParameterError,
    SimulationError,
    UnknownNameError,
)
from tests.mistakes.models import (
    Mistakes,
    check,
    ids,
    pendulum,
    run,
)

wrong = Mistakes()

# fmt: off

ROWS = [
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
     'start value phi = Parameter(0.3): Parameter(0.3) is live'),
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
     "'0.3' is not a finite number or vector"),
    ('guess none', lambda: mk.guess(None), ParameterError, 'guess',
     'None is not a finite number or vector'),
    ('guess bool', lambda: mk.guess(True), ParameterError, 'guess',
     'True is not a finite number or vector'),
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
     'Start(value=1.0, fixed=False) is not a finite number or vector'),
    ('w_0_start without fixed string', lambda: mk.Body(w_0_start="fast"), ParameterError,
     'Body', "w_0_start = 'fast' is not a vector"),
    ('angles live', lambda: mk.Body(angles_start=mk.Parameter((0,0,1))), ParameterError, 'Body',
     "angles_start = Parameter((0.0, 0.0, 1.0), name='angles_start') cannot be"),
]
# fmt: on


@wrong(ParameterError, "Revolute", "start value phi = '30deg': '30deg' is not")
def start_degrees_string() -> None:
    mk.Revolute(phi="30deg")


@wrong(ParameterError, "a.x", "two different live parameters have this name")
def dup_live_names() -> None:
    m = pendulum(bob={"m": mk.Parameter(1.0, name="a.x")})
    m.b2 = mk.Body(m=mk.Parameter(1.0, name="a.x"))
    m.b2.frame_a >> m.bob.frame_a
    m.compile()


@wrong(ParameterError, "hinge.n", "is the name of a value of a part", "ambiguous")
def live_name_of_other_parameter() -> None:
    m = pendulum(bob={"m": mk.Parameter(1.0, name="hinge.n")})
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


@wrong(UnknownNameError, "Model", "1 is not the name of a parameter")
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


@wrong(SimulationError, "simulate", "parameters = [('bob.m', 1)] is not a dict by name")
def parameters_list() -> None:
    pendulum().simulate(0.1, parameters=[("bob.m", 1)])


@pytest.mark.parametrize("row", [*ROWS, *wrong], ids=ids([*ROWS, *wrong]))
def test_a_wrong_start_value_is_refused_in_words(row):
    check(row)
