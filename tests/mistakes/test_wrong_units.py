"""Connected signals in different units are refused; numbers and gains have any unit."""

from __future__ import annotations

from fractions import Fraction

import pytest

import motorik as mk
from motorik import blocks, heat
from motorik import rotational as rot
from motorik import translational as tra
from motorik.components.base.dimensions import dimension
from motorik.components.base.part import signal_input, signal_output
from motorik.errors import PortError, UnitWarning
from motorik.exchange.modelica import read_model
from tests.refusals import refused


def moved(**parts: mk.Part) -> mk.Model:
    """Return a mass with a force, sensors of speed and position, and other parts."""
    model = mk.Model()
    model.mass, model.force = tra.Mass(m=2.0), tra.Force()
    model.speed, model.place = tra.SpeedSensor(), tra.PositionSensor()
    mk.connect(
        *(model.mass.flange_a, model.force.flange, model.speed.flange, model.place.flange)
    )
    for name, part in parts.items():
        setattr(model, name, part)
    return model


def test_a_speed_is_no_force():
    model = moved()
    model.speed.v >> model.force.f
    with refused(PortError, "force.f", "in N", "speed.v", "m/s", "Gain"):
        model.compile()


def test_units_pass_through_blocks():
    model = moved(error=blocks.Feedback(), held=blocks.Limiter(uMax=3.0))
    0.5 >> model.error.u1
    model.speed.v >> model.error.u2
    model.error.y >> model.held.u
    model.held.y >> model.force.f
    with refused(PortError, "force.f", "m/s", "follows from speed.v through error, held"):
        model.compile()


def test_a_position_is_not_compared_with_a_speed():
    model = moved(error=blocks.Feedback(), gain=blocks.Gain(k=3.0))
    model.speed.v >> model.error.u1
    model.place.s >> model.error.u2
    model.error.y >> model.gain.u
    model.gain.y >> model.force.f
    with refused(PortError, "error.u2", "m/s", "place.s", "in m."):
        model.compile()


def test_the_rate_of_a_position_is_a_speed():
    model = moved(rate=blocks.Der(), error=blocks.Feedback(), gain=blocks.Gain(k=-3.0))
    model.place.s >> model.rate.u
    model.rate.y >> model.error.u1
    model.speed.v >> model.error.u2
    model.error.y >> model.gain.u
    model.gain.y >> model.force.f
    assert model.simulate(0.1)["error.y"] == pytest.approx(0.0, abs=1e-12)


def test_a_number_fits_every_input():
    model = moved(k=blocks.Constant(k=1.0))
    model.angle, model.disc = rot.Torque(), rot.Inertia(J=1.0)
    model.angle.flange >> model.disc.flange_a
    model.k.y >> model.force.f
    model.k.y >> model.angle.tau
    assert model.simulate(1.0)["disc.w"][-1] == pytest.approx(1.0)


def test_a_factor_between_units_is_told():
    model = mk.Model()
    model.disc, model.speed = rot.Inertia(J=1.0), rot.SpeedSensor()
    model.wave = blocks.SineVariableFrequencyAndAmplitude()
    mk.connect(model.disc.flange_a, model.speed.flange)
    1.0 >> model.wave.amplitude
    model.speed.w >> model.wave.f
    with refused(PortError, "wave.f", "Hz", "rad/s", "Gain(k=0.159155)"):
        model.compile()


def test_kelvin_are_not_degrees_celsius():
    class Dial(blocks.Block):
        """Shows a temperature."""

        u = signal_input("temperature", "degC")
        y = signal_output("temperature", "degC")

        def inputs(self):
            return (self.u,)

        def outputs(self):
            return (self.y,)

        @staticmethod
        def law(p, t, inputs, states):
            return (inputs[0],)

    model = mk.Model()
    model.body, model.sensor, model.dial = (
        heat.HeatCapacitor(),
        heat.TemperatureSensor(),
        Dial(),
    )
    mk.connect(model.body.port, model.sensor.port)
    model.sensor.T >> model.dial.u
    with refused(PortError, "dial.u", "degC", "sensor.T", "in K"):
        model.compile()


def test_units_are_seen_through_buses_and_models():
    class Drive(mk.Model):
        """A force by a signal of the model."""

        push = signal_input("force", "N")

        def build(self) -> None:
            self.mass, self.force = tra.Mass(m=1.0), tra.Force()
            self.force.flange >> self.mass.flange_a
            self.push >> self.force.f

    model = moved(bus=blocks.Bus(), drive=Drive())
    0.0 >> model.force.f
    model.speed.v >> model.bus["v"]
    model.bus["v"] >> model.drive.push
    with refused(PortError, "drive", "in N", "speed.v", "m/s"):
        model.compile()


def test_a_model_of_another_tool_is_read_with_a_warning():
    home = "Modelica.Mechanics.Rotational"
    parts = [
        ("j", f"{home}.Components.Inertia", {"J": "1"}),
        ("w", f"{home}.Sensors.SpeedSensor", {}),
        ("t", f"{home}.Sources.Torque", {}),
    ]
    text = {
        "components": [
            {"name": name, "type": kind, "modifiers": given} for name, kind, given in parts
        ],
        "connections": [
            ["j.flange_a", "w.flange"],
            ["j.flange_b", "t.flange"],
            ["w.w", "t.tau"],
        ],
        "extends": [],
        "other_equations": 0,
    }
    model = read_model("Own", {f"{home}.Own": text})
    with pytest.warns(UnitWarning, match=r"t\.tau: is in N\.m, but w\.w"):
        model.compile()


@pytest.mark.parametrize(
    ("one", "other", "fits"),
    [
        ("N.m", "kg.m2/s2", True),
        ("W", "N.m/s", True),
        ("V.A", "W", True),
        ("Pa.m3", "J", True),
        ("Wb/s", "V", True),
        ("rad/s", "1/s", True),
        ("W/(m2.K)", "kg.s-3.K-1", True),
        ("kN", "N", False),
        ("deg", "rad", False),
        ("rpm", "rad/s", False),
        ("Hz", "rad/s", False),
        ("m/s", "m/s2", False),
        ("degC", "K", False),
    ],
)
def test_units_are_read(one, other, fits):
    a, b = dimension(one), dimension(other)
    assert a is not None and b is not None
    assert a.fits(b) is b.fits(a) is fits
    assert a.to(Fraction(2)).to(Fraction(1, 2)).fits(a) is (one != "degC")


def test_what_is_no_unit_says_nothing():
    assert dimension("parsecs") is None is dimension("")
