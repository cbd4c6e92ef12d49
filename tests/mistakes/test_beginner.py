"""Mistakes of a beginner: the code, the class of the error, path, parameter or port, and words.

One row each: what is wrong, how, the error, its path, its port or parameter, words.
"""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motorik as mk
import motorik.mobile as mo
import motorik.planar as pl
from motorik import blocks, forces
from motorik import rotational as rot
from motorik import translational as tra
from motorik.errors import (
    AssemblyError,
    EquationError,
    FileFormatError,
    InitialValueError,
    LoopError,
    MotorikError,
    ParameterError,
    PortError,
    SimulationError,
    UnitWarning,
    UnknownNameError,
)
from tests.mistakes.beginner import controlled, drive_line, four_bar, motor, pendulum
from tests.refusals import check_fields

Row = tuple[str, Any, type[MotorikError], str, str, str]


def changed(model: mk.Model, **parts: Any) -> mk.Model:
    """Return a model with further parts."""
    for name, part in parts.items():
        setattr(model, name, part)
    return model


def with_connection(model: mk.Model, *ends: str) -> mk.Model:
    """Return a model with one connection more, its ports by their paths."""
    ports = []
    for end in ends:
        part, _, port = end.rpartition(".")
        ports.append(getattr(getattr(model, part), port))
    mk.connect(*ports)
    return model


def result() -> mk.Result:
    return pendulum().simulate(0.01)


# fmt: off
PARTS: list[Row] = [
    ("mass as text", lambda: mk.Body(m="2 kg"), ParameterError, "Body", "m", "is not a number"),
    ("negative mass", lambda: mk.Body(m=-2.0), ParameterError, "Body", "m", "too small"),
    ("mass NaN", lambda: mk.Body(m=math.nan), ParameterError, "Body", "m", "not finite"),
    ("zero mass", lambda: mk.Body(m=0.0), ParameterError, "Body", "m", "not positive"),
    ("density with unit", lambda: mk.BodyCylinder(density="7.7 g/cm3"), ParameterError,
     "BodyCylinder", "density", "is not a number"),
    ("length for a vector", lambda: mk.FixedTranslation(r=0.5), ParameterError,
     "FixedTranslation", "r", "is not a vector"),
    ("two components", lambda: mk.FixedTranslation(r=(1, 0)), ParameterError,
     "FixedTranslation", "r", "2 components instead of 3"),
    ("zero length", lambda: mk.BodyCylinder(r=(0, 0, 0)), ParameterError, "BodyCylinder", "r",
     "has no length"),
    ("negative diameter", lambda: mk.BodyCylinder(diameter=-0.1), ParameterError,
     "BodyCylinder", "diameter", "too small"),
    ("axis in words", lambda: mk.Revolute(n="vertical"), ParameterError, "Revolute", "n",
     "is not an axis"),
    ("axis zero", lambda: mk.Prismatic(n=(0, 0, 0)), ParameterError, "Prismatic", "n",
     "length zero"),
    ("inertia as list", lambda: mk.Body(I=(1, 2, 3)), ParameterError, "Body", "I", "3×3"),
    ("impossible inertia", lambda: mk.Body(I_11=5.0), ParameterError, "Body", "I",
     "which no real body has"),
    ("start in degrees as text", lambda: mk.Revolute(phi="30°"), ParameterError, "Revolute",
     "phi", "finite number"),
    ("speed in rpm", lambda: mk.Revolute(w="3000 rpm"), ParameterError, "Revolute", "w",
     "finite number"),
    ("gravity negative", lambda: mk.World(g=-9.81), ParameterError, "World", "g", "negative"),
    ("gravity as vector", lambda: mk.World(g=(0, -9.81, 0)), ParameterError, "World", "g",
     "is not a number"),
    ("gear ratio as text", lambda: rot.IdealGear(ratio="3:1"), ParameterError, "IdealGear",
     "ratio", "is not a number"),
    ("spring negative", lambda: forces.Spring(c=-10.0), ParameterError, "Spring", "c",
     "too small"),
    ("parameter of another tool", lambda: mk.Body(mass=2.0), UnknownNameError, "Body", "mass",
     "has no parameter"),
    ("torque as parameter", lambda: rot.Torque(tau=3.0), UnknownNameError, "Torque", "tau",
     "has no parameter"),
    ("misspelt afterwards", lambda: setattr(pendulum().rod, "diamter", 0.1), UnknownNameError,
     "rod", "diamter", "has no parameter"),
    ("value without name", lambda: mk.Body(2.0), ParameterError, "Body", "values", "by name"),
]

MODELS: list[Row] = [
    ("no parts", lambda: mk.Model().simulate(1.0), AssemblyError, "Model", "", "no parts"),
    ("two worlds", lambda: changed(pendulum(), earth=mk.World()).simulate(1.0), AssemblyError,
     "world, earth", "", "one World"),
    ("one part, two names", lambda: changed(m := pendulum(), again=m.rod), ParameterError,
     "Model", "again", "already is 'rod'"),
    ("name twice", lambda: changed(pendulum(), rod=mk.Body()), ParameterError, "Model", "rod",
     "two parts have this name"),
    ("class, not part", lambda: changed(pendulum(), tip=mk.Body), ParameterError, "Model",
     "tip", "kind of part"),
    ("joint without body", lambda: with_connection(
        changed(pendulum(), knee=mk.Revolute()), "rod.frame_b", "knee.frame_a").simulate(1.0),
     PortError, "knee", "frame_b", "connected to nothing"),
    ("rod without mass", lambda: with_connection(with_connection(
        changed(pendulum(), knee=mk.Revolute(), bar=mk.FixedTranslation(r=(1, 0, 0))),
        "rod.frame_b", "knee.frame_a"), "knee.frame_b", "bar.frame_a").simulate(1.0),
     AssemblyError, "knee", "frame_b", "nothing that has mass"),
    ("damper with one end", lambda: with_connection(
        changed(pendulum(), damper=rot.Damper(d=1.0)), "damper.flange_a", "hinge.axis"
    ).simulate(1.0), PortError, "damper", "flange_b", "connected to nothing"),
    ("connected twice", lambda: with_connection(pendulum(), "world.frame_b", "hinge.frame_a"),
     PortError, "world", "frame_b", "already"),
    ("frame with flange", lambda: with_connection(
        changed(pendulum(), spring=rot.Spring(c=1.0)), "spring.flange_a", "hinge.frame_a"),
     PortError, "spring", "flange_a", "is a rotational flange, but hinge.frame_a is a frame"),
    ("turning with sliding", lambda: with_connection(
        changed(pendulum(), spring=tra.Spring(c=1.0)), "spring.flange_a", "hinge.axis"),
     PortError, "spring", "flange_a", "is a translational flange"),
    ("part instead of port", lambda: mk.connect(pendulum().rod, pendulum().hinge), PortError,
     "rod", "frame_a, frame_b", "is a part; only ports can be connected"),
    ("port by text", lambda: pendulum().connect("rod.frame_b", "tip.frame_a"), PortError,
     "connect", "", "is not a port"),
    ("port that is not there", lambda: pendulum().world.frame_a, UnknownNameError, "world",
     "frame_a", "has no 'frame_a'"),
    ("part of another model", lambda: pendulum().rod.frame_b >> pendulum().rod.frame_a,
     PortError, "rod", "frame_a", "not in the same model"),
    ("spring from a point to itself", lambda: with_connection(with_connection(
        changed(pendulum(), spring=forces.Spring(c=1.0)), "spring.frame_a", "world.frame_b"),
        "spring.frame_b", "hinge.frame_a").simulate(1.0),
     PortError, "spring", "frame_a", "the other end of the same part"),
    ("four-bar too long", lambda: four_bar(ground=5.0).simulate(0.1), LoopError, "d", "",
     "cannot be closed"),
    ("four-bar with a wrong axis", lambda: changed_axis().simulate(0.1), LoopError, "d", "",
     "cannot be closed"),
    ("four-bar with two angles", lambda: two_angles().simulate(0.1), InitialValueError, "b", "",
     "with the start values that are fixed"),
    ("point mass on a hinge", lambda: point_on_hinge().simulate(0.1), AssemblyError, "hinge",
     "", "nothing resists the motion"),
    ("two drives on a shaft", lambda: two_drives().simulate(0.1), LoopError, "second", "flange",
     "already determines it"),
    ("spring on nothing", lambda: spring_on_nothing().simulate(0.1), AssemblyError, "angle",
     "flange", "its position is undetermined"),
    ("own __init__", lambda: Forgetful(), ParameterError, "Forgetful", "parts",
     "has not been called"),
]

SIGNALS: list[Row] = [
    ("torque without signal", lambda: motor().simulate(0.1), PortError, "motor", "tau",
     "without a source"),
    ("number assigned to a signal", lambda: setattr(motor().motor, "tau", 3.0), ParameterError,
     "motor", "tau", "is a port"),
    ("function connected", lambda: (lambda t: t) >> motor().motor.tau, PortError, "motor",
     "tau", "cannot be connected"),
    ("controller without set point", lambda: controlled().simulate(0.1), PortError, "error",
     "u1", "without a source"),
    ("loop of gains", lambda: loop_of_gains().simulate(0.1), EquationError, "gain, back", "",
     "algebraic loop"),
    ("if in a law", lambda: law(lambda t: 1.0 if t > 0.5 else 0.0), ParameterError, "law", "f",
     "tests a condition"),
    ("math in a law", lambda: law(lambda t: math.sin(t)), ParameterError, "law", "f",
     "plain number"),
    ("law without return", lambda: law(lambda t: None), ParameterError, "law", "f",
     "returned None"),
    ("law of two arguments", lambda: law(lambda t, x: t), ParameterError, "TimeFunction", "f",
     "is called as f(t)"),
]

RUNS: list[Row] = [
    ("negative stop", lambda: pendulum().simulate(-1.0), SimulationError, "simulate",
     "stop_time", "not after start"),
    ("stop with unit", lambda: pendulum().simulate("10 s"), SimulationError, "simulate",
     "stop_time", "not a finite time"),
    ("no stop", lambda: pendulum().simulate(), SimulationError, "simulate", "stop_time",
     "missing"),
    ("option of another tool", lambda: pendulum().simulate(tfinal=1.0), UnknownNameError,
     "simulate", "tfinal", "has no option"),
    ("method of another tool", lambda: pendulum().simulate(1.0, method="ode45"),
     SimulationError, "method", "method", "'ode45' is not known"),
    ("rk4 without step", lambda: pendulum().simulate(1.0, method="rk4"), SimulationError,
     "method 'rk4'", "step", "no error control"),
    ("output after stop", lambda: pendulum().simulate(1.0, output=[0.0, 2.0]), SimulationError,
     "simulate", "output", "between start and stop"),
    ("start of no state", lambda: pendulum().simulate(1.0, initial={"hinge.angle": 1.0}),
     UnknownNameError, "initial", "initial", "no state 'hinge.angle'"),
    ("start as text", lambda: pendulum().simulate(1.0, initial={"hinge.phi": "90 deg"}),
     InitialValueError, "hinge", "phi", "not a finite number"),
    ("parameter of no part", lambda: pendulum().simulate(1.0, parameters={"bob.m": 1.0}),
     UnknownNameError, "Model", "", "has no part 'bob'"),
    ("parameter derived", lambda: pendulum().simulate(1.0, parameters={"rod.m": 1.0}),
     UnknownNameError, "rod", "m", "has no parameter 'm'"),
    ("strategy of no kind", lambda: four_bar().simulate(0.1, strategy="lagrange"),
     UnknownNameError, "strategy", "strategy", "not known"),
]

RESULTS: list[Row] = [
    ("misspelt part", lambda: result()["hing.phi"], UnknownNameError, "Model", "",
     "Did you mean 'hinge'?"),
    ("misspelt variable", lambda: result()["hinge.ph"], UnknownNameError, "hinge", "",
     "Did you mean 'phi'?"),
    ("element 4", lambda: result()["rod.frame_b.r_0[4]"], UnknownNameError, "rod.frame_b",
     "r_0[4]", "Count from 1"),
    ("number as name", lambda: result()[0], UnknownNameError, "result", "", "not the name"),
    ("variable as attribute", lambda: result().phi, UnknownNameError, "result", "phi",
     'result["part.phi"]'),
    ("time after the run", lambda: result().at(5.0), UnknownNameError, "result.at", "",
     "exceed the run"),
    ("misspelt in a plot", lambda: result().plot("hinge.phy"), UnknownNameError, "hinge", "",
     "Did you mean 'phi'?"),
    ("no such file", lambda: mk.load_result("nowhere.nc"), FileFormatError, "nowhere.nc", "",
     "no such file"),
    ("not a result", lambda: mk.load_result(Path(__file__)), FileFormatError, str(__file__),
     "", "cannot be read"),
    ("target without value", lambda: pendulum().inverse_kinematics("rod.frame_b.r_0"),
     ParameterError, "targets", "targets", "is not a dict by name"),
]

OTHERS: list[Row] = [
    ("planar body off its plane", lambda: pl.Body(r_CM=(0, 0, 1)), ParameterError, "Body",
     "r_CM", "not in the plane"),
    ("planar port that is not there", lambda: pl.Body(ports={"A": (0, 0)}).B, UnknownNameError,
     "Body", "B", "has no 'B'"),
    ("MOBILE joint without variable",
     lambda: mo.ElementaryJoint(mo.Frame(), mo.Frame(), "phi"), ParameterError,  # type: ignore[arg-type]
     "ElementaryJoint on Frame('')", "variable", "is not a variable"),
    ("MOBILE link of a number", lambda: mo.RigidLink(mo.Frame(), mo.Frame(), 3.0),  # type: ignore[arg-type]
     ParameterError, "Vector", "components", "is not three components"),
    ("MOBILE chain of numbers", lambda: mo.MapChain([1, 2]), AssemblyError, "MapChain", "",  # type: ignore[list-item]
     "not a transmission element"),
    ("MOBILE mass negative", lambda: mo.MassElement(mo.Frame(), -1.0), ParameterError,
     "MassElement", "m", "negative"),
]
# fmt: on


class Forgetful(mk.Model):
    """A model with a constructor of its own that forgets that of the model."""

    def __init__(self) -> None:
        self.world = mk.World()


def changed_axis() -> mk.Model:
    model = four_bar()
    model.c.n = (1, 0, 0)
    return model


def two_angles() -> mk.Model:
    model = four_bar()
    model.a.phi, model.d.phi = 1.0, 0.0
    return model


def point_on_hinge() -> mk.Model:
    model = mk.Model()
    model.world, model.hinge, model.bob = mk.World(), mk.Revolute(), mk.PointMass(m=1.0)
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.bob.frame_a
    return model


def two_drives() -> mk.Model:
    model = drive_line()
    model.first, model.second = rot.ConstantSpeed(), rot.ConstantSpeed(w_fixed=2.0)
    model.first.flange >> model.rotor.flange_a
    model.second.flange >> model.load.flange_b
    return model


def spring_on_nothing() -> mk.Model:
    model = drive_line()
    model.first, model.angle = rot.Spring(c=1), rot.AngleSensor()
    model.load.flange_b >> model.first.flange_a
    model.first.flange_b >> model.angle.flange
    return model


def loop_of_gains() -> mk.Model:
    model = motor()
    model.gain, model.back = blocks.Gain(k=2.0), blocks.Gain(k=0.5)
    model.gain.y >> model.back.u
    model.back.y >> model.gain.u
    model.gain.y >> model.motor.tau
    return model


def fed_back() -> mk.Model:
    model = motor()
    model.sensor = rot.AccSensor()
    model.sensor.flange >> model.hinge.axis
    model.square = blocks.Product()
    model.sensor.a >> model.square.u1
    model.sensor.a >> model.square.u2
    model.square.y >> model.motor.tau
    return model


def law(f: Any) -> mk.Result:
    model = motor()
    model.law = blocks.TimeFunction(f=f)
    model.law.y >> model.motor.tau
    return model.simulate(0.1)


ROWS = [*PARTS, *MODELS, *SIGNALS, *RUNS, *RESULTS, *OTHERS]


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_mistake_of_a_beginner_is_told_where_it_is(row):
    _, make, error, path, detail, words = row
    with pytest.raises(MotorikError) as caught:
        make()
    found = caught.value
    assert type(found) is error, str(found)
    assert found.path == path, (found.path, str(found))
    assert detail in (found.port, found.parameter), (found.__dict__, detail)
    assert words in str(found), str(found)
    assert found.remedy, str(found)
    check_fields(found)


def test_there_are_at_least_55_of_them():
    assert len(ROWS) >= 55 and len({row[0] for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("phi", [90, 45.0, -180, 360])
def test_an_angle_that_looks_like_degrees_is_warned_of(phi):
    with pytest.warns(UnitWarning, match=rf"deg\({phi:g}\)"):
        mk.Revolute(phi=phi)


def test_usual_angles_are_not_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for phi in (0.0, 1.5, 2.0 * math.pi, 10.0, 31.4, np.radians(90.0)):
            mk.Revolute(phi=phi)
        for angle in (0.0, mk.deg(90), 1.0, 5.0, mk.deg(-45)):
            mk.FixedRotation(n="z", angle=angle)


def test_an_acceleration_squared_and_fed_back_is_no_mistake():
    a = fed_back().simulate(0.1)["sensor.a"][0]
    model = motor()
    model.constant = blocks.Constant(k=float(a**2))
    model.constant.y >> model.motor.tau
    assert model.simulate(0.1)["hinge.a"][0] == pytest.approx(a, rel=1e-11)
