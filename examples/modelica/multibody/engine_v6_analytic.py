"""EngineV6_analytic: six cylinders in a V, each with an assembly, drive a load.

The masses of rods and pistons are given as numbers. Data of
Modelica.Mechanics.MultiBody.Examples.Loops.EngineV6_analytic; the model is
`motorik.gallery.EngineV6Analytic`. Writes engine_v6_analytic.png (plot) and
engine_v6_analytic_pose.png (picture).
"""

import numpy as np

from motorik.gallery import EngineV6Analytic


def main() -> None:
    """Tell the mean torque and the speed."""
    result = EngineV6Analytic().simulate(1.01, output=4000)
    late = result.time > 0.5
    print(
        f"mean torque of the engine {np.mean(result['torqueSensor.tau'][late]):.1f} N·m after 0.5 s"
    )
    print(f"the load ends with {result['load.w'][-1] * 30.0 / np.pi:.0f} rev/min")
    print(result.summary())
    result.plot("load.w", "torqueSensor.tau", "filter.y", file="engine_v6_analytic.png")
    result.draw(0.1, file="engine_v6_analytic_pose.png")


if __name__ == "__main__":
    main()
