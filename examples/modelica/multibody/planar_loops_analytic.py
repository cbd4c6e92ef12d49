"""PlanarLoops_analytic: three planar loops, one driving the next.

A crank moves as 0.7 rad · sin(2π t); three assemblies JointRRR follow. Data of
Modelica.Mechanics.MultiBody.Examples.Loops.PlanarLoops_analytic; the model is
`motorik.gallery.PlanarLoopsAnalytic`. Writes planar_loops_analytic.png (plot) and
planar_loops_analytic_pose.png (picture).
"""

import numpy as np

from motorik.gallery import PlanarLoopsAnalytic


def main() -> None:
    """Tell the torque that the drive needs."""
    result = PlanarLoopsAnalytic().simulate(5.0, rtol=1e-9)
    torque = result["rev.axis.tau"]
    print(f"the drive needs up to {np.abs(torque).max():.1f} N·m")
    turned = np.degrees(np.ptp(result["rev.phi"]))
    print(f"the crank swings by {turned:.1f}°")
    result.plot("rev.phi", "rev.axis.tau", file="planar_loops_analytic.png")
    result.draw(0.2, camera="front", file="planar_loops_analytic_pose.png")


if __name__ == "__main__":
    main()
