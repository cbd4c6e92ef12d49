"""EngineV6: six cylinders in a V, each of plain joints, drive a load.

Data of Modelica.Mechanics.MultiBody.Examples.Loops.EngineV6; the model is
`motorik.gallery.EngineV6`. Writes engine_v6.png (plot) and engine_v6_pose.png (picture).
"""

import numpy as np

from motorik.gallery import EngineV6


def main() -> None:
    """Tell the mean torque and the speed."""
    result = EngineV6().simulate(1.01, output=4000)
    torque = result["torqueSensor.tau"]
    late = result.time > 0.5
    print(f"mean torque of the engine {np.mean(torque[late]):.1f} N·m after 0.5 s")
    print(f"the load ends with {result['load.w'][-1] * 30.0 / np.pi:.0f} rev/min")
    result.plot("load.w", "torqueSensor.tau", "filter.y", file="engine_v6.png")
    result.draw(0.1, file="engine_v6_pose.png")


if __name__ == "__main__":
    main()
