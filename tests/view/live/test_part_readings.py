"""Parts that pages point at: their values, now or over a recorded run."""

import numpy as np
import pytest

from motorik.errors import SimulationError
from motorik.view.chains.scene import Scene
from motorik.view.live.hands import without_rounding
from motorik.view.live.session import MOST
from motorik.view.scene.blob import read_blob
from tests.view.live import chains
from tests.view.live.models import Pendulum, page
from tests.view.live.pages import Page

QUIET = {"open": False, "page": page}


@pytest.fixture
def session():
    with Pendulum().live(**QUIET) as session:
        yield session


def table(told, number):
    """Return names, times and values, by row, of what is told of a part."""
    said = told["readings"]["parts"][str(number)]
    names = [channel["name"] for channel in said["channels"]]
    return names, read_blob(said["time"]), read_blob(said["values"])


def test_a_page_is_told_of_the_part_that_it_points_at(session):
    body = session.player.scene.number_of("body")
    with Page(session) as page:
        page.wait_for(lambda: "scene" in page.told)
        page.say("watch", part=body)
        page.wait_for(lambda: "readings" in page.told)
        names, _, first = table(page.told, body)
        assert names[0] == "body.r_CM_0[1]" and names[3] == "body.v_0[1]"
        page.say("step", dt=0.5)
        page.wait_for(lambda: table(page.told, body)[1][0] == 0.5)
        _, _, values = table(page.told, body)
    assert values[0, :3] == pytest.approx(session["body.r_CM_0"], abs=1e-6)
    assert np.abs(values - first).max() > 0.1


def test_without_such_a_page_nothing_is_computed(session):
    session.step(0.1)
    assert session.watching.message() == {}
    assert "_readings" not in vars(session.player.stage)


def test_what_frames_carry_is_not_told_twice(session):
    hinge = session.player.scene.number_of("hinge")
    assert session.player.readings(hinge) == ()
    session.watch(hinge)
    assert '"channels": []' in session.watching.message()["readings"]


def test_the_parts_asked_for_last_are_watched_and_strange_numbers_are_passed_over(session):
    for part in (-1, 10**9, *range(len(session.player.scene.parts))):
        session.watch(part)
    watched = list(session.watching._opened)
    count = len(session.player.scene.parts)
    assert watched == list(range(count))[-MOST:]


def test_values_that_cannot_be_found_are_no_numbers(session, monkeypatch):
    body = session.player.scene.number_of("body")

    def fail(part):
        raise SimulationError("body", "has no acceleration.")

    monkeypatch.setattr(session.player, "read", fail)
    session.watch(body)
    _, values = session.watching._now(body)
    assert values.shape == (1, 6) and np.isnan(values).all()


def test_of_a_recorded_run_all_rows_are_told():
    with (
        Pendulum().live(mode="recorded", stop_time=1.0, **QUIET) as session,
        Page(session) as page,
    ):
        body = session.player.scene.number_of("body")
        page.say("watch", part=body)
        page.wait_for(lambda: "readings" in page.told)
        names, time, values = table(page.told, body)
        result = session.result
        assert len(time) > 100 and time[-1] == pytest.approx(1.0)
        own = np.interp(0.7, result.time, result["body.r_CM_0"][:, 1])
        assert np.interp(0.7, time, values[:, names.index("body.r_CM_0[2]")]) == (
            pytest.approx(own, abs=1e-6)
        )


def test_names_are_completed_by_what_can_be_read(session):
    keys = session._ipython_key_completions_()
    assert {"body.m", "hinge.phi", "body.r_CM_0"} <= set(keys)
    assert session["body.m"] == 1.0


def test_a_chain_tells_where_the_frame_of_a_part_is():
    own = chains.Pendulum()
    with Scene(own.chain).live(**QUIET) as session:
        rod = session.player.viewer.parts.index(own.rod)
        names = [channel.name for channel in session.player.readings(rod)]
        assert names == ["K2.p[1]", "K2.p[2]", "K2.p[3]"]
        session.set("phi", 0.2)
        assert session.player.read(rod) == pytest.approx([np.sin(0.2), -np.cos(0.2), 0.0])
        assert {"phi", "der(phi)", "K2.p"} <= set(session._ipython_key_completions_())


def test_a_hand_that_is_watched_does_not_disturb_the_simulation(session, monkeypatch):
    player, taken = session.player, []
    body = player.scene.number_of("body")
    session.watch(body)
    own = player.simulator.take
    monkeypatch.setattr(
        player.simulator, "take", lambda *given: (taken.append(1), own(*given))
    )

    def drag():
        grip = player.grip_of("hinge.phi")
        player.move(grip, np.array([1.0]))
        return player.read(body), list(taken)

    values, before = session.do(drag)
    assert values[:2] == pytest.approx([np.cos(1.0), np.sin(1.0)], abs=1e-6)
    assert before == []


def test_what_rounding_leaves_of_nothing_is_told_as_nothing():
    found = without_rounding({"a": 1.9e-16, "b": -235.0, "c": 1e-3, "d": np.inf})
    assert found == {"a": 0.0, "b": -235.0, "c": 1e-3, "d": np.inf}
    assert without_rounding({"a": 1e-16}) == {"a": 1e-16}
