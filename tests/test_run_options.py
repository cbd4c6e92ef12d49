"""What is asked of a model by its methods: names, shapes and numbers that make no sense."""

from __future__ import annotations

import inspect
import subprocess
import sys
import warnings
from dataclasses import fields

import numpy as np
import pytest

import motorik as mk
from motorik import UnusedOptionWarning, gallery, model, view
from motorik.errors import MotorikError, ParameterError, SimulationError, UnknownNameError
from motorik.view.plots import PlotOptions, plot_result
from motorik.view.render.options import DrawOptions, MovieOptions, PictureOptions
from tests.refusals import refused

GROUPS = {mk.SolverOptions: "solver", mk.LoopOptions: "loops"}
STILL = ([0.0], [0.0], [0.0])
BAR = "revolute1"  # a joint of the four-bar's loop


def pendulum() -> mk.Model:
    """Return a pendulum with a hinge `rev` and a body `body`."""
    model = mk.Model()
    model.world = mk.World()
    model.rev = mk.Revolute(n="z", phi=0.3)
    model.body = mk.Body(m=1.0, r_CM=(0.5, 0, 0))
    model.world.frame_b >> model.rev.frame_a
    model.rev.frame_b >> model.body.frame_a
    return model


# --- names of options -----------------------------------------------------------------------

MISSPELT = {
    "simulate": (lambda m: m.simulate(1.0, stepp=0.1), "stepp", "'step'"),
    "simulate, tolerance": (lambda m: m.simulate(1.0, tol=1e-3), "tol", "'rtol'"),
    "compile": (lambda m: m.compile(stratgy="auto"), "stratgy", "'strategy'"),
    "explain": (lambda m: m.explain(stratgy="auto"), "stratgy", "'strategy'"),
    "simulator": (lambda m: m.simulator(metod="rk4"), "metod", "'method'"),
    "branches": (lambda m: m.branches(intial={}), "intial", "'initial'"),
    "inverse_kinematics": (
        lambda m: m.inverse_kinematics({}, begin={}),
        "begin",
        "initial",
    ),
    "inverse_dynamics": (
        lambda m: m.inverse_dynamics([0.0], {"rev.phi": STILL}, drive=["rev.phi"]),
        "drive",
        "'drives'",
    ),
}


MISPLACED = {
    "simulate": model.IN_GROUPS,
    "simulator": model.IN_SOLVER,
    "manipulator": model.IN_LOOPS,
}


@pytest.mark.parametrize("method", MISPLACED)
def test_an_option_of_a_group_is_refused_with_its_place(method):
    given = (1.0,) if method == "simulate" else ()
    for name, remedy in MISPLACED[method].items():
        with refused(UnknownNameError, name, remedy):
            getattr(pendulum(), method)(*given, **{name: 1.0})
    every = {field.name for kind in GROUPS for field in fields(kind)}
    assert {*model.IN_SOLVER, *model.IN_LOOPS} == every


def test_a_start_is_that_of_states_or_of_time():
    with refused(UnknownNameError, "'start'", "initial={…}", "start_time"):
        pendulum().simulate(1.0, start={"rev.phi": 0.1})  # type: ignore[call-arg]
    with refused(UnknownNameError, "'stop'", "stop_time"):
        pendulum().simulate(stop=1.0)  # type: ignore[call-arg]


@pytest.mark.parametrize("kind", GROUPS)
def test_a_group_refuses_options_of_the_run_with_their_place(kind):
    name = "rtol" if kind is mk.SolverOptions else "strategy"
    with refused(UnknownNameError, name, f"simulate(…, {name}=…)"):
        kind(**{name: 1.0})
    with refused(SimulationError, "is not a", kind.__name__):
        pendulum().simulate(1.0, **{GROUPS[kind]: {"atol": 1.0}})


@pytest.mark.parametrize("name", MISSPELT)
def test_a_misspelt_option_is_refused_with_the_nearest_name(name):
    call, given, near = MISSPELT[name]
    with refused(UnknownNameError, given, near):
        call(pendulum())


def test_values_that_are_missing_or_not_named_are_refused():
    with refused(SimulationError, "simulate", "stop"):
        pendulum().simulate()  # type: ignore[call-arg]
    with refused(SimulationError, "simulate", "by name"):
        pendulum().simulate(1.0, 0.0, "rk4")  # type: ignore[call-arg]


def test_help_and_editors_see_the_options():
    told = inspect.signature(mk.Model.simulate).parameters
    assert {"stop_time", "rtol", "strategy"} <= set(told)
    assert "relative tolerance" in str(mk.Model.simulate.__doc__)


# --- options that make no difference --------------------------------------------------------


@pytest.mark.parametrize("strategy", ["explicit", "projected", "baumgarte"])
def test_a_strategy_without_loops_is_told_at_the_users_line(strategy):
    model = pendulum()
    with pytest.warns(UnusedOptionWarning, match="no loops") as caught:
        told = model.simulate(0.1, strategy=strategy)
    assert [w.filename for w in caught] == [__file__]
    np.testing.assert_array_equal(told.states, model.simulate(0.1).states)
    with pytest.warns(UnusedOptionWarning, match=strategy):
        model.compile(strategy)
    with pytest.warns(UnusedOptionWarning, match=strategy):
        model.simulate(0.1, strategy=strategy, parameters={"body.m": 2.0})


@pytest.mark.slow
def test_nothing_is_told_where_a_strategy_makes_a_difference_or_none_is_given():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pendulum().simulate(0.1)
        pendulum().simulate(0.1, strategy="auto")
        pendulum().simulate(0.1, strategy="absolute")  # bodies get coordinates of their own
        pendulum().inverse_dynamics([0.0], {"rev.phi": STILL})
        gallery.PlanarFourbar().simulate(0.1, strategy="projected")


@pytest.mark.parametrize("parameters", [None, {"body.m": 2.0}])
def test_gains_without_loops_are_refused(parameters):
    with refused(SimulationError, "gains", "no loops"):
        pendulum().simulate(
            1.0,
            strategy="baumgarte",
            loops=mk.LoopOptions(gains=(1.0, 1.0)),
            parameters=parameters,
        )


# --- values of the wrong kind ----------------------------------------------------------------

NAN = float("nan")
ON_PENDULUM = {  # what is called, and words of the refusal
    "rtol below rounding": (lambda m: m.simulate(1.0, rtol=1e-20), "rounding"),
    "parameters, a list": (lambda m: m.simulate(1.0, parameters=[]), "parameters"),
    "targets, a list": (lambda m: m.inverse_kinematics([1.0]), "targets"),
    "target, a word": (lambda m: m.inverse_kinematics({"rev.phi": "up"}), "up"),
    "target, no number": (lambda m: m.inverse_kinematics({"rev.phi": NAN}), "finite"),
    "kept, a list": (lambda m: m.inverse_kinematics({}, initial=[1.0]), "initial"),
    "kept, a word": (
        lambda m: m.inverse_kinematics({}, initial={"rev.phi": "up"}),
        "rev.phi",
    ),
    "time, a word": (lambda m: m.inverse_dynamics("now", {"rev.phi": STILL}), "time"),
    "time, no number": (lambda m: m.inverse_dynamics([NAN], {"rev.phi": STILL}), "time"),
    "motion, a list": (lambda m: m.inverse_dynamics([0.0], [STILL]), "motion"),
    "series, a number": (lambda m: m.inverse_dynamics([0.0], {"rev.phi": 3}), "series"),
    "series, a word": (
        lambda m: m.inverse_dynamics([0.0], {"rev.phi": (["up"], [0.0], [0.0])}),
        "rev.phi",
    ),
    "series, too long": (
        lambda m: m.inverse_dynamics([0.0, 1.0], {"rev.phi": ([0, 1, 2], [0], [0])}),
        "2 times",
    ),
}
ON_FOUR_BAR = {
    "strategy of a number": (lambda m: m.simulate(1.0, strategy={1: "projected"}), "1"),
    "strategies of many kinds": (
        lambda m: m.simulate(1.0, strategy={1: "projected", BAR: "projected"}),
        "1",
    ),
    "branch of a number": (
        lambda m: m.simulate(1.0, loops=mk.LoopOptions(branch={1: "up"})),
        "1",
    ),
    "branch, a number": (
        lambda m: m.simulate(1.0, loops=mk.LoopOptions(branch={"revolute2": 1})),
        "branch",
    ),
}


@pytest.mark.parametrize("name", ON_PENDULUM)
def test_values_of_the_wrong_kind_are_refused(name):
    call, word = ON_PENDULUM[name]
    with pytest.raises((ParameterError, SimulationError)) as caught:
        call(pendulum())
    assert word in str(caught.value)


@pytest.mark.parametrize("name", ON_FOUR_BAR)
def test_names_of_the_wrong_kind_are_refused(name):
    call, word = ON_FOUR_BAR[name]
    with pytest.raises(MotorikError) as caught:
        call(gallery.PlanarFourbar())
    assert word in str(caught.value)


@pytest.mark.parametrize("name", [1, None, ("rev", "phi")])
def test_a_variable_that_is_no_name_is_refused(name):
    result = pendulum().simulate(0.1, output=2)
    with pytest.raises(UnknownNameError):
        result.compute([name])


# --- names of the package ---------------------------------------------------------------------


@pytest.mark.slow
def test_modules_that_are_imported_late_are_listed_and_found_by_their_name():
    script = (
        "import sys, motorik as mk\n"
        "late = ('checks', 'exchange', 'gallery', 'mobile', 'planar', 'view')\n"
        "assert not [n for n in late if f'motorik.{n}' in sys.modules]\n"
        "assert set(late) <= set(dir(mk))\n"
        "assert mk.gallery.Pendulum and mk.view.draw and mk.SolverOptions\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("name", ["plot", "draw", "write_movie"])
def test_editors_know_all_options_of_pictures(name):
    """The options that methods of results pass on are those of the functions."""
    function = plot_result if name == "plot" else getattr(view, name)
    typed = {"plot": PlotOptions, "draw": DrawOptions, "write_movie": MovieOptions}[name]
    own = inspect.signature(function).parameters.values()
    named = {p.name for p in own if p.kind is p.KEYWORD_ONLY}
    more = set() if name == "plot" else set(PictureOptions.__annotations__)
    assert named | more == set(typed.__annotations__)
