"""Events and sampled functions that go wrong: named, with the time, what was seen and a remedy.

Wrong numbers of clutches, tables and stops are in `test_wrong_friction`, those of joints in
`test_wrong_joint_friction`.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from motorik import Body, Model, Revolute, SolverOptions, World, blocks
from motorik import functions as fn
from motorik import rotational as rot
from motorik import translational as tra
from motorik.errors import (
    IncompleteRunWarning,
    ParameterError,
    SimulationError,
    UnknownNameError,
)
from motorik.joints import FrictionLaw
from motorik.results import Result
from tests.refusals import refused


class Moving(Model):
    """A mass at 1 m/s from 0 m on, and a number `on` that nothing but events changes."""

    def build(self) -> None:
        """Let it move on its own."""
        self.mass = tra.Mass(m=1.0, s=0.0, v=1.0)
        self.on = blocks.Discrete(start=0.0)


class Held(Model):
    """ẋ = u from x = 1 on; u is sampled every 0.1 s by `pid`."""

    def build(self, law=None, traced=False) -> None:
        """Connect u, and let it be sampled."""
        self.x = blocks.Integrator(y_start=1.0)
        self.u = blocks.Discrete(start=0.0)
        self.ground = tra.Fixed()
        self.u.y >> self.x.u
        own = {"inputs": ["x.y"], "outputs": [self.u], "traced": traced}
        self.sample(0.1, law, **own, name="pid")


def ended(model: Model, *words: str, stop: float = 3.0) -> Result:
    """Run, expect an early end with the words and a remedy in its message, and return it."""
    with pytest.warns(IncompleteRunWarning, match="ended early"):
        result = model.simulate(stop)
    assert not result.complete
    text, remedy = result.info.message.split("\n  ")
    told = float(text.removeprefix("t = ").partition(" s: ")[0])
    assert result.time[-1] <= told * (1 + 1e-8) and remedy.endswith(".")
    for word in words:
        assert word in result.info.message, result.info.message
    return result


# --- events without end -----------------------------------------------------------------------


@pytest.mark.parametrize("back", [1e-7, 1e-9, 1e-12])
def test_an_event_that_fires_for_ever_ends_the_run_soon(back):
    model = Moving()
    reset = {"mass.s": 1.0 - back}
    model.when(lambda motion: motion["mass.s"] - 1.0, reset=reset, name="back")
    result = ended(model, "without end", "seen at back", "Leave some distance")
    assert result.time[-1] == pytest.approx(1.0, abs=1e-3)
    assert 20 < len(result.events) < 10_000
    assert {event.part for event in result.events} == {"back"}


def test_a_reset_that_rounding_cannot_tell_from_the_event_does_not_repeat_it():
    """There the condition is zero and rises, as it was at the event: it holds from then on."""
    model = Moving()
    reset = {"mass.s": 1.0 - 1e-15}
    model.when(lambda motion: motion["mass.s"] - 1.0, reset=reset, name="back")
    result = model.simulate(3.0)
    assert result.complete and len(result.events) == 1
    assert result["mass.s"][-1] == pytest.approx(3.0, abs=1e-11)


@pytest.mark.slow
def test_many_events_that_take_their_time_are_no_mistake():
    model = Moving()
    reset = {"mass.s": 1.0 - 1e-4}
    model.when(lambda motion: motion["mass.s"] - 1.0, reset=reset, name="back")
    result = model.simulate(3.0)
    assert result.complete and len(result.events) == pytest.approx(20_000, abs=1)


def test_a_condition_that_undoes_itself_is_named():
    model = Moving()

    def held(motion):  # as soon as `on` is 1 it does not hold, and then `off` holds
        return fn.where(motion["on.y"] > 0.5, -1.0, motion["mass.s"] - 1.0)

    model.when(held, set={model.on: 1.0}, name="switch")
    model.when(lambda motion: motion["on.y"] - 0.5, set={model.on: 0.0}, name="off")
    result = ended(model, "events follow one another without end", "switch", "off")
    assert result.time[-1] == pytest.approx(1.0)


def test_a_condition_that_is_not_a_number_is_named_with_its_time():
    model = Moving()
    model.when(lambda motion: fn.sqrt(0.5 - motion["mass.s"]) - 2.0, stop=True, name="root")
    result = ended(
        model, "root: its condition is nan at t = 0.5", "root of a negative number"
    )
    assert result.time[-1] == pytest.approx(0.5) and not result.events
    with pytest.raises(SimulationError, match=r"root: its condition is nan at t = 0\.5"):
        model.simulator().step(1.0)


# --- sampled functions ------------------------------------------------------------------------


def raises_late(t: float, x: float) -> float:
    """Fail from 0.45 s on."""
    if t > 0.45:
        raise ValueError("no more")
    return -x


WRONG = {
    "raises": (raises_late, "raised ValueError: no more"),
    "not a number": (lambda t, x: math.nan if t > 0.45 else -x, "returned nan"),
    "two numbers": (lambda t, x: (1.0, 2.0) if t > 0.45 else -x, "returned (1.0, 2.0)"),
    "a matrix": (
        lambda t, x: np.ones((1, 1)) if t > 0.45 else -x,
        "returned array([[1.]])",
    ),
    "nothing": (lambda t, x: None if t > 0.45 else -x, "returned None"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_sampled_function_that_fails_is_named_with_its_inputs(name):
    law, words = WRONG[name]
    seen = "at t = 0.5 s with x.y = 0.59049"
    result = ended(Held(law=law), f"pid: its function {words}", seen)
    assert result.time[-1] == pytest.approx(0.5)  # what came before is kept
    k = np.minimum(np.floor(10.0 * result.time + 1e-9), 4.0)
    exact = 0.9**k * (1.0 - (result.time - 0.1 * k))
    np.testing.assert_allclose(result["x.y"], exact, rtol=1e-12)


def test_a_traced_function_that_gives_no_number_is_named():
    law = lambda t, x: fn.sqrt(0.35 - t)  # noqa: E731
    result = ended(Held(law=law, traced=True), "pid: it has set u.y to nan")
    assert 0.39 < result.time[-1] <= 0.4  # the last row that has rates


# --- laws that cannot be traced ---------------------------------------------------------------


def branching(t: float, x: float) -> float:
    """Branch on an argument."""
    return -x if x > 0 else x


def of_math(t: float, x: float) -> float:
    """Take the sine of plain numbers."""
    return math.sin(x)


def when_branching(model: Moving) -> None:
    """Branch in a condition."""
    model.when(lambda m: m["mass.s"] if m["mass.v"] > 0 else 1.0, stop=True, name="stop")


def when_of_math(model: Moving) -> None:
    """Take the sine of plain numbers in a condition."""
    model.when(lambda m: math.sin(m["mass.s"]), stop=True, name="stop")


def set_of_math(model: Moving) -> None:
    """Take the sine of plain numbers in what is set."""
    value = {model.on: lambda m: math.sin(m["mass.s"])}
    model.when(lambda m: m["mass.s"] - 1.0, set=value, name="stop")


def friction_of_math(model: Moving) -> None:
    """Take the sine of plain numbers in a law of friction."""

    class Wavy(rot.BearingFriction):
        """Friction that waves."""

        @staticmethod
        def resist(p, w):
            return 1.0 + math.sin(w)

    model.shaft, model.stop = rot.Inertia(w=1.0), Wavy()
    model.shaft.flange_b >> model.stop.flange_a


def joint_friction_of_math(model: Moving) -> None:
    """Take the sine of plain numbers in a law of friction of a joint."""

    class Wavy(FrictionLaw):
        """Friction that waves."""

        def sliding(self, w):
            return 1.0 + math.sin(w)

        def holding(self):
            return 1.0

    model.world, model.stop = World(), Revolute(friction=Wavy(tau=1.0), w=1.0)
    model.body = Body(m=1.0, r_CM=(1.0, 0.0, 0.0))
    model.world.frame_b >> model.stop.frame_a
    model.stop.frame_b >> model.body.frame_a


def bounds_of_nothing(model: Moving) -> None:
    """Give a number instead of force bounds."""

    class Pad(tra.SupportFriction):
        """Friction whose bounds are no force bounds."""

        def bounds(self, p, w, *signals):
            return 3.0

    model.stop = Pad()
    model.mass.flange_b >> model.stop.flange_a


HERE = "of test_wrong_events.py"
IF = (HERE, "it tests a condition", "Write where(condition, yes, no) of motorik.functions")
SIN = (
    HERE,
    "converts one of them to a plain number",
    "`math.sin(",
    "sin of motorik.functions",
)
LAWS = [
    (when_branching, "stop: condition(motion)", IF),
    (when_of_math, "stop: condition(motion)", SIN),
    (set_of_math, "stop: value(motion)", SIN),
    (friction_of_math, "stop: resist(p, w", SIN),
    (joint_friction_of_math, "stop: friction.sliding(w)", SIN),
    (bounds_of_nothing, "stop: bounds(motion) returned 3.0", ("ForceBounds(low, high,",)),
]


@pytest.mark.parametrize(("add", "place", "words"), LAWS)
def test_a_condition_or_law_that_cannot_be_traced_is_refused_with_its_line(
    add, place, words
):
    model = Moving()
    with refused(ParameterError, place, *words):
        add(model)
        model.simulate(1.0)


@pytest.mark.parametrize(("law", "words"), [(branching, IF), (of_math, SIN)])
def test_a_sampled_law_that_cannot_be_traced_runs_as_plain_python(law, words):
    with refused(ParameterError, "pid: function(t, x.y)", *words):
        Held(law=law, traced=True).simulate(1.0)
    assert Held(law=law).simulate(1.0).complete


# --- time limits ------------------------------------------------------------------------------


def test_a_time_limit_ends_what_fires_and_samples_often():
    model = Moving()
    model.when(lambda m: fn.sin(1e6 * m["mass.s"]), set={model.on: 1.0}, name="often")
    model.sample(1e-4, lambda t: t, outputs=[model.on], name="sampled")
    model.compile()
    with pytest.warns(IncompleteRunWarning, match="time limit"):
        result = model.simulate(50.0, solver=SolverOptions(time_limit=0.3))
    assert 0.0 < result.time[-1] < 50.0


# --- what is given to `when` and `sample` -----------------------------------------------------


def when(**given) -> Model:
    """Return a model in which something happens where its mass passes 0.5 m."""
    model = Moving()
    made = {name: one(model) if callable(one) else one for name, one in given.items()}
    model.when(lambda motion: motion["mass.s"] - 0.5, **made)
    return model


def other() -> Moving:
    """Return another model, which lives as long as the test."""
    OTHERS.append(Moving())
    return OTHERS[-1]


OTHERS: list[Moving] = []

GIVEN = [
    (
        lambda: when(set=lambda m: [m.on]),
        ParameterError,
        "set = [Discrete()] is not a dict",
    ),
    (
        lambda: when(reset=lambda m: {m.mass: 0.0}),
        ParameterError,
        "not the name of a state",
    ),
    (lambda: when(stop="yes"), ParameterError, "stop = 'yes' is not True or False"),
    (lambda: when(set=lambda m: {m.on: math.nan}), ParameterError, "value nan is neither"),
    (lambda: when(action=1.0), UnknownNameError, "has no option 'action'"),
    (lambda: Moving().when(lambda motion: 1.0, {}), SimulationError, "too many positional"),
    (
        lambda: Moving().sample(0.1, lambda t, s: 0.0, inputs="mass.s"),
        ParameterError,
        "inputs = 'mass.s' is not a list",
    ),
    (
        lambda: Moving().sample(
            0.1, lambda t: 0.0, inputs=["mass.s"], outputs=[Moving().on]
        ),
        ParameterError,
        "lambda t, mass_s: …",
    ),
    (
        lambda: when(set=lambda m: {other().on: 1.0}).compile(),
        ParameterError,
        "changes on, which is not in this model",
    ),
    (
        lambda: when(impulse=lambda m: {other().mass.flange_a: 1.0}).compile(),
        ParameterError,
        "changes mass.flange_a, which is not in this model",
    ),
]


@pytest.mark.parametrize("row", GIVEN, ids=[row[2] for row in GIVEN])
def test_what_an_event_cannot_be_given_is_refused(row):
    make, error, words = row
    with refused(error, words):
        make()


def test_a_condition_that_depends_on_nothing_is_refused():
    model = Moving()
    model.when(lambda motion: 1.0, stop=True, name="always")
    with refused(ParameterError, "always", "is 1 whatever the motion is"):
        model.simulate(1.0)


def test_two_samples_of_one_signal_are_refused():
    model = Moving()
    for name in ("slow", "fast"):
        setattr(model, name, model.sample(0.1, lambda t: t, inputs=[], outputs=[model.on]))
    with pytest.raises(ParameterError) as refusal:
        model.simulate(1.0)
    for words in ("slow", "fast", "sets on", "signal of its own"):
        assert words in str(refusal.value)


@pytest.mark.parametrize("traced", [True, False])
@pytest.mark.parametrize("first", ["when", "sample"])
def test_what_was_made_last_counts_and_python_functions_come_after_all(traced, first):
    model = Moving()

    def add(kind: str) -> None:
        if kind == "when":
            model.at_half = model.when(lambda motion: motion.t - 0.5, set={model.on: 10.0})
        else:
            own = {"inputs": [], "outputs": [model.on], "offset": 0.5, "traced": traced}
            model.clock = model.sample(0.5, lambda t: 20.0 + 0.0 * t, **own)

    for kind in (first, "sample" if first == "when" else "when"):
        add(kind)
    expected = 10.0 if traced and first == "sample" else 20.0
    assert model.simulate(0.9)["on.y"][-1] == expected
