"""Live sessions of models with events: friction, stops, conditions that end a run."""

import math

import pytest

import motorik as mk
from motorik.errors import ParameterError, SimulationError
from motorik.joints import Coulomb
from tests.events.test_triggers import Crossed
from tests.view.live.models import Pendulum, page
from tests.view.live.pages import Page

QUIET = {"open": False, "page": page}


class Rubbing(mk.Model):
    """A pendulum whose hinge rubs with its own reaction, between stops."""

    def build(self):
        self.world = mk.World()
        self.mu = mk.Parameter(0.2)
        self.low = mk.Parameter(-2.0, unit="rad")
        rubs = Coulomb(mu=self.mu, radius=0.05)
        self.hinge = mk.Revolute(n="z", phi=0.0, friction=rubs, stops=(self.low, 0.5))
        self.bob = mk.Body(m=1.0, r_CM=(0.5, 0, 0))
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.bob.frame_a


def test_a_condition_ends_a_live_run_which_can_go_on():
    with Crossed().live(speed=20.0, **QUIET) as session, Page(session) as client:
        client.wait_for(lambda: client.frames)
        client.say("play")
        client.wait_for(lambda: client.notices and not client.told["state"]["running"])
        assert client.notices[-1]["text"] == "end ends the run at t = 1 s."
        assert not session.is_running and session.time == pytest.approx(1.0, abs=1e-12)
        session.step(0.5)
        assert session.time == pytest.approx(1.5) and len(client.notices) == 1


@pytest.fixture(scope="module")
def rubbing():
    return Rubbing()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        (
            "mu",
            30.0,
            SimulationError,
        ),  # no mode fits: friction is larger than what moves it
        ("mu", -0.1, ParameterError),
        ("low", 0.7, ParameterError),
        ("mu", float("nan"), SimulationError),
    ],
)
def test_a_slider_that_is_refused_leaves_the_run_as_it_was(rubbing, name, value, error):
    with rubbing.live(**QUIET) as session:
        for _ in range(2):
            session.step(0.2)
        before = session[name], session["hinge.phi"], session["hinge.w"]
        with pytest.raises(error):
            session.set(name, value)
        assert (session[name], session["hinge.phi"], session["hinge.w"]) == before
        session.step(0.2)
        own = rubbing.simulator()
        for _ in range(3):
            own.step(0.2)
        assert session["hinge.phi"] == pytest.approx(own["hinge.phi"], abs=1e-6)
        assert session["hinge.w"] == pytest.approx(own["hinge.w"], abs=1e-5)


@pytest.mark.slow
def test_friction_follows_its_slider_while_it_runs(rubbing):
    """Without friction energy stays, with it the pendulum slows down and comes to rest."""
    with rubbing.live(parameters={"mu": 0.0}, **QUIET) as session:
        session.step(0.3)
        height, w = 0.5 * math.sin(session["hinge.phi"]), session["hinge.w"]
        assert 0.251 * w**2 / 2 + 9.80665 * height == pytest.approx(0.0, abs=1e-4)
        session.set("mu", 1.0)
        session.step(8.0)
        assert session["hinge.w"] == 0.0 and session.player.simulator.modes
        session.set("mu", 0.0)
        session.step(0.05)
        assert session["hinge.w"] != 0.0


def test_a_joint_with_stops_is_set_on_its_own_turn(rubbing):
    """At its lower stop, 3 rad is a turn and a half above: it goes up to the upper stop."""
    with rubbing.live(**QUIET) as session:
        session.set("hinge.phi", -2.0)
        session.step(0.01)
        outcome = session.set("hinge.phi", 3.0)
        assert outcome.kind == "limit" and outcome.parts == ("hinge",)
        assert session["hinge.phi"] == pytest.approx(0.5)


def test_the_slider_of_a_joint_goes_from_stop_to_stop(rubbing):
    with rubbing.live(**QUIET) as session:
        (start,) = [p for p in session.panels.to_json() if p["title"] == "Start values"]
        (slider,) = [w for w in start["widgets"] if w["id"].endswith("hinge.phi")]
        assert (slider["low"], slider["high"]) == (-2.0, 0.5)


def test_a_joint_without_stops_is_set_on_the_turn_where_it_is():
    with Pendulum().live(**QUIET) as session:
        session.set("hinge.phi", 7.0)
        session.step(0.01)
        session.set("hinge.phi", 0.5)
        assert session["hinge.phi"] == pytest.approx(0.5 + 2.0 * math.pi)
