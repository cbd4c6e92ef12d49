"""Stick-slip: a block on a belt, held by a spring, sticks and slips as the closed form says.

Friction is an option of the joint between belt and block. Writes stick_slip.png.
"""

import matplotlib.pyplot as plt
import numpy as np

from motorik import Body, Fixed, Model, Prismatic, World, blocks, forces
from motorik import translational as tr
from motorik.joints import Coulomb, FrictionLaw, Stribeck

MASS, STIFFNESS, SPEED = 1.0, 100.0, 0.1  # kg, N/m, m/s
HOLDS, SLIDES = 5.0, 4.0  # largest force at rest, force of sliding [N]


class BlockOnBelt(Model):
    """A belt that moves at constant speed, a block on it, and a spring from block to wall."""

    def build(self, friction: FrictionLaw) -> None:
        """Put the block on the belt by a joint with friction."""
        self.world = World(g=0.0)
        self.belt = Prismatic(n="x", s=0.0)
        self.drive = tr.Speed(exact=True)
        self.contact = Prismatic(n="x", friction=friction, s=0.0)
        self.block = Body(m=MASS, I_11=0.01, I_22=0.01, I_33=0.01)
        self.wall = Fixed(r=(-1, 0, 0))
        self.spring = forces.Spring(c=STIFFNESS, s_unstretched=1.0)
        blocks.Constant(k=SPEED).y >> self.drive.v_ref
        self.drive.flange >> self.belt.axis
        self.world.frame_b >> self.belt.frame_a
        self.belt.frame_b >> self.contact.frame_a
        self.contact.frame_b >> self.block.frame_a
        self.wall.frame_b >> self.spring.frame_a
        self.spring.frame_b >> self.block.frame_a


def closed_form() -> tuple[float, float]:
    """Return how long the block sticks and slips in each period [s]."""
    d, omega = (HOLDS - SLIDES) / STIFFNESS, np.sqrt(STIFFNESS / MASS)
    return 2.0 * d / SPEED, 2.0 / omega * (np.pi - np.arctan(d * omega / SPEED))


def main() -> None:
    """Simulate, compare with the closed form, and plot motion and limit cycles."""
    dry = BlockOnBelt(friction=Coulomb(f=SLIDES, peak=HOLDS / SLIDES))
    times = np.arange(0.0, 6.0, 1e-4)
    result = dry.simulate(times[-1], rtol=1e-10, output=times)
    sticks, slips = closed_form()
    events = result.events.of("contact")
    print(events[:4])
    periods = np.diff(events.times)
    for what, seen, exact in (
        ("sticks", periods[1::2], sticks),
        ("slips", periods[0::2], slips),
    ):
        apart = np.abs(seen - exact).max()
        print(
            f"{what} for {exact:.9f} s by the closed form; events differ by {apart:.1e} s"
        )
    held = result["contact.locked"] == 1.0
    print(f"creeps while it sticks: {np.abs(result['contact.v'][held]).max():.1e} m/s")
    heat = np.trapezoid(result["contact.lossPower"], result.time)
    print(f"friction turns {heat:.3f} J into heat in {result.time[-1]:.0f} s")
    wet = BlockOnBelt(
        friction=Stribeck(f=SLIDES, stribeck=HOLDS - SLIDES, fexp=20.0, viscous=1.0)
    )
    other = wet.simulate(times[-1], rtol=1e-10, output=times)
    draw(result, other)


def draw(dry, wet) -> None:
    """Plot the position and the friction force over time, and both limit cycles."""
    figure = plt.figure(figsize=(9.0, 4.2), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(1.7, 1.0))
    top = figure.add_subplot(grid[0, 0])
    low = figure.add_subplot(grid[1, 0], sharex=top)
    side = figure.add_subplot(grid[:, 1])
    shown = dry.time < 3.0
    t, x = dry.time[shown], dry["block.r_0[1]"][shown]
    top.plot(t, 1e3 * x, color="black", lw=1.2)
    top.set_ylabel("position [mm]")
    low.plot(t, dry["contact.f_friction"][shown], color="tab:red", lw=1.2)
    low.set_ylabel("friction force [N]")
    low.set_xlabel("time [s]")
    for axes in (top, low):
        bottom, ceiling = axes.get_ylim()
        stuck = dry["contact.locked"][shown] == 1.0
        axes.fill_between(t, bottom, ceiling, where=stuck, color="0.9", lw=0, zorder=0)
        axes.set_ylim(bottom, ceiling)
        axes.set_xlim(0.0, 3.0)
    top.set_title("grey: it sticks to the belt", fontsize=10, loc="left")
    plt.setp(top.get_xticklabels(), visible=False)
    styles = ((dry, "black", "Coulomb, peak 1.25"), (wet, "tab:blue", "Stribeck"))
    for result, colour, label in styles:
        late = result.time > 2.0
        x, v = result["block.r_0[1]"][late], result["block.v_0[1]"][late]
        side.plot(1e3 * x, v, color=colour, lw=1.2, label=label)
    side.axhline(SPEED, color="0.6", lw=0.8, ls="--")
    side.annotate("speed of the belt", (30.0, SPEED), (0, 4), textcoords="offset points")
    side.set_xlabel("position of the block [mm]")
    side.set_ylabel("velocity of the block [m/s]")
    side.legend(frameon=False, loc="center")
    side.set_ylim(top=0.12)
    figure.savefig("stick_slip.png", dpi=150)


if __name__ == "__main__":
    main()
