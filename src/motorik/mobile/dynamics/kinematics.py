"""KinematicSystem: a chain whose motion is prescribed, over time, with the forces it needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import perf_counter

import numpy as np

from motorik.algebra.scalar import Scalar, neg
from motorik.algebra.vector import Z
from motorik.errors import AssemblyError, MotorikError, ParameterError
from motorik.mobile.dynamics.arguments import Direction
from motorik.mobile.dynamics.equations import EquationBuilder
from motorik.mobile.dynamics.mechanical_system import MechanicalSystem
from motorik.mobile.dynamics.result import RunStart, SystemResult
from motorik.mobile.elements.motion_source import MotionSource
from motorik.mobile.elements.output_generator import quiet
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import MutableScalar
from motorik.mobile.states.transmission import Element, unique, walk
from motorik.mobile.states.variable import StateVariable
from motorik.results import RunInfo
from motorik.results.run_info import warn_incomplete


class KinematicSystem(MechanicalSystem):
    """A chain that its drivers move alone: `run` follows it over time, without integrating.

    Every input of the chain is moved by a `PrescribedMotion` or another driver that is a function
    of time; variables without one keep their q and q̇. The forces are those of inverse dynamics:
    `Q` of a driven variable is what the mechanism exerts on its drive. Weight acts opposite to
    `up`, in the axes of the resting `frame`; without `frame` there is none.

    >>> from motorik.mobile import AngularVariable, ElementaryJoint, Frame, MapChain
    >>> from motorik.mobile import PrescribedMotion, RigidLink
    >>> K0, K1, K2, phi = Frame("K0"), Frame("K1"), Frame("K2"), AngularVariable("phi")
    >>> drive = PrescribedMotion(phi, lambda t: 2.0 * t)
    >>> chain = MapChain() << drive << ElementaryJoint(K0, K1, phi)
    >>> result = KinematicSystem(chain << RigidLink(K1, K2, (1.0, 0.0, 0.0))).run(0.5, 0.1)
    >>> float(result["phi.q"][-1])
    1.0
    """

    def __init__(
        self,
        chain: Element,
        frame: Frame | None = None,
        up: Direction = Z,
        g: Scalar | MutableScalar = 9.81,
    ) -> None:
        if not isinstance(chain, Element):
            raise ParameterError(
                "KinematicSystem",
                f"{chain!r} is not a transmission element.",
                "Give the chain with its drivers.",
                parameter="chain",
                value=chain,
            )
        super().__init__(EquationBuilder([], chain, frame=frame, up=up, g=g))
        self.time = 0.0

    def rates(self, t: Scalar) -> Sequence[Scalar]:
        """Return nothing: there are no states."""
        return []

    def run(self, duration: float, interval: float) -> SystemResult:
        """Move the chain from `time` on by a duration [s]; a row at every interval [s].

        It ends early, with a warning, where a loop cannot be closed.
        """
        rows = check_span(duration, interval)
        if not self._sources:
            raise AssemblyError(
                "KinematicSystem",
                "nothing moves the chain: it has no driver.",
                "Put a PrescribedMotion or a ConstantStepDriver first in the chain.",
            )
        clock, begin = perf_counter(), self.time
        self.begin(begin)
        start, times, message = RunStart(self), [], ""
        for k in range(rows + 1):
            t = begin + k * interval
            try:
                with quiet():
                    self.arrive(t, [])
            except MotorikError as error:
                message = f"t = {t:.9g} s: {error.place}: {error.reason}"
                break
            times.append(t)
            start.add_row()
            self.time = t
        if not times:
            self.arrive(begin, [])  # raises
        info = RunInfo(
            method="kinematics",
            steps=len(times) - 1,
            rejected=0,
            evaluations=len(times),
            jacobians=0,
            wall_time=perf_counter() - clock,
            complete=not message,
            message=message,
        )
        result = SystemResult(self, np.array(times), np.zeros((len(times), 0)), info, start)
        if message:
            warn_incomplete("KinematicSystem", message)
        return result


def check_span(duration: float, interval: float) -> int:
    """Return how many intervals a duration has, or refuse what are no times."""
    for name, value in (("duration", duration), ("interval", interval)):
        if not (math.isfinite(value) and value > 0.0):
            raise ParameterError(
                "KinematicSystem.run",
                f"{name} = {value!r} s is not positive.",
                "Write run(duration, interval), both in s.",
                parameter=name,
                value=value,
            )
    return max(1, round(duration / interval))


def drive_forces(
    chain: Element, frame: Frame | None, up: Direction, g: Scalar | MutableScalar
) -> list[Scalar]:
    """Move a chain, load it with all its forces, and return what its drives must exert."""
    EquationBuilder([], chain, frame=frame, up=up, g=g).traverse()
    drivers = (part for part in walk(chain) if isinstance(part, MotionSource))
    moving = unique(chain.inputs, *(driver.outputs for driver in drivers))
    return [neg(state.Q) for state in moving if isinstance(state, StateVariable)]
