"""Fourbar1: a spatial four-bar of seven joints.

One prismatic and six revolute joints; motorik finds the loop and how to close it. Data of
Modelica.Mechanics.MultiBody.Examples.Loops.Fourbar1; the model is `motorik.gallery.Fourbar1`.
Writes fourbar1.png (plot) and fourbar1_pose.png (picture).
"""

import numpy as np

from motorik.gallery import Fourbar1


def main() -> None:
    """Explain how the loop is closed, and check energy and closure."""
    model = Fourbar1()
    result = model.simulate(5.0, rtol=1e-9)
    print(model.explain())
    energy = result.energy()
    print(f"energy kept within {np.ptp(energy['total']) / energy['kinetic'].max():.1g}")
    metres, radians = result.constraint_violation()
    print(f"the loop stays closed within {metres:.1g} m and {radians:.1g} rad")
    result.plot("j1.w", "j2.s", "rev.phi", file="fourbar1.png")
    result.draw(0.4, file="fourbar1_pose.png")


if __name__ == "__main__":
    main()
