"""Calls with missing and unfit arguments, in every public room: each is refused in words."""

from __future__ import annotations

import importlib
import inspect
import warnings
from dataclasses import fields

import numpy as np
import pytest

import motorik as mk
import motorik.mobile as mo
from motorik import rotational as rot
from motorik.errors import (
    FileFormatError,
    InitialValueError,
    LockWarning,
    MotorikError,
    OperatorError,
    ParameterError,
    SimulationError,
    UnitWarning,
    UnknownNameError,
)
from tests.refusals import refused

ROOMS = ("parts", "joints", "planar", "rotational", "translational", "forces", "blocks")
ROOMS += ("sensors", "assemblies", "constraints")
JUNK = ("abc", [1, 2], object(), {}, 1j, int, np.ones((2, 2)), float("nan"))


@pytest.mark.parametrize("room", ROOMS)
def test_every_parameter_of_every_part_takes_junk_or_refuses_it_in_words(room):
    module = importlib.import_module(f"motorik.{room}")
    kinds = [getattr(module, name) for name in module.__all__]
    parts = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, mk.Part)]
    assert parts
    for kind in parts:
        for name, parameter in inspect.signature(kind).parameters.items():
            if parameter.kind is not parameter.KEYWORD_ONLY:
                continue
            for junk in JUNK:
                try:
                    kind(**{name: junk})
                except MotorikError:
                    pass


def test_functions_without_their_values_say_what_is_missing():
    for call in (mk.guess, mk.load_result, mk.Parameter, mk.deg):
        with refused(ParameterError, "missing a required argument"):
            call()
    with refused(OperatorError, "sin: None is not a number"):
        mk.sin(None)
    with refused(OperatorError, "maximum: None and 1.0 are not two numbers"):
        mk.maximum(None, 1.0)
    assert np.isnan(mk.sqrt(-1.0)) and mk.exp(1e4) == np.inf  # as compiled


def test_runs_and_results_refuse_what_does_not_fit():
    model = mk.Model()
    model.world, model.hinge = mk.World(), mk.Revolute(n="z")
    model.body = mk.BodyShape(r=(1, 0, 0), m=1.0)
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.body.frame_a
    result = model.simulate(0.1)
    junk = (
        None,
        "abc",
        [1, 2],
        object(),
        {},
        1j,
        np.ones((2, 2)),
        (1,),
        True,
        float("nan"),
    )
    options = ("rtol", "method", "output", "interval", "step", "initial", "start_time")
    options += ("parameters", "strategy", "solver", "loops")
    calls = [lambda one, o=o: model.simulate(0.01, **{o: one}) for o in options]
    groups = {mk.SolverOptions: "solver", mk.LoopOptions: "loops"}
    calls += [
        lambda one, k=kind, o=o: model.simulate(0.01, **{groups[k]: k(**{o.name: one})})
        for kind in groups
        for o in fields(kind)
    ]
    names = ("sample", "at", "unit", "energy", "constraint_violation", "__getitem__")
    calls += [getattr(result, name) for name in names]
    calls += [model.scene, model.draw, model.simulator, model.branches, model.poses]
    calls += [lambda one: model.simulate(0.01, initial={"hinge.phi": one})]
    calls += [lambda one: model.simulate(0.01, parameters={"body.m": one})]
    for call in calls:
        for one in junk:
            try:
                call(one)
            except MotorikError:
                pass
    with refused(SimulationError, "too many positional arguments", "Write scene("):
        model.scene(3)
    for one in ("1", [1], np.ones(3), None, 1j):
        with refused(InitialValueError, "is not a finite number"):
            model.simulate(0.01, initial={"hinge.phi": one})


# --- MOBILE --------------------------------------------------------------------------------


def test_constructors_of_mobile_refuse_what_does_not_fit():
    a, b, phi = mo.Frame("a"), mo.Frame("b"), mo.AngularVariable("phi")
    wrong = [
        (lambda: mo.Frame(3), "Frame: name = 3 is not a text"),
        (lambda: mo.AngularVariable("phi", "1"), "q = '1' is not a number"),
        (lambda: mo.AngularVariable("phi", speed=1.0), "has no argument 'speed'"),
        (lambda: mo.ElementaryJoint(a, b), "missing a required argument: 'variable'"),
        (lambda: mo.RigidLink(1, b, (1, 2, 3)), "a = 1 is not a Frame"),
        (lambda: mo.Drive(a), "variable = Frame('a') is not a StateVariable"),
        (lambda: mo.Gravity("a"), "frame = 'a' is not a Frame"),
        (lambda: mo.AdamsIntegrator(phi), "AdamsIntegrator: system = "),
        (lambda: mo.AdamsIntegrator(), "missing a required argument: 'system'"),
        (lambda: mo.MutableScalar("x"), "value = 'x' is not a number"),
        (lambda: mo.VariableList(3), "states = 3 is not several"),
        (lambda: mo.ElementaryJoint(a, a, phi), "moves Frame('a') relative to itself"),
        (lambda: mo.RigidLink(a, a, (1, 0, 0)), "moves Frame('a') relative to itself"),
        (lambda: mo.ElementaryJoint(a, b, phi, (0, 0, 0)), "has length zero"),
        (lambda: mo.MapChain().motion("all"), "subtasks = 'all' is not a Subtask"),
        (lambda: mo.jacobian_by_rows(None, None, None), "is not a"),
    ]
    for call, words in wrong:
        error = UnknownNameError if "no argument" in words else ParameterError
        with refused(error, words):
            call()
    mo.ElementaryJoint(a, b, phi)


def test_degrees_are_noticed_in_mobile():
    with pytest.warns(UnitWarning, match=r"phi: q = 90 rad is 14.3 turns"):
        mo.AngularVariable("phi", q=90.0)
    with pytest.warns(UnitWarning, match="angle = 30 rad"):
        mo.MutableAngle(30.0)
    with pytest.warns(UnitWarning, match="angle = -90 rad"):
        mo.XRotationMatrix(-90)
    phi, s = mo.AngularVariable("phi"), mo.LinearVariable("s", q=90.0)
    frames = [mo.Frame(name) for name in "abc"]
    chain = mo.MapChain() << mo.ElementaryJoint(frames[0], frames[1], phi)
    chain << mo.ElementaryJoint(frames[1], frames[2], s)
    phi.q = 45.0
    with pytest.warns(UnitWarning, match="phi: q = 45 rad") as said:
        chain.motion()
    assert len(said) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chain.motion()  # it is said once
        mo.AngularVariable("phi", q=np.pi / 2)


# --- gears that contradict one another -------------------------------------------------------


def geared(*ratios: float, **start: float) -> mk.Model:
    """Return two shafts with one gear of each ratio between them."""
    model = mk.Model()
    model.a, model.b = rot.Inertia(J=1.0, **start), rot.Inertia(J=1.0)
    for k, ratio in enumerate(ratios):
        gear = rot.IdealGear(ratio=ratio)
        setattr(model, f"gear{k}", gear)
        model.connect(model.a.flange_b, gear.flange_a)
        model.connect(model.b.flange_a, gear.flange_b)
    return model


def test_gears_that_lock_one_another_are_named():
    words = r"gear0 and gear1 couple .* different ratios: .* 3 times .* gear1, and 2 times .* gear0"
    with pytest.warns(LockWarning, match=words) as said:
        result = geared(2.0, 3.0).simulate(0.1)
    assert len(said) == 1 and result["a.w"][-1] == 0.0
    with pytest.warns(LockWarning):
        assert "gear0 and gear1 couple" in geared(2.0, 3.0).explain()
    with refused(InitialValueError, "a: the fixed start value w", "gear0 and gear1 couple"):
        geared(2.0, 3.0, w=5.0).simulate(0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert geared(2.0, 2.0, w=1.0).simulate(0.1)["b.w"][-1] == pytest.approx(0.5)


def test_a_ring_of_gears_that_locks_is_named_with_all_its_gears():
    model = mk.Model()
    ratios = (2.0, 3.0, -1.0)
    for k, ratio in enumerate(ratios):
        setattr(model, f"shaft{k}", rot.Inertia(J=1.0))
        setattr(model, f"gear{k}", rot.IdealGear(ratio=ratio))
    for k in range(3):
        gear = getattr(model, f"gear{k}")
        getattr(model, f"shaft{k}").flange_b >> gear.flange_a
        gear.flange_b >> getattr(model, f"shaft{(k + 1) % 3}").flange_a
    with pytest.warns(LockWarning) as said:
        model.simulate(0.1)
    words = str(said[0].message)
    assert all(f"gear{k}" in words for k in range(3)) and "shaft" not in words


# --- files ------------------------------------------------------------------------------------


def test_a_csv_file_is_not_unfolded_beyond_its_lines(tmp_path):
    """Files without content of 20 GB, which take no place on the disc."""
    for name, begin in (
        ("a", b""),
        ("b", b"time,x\n0,1\n"),
        ("c", b"time,x\n" + b"1" * 999),
    ):
        path = tmp_path / f"{name}.csv"
        with path.open("wb") as file:
            file.write(begin)
            file.truncate(20_000_000_000)
        with refused(FileFormatError, "no list of names" if name == "a" else "longer than"):
            mk.load_result(path)
    (tmp_path / "d.csv").write_text("")
    with refused(FileFormatError, "the first column is `time`"):
        mk.load_result(tmp_path / "d.csv")
