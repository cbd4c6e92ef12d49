"""More constraints than freedoms: Bricard's ring of six hinges, and a bar on three cranks.

By Grübler's count neither of them moves. Both do; the redundant constraints are found from the
rank of the Jacobian. How the three cranks share the load does not follow from rigid-body
mechanics: the smallest forces are given. Writes loops_bricard.png (picture)
and loops_three_cranks.png (plot).
"""

import numpy as np

from motorik import (
    BodyBox,
    BodyShape,
    Fixed,
    FixedTranslation,
    Model,
    Revolute,
    World,
    guess,
)

EDGES = ((1, 0, 0), (0, -1, 0), (0, 0, 1), (-1, 0, 0), (0, 1, 0))


AXES = ("y", "z", "x", "y", "z", "x")


class Bricard(Model):
    """Five rods and the frame, joined to a ring by six hinges; benchmark A04 of IFToMM.

    Rods of 1 m and 1 kg with a square section of 0.1 m lie along the edges of a cube and
    start at rest; gravity 9.81 m/s² along −y. Grübler counts 6 − 6 = 0 freedoms, but the
    axes of the hinges are such that one is left; one of the six constraints of the loop is
    redundant. Parts: `hinge0` … `hinge5`, `rod1` … `rod5`.
    """

    def build(self) -> None:
        """Build rod after rod, then join the last one to the frame."""
        self.world = World(g=9.81, n="-y")
        end = self.world.frame_b
        for i, (edge, axis) in enumerate(zip(EDGES, AXES, strict=False)):
            hinge = Revolute(n=axis, phi=0.0 if i == 0 else guess(0.0))
            rod = BodyBox(r=edge, width=0.1, height=0.1, density=100.0)
            setattr(self, f"hinge{i}", hinge)
            setattr(self, f"rod{i + 1}", rod)
            end >> hinge.frame_a
            hinge.frame_b >> rod.frame_a
            end = rod.frame_b
        self.hinge5, self.frame = Revolute(n=AXES[5]), FixedTranslation(r=(0, 0, 1))
        end >> self.hinge5.frame_a
        self.hinge5.frame_b >> self.frame.frame_b
        self.world.frame_b >> self.frame.frame_a


LENGTH, MASS, GRAVITY = 1.0, 1.0, 9.81  # m, kg, m/s²


def rod(r: tuple[float, float, float], m: float = MASS) -> BodyShape:
    """Return a slender rod of mass m [kg] from frame_a to r [m], along one of the axes."""
    square = sum(x * x for x in r)
    across, along = m * square / 12, 1e-3 * m * square
    I_11, I_22, I_33 = (across if x == 0 else along for x in r)
    middle = tuple(x / 2 for x in r)
    return BodyShape(m=m, r=r, r_CM=middle, I_11=I_11, I_22=I_22, I_33=I_33)


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


def main() -> None:
    """Simulate both under gravity, and print the redundant constraints."""
    bricard = Bricard()
    print(bricard.explain())
    result = bricard.simulate(10.0, rtol=1e-9)
    print(result.summary())
    theta, phi = result["hinge0.phi"], result["hinge1.phi"]
    law = np.sin(theta) + np.sin(phi) + np.sin(theta) * np.sin(phi)
    print(f"sin θ + sin φ + sin θ sin φ = 0 within {np.abs(law).max():.1e}")
    result.draw(2.0, trace="rod3.frame_b.r_0", file="loops_bricard.png")

    cranks = ThreeCranks()
    print(cranks.explain())
    result = cranks.simulate(3.0, rtol=1e-9)
    forces = [f"pin{i}.frame_a.f" for i in range(3)]
    result.plot("pivot0.phi", *forces, file="loops_three_cranks.png")


if __name__ == "__main__":
    main()
