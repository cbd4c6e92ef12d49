"""Models at rest in equilibrium: a run takes few steps, whatever its stop time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import motorik as mk
from motorik import rotational
from validation.attack.finding import LIMIT, METHODS, Finding, judged, run

MOST = 50  # steps, where stability does not ask for more
REACH = {  # |h λ| of stable steps; bdf follows what is as large as rounding
    "dopri5": 3.0,
    "dop853": 5.0,
    "gbs": 3.0,
    "adams": 0.3,
    "auto": 3.0,
    "bdf": 1.0,
}
Held = tuple[mk.Model, float]  # a model, and a bound of the rates of its modes [1/s]
STRATEGIES = ("explicit", "projected", "absolute", "baumgarte")


def hanging_plate(rng: np.random.Generator) -> Held:
    """Return a plate that hangs on three rods of one length."""
    model = mk.Model()
    model.world = mk.World()
    m, inertia = float(10 ** rng.uniform(-1, 2)), float(10 ** rng.uniform(-2, 0))
    length = float(10 ** rng.uniform(-1, 1))
    plate = mk.Body(
        m=m,
        I_11=inertia,
        I_22=inertia,
        I_33=inertia,
        r_0=mk.guess((0.0, -length, 0.0)),
    )
    model.plate = plate
    turn = rng.uniform(0, 2 * np.pi)
    for k in range(3):
        angle = turn + 2 * np.pi * k / 3
        point = (0.5 * float(np.cos(angle)), 0.0, 0.5 * float(np.sin(angle)))
        above, below = mk.Fixed(r=point), mk.FixedTranslation(r=point)
        rod = mk.joints.SphericalSpherical(rodLength=length)
        for name, part in (("above", above), ("below", below), ("rod", rod)):
            setattr(model, f"{name}{k}", part)
        model.connect(above.frame_b, rod.frame_a)
        model.connect(rod.frame_b, below.frame_b)
        model.connect(below.frame_a, plate.frame_a)
    stiffness = 9.81 / length * (1.0 + 0.25 * m / inertia)
    return model, 2.0 * float(np.sqrt(stiffness))


def loaded_four_bar(rng: np.random.Generator) -> Held:
    """Return a four-bar held by a spring, whose start is its equilibrium."""
    model = mk.Model()
    model.world = mk.World()
    crank, base = rng.uniform(0.2, 0.4), rng.uniform(0.8, 1.1)
    bars = {
        "crank": crank,
        "coupler": rng.uniform(0.9, 1.1),
        "rocker": rng.uniform(0.6, 0.8),
    }
    angles = {"bearing": 0.1, "pin": -0.8, "pivot": 1.4, "knuckle": None}
    for name, length in bars.items():
        setattr(model, name, mk.BodyBox(r=(float(length), 0, 0), width=0.04))
    for name, angle in angles.items():
        start: dict[str, Any] = {} if angle is None else {"phi": mk.guess(angle)}
        if name == "bearing":
            start |= {"w": 0.0, "a": 0.0}
        setattr(model, name, mk.Revolute(n="z", **start))
    model.base = mk.Fixed(r=(float(base), 0, 0))
    c, density = float(10 ** rng.uniform(1.5, 3.5)), 7700.0
    model.spring = rotational.SpringDamper(c=c, d=float(rng.choice([0.0, 1.0])))
    model.connect(model.world.frame_b, model.bearing.frame_a)
    model.connect(model.bearing.frame_b, model.crank.frame_a)
    model.connect(model.crank.frame_b, model.pin.frame_a)
    model.connect(model.pin.frame_b, model.coupler.frame_a)
    model.connect(model.base.frame_b, model.pivot.frame_a)
    model.connect(model.pivot.frame_b, model.rocker.frame_a)
    model.connect(model.rocker.frame_b, model.knuckle.frame_a)
    model.connect(model.knuckle.frame_b, model.coupler.frame_b)
    model.connect(model.bearing.support, model.spring.flange_a)
    model.connect(model.spring.flange_b, model.bearing.axis)
    inertia = density * 0.04**2 * crank**3 / 3
    return model, float(2.0 * np.sqrt(c / inertia + 9.81 / crank))


def hanging_chain(rng: np.random.Generator) -> Held:
    """Return a chain of bars that hangs straight down."""
    model = mk.Model()
    model.world = mk.World()
    at = model.world.frame_b
    count = int(rng.integers(1, 6))
    for k in range(count):
        joint = mk.Revolute(n="z", phi=-np.pi / 2 if k == 0 else 0.0)
        bar = mk.BodyBox(r=(float(rng.uniform(0.2, 0.8)), 0, 0), width=0.05)
        setattr(model, f"joint{k}", joint)
        setattr(model, f"bar{k}", bar)
        model.connect(at, joint.frame_a)
        model.connect(joint.frame_b, bar.frame_a)
        at = bar.frame_b
    return model, 4.0 * count * float(np.sqrt(9.81 / 0.2))


def spun_shaft(rng: np.random.Generator) -> Held:
    """Return inertias on soft shafts that turn at one speed, in equilibrium."""
    model = mk.Model()
    speed = float(rng.choice([0.0, 10 ** rng.uniform(0, 3)]))
    before = None
    for k in range(int(rng.integers(2, 5))):
        inertia = rotational.Inertia(J=float(10 ** rng.uniform(-1, 1)), phi=0.0, w=speed)
        setattr(model, f"inertia{k}", inertia)
        if before is not None:
            spring = rotational.Spring(c=float(10 ** rng.uniform(0, 2)))
            setattr(model, f"spring{k}", spring)
            model.connect(before.flange_b, spring.flange_a)
            model.connect(spring.flange_b, inertia.flange_a)
        before = inertia
    return model, float(2.0 * np.sqrt(100.0 / 0.1))


KINDS: dict[str, tuple[Callable[[np.random.Generator], Held], bool]] = {
    "hanging plate": (hanging_plate, True),
    "loaded four-bar": (loaded_four_bar, True),
    "hanging chain": (hanging_chain, False),
    "spun shaft": (spun_shaft, False),
}


def at_rest(rng: np.random.Generator) -> Iterator[Finding]:
    """Count the steps of plates on rods, four-bars, chains and shafts in equilibrium."""
    name = str(rng.choice(list(KINDS)))
    make, has_loops = KINDS[name]
    model, rate = make(rng)
    strategy = str(rng.choice(STRATEGIES)) if has_loops and rng.random() < 0.7 else None
    stop = float(10 ** rng.uniform(0, 1.5))
    for method in METHODS:

        def steps(method: str = method) -> float:
            few = mk.SolverOptions(max_steps=200_000, time_limit=LIMIT)
            result = run(model, stop, method=method, strategy=strategy, solver=few)
            moved = (
                float(np.ptp(result.states, axis=0).max()) if name != "spun shaft" else 0.0
            )
            allowed = MOST
            if method in REACH:
                allowed += 2 * rate * stop / REACH[method]
            if strategy == "baumgarte":  # steps are as short as the gains need them
                formulation = model.compile(strategy).formulation
                assert formulation is not None and formulation.gains is not None
                allowed += 2 * stop * max(formulation.gains)
            return max(result.info.steps / allowed, moved / 1e-4)

        yield judged(
            "few steps at rest", steps, f"{name}, {method}, {strategy}, {stop:.3g} s"
        )
