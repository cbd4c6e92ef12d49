"""Engine1b_analytic: the same with the joints as one assembly.

The loop of crank, rod and piston is one part with a closed form, JointRRP. Data of
Modelica.Mechanics.MultiBody.Examples.Loops.Engine1b_analytic; the model is
`motorik.gallery.Engine1bAnalytic`. Writes engine1b_analytic.png (plot) and
engine1b_analytic_pose.png (picture).
"""

import numpy as np

from motorik import gallery
from motorik.gallery import Engine1bAnalytic


def main() -> None:
    """Compare with the engine of plain joints."""
    result = Engine1bAnalytic().simulate(0.5, rtol=1e-9)
    plain = gallery.Engine1b().simulate(0.5, rtol=1e-9, output=result.time)
    apart = np.abs(result["inertia.w"] - plain["inertia.w"]).max()
    print(f"plain joints and the assembly give the same speed, within {apart:.1g} rad/s")
    print(f"the flywheel ends with {result['inertia.w'][-1]:.2f} rad/s")
    result.plot("inertia.w", "gasForce.f", "gasForce.press", file="engine1b_analytic.png")
    result.draw(0.05, file="engine1b_analytic_pose.png")


if __name__ == "__main__":
    main()
