"""Source of documents runs to the same motion, is formatted, and is read back the same."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from motorik.documents import Document
from motorik.documents.reading import Losses, clean
from motorik.documents.source import read_source, write_source
from motorik.documents.source.rest import HEAD, is_same
from motorik.errors import FileFormatError
from tests.documents.machines import machine
from tests.documents.models import walker
from tests.documents.sources import apart, documents, made, of_gallery, run
from tests.formatted import assert_formatted

DATA = {**of_gallery(), "Walker": walker().data}


@pytest.mark.parametrize("name", DATA)
def test_source_is_read_back_as_the_same_document(name):
    source = write_source(DATA[name])
    again = read_source(source)
    assert is_same(again.data, DATA[name])
    assert not again.losses
    assert write_source(again) == source


@pytest.mark.slow
@pytest.mark.kinds(5)
@pytest.mark.parametrize("name", [n for n in DATA if n != "NFourBar"])
def test_running_the_source_gives_the_same_motion(name):
    document = Document(DATA[name])
    assert apart(run(document.build()), run(made(write_source(document)))) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_parts_in_any_order_give_the_same_motion(seed):
    """Parts and connections stand as one has drawn them; orders choose states and unknowns."""
    document = Document(machine(seed))
    source = write_source(document)
    found = run(document.build())
    assert apart(found, run(made(source))) < 1e-12
    parts = [one["id"] for one in document.data["parts"]]
    assert [*made(source).parts] == parts
    assert all(f"self.{name} = " in source for name in parts if "[" not in name)


def test_parts_stand_in_their_order_and_in_groups_where_these_are_kept():
    """Groups that lie in one another have no names; a list that is interrupted is no list."""
    kinds = {
        "legs[1]": "rotational.Damper",
        "legs[2]": "rotational.Inertia",
        "world": "World",
    }

    def source(*names):
        parts = [{"id": name, "class": kinds[name]} for name in names]
        data = {"motorik": 1, "name": "M", "parameters": [], "parts": parts}
        text = write_source({**data, "connections": []})
        assert [*made(text).parts] == [*names]
        return text

    whole = source("legs[1]", "legs[2]", "world")
    assert whole.index("# drive line") < whole.index("self.legs = [")
    assert whole.index("self.legs = [") < whole.index("# mechanism")
    apart = source("legs[1]", "world", "legs[2]")
    assert "# mechanism" not in apart and "self.legs" not in apart


def test_another_mass_gives_another_motion():
    """The comparison above can fail."""
    source = write_source(DATA["DoublePendulum"])
    other = source.replace("= BodyBox(", "= BodyBox(density=7000.0, ", 1)
    assert other != source
    assert apart(run(made(source)), run(made(other))) > 1e-6


@pytest.mark.slow
def test_the_source_is_formatted_and_its_imports_are_sorted(tmp_path):
    for name, data in DATA.items():
        (tmp_path / f"{name.lower()}.py").write_text(write_source(data), encoding="utf-8")
    assert_formatted(tmp_path)


def test_the_pendulum_reads_as_written_by_hand():
    data = {
        "motorik": 1,
        "name": "Pendulum",
        "description": "A damped pendulum.",
        "parameters": [
            {"name": "length", "value": 0.5, "unit": "m", "low": 0.1, "high": 1.0},
            {"name": "d", "value": 0.1},
        ],
        "parts": [
            {"id": "world", "class": "World", "note": "y points up"},
            {
                "id": "rev",
                "class": "Revolute",
                "arguments": {"n": "z", "useAxisFlange": True, "phi": {"guess": 0.3}},
            },
            {
                "id": "body",
                "class": "Body",
                "arguments": {"m": 1.0, "r_CM": [{"formula": "length/2"}, 0, 0]},
            },
            {
                "id": "damper",
                "class": "rotational.Damper",
                "arguments": {"d": {"formula": "d"}},
            },
        ],
        "connections": [
            ["body.frame_a", "rev.frame_b"],
            ["damper.flange_b", "rev.axis"],
            ["rev.support", "damper.flange_a"],
            ["rev.frame_a", "world.frame_b"],
        ],
        "panels": [{"id": "p1", "kind": "plot", "variables": ["rev.phi", "rev.w"]}],
        "run": {"stop_time": 5.0, "rtol": 1e-8},
    }
    source, _, rest = write_source(data).partition(f"\n\n{HEAD}")
    assert (
        source
        == '''\
from motorik import Body, Model, Parameter, Revolute, World, guess, rotational


class Pendulum(Model):
    """A damped pendulum."""

    def build(
        self,
        length=Parameter(0.5, unit="m"),  # 0.1 to 1.0
        d=Parameter(0.1),
    ):
        # mechanism
        # y points up
        self.world = World()
        self.rev = Revolute(n="z", useAxisFlange=True, phi=guess(0.3))
        self.body = Body(m=1.0, r_CM=(length / 2, 0, 0))

        # drive line
        self.damper = rotational.Damper(d=d)

        self.world.frame_b >> self.rev.frame_a
        self.rev.frame_b >> self.body.frame_a

        self.damper.flange_b >> self.rev.axis
        self.rev.support >> self.damper.flange_a


if __name__ == "__main__":
    result = Pendulum().simulate(5.0, rtol=1e-08)
    print(result.summary())
    result.plot("rev.phi", "rev.w", file="pendulum.png")
'''
    )
    assert (
        '"turned"' in rest and '"length/2"' in rest
    )  # the order of connections, a spelling
    assert is_same(read_source(write_source(data)).data, data)


def test_a_program_says_and_plots_what_it_found(tmp_path, monkeypatch, capsys):
    """Run from a terminal, it prints the summary of its run and writes its plots."""
    source = write_source(DATA["DoublePendulum"]).replace(
        ".simulate(10.0)", ".simulate(0.1)"
    )
    assert ".simulate(0.1)" in source
    monkeypatch.chdir(tmp_path)
    exec(compile(source, "exported.py", "exec"), {"__name__": "__main__"})
    assert "DoublePendulum: 0 s to 0.1 s" in capsys.readouterr().out
    assert (tmp_path / "double_pendulum.png").stat().st_size > 1000


def test_sub_models_nested_without_end_are_written():
    models = {
        f"M{k}": {"parts": [{"id": "x", "class": f"#M{k + 1}"}], "connections": []}
        for k in range(1200)
    }
    models["M1200"] = {"parts": [{"id": "a", "class": "#M0"}], "connections": []}
    data = {"motorik": 1, "name": "M", "parts": [], "connections": [], "models": models}
    data["parameters"] = []
    kept = [f"class M{k}(" in write_source(data) for k in (0, 1200)]
    assert kept == [True, True]


def test_source_that_was_changed_by_hand_keeps_what_still_fits():
    document = walker().copy()
    document.data["diagram"] = {"world": [0, 10], "trunk": [40, 10]}
    source = write_source(document).replace(
        "self.trunk = Body(", "self.ballast = Body(m=2.0)\n        self.trunk = Body("
    )
    found = read_source(source)
    assert found.data["diagram"] == document.data["diagram"]
    assert "ballast" in [one["id"] for one in found.data["parts"]]
    assert len(found.data["connections"]) == len(document.data["connections"])


def test_shares_of_colours_stay_shares():
    """Whole numbers are of 0 to 255, others of 0 to 1."""
    arrow = {"id": "arrow", "class": "visualizers.FixedArrow", "arguments": {}}
    arrow["arguments"]["color"] = [0.0, 0.0, 1.0]
    data = {
        "motorik": 1,
        "name": "M",
        "parameters": [],
        "parts": [arrow],
        "connections": [],
    }
    assert Document.of(made(write_source(data))).data["parts"] == [arrow]


def test_a_name_that_python_cannot_have_is_refused():
    data = {"parameters": [{"name": "self", "value": 1.0}], "parts": [], "connections": []}
    with pytest.raises(FileFormatError, match="another name"):
        write_source(data)


@pytest.mark.slow
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[*HealthCheck],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(documents())
def test_any_document_is_read_back_the_same(data):
    data = clean(data, Losses())
    source = write_source(data)
    compile(source, "exported.py", "exec")
    again = read_source(source)
    assert is_same(again.data, data)
    assert is_same(read_source(write_source(again)).data, data)
