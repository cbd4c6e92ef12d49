"""Operations have exact inverses: undone in any number, the text is the same byte for byte."""

from __future__ import annotations

import random
from typing import Any

import pytest

from motorik import World
from motorik.documents import Document, EditHistory
from motorik.documents.changes import apply_change, copied
from motorik.documents.operations import OPERATIONS, copy_parts
from motorik.documents.reading import write_text
from motorik.errors import MotorikError
from tests.documents.models import FOUR_BAR, walker


def history(data: dict[str, Any] = FOUR_BAR) -> EditHistory:
    return EditHistory(copied(data))


class Monkey:
    """Draws random requests, most of which make sense for the document as it is."""

    def __init__(self, own: EditHistory, seed: int) -> None:
        self.own, self.random = own, random.Random(seed)

    def scope(self) -> tuple[str, dict[str, Any]]:
        models = [*self.own.data.get("models", {})]
        name = self.random.choice(["", "", *models])
        return name, self.own.data["models"][name] if name else self.own.data

    def request(self) -> dict[str, Any]:
        within, scope = self.scope()
        found = self.drawn(scope)
        return {**found, "in": within} if within else found

    def drawn(self, scope: dict[str, Any]) -> dict[str, Any]:
        choose, number = self.random.choice, self.random.randint(0, 99)
        ids = [one["id"] for one in scope["parts"]] or ["none"]
        wires = scope["connections"] or [["a.b", "c.d"]]
        some = self.random.sample(ids, min(len(ids), self.random.randint(1, 3)))
        frames = [f"{one}.{port}" for one in some for port in ("frame_a", "frame_b")]
        place = [self.random.randint(0, 9), 10.5]
        names = [one["name"] for one in scope.get("parameters", ())] or ["length"]
        value = choose(
            [1, 1.0, 0.1, True, [0, 1, 0], {"formula": names[0]}, {"parameter": 2.0}]
        )
        a, b = choose(wires)
        piece = None
        try:
            piece = copy_parts(self.own.data, some) if scope is self.own.data else None
        except MotorikError:
            pass
        return choose(
            [
                {"op": "add", "part": {"class": choose(["Body", "blocks.Sine"])}, "at": place},
                {"op": "remove", "ids": some},
                {"op": "rename", "id": choose(ids), "to": f"n{number}"},
                {"op": "set", "id": choose(ids), "field": choose(["m", "n", "d"]), "value": value},
                {"op": "set", "id": choose(ids), "field": choose(["n", "r", "phi", "width"])},
                {"op": "connect", "a": choose(frames), "b": choose(frames)},
                {"op": "disconnect", "a": b, "b": a},
                {"op": "place", "at": dict.fromkeys(some, place)},
                {"op": "place", "at": {choose(ids): None}},
                {"op": "group", "ids": some},
                {"op": "ungroup", "id": choose(ids)},
                {"op": "parameter", "name": choose([*names, "p1"]), "value": 0.3, "unit": "m"},
                {"op": "parameter", "name": choose(names), "to": f"q{number}"},
                {"op": "parameter", "name": choose(names), "remove": True},
                {"op": "note", "text": "note", "at": place},
                {"op": "note", "name": "n1", "remove": True},
                {"op": "panel", "kind": "plot", "variables": [f"{choose(ids)}.phi"]},
                {"op": "run_options", "stop_time": choose([1.0, 2.0, None])},
                {"op": "class_of", "id": choose(ids), "class": choose(["Prismatic", "BodyBox"])},
                {"op": "annotate", "id": choose(ids), "hidden": choose([True, None]), "note": "x"},
                {"op": "describe", "name": "Model2", "description": "text"},
                {"op": "module", "name": "mine.parts", "remove": choose([True, False])},
                {"op": "paste", "piece": piece or {}},
                {"op": "port", "name": "outlet", "to": choose(frames)},
                {"op": choose([*OPERATIONS]), "id": None, "name": [], "at": 3, "ids": [None]},
            ]
        )  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_any_sequence_is_undone_and_redone_exactly(seed: int):
    own = history(FOUR_BAR if seed % 2 else walker().data)
    monkey = Monkey(own, seed)
    texts = [write_text(own.data)]
    copy = copied(own.data)  # as a page has it
    done = 0
    for _ in range(150):
        before = write_text(own.data)
        request = monkey.request()
        try:
            edit = own.apply(request)
        except MotorikError:
            assert write_text(own.data) == before  # refused: nothing has changed
            continue
        for change in edit.changes:
            apply_change(copy, change)
        assert copy == own.data
        again = Document.read(before)
        assert not again.losses, again.losses
        if edit.changes:
            done += 1
            texts.append(write_text(own.data))
    assert done > 40
    for text in reversed(texts[:-1]):
        own.undo()
        assert write_text(own.data) == text
    for text in texts[1:]:
        own.redo()
        assert write_text(own.data) == text


def test_slides_of_one_slider_are_one_step():
    own = history()
    for k in range(5):
        own.apply(
            {"op": "set", "id": "damper", "field": "d", "value": 0.1 * k, "merge": "s1"}
        )
    assert own.can_undo == "Set damper.d"
    own.undo()
    assert own.data == FOUR_BAR and own.can_undo is None


def test_a_batch_is_one_step_and_all_or_nothing():
    own = history()
    good = {"op": "remove", "ids": ["damper"]}
    bad = {"op": "remove", "ids": ["nobody"]}
    with pytest.raises(MotorikError):
        own.apply({"op": "batch", "operations": [good, bad]})
    assert own.data == FOUR_BAR
    own.apply(
        {
            "op": "batch",
            "operations": [good, {"op": "remove", "ids": ["body4"]}],
            "title": "T",
        }
    )
    assert own.can_undo == "T"
    own.undo()
    assert own.data == FOUR_BAR


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        ({"op": "connect", "a": "damper.flange_a", "b": "world.frame_b"}, "of the kind"),
        ({"op": "connect", "a": "body1.frame_z", "b": "world.frame_b"}, "not a port"),
        ({"op": "connect", "a": "nobody.frame_a", "b": "world.frame_b"}, "not a part"),
        ({"op": "connect", "a": "world.frame_b", "b": "revolute1.frame_a"}, "already"),
        ({"op": "connect", "a": "body1.frame_a", "b": "body1.frame_a"}, "to itself"),
        ({"op": "disconnect", "a": "body1.frame_a", "b": "body2.frame_a"}, "not connected"),
        ({"op": "rename", "id": "body1", "to": "body2"}, "taken"),
        ({"op": "rename", "id": "body1", "to": "1body"}, "not a name"),
        ({"op": "add", "part": {"class": "Revolut"}}, "not known"),
        ({"op": "add", "part": {"class": "os.system"}}, "no public module"),
        ({"op": "set", "id": "body1", "field": "mass", "value": 1.0}, "no parameter"),
        ({"op": "set", "id": "nobody", "field": "m", "value": 1.0}, "not a part"),
        ({"op": "explode"}, "not an operation"),
        ({"op": "ungroup", "id": "body1"}, "no sub-model"),
        ({"op": "add", "part": {"class": "Body"}, "in": "Leg"}, "not a sub-model"),
    ],
)
def test_mistakes_are_refused_at_their_place(request_: dict[str, Any], text: str):
    with pytest.raises(MotorikError, match=text):
        history().apply(request_)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        *(({"stop_time": value}, "stop_time") for value in (-1.0, 0, "ten", True, [1.0])),
        ({"stop_time": {"number": "inf"}}, "stop_time"),
        ({"start_time": 20.0}, "stop_time"),
        *(({"rtol": value}, "rtol") for value in (0.0, -1e-6, 1.0, 1e-30, "fine")),
        *(({"step": value}, "step") for value in (0, -0.1, 100.0)),
        *(({"interval": value}, "interval") for value in (0.0, -0.1, 100.0)),
        *(({"output": value}, "output") for value in (0, -5, 0.5, "all", 10**12)),
        ({"interval": 0.1, "output": 50}, "interval"),
        *(({name: 7}, name) for name in ("method", "strategy")),
    ],
)
def test_options_of_no_run_are_refused_at_their_field(options: dict[str, Any], field: str):
    own = history()
    with pytest.raises(MotorikError) as refused:
        own.apply({"op": "run_options", **options})
    assert refused.value.parameter == field
    assert refused.value.path and refused.value.remedy
    assert own.revision == 1


def test_bad_options_of_a_file_are_corrected_one_by_one():
    own = history({**FOUR_BAR, "run": {"stop_time": -1.0, "rtol": 7.0}})
    own.apply({"op": "run_options", "rtol": 1e-6})
    own.apply({"op": "run_options", "stop_time": 2.0})
    assert own.data["run"] == {"stop_time": 2.0, "rtol": 1e-6}


def test_renaming_follows_everywhere():
    own = history()
    own.apply({"op": "panel", "variables": ["revolute1.phi"], "against": "revolute1.w"})
    own.apply({"op": "place", "at": {"revolute1": [1, 2], "body1": [3, 4]}})
    own.apply({"op": "rename", "id": "revolute1", "to": "crank"})
    text = write_text(own.data)
    assert "revolute1" not in text
    assert own.data["panels"][0]["variables"] == ["crank.phi"]
    assert [*own.data["diagram"]] == ["crank", "body1"]


def test_a_group_builds_the_same_mechanism_and_ungrouping_brings_it_back():
    own = history(walker().data)
    ids = ["slide", "trunk", "offset"]
    own.apply({"op": "group", "ids": ids, "name": "carriage"})
    grouped = Document(own.data).build()
    assert [*grouped.parts["carriage"].parts] == ids
    plain = walker().build()
    assert [*plain.poses().names] and len(grouped.poses().names) == len(plain.poses().names)
    own.apply({"op": "parameter", "name": "length", "to": "size"})
    assert own.data["parts"][1]["arguments"] == {"length": {"formula": "size"}}
    own.apply({"op": "ungroup", "id": "carriage"})
    after = Document(own.data).build()
    assert {*after.parts} == {*plain.parts}
    assert isinstance(after.parts["world"], World)
