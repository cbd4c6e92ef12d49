"""Source is read by parsing: plain models whole, the rest kept as text, malicious files safely."""

import ast
import importlib
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motorik.documents import Document
from motorik.documents.source import read_source, write_source
from motorik.documents.source.rest import is_same
from motorik.errors import FileFormatError, MotorikError
from tests.documents.models import walker

ROOT = Path(__file__).parents[2]
HEAD = "from motorik import *\n"


def scope(body: str, head: str = "") -> Document:
    """Return the document of the body of a build."""
    lines = "\n".join(f"        {line}" for line in body.strip().split("\n"))
    imports = "import math\nfrom motorik import Body, Model, Parameter, Revolute, World\n"
    imports += "from motorik import blocks, connect, guess, joints, rotational\n"
    imports += "from motorik.functions import sin\n"
    return read_source(
        f"{imports}{head}\nclass M(Model):\n    def build(self, a=0.5):\n{lines}\n"
    )


def arguments(document: Document, name: str = "x"):
    (part,) = [one for one in document.data["parts"] if one["id"] == name]
    return part.get("arguments", {})


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ("m=2.0", {"m": 2.0}),
        ("r_CM=(0, -a, 2 * a)", {"r_CM": [0, {"formula": "-a"}, {"formula": "2 * a"}]}),
        ("m=a * (a + 1)", {"m": {"formula": "a * (a + 1)"}}),
        ("m=math.pi / 2", {"m": {"formula": "pi / 2"}}),
        ("m=math.sin(a)", {"m": {"formula": "sin(a)"}}),
        ("m=math.radians(30)", {"m": {"formula": "deg(30)"}}),
        ("m=Parameter(1.0, unit='kg')", {"m": {"parameter": 1.0, "unit": "kg"}}),
        ("m=math.inf", {"m": {"number": "inf"}}),
        ("m=-math.inf", {"m": {"number": "-inf"}}),
        ("color='red'", {"color": "red"}),
        ("m=[1.0, 2.0][1]", {"m": 2.0}),
        ("m=2.0 if True else 3.0", {"m": 2.0}),
        ("m=half * 4", {"m": 2.0}),
        ("m=double(1.5)", {"m": 3.0}),
        ("m=FAR[0] + FAR[1]", {"m": 7.0}),
        ("**HEAVY", {"m": 9.0}),
    ],
)
def test_values_are_read_as_documents_have_them(given, value):
    head = (
        "half, FAR = 0.5, (3, 4)\nHEAVY = {'m': 9.0}\n"
        "def double(x, y=2):\n    return y * x\n"
    )
    document = scope(f"self.x = Body({given})", head)
    assert not document.losses
    assert is_same(arguments(document), value)


def test_loops_lists_helpers_and_base_classes_are_read():
    document = read_source(
        """
from motorik import Body, Model, Revolute, World

class Base(Model):
    def build(self, count=2):
        self.world = World()
        self.end = self.world.frame_b if False else None

    def hang(self, part):
        self.ground = self.world.frame_b
        return part

class Chain(Base):
    def build(self):
        super().build()
        self.links = [Body(m=1.0 + 0.5 * k) for k in range(3) if k != 1]
        self.hinges = [Revolute(phi=p) for p in (0.1, 0.2)]
        at = self.world.frame_b
        for hinge, link in zip(self.hinges, self.links, strict=True):
            at >> hinge.frame_a
            hinge.frame_b >> link.frame_a
            at = hinge.frame_b
"""
    )
    ids = [one["id"] for one in document.data["parts"]]
    assert ids == ["world", "links[1]", "links[2]", "hinges[1]", "hinges[2]"]
    assert arguments(document, "links[2]") == {"m": 2.0}
    assert document.data["connections"][2:] == [
        ["hinges[1].frame_b", "hinges[2].frame_a"],
        ["hinges[2].frame_b", "links[2].frame_a"],
    ]


def test_a_model_filled_from_outside_is_read():
    document = read_source(
        """
import motorik as mk
arm = mk.Model()
arm.world = mk.World()
arm.rev = mk.Revolute(useAxisFlange=True)
mk.connect(arm.world.frame_b, arm.rev.frame_a)
mk.blocks.Sine(f=2.0).y >> arm.motor.tau
result = arm.simulate(2.0, rtol=1e-8)
result.plot("rev.phi")
"""
    )
    assert [one["id"] for one in document.data["parts"]] == ["world", "rev"]
    assert document.data["run"] == {"stop_time": 2.0, "rtol": 1e-8}
    assert document.data["panels"][0]["variables"] == ["rev.phi"]
    (loss,) = document.losses
    assert "motor" in loss.text and "line 7" in loss.text


def test_what_cannot_be_read_is_kept_shown_and_written_again():
    source = """
import numpy as np
from motorik import Model, Revolute, World
SHARE = np.linspace(0, 1, 7)[3]
class M(Model):
    def build(self):
        self.world = World()
        self.rev = Revolute(phi=np.tanh(SHARE).item(), w=0.1)
        while len(self.parts) < 3:
            self.extra = World()
        self.world.frame_b >> self.rev.frame_a
"""
    document = read_source(source)
    assert arguments(document, "rev")["w"] == 0.1
    kept = arguments(document, "rev")["phi"]
    assert kept == {"unreadable": "np.tanh(SHARE).item()", "source": True}
    assert document.data["connections"] == [["world.frame_b", "rev.frame_a"]]
    texts = [one["text"] for one in document.data["unread"]]
    assert "import numpy as np" in texts and "SHARE = np.linspace(0, 1, 7)[3]" in texts
    loop = next(one for one in document.data["unread"] if one["text"].startswith("while"))
    assert (loop["in"], loop["after"], loop["line"]) == ("M", "rev", 9)
    assert {"line 8", "line 9"} <= {one.text[:6] for one in document.losses}
    written = write_source(document)
    assert (
        "phi=np.tanh(SHARE).item()" in written and "while len(self.parts) < 3:" in written
    )
    compile(written, "m.py", "exec")
    assert is_same(read_source(written).data["parts"], document.data["parts"])
    again = read_source(write_source(read_source(written)))
    assert [one["text"] for one in again.data["unread"]] == texts


def test_nothing_is_executed_and_nothing_of_users_imported(tmp_path, monkeypatch):
    trap = tmp_path / "trap_of_a_user.py"
    trap.write_text("raise SystemExit('imported')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    document = read_source(
        """
import os, trap_of_a_user
from trap_of_a_user import Arm
from motorik import Model
os.system("exit 1")
class M(Model):
    def build(self, x=os.getcwd()):
        self.arm = Arm(length=0.5)
        exec("raise SystemExit")
        self.b = __import__("trap_of_a_user").Arm()
"""
    )
    assert document.data["modules"] == ["trap_of_a_user"]
    assert document.data["parts"] == [
        {"id": "arm", "class": "trap_of_a_user:Arm", "arguments": {"length": 0.5}}
    ]
    assert len(document.losses) >= 3


MALICIOUS = {
    "brackets": "x = " + "(" * 5000 + ")" * 5000,
    "lists": "x = " + "[" * 100_000,
    "signs": "x = " + "-" * 100_000 + "1",
    "nots": "x = " + "not " * 100_000 + "1",
    "sums": "x = " + "1+" * 200_000 + "1",
    "attributes": "x = a" + ".b" * 100_000,
    "calls": "x = f" + "()" * 20_000,
    "numbers": "x = " + "9" * 100_000,
    "blocks": "\n".join(" " * k + "if x:" for k in range(500)),
    "lambdas": "x = " + "lambda: " * 50_000 + "1",
    "null": "x = 1\x00",
    "binary": b"\xff\xfe\x00\x01" * 100,
    "text": '"' + "a" * 100_000,
    "conditions": "x = " + "1 if 1 else " * 50_000 + "1",
    "words": "x = 1 " + "and 1 " * 100_000,
    "powers": HEAD + "class M(Model):\n  def build(self):\n    self.a = Body(m=9**9**9**9)",
}


@pytest.mark.parametrize("name", MALICIOUS)
def test_malicious_source_does_nothing(name):
    try:
        document = read_source(MALICIOUS[name])
    except FileFormatError as error:
        assert "source" in str(error)
    else:
        assert not document.data["connections"]


def test_loops_without_end_end():
    document = scope(
        "for a in range(10**9):\n    self.x = Body()\n"
        "for a in range(1000):\n    for b in range(1000):\n        pass\n"
        "self.y = Body(m=[k for k in range(400) for j in range(400)][0])"
    )
    assert not document.data["parts"] or document.data["parts"][0]["id"] == "y"
    assert len(document.losses) >= 2


def test_a_coding_line_and_a_byte_order_mark_are_no_matter():
    text = "# coding: rot13\nfrom motorik import Model, World\n"
    text += "class M(Model):\n    def build(self):\n        self.größe = World()\n"
    document = read_source(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert [one["id"] for one in document.data["parts"]] == ["größe"]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_broken_source_is_read_or_refused(data):
    """Characters taken out or put in anywhere: an error of motorik, or a document."""
    source = write_source(walker())
    for _ in range(data.draw(st.integers(1, 4))):
        k = data.draw(st.integers(0, len(source)))
        cut = data.draw(st.integers(0, 20))
        put = data.draw(st.sampled_from(["", "(", ")", "\n", " ", "self.", '"', "=", "#:"]))
        source = source[:k] + put + source[k + cut :]
    try:
        found = read_source(source)
    except MotorikError:
        return
    found.built()
    write_source(found)


# --- what the repository has --------------------------------------------------------------


def models_of(text: str) -> bool:
    return re.search(r"\(\w*\.?Model\):|\bModel\(\)", text) is not None


EXAMPLES = [
    str(file.relative_to(ROOT))
    for file in sorted((ROOT / "examples").rglob("*.py"))
    if "mobile" not in file.parts and models_of(file.read_text(encoding="utf-8"))
]
SHARE = 0.75
"""Of the examples, those that are read whole; others have functions and parts of their own."""


def read_example(name: str) -> Document:
    return read_source((ROOT / name).read_text(encoding="utf-8"))


def is_whole(document: Document) -> bool:
    return bool(document.data["parts"]) and not any(one.scope for one in document.losses)


@pytest.mark.slow
def test_most_examples_are_read_whole():
    whole = [name for name in EXAMPLES if is_whole(read_example(name))]
    assert len(whole) >= SHARE * len(EXAMPLES)


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["multibody", "rotational", "translational"])
def test_an_example_read_is_the_model_that_it_builds(folder):
    """By another route: the module is imported, its model built and taken as a document."""
    count = 0
    for name in EXAMPLES:
        if f"modelica/{folder}" not in name:
            continue
        document = read_example(name)
        if not is_whole(document):
            continue
        module = importlib.import_module(name.removesuffix(".py").replace("/", "."))
        real = Document.of(getattr(module, document.name)()).data
        mine = Document.of(document.build()).data
        assert {one["id"] for one in mine["parts"]} == {one["id"] for one in real["parts"]}
        values = {one["id"]: one.get("arguments", {}) for one in mine["parts"]}
        for one in real["parts"]:
            given = one.get("arguments", {})
            assert values[one["id"]].keys() == given.keys(), (name, one["id"])
            for key in given:
                near = close(values[one["id"]][key], given[key])
                assert near, (name, one["id"], key)
        lines = ({frozenset(c) for c in d["connections"]} for d in (mine, real))
        assert next(lines) == next(lines), name
        count += 1
    assert count >= 12


def close(a, b) -> bool:
    """Return whether two values are the same to rounding."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(close(a[key], b[key]) for key in a)
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == pytest.approx(b, rel=1e-14)
    return a == b


def snippets():
    """Yield the blocks of the documentation that build a model, with helpers before them."""
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        before: list[str] = []
        for block in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S):
            try:
                tree = ast.parse(block)
            except SyntaxError:
                continue
            makes = any(
                isinstance(one, ast.Call) and ast.unparse(one.func).endswith("Model")
                for node in tree.body
                if not isinstance(node, ast.FunctionDef)
                for one in ast.walk(node)
            ) or any(isinstance(n, ast.ClassDef) and models_of(block) for n in tree.body)
            if makes:
                yield page.name, "\n".join([*before, block]), block
            before += [
                ast.unparse(node)
                for node in tree.body
                if isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef))
            ]


@pytest.mark.slow
def test_snippets_that_build_a_model_of_known_parts_are_read():
    """Kept as text may be what uses a part of one's own, or an event or sampled function."""
    found = [*snippets()]
    own = re.compile(
        r"\((?!mk\.|Model)\w+\):|\.when\(|\.sample\(|\.nested\(|Domain\(|def f\("
    )
    for page, text, block in found:
        document = read_source(text)
        losses = [one.text for one in document.losses if one.scope]
        if not own.search(text):
            assert document.data["parts"] and not losses, (page, losses[:2], block[:200])
    assert len(found) > 60
