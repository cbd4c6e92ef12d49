"""Simulators in control loops: inputs and outputs as arrays, states kept, copies, histories."""

from __future__ import annotations

import copy
import pickle
from functools import cache

import numpy as np
import pytest

import motorik as mk
from motorik.errors import ParameterError, SimulationError, UnknownNameError
from motorik.gallery import Fourbar1, PlanarFourbar
from tests.events.parts import Slide
from tests.refusals import refused


class Arm(mk.Model):
    """Three links with motors whose torques are live; the mass of the last one is, too."""

    def build(self) -> None:
        self.world = mk.World()
        before = self.world.frame_b
        for k, n in enumerate(("z", "y", "y"), start=1):
            hinge = mk.Revolute(n=n, useAxisFlange=True, phi=0.2 * k)
            link = mk.BodyShape(
                m=mk.Parameter(1.5) if k == 3 else 2.0,
                r=(0.3, 0, 0.1),
                r_CM=(0.15, 0, 0.05),
                I_11=0.02,
                I_22=0.03,
                I_33=0.03,
            )
            motor = mk.rotational.ConstantTorque(tau_constant=mk.Parameter(0.0))
            setattr(self, f"hinge{k}", hinge)
            setattr(self, f"link{k}", link)
            setattr(self, f"motor{k}", motor)
            before >> hinge.frame_a
            hinge.frame_b >> link.frame_a
            motor.flange >> hinge.axis
            before = link.frame_b


TORQUES = tuple(f"motor{k}.tau_constant" for k in (1, 2, 3))


@cache
def arm() -> Arm:
    """Return the arm, compiled once."""
    return Arm()


def controlled(sim, steps: int = 50, dt: float = 0.01) -> list[np.ndarray]:
    """Return the states under torques that follow from the angles, all by names."""
    found = []
    for _ in range(steps):
        for k, name in enumerate(TORQUES, start=1):
            sim[name] = -2.0 * sim[f"hinge{k}.phi"] - 0.1 * sim[f"hinge{k}.w"]
        found.append(sim.step(dt).state)
    return found


@pytest.mark.parametrize("method", ["rk4", "dopri5", "gbs", "adams", "bdf"])
def test_arrays_do_what_names_do(method):
    options = {"method": method, "step": 0.005 if method == "rk4" else None}
    expected = controlled(arm().simulator(**options))
    sim = arm().simulator(**options)
    torques = sim.inputs(*TORQUES)
    angles = sim.outputs([f"hinge{k}.phi" for k in (1, 2, 3)])
    speeds = sim.outputs([f"hinge{k}.w" for k in (1, 2, 3)])
    for row in expected:
        torques.write(-2.0 * angles.read() - 0.1 * speeds.read())
        np.testing.assert_allclose(sim.step(0.01).state, row, rtol=1e-11, atol=1e-11)


def test_outputs_are_any_variables_with_their_units():
    sim = arm().simulator(method="dop853", rtol=1e-11)
    names = ("time", "hinge2.a", "link3.frame_b.r_0", "link2.frame_a.R.T", TORQUES[1])
    outputs = sim.outputs(*names)
    assert outputs.units == ("s", "rad/s2", "m", "1", "N.m") and len(outputs) == 15
    assert sim.inputs("link3.m", *TORQUES).units == ("kg", "N.m", "N.m", "N.m")
    torques = sim.inputs(*TORQUES)
    for k in range(3):
        torques.write([0.3, -0.2 * k, 0.1])
        sim.step(0.1)
        found = outputs.read()
        assert torques.read()[1] == -0.2 * k == found[outputs.slices[TORQUES[1]]][0]
        for name in names[1:4]:
            expected = np.asarray(sim[name]).ravel()
            np.testing.assert_allclose(found[outputs.slices[name]], expected, rtol=1e-12)
    before = found.copy()
    sim.step(0.1)
    assert (found == before).all()  # it is a copy


@pytest.mark.parametrize("model", [Fourbar1, PlanarFourbar])
def test_outputs_in_loops_are_those_of_results(model):
    result = model().simulate(0.4, rtol=1e-9, output=2)
    sim = model().simulator(rtol=1e-9)
    wanted = [s for s in result.names() if s.endswith((".phi", ".frame_b.f"))][:4]
    wanted.append(next(s for s in result.names() if s.endswith(".frame_b.t")))
    outputs = sim.outputs(wanted)
    for row in (1, 2):
        sim.step(0.2)
        found = outputs.read()
        for name in wanted:
            expected = result[name][row].ravel()
            scale = max(1.0, np.abs(expected).max())
            np.testing.assert_allclose(
                found[outputs.slices[name]], expected, rtol=0, atol=1e-5 * scale
            )


def test_inputs_that_parts_limit_are_refused_and_nothing_changes():
    sim = arm().simulator()
    inputs = sim.inputs("link3.m", *TORQUES)
    before = inputs.read()
    with refused(ParameterError, "link3", "m = -1.0 kg"):
        inputs.write([-1.0, 1.0, 1.0, 1.0])
    assert (inputs.read() == before).all()
    with refused(SimulationError, "motor2.tau_constant", "nan"):
        inputs.write([1.0, 1.0, np.nan, 1.0])
    with refused(SimulationError, "shape (3,)", "4 inputs"):
        inputs.write([1.0, 1.0, 1.0])
    with refused(UnknownNameError, "motor1.tau_konstant", "motor1.tau_constant"):
        sim.inputs("motor1.tau_konstant")
    with refused(UnknownNameError, "hinge1", "'phy'", "'phi'"):
        sim.outputs("hinge1.phy")
    with refused(UnknownNameError, "twice"):
        sim.outputs("hinge1.phi", "hinge1.phi")
    inputs.write([2.0, 1.0, 1.0, 1.0])
    assert sim["link3.m"] == 2.0


def test_inputs_choose_what_sticks():
    sim, same = Slide().simulator(rtol=1e-9), Slide().simulator(rtol=1e-9)
    force, speed = sim.inputs("push.f_constant"), sim.outputs("mass.v", "mass.a")
    for value in (0.0, 0.0, 3.0, 5.0, 5.0):
        force.write([value])
        same["push.f_constant"] = value
        assert sim.modes == same.modes
        sim.step(1.0)
        same.step(1.0)
        expected = [same["mass.v"], same["mass.a"]]
        np.testing.assert_allclose(speed.read(), expected, rtol=1e-9, atol=1e-12)


# --- states that are kept ---------------------------------------------------------------------


def make(kind: str, **options):
    """Return a simulator, what drives it, and one of its variables."""
    if kind == "arm":
        return arm().simulator(rtol=1e-10, **options), "motor2.tau_constant", "hinge3.phi"
    if kind == "friction":
        return Slide().simulator(rtol=1e-10, **options), "push.f_constant", "mass.s"
    return PlanarFourbar().simulator(rtol=1e-10, **options), "", "revolute1.phi"


@pytest.mark.parametrize("kind", ["arm", "friction", "loop"])
@pytest.mark.parametrize("way", ["restore", "copy", "pickle"])
def test_a_state_that_is_kept_leads_where_it_led(kind, way):
    sim, drive, name = make(kind)
    sim.step(0.3)
    if drive:
        sim[drive] = 4.5
    sim.step(0.4)
    kept = {
        "restore": sim.save,
        "copy": lambda: copy.copy(sim),
        "pickle": lambda: pickle.dumps(sim),
    }[way]()
    modes, value = sim.modes, sim[name]
    sim.step(1.0)
    expected = sim[name], sim["time"] if "time" in sim.layout.index else sim.time
    if drive:
        sim[drive] = -7.0
    if way == "restore":
        other = sim.restore(kept)
    else:
        other = kept if way == "copy" else pickle.loads(kept)
    assert other.modes == modes and other[name] == pytest.approx(value, abs=1e-12)
    other.step(1.0)
    assert (other[name], other.time) == pytest.approx(expected, abs=1e-7)
    other.reset()
    assert other.time == 0.0 and not other.events and other[name] == make(kind)[0][name]


def test_reset_takes_other_starts_and_parameters():
    sim = arm().simulator(initial={"hinge1.phi": 0.7})
    sim.step(0.2)
    sim.reset({"hinge2.w": 1.0}, {"link3.m": 3.0})
    assert (sim["hinge1.phi"], sim["hinge2.w"], sim["link3.m"]) == (0.7, 1.0, 3.0)
    same = arm().simulator(
        initial={"hinge1.phi": 0.7, "hinge2.w": 1.0}, parameters={"link3.m": 3.0}
    )
    assert sim.step(0.1).state == pytest.approx(same.step(0.1).state, abs=1e-12)
    with refused(UnknownNameError, "hinge7.phi"):
        sim.reset({"hinge7.phi": 0.0})
    assert sim.time == 0.1 and sim["link3.m"] == 3.0
    sim.reset()
    assert (sim["hinge2.w"], sim["link3.m"]) == (0.0, 1.5)


class Carriage(mk.Model):
    """A mass on a spring without gravity: the size of the motion is that of the start alone."""

    def build(self) -> None:
        self.wall = mk.translational.Fixed()
        self.spring = mk.translational.Spring(c=mk.Parameter(100.0))
        self.mass = mk.translational.Mass(m=1.0, s=0.1)
        self.wall.flange >> self.spring.flange_a
        self.spring.flange_b >> self.mass.flange_a


STARTS = {
    "arm": (arm, {"hinge2.w": 30.0}, {"motor2.tau_constant": 2.0}),
    "carriage": (Carriage, {"mass.v": 1e3}, {"spring.c": 250.0}),
    "friction": (Slide, {"mass.v": 4.0}, {"push.f_constant": 4.5}),
    "loop": (PlanarFourbar, {"revolute1.w": 40.0}, {}),
}


@pytest.mark.parametrize("method", ["dopri5", "bdf", "rk4"])
@pytest.mark.parametrize("kind", STARTS)
def test_nothing_of_what_was_before_is_left_after_a_reset(kind, method):
    build, initial, live = STARTS[kind]
    model, options = build(), {"step": 1e-3} if method == "rk4" else {}

    def led(sim) -> tuple[object, ...]:
        states = np.array([sim.step(dt).state for dt in (0.03, 0.07)])
        cost, events = sim.info(), [(e.time, e.what) for e in sim.events]
        return states.tolist(), sim.time, events, cost.steps, cost.evaluations

    def made(**given):
        return model.simulator(method=method, **options, **given)

    sim, first, other = made(), led(made()), led(made(initial=initial, parameters=live))
    led(sim)
    assert led(sim.reset()) == first
    assert led(sim.reset(initial, live)) == other
    kept = sim.reset(initial, live).save()
    assert led(made().restore(kept)) == other
    assert led(pickle.loads(pickle.dumps(sim.reset(initial, live)))) == other
    assert led(sim.reset()) == first


def test_states_of_other_models_are_refused():
    with refused(SimulationError, "save"):
        arm().simulator().restore(3)  # type: ignore[arg-type]
    with refused(SimulationError, "another"):
        arm().simulator().restore(Slide().simulator().save())


# --- histories ----------------------------------------------------------------------------------


def test_a_history_is_the_result_of_the_run():
    sim = arm().simulator(rtol=1e-10, history=True)
    torques = sim.inputs(*TORQUES)
    for k in range(5):
        torques.write([0.1 * k, 0.0, -0.1])
        sim.step(0.1)
    result = sim.result()
    assert len(result.time) == 6 and result.time[-1] == pytest.approx(0.5)
    assert result["hinge1.phi"][-1] == sim["hinge1.phi"]
    assert result["hinge1.tau"][-1] == pytest.approx(0.4, abs=1e-12)
    assert result["hinge1.tau"][1] == pytest.approx(0.0, abs=1e-12)
    assert result.info.steps > 0 and result.complete
    kept = sim.save()
    sim.step(0.1)
    assert len(sim.result().time) == 7 and len(sim.restore(kept).result().time) == 6
    assert len(pickle.loads(pickle.dumps(sim)).result().time) == 6
    assert len(sim.reset().result().time) == 1
    with refused(SimulationError, "history=True"):
        arm().simulator().result()


def test_a_history_has_the_events():
    sim = Slide().simulator(rtol=1e-9, history=True)
    for _ in range(20):
        sim.step(0.1)
    result = sim.result()
    (event,) = result.events
    assert event.what == "sticks" and event.time == pytest.approx(1.5, abs=1e-9)
    whole = Slide().simulate(2.0, rtol=1e-9, output=20)
    for name in ("mass.v", "mass.s", "pad.flange_b.f"):
        found, expected = (np.delete(own[name], 15) for own in (result, whole))
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)  # but at the event
