"""Links that are drawn in the 3-D view: what they make of a document."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from motorik.documents import Document
from motorik.documents.changes import copied
from motorik.documents.history import EditHistory
from motorik.errors import ParameterError
from motorik.view.studio.scenes import Preview, preview
from motorik.view.studio.sketch import Sketch


class Board:
    """A document on which links are drawn."""

    def __init__(self) -> None:
        self.history = EditHistory(copied(Document().data))

    @property
    def seen(self) -> Preview:
        return preview(copied(self.history.data))

    def sketch(self) -> Sketch:
        seen = self.seen
        return Sketch(self.history.data, seen.built.model, seen.places)

    def apply(self, sketch: Sketch) -> None:
        self.history.apply({"op": "batch", "operations": sketch.operations})

    def link(self, begin: object, end: object, hold: str = "free", **given: Any) -> str:
        sketch = self.sketch()
        tip = sketch.link(pin(begin), pin(end), hold=hold, **given)
        self.apply(sketch)
        return tip

    def move(self, ports: list[str], to: list[float]) -> None:
        sketch = self.sketch()
        sketch.move(ports, to)
        self.apply(sketch)

    def at(self, port: str) -> np.ndarray:
        return self.sketch().poses[port].p.numpy()

    def at_pin(self, port: str) -> list[str]:
        """Return all frames at the place of one."""
        poses = self.sketch().poses
        here = poses[port].p.numpy()
        return [k for k, X in poses.items() if np.allclose(X.p.numpy(), here, atol=1e-9)]

    def is_closed(self) -> bool:
        said = self.seen.diagnostics
        return not said["items"] and not said["open"]

    def freedoms(self) -> int:
        return self.seen.diagnostics["freedoms"]


def pin(given: object) -> dict[str, Any]:
    return {"ports": [given]} if isinstance(given, str) else {"at": given}


def four_bar(**given: Any) -> tuple[Board, list[str]]:
    board = Board()
    a = board.link([0.0, 0.0, 0.0], [0.1, 0.2, 0.0], **given)
    b = board.link(a, [0.4, 0.35, 0.0], **given)
    c = board.link(b, [0.5, 0.0, 0.0], "pivot", **given)
    return board, [a, b, c]


def test_a_four_bar_is_three_links_to_the_ground():
    board, tips = four_bar()
    assert board.is_closed()
    assert board.freedoms() == 1
    assert np.allclose(board.at(tips[1]), [0.4, 0.35, 0.0])
    result = Document(board.history.data).build().simulate(0.5)
    assert result.complete
    # the crank keeps its length, whatever the motion is
    path = result["revolute2.frame_a.r_0"]
    assert np.allclose(np.linalg.norm(path, axis=1), math.hypot(0.1, 0.2), rtol=1e-6)


@pytest.mark.parametrize("hold, freedoms", [("free", 2), ("slider", 1), ("fixed", 0)])
def test_the_end_of_a_link_is_held(hold, freedoms):
    board = Board()
    a = board.link([0.0, 0.0, 0.0], [0.1, 0.0, 0.0])
    board.link(a, [0.3, 0.0, 0.0], hold)
    assert board.freedoms() == freedoms


def test_a_link_to_a_pin_closes_a_loop():
    board, (_, b, _) = four_bar()
    board.link([0.2, -0.1, 0.0], [0.25, 0.2, 0.0])
    parts = {one["id"] for one in board.history.data["parts"]}
    board.link("link4.frame_b", b)
    assert board.is_closed()
    # two links more and three pins: the freedom stays
    assert board.freedoms() == 1
    added = [one for one in board.history.data["parts"] if one["id"] not in parts]
    assert sorted(one["class"] for one in added) == ["BodyBox", "Revolute", "Revolute"]


def test_a_joint_that_waits_for_its_body_gets_the_link():
    board = Board()
    board.history.apply({"op": "add", "part": {"class": "World"}})
    board.history.apply({"op": "add", "part": {"class": "Revolute"}})
    board.history.apply({"op": "connect", "a": "world.frame_b", "b": "revolute.frame_a"})
    sketch = board.sketch()
    ports = ["world.frame_b", "revolute.frame_a", "revolute.frame_b"]
    sketch.link({"ports": ports}, {"at": [0.3, 0.0, 0.0]})
    board.apply(sketch)
    kinds = [one["class"] for one in board.history.data["parts"]]
    assert kinds == ["World", "Revolute", "BodyBox"]
    assert ["revolute.frame_b", "link.frame_a"] in board.history.data["connections"]


@pytest.mark.parametrize("seed", range(3))
def test_links_begin_where_a_turned_mechanism_is(seed):
    """Lengths are resolved in the axes of the body, wherever its joints have turned it."""
    random = np.random.default_rng(seed)
    normal = [0.0, 1.0, 0.0] if seed else None
    board = Board()
    across = (lambda x, y: [x, 0.0, y]) if seed else (lambda x, y: [x, y, 0.0])
    tip = board.link(across(0.0, 0.0), across(*random.uniform(-1, 1, 2)), normal=normal)
    angle = float(random.uniform(-3, 3))
    board.history.apply({"op": "set", "id": "revolute", "field": "phi", "value": angle})
    goal = across(*random.uniform(-1, 1, 2))
    new = board.link(tip, goal, normal=normal)
    assert np.allclose(board.at(new), goal, atol=1e-8)


@pytest.mark.parametrize("name", ["link.frame_b", "link2.frame_b", "pivot.frame_b"])
def test_a_moved_pin_takes_its_links_and_no_other(name):
    board, _ = four_bar()
    ports = board.at_pin(name)
    others = [f"link{k}.frame_{side}" for k in ("", 2, 3) for side in "ab"]
    others = [one for one in others if one not in ports]
    before = {one: board.at(one) for one in others}
    to = (board.at(name) + np.array([0.02, -0.03, 0.0])).tolist()
    board.move(ports, to)
    assert board.is_closed()
    assert np.allclose(board.at(name), to)
    for one, place in before.items():
        assert np.allclose(board.at(one), place, atol=1e-7), one


def test_what_cannot_be_drawn_is_refused_with_a_remedy():
    board, _ = four_bar()
    with pytest.raises(ParameterError, match="stands where the world"):
        board.sketch().move(["world.frame_b"], [0.1, 0.0, 0.0])
    with pytest.raises(ParameterError, match=r"Did you mean 'link\.frame_b'"):
        board.sketch().move(["link.frameb"], [0.1, 0.0, 0.0])
    with pytest.raises(ParameterError, match="has no length"):
        board.link("link.frame_b", [0.1, 0.2, 0.0])
    with pytest.raises(ParameterError, match="Give three numbers"):
        board.link("link.frame_b", [0.1, "x", 0.0])
    with pytest.raises(ParameterError, match="pivot"):
        board.link("link.frame_b", [0.3, 0.1, 0.0], "pivott")
    value = {"formula": "[L, 0.2, 0]"}
    board.history.apply({"op": "parameter", "name": "L", "value": 0.1})
    board.history.apply({"op": "set", "id": "link", "field": "r", "value": value})
    with pytest.raises(ParameterError, match="formula"):
        board.sketch().move(["link.frame_b"], [0.2, 0.1, 0.0])
