"""Seven-body mechanism in absolute coordinates: bodies connected by ten hinges.

The example of the planar library (Marquis-Favre, Bideaux, Scavarda 2006, part II), with the
data of Schiehlen 1990: a motor turns the crank K1 against a strong spring at K3.
Writes planar_seven_body.png.
"""

from math import cos, sin

from motorik import guess
from motorik.planar import Body, Ground, Model, Revolute, SpringDamper

# mass [kg], inertia [kg·m²], centre of mass [m], start angle [rad] and ports [m]; the
# coordinates of a body begin at its first port
BETA, DELTA, EPSILON = -0.0617138900142764, 0.487364979543843, 1.230547444549821
PHI, OMEGA, GAMMA = 0.222668390165886, -0.222668390165886, 0.455279819163070
BODIES = {
    "K1": (0.04325, 2.194e-6, (0.00092, 0), BETA, {"O": (0, 0), "F": (0.007, 0)}),
    "K2": (0.00365, 4.410e-7, (-0.0115, 0), BETA, {"F": (0, 0), "E": (-0.028, 0)}),
    "K3": (
        *(0.02373, 5.255e-6, (0.01043, -0.01874), GAMMA),
        {"B": (0, 0), "E": (0, -0.035), "D": (0.02, -0.018)},
    ),
    "K5": (0.07050, 1.169e-5, (0.02308, 0.00916), DELTA, {"A": (0, 0), "P": (0.04, 0)}),
    "K4": (
        *(0.00706, 5.667e-7, (0, -0.00579), PHI + DELTA),
        {"P": (0, 0), "E": (0, -0.02)},
    ),
    "K7": (
        *(0.05498, 1.912e-5, (-0.00449, -0.01228), EPSILON),
        {"A": (0, 0), "H": (0, -0.04)},
    ),
    "K6": (
        *(0.00706, 5.667e-7, (0.00579, 0), OMEGA + EPSILON),
        {"H": (0, 0), "E": (0.02, 0)},
    ),
}
PIVOTS = {"O": (0, 0), "A": (-0.06934, -0.00227), "B": (-0.03635, 0.03273)}
SPRING_END = (0.014, 0.072)
HINGES = (  # body, body, port
    *(("ground", "K1", "O"), ("K1", "K2", "F"), ("ground", "K3", "B")),
    *(("ground", "K5", "A"), ("K5", "K4", "P"), ("ground", "K7", "A")),
    *(("K7", "K6", "H"), ("K2", "K3", "E"), ("K2", "K4", "E"), ("K2", "K6", "E")),
)


class SevenBodies(Model):
    """Andrews' squeezing mechanism, without gravity, from rest."""

    def build(self, torque=0.033):
        """Place the bodies at their start positions, then connect them by hinges."""
        self.ground = Ground(gravityType="none", ports={**PIVOTS, "C": SPRING_END})
        at = dict(PIVOTS)
        for name, (m, I, centre, theta, ports) in BODIES.items():
            origin = at[next(iter(ports))]
            for port, place in ports.items():
                at[port] = moved(origin, theta, place)
            x, y = moved(origin, theta, centre)
            start = theta if name == "K1" else guess(theta)
            body = Body(
                m=m, I=I, r_CM=centre, ports=ports, x=guess(x), y=guess(y), theta=start
            )
            setattr(self, f"body_{name}", body)
        for a, b, port in HINGES:
            body_a = self.ground if a == "ground" else getattr(self, f"body_{a}")
            body_b = getattr(self, f"body_{b}")
            hinge = Revolute(drive=torque) if port == "O" else Revolute()
            setattr(self, f"{port}_{b}", hinge)
            getattr(body_a, port) >> hinge.frame_a
            hinge.frame_b >> getattr(body_b, port)
        self.spring = SpringDamper(c=4530.0, s0=0.07785)
        self.ground.C >> self.spring.frame_a
        self.spring.frame_b >> self.body_K3.D


def moved(origin, theta, place):
    """Return the position of a point of a body whose coordinates begin at `origin`."""
    (x, y), (a, b) = origin, place
    return x + cos(theta) * a - sin(theta) * b, y + sin(theta) * a + cos(theta) * b


def main() -> None:
    """Simulate with the strategy of the planar library and with two others."""
    mechanism = SevenBodies()
    print(mechanism.explain())
    result = mechanism.simulate(0.03, rtol=1e-9)
    print(result.summary())
    for strategy in ("projected", "explicit"):
        other = mechanism.simulate(0.03, rtol=1e-9, strategy=strategy)
        apart = abs(other["body_K1.theta"] - result["body_K1.theta"]).max()
        print(f"{strategy}: the crank differs by at most {apart:.1e} rad")
    result.plot(
        *("body_K1.theta", "body_K3.theta", "body_K5.theta", "spring.f", "E_K3.Fx_b"),
        file="planar_seven_body.png",
    )


if __name__ == "__main__":
    main()
