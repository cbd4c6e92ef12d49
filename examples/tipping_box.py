"""A box on a table is pushed high: it slides where the table is smooth, and tips where it is rough.

Four points carry it. A push F at the height p makes it slide at F = μ m g, and tip over its far
edge at F = m g b / p, with half its width b: it tips first if μ > b / p. After the push it rocks
back, hits the table and comes to rest. Writes tipping_box.png.
"""

import numpy as np

from motorik import Model, World, blocks, forces, parts

G, M = 9.81, 2.0  # m/s², kg
B, H = 0.1, 0.2  # half its width and half its height, m
PUSH, P, END = 6.6, 0.35, 0.25  # N, at this height m, for this time s


class Box(Model):
    """A box of 0.2 × 0.4 × 0.2 m on its four lower corners."""

    def build(self, mu: float = 0.5) -> None:
        """Put it on the table, and push it."""
        self.world = World(g=G)
        J = M / 3.0 * np.array([B * B + H * H, 2.0 * B * B, B * B + H * H])
        self.box = parts.Body(m=M, I_11=J[0], I_22=J[1], I_33=J[2], r_0=(0.0, H, 0.0))
        corners = [(x, -H, z) for x in (-B, B) for z in (-B, B)]
        self.feet = [parts.FixedTranslation(r=corner) for corner in corners]
        self.contacts = [forces.PointPlaneContact(mu=mu) for _ in corners]
        for foot, contact in zip(self.feet, self.contacts, strict=True):
            self.box.frame_a >> foot.frame_a
            self.world.frame_b >> contact.frame_a
            foot.frame_b >> contact.frame_b
        self.handle = parts.FixedTranslation(r=(0.0, P - H, 0.0))
        self.force = forces.WorldForce()
        self.pushing = blocks.Pulse(amplitude=PUSH, width=100.0 * END / 10.0, period=10.0)
        self.none = blocks.Constant(k=0.0)
        self.box.frame_a >> self.handle.frame_a
        self.handle.frame_b >> self.force.frame_b
        for axis, source in enumerate((self.pushing, self.none, self.none)):
            self.connect(source.y, self.force.force[axis])


def main() -> None:
    """Push the box on a smooth and on a rough table; plot how the rough one tips it."""
    for mu in (0.2, 0.5):
        result = Box(mu=mu).simulate(2.0)
        lifted, moved = result["contacts[1].gap"], result["box.r_0"][-1, 0]
        hits = [event for event in result.events if event.what == "hits"]
        lost = sum(event.energy_lost or 0.0 for event in result.events)
        print(f"μ = {mu}: moved by {1e3 * moved:.1f} mm, an edge lifted by up to ", end="")
        print(f"{1e3 * lifted.max():.1f} mm, {len(hits)} hits took {1e3 * lost:.1f} mJ")
        if mu == 0.5:
            names = (
                "contacts[1].gap",
                "contacts[3].gap",
                "contacts[1].f_n",
                "contacts[3].f_n",
            )
            result.plot(*names, events=False, file="tipping_box.png")


if __name__ == "__main__":
    main()
