"""The recipes of CONTRIBUTING.md, done literally: a file of a new kind, and what proves it."""

import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import motorik as mk
from motorik.algebra.pose import Pose
from motorik.algebra.vector import Vector
from motorik.checks import check_joint
from motorik.compiler.kernels import native
from motorik.errors import MotorikError
from motorik.simulation.integration import make_integration
from motorik.simulation.methods import tables
from motorik.simulation.methods.runge_kutta import make_runge_kutta
from tests.simulation.ode_problems import ROTATION

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

JOINT = '''
from dataclasses import dataclass

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.scalar import arctan2
from motorik.algebra.vector import ZERO, Vector, X, Z
from motorik.elements.joint import Coordinate, Joint


@dataclass(frozen=True)
class Boom(Joint):
    """Turns b about z by φ and moves it out along its own x axis by s."""

    coordinates = (Coordinate("phi", "rad"), Coordinate("s", "m"))
    speeds = (Coordinate("w", "rad/s"), Coordinate("v", "m/s"))

    def pose(self, phi, s):
        R = rotation_about(Z, phi)
        return Pose(R, R @ Vector(s, 0.0, 0.0))

    def screws(self, phi, s):
        return Motor(Z, Vector(0.0, s, 0.0)), Motor(ZERO, X)

    def fit(self, X_ab):
        R = X_ab.R
        phi = arctan2((R @ X).y, (R @ X).x)
        return phi, (R.T @ X_ab.p).x
'''

PART = '''
from motorik.components.base.contributions import JointBetween
from motorik.components.base.part import Part, Variable, frame, start

from boom import Boom


class Crane(Part):
    """A boom that turns and telescopes."""

    frame_a = frame("at the mast")
    frame_b = frame("at the tip")
    phi = start("angle", "rad")
    s = start("length", "m")
    w = start("angular velocity", "rad/s")
    v = start("speed of the telescope", "m/s")

    def contributions(self, p):
        starts, speeds = (self.phi, self.s), (self.w, self.v)
        names, rates = ("phi", "s"), ("w", "v")
        yield JointBetween(self.frame_a, self.frame_b, Boom(), names, rates, starts, speeds)

    def variables(self, p):
        return {"s": Variable(lambda motion: motion.coordinate(self, "s"), "m", "length")}
'''

CONSTRAINT = '''
from motorik.components.joints.constraints import VectorJoint


class PinInSlot(VectorJoint):
    """The origin of frame_b stays on the x axis of frame_a."""

    units = ("m", "m")

    def residual(self, p, X_a, X_b):
        r = X_a.R.T @ (X_b.p - X_a.p)
        return r.y, r.z
'''

METHOD = '''
"""Heun's method of order 2, its error by that of Euler."""

from motorik.simulation.methods.tableau import Tableau

TABLE = Tableau(
    "heun",
    "Heun 2(1)",
    order=2,
    nodes=(1.0,),
    stages=((1.0,),),
    weights=(1 / 2, 1 / 2),
    errors={1: (-1 / 2, 1 / 2)},
)
'''


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return what writes a file into a package of the user's own and imports it."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)

    def write(name: str, text: str):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        importlib.invalidate_caches()
        return importlib.import_module(name)

    yield write
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(tmp_path) in str(
            sys.modules[name].__file__
        ):
            del sys.modules[name]


def recipe(title: str) -> str:
    """Return the text of one recipe."""
    match = re.search(rf"^## How to add {title}\n(.*?)(?=^## )", TEXT, re.DOTALL | re.M)
    assert match is not None, title
    return match[1]


def test_every_path_that_a_recipe_names_is_there():
    folders = ("src/motorik/", "tests/", "")
    inner = [
        p for p in (ROOT / "src" / "motorik").rglob("*") if "__pycache__" not in str(p)
    ]
    others = [p for name in ("tests", "scripts") for p in (ROOT / name).rglob("*")]
    known = {p.relative_to(ROOT).as_posix() for p in [*inner, *others]}
    text = TEXT[TEXT.index("## How to add") :]
    named = set(re.findall(r"`((?:[a-z_]+/)*[a-z_0-9]+(?:\.py|/))`", text))
    assert len(named) > 12
    lost = [
        name
        for name in named
        if not any(path.endswith(f"/{name.rstrip('/')}") for path in known)
        and not any(f"{folder}{name.rstrip('/')}" in known for folder in folders)
    ]
    assert not lost


@pytest.mark.slow
def test_a_joint_is_a_pose_its_screws_and_a_fit(package):
    assert "check_joint" in recipe("a joint")
    boom = package("boom", JOINT).Boom()
    assert max(check_joint(boom).values()) < 1e-12
    wrong = package("wrong_boom", JOINT.replace("Vector(0.0, s, 0.0)", "ZERO")).Boom()
    with pytest.raises(MotorikError, match="the screws are the rate of the pose"):
        check_joint(wrong)


def swing(model: mk.Model, *parts: mk.Part) -> mk.Model:
    """Return the model with a body at the end of parts in a row from the world."""
    model.world = mk.World(n=(0, -1, 0))
    at = model.world.frame_b
    for number, part in enumerate((*parts, mk.Body(m=2.0, I_11=0.3, I_22=0.3, I_33=0.3))):
        setattr(model, f"part{number}", part)
        mk.connect(at, part.frame_a)
        at = getattr(part, "frame_b", None)
    return model


def test_a_part_says_what_it_is_physically(package):
    assert "contributions" in recipe("a component")
    package("boom", JOINT)
    crane = package("crane", PART).Crane(phi=0.4, s=0.7, w=1.0, v=0.2)
    made = swing(mk.Model(), crane).simulate(0.5, rtol=1e-9)
    known = swing(
        mk.Model(), mk.Revolute(phi=0.4, w=1.0), mk.Prismatic(n=(1, 0, 0), s=0.7, v=0.2)
    ).simulate(0.5, rtol=1e-9)
    np.testing.assert_allclose(made["part0.s"], known["part1.s"], rtol=0, atol=1e-9)
    assert made["part0.s"][-1] != pytest.approx(0.7, abs=1e-3)


def test_a_constraint_is_rows_that_vanish(package):
    assert "VectorJoint" in recipe("a constraint")
    slot = package("pin_in_slot", CONSTRAINT).PinInSlot()
    held = slot.constraint(None)
    for p, is_closed in ((Vector(0.3, 0.0, 0.0), True), (Vector(0.3, 0.2, 0.0), False)):
        rows = np.array(held.to_solve(Pose(), Pose(p=p)), dtype=float)
        gap = max(held.measured(Pose(), Pose(p=p)))
        assert (np.abs(rows).max() < 1e-12) == (gap < 1e-12) == is_closed
    model = mk.Model()
    model.world = mk.World(n=(0, -1, 0))
    model.tilt = mk.FixedRotation(n=(0, 0, 1), angle=mk.deg(-30))
    model.slot = slot
    model.bead = mk.PointMass(m=0.5)
    mk.connect(model.world.frame_b, model.tilt.frame_a)
    mk.connect(model.tilt.frame_b, slot.frame_a)
    mk.connect(slot.frame_b, model.bead.frame_a)
    result = model.simulate(1.0)
    # down a slope of 30°: half of gravity along it
    way = 0.5 * 0.5 * 9.80665 * result.time**2
    np.testing.assert_allclose(
        result["bead.r_0[1]"], way * np.cos(np.pi / 6), rtol=0, atol=1e-5
    )
    np.testing.assert_allclose(
        result["bead.r_0[2]"], -way * np.sin(np.pi / 6), rtol=0, atol=1e-5
    )


FOLLOWED = ("a joint", "a force law with states", "a friction law", "a loop strategy")


def followed(title: str, copy: Path) -> None:
    """Do what the blocks of a recipe say in a copy of the repository: the first line says where."""
    for block in re.findall(r"```python\n(.*?)```", recipe(title), re.DOTALL):
        head, _, body = block.partition("\n")
        place, _, name = head.removeprefix("# ").partition(": ")
        path = copy / name if name else copy / "proof.py"
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        if place in ("new file", "proof"):
            assert not before, f"{path} exists"
            text = body
        elif place == "at the end of":
            text = f"{before}\n\n{body}"
        elif place == "export in":
            _, home, _, exported = body.split()
            text = before.replace("__all__ = [\n", f'__all__ = [\n    "{exported}",\n', 1)
            text = text.replace(
                "_HOMES = {\n", f'_HOMES = {{\n    "{home}": ("{exported}",),\n'
            )
            assert text.count(exported) == 2, "the name, and its home"
        else:
            table = place.removeprefix("in ").removesuffix(" of")
            text = before.replace(f"{table} = {{\n", f"{table} = {{\n{body}", 1)
        assert text != before
        path.write_text(text, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("title", FOLLOWED)
def test_a_recipe_works_when_followed_by_the_letter(title, tmp_path):
    for folder in ("src/motorik", "scripts", "docs/catalogue"):
        unfinished = shutil.ignore_patterns("*.pyc.*")  # bytecode of another process
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=unfinished)
    followed(title, tmp_path)
    paths = {"PYTHONPATH": os.pathsep.join(map(str, (tmp_path / "src", tmp_path)))}
    done = subprocess.run(
        [sys.executable, "proof.py"],
        cwd=tmp_path,
        env=os.environ | paths,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_method_is_a_file_with_a_table(tmp_path, monkeypatch):
    assert "Tableau" in recipe("an integrator")
    (tmp_path / "heun.py").write_text(METHOD, encoding="utf-8")
    monkeypatch.setattr(tables, "__path__", [*tables.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    found = tables.Tables()
    assert set(found) == {*tables.TABLES, "heun"}
    for adaptive in (True, False):
        method = make_runge_kutta(found["heun"], adaptive=adaptive)
        sys.modules.pop(f"{tables.__name__}.heun", None)
        errors = []
        for h in (0.01, 0.005):
            run = make_integration(
                method, native(ROTATION.rhs), ROTATION.start, atol=1e30, step=h, max_step=h
            )
            run.advance(1.0, grid=[0.503])
            errors.append(np.abs(run.state - ROTATION.solution(np.array(1.0))).max())
            assert np.abs(run.samples[0] - ROTATION.solution(np.array(0.503))).max() < 1e-4
        assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.05)
