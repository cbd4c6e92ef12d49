"""Bricard's mechanism: six hinges in a ring, overconstrained but movable."""

from __future__ import annotations

from motorik import BodyBox, FixedTranslation, Revolute, World, guess
from motorik.model import Model

# rods 1 … 5 run along edges of a cube; the frame stands in for a sixth, from P5 back to P0
EDGES = ((1, 0, 0), (0, -1, 0), (0, 0, 1), (-1, 0, 0), (0, 1, 0))
# the hinge in P0 … P5 stands across both rods that it joins
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
