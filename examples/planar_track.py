"""A car on a hilly track: a user-defined joint, given by its vector constraint alone.

Writes planar_track.png.
"""

from motorik import guess, planar
from motorik.algebra import cos, sin, sqrt
from motorik.authoring import kinds, parameter


class OnTrack(planar.VectorJoint):
    """N stays on the track y = h cos(k x) of body i, with origin M."""

    h: kinds.Length = parameter("height of the hills", default=1.0)
    k: kinds.TurnPerLength = parameter("wave number", default=1.0)

    def constraint(self, OM, ON, x_i, y_i, x_j, y_j):
        """Return the distance from the track, to first order."""
        x, y = (ON - OM).dot(x_i), (ON - OM).dot(y_i)
        slope = -self.h * self.k * sin(self.k * x)
        return (y - self.h * cos(self.k * x)) / sqrt(1.0 + slope * slope)


class Car(planar.Model):
    """A car whose two axles stay on the track; it starts on a hill."""

    def build(self, speed=1.0):
        """Connect both axles with the track."""
        self.ground = planar.Ground()
        self.car = planar.Body(
            m=800.0,
            I=600.0,
            ports={"rear": (-1.0, -0.5), "front": (1.0, -0.5)},
            y=guess(3.4),
            theta=guess(0.0),
            x=0.0,
            vx=speed,
        )
        self.rear, self.front = OnTrack(h=3.0, k=0.3), OnTrack(h=3.0, k=0.3)
        for joint, axle in ((self.rear, self.car.rear), (self.front, self.car.front)):
            self.ground.frame_b >> joint.frame_a
            joint.frame_b >> axle


def main() -> None:
    """Simulate in absolute coordinates and by projection."""
    result = Car().simulate(10.0, rtol=1e-8)
    print(result.summary())
    other = Car().simulate(10.0, rtol=1e-8, strategy="projected")
    apart = abs(result["car.x"] - other["car.x"]).max()
    print(f"both strategies agree within {apart:.1e} m")
    print(f"the least force on the front axle is {result['front.Fy_b'].min():.0f} N")
    result.plot("car.x", "car.y", "car.theta", "front.Fy_b", file="planar_track.png")


if __name__ == "__main__":
    main()
