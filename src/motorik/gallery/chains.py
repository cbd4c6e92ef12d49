"""Chain: any number of equal rods, one hanging on the other."""

from __future__ import annotations

from motorik import Body, FixedTranslation, Revolute, World
from motorik.model import Model


def chain(n: int, *, length: float = 1.0, mass: float = 1.0, phi: float = 0.0) -> Model:
    """Return n slender rods in a vertical plane, hinged to one another and to the world.

    Hinges turn about z; all rods lie along x where the angles are zero, the first starts at
    `phi` [rad]. Gravity 9.81 m/s² along −y. Parts: `hinge1`, `rod1`, `tip1`, `hinge2`, …
    """
    model = Model()
    model.world = World(g=9.81, n="-y")
    end = model.world.frame_b
    across = mass * length**2 / 12
    for i in range(1, n + 1):
        hinge = Revolute(n="z", phi=phi if i == 1 else 0.0)
        rod = Body(
            m=mass, r_CM=(length / 2, 0, 0), I_11=1e-3 * mass, I_22=across, I_33=across
        )
        tip = FixedTranslation(r=(length, 0, 0))
        setattr(model, f"hinge{i}", hinge)
        setattr(model, f"rod{i}", rod)
        setattr(model, f"tip{i}", tip)
        end >> hinge.frame_a
        hinge.frame_b >> rod.frame_a
        hinge.frame_b >> tip.frame_a
        end = tip.frame_b
    return model
