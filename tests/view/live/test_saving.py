"""What a session has shown is saved: film, table, page, and the values that were set."""

import base64
import csv
import json

import numpy as np
import pytest

from examples.mobile.pendulum import Pendulum as Chain
from motorik import gallery
from motorik.errors import ParameterError, SimulationError
from motorik.mobile import Scene
from tests.view.live.models import Pendulum, page
from tests.view.live.pages import Page

QUIET = {"open": False, "page": page}
VIEW = {"eye": [0, 0, 3], "target": [0, 0, 0], "up": [0, 1, 0], "angle": 30, "aspect": 1.5}


@pytest.fixture
def session():
    with Pendulum().live(**QUIET) as session:
        for _ in range(3):
            session.step(0.04)
        yield session


def content(message):
    return base64.b64decode(message["data"])


def test_a_page_gets_the_files_that_it_asks_for_and_others_do_not(session):
    with Page(session) as page, Page(session) as other:
        page.say("save", form="csv")
        page.wait_for(lambda: "file" in page.told)
        table = content(page.told["file"]).decode()
        assert page.told["file"]["name"] == "Pendulum.csv"
        head, *rows = csv.reader(table.splitlines())
        assert head == ["time [s]", "hinge.phi [rad]", "hinge.w [rad/s]"]
        np.testing.assert_allclose([float(r[0]) for r in rows], [0, 0.04, 0.08, 0.12])
        assert float(rows[-1][1]) == pytest.approx(session["hinge.phi"], abs=1e-6)
        page.told.clear()
        page.say("save", form="film", view=VIEW)
        page.wait_for(lambda: "file" in page.told)
        film = content(page.told["file"])
        assert film[:3] == b"GIF" or film[4:8] == b"ftyp"
        page.told.clear()
        page.say("save", form="html")
        page.wait_for(lambda: "file" in page.told)
        assert b"data-film=" in content(page.told["file"])
        other.say("pause")
        other.listen(lambda: other.told.get("state"))
        assert "file" not in other.told


def test_the_lines_that_set_what_was_changed_do_so(session, tmp_path):
    session.set("body.m", 2.5)
    session.set("hinge.phi", 0.9)
    session.set("hinge.w", -1.0)
    text = session.save(tmp_path / "set.py").read_text(encoding="utf-8")
    space = {"model": Pendulum()}
    exec(text, space)
    result = space["result"]
    assert result["hinge.phi"][0] == 0.9 and result["hinge.w"][0] == -1.0
    assert space["parameters"] == {"body.m": 2.5}
    said = json.loads(session.save(tmp_path / "set.json").read_text(encoding="utf-8"))
    assert said == {"parameters": space["parameters"], "initial": space["initial"]}
    session.reset(own=True)
    session.set("body.m", 1.0)  # as it is in the model
    said = json.loads(session.save(tmp_path / "set.json").read_text(encoding="utf-8"))
    assert said == {"parameters": {}, "initial": {}}


def test_a_pose_on_another_branch_is_kept_by_its_lines(tmp_path):
    model = gallery.PlanarFourbar()
    with model.live(**QUIET) as session:
        session.turn("revolute1.phi", 0.5)
        said = session.save(tmp_path / "set.py").read_text(encoding="utf-8")
        place = session["body2.frame_b.r_0"]
    space = {"model": gallery.PlanarFourbar()}
    exec(said.replace("simulate(10.0", "simulate(0.01"), space)
    np.testing.assert_allclose(space["result"]["body2.frame_b.r_0"][0], place, atol=1e-9)


def test_a_recorded_run_is_saved_with_full_precision(tmp_path):
    with Pendulum().live(mode="recorded", stop_time=0.2, **QUIET) as session:
        session.set("body.m", 1.5)
        file = session.save(tmp_path / "run.csv")
        values = np.loadtxt(file, delimiter=",", skiprows=1)
        np.testing.assert_array_equal(values[:, 1], session.result["hinge.phi"])


def test_values_of_a_chain_are_lines_of_its_program(tmp_path):
    one = Chain()
    with Scene(one.chain, up=1).live(**QUIET) as session:
        session.set("phi", 0.25)
        session.set("l.y", -2.0)
        text = session.save(tmp_path / "set.py").read_text(encoding="utf-8")
    again = Chain()
    exec(text, {"phi": again.phi, "l": again.l})
    assert again.phi.q == 0.25 and float(again.l.y) == -2.0


def test_what_cannot_be_saved_is_said(session, tmp_path):
    with pytest.raises(ParameterError, match=r"cannot write '.doc'"):
        session.save(tmp_path / "x.doc")
    session.reset()
    with pytest.raises(SimulationError, match="no motion yet"):
        session.save(tmp_path / "x.gif")
    with Page(session) as page:
        for wrong in ({"form": "exe"}, {"form": "film", "view": {**VIEW, "aspect": 0}}):
            page.notices.clear()
            page.say("save", **wrong)
            page.wait_for(lambda: page.notices)
            assert "save" in page.notices[0]["text"] and "file" not in page.told
