"""Every operator on every pair of kinds: a result by a stated law, or an error with a remedy."""

from __future__ import annotations

import itertools
import operator

import casadi
import numpy as np
import pytest

from motorik.algebra import (
    Acceleration,
    Angle,
    Force,
    Inertia,
    Momentum,
    Motor,
    Orientation,
    Pose,
    Quaternion,
    Symmetric,
    Vector,
    Velocity,
    X,
    Y,
    Z,
    rotation_about,
)
from motorik.errors import MotorikError, OperatorError

R = rotation_about(Vector(0.48, 0.64, 0.6), 0.7)
BODY = Inertia.of_body(2.0, (0.1, 0.2, 0.3), Symmetric(0.4, 0.5, 0.6, 0.1))
VALUES = {
    "number": 2.5,
    "whole": 3,
    "symbol": casadi.SX.sym("q"),
    "array": np.array([1.0, 2.0, 3.0]),
    "list": [1.0, 2.0, 3.0],
    "tuple": (1.0, 2.0, 3.0),
    "text": "z",
    "nothing": None,
    "Vector": Vector(1.0, 2.0, 3.0),
    "Matrix": R,
    "Symmetric": Symmetric(1.0, 2.0, 3.0, 0.4),
    "Quaternion": Quaternion.about(Z, 0.3),
    "Angle": Angle(0.3),
    "Motor": Motor(X, Y),
    "Velocity": Velocity(X, Y),
    "Acceleration": Acceleration(Y, Z),
    "Force": Force(Y, X),
    "Momentum": Momentum(Y, X),
    "Pose": Pose(R, X),
    "Orientation": Orientation(R, X),
    "Dyad": BODY.dyad(),
    "Inertia": BODY,
}
SCALARS = {"number", "whole", "symbol", "array"}
KINDS = {"Velocity", "Acceleration", "Force", "Momentum"}
MOTORS = {"Motor", *KINDS}
SCALED = {
    "Vector",
    "Matrix",
    "Symmetric",
    "Quaternion",
    "Angle",
    "Dyad",
    "Inertia",
    *MOTORS,
}
MOTIONS, LOADS = {"Velocity", "Acceleration"}, {"Force", "Momentum"}


def laws() -> dict[tuple[str, str, str], str]:
    """Return the kind of every result that has a meaning."""
    found = {}
    for kind in SCALED:
        found |= {("+", kind, kind): kind, ("-", kind, kind): kind}
        for a in SCALARS:
            found |= {("*", kind, a): kind, ("*", a, kind): kind, ("/", kind, a): kind}
    for kind in MOTORS:
        for sign in "+-":
            found |= {(sign, kind, "Motor"): kind, (sign, "Motor", kind): kind}
    for a, b in itertools.product(MOTORS, MOTORS):
        if not ({a, b} <= MOTIONS or {a, b} <= LOADS):
            found["@", a, b] = "number"
        found["^", a, b] = "Motor"
    found["^", "Velocity", "Velocity"] = "Acceleration"
    found["^", "Velocity", "Momentum"] = "Force"
    for sign in "+-":
        found[sign, "Matrix", "Symmetric"] = "Matrix"
        for a in ("number", "whole", "symbol", "array"):
            found |= {(sign, "Angle", a): "Angle", (sign, a, "Angle"): "Angle"}
    return found | {
        ("@", "Matrix", "Vector"): "Vector",
        ("@", "Matrix", "Matrix"): "Matrix",
        ("@", "Matrix", "Symmetric"): "Matrix",
        ("@", "Symmetric", "Vector"): "Vector",
        ("@", "Quaternion", "Quaternion"): "Quaternion",
        ("@", "Pose", "Pose"): "Pose",
        ("@", "Dyad", "Dyad"): "Dyad",
    }


LAWS = laws()
OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "@": operator.matmul,
    "^": operator.xor,
    "**": operator.pow,
    "//": operator.floordiv,
    "%": operator.mod,
    "&": operator.and_,
    "|": operator.or_,
}
OURS = [name for name in VALUES if name[0].isupper()]
PAIRS = [(a, b) for a in VALUES for b in VALUES if a in OURS or b in OURS]


@pytest.mark.parametrize("sign", OPERATORS)
def test_each_pair_has_a_law_or_an_error_that_helps(sign):
    for a, b in PAIRS:
        if (sign, a) == ("%", "text"):
            continue  # the format operator of Python's texts
        try:
            result = OPERATORS[sign](VALUES[a], VALUES[b])
        except OperatorError as error:
            assert isinstance(error, TypeError) and isinstance(error, MotorikError)
            assert (sign, a, b) not in LAWS, f"{a} {sign} {b} is refused: {error}"
            assert len(error.remedy) > 8 and " " in error.place, (a, sign, b)
        else:
            assert (sign, a, b) in LAWS, f"{a} {sign} {b} gave {result!r}"
            expected = LAWS[sign, a, b]
            if expected == "number":
                assert isinstance(result, float)
            else:
                assert type(result).__name__ == expected, f"{a} {sign} {b}"


def test_every_law_is_met():
    assert len(LAWS) > 150
    assert all(sign in OPERATORS and (a, b) in PAIRS for sign, a, b in LAWS)


@pytest.mark.parametrize("sign", [operator.lt, operator.le, operator.gt, operator.ge])
def test_only_angles_have_an_order(sign):
    assert isinstance(sign(Angle(0.3), Angle(0.4)), bool)
    for name in OURS:
        if name != "Angle":
            with pytest.raises(OperatorError):
                sign(VALUES[name], VALUES[name])


@pytest.mark.parametrize("name", OURS)
def test_equal_means_equal_components(name):
    value = VALUES[name]
    twin = type(value)(*(getattr(value, part) for part in value._leaves))
    assert twin is not value and twin == value and hash(twin) == hash(value)
    assert not (twin != value)
    for other_name, other in VALUES.items():
        if other_name in OURS and other_name != name and "Motor" not in (name, other_name):
            assert value != other


def test_vectors_that_differ_are_unequal_and_sequences_are_refused():
    v = Vector(1.0, 2.0, 3.0)
    assert v != v.replace(z=4.0) and v != 1.0 and v is not None
    for bare in ([1.0, 2.0, 3.0], (1.0, 2.0, 3.0), np.ones(3)):
        for compare in (lambda b=bare: v == b, lambda b=bare: b == v):
            with pytest.raises(OperatorError, match=r"Vector\.of"):
                compare()
    q = casadi.SX.sym("q")
    assert Vector(q, 1.0, 2.0) == Vector(q, 1.0, 2.0)
    assert Vector(q, 1.0, 2.0) != Vector(q, 1.0, 3.0)
    with pytest.raises(OperatorError, match="symbols and arrays cannot be compared"):
        _ = Vector(q, 1.0, 2.0) == Vector(2 * q, 1.0, 2.0)


@pytest.mark.parametrize("name", OURS)
def test_no_value_is_true_or_a_sequence(name):
    value = VALUES[name]
    if name == "Angle":
        assert value and not Angle(0.0)
    else:
        with pytest.raises(OperatorError, match="neither true nor false"):
            bool(value)
    for use in (len, list, lambda v: v[0], lambda v: 1.0 in v):
        with pytest.raises(OperatorError, match="is not a sequence"):
            use(value)
    assert np.asarray(value, dtype=object).shape == ()
