"""Classes of wrong input: units, files, recursion, rates, open sensors, jumps, random numbers."""

from __future__ import annotations

import random
import warnings
from math import pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motorik as mk
from motorik import blocks, forces, sensors
from motorik import rotational as rot
from motorik import translational as tra
from motorik.errors import (
    AssemblyError,
    FileFormatError,
    InitialValueError,
    JumpWarning,
    MotionWarning,
    ParameterError,
    PortError,
    UnitWarning,
    UnknownNameError,
)
from motorik.functions import fabs, floor, maximum, where
from motorik.joints import FrictionLaw
from tests.mistakes.beginner import pendulum
from tests.refusals import refused

# --- units ------------------------------------------------------------------------------------


def with_live_spring() -> mk.Model:
    """Return a pendulum with a spring of live rest angle."""
    model = pendulum()
    model.rest = mk.Parameter(0.1)
    model.spring, model.wall = rot.Spring(c=1.0, phi_rel0=model.rest), rot.Fixed()
    model.wall.flange >> model.spring.flange_a
    model.spring.flange_b >> model.hinge.axis
    return model


ANGLES = [
    ("start value", lambda: mk.Revolute(phi=90)),
    ("guess", lambda: mk.Revolute(phi=mk.guess(90))),
    ("start values of a run", lambda: pendulum().simulate(0.01, initial={"hinge.phi": 90})),
    ("stops", lambda: mk.Revolute(stops=(-90, 90))),
    ("stops by name", lambda: mk.Cylindrical(stops={"phi": (-90, 90)})),
    ("assigned", lambda: setattr(mk.Revolute(), "stops", (-180, 180))),
    ("parameter", lambda: rot.Spring(c=1.0, phi_rel0=90)),
    ("parameter of a run", lambda: with_live_spring().simulate(0.01, parameters={"rest": 90})),
    ("live value", lambda: setattr(with_live_spring().rest, "value", 90)),
]  # fmt: skip


@pytest.mark.parametrize("row", ANGLES, ids=[row[0] for row in ANGLES])
def test_degrees_are_noticed_wherever_an_angle_is_given(row):
    with pytest.warns(UnitWarning, match=r"deg\("):
        row[1]()


def test_lengths_in_millimetres_are_noticed():
    for make in (
        lambda: mk.BodyBox(r=(500, 0, 0)),
        lambda: mk.BodyCylinder(r=(0, 300, 0), diameter=20),
    ):
        with pytest.warns(UnitWarning, match=r"mm\(") as caught:
            make()
        assert "kg" in str(caught[0].message)
    with pytest.warns(UnitWarning, match="g/cm³"):
        mk.BodyBox(r=(0.5, 0, 0), density=7.8)
    model = pendulum(rod={"diameter": 0.02})
    model.offset, model.tip = mk.FixedTranslation(r=(300, 0, 0)), mk.Body(r_CM=(0.1, 0, 0))
    model.rod.frame_b >> model.offset.frame_a
    model.offset.frame_b >> model.tip.frame_a
    with pytest.warns(UnitWarning, match="offset: r = 300 m"):
        model.simulate(0.01)


def test_what_may_be_meant_is_not_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnitWarning)
        mk.Revolute(phi=mk.deg(90), stops=(-pi, pi))
        mk.Revolute(phi=20.0)
        mk.BodyBox(r=(30, 0, 0), width=0.5, height=0.5)
        mk.FixedTranslation(r=(300, 0, 0))
        pendulum().simulate(0.01)


# --- files ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run() -> mk.Result:
    return pendulum().simulate(0.1, output=5)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["to_csv", "to_netcdf", "to_html", "to_movie"])
def test_every_writer_names_a_missing_folder(run, name, tmp_path):
    suffix = {"to_csv": "csv", "to_netcdf": "nc", "to_html": "html", "to_movie": "gif"}[
        name
    ]
    with refused(ParameterError, name, "there is no folder"):
        getattr(run, name)(tmp_path / "nowhere" / f"run.{suffix}")


@pytest.mark.slow
def test_a_file_has_the_suffix_of_its_format(run, tmp_path):
    for write, file in ((run.to_csv, "run.xlsx"), (run.to_netcdf, "run.csv")):
        with refused(ParameterError, "another format"):
            write(tmp_path / file)
    with refused(ParameterError, "is not the name of a file"):
        run.to_csv("")


FILES = [
    ("a.xlsx", b"time,a\n0,1\n1,2\n", "needs the suffix .csv"),
    ("b.xlsx", b"PK\3\4 and so on", "Excel"),
    ("c.csv", b"time,a\n0,1\n2,2\n1,3\n", "does not rise: row 3"),
    ("d.csv", b"time|a\n0|1\n", "commas"),
    ("e.csv", b"time,a,a\n0,1,2\n", "two of its columns are called a"),
    ("f.csv", b"time,a\n0,1,2\n", "2 names and 3 columns"),
    ("g.nc", b"\0\1\2", "no NetCDF file"),
]


@pytest.mark.parametrize(("name", "content", "words"), FILES, ids=[f[0] for f in FILES])
def test_every_reader_looks_at_what_a_file_holds(name, content, words, tmp_path):
    (tmp_path / name).write_bytes(content)
    with refused(FileFormatError, words):
        mk.load_result(tmp_path / name)


def test_vectors_are_read_back_from_csv_and_plain_tables_too(run, tmp_path):
    saved = mk.load_result(run.to_csv(tmp_path / "run.csv", "rod.r_0", "hinge.phi"))
    assert np.array_equal(saved["rod.r_0"], run["rod.r_0"])
    Path(tmp_path / "plain.csv").write_text("time,a\n0,1\n1,2\n", encoding="utf-8")
    assert mk.load_result(tmp_path / "plain.csv")["a"].tolist() == [1.0, 2.0]


# --- models -----------------------------------------------------------------------------------


class Nested(mk.Model):
    def build(self, n: int = -1) -> None:
        self.frame = mk.FixedTranslation(r=(1, 0, 0))
        if n:
            self.inner = Nested(n=n - 1)


class First(mk.Model):
    def build(self) -> None:
        self.second = Second()


class Second(mk.Model):
    def build(self) -> None:
        self.first = First()


def test_a_class_that_builds_itself_without_end_is_named():
    assert len(list(Nested(n=5).walk())) == 12
    with refused(ParameterError, "Nested: builds itself without end: Nested → Nested"):
        Nested()
    with refused(ParameterError, "builds itself without end", "First → Second"):
        First()


def test_it_is_named_wherever_the_stack_is_full():
    def at_depth(k: int) -> None:
        if k > 0:
            at_depth(k - 1)
        else:
            Nested()

    for k in range(40):
        with refused(ParameterError, "Nested: builds itself without end"):
            at_depth(k)


def test_sensors_of_what_passes_through_need_both_sides():
    for kind in (sensors.CutForce, sensors.CutTorque, sensors.PowerSensor):
        for side, other in (("frame_a", "frame_b"), ("frame_b", "frame_a")):
            model = pendulum()
            model.sensor = kind()
            model.connect(model.rod.frame_b, getattr(model.sensor, side))
            with refused(PortError, f"sensor.{other}", "nothing passes through"):
                model.simulate(0.01)
    for kind in (rot.TorqueSensor, rot.PowerSensor, rot.MultiSensor):
        model = mk.Model()
        model.inertia, model.sensor = rot.Inertia(J=1.0), kind()
        model.inertia.flange_b >> model.sensor.flange_a
        with refused(PortError, "sensor.flange_b", "nothing passes through"):
            model.simulate(0.01)


def test_gears_in_conflict_are_named():
    def model(*ratios: float) -> mk.Model:
        model = mk.Model()
        model.a, model.b = rot.Inertia(J=1.0, w=5.0), rot.Inertia(J=1.0)
        model.g, model.h = (rot.IdealGear(ratio=ratio) for ratio in ratios)
        model.connect(model.a.flange_b, model.g.flange_a, model.h.flange_a)
        model.connect(model.b.flange_a, model.g.flange_b, model.h.flange_b)
        return model

    with refused(InitialValueError, "cannot be met", "none, as nothing can move"):
        model(2.0, 3.0).simulate(0.1)
    assert model(2.0, 2.0).simulate(0.1)["b.w"][-1] == pytest.approx(2.5)


def test_gimbal_lock_is_named():
    model = mk.Model()
    model.world = mk.World()
    model.ball = mk.Spherical(
        angles_start=(0, pi / 2, 0), angles_fixed=True, useQuaternions=False
    )
    model.body = mk.Body(r_CM=(0.1, 0.2, 0.3), I_11=0.3, I_22=0.2, I_33=0.25)
    model.world.frame_b >> model.ball.frame_a
    model.ball.frame_b >> model.body.frame_a
    with refused(AssemblyError, "ball: is in gimbal lock", "useQuaternions=True"):
        model.simulate(0.1)


def test_rates_that_are_no_derivatives_are_named():
    model = pendulum()
    t = np.linspace(0.0, 1.0, 20)
    s, c = np.sin(3 * t), np.cos(3 * t)
    fast = (np.sin(90 * t), 90 * np.cos(90 * t), -8100 * np.sin(90 * t))
    right = [(s, 3 * c, -9 * s), (s, 0 * t, 0 * t), (t, 0 * t + 1, 0 * t), fast]
    wrong = [(s, c, -9 * s), (s, -3 * c, -9 * s), (t * t, 2 * t, 0 * t)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", MotionWarning)
        for series in right:
            model.inverse_dynamics(t, {"hinge.phi": series})
    for series in wrong:
        with pytest.warns(
            MotionWarning, match="hinge.phi: the (second )?rates given are not"
        ):
            model.inverse_dynamics(t, {"hinge.phi": series})


# --- laws -------------------------------------------------------------------------------------


def differentiated(source: Any) -> mk.Model:
    """Return a source whose rate is integrated."""
    model = mk.Model()
    model.source, model.der, model.sum = source, blocks.Der(), blocks.Integrator()
    model.source.y >> model.der.u
    model.der.y >> model.sum.u
    return model


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (blocks.Step(height=2.0, startTime=0.5), "jumps by 2 at t = 0.5 s"),
        (blocks.CombiTimeTable(table=((0, 0), (0.5, 0), (0.5, 1), (1, 1))), "jumps by 1"),
        (blocks.TimeFunction(f=lambda t: floor(t / 0.4)), "jumps by 1 at t = 0.4 s"),
        (blocks.Discrete(), "Discrete"),
    ],
)
def test_the_rate_of_a_jump_is_refused(source, words):
    with refused(ParameterError, "der", words, "Derivative"):
        differentiated(source).simulate(1.0)


def test_the_rate_of_a_kink_or_of_a_later_jump_is_right():
    ramp = blocks.Ramp(height=2.0, duration=0.4, startTime=0.2)
    assert differentiated(ramp).simulate(1.0)["sum.y"][-1] == pytest.approx(2.0, abs=1e-9)
    assert differentiated(blocks.Step(startTime=5.0)).simulate(1.0)["sum.y"][-1] == 0.0


def test_the_rate_of_a_jump_with_the_motion_is_told():
    for law, is_jump in ((lambda x: where(x > 0.1, 1.0, 0.0), True), (fabs, False)):
        model = pendulum()
        model.read = blocks.Expression(
            f=lambda motion, model=model, law=law: law(motion.variable(model.hinge, "phi"))
        )
        model.der = blocks.Der()
        model.read.y >> model.der.u
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            model.simulate(0.01)
        assert any(issubclass(one.category, JumpWarning) for one in seen) is is_jump


class Driving(FrictionLaw):
    def sliding(self, w):
        return self.level * (1.0 - w / 10.0)

    def holding(self):
        return self.level


class Weak(FrictionLaw):
    def sliding(self, w):
        return self.level

    def holding(self):
        return 0.5 * self.level


class Fading(FrictionLaw):
    def sliding(self, w):
        return self.level * maximum(0.0, 1.0 - w / 10.0)

    def holding(self):
        return 1.2 * self.level


class DrivingBearing(rot.BearingFriction):
    @staticmethod
    def resist(p, w):
        return 1.0 - w


def test_own_friction_laws_that_drive_are_refused():
    with refused(ParameterError, "friction.sliding", "it would drive"):
        mk.Revolute(friction=Driving(tau=1.0))
    with refused(ParameterError, "friction.sliding", "it holds only 0.5"):
        mk.Revolute(friction=Weak(tau=1.0))
    mk.Revolute(friction=Fading(tau=1.0))
    model = mk.Model()
    model.inertia, model.bearing = rot.Inertia(J=1.0, w=3.0), DrivingBearing()
    model.inertia.flange_b >> model.bearing.flange_a
    with refused(ParameterError, "bearing", "resist", "it would drive"):
        model.simulate(0.1)


def test_an_expression_that_nothing_reads_is_checked_all_the_same():
    model = pendulum()
    model.read = blocks.Expression(f=lambda motion: motion.variable(model.hinge, "phii"))
    with refused(UnknownNameError, "read", "'phii' of hinge", "'phi'"):
        model.simulate(0.01)


RNG = np.random.default_rng(0)


def noise() -> float:
    return float(RNG.normal())


@pytest.mark.parametrize(
    "law",
    [
        lambda t: t * random.random(),
        lambda t: t + np.random.normal(),
        lambda t: t + RNG.normal(),
        lambda t: t + noise(),
    ],
)
def test_random_numbers_in_laws_are_refused(law):
    model = mk.Model()
    model.source, model.sum = blocks.TimeFunction(f=law), blocks.Integrator()
    model.source.y >> model.sum.u
    with refused(ParameterError, "source", "random numbers", "one constant"):
        model.simulate(0.1)


def test_random_numbers_that_were_drawn_before_are_constants():
    drawn = noise()
    model = mk.Model()
    model.mass, model.force = tra.Mass(m=1.0), tra.Force()
    model.source = blocks.TimeFunction(f=lambda t: drawn + 0.0 * t)
    model.source.y >> model.force.f
    model.force.flange >> model.mass.flange_a
    assert model.simulate(0.1)["mass.a"][-1] == pytest.approx(drawn)


def test_forces_need_both_ends():
    for name in ("Force", "Torque", "SpringDamperParallel"):
        model = pendulum()
        model.force = getattr(forces, name)()
        model.connect(model.force.frame_b, model.rod.frame_b)
        with refused(PortError, "force.frame_a", "is connected to nothing"):
            model.simulate(0.01)
