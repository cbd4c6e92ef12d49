"""A brake in a four-bar: it stops the linkage, holds it, and slips when the motor pulls.

The brake is an option of the rocker's hinge, within the loop. Writes brake_four_bar.png.
"""

import matplotlib.pyplot as plt
import numpy as np

from motorik import BodyBox, Fixed, Model, Revolute, World, blocks, guess
from motorik import functions as fn
from motorik import rotational as rot
from motorik.joints import Coulomb

BRAKE, PEAK = 25.0, 1.2  # N·m while it slides; how much more it holds
RAMP = 12.0  # N·m/s of the motor, from 1 s to 5 s


def torque(t):
    """Return the torque of the motor on the crank [N·m]."""
    return fn.where(t < 1.0, 0.0, fn.where(t < 5.0, RAMP * (t - 1.0), 0.0))


class BrakedFourBar(Model):
    """Crank, coupler and rocker; the crank turns at 8 rad/s, the brake is in the pivot."""

    def build(self, brake: float = BRAKE) -> None:
        """Connect the bars in a ring, with a motor at the crank."""
        self.world = World()
        self.bearing = Revolute(n="z", phi=np.pi / 3, w=8.0)
        self.crank = BodyBox(r=(0.3, 0, 0), width=0.04)
        self.pin = Revolute(n="z", phi=guess(-0.8))
        self.coupler = BodyBox(r=(1.0, 0, 0), width=0.04)
        self.base = Fixed(r=(0.9, 0, 0))
        self.pivot = Revolute(n="z", phi=guess(1.4), friction=Coulomb(tau=brake, peak=PEAK))
        self.rocker = BodyBox(r=(0.7, 0, 0), width=0.04)
        self.knuckle = Revolute(n="z")
        self.motor = rot.Torque()
        blocks.TimeFunction(f=torque).y >> self.motor.tau
        self.motor.flange >> self.bearing.axis
        self.world.frame_b >> self.bearing.frame_a
        self.bearing.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.pin.frame_a
        self.pin.frame_b >> self.coupler.frame_a
        self.base.frame_b >> self.pivot.frame_a
        self.pivot.frame_b >> self.rocker.frame_a
        self.rocker.frame_b >> self.knuckle.frame_a
        self.knuckle.frame_b >> self.coupler.frame_b


def main() -> None:
    """Simulate, balance the energy, compare the strategies, and plot."""
    linkage = BrakedFourBar()
    times = np.linspace(0.0, 8.0, 80_001)
    result = linkage.simulate(8.0, rtol=1e-10, output=times)
    print(result.events)
    energy = result.energy()["total"]
    work = np.trapezoid(result["bearing.tau"] * result["bearing.w"], result.time)
    heat = np.trapezoid(result["pivot.lossPower"], result.time)
    print(f"energy at the start {energy[0]:.3f} J, at the end {energy[-1]:.3f} J")
    print(f"work of the motor {work:.3f} J, heat in the brake {heat:.3f} J")
    left = energy[0] + work - heat - energy[-1]
    print(f"what the trapezoidal rule leaves of the balance: {left:+.4f} J")
    at_rest = result["pivot.locked"] == 1.0
    print(f"creeps while it holds: {np.abs(result['pivot.w'][at_rest]).max():.1e} rad/s")
    for strategy in ("projected", "absolute"):
        other = linkage.simulate(8.0, rtol=1e-10, output=times, strategy=strategy)
        apart = np.abs(other["pivot.phi"] - result["pivot.phi"]).max()
        print(f"{strategy:9} turns the rocker alike, within {apart:.1e} rad")
    draw(result)


def draw(result) -> None:
    """Plot the angles, and the torque in the brake between its bounds."""
    figure, (top, low) = plt.subplots(
        2, 1, figsize=(7.0, 5.0), sharex=True, layout="constrained"
    )
    t, held = result.time, result["pivot.locked"] == 1.0
    top.plot(t, result["bearing.phi"], color="black", lw=1.2, label="crank")
    top.plot(t, result["pivot.phi"], color="tab:blue", lw=1.2, label="rocker")
    top.set_ylabel("angle [rad]")
    top.set_title("grey: the brake holds", fontsize=10, loc="left")
    low.plot(t, result["pivot.tau_friction"], color="tab:red", lw=1.2, label="brake")
    low.plot(t, result["bearing.tau"], color="0.4", lw=1.0, label="motor")
    for bound in (-PEAK * BRAKE, PEAK * BRAKE):
        low.axhline(bound, color="tab:red", lw=0.8, ls="--")
    low.set_ylabel("torque [N·m]")
    low.set_xlabel("time [s]")
    for axes in (top, low):
        bottom, ceiling = axes.get_ylim()
        axes.fill_between(t, bottom, ceiling, where=held, color="0.9", lw=0, zorder=0)
        axes.set_ylim(bottom, ceiling)
        axes.set_xlim(t[0], t[-1])
        axes.legend(frameon=False, loc="upper right", ncols=2)
    figure.savefig("brake_four_bar.png", dpi=150)


if __name__ == "__main__":
    main()
