"""Fourbar_analytic: a spatial four-bar with rod and slider as one assembly.

The assembly JointSSP has a closed form: no equations are solved by iteration. Data of
Modelica.Mechanics.MultiBody.Examples.Loops.Fourbar_analytic; the model is
`motorik.gallery.FourbarAnalytic`. Writes fourbar_analytic.png (plot) and
fourbar_analytic_pose.png (picture).
"""

import numpy as np

from motorik.gallery import FourbarAnalytic


def main() -> None:
    """Explain how the loop is closed, and check the energy."""
    model = FourbarAnalytic()
    result = model.simulate(5.0, rtol=1e-9)
    print(model.explain())
    energy = result.energy()
    print(f"energy kept within {np.ptp(energy['total']) / energy['kinetic'].max():.1g}")
    result.plot("j1.w", "jointSSP.frame_b.f", file="fourbar_analytic.png")
    result.draw(0.4, file="fourbar_analytic_pose.png")


if __name__ == "__main__":
    main()
