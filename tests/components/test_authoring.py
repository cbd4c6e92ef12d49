"""What authors of parts use: the example of `motorik.authoring`, completion, public names."""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import motorik as mk
from motorik import authoring
from motorik.authoring import DeclaredPart, kinds, parameter, start
from motorik.errors import ParameterError
from motorik.names import LAZY
from tests.refusals import refused

PUBLIC = (
    "motorik",
    "motorik.algebra",
    "motorik.assemblies",
    "motorik.authoring",
    "motorik.blocks",
    "motorik.checks",
    "motorik.constraints",
    "motorik.elements",
    "motorik.errors",
    "motorik.forces",
    "motorik.functions",
    "motorik.gallery",
    "motorik.joints",
    "motorik.mobile",
    "motorik.parts",
    "motorik.planar",
    "motorik.results",
    "motorik.rotational",
    "motorik.sensors",
    "motorik.translational",
    "motorik.units",
)


def example() -> dict:
    """Return the names that the example in the docstring makes."""
    text = inspect.getdoc(authoring) or ""
    code = re.search(r"::\n\n((?:    .*\n|\n)+)", text)
    assert code is not None
    names: dict = {"__name__": authoring.__name__}  # where its kinds are known
    exec(textwrap.dedent(code[1]), names)
    return names


def test_the_example_of_authoring_runs_and_swings_as_its_equation_says():
    result = example()["result"]
    t = np.asarray(result.time)
    exact = solve_ivp(
        lambda t, x: [x[1], -4.0 * x[0] ** 3], (0, 1), [1.0, 0.0], t_eval=t, rtol=1e-10
    )
    np.testing.assert_allclose(result["wheel.phi"], exact.y[0], atol=1e-5)
    np.testing.assert_allclose(result["spring.phi"], result["wheel.phi"], atol=1e-12)


class Bar(DeclaredPart):
    """A part whose parameters have kinds."""

    L: kinds.Length = parameter("length", default=1.0)
    k: kinds.Stiffness = parameter("stiffness", unit="N/mm", default=1.0)
    phi: kinds.StartAngles = start("angles")


def test_the_annotation_says_unit_limits_and_size():
    assert Bar.specs["L"].unit == "m"
    assert Bar.specs["k"].unit == "N/mm", "a unit that is given counts"
    assert Bar.specs["phi"].size == 3 and Bar.specs["phi"].unit == "rad"
    with refused(ParameterError, "Bar", "L = 0.0 m", "above 0"):
        Bar(L=0.0)
    assert "L [m] = 1.0: length" in (Bar.__doc__ or "")
    assert (kinds.Length.above, kinds.Mass.minimum, kinds.Mass.unit) == (0.0, 0.0, "kg")


def test_a_kind_that_is_not_known_is_refused_when_the_class_is_made():
    with pytest.raises((ParameterError, RuntimeError)) as caught:

        class Wrong(DeclaredPart):
            L: lengths.Length = parameter("length", default=1.0)  # noqa: F821

    error = caught.value.__cause__ or caught.value
    assert "lengths.Length" in str(error) and "kinds" in str(error)


def test_completion_lists_ports_parameters_and_parts():
    class Arm(mk.Model):
        def build(self):
            self.hinge = mk.Revolute()

    assert {"frame_a", "axis", "n", "phi", "useAxisFlange"} <= set(dir(mk.Revolute()))
    assert {"hinge", "simulate", "connect"} <= set(dir(Arm()))


def test_completion_of_results_lists_variables():
    model = mk.Model()
    model.world, model.hinge, model.body = (
        mk.World(),
        mk.Revolute(),
        mk.Body(r_CM=(1, 0, 0)),
    )
    mk.connect(model.world.frame_b, model.hinge.frame_a)
    mk.connect(model.hinge.frame_b, model.body.frame_a)
    offered = model.simulate(0.1)._ipython_key_completions_()
    assert {"hinge.phi", "body.frame_a.r_0"} <= set(offered)


@pytest.mark.parametrize("name", PUBLIC)
def test_public_modules_say_what_is_public(name):
    module = importlib.import_module(name)
    names = module.__all__
    assert [*names] == sorted(set(names), key=names.index), "each name once"
    assert not any(one.startswith("_") for one in names)
    for one in names:
        assert getattr(module, one) is not None or one == "None"
    assert inspect.getdoc(module)


@pytest.mark.parametrize("name", PUBLIC)
def test_completion_of_a_public_module_shows_public_names_alone(name):
    module = importlib.import_module(name)
    later = LAZY if name == "motorik" else ()
    shown = {one for one in dir(module) if not one.startswith("_")}
    assert shown == {*module.__all__, *later}
