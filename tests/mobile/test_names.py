"""Names of state objects: given, several at once, or those of what they are assigned to."""

import copy
import pickle

import pytest

from motorik.errors import ParameterError
from motorik.mobile import (
    AngularVariable,
    ConstantStepDriver,
    Frame,
    InertiaTensor,
    LinearVariable,
    MutableAngle,
    MutableInertia,
    MutableRotation,
    MutableScalar,
    MutableVector,
    RotationMatrix,
    Vector,
    ZRotationMatrix,
    angular_variables,
    frames,
    linear_variables,
)

K9 = Frame()
KINDS = (
    *(Frame, AngularVariable, LinearVariable, MutableScalar, MutableAngle, MutableVector),
    *(MutableRotation, MutableInertia, RotationMatrix, ZRotationMatrix, InertiaTensor),
)


@pytest.mark.parametrize("kind", KINDS)
def test_an_object_has_the_name_that_it_is_assigned_to(kind):
    a = kind()
    b = c = kind()
    here = type("Here", (), {})()
    here.d = kind()
    several = [kind() for _ in range(2)]

    def outer():
        return a

    assert (a.name, b.name, here.d.name) == ("a", "b", "d")
    assert c is b and outer() is a
    assert [one.name for one in several] == ["", ""]
    assert kind(name="e").name == "e" and kind(name="").name == ""


def test_names_at_the_level_of_a_module_and_of_exec():
    assert K9.name == "K9"
    space = {"Frame": Frame}
    exec("K7 = Frame()\nclass Own(Frame):\n    pass\nK8 = Own()", space)
    assert (space["K7"].name, space["K8"].name) == ("K7", "K8")


def test_what_the_library_makes_has_no_name():
    R = RotationMatrix()
    S = R @ R
    a, b = MutableVector(), MutableVector()
    driver = ConstantStepDriver(AngularVariable(), 0.1)
    assert S.name == "" and a.name == "" and b.name == ""
    assert driver.variables[0].name == ""


def test_copies_keep_their_names():
    r = MutableVector(1, 2, 3)
    other, again = copy.copy(r), pickle.loads(pickle.dumps(r))
    assert other.name == again.name == "r"


def test_several_by_their_names():
    assert [K.name for K in frames("K0 K1, K2")] == ["K0", "K1", "K2"]
    assert [v.name for v in angular_variables(["phi", "psi"])] == ["phi", "psi"]
    (s,) = linear_variables("s")
    assert isinstance(s, LinearVariable) and s.unit == "m"
    for wrong in ("K0 K0", "K0 2", "class"):
        with pytest.raises(ParameterError, match="frames"):
            frames(wrong)


def test_an_inertia_tensor_of_three_numbers_is_that_of_its_diagonal():
    I = InertiaTensor(0.021, 0.004, 0.020)
    assert I.entries == InertiaTensor((0.021, 0.004, 0.020)).entries
    assert I @ Vector(1, 1, 1) == Vector(0.021, 0.004, 0.020)
    assert InertiaTensor(2.0, "theta").name == "theta" and I.name == "I"
    assert InertiaTensor(1, 2, 3, "J").entries == (1, 2, 3, 0, 0, 0)
