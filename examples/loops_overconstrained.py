"""More constraints than freedoms: Bricard's ring of six hinges, and a bar on three cranks.

By Grübler's count neither of them moves. Both do; the redundant constraints are found from the
rank of the Jacobian. How the three cranks share the load does not follow from rigid-body
mechanics: the smallest forces are given. Writes loops_bricard.png (picture)
and loops_three_cranks.png (plot).
"""

import numpy as np

from motorik.gallery import Bricard, ThreeCranks


def main() -> None:
    """Simulate both under gravity, and print the redundant constraints."""
    bricard = Bricard()
    print(bricard.explain())
    result = bricard.simulate(10.0, rtol=1e-9)
    print(result.summary())
    theta, phi = result["hinge0.phi"], result["hinge1.phi"]
    law = np.sin(theta) + np.sin(phi) + np.sin(theta) * np.sin(phi)
    print(f"sin θ + sin φ + sin θ sin φ = 0 within {np.abs(law).max():.1e}")
    result.draw(2.0, trace="rod3.frame_b.r_0", file="loops_bricard.png")

    cranks = ThreeCranks()
    print(cranks.explain())
    result = cranks.simulate(3.0, rtol=1e-9)
    forces = [f"pin{i}.frame_a.f" for i in range(3)]
    result.plot("pivot0.phi", *forces, file="loops_three_cranks.png")


if __name__ == "__main__":
    main()
