"""What rotational and translational drive lines share: springs, dampers, fixed points, loads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

from motorik.algebra.scalar import Scalar
from motorik.components.contributions import Clamp, Contribution, LineForce
from motorik.components.part import Part, Variable
from motorik.components.ports import Port

ROTATIONAL = {"x": "phi", "v": "w", "f": "tau", "units": ("rad", "rad/s", "N.m")}
TRANSLATIONAL = {"x": "s", "v": "v", "f": "f", "units": ("m", "m/s", "N")}


class Compliant(Part):
    """A force law between flange_a and flange_b; f acts on flange_b, −f on flange_a."""

    letters: Mapping[str, Any] = {}
    flange_a: Port
    flange_b: Port

    @staticmethod
    def law(p: Any, x: Scalar, v: Scalar) -> Scalar:
        """Return the force (torque) for the relative position x and speed v."""
        raise NotImplementedError

    @staticmethod
    def stored(p: Any, x: Scalar) -> Scalar:
        """Return the energy [J] stored at the relative position x."""
        return 0.0

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Say: this law acts between the flanges."""
        yield LineForce(self.flange_a, self.flange_b, p, type(self).law, type(self).stored)

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return relative position and speed, force, stored energy and lost power."""
        x, v, f = (self.letters[k] for k in "xvf")
        unit_x, unit_v, unit_f = self.letters["units"]

        def relative(view: Any) -> tuple[Scalar, Scalar]:
            a, b = view.flange(self.flange_a), view.flange(self.flange_b)
            return b[0] - a[0], b[1] - a[1]

        def lost(view: Any) -> Scalar:
            at, speed = relative(view)
            return (self.law(p, at, speed) - self.law(p, at, 0.0 * speed)) * speed

        return {
            f"{x}_rel": Variable(
                lambda view: relative(view)[0], unit_x, "relative position"
            ),
            f"{v}_rel": Variable(lambda view: relative(view)[1], unit_v, "relative speed"),
            f: Variable(
                lambda view: self.law(p, *relative(view)), unit_f, "force on flange_b"
            ),
            "stored_energy": Variable(lambda view: self.stored(p, relative(view)[0]), "J"),
            "lossPower": Variable(lost, "W", "power turned into heat"),
        }


class Standing(Part):
    """A flange that stands still."""

    flange: Port
    at: str = ""

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Say: the flange is clamped."""
        yield Clamp(self.flange, getattr(p, self.at))


class ConstantLoad(Part):
    """A force (torque) on a flange, against the standing world."""

    flange: Port
    load: str = ""

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Say: this force acts on the flange."""
        yield LineForce(
            None, self.flange, SimpleNamespace(f=getattr(p, self.load)), _pushes
        )

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return the force."""
        f = getattr(p, self.load)
        return {self.load.split("_")[0]: Variable(lambda view: f)}


def _pushes(p: Any, x: Scalar, v: Scalar) -> Scalar:
    """Return the force in the direction of flange_b's own force: −f pushes it forward."""
    return -p.f
