"""Engine1b: one cylinder with gas that is compressed and burns.

Data of Modelica.Mechanics.MultiBody.Examples.Loops.Engine1b; the model is
`motorik.gallery.Engine1b`. Writes engine1b.png (plot) and engine1b_pose.png (picture).
"""

import numpy as np

from motorik.gallery import Engine1b


def main() -> None:
    """Tell the largest gas force and the work of the gas."""
    result = Engine1b().simulate(0.5, rtol=1e-9)
    force = result["gasForce.f"]
    print(f"the gas pushes with up to {np.abs(force).max() / 1e3:.1f} kN")
    work = -np.trapezoid(force * result["cylinder.v"], result.time)
    print(f"it does {abs(work):.0f} J of work on the piston")
    print(f"the flywheel ends with {result['inertia.w'][-1]:.2f} rad/s")
    result.plot("inertia.w", "gasForce.f", "gasForce.press", file="engine1b.png")
    result.draw(0.05, file="engine1b_pose.png")


if __name__ == "__main__":
    main()
