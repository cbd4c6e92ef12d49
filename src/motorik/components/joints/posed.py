"""PoseJoint: a joint of one's own, given by its pose alone."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    STATE_PRIORITIES,
    Contribution,
    JointBetween,
)
from motorik.components.base.declarations import StartSpec, frame, parameter
from motorik.components.base.part import DeclaredPart
from motorik.components.base.resolving import Values
from motorik.components.base.values import Start
from motorik.components.base.variable import Variable
from motorik.elements.joint import Coordinate
from motorik.elements.posed import PosedPair
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


class PoseJoint(DeclaredPart):
    """A joint that is defined by its pose: ``pose(p, *q)`` of frame_b seen from frame_a.

    The coordinates are the arguments of `pose` after p; each is declared by `start`, whose kind
    gives its unit. Screws, accelerations, forces and the results follow by differentiation::

        class Telescope(PoseJoint):
            \"\"\"Frame b turns about z and moves out along its own x axis.\"\"\"

            speeds = {"phi": "w", "s": "v"}
            phi: kinds.StartAngle = start("angle")
            s: kinds.StartDistance = start("length")
            w: kinds.StartAngularVelocity = start("angular velocity")
            v: kinds.StartVelocity = start("speed of extension")

            def pose(self, p, phi, s):
                R = rotation_about(Z, phi)
                return Pose(R, R @ Vector(s, 0.0, 0.0))

    `speeds` names the rates of coordinates; without a name the rate of x is der_x. The results
    are coordinates, speeds, and the rates of the speeds: der_w, der_v. In a loop the joint keeps
    its coordinates.
    """

    frame_a = frame("inboard frame")
    frame_b = frame("frame that moves")
    speeds: ClassVar[Mapping[str, str]] = {}
    stateSelect: kinds.StateSelect = parameter(
        "priority of the coordinates as states", default="prefer"
    )

    def pose(self, p: Self, *q: Scalar) -> Pose:
        """Return X_ab, the pose of frame_b seen from frame_a."""
        raise NotImplementedError

    def _freedoms(self) -> list[tuple[Coordinate, Coordinate]]:
        """Return each coordinate and its speed."""
        names = list(inspect.signature(self.pose).parameters)[1:]
        found = []
        for name in names:
            spec = self.specs.get(name)
            if not isinstance(spec, StartSpec) or spec.size != 1:
                raise ParameterError(
                    self.label,
                    f"its pose has the coordinate {name!r}, which is not declared.",
                    f"Declare it: {name}: kinds.StartAngle = start(…), or StartDistance.",
                    parameter=name,
                    value=name,
                )
            speed = self.speeds.get(name, f"der_{name}")
            found.append((Coordinate(name, spec.unit), Coordinate(speed, f"{spec.unit}/s")))
        return found

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the joint between the frames."""
        coordinates, speeds = zip(*self._freedoms(), strict=True)
        pair = PosedPair(partial(self.pose, p), coordinates, speeds)
        names, rates = (tuple(one.name for one in own) for own in (coordinates, speeds))
        yield JointBetween(
            self.frame_a,
            self.frame_b,
            pair,
            names,
            rates,
            tuple(self.__dict__[name] for name in names),
            tuple(self.__dict__.get(name, Start()) for name in rates),
            state_priority=STATE_PRIORITIES[p.stateSelect],
            is_loaded=True,
        )

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return coordinates, speeds and their rates."""
        found: dict[str, Variable] = {}
        for x, u in self._freedoms():
            found[x.name] = Variable(
                lambda motion, name=x.name: motion.coordinate(self, name),
                x.unit,
                self.specs[x.name].description,
            )
            found[u.name] = Variable(
                lambda motion, name=u.name: motion.speed(self, name),
                u.unit,
                f"rate of {x.name}",
            )
            found[f"der_{u.name}"] = Variable(
                lambda motion, name=u.name: motion.acceleration_of(self, name),
                f"{u.unit}2",
                f"rate of {u.name}",
            )
        return found
