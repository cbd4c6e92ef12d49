"""Oscillator: two oscillators in resonance, one of them damped.

A force of 1 N excites both at 100 rad/s, the eigenfrequency. Data of
Modelica.Mechanics.Translational.Examples.Oscillator. Writes oscillator.png.
"""

import numpy as np

from motorik import Model, blocks, connect, translational


class Oscillator(Model):
    """Two masses of 1 kg on springs of 10 kN/m, driven in resonance."""

    def build(self) -> None:
        """Connect both oscillators, the second with a damper."""
        self.mass1 = translational.Mass(m=1.0, L=1.0, s=-0.5, v=0.0)
        self.spring1 = translational.Spring(c=1e4, s_rel0=1.0)
        self.fixed1 = translational.Fixed(s0=1.0)
        self.force1 = translational.Force()
        self.sine1 = blocks.Sine(f=15.9155)
        self.mass2 = translational.Mass(m=1.0, L=1.0, s=-0.5, v=0.0)
        self.spring2 = translational.Spring(c=1e4, s_rel0=1.0)
        self.fixed2 = translational.Fixed(s0=1.0)
        self.force2 = translational.Force()
        self.sine2 = blocks.Sine(f=15.9155)
        self.damper1 = translational.Damper(d=10.0)
        self.mass1.flange_b >> self.spring1.flange_a
        connect(self.mass2.flange_b, self.spring2.flange_a, self.damper1.flange_a)
        connect(self.damper1.flange_b, self.spring2.flange_b, self.fixed2.flange)
        self.sine1.y >> self.force1.f
        self.sine2.y >> self.force2.f
        self.spring1.flange_b >> self.fixed1.flange
        self.force2.flange >> self.mass2.flange_a
        self.force1.flange >> self.mass1.flange_a


def main() -> None:
    """Compare the amplitudes with those of the linear theory."""
    result = Oscillator().simulate(1.0, output=2000)
    free = 1.0 * 1.0 / (2.0 * 100.0)  # m, F t / (2 m ω) after 1 s
    damped = 1.0 / (10.0 * 100.0) * (1.0 - np.exp(-5.0))  # m, F / (d ω), nearly reached
    for mass, expected in (("mass1", free), ("mass2", damped)):
        last = result[f"{mass}.s"][result.time > 0.9] + 0.5
        print(
            f"{mass} swings by {1e3 * np.abs(last).max():.3f} mm, expected {1e3 * expected:.3f} mm"
        )
    result.plot("mass1.s", "mass2.s", "mass1.v", "mass2.v", file="oscillator.png")


if __name__ == "__main__":
    main()
