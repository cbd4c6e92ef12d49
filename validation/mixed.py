"""Random networks of several domains: the energy of a run, and what two tolerances differ by.

    python -m validation.mixed 100

A source feeds branches of resistors, capacitors, inductors, switches and diodes, ideal or
exponential; a motor drives a load through a gear, a clutch or a spring: friction, a pump with an
orifice, a pendulum, a mass on a rack. Losses may warm a body. Nobody knows the solution; but what
sources supply is stored or lost, and a run with a coarser tolerance is the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import motorik as mk
from motorik import blocks, heat, hydraulic, joints, translational
from motorik import electrical as el
from motorik import rotational as ro

END = 1.5  # s
TIGHT, LOOSE = 1e-8, 1e-6
IMBALANCE = 1e-5  # part of the energy that is supplied, stored or lost
APART = 1e-2  # part of the range of a state by which both runs may differ
ROOM = 293.15  # K

LOSSES = ((0.0, 0.9, 0.85, 0.05, 0.05),)


@dataclass
class Growing:
    """A network that grows: its model, its random numbers, and the parts that lose power."""

    random: np.random.Generator
    model: mk.Model = field(default_factory=mk.Model)
    lossy: list[Any] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    count: int = 0

    def size(self, least: float, most: float) -> float:
        """Return a number between two, its logarithm uniform."""
        return float(np.exp(self.random.uniform(np.log(least), np.log(most))))

    def add(self, part: mk.Part, loses: bool = False, state: str = "") -> Any:
        """Give a part to the model; return it."""
        self.count += 1
        name = f"{type(part).__name__.lower()}{self.count}"
        setattr(self.model, name, part)
        self.lossy += [part] if loses else []
        self.states += [f"{name}.{state}"] if state else []
        return part

    def resistor(self, least: float = 0.1, most: float = 10.0) -> Any:
        """Return a resistor."""
        return self.add(el.Resistor(R=self.size(least, most)), loses=True)

    def pick(self, makers: list[Callable[..., Any]], *given: Any) -> Any:
        """Return what one of some functions gives."""
        return makers[self.random.integers(len(makers))](self, *given)


# --- the circuit ----------------------------------------------------------------------------


def capacitor(own: Growing, at: Any, ground: Any) -> Any:
    """Put a capacitor across the circuit."""
    part = own.add(el.Capacitor(C=own.size(1e-3, 0.1), v=0.0), state="v")
    mk.connect(at, part.p)
    mk.connect(part.n, ground)
    return at


def rectifier(own: Growing, at: Any, ground: Any) -> Any:
    """Put an ideal diode into the line, and a capacitor behind it."""
    diode = own.add(el.IdealDiode(Vknee=0.3), loses=True)
    mk.connect(at, diode.p)
    return capacitor(own, diode.n, ground)


def switched(own: Growing, at: Any, ground: Any) -> Any:
    """Put a resistor across the circuit that a switch connects."""
    switch = own.add(el.IdealClosingSwitch(Ron=1e-3, Goff=1e-4), loses=True)
    pulse = own.add(blocks.BooleanPulse(period=own.size(0.1, 0.5), width=50.0))
    load = own.resistor(1.0, 10.0)
    mk.connect(pulse.y, switch.control)
    mk.connect(at, switch.p)
    mk.connect(switch.n, load.p)
    mk.connect(load.n, ground)
    return at


def choke(own: Growing, at: Any, ground: Any) -> Any:
    """Put an inductor into the line, and a resistor across it."""
    part = own.add(el.Inductor(L=own.size(0.01, 1.0), i=0.0), state="i")
    load = own.resistor(1.0, 20.0)
    mk.connect(at, part.p)
    mk.connect(part.n, load.p)
    mk.connect(load.n, ground)
    return part.n


def exponential(own: Growing, at: Any, ground: Any) -> Any:
    """Put an exponential diode and a resistor across the circuit."""
    diode, load = own.add(el.Diode(Vt=0.05), loses=True), own.resistor(1.0, 10.0)
    mk.connect(at, diode.p)
    mk.connect(diode.n, load.p)
    mk.connect(load.n, ground)
    return at


BRANCHES: list[Callable[..., Any]] = [capacitor, rectifier, switched, choke, exponential]

# --- the load -------------------------------------------------------------------------------


def bearing(own: Growing, flange: Any) -> None:
    """Brake a shaft by friction in a bearing."""
    table = ((0.0, own.size(0.01, 1.0)), (10.0, own.size(0.1, 2.0)))
    part = own.add(ro.BearingFriction(tau_pos=table), loses=True)
    mk.connect(flange, part.flange_a)


def pump(own: Growing, flange: Any) -> None:
    """Let a shaft pump liquid through an orifice."""
    part = own.add(hydraulic.Pump(D=own.size(1e-6, 1e-5), G_leak=1e-13), loses=True)
    tank, line = own.add(hydraulic.Tank()), own.add(hydraulic.LineVolume())
    orifice = own.add(hydraulic.Orifice(A=own.size(1e-6, 1e-5)), loses=True)
    mk.connect(flange, part.flange)
    mk.connect(tank.port, part.port_a, orifice.port_b)
    mk.connect(part.port_b, line.port, orifice.port_a)


def pendulum(own: Growing, flange: Any) -> None:
    """Let a shaft swing a pendulum with friction in its hinge by a spring."""
    world = own.add(mk.World(n="-y"))
    law = joints.Coulomb(tau=own.size(0.01, 0.5))
    hinge = own.add(mk.Revolute(n="z", friction=law), loses=True, state="phi")
    arm = own.size(0.05, 0.3), 0.0, 0.0
    body = mk.Body(m=own.size(0.2, 2.0), r_CM=arm, I_11=0.01, I_22=0.01, I_33=0.01)
    own.add(body)
    spring = own.add(ro.SpringDamper(c=own.size(10.0, 200.0), d=0.2), loses=True)
    mk.connect(world.frame_b, hinge.frame_a)
    mk.connect(hinge.frame_b, body.frame_a)
    mk.connect(flange, spring.flange_a)
    mk.connect(spring.flange_b, hinge.axis)


def rack(own: Growing, flange: Any) -> None:
    """Let a shaft push a mass with friction by a rack."""
    part = own.add(ro.IdealGearR2T(ratio=own.size(2.0, 20.0)))
    mass = own.add(translational.Mass(m=own.size(0.5, 5.0)))
    table = ((0.0, own.size(0.1, 3.0)), (1.0, own.size(0.1, 5.0)))
    friction = own.add(translational.SupportFriction(f_pos=table), loses=True)
    mk.connect(flange, part.flangeR)
    mk.connect(part.flangeT, mass.flange_a)
    mk.connect(mass.flange_b, friction.flange_a)


LOADS: list[Callable[..., Any]] = [bearing, pump, pendulum, rack]
GEARS: list[Callable[[Growing], tuple[Any, bool]]] = [
    lambda own: (own.add(ro.IdealGear(ratio=own.size(0.5, 5.0))), True),
    lambda own: (
        own.add(ro.LossyGear(ratio=own.size(1.0, 5.0), lossTable=LOSSES), loses=True),
        True,
    ),
    lambda own: (own.add(ro.Clutch(fn_max=own.size(1.0, 20.0)), loses=True), False),
    lambda own: (
        own.add(ro.SpringDamper(c=own.size(10.0, 1e3), d=own.size(0.1, 1.0)), loses=True),
        False,
    ),
]


def random_network(seed: int) -> tuple[mk.Model, list[str]]:
    """Return a network, and the names of its states that are compared."""
    own = Growing(np.random.default_rng(seed))
    ground = own.add(el.Ground()).p
    voltage = own.size(5.0, 50.0)
    source = own.add(
        [
            el.ConstantVoltage(V=voltage),
            el.SineVoltage(V=voltage, f=own.size(0.5, 5.0)),
            el.PulseVoltage(V=voltage, period=own.size(0.2, 0.6), width=50.0),
        ][own.random.integers(3)]
    )
    mk.connect(source.n, ground)
    at = source.p
    for _ in range(own.random.integers(1, 4)):
        resistor = own.resistor()
        mk.connect(at, resistor.p)
        at = own.pick(BRANCHES, resistor.n, ground)
    coil = own.add(el.Inductor(L=own.size(1e-3, 0.1), i=0.0), state="i")
    motor = own.add(el.RotationalEMF(k=own.size(0.1, 2.0)))
    mk.connect(at, coil.p)
    mk.connect(coil.n, motor.p)
    mk.connect(motor.n, ground)
    rotor = own.add(ro.Inertia(J=own.size(0.01, 1.0), phi=0.0, w=0.0), state="w")
    gear, is_rigid = own.pick(GEARS)
    wheel = own.add(ro.Inertia(J=own.size(0.01, 1.0)), state="w")
    if not is_rigid:
        wheel.phi, wheel.w = 0.0, 0.0
    mk.connect(motor.flange, rotor.flange_a)
    mk.connect(rotor.flange_b, gear.flange_a)
    mk.connect(gear.flange_b, wheel.flange_a)
    if isinstance(gear, ro.Clutch):
        press = own.add(blocks.Pulse(period=own.size(0.2, 0.5), width=60.0))
        mk.connect(press.y, gear.f_normalized)
    own.pick(LOADS, wheel.flange_b)
    if own.random.random() < 0.7:
        case = own.add(heat.HeatCapacitor(C=own.size(1.0, 100.0), T=ROOM), state="T")
        wall, room = (
            own.add(heat.ThermalConductor()),
            own.add(heat.FixedTemperature(T=ROOM)),
        )
        mk.connect(case.port, wall.port_a, *(part.heatPort for part in own.lossy))
        mk.connect(wall.port_b, room.port)
    return own.model, own.states


def compare(seed: int) -> tuple[float, float]:
    """Return the imbalance of energy of a run, and how far apart two runs are."""
    model, states = random_network(seed)
    tight, loose = (
        model.simulate(END, rtol=rtol, progress=False) for rtol in (TIGHT, LOOSE)
    )
    if not (tight.complete and loose.complete):
        return np.inf, np.inf
    energy = tight.energy()
    sizes = [np.abs(energy[name]).max() for name in ("supplied", "lost", "total")]
    apart = [
        np.abs(tight[name] - loose[name]).max() / max(np.ptp(tight[name]), 1e-6)
        for name in states
    ]
    return float(np.abs(energy["imbalance"]).max() / max(sizes)), float(max(apart))


def main(count: int) -> int:
    """Compare networks and print those that fail; return how many."""
    failed = 0
    for seed in range(count):
        imbalance, apart = compare(seed)
        if not (imbalance < IMBALANCE and apart < APART):
            failed += 1
            print(f"{seed:5d}  imbalance {imbalance:.1e}  apart {apart:.1e}", flush=True)
    print(f"{count - failed} of {count} networks keep their energy")
    return failed


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20) > 0)
