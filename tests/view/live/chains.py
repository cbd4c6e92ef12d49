"""Small MOBILE programs for live tests: a pendulum, and four-bars closed in two ways."""

import numpy as np

from motorik.algebra import Vector, X, Y, Z
from motorik.mobile import (
    AngularVariable,
    ChordPointPlane,
    ChordPointPointQuadratic,
    ElementaryJoint,
    ExplicitConstraintSolver,
    Frame,
    ImplicitConstraintSolver,
    LinearSpringDamper,
    MapChain,
    MassElement,
    MechanicalSystem,
    MutableScalar,
    MutableVector,
    RigidLink,
)


class Pendulum:
    """A point mass on a rod about z, y up, with a spring and a damper."""

    def __init__(self):
        self.K0, self.K1, self.K2 = Frame("K0"), Frame("K1"), Frame("K2")
        self.phi = AngularVariable("phi", q=0.5)
        self.m, self.d = MutableScalar(1.0, "m"), MutableScalar(0.0, "d")
        self.joint = ElementaryJoint(self.K0, self.K1, self.phi)
        self.rod = RigidLink(self.K1, self.K2, Vector(0, -1.0, 0))
        self.tip = MassElement(self.K2, self.m)
        self.damper = LinearSpringDamper(self.phi, d=self.d)
        self.chain = MapChain() << self.joint << self.rod << self.tip << self.damper
        self.chain.motion()

    @property
    def system(self):
        return MechanicalSystem([self.phi], self.chain, self.K0, Y)


class FourBar:
    """A crank and a rocker about z, joined by a coupler that is a body of its own."""

    def __init__(self, is_explicit=True, crank=0.4, coupler=1.1, rocker=0.9, base=1.2):
        self.lengths = crank, rocker, base
        self.b = MutableVector(coupler, name="b")
        K = self.K = [Frame(f"K{i}") for i in range(8)]
        self.alpha = AngularVariable("alpha", q=0.8)
        self.beta, self.gamma = AngularVariable("beta"), AngularVariable("gamma", q=1.5)
        self.bearing = ElementaryJoint(K[0], K[1], self.alpha, Z)
        self.pivot = ElementaryJoint(K[3], K[4], self.gamma, Z)
        self.crank = RigidLink(K[1], K[2], crank * X)
        self.rocker = RigidLink(K[4], K[5], rocker * X)
        self.coupler = RigidLink(K[6], K[7], self.b)
        second = MapChain() << self.pivot << self.rocker
        middle = MapChain() << ElementaryJoint(K[2], K[6], self.beta, Z) << self.coupler
        self.chain = MapChain() << RigidLink(K[0], K[3], base * X)
        self.chain << self.bearing << self.crank
        if is_explicit:
            span = ChordPointPointQuadratic.relative(K[5], K[2], coupler**2, second)
            x = ChordPointPlane.relative(K[7], K[5], 0.0, middle, normal=X)
            y = ChordPointPlane.relative(K[7], K[5], 0.0, normal=Y)
            self.chain << ExplicitConstraintSolver(span, self.gamma, near=1.5)
            self.chain << ExplicitConstraintSolver(x, y, self.beta)
        else:
            x = ChordPointPlane.relative(K[7], K[5], 0.0, normal=X)
            y = ChordPointPlane.relative(K[7], K[5], 0.0, normal=Y)
            both = MapChain() << second << middle
            unknowns = (self.beta, self.gamma)
            self.chain << ImplicitConstraintSolver([x, y], unknowns, both)
        self.chain << MassElement(K[5], 2.0)
        self.chain.motion()

    def gap(self):
        """How far the loop is open [m], by lengths alone, all in inertial axes."""
        crank, rocker, base = self.lengths
        K = [frame.X.p.numpy() for frame in self.K]
        spans = (
            np.linalg.norm(K[2]) - crank,
            np.linalg.norm(K[5] - K[2]) - self.b.x,
            np.linalg.norm(K[5] - [base, 0, 0]) - rocker,
            np.linalg.norm(K[7] - K[5]),
        )
        return max(map(abs, spans))

    @property
    def system(self):
        return MechanicalSystem([self.alpha], self.chain, self.K[0], Y)
