"""Engine with six cylinders, built from plain joints and with a joint assembly in each cylinder.

Both are Modelica's models with the same data. In the model of plain joints the triangle of crank,
rod and cylinder, which the assembly solves, is found automatically. Writes loops_engine.png
(plot) and loops_engine_pose.png (picture).
"""

import numpy as np

from motorik.gallery import EngineV6Analytic
from motorik.gallery.engine_v6 import JointedCylinder


def main() -> None:
    """Start both engines at 10 rad/s and simulate a second."""
    assembled = EngineV6Analytic().simulate(1.01, rtol=1e-8)
    jointed = EngineV6Analytic(cylinder=JointedCylinder).simulate(1.01, rtol=1e-8)
    print(assembled.summary())
    print(jointed.summary())
    apart = np.abs(assembled["load.w"] - jointed["load.w"]).max()
    print(f"their speeds differ by at most {apart:.1e} rad/s")
    speed = jointed["load.w"][-1] * 30 / np.pi
    print(f"after 1.01 s the engine turns with {speed:.0f} 1/min")
    jointed.plot(
        "load.w",
        "filter.y",
        "torqueSensor.tau",
        "cylinder1.cylinder.s",
        "cylinder1.gasForce.f",
        file="loops_engine.png",
    )
    jointed.draw(0.5, file="loops_engine_pose.png")


if __name__ == "__main__":
    main()
