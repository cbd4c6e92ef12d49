"""Double pendulum: simulate, plot and animate it.

Writes double_pendulum.png (plot), double_pendulum_pose.png (picture) and
double_pendulum.gif (animation) to the current folder.
"""

from motorik.gallery import DoublePendulum


def main() -> None:
    """Release the pendulum and simulate ten seconds."""
    result = DoublePendulum().simulate(10.0, rtol=1e-9, output=1000)
    print(result.summary())
    tip = "box2.frame_b.r_0"
    result.plot(
        "hinge1.phi", "hinge2.phi", "hinge1.w", "hinge2.w", file="double_pendulum.png"
    )
    result.draw(3.0, trace=tip, file="double_pendulum_pose.png")
    film = result.animate("double_pendulum.gif", trace=tip, fps=20)
    print(f"wrote double_pendulum.png, double_pendulum_pose.png and {film}")


if __name__ == "__main__":
    main()
