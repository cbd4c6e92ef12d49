"""Jenkins element: a spring in series with a friction slider, beside a second spring.

Written as equations of an own part: the slider is at rest while the force on it is below its
friction, and yields at exactly this force. Sinusoidal motions of three amplitudes A show the
hysteresis: the area of a loop is the loss 4 F (A − F / c) of a slider with friction F on a spring
c. Writes jenkins_element.png (force over length) and jenkins_element_time.png (over time).
"""

from collections.abc import Iterator

import numpy as np

from motorik import Model, Parameter, blocks, translational, where
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

C, BESIDE, FRICTION = 1e5, 2e4, 200.0  # N/m, N/m, N


class JenkinsElement(EquationPart):
    """A spring c in series with a slider of friction F, in parallel with a spring c0.

    f = c0 s_rel + g,  g = c (s_rel − x),  |g| ≤ F;  the slider x rests while |g| < F.
    """

    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    c: kinds.Stiffness = parameter("stiffness of the spring on the slider", default=C)
    c0: kinds.Stiffness = parameter("stiffness of the spring beside", default=BESIDE)
    F: kinds.Force = parameter("friction of the slider", default=FRICTION)
    s_rel: kinds.Distance = unknown("length")
    x: kinds.Distance = unknown("position of the slider", start=0.0, fixed=True)
    g: kinds.Force = unknown("force on the slider")
    f: kinds.Force = unknown("force, positive if it pulls")

    def equations(self) -> Iterator[Equation]:
        """Yield length, forces and the motion of the slider.

        Beyond its friction the slider would move faster than the flanges, so that the force
        falls; below it rests, and the force grows: between them it yields at F.
        """
        yield equal(self.s_rel, self.flange_b.s - self.flange_a.s)
        yield equal(self.g, self.c * (self.s_rel - self.x))
        fast = 1.0  # m/s, more than any speed of the flanges
        yield equal(
            der(self.x),
            where(self.g > self.F, fast, 0.0) - where(self.g < -self.F, fast, 0.0),
        )
        yield equal(self.f, self.c0 * self.s_rel + self.g)
        yield equal(self.flange_b.f, self.f)
        yield equal(self.flange_a.f, -self.f)


class Oscillation(Model):
    """The element, moved to and fro at 1 Hz with an amplitude A [m]."""

    def build(self, A: float | Parameter = 0.004) -> None:
        """Drive one end of the element."""
        self.wall = translational.Fixed()
        self.element = JenkinsElement()
        self.sine = blocks.Sine(amplitude=A, f=1.0)
        self.drive = translational.Position(exact=True)
        self.wall.flange >> self.element.flange_a
        self.sine.y >> self.drive.s_ref
        self.drive.flange >> self.element.flange_b


def main() -> None:
    """Compare the loss per period at several amplitudes with the closed form."""
    model, loops = Oscillation(A=Parameter(0.004, name="A")), {}
    for amplitude in (0.002, 0.004, 0.008):
        run = model.simulate(2.25, output=2001, rtol=1e-8, parameters={"A": amplitude})
        loops[f"{1e3 * amplitude:g} mm"] = run
        period = run.time >= 1.25  # one whole period, from a turning point on
        loss = np.trapezoid(run["element.f"][period], run["element.s_rel"][period])
        expected = 4.0 * FRICTION * max(amplitude - FRICTION / C, 0.0)
        print(
            f"{1e3 * amplitude:.0f} mm: loss {loss:.4f} J per period, expected {expected:.4f} J; "
            f"largest force on the slider {np.abs(run['element.g']).max():.4f} N"
        )
    small, *others = loops.items()
    small[1].plot(
        "element.f",
        x="element.s_rel",
        label=small[0],
        others=dict(others),
        unit="mm",
        events=False,
        file="jenkins_element.png",
    )
    loops["4 mm"].plot(
        "element.s_rel",
        "element.x",
        "element.g",
        unit="mm",
        file="jenkins_element_time.png",
    )


if __name__ == "__main__":
    main()
