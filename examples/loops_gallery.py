"""Every mechanism with loops of the gallery, run and plotted on one sheet.

Writes loops_gallery.png.
"""

import matplotlib.pyplot as plt

from motorik import gallery

# how long [s], and what is shown
SHOWN = {
    "FourfoldPendulum": (5.0, "left_track.s", "right_track.s"),
    "PlanarFourbar": (5.0, "revolute1.phi", "revolute3.phi"),
    "PlanarLoopsAnalytic": (2.0, "rev.phi", "rev.w"),
    "Fourbar1": (5.0, "j1.w", "j2.v"),
    "Fourbar2": (5.0, "j1.w", "j2.v"),
    "FourbarAnalytic": (5.0, "j1.w", "jointSSP.v"),
    "SliderCrank": (0.1, "bearing.w", "rail.v"),
    "SpatialSliderCrank": (3.0, "bearing.w", "rail.v"),
    "Engine1a": (5.0, "inertia.w", "cylinder.v"),
    "Engine1b": (0.5, "inertia.w", "cylinder.v"),
    "Engine1bAnalytic": (0.5, "inertia.w", "jointRRP.v"),
    "EngineV6": (1.01, "load.w", "filter.y"),
    "EngineV6Analytic": (1.01, "load.w", "filter.y"),
    "Andrews": (0.03, "beta.w", "gamma.w"),
    "NFourBar": (10.0, "pivot0.w", "pivot2.w"),
    "ThreeCranks": (3.0, "pivot0.w", "pivot2.w"),
    "Bricard": (10.0, "hinge0.phi", "hinge1.phi"),
    "StewartPlatform": (1.0, "leg1.slide.s", "leg4.slide.s"),
    "MacPherson": (2.0, "inner_joint.phi", "rack.s"),
    "MacPhersonAnalytic": (2.0, "inner_joint.phi", "rack.s"),
}


def main() -> None:
    """Simulate them one after another and print the computing time of each."""
    figure, sheet = plt.subplots(5, 4, figsize=(16, 14), layout="constrained")
    for axes, (name, (stop, *names)) in zip(sheet.flat, SHOWN.items(), strict=True):
        result = getattr(gallery, name)().simulate(stop, rtol=1e-8)
        gap = max(result.constraint_violation())
        print(f"{name:20} {1e3 * result.info.wall_time:8.3f} ms, loops closed to {gap:.0e}")
        for shown in names:
            axes.plot(result.time, result[shown], label=f"{shown} [{result.unit(shown)}]")
        axes.set_title(name)
        axes.legend(fontsize="small")
    figure.savefig("loops_gallery.png", dpi=100)


if __name__ == "__main__":
    main()
