"""Logic of signals: truth values against truth tables, events at the times of closed forms."""

from __future__ import annotations

import itertools
import operator
from functools import cache

import numpy as np
import pytest

import motorik as mk
from motorik import blocks
from motorik.errors import ParameterError, PortError
from motorik.exchange.modelica import read
from tests.refusals import refused

FIRST = np.arcsin(0.5) / (2.0 * np.pi)  # sin(2π t) rises through ½ [s]
LAST = 0.5 - FIRST


@cache
def run() -> mk.Result:
    """Return a run of blocks that are driven by y = sin(2π t)."""
    model = mk.Model()
    model.sine = blocks.Sine(f=1.0)
    model.above = blocks.GreaterThreshold(threshold=0.5)
    model.relay = blocks.Hysteresis(uLow=-0.5, uHigh=0.5)
    model.two_point = blocks.OnOffController(bandwidth=1.0, pre_y_start=True)
    0.0 >> model.two_point.reference
    for block in (model.above, model.relay, model.two_point):
        model.connect(model.sine.y, block.u)
    model.below = blocks.LessThreshold(threshold=-0.5)
    model.sine.y >> model.below.u
    model.flip = blocks.RSFlipFlop(Qini=True)
    model.below.y >> model.flip.S
    model.above.y >> model.flip.R
    model.timer, model.delay = blocks.Timer(), blocks.LogicalDelay(delayTime=0.1)
    model.ramp = blocks.TriggeredTrapezoid(amplitude=2.0, rising=0.5, falling=0.2)
    model.pre, model.edge, model.fall = blocks.Pre(), blocks.Edge(), blocks.FallingEdge()
    model.change = blocks.Change()
    for name in ("timer", "delay", "ramp", "pre", "edge", "fall", "change"):
        model.connect(model.above.y, model.parts[name].u)
    model.zero = blocks.ZeroCrossing()
    model.sine.y >> model.zero.u
    model.ticks = blocks.SampleTrigger(period=0.25, startTime=0.1)
    for name in ("edge", "fall", "change", "zero", "ticks"):
        counted = blocks.Discrete()
        setattr(model, f"{name}_count", counted)
        event, own = model.parts[name].y, counted
        model.when(
            lambda motion, event=event: motion.signal(event) - 0.5,
            set={own: lambda motion, own=own: motion.signal(own.y) + 1.0},
        )
    return model.simulate(2.2, output=np.linspace(0.0, 2.2, 441), rtol=1e-8)


def times(part: str, what: str) -> np.ndarray:
    """Return the times of the events of a part."""
    return np.array([e.time for e in run().events.of(part) if e.what == what])


def test_hysteresis_changes_at_both_limits():
    assert times("relay", "becomes true") == pytest.approx(FIRST + np.arange(3), abs=1e-7)
    assert times("relay", "becomes false") == pytest.approx(
        1 - LAST + np.arange(2), abs=1e-7
    )
    assert np.array_equal(run()["two_point.y"], 1.0 - run()["relay.y"])


def test_events_are_as_exact_for_small_signals():
    model = mk.Model()
    model.sine = blocks.Sine(f=1.0, amplitude=1e-9)
    model.relay = blocks.Hysteresis(uLow=-5e-10, uHigh=5e-10)
    model.two_point = blocks.OnOffController(bandwidth=1e-9)
    model.zero = blocks.ZeroCrossing()
    0.0 >> model.two_point.reference
    for block in (model.relay, model.two_point, model.zero):
        model.connect(model.sine.y, block.u)
    events = model.simulate(1.4).events
    wanted = [FIRST, 1 - LAST, 1 + FIRST]
    assert events.of("relay").times == pytest.approx(wanted, abs=1e-9)
    assert events.of("two_point").times == pytest.approx(wanted[1:], abs=1e-9)
    assert events.of("zero").times == pytest.approx([0.0, 0.5, 1.0], abs=1e-9)


def test_a_flip_flop_is_set_and_reset():
    t, Q = run().time, run()["flip.Q"]
    phase = (t + 1e-12) % 1.0
    assert np.array_equal(Q, np.where((phase > FIRST) & (phase < 0.5 + FIRST), 0.0, 1.0))


def test_timer_and_delays():
    t = run().time % 1.0
    on = (t > FIRST) & (t < LAST)
    assert run()["timer.y"] == pytest.approx(np.where(on, t - FIRST, 0.0), abs=1e-7)
    assert np.array_equal(run()["delay.y1"], ((t > FIRST + 0.1) & (t < LAST)) * 1.0)
    assert np.array_equal(run()["delay.y2"], ((t > FIRST) & (t < LAST + 0.1)) * 1.0)


def test_a_triggered_ramp_turns_where_it_is():
    t = run().time % 1.0
    top = (LAST - FIRST) / 0.5 * 2.0
    wanted = np.interp(
        t, [0.0, FIRST, LAST, LAST + 0.2 * top / 2.0, 1.0], [0, 0, top, 0, 0]
    )
    assert run()["ramp.y"] == pytest.approx(wanted, abs=1e-6)


def test_instants_are_counted_once():
    t = run().time
    assert np.array_equal(run()["edge_count.y"], np.floor(t - FIRST) + 1.0)
    assert np.array_equal(run()["fall_count.y"], np.floor(t - LAST) + 1.0)
    both = run()["edge_count.y"] + run()["fall_count.y"]
    assert np.array_equal(run()["change_count.y"], both)
    assert run()["zero_count.y"][-1] == 5.0  # at 0, ½, 1, 1½ and 2 s
    assert run()["ticks_count.y"][-1] == 9.0  # from 0.1 s on, each quarter
    assert np.array_equal(run()["pre.y"], run()["above.y"])


TABLES = {
    blocks.And: operator.and_,
    blocks.Or: operator.or_,
    blocks.Xor: operator.xor,
    blocks.Nand: lambda a, b: not (a and b),
    blocks.Nor: lambda a, b: not (a or b),
    blocks.Greater: operator.gt,
    blocks.GreaterEqual: operator.ge,
    blocks.Less: operator.lt,
    blocks.LessEqual: operator.le,
}


@pytest.mark.parametrize("kind", TABLES, ids=lambda kind: kind.__name__)
def test_truth_tables(kind):
    for a, b in itertools.product((False, True), repeat=2):
        (y,) = kind.law(None, 0.0, (float(a), float(b)), ())
        assert y == float(TABLES[kind](a, b))


def value(block: mk.Part, *inputs: float, t: float = 0.0) -> float:
    """Return the first output of a block."""
    p = block.resolved(lambda scalar: scalar.value)
    return type(block).law(p, t, inputs, ())[0]


def test_conversions_and_switches():
    assert value(blocks.Not(), 1.0) == 0.0
    assert value(blocks.BooleanToReal(realTrue=5.0, realFalse=-1.0), 1.0) == 5.0
    assert value(blocks.BooleanToInteger(integerTrue=3, integerFalse=-2), 0.0) == -2.0
    assert value(blocks.RealToBoolean(), 0.5) == 1.0
    assert [value(blocks.RealToInteger(), u) for u in (-1.5, -0.4, 0.5, 2.4)] == [
        -2,
        0,
        1,
        2,
    ]
    assert value(blocks.IntegerToReal(), 4.0) == 4.0
    assert value(blocks.IntegerToBoolean(threshold=3), 2.0) == 0.0
    assert value(blocks.Switch(), 2.0, 1.0, 7.0) == 2.0
    assert value(blocks.Switch(), 2.0, 0.0, 7.0) == 7.0
    assert value(blocks.LogicalSwitch(), 0.0, 1.0, 1.0) == 0.0
    names = (
        "GreaterThreshold",
        "GreaterEqualThreshold",
        "LessThreshold",
        "LessEqualThreshold",
    )
    for u, wanted in ((1.0, (0, 0, 1, 1)), (2.0, (0, 1, 0, 1)), (3.0, (1, 1, 0, 0))):
        found = [value(getattr(blocks, name)(threshold=2.0), u) for name in names]
        assert found == list(wanted)


def test_sources_of_truth_values():
    pulse = blocks.BooleanPulse(width=25.0, period=2.0, startTime=1.0)
    assert [value(pulse, t=t) for t in (0.9, 1.0, 1.4, 1.6, 3.1)] == [0, 1, 1, 0, 1]
    table = blocks.BooleanTable(table=(1.0, 2.0, 4.0), startValue=True, shiftTime=0.5)
    assert [value(table, t=t) for t in (1.4, 1.6, 2.6, 4.6)] == [1, 0, 1, 0]
    step = blocks.BooleanStep(startTime=1.0, startValue=True)
    assert [value(step, t=t) for t in (0.5, 1.0)] == [1, 0]
    assert value(blocks.BooleanConstant(k=False)) == 0.0
    assert value(blocks.IntegerConstant(k=-3)) == -3.0
    stair = blocks.IntegerStep(height=2, offset=1, startTime=1.0)
    assert [value(stair, t=t) for t in (0.5, 1.0)] == [1, 3]


def test_a_relay_that_pushes_back_slides():
    model = mk.Model()
    model.x, model.above = blocks.Integrator(y_start=0.25), blocks.GreaterThreshold()
    model.relay = blocks.Switch()
    model.x.y >> model.above.u
    model.above.y >> model.relay.u2
    -1.0 >> model.relay.u1
    1.0 >> model.relay.u3
    model.relay.y >> model.x.u
    result = model.simulate(0.5)
    assert result["x.y"] == pytest.approx(np.maximum(0.25 - result.time, 0.0), abs=1e-5)


def test_a_condition_that_holds_at_the_start_acts_there():
    model = mk.Model()
    model.ramp = blocks.Ramp(height=-2.0, duration=2.0, offset=1.5)
    model.relay = blocks.Hysteresis()  # false before the start, but u is above 1
    model.ramp.y >> model.relay.u
    result = model.simulate(2.0, output=np.array([0.0, 1.0, 1.4, 1.6]))
    assert np.array_equal(result["relay.y"], [1.0, 1.0, 1.0, 0.0])


def test_what_holds_at_the_start_has_held_before():
    model = mk.Model()
    model.off = blocks.BooleanStep(startTime=0.5, startValue=True)
    model.ramp = blocks.TriggeredTrapezoid(amplitude=2.0, rising=0.4, falling=0.2)
    model.delay = blocks.LogicalDelay(delayTime=0.1)
    model.connect(model.off.y, model.ramp.u, model.delay.u)
    result = model.simulate(1.0, output=np.linspace(0.01, 0.99, 50))
    t = result.time
    wanted = np.interp(t, [0.0, 0.5, 0.7, 1.0], [2.0, 2.0, 0.0, 0.0])
    assert result["ramp.y"] == pytest.approx(wanted, abs=1e-9)
    assert np.array_equal(result["delay.y1"], 1.0 * (t < 0.5))
    assert np.array_equal(result["delay.y2"], 1.0 * (t < 0.6))


def test_a_run_ends_where_it_is_told():
    model = mk.Model()
    model.sine = blocks.Sine(f=1.0)
    model.end = blocks.TerminateSimulation(
        condition=lambda motion: motion["sine.y"] > 0.5, terminationText="is above a half"
    )
    result = model.simulate(1.0)
    assert result.time[-1] == pytest.approx(FIRST, abs=1e-9)
    assert result.events[-1].what == "is above a half"


def test_types_of_signals_are_not_mixed():
    model = mk.Model()
    model.truth, model.gain = blocks.BooleanConstant(), blocks.Gain()
    with refused(PortError, "truth.y", "Boolean values", "BooleanToReal"):
        model.truth.y >> model.gain.u
    with refused(PortError, "gain.u", "Boolean ones", "BooleanToReal"):
        model.gain.u >> model.truth.y
    model.inverse = blocks.Not()
    with refused(PortError, "inverse.u", "Boolean signal", "2.0", "True or False"):
        2.0 >> model.inverse.u
    True >> model.inverse.u
    1.0 >> model.gain.u
    assert model.simulate(0.1)["inverse.y"][-1] == 0.0


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: blocks.Hysteresis(uLow=1.0), ("uLow = 1", "below uHigh")),
        (lambda: blocks.BooleanTable(table=(1.0, 0.5)), ("0.5 s follows 1 s", "rising")),
        (lambda: blocks.IntegerConstant(k=1.5), ("k = 1.5", "whole number")),
        (lambda: blocks.SampleTrigger(period=0.0), ("period = 0.0", "above 0")),
    ],
)
def test_values_that_no_logic_has_are_refused(make, words):
    with refused(ParameterError, *words):
        make()


def test_logic_is_read_from_modelica():
    components = [
        ("ramp", "Modelica.Blocks.Sources.Ramp", {"height": "2", "duration": "2"}),
        ("relay", "Modelica.Blocks.Logical.Hysteresis", {"uLow": "0.5", "uHigh": "1.5"}),
        ("switch", "Modelica.Blocks.Logical.Switch", {}),
        ("low", "Modelica.Blocks.Sources.Constant", {"k": "3"}),
        ("truth", "Modelica.Blocks.Sources.BooleanExpression", {"y": "time > 1"}),
        ("both", "Modelica.Blocks.Logical.And", {}),
        (
            "end",
            "Modelica.Blocks.Logical.TerminateSimulation",
            {"condition": "ramp.y > 1.8"},
        ),
    ]
    pairs = [
        ("ramp.y", "relay.u"),
        ("relay.y", "both.u1"),
        ("truth.y", "both.u2"),
        ("both.y", "switch.u2"),
        ("low.y", "switch.u1"),
        ("ramp.y", "switch.u3"),
    ]
    listed = [{"name": n, "type": t, "modifiers": m} for n, t, m in components]
    data = {"Own.M": {"components": listed, "connections": pairs, "extends": []}}
    result = read("Own.M", data).model.simulate(3.0, output=np.linspace(0, 3, 31))
    t = result.time
    assert t[-1] == pytest.approx(1.8, abs=1e-9)
    assert result["switch.y"] == pytest.approx(np.where(t > 1.4999999, 3.0, t))
