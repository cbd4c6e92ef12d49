"""Rows of cranks: the N-four-bar mechanism, and the parallelogram with one bar too many."""

from __future__ import annotations

from motorik import BodyShape, Fixed, FixedTranslation, Revolute, World, guess
from motorik.model import Model

LENGTH, MASS, GRAVITY = 1.0, 1.0, 9.81  # m, kg, m/s²


def rod(r: tuple[float, float, float], m: float = MASS) -> BodyShape:
    """Return a slender rod of mass m [kg] from frame_a to r [m], along one of the axes."""
    square = sum(x * x for x in r)
    across, along = m * square / 12, 1e-3 * m * square
    I_11, I_22, I_33 = (across if x == 0 else along for x in r)
    middle = tuple(x / 2 for x in r)
    return BodyShape(m=m, r=r, r_CM=middle, I_11=I_11, I_22=I_22, I_33=I_33)


class NFourBar(Model):
    """A row of n parallelograms: n + 1 upright cranks, neighbours joined by bars.

    Benchmark A02 of the IFToMM library: all rods 1 m and 1 kg, gravity 9.81 m/s² along −y.
    One freedom; where the cranks lie flat, every parallelogram could unfold into its other
    branch and the freedom is n + 1 for an instant. The cranks turn clockwise by phi from
    upright, with `speed` [rad/s] at the start. Parts: `pivot0` …, `crank0` …, `left0` …,
    `bar0` …, `right0` ….
    """

    def build(self, n: int = 2, speed: float = 1.0) -> None:
        """Set the cranks side by side and lay the bars on them."""
        self.world = World(g=GRAVITY, n="-y")
        cranks = [rod((0, LENGTH, 0)) for _ in range(n + 1)]
        for i, crank in enumerate(cranks):
            foot = Fixed(r=(i * LENGTH, 0, 0))
            pivot = Revolute(n="-z", w=speed if i == 0 else guess(speed))
            for name, part in (("foot", foot), ("pivot", pivot), ("crank", crank)):
                setattr(self, f"{name}{i}", part)
            foot.frame_b >> pivot.frame_a
            pivot.frame_b >> crank.frame_a
        for i in range(n):
            left, bar = Revolute(n="-z", w=guess(-speed)), rod((LENGTH, 0, 0))
            right = Revolute(n="-z", w=guess(speed))
            for name, part in (("left", left), ("bar", bar), ("right", right)):
                setattr(self, f"{name}{i}", part)
            cranks[i].frame_b >> left.frame_a
            left.frame_b >> bar.frame_a
            bar.frame_b >> right.frame_a
            right.frame_b >> cranks[i + 1].frame_b


class ThreeCranks(Model):
    """A parallelogram with three parallel cranks on one bar: one more than it needs.

    Grübler counts no freedom in the plane, yet it moves, because the cranks are equally long
    and equally spaced. Cranks 0.5 m and 1 kg, bar 2 m and 4 kg, gravity along −y; starts at
    rest with the cranks at `phi` [rad] from horizontal, upward positive. The share of
    the load on each crank is undetermined for rigid bodies.
    """

    def build(self, phi: float = -0.3) -> None:
        """Put the bar on the first crank and join the other two to it."""
        self.world = World(g=GRAVITY, n="-y")
        self.bar = BodyShape(
            m=4.0, r=(2, 0, 0), r_CM=(1, 0, 0), I_11=0.01, I_22=4 / 3, I_33=4 / 3
        )
        for i in range(3):
            foot, seat = Fixed(r=(i, 0, 0)), FixedTranslation(r=(i, 0, 0))
            pivot = Revolute(n="z", phi=phi if i == 0 else guess(phi))
            crank, pin = rod((0.5, 0, 0)), Revolute(n="z", phi=guess(-phi))
            parts = {"foot": foot, "pivot": pivot, "crank": crank, "pin": pin, "seat": seat}
            for name, part in parts.items():
                setattr(self, f"{name}{i}", part)
            foot.frame_b >> pivot.frame_a
            pivot.frame_b >> crank.frame_a
            crank.frame_b >> pin.frame_a
            pin.frame_b >> seat.frame_b
            seat.frame_a >> self.bar.frame_a
