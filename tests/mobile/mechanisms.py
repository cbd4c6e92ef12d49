"""Small mechanisms built element by element, and the same by the energy method."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import casadi
import numpy as np

from motorik.algebra import Vector, X, Z
from motorik.mobile import (
    AngularVariable,
    ElementaryJoint,
    Frame,
    LinearSpringDamper,
    LinearVariable,
    MapChain,
    MassElement,
    RigidLink,
)

G = 9.81


class Pendulum:
    """A point mass m at the end of a massless rod of length l, about the z axis, y up."""

    def __init__(self, m: float = 1.0, length: float = 1.0, damping: float = 0.0) -> None:
        self.K0, self.K1, self.K2 = Frame("K0"), Frame("K1"), Frame("K2")
        self.phi = AngularVariable("phi")
        self.joint = ElementaryJoint(self.K0, self.K1, self.phi)
        self.rod = RigidLink(self.K1, self.K2, Vector(0, -length, 0))
        self.tip = MassElement(self.K2, m)
        self.chain = MapChain() << self.joint << self.rod << self.tip
        if damping:
            self.chain << LinearSpringDamper(self.phi, d=damping)


class TriplePendulum:
    """Three pendulums about x, two of them hanging from the first: section 6.4."""

    def __init__(self, inertia: float = 0.0) -> None:
        K = self.frames = [Frame(f"K{i}") for i in range(6)]
        start = (30.0, 10.0, 10.0)
        b = self.variables = [
            AngularVariable(f"beta_{i + 1}", q=math.radians(angle))
            for i, angle in enumerate(start)
        ]
        self.R1 = ElementaryJoint(K[0], K[1], b[0], X)
        self.R2 = ElementaryJoint(K[2], K[4], b[1], X)
        self.R3 = ElementaryJoint(K[3], K[5], b[2], X)
        self.arm_a = RigidLink(K[1], K[2], Vector(0, -0.5, -0.5))
        self.arm_b = RigidLink(K[1], K[3], Vector(0, 0.5, -0.5))
        I = (np.eye(3) * inertia).tolist()
        self.M1 = MassElement(K[1], 1.0, Vector(0, 0, -1.5), I)
        self.M2 = MassElement(K[4], 2.0, Vector(0, 0, -1.0), I)
        self.M3 = MassElement(K[5], 2.0, Vector(0, 0, -1.0), I)
        joints = (self.R1, self.arm_a, self.arm_b, self.R2, self.R3)
        self.chain = MapChain((*joints, self.M1, self.M2, self.M3))

    @staticmethod
    def masses(q: Any) -> list[tuple[float, Any, Any]]:
        """Mass, y and z of the three points, from plane geometry alone."""

        def turned(angle: Any, y: float, z: float) -> tuple[Any, Any]:
            c, s = casadi.cos(angle), casadi.sin(angle)
            return c * y - s * z, s * y + c * z

        y1, z1 = turned(q[0], 0.0, -1.5)
        points = [(1.0, y1, z1)]
        for side, own in ((-0.5, q[1]), (0.5, q[2])):
            y, z = turned(q[0], side, -0.5)
            dy, dz = turned(q[0] + own, 0.0, -1.0)
            points.append((2.0, y + dy, z + dz))
        return points


class Trolley:
    """A mass on a spring along x that carries a pendulum about y: two unlike variables."""

    def __init__(self) -> None:
        self.K0, self.K1, self.K2, self.K3 = (Frame(f"K{i}") for i in range(4))
        self.s, self.phi = LinearVariable("s"), AngularVariable("phi")
        self.spring = LinearSpringDamper(self.s, c=40.0, d=0.6, q_rest=0.1)
        self.chain = MapChain(
            (
                ElementaryJoint(self.K0, self.K1, self.s, X),
                MassElement(self.K1, 2.0),
                self.spring,
                ElementaryJoint(self.K1, self.K2, self.phi, Vector(0, 1, 0)),
                RigidLink(self.K2, self.K3, -0.7 * Z),
                MassElement(
                    self.K3, 1.5, Vector(0, 0, 0), [[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.1]]
                ),
            )
        )
        self.variables = [self.s, self.phi]


def lagrange(
    energies: Callable[[Any, Any], tuple[Any, Any]], q: Sequence[float], qd: Sequence[float]
) -> tuple[np.ndarray, np.ndarray]:
    """Return M and F of Lagrange's equations for kinetic and potential energy T, V.

    d/dt ∂T/∂q̇ − ∂(T − V)/∂q = 0 is M q̈ = F.
    """
    n = len(q)
    x, v = casadi.SX.sym("q", n), casadi.SX.sym("v", n)
    T, V = energies(x, v)
    p = casadi.gradient(T, v)
    M = casadi.jacobian(p, v)
    F = casadi.gradient(T - V, x) - casadi.jacobian(p, x) @ v
    evaluate = casadi.Function("lagrange", [x, v], [M, F])
    mass, force = evaluate(q, qd)
    return np.array(mass), np.array(force).ravel()


def point_mass_energies(masses: Callable[[Any], list[tuple[float, Any, Any]]]) -> Callable:
    """Return T and V of point masses in a plane, z up, as functions of q and q̇."""

    def energies(q: Any, v: Any) -> tuple[Any, Any]:
        T: Any = 0.0
        V: Any = 0.0
        for m, y, z in masses(q):
            speed = casadi.jacobian(casadi.vertcat(y, z), q) @ v
            T += 0.5 * m * casadi.dot(speed, speed)
            V += m * G * z
        return T, V

    return energies
