"""PlanarFourbar: four bars in a plane, four parallel hinges.

Three of the constraint equations are redundant; they are found and left out by themselves. Data
of Modelica.Mechanics.MultiBody.Examples.Loops.PlanarFourbar; the model is
`motorik.gallery.PlanarFourbar`. Writes planar_fourbar.png (plot) and planar_fourbar_pose.png
(picture).
"""

from motorik.gallery import PlanarFourbar


def main() -> None:
    """Tell the constraints that are redundant, and the energy that the damper takes."""
    model = PlanarFourbar()
    result = model.simulate(5.0, rtol=1e-9)
    print(model.explain())
    energy = result.energy()["total"]
    print(f"the damper takes {energy[0] - energy[-1]:.4f} J")
    result.plot(
        "revolute1.phi", "revolute3.phi", "revolute4.frame_b.f", file="planar_fourbar.png"
    )
    result.draw(0.8, camera="front", file="planar_fourbar_pose.png")


if __name__ == "__main__":
    main()
