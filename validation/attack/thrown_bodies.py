"""Bodies with feet thrown on a floor: impacts, friction, rest."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import motorik as mk
from motorik import forces
from motorik.results import Result
from validation.attack.finding import METHODS, Finding, judged, run

STOP = 1.5


def thrown(rng: np.random.Generator, feet: int) -> mk.Model:
    """Return a body with feet below it, thrown on a floor with friction and restitution."""
    model = mk.Model()
    model.world = mk.World()
    m = float(10 ** rng.uniform(-0.5, 0.5))
    inertia = m * rng.uniform(0.01, 0.04, 3)
    model.body = mk.Body(
        m=m,
        I_11=float(inertia[1] + inertia[2]),
        I_22=float(inertia[0] + inertia[2]),
        I_33=float(inertia[0] + inertia[1]),
        r_0=(0.0, float(rng.uniform(0.4, 0.8)), 0.0),
        v_0=tuple(map(float, rng.uniform(-1, 1, 3))),
        w_0_start=tuple(map(float, rng.uniform(-3, 3, 3))),
        w_0_fixed=True,
    )
    friction, restitution = float(rng.uniform(0, 0.7)), float(rng.choice([0, 0.3, 0.6]))
    for k in range(feet):
        angle = 2 * np.pi * (k + rng.uniform(-0.1, 0.1)) / max(feet, 1)
        place = (0.2 * float(np.cos(angle)), -0.1, 0.2 * float(np.sin(angle)))
        foot = mk.FixedTranslation(r=place)
        contact = forces.PointPlaneContact(mu=friction, e=restitution)
        setattr(model, f"foot{k}", foot)
        setattr(model, f"contact{k}", contact)
        model.connect(model.body.frame_a, foot.frame_a)
        model.connect(model.world.frame_b, contact.frame_a)
        model.connect(contact.frame_b, foot.frame_b)
    return model


def unilateral(result: Result, feet: int, rtol: float) -> float:
    """Return how far rows contradict gap ≥ 0, f_n ≥ 0, as a multiple of the tolerance."""
    size = np.abs(result["body.r_0"]).max()
    weight = max(np.abs(result[f"contact{k}.f_n"]).max() for k in range(feet))
    worst, allowed = 0.0, 1e-6 + 100.0 * rtol
    for k in range(feet):
        height = result[f"foot{k}.frame_b.r_0"][:, 1]
        pull = -result[f"contact{k}.f_n"].min()
        worst = max(
            worst, -height.min() / (allowed * size), pull / (1e-6 * max(weight, 1e-9))
        )
    return float(worst)


def energy_balance(result: Result, rtol: float) -> float:
    """Return the growth of the energy, and the lost energy of hits that is negative."""
    energy = result.energy()
    total = energy["kinetic"] + energy["potential"]
    size = np.ptp(energy["kinetic"])
    growth = np.diff(total).max() / ((1e-6 + 100.0 * rtol) * size)
    gained = -min([0.0, *(event.energy_lost for event in result.events)]) / (1e-6 * size)
    return float(max(growth, gained))


def thrown_bodies(rng: np.random.Generator) -> Iterator[Finding]:
    """Check that energy falls and feet neither sink nor pull, in every method."""
    feet = int(rng.integers(1, 5))
    seed = int(rng.integers(1 << 30))
    model = thrown(np.random.default_rng(seed), feet)
    for method in rng.choice(METHODS, 3, replace=False):
        rtol = float(10 ** rng.uniform(-8, -4))
        detail = f"{feet} feet, throw {seed}, {method} {rtol:.1e}"

        def worst(method: str = str(method), rtol: float = rtol) -> float:
            result = run(model, STOP, method=method, rtol=rtol, output=300)
            return max(energy_balance(result, rtol), unilateral(result, feet, rtol))

        yield judged("energy, unilateral", worst, detail)
