"""Signals: who gives which value, in which order, and what blocks keep."""

from __future__ import annotations

from contextlib import suppress
from types import SimpleNamespace

import pytest

import motorik as mk
from motorik import Part, blocks, electrical, rotational
from motorik.components.base.contributions import Measurement, SignalLaw
from motorik.components.base.part import signal_input, signal_output
from motorik.components.base.ports import SignalInput
from motorik.errors import (
    EquationError,
    MissingAccelerationsError,
    ParameterError,
    PortError,
)
from motorik.topology.inventory import take_inventory
from motorik.topology.signals import Signals
from tests.refusals import refused


def model_of(**parts: Part) -> mk.Model:
    """Return a model with a world and these parts."""
    model = mk.Model()
    model.world = mk.World()
    for name, part in parts.items():
        setattr(model, name, part)
    return model


def signals_of(model: mk.Model) -> Signals:
    """Return the signals of a model."""
    return Signals(take_inventory(model, lambda scalar: scalar.value))


def situation(signals: Signals, z: list, t: float = 0.0, ud: list | None = None):
    """Return a motion that knows nothing but signals."""
    motion = SimpleNamespace(ud=ud, t=t, z=z)
    values = signals.evaluate(motion, z, t)
    motion.signal = values.__getitem__
    return motion


class Meter(Part):
    """Measures a number that the test chooses."""

    y = signal_output("the reading", "V")

    def contributions(self, p):
        yield Measurement(self, (self.y,), lambda motion: (motion.reading,), level=2)


class Pair(Part):
    """Gives a vector of two from a vector of three."""

    u = signal_input("three numbers", size=3)
    y = signal_output("two numbers", size=2)

    def contributions(self, p):
        yield SignalLaw(self, (self.u,), (self.y,), p, _sum_and_difference)


def _sum_and_difference(p, t, inputs, states):
    (a, b, c) = inputs[0]
    return ((a + b + c, a - b - c),)


def test_values_follow_through_blocks_in_whatever_order_they_were_made():
    model = model_of(last=blocks.Gain(k=3.0), first=blocks.Add(k2=-1.0))
    model.first.y >> model.last.u
    model.one, model.two = blocks.Constant(k=5.0), blocks.ContinuousClock(offset=1.0)
    model.one.y >> model.first.u1
    model.two.y >> model.first.u2
    motion = situation(signals_of(model), [], t=1.5)
    assert motion.signal(model.last.y) == 3.0 * (5.0 - 2.5)


def test_a_value_is_computed_once_and_only_when_asked_for():
    calls = []
    model = model_of(f=blocks.Function(f=lambda u: calls.append(u) or 2.0 * u))
    3.0 >> model.f.u
    motion = situation(signals_of(model), [])
    assert calls == []
    assert [motion.signal(model.f.y), motion.signal(model.f.y)] == [6.0, 6.0]
    assert calls == [3.0]


def test_a_loop_with_a_state_is_no_algebraic_loop():
    model = model_of(
        integral=blocks.Integrator(k=2.0, y_start=0.5), back=blocks.Gain(k=-3.0)
    )
    model.integral.y >> model.back.u
    model.back.y >> model.integral.u
    signals = signals_of(model)
    assert [state.name for state in signals.states] == ["integral.y"]
    motion = situation(signals, [0.5])
    assert signals.rates(motion, [0.5], 0.0) == [2.0 * -3.0 * 0.5]


def test_a_loop_without_a_state_is_solved():
    model = model_of(
        a=blocks.Gain(k=2.0),
        b=blocks.Gain(k=3.0),
        sum=blocks.Add(),
        one=blocks.Constant(k=1.0),
    )
    model.one.y >> model.sum.u1
    model.b.y >> model.sum.u2
    model.sum.y >> model.a.u
    model.a.y >> model.b.u
    motion = situation(signals_of(model), [])
    assert motion.signal(model.sum.y) == pytest.approx(1.0 / (1.0 - 6.0))
    assert motion.signal(model.b.y) == pytest.approx(6.0 / (1.0 - 6.0))


def test_a_loop_without_a_solution_is_named():
    model = model_of(a=blocks.Gain(k=2.0), b=blocks.Gain(k=0.5), c=blocks.Gain())
    model.a.y >> model.b.u
    model.b.y >> model.a.u
    model.b.y >> model.c.u
    with refused(EquationError, "a, b", "algebraic loop", "Integrator"):
        signals_of(model)


def test_elements_of_vectors_are_connected_one_by_one_or_all_at_once():
    model = model_of(pair=Pair(), total=blocks.Sum(k=(1.0, 10.0)))
    for i, value in enumerate((1.0, 2.0, 4.0)):
        blocks.Constant(k=value).y >> model.pair.u[i]
    model.pair.y >> model.total.u
    assert [p for p in model.parts if p.startswith("constant")] == [
        "constant1",
        "constant2",
        "constant3",
    ]
    motion = situation(signals_of(model), [])
    assert motion.signal(model.pair.y) == (7.0, -5.0)
    assert motion.signal(model.pair.y[1]) == -5.0
    assert motion.signal(model.total.y) == 7.0 - 50.0
    assert model.pair.y[1].path == "pair.y[2]"


def test_vectors_of_different_sizes_are_refused():
    model = model_of(pair=Pair(), total=blocks.Sum(k=(1.0, 2.0, 3.0)))
    with refused(PortError, "pair.y", "size 2", "size 3", "[0]"):
        model.pair.y >> model.total.u
    with refused(PortError, "pair.y", "no element 2", "from 0"):
        model.pair.y[2] >> model.total.u[0]
    with refused(PortError, "world.frame_b", "no element 0"):
        model.world.frame_b[0] >> model.total.u[0]


def test_signals_pass_through_ports_of_models():
    class Twice(mk.Model):
        """Doubles a signal."""

        u = signal_input("input")
        y = signal_output("what comes out")

        def build(self) -> None:
            self.gain = blocks.Gain(k=2.0)
            self.u >> self.gain.u
            self.gain.y >> self.y

    model = model_of(twice=Twice(), again=Twice())
    1.5 >> model.twice.u
    model.twice.y >> model.again.u
    motion = situation(signals_of(model), [])
    assert motion.signal(model.again.y) == 6.0


def test_an_input_that_nothing_gives_is_named():
    model = model_of(torque=rotational.Torque(), mass=rotational.Inertia())
    model.torque.flange >> model.mass.flange_a
    with refused(PortError, "torque.tau", "without a source", "Constant"):
        signals_of(model)
    model = model_of(sum=blocks.Sum())
    1.0 >> model.sum.u[0]
    with refused(PortError, "sum.u[2]", "without a source"):
        signals_of(model)


def with_inputs() -> list[Part]:
    """Return one of each block that takes signals and can be made without arguments."""
    made = []
    for kind in (getattr(blocks, name) for name in blocks.__all__):
        if isinstance(kind, type) and issubclass(kind, Part):
            with suppress(ParameterError):  # it needs a function
                made.append(kind())
    return [b for b in made if any(isinstance(p, SignalInput) for p in b.ports())]


@pytest.mark.parametrize("block", with_inputs(), ids=lambda block: type(block).__name__)
def test_every_block_needs_its_inputs(block):
    with refused(PortError, "block.", "without a source"):
        model_of(block=block).compile()


def test_inputs_of_parts_of_equations_are_needed_where_no_state_depends_on_them():
    model = model_of(
        source=electrical.SignalVoltage(),
        ground=electrical.Ground(),
        load=electrical.Resistor(),
    )
    model.connect(model.source.p, model.load.p)
    model.connect(model.source.n, model.load.n, model.ground.p)
    with refused(PortError, "source.v", "without a source"):
        model.compile()


def test_two_outputs_cannot_give_one_signal():
    model = model_of(a=blocks.Constant(), b=blocks.Constant(), gain=blocks.Gain())
    model.a.y >> model.gain.u
    model.b.y >> model.gain.u
    with refused(PortError, "b.y", "a", "both are sources", "one output"):
        signals_of(model)


def test_only_finite_numbers_and_only_signals_take_numbers():
    model = model_of(gain=blocks.Gain())
    for wrong in (float("nan"), float("inf"), "half"):
        with refused(PortError, "gain.u", "cannot be connected"):
            wrong >> model.gain.u
    with refused(PortError, "world.frame_b", "cannot be connected"):
        2.0 >> model.world.frame_b


def test_a_reading_of_forces_cannot_make_forces():
    model = model_of(meter=Meter(), gain=blocks.Gain(k=2.0))
    model.meter.y >> model.gain.u
    signals = signals_of(model)
    motion = situation(signals, [])
    with refused(MissingAccelerationsError, "meter", "before each other", "FirstOrder"):
        motion.signal(model.gain.y)
    motion = situation(signals, [], ud=[])
    motion.reading = 4.0
    assert motion.signal(model.gain.y) == 8.0


def test_states_start_where_their_inputs_want_them():
    model = model_of(
        one=blocks.FirstOrder(k=2.0, T=0.1, initType="SteadyState"),
        two=blocks.CriticalDamping(n=3, f=5.0, initType="SteadyState"),
        three=blocks.FirstOrder(y_start=0.7),
        wave=blocks.Cosine(amplitude=3.0),
    )
    model.wave.y >> model.one.u
    model.one.y >> model.two.u
    model.two.y >> model.three.u
    signals = signals_of(model)
    names = [state.name for state in signals.states]
    assert names == ["one.y", "two.x[1]", "two.x[2]", "two.x[3]", "three.y"]
    given = [state.start.value for state in signals.states]
    begin = signals.start_values(SimpleNamespace(ud=None), given, 0.0)
    assert begin == [6.0, 6.0, 6.0, 6.0, 0.7]
    rates = signals.rates(situation(signals, begin), begin, 0.0)
    assert rates[:4] == [0.0, 0.0, 0.0, 0.0]
    assert rates[4] == pytest.approx(6.0 - 0.7)


# --- rates in loops -----------------------------------------------------------------------


def rate_loop(*behind: mk.Part, a: float, b: float = 0.0) -> mk.Model:
    """Return e = sin(2 π t) − a ẏ − b ÿ, y being e behind some blocks."""
    model = mk.Model()
    model.source = blocks.Sine(f=1.0)
    model.sum = blocks.Add3(k2=-a, k3=-b) if b else blocks.Add(k2=-a)
    model.first, model.second = blocks.Der(), blocks.Der()
    model.source.y >> model.sum.u1
    last = model.sum.y
    for k, block in enumerate(behind):
        setattr(model, f"behind{k}", block)
        last >> block.u
        last = block.y
    last >> model.first.u
    model.first.y >> model.second.u
    model.first.y >> model.sum.u2
    if isinstance(model.sum, blocks.Add3):
        model.second.y >> model.sum.u3
    return model


@pytest.mark.slow
def test_a_rate_that_is_fed_back_makes_a_filter():
    """y = s − a ẏ is a filter of first order, with ÿ one of second order; so are blocks in it."""
    model = mk.Model()
    model.source, model.one = blocks.Sine(f=1.0), blocks.FirstOrder(T=0.1)
    model.slow, model.two = blocks.FirstOrder(T=0.8), blocks.SecondOrder(w=5.0, D=0.75)
    for block in (model.one, model.slow, model.two):
        model.source.y >> block.u
    exact = model.simulate(1.0, rtol=1e-9, interval=0.1)
    options = {"rtol": 1e-9, "interval": 0.1}
    one = rate_loop(a=0.1).simulate(1.0, **options)
    assert one["sum.y"] == pytest.approx(exact["one.y"], abs=1e-7)
    slow = rate_loop(blocks.FirstOrder(T=0.5), a=0.3).simulate(1.0, **options)
    assert slow["behind0.y"] == pytest.approx(exact["slow.y"], abs=1e-7)
    two = rate_loop(a=0.3, b=0.04).simulate(1.0, **options)
    assert two["sum.y"] == pytest.approx(exact["two.y"], abs=1e-7)
    assert two["first.y"] == pytest.approx(exact["two.yd"], abs=1e-6)
