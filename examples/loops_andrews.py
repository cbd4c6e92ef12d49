"""Andrews' squeezing mechanism: three coupled loops that decompose into three triangles.

Once the angle of the crank is known, K2 and K3 form a triangle with known sides, and then
so do K4 and K5, and K6 and K7. The end values are compared with those of 80-bit arithmetic.
Writes loops_andrews.png (plot) and loops_andrews_pose.png (picture).
"""

from motorik.gallery import Andrews

END = {
    "beta": 15.81077119515371,
    "theta": -15.75637105841184,
    "gamma": 0.04082224011964583,
    "phi": -0.53473011634208,
    "delta": 0.52440996587995,
    "omega": 0.53473011634208,
    "epsilon": 1.04808074104194,
}


def main() -> None:
    """Run the benchmark of the IVP test set at two tolerances."""
    model = Andrews()
    print(model.explain())
    for rtol in (1e-6, 1e-12):
        result = model.simulate(0.03, method="dop853", rtol=rtol)
        error = max(abs(result[f"{name}.phi"][-1] - end) for name, end in END.items())
        cost = 1e3 * result.info.wall_time
        print(f"tolerance {rtol:g}: largest error {error:.1e} rad in {cost:.3f} ms")
    angles = [f"{name}.phi" for name in END if name not in ("beta", "theta")]
    result.plot(*angles, "beta.w", "spring.f", file="loops_andrews.png")
    result.draw(0.015, trace="arm_K2.frame_b.r_0", file="loops_andrews_pose.png")


if __name__ == "__main__":
    main()
