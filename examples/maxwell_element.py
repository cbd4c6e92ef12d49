"""Maxwell element: a spring and a damper in series, written as equations of an own part.

The point between spring and damper has no mass; its position is a state. Held at a constant length,
the element relaxes; moved to and fro, it is soft where the motion is slow and stiff where it is
fast. The example compares the relaxation with the exponential function, and stiffness and loss with
the complex stiffness c iωτ / (1 + iωτ), τ = d / c. Writes maxwell_element.png (relaxation) and
maxwell_element_loops.png (force over length).
"""

from collections.abc import Iterator

import numpy as np

from motorik import Model, Parameter, blocks, translational
from motorik.authoring import (
    Equation,
    EquationPart,
    der,
    equal,
    kinds,
    parameter,
    translational_flange,
    unknown,
)

C, D = 2e4, 400.0  # N/m, N·s/m
AMPLITUDE = 0.01  # m


class MaxwellElement(EquationPart):
    """A spring and a damper in series: f = c (s_rel − s_rel0 − x) = d ẋ."""

    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    c: kinds.Stiffness = parameter("stiffness", default=C)
    d: kinds.Damping = parameter("damping", default=D)
    s_rel0: kinds.Distance = parameter("length without force", default=0.0)
    s_rel: kinds.Distance = unknown("length")
    x: kinds.Distance = unknown("elongation of the damper")
    f: kinds.Force = unknown("force, positive if it pulls")

    def equations(self) -> Iterator[Equation]:
        """Yield length, law and the forces at both flanges."""
        yield equal(self.s_rel, self.flange_b.s - self.flange_a.s)
        yield equal(self.f, self.c * (self.s_rel - self.s_rel0 - self.x))
        yield equal(self.f, self.d * der(self.x))
        yield equal(self.flange_b.f, self.f)
        yield equal(self.flange_a.f, -self.f)


class Relaxation(Model):
    """The element, stretched at once and held."""

    def build(self) -> None:
        """Hold the element between two walls."""
        self.left, self.right = translational.Fixed(), translational.Fixed(s0=AMPLITUDE)
        self.element = MaxwellElement(x=0.0)
        self.left.flange >> self.element.flange_a
        self.element.flange_b >> self.right.flange


class Oscillation(Model):
    """The element, moved to and fro with a frequency f [Hz]."""

    def build(self, f: float | Parameter = 1.0) -> None:
        """Drive one end of the element."""
        self.wall = translational.Fixed()
        self.element = MaxwellElement(x=0.0)
        self.sine = blocks.Sine(amplitude=AMPLITUDE, f=f)
        self.drive = translational.Position(exact=True)
        self.wall.flange >> self.element.flange_a
        self.sine.y >> self.drive.s_ref
        self.drive.flange >> self.element.flange_b


def main() -> None:
    """Let the element relax, then move it at three frequencies."""
    held = Relaxation().simulate(0.1)
    exact = C * AMPLITUDE * np.exp(-C / D * held.time)
    print(
        f"relaxation: {np.abs(held['element.f'] - exact).max():.1g} N from the exponential"
    )
    held.plot("element.f", file="maxwell_element.png")

    model, loops = Oscillation(f=Parameter(1.0, name="f")), {}
    for frequency in (2.0, 8.0, 32.0):
        time = np.linspace(4.0, 5.0, 501) / frequency  # the fifth period
        run = model.simulate(time[-1], output=time, rtol=1e-8, parameters={"f": frequency})
        loops[f"{frequency:g} Hz"] = run
        s, force = run["element.s_rel"], run["element.f"]
        loss = np.trapezoid(force, s)
        ratio = 2j * np.pi * frequency * D / C
        stiffness = C * ratio / (1.0 + ratio)
        print(
            f"{frequency:4.0f} Hz: largest force {np.abs(force).max():6.2f} N, expected "
            f"{AMPLITUDE * abs(stiffness):6.2f} N; loss {loss:.4f} J per period, expected "
            f"{np.pi * AMPLITUDE**2 * stiffness.imag:.4f} J"
        )
    slow, *others = loops.items()
    slow[1].plot(
        "element.f",
        x="element.s_rel",
        label=slow[0],
        others=dict(others),
        unit="mm",
        file="maxwell_element_loops.png",
    )


if __name__ == "__main__":
    main()
