"""The tables of docs/mobile.md: every class and method of the guide, with what it is and a test."""

import ast
import importlib
import re
from functools import cache, reduce
from pathlib import Path

import pytest

import motorik
import motorik.mobile
from motorik.algebra import Vector
from motorik.compiler.native import find_host
from motorik.mobile import Subtask

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "mobile.md"
ROW = re.compile(
    r"^\| (Mo[\w, ]+) \| ([\d., ]+) \| (.+) \| (\[.+\]\(.+\)) \|$", re.MULTILINE
)

GUIDE = {
    "1.1": "Config Version Real RealStack Angle NullState Axis StateVariable VariableList "
    "Vector VectorStack Frame FrameList Matrix InertiaTensor RotationMatrix "
    "XYZRotationMatrix OutputGenerator",
    "1.2": "RigidLink ElementaryJoint ElementaryScrewJoint CylindricalJoint "
    "3DTranslationalJoint SphericalJoint FloatingBodyJoint InstantaneousScrew MapChain "
    "ConstantWrench LinearSpringDamper MassElement ConstantStepDriver",
    "1.3": "Chord3DOrientation Chord3DPosition Chord3DPose ChordPlanePlane ChordPlanePoint "
    "ChordPointPlane ChordPointPointLinear ChordPointPointQuadratic ChordList "
    "ConstraintSolver ExplicitConstraintSolver ImplicitConstraintSolver",
    "1.4": "EqmBuilder DynamicSystem AdamsIntegrator BDFIntegrator ExplicitEulerIntegrator "
    "RungeKuttaIntegrator StaticEquilibriumFinder",
    "1.5": "Scene Widget",
    "1.6": "Base BasicKTE Constraints Dynamics Graphics",
    "2.1": "Frame StateVariable RigidLink ElementaryJoint SphericalJoint Chord MassElement "
    "LinearSpringDamper",
    "3.1": "Angle AngularVariable AngularVariableList Frame FrameList InertiaTensor "
    "LinearVariable LinearVariableList Matrix NullState Real RealStack RotationMatrix "
    "StateVariable VariableList Vector VectorStack XRotationMatrix YRotationMatrix "
    "ZRotationMatrix XYZRotationMatrix",
    "4.1": "Map ElementaryJoint RigidLink ElementaryScrewJoint CompositeJoint SphericalJoint "
    "3DTranslationalJoint FloatingBodyJoint MapChain ForceElement ConstantWrench "
    "LinearSpringDamper Chord ChordPointPointQuadratic ChordPointPointLinear "
    "ChordPointPlane ChordList ConstraintSolver ExplicitConstraintSolver "
    "ImplicitConstraintSolver MassElement Integrator AdamsIntegrator "
    "ExplicitEulerIntegrator RungeKuttaIntegrator Driver ConstantStepDriver "
    "OutputGenerator",
}

METHOD_ROW = re.compile(
    r"^\| `([\w ]+)` \| ([\d.]+) \| `([\w.]+)`(.*) \| \[(.+)\]\((.+)#(\w+)\) \|$",
    re.MULTILINE,
)
METHODS = (
    "doMotion doForce cleanUpForces degrees radians sine cosine normalize getType getNext "
    "getPrevious rewind jumpToEnd selectBranch state buildEquations saveEquations "
    "solveEquations printMass printForce printAcceleration MassMatrix ForceVector getOrder "
    "giveYd giveActualConditions setActualConditions getNumberOfSteps setTimeInterval "
    "setStartTime setRelativeTolerance reset StepSize makeShape makeManipulator show mainLoop "
    "addAnimationObject setAnimationIncrement addSlider"
)
"""All methods and members that the guide calls or lists."""


@cache
def rows():
    """Return name, tables, objects and test (file, function) of each class in the document."""
    found = {}
    for names, tables, objects, link in ROW.findall(DOCUMENT.read_text(encoding="utf-8")):
        file, function = re.search(r"\((.+)#(\w+)\)", link).groups()
        paths = re.findall(r"`((?:motorik|builtins)[\w.]*)`", objects)
        for name in names.split(", "):
            assert name not in found, f"{name} has two rows"
            found[name] = (tables.split(", "), paths, file, function)
    return found


def resolve(path):
    """Return the object of a dotted path."""
    parts = path.split(".")
    for k in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:k]))
        except ModuleNotFoundError:
            continue
        return reduce(getattr, parts[k:], module)
    raise AssertionError(path)


@cache
def functions(file):
    """Return the source of each function of a test file by its name."""
    source = (DOCUMENT.parent / file).read_text(encoding="utf-8")
    nodes = (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef))
    return {node.name: ast.get_source_segment(source, node) for node in nodes}


@pytest.mark.parametrize("table", GUIDE)
def test_every_class_of_the_guide_has_a_row_that_names_its_table(table):
    for name in GUIDE[table].split():
        assert table in rows()[f"Mo{name}"][0], name


def test_no_row_names_a_table_in_which_its_class_is_not():
    for name, (tables, *_) in rows().items():
        if name != "MoMechanicalSystem":  # in the text of §6.2, beside MoDynamicSystem
            assert all(name.removeprefix("Mo") in GUIDE[t].split() for t in tables), name


def test_every_object_named_exists():
    for name, (_, paths, *_) in rows().items():
        assert paths, name
        for path in paths:
            assert resolve(path) is not None


@pytest.mark.slow
def test_every_test_named_exists():
    for name, (*_, file, function) in rows().items():
        assert function in functions(file), f"{name}: {file}#{function}"
        assert function.startswith("test_")


def method_rows():
    return METHOD_ROW.findall(DOCUMENT.read_text(encoding="utf-8"))


def test_every_method_of_the_guide_has_a_row():
    named = [name for name, *_ in method_rows()]
    assert sorted(set(named)) == sorted(named)
    assert set(METHODS.split()) <= set(named)


@pytest.mark.parametrize("row", method_rows(), ids=lambda row: row[0])
def test_a_method_exists_and_its_test_uses_it(row):
    *_, path, note, _, file, test = row
    resolve(path)
    source = functions(file)[test]
    name = path.rpartition(".")[2]
    if name.startswith("__"):  # of a loop or an index, which the note shows
        name = re.search(r"`(\w+)", note).group(1) if "`" in note else "for"
    assert re.search(rf"\b{name}\b", source), f"{test} does not use {name}"


def test_every_quantity_of_the_first_table_of_differences_exists():
    text = DOCUMENT.read_text(encoding="utf-8")
    for name in ("LOCAL", "GLOBAL", "BRYANT_ANGLES"):
        assert f"`{name}`" in text
        assert hasattr(motorik.mobile, name)
    for name in ("absolute", "relative", "absolute_difference", "relative_difference"):
        assert callable(getattr(motorik.mobile.ScalarChord, name))
    assert {b.name for b in motorik.mobile.ChordBranch} == {"I", "II", "III"}


def test_the_window_shows_public_names_alone_and_lists_all_of_them():
    mobile = motorik.mobile
    assert dir(mobile) == sorted(mobile.__all__)
    words = set(re.findall(r"\w+", mobile.__doc__))
    assert set(mobile.__all__) <= words


# what has no test elsewhere


def test_machine_and_version_are_known():
    assert re.fullmatch(r"\d+\.\d+\.\d+", motorik.__version__)
    assert find_host().lanes in (2, 4, 8)


def test_stacks_are_lists():
    stack = [Vector(1, 2, 3), 1.0]
    stack.append(2.0)
    assert [stack.pop(), stack.pop(), stack.pop().xyz] == [2.0, 1.0, (1.0, 2.0, 3.0)]


def test_groups_are_rooms():
    for room, names in {
        "motorik.algebra": "Angle Vector Matrix",
        "motorik.mobile": "Frame RigidLink ImplicitConstraintSolver VariableList EquationBuilder "
        "AdamsIntegrator StaticEquilibriumFinder Widget",
        "motorik.view": "draw write_movie",
    }.items():
        assert set(names.split()) <= set(importlib.import_module(room).__all__)


def test_subtasks_of_the_guide_are_subtasks():
    text = DOCUMENT.read_text(encoding="utf-8")
    named = re.findall(r"^\| `(?:DO|COMPUTE)_.+\| `Subtask\.(.+) \|$", text, re.MULTILINE)
    names = [name for row in named for name in re.findall(r"[A-Z_]{3,}", row)]
    assert len(names) == 19
    assert all(isinstance(Subtask[name], Subtask) for name in names)


def test_constants_of_the_guide_are_in_the_dictionary():
    text = DOCUMENT.read_text(encoding="utf-8")
    constants = (
        "DEG_TO_RAD RAD_TO_DEG xAxis yAxis zAxis REVOLUTE PRISMATIC SPHERE DO_ALL "
        "DO_NOTHING DO_ALL_BRANCHES MoNullvector MoNullMatrix MoIdentityMatrix"
    )
    rows = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| `")]
    for name in constants.split():
        assert any(re.search(rf"\b{name}\b", row) for row in rows), name
