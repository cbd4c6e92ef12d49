"""Wrong parameters, as an engineer would give them: each is refused in words."""

from __future__ import annotations

import math

import numpy as np
import pytest

import motorik as mk
import motorik.planar as pl
from motorik import Part, assemblies, blocks, constraints, forces, joints, parts, sensors
from motorik import rotational as rot
from motorik import translational as tra
from motorik.errors import (
    MotorikError,
    ParameterError,
    UnknownNameError,
)
from tests.mistakes.models import (
    check,
    ids,
)


class Arm(mk.Model):
    """A body on a hinge, with an argument of the name of a part."""

    def build(self, bob=1.0, bobs=1.0, plain=1.0):
        self.world, self.hinge = mk.World(), mk.Revolute()
        self.bob = mk.Body(m=bob, r_CM=(plain, 0, 0))
        self.bobs = [mk.Body(m=bobs)]
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.bob.frame_a
        self.bob.frame_a >> self.bobs[0].frame_a


def named(name: str) -> mk.Model:
    """Return an arm whose length is 2 L, L a parameter of this name."""
    return Arm(plain=2 * mk.Parameter(0.5, name=name))


# fmt: off

ROWS = [
    ('live argument named as a part', lambda: Arm(bob=mk.Parameter(1.0)), ParameterError,
     "Arm.bob: is a live parameter", "parameters={'bob': …} ambiguous", "another name"),
    ('live argument named as a list of parts', lambda: Arm(bobs=mk.Parameter(1.0)),
     ParameterError, "Arm.bobs: is a live parameter", "another name"),
    ('live name of a part', lambda: named("bob").compile(), ParameterError, "bob",
     "is the name of a part", "another name"),
    ('live name of a value', lambda: named("bob.m").compile(), ParameterError, "bob.m",
     "is the name of a value of a part", "another name"),
    ('live name of a start value', lambda: named("hinge.phi").compile(), ParameterError,
     "hinge.phi", "is the name of a value of a part", "another name"),
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
     ParameterError, 'Parameter', "value '2.0' is not 1 finite"),
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
    ('axis word', lambda: mk.Revolute(n="w"), ParameterError, 'Revolute', "n = 'w' is not an axis"),
    ('axis number', lambda: mk.Revolute(n=3), ParameterError, 'Revolute',
     'n = 3 is not a vector'),
    ('axis upper', lambda: mk.Revolute(n="Z"), ParameterError, 'Revolute',
     "n = 'Z' is not an axis"),
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
     'sequence_start = (1, 1, 2) is not a sequence'),
    ('sequence string', lambda: mk.Body(sequence_start="xyz"), ParameterError, 'Body',
     "sequence_start = 'xyz' is not a sequence of rotation"),
    ('sequence digits', lambda: mk.Body(sequence_start="123"), ParameterError, 'Body',
     "sequence_start = '123' is not a sequence of rotation"),
    ('sequence floats', lambda: mk.Body(sequence_start=(1.9,2.2,3.1)), ParameterError, 'Body',
     'sequence_start = (1.9, 2.2, 3.1) is not a sequence'),
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
     "n = 'down' is not an axis"),
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
     'Revolute', 'useAxisFlange decides which ports the part has; it'),
]
# fmt: on


@pytest.mark.parametrize("row", ROWS, ids=ids(ROWS))
def test_a_wrong_parameter_is_refused_in_words(row):
    check(row)


KINDS = sorted(
    {
        kind
        for room in (
            mk,
            pl,
            assemblies,
            blocks,
            constraints,
            forces,
            joints,
            parts,
            sensors,
            rot,
            tra,
        )
        for kind in (getattr(room, name) for name in dir(room))
        if isinstance(kind, type) and issubclass(kind, Part)
    },
    key=lambda kind: (kind.__module__, kind.__name__),
)
STRANGE = ("text", math.nan, object(), 10**400, [None], {}, b"1", 1j, np.array(["a"]))
TEXTS = {"branch", "terminationText"}  # what may be any text


@pytest.mark.parametrize("kind", KINDS, ids=[kind.__name__ for kind in KINDS])
def test_no_parameter_of_any_part_takes_what_is_strange(kind):
    for name in kind.parameter_names():
        for value in STRANGE:
            if not (value == "text" and name in TEXTS):
                with pytest.raises(MotorikError) as caught:
                    kind(**{name: value})
                assert caught.value.remedy, (name, value)


def test_names_that_mean_one_thing_only_are_taken():
    """A plain argument may have the name of a part, a parameter that of its own place."""
    assert Arm(bob=2.0).bob.m == 2.0
    arm = Arm(plain=0.5)
    arm.bob.m = mk.Parameter(2.0, name="bob.m")
    result = arm.simulate(0.1, output=2, parameters={"bob.m": 3.0})
    assert dict(result.parameters) == {"bob.m": 3.0}
