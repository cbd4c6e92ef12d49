"""Fourbar2: a spatial four-bar with a rod.

A rod of a universal and a spherical joint takes the place of five hinges. Data of
Modelica.Mechanics.MultiBody.Examples.Loops.Fourbar2; the model is `motorik.gallery.Fourbar2`.
Writes fourbar2.png (plot) and fourbar2_pose.png (picture).
"""

import numpy as np

from motorik import gallery
from motorik.gallery import Fourbar2


def main() -> None:
    """Compare with the closed form of the assembly."""
    result = Fourbar2().simulate(5.0, rtol=1e-9)
    other = gallery.FourbarAnalytic().simulate(5.0, rtol=1e-9, output=result.time)
    apart = np.abs(result["j1.phi"] - other["j1.phi"]).max()
    print(f"rod and assembly give the same angle of the crank, within {apart:.1g} rad")
    energy = result.energy()
    print(f"energy kept within {np.ptp(energy['total']) / energy['kinetic'].max():.1g}")
    result.plot("j1.w", "j2.s", file="fourbar2.png")
    result.draw(0.4, file="fourbar2_pose.png")


if __name__ == "__main__":
    main()
