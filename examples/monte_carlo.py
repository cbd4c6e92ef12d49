"""Monte Carlo: how far tolerances of a suspension's parts spread its travel, in 2000 runs.

A quarter of a car has come up a kerb of 5 cm, its wheel and body still below. Spring, damper and
tyre vary by some per cent, the load by a quarter, as from the factory and on the road; all runs
are made side by side.
"""

import numpy as np

import motorik as mk
from motorik import translational

COUNT = 2000


def make_quarter_car() -> mk.Model:
    """Return wheel and body on tyre and suspension, their values live."""
    model = mk.Model()
    model.load = mk.Parameter(300.0)
    model.spring = mk.Parameter(18e3)
    model.damping = mk.Parameter(1.4e3)
    model.tyre_stiffness = mk.Parameter(180e3)
    model.road = translational.Fixed()
    model.tyre = translational.SpringDamper(c=model.tyre_stiffness, d=50.0)
    model.wheel = translational.Mass(m=35.0, s=-0.05)
    model.suspension = translational.SpringDamper(c=model.spring, d=model.damping)
    model.body = translational.Mass(m=model.load, s=-0.05)
    mk.connect(model.road.flange, model.tyre.flange_a)
    mk.connect(model.tyre.flange_b, model.wheel.flange_a)
    mk.connect(model.wheel.flange_b, model.suspension.flange_a)
    mk.connect(model.suspension.flange_b, model.body.flange_a)
    return model


def main() -> None:
    """Make the runs and print how the body's rise and the suspension's travel are spread."""
    model = make_quarter_car()
    rng = np.random.default_rng(1)
    nominal = {"load": 300.0, "spring": 18e3, "damping": 1.4e3, "tyre_stiffness": 180e3}
    spread = {"load": 0.25, "spring": 0.03, "damping": 0.10, "tyre_stiffness": 0.05}
    parameters = {
        name: value * (1.0 + spread[name] * rng.uniform(-1.0, 1.0, COUNT))
        for name, value in nominal.items()
    }
    run = model.prepare(2.0, output=200)
    runs = run.map(parameters=parameters)
    print(f"{runs}: {1e6 * runs.info.wall_time / len(runs):.0f} µs each")

    rise = 1e3 * runs["body.s"].max("time")
    travel = 1e3 * abs(runs["suspension.s_rel"]).max("time")
    for name, values in (("highest body", rise), ("largest travel", travel)):
        low, middle, high = values.quantile([0.01, 0.5, 0.99]).values
        print(f"{name:15s} {middle:6.1f} mm, 98 % within {low:.1f} … {high:.1f} mm")
    for name, values in parameters.items():
        print(
            f"travel and {name:15s} correlate by {np.corrcoef(values, travel)[0, 1]:+.2f}"
        )


if __name__ == "__main__":
    main()
