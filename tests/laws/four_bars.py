"""Four-bars of any lengths, and how their angles follow from the crank's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import motorik as mk


@dataclass(frozen=True)
class Lengths:
    """Lengths [m] of crank, coupler and rocker, and the distance of the two pivots."""

    crank: float
    coupler: float
    rocker: float
    base: float

    def rocker_angle(self, phi: float, elbow: int = 1) -> float:
        """Return the angle of the rocker [rad] at the crank's angle phi, within ±π."""
        A = self.crank * np.array([np.cos(phi), np.sin(phi)])
        d = A - [self.base, 0.0]
        r = float(np.hypot(*d))
        cos = (r**2 + self.rocker**2 - self.coupler**2) / (2 * r * self.rocker)
        angle = np.arctan2(d[1], d[0]) - elbow * np.arccos(cos)
        return float((angle + np.pi) % (2 * np.pi) - np.pi)

    def coupler_angle(self, phi: float, elbow: int = 1) -> float:
        """Return the angle of the coupler against the world [rad]."""
        A = self.crank * np.array([np.cos(phi), np.sin(phi)])
        psi = self.rocker_angle(phi, elbow)
        B = self.rocker * np.array([np.cos(psi), np.sin(psi)]) + [self.base, 0.0]
        return float(np.arctan2(*(B - A)[::-1]))


ROCKING = Lengths(0.3, 1.0, 0.7, 0.9)  # the crank turns fully round, the rocker rocks
DRAG = Lengths(0.9, 0.7, 1.0, 0.3)  # the base is shortest: both cranks turn fully round


def four_bar(
    lengths: Lengths,
    phi: Any = 0.5,
    w: Any = 0.0,
    elbow: int = 1,
    g: float = 9.81,
    density: float = 1.0,
) -> mk.Model:
    """Return `bearing`, `pin`, `pivot`, `knuckle` about z, and three uniform bars.

    Masses are `density` [kg/m] times lengths; `phi`, `w` are starts of the bearing.
    """
    angle = phi if isinstance(phi, float) else 0.5
    psi, theta = lengths.rocker_angle(angle, elbow), lengths.coupler_angle(angle, elbow)
    model = mk.Model()
    model.world = mk.World(g=g, n="-y")
    model.base = mk.Fixed(r=(lengths.base, 0, 0))
    model.bearing = mk.Revolute(n="z", phi=phi, w=w)
    model.pin = mk.Revolute(n="z", phi=mk.guess(theta - angle))
    model.pivot = mk.Revolute(n="z", phi=mk.guess(psi))
    model.knuckle = mk.Revolute(n="z", phi=mk.guess(theta - psi))
    for name in ("crank", "coupler", "rocker"):
        setattr(model, name, bar(getattr(lengths, name), density))
    mk.connect(model.world.frame_b, model.bearing.frame_a)
    mk.connect(model.bearing.frame_b, model.crank.frame_a)
    mk.connect(model.crank.frame_b, model.pin.frame_a)
    mk.connect(model.pin.frame_b, model.coupler.frame_a)
    mk.connect(model.coupler.frame_b, model.knuckle.frame_b)
    mk.connect(model.knuckle.frame_a, model.rocker.frame_b)
    mk.connect(model.rocker.frame_a, model.pivot.frame_b)
    mk.connect(model.pivot.frame_a, model.base.frame_b)
    return model


def bar(length: Any, density: float = 1.0) -> mk.BodyShape:
    """Return a uniform bar along x."""
    number = float(getattr(length, "value", length))
    m = density * number
    J = m * number**2 / 12
    middle = (number / 2, 0, 0)
    return mk.BodyShape(r=(number, 0, 0), r_CM=middle, m=m, I_11=J, I_22=J, I_33=J)
