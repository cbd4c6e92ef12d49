"""Parameters of a pendulum from noisy data: inertia, friction and start, with their uncertainty.

The run is differentiated exactly, with its equations; the fit needs some ten runs. Writes
fit_parameters.png.
"""

import matplotlib.pyplot as plt
import numpy as np

from motorik import Model, Parameter, World, rotational
from motorik.joints import Revolute
from motorik.parts import Body

TRUE = {"bob.m": 1.3, "friction.d": 0.12, "hinge.phi": 0.9}
NOISE = 0.02  # rad


class Pendulum(Model):
    """A pendulum whose hinge has damping; mass and damping are live, with first guesses."""

    def build(self) -> None:
        """Connect hinge, bob and damper."""
        self.world = World()
        self.hinge = Revolute(n="z", useAxisFlange=True, phi=0.6)
        self.bob = Body(m=Parameter(1.0), r_CM=(0, -0.8, 0), I_11=0.05, I_33=0.05)
        self.friction = rotational.Damper(d=Parameter(0.05))
        self.connect(self.world.frame_b, self.hinge.frame_a)
        self.connect(self.hinge.frame_b, self.bob.frame_a)
        self.connect(self.hinge.support, self.friction.flange_a)
        self.connect(self.friction.flange_b, self.hinge.axis)


def measure(model: Model, seed: int = 4) -> dict[str, np.ndarray]:
    """Return noisy angles of a pendulum with the true values."""
    live = {name: TRUE[name] for name in ("bob.m", "friction.d")}
    initial = {"hinge.phi": TRUE["hinge.phi"]}
    result = model.simulate(6.0, rtol=1e-9, output=240, parameters=live, initial=initial)
    noise = NOISE * np.random.default_rng(seed).standard_normal(len(result.time))
    return {"time": result.time, "hinge.phi": result["hinge.phi"] + noise}


def main() -> None:
    """Fit three numbers, print them with their intervals, and plot the run with the data."""
    model = Pendulum()
    data = measure(model)
    fit = model.fit(
        data, {"bob.m": (0.1, None), "friction.d": (0.0, None), "hinge.phi": None}
    )
    print(fit)
    for name, value in TRUE.items():
        print(f"{name}: {fit[name]:.4f} ± {fit.errors[name]:.4f}, true {value}")
    result = fit.result()
    figure, axes = plt.subplots(figsize=(7, 4))
    axes.plot(data["time"], data["hinge.phi"], ".", markersize=3, label="measured")
    axes.plot(result.time, result["hinge.phi"], label="fitted")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("angle [rad]")
    axes.legend()
    figure.savefig("fit_parameters.png", dpi=150)


if __name__ == "__main__":
    main()
