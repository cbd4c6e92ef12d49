"""Mathematical blocks and functions: compiled, against NumPy's functions of the same names."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import motorik as mk
from motorik import blocks, functions
from motorik.algebra.dual import Dual
from motorik.errors import ParameterError
from motorik.exchange.modelica import read
from tests.refusals import refused

ONE = {
    "Abs": np.abs,
    "Sign": np.sign,
    "Sqrt": np.sqrt,
    "Sin": np.sin,
    "Cos": np.cos,
    "Tan": np.tan,
    "Asin": np.arcsin,
    "Acos": np.arccos,
    "Atan": np.arctan,
    "Sinh": np.sinh,
    "Cosh": np.cosh,
    "Tanh": np.tanh,
    "Exp": np.exp,
    "Log": np.log,
    "Log10": np.log10,
    "Power": np.exp,
}
TWO = {
    "Atan2": np.arctan2,
    "Max": np.maximum,
    "Min": np.minimum,
    "LinearDependency": lambda a, b: 2.0 * (1.0 + 3.0 * a - b),
}
NAMES = "sin cos tan arcsin arctan sinh cosh tanh arcsinh arctanh exp log log10 sqrt square".split()


@cache
def run() -> mk.Result:
    """Return a run of all blocks, driven by 0.5 + 0.4 sin and by a cosine."""
    model = mk.Model()
    model.u, model.v = blocks.Sine(f=1.0, amplitude=0.4, offset=0.5), blocks.Cosine(f=0.7)
    for name in ONE:
        block = getattr(blocks, name)()
        setattr(model, name, block)
        source = model.v if name in ("Abs", "Sign", "Atan") else model.u
        model.connect(source.y, block.u)
    for name in TWO:
        given = {"y0": 2.0, "k1": 3.0, "k2": -1.0} if name == "LinearDependency" else {}
        block = getattr(blocks, name)(**given)
        setattr(model, name, block)
        model.connect(model.u.y, block.u1)
        model.connect(model.v.y, block.u2)
    model.many = blocks.MatrixGain(K=((1.0, 2.0), (0.0, -1.0), (3.0, 0.5)))
    model.sum, model.range = blocks.MultiSum(k=(1.0, -2.0, 3.0)), blocks.MinMax(nu=3)
    model.product = blocks.MultiProduct(nu=3)
    model.connect(model.u.y, model.many.u[0])
    model.connect(model.v.y, model.many.u[1])
    for k in range(3):
        for block in (model.sum, model.range, model.product):
            model.connect(model.many.y[k], block.u[k])
    model.turns = blocks.Ramp(height=20.0, duration=1.0, offset=-10.0)
    model.wrapped, model.positive = blocks.WrapAngle(), blocks.WrapAngle(positiveRange=True)
    model.connect(model.turns.y, model.wrapped.u, model.positive.u)
    for name in NAMES:
        setattr(model, f"f_{name}", blocks.Function(f=getattr(functions, name)))
        model.connect(model.u.y, model.parts[f"f_{name}"].u)
    return model.simulate(1.0, output=np.linspace(0.003, 0.997, 37))


@pytest.mark.parametrize("name", ONE)
def test_functions_of_one_signal(name):
    u = run()["v.y" if name in ("Abs", "Sign", "Atan") else "u.y"]
    assert run()[f"{name}.y"] == pytest.approx(ONE[name](u), rel=1e-13, abs=1e-14)


@pytest.mark.parametrize("name", TWO)
def test_functions_of_two_signals(name):
    wanted = TWO[name](run()["u.y"], run()["v.y"])
    assert run()[f"{name}.y"] == pytest.approx(wanted, rel=1e-13, abs=1e-14)


def test_functions_of_many_signals():
    u, v = run()["u.y"], run()["v.y"]
    y = np.array([u + 2.0 * v, -v, 3.0 * u + 0.5 * v])
    assert run()["many.y"].T == pytest.approx(y, abs=1e-14)
    assert run()["sum.y"] == pytest.approx(y[0] - 2.0 * y[1] + 3.0 * y[2], abs=1e-13)
    assert run()["product.y"] == pytest.approx(y.prod(axis=0), abs=1e-13)
    assert run()["range.yMin"] == pytest.approx(y.min(axis=0), abs=1e-14)
    assert run()["range.yMax"] == pytest.approx(y.max(axis=0), abs=1e-14)


def test_angles_are_wrapped():
    u = run()["turns.y"]
    assert run()["wrapped.y"] == pytest.approx(np.angle(np.exp(1j * u)), abs=1e-12)
    assert run()["positive.y"] == pytest.approx(u % (2 * np.pi), abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_functions_have_the_names_of_numpy(name):
    own, of_numpy = getattr(functions, name), getattr(np, name)
    u = run()["u.y"]
    assert run()[f"f_{name}.y"] == pytest.approx(of_numpy(u), rel=1e-13, abs=1e-14)
    assert own(0.3) == pytest.approx(of_numpy(0.3), rel=1e-15)
    rate = own(Dual(0.3, 2.0)).rate  # the derivative, against central differences
    wanted = 2.0 * (of_numpy(0.3 + 1e-6) - of_numpy(0.3 - 1e-6)) / 2e-6
    assert rate == pytest.approx(wanted, rel=1e-8)


def test_functions_of_several_numbers():
    assert functions.hypot(3.0, 4.0) == 5.0
    assert [functions.clip(u, -1.0, 2.0) for u in (-3.0, 0.5, 3.0)] == [-1.0, 0.5, 2.0]
    assert functions.power(2.0, 3.0) == 8.0
    assert functions.ceil(1.2) == 2.0
    assert functions.arccosh(2.0) == pytest.approx(np.arccosh(2.0))
    assert functions.arccosh(Dual(2.0, 1.0)).rate == pytest.approx(1.0 / np.sqrt(3.0))


def test_a_logarithm_has_a_base():
    with refused(ParameterError, "base = 1", "another base"):
        blocks.Log(base=1.0)
    data = {"name": "x", "type": "Modelica.Blocks.Math.MultiSum", "modifiers": {"nu": "3"}}
    model = {"Own.M": {"components": [data], "connections": [], "extends": []}}
    assert read("Own.M", model).model.x.k == (1.0, 1.0, 1.0)
    data["type"], data["modifiers"] = "Modelica.Blocks.Math.UnitConversions.To_deg", {}
    assert read("Own.M", model).model.x.k == pytest.approx(np.degrees(1.0))
