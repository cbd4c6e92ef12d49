"""MacPherson suspension and Stewart platform: coupled loops in space.

The suspension is built twice, from plain joints and from the two assemblies of Otter et al.
2003 (figure 12); the wheel is steered to and fro while it bounces. The platform starts tilted
and settles. Writes loops_suspension.png (plot), loops_suspension_pose.png and
loops_platform_pose.png (pictures).
"""

import numpy as np

from motorik.gallery import MacPherson, MacPhersonAnalytic, StewartPlatform


def main() -> None:
    """Simulate all three."""
    suspension = MacPhersonAnalytic()
    print(suspension.explain())
    assembled = suspension.simulate(2.0, rtol=1e-9)
    jointed = MacPherson().simulate(2.0, rtol=1e-9)
    hub = "hub.frame_b.r_0"
    apart = np.abs(assembled[hub] - jointed[hub]).max()
    print(f"both suspensions move the wheel alike, within {apart:.1e} m")
    jointed.plot(
        "inner_joint.phi",
        "rack.s",
        "strut.s",
        "spring.f",
        f"{hub}[3]",
        file="loops_suspension.png",
    )
    jointed.draw(0.5, trace=hub, file="loops_suspension_pose.png")

    platform = StewartPlatform().simulate(1.0, rtol=1e-9)
    print(platform.summary())
    platform.draw(0.0, file="loops_platform_pose.png")


if __name__ == "__main__":
    main()
