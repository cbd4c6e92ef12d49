"""Engine1a: one cylinder without gas.

The slider-crank of plain joints is closed by itself; gravity and the motion of piston and rod
make the speed of the flywheel vary. Data of Modelica.Mechanics.MultiBody.Examples.Loops.Engine1a;
the model is `motorik.gallery.Engine1a`. Writes engine1a.png (plot) and engine1a_pose.png
(picture).
"""

from motorik.gallery import Engine1a


def main() -> None:
    """Tell by how much the speed varies, and how well the loop stays closed."""
    result = Engine1a().simulate(5.0, rtol=1e-9)
    w = result["inertia.w"]
    print(f"the flywheel turns with {w.min():.4f} to {w.max():.4f} rad/s")
    metres, radians = result.constraint_violation()
    print(f"the loop stays closed within {metres:.1g} m and {radians:.1g} rad")
    result.plot("inertia.w", "cylinder.s", "b2.frame_a.f", file="engine1a.png")
    result.draw(0.1, file="engine1a_pose.png")


if __name__ == "__main__":
    main()
