"""Surfaces: surfaces: a sine wave, a torus, a wheel and a pipe with a field.

Torus and wheel slide to and fro; the colours of the pipe follow a field that changes in time.
Data of Modelica.Mechanics.MultiBody.Examples.Elementary.Surfaces. Writes surfaces.png (plot) and
surfaces_pose.png (picture).
"""

import numpy as np

from motorik import (
    FixedTranslation,
    Model,
    Prismatic,
    World,
    blocks,
    connect,
    cos,
    sin,
    translational,
    visualizers,
)

SHARES = tuple(k / 11.0 for k in range(12))  # of the length of the pipe


def wave(x, y):
    """Return the height [m] of the sine wave at x and y [m]."""
    return 0.5 + 0.5 * sin(2.5 * (x + y))


def field(motion):
    """Return the values of the field along the pipe."""
    return tuple(1.0 + sin(np.pi * share) * cos(np.pi * motion.t) for share in SHARES)


class Surfaces(Model):
    """Parts that are only drawn, two of them on a slide."""

    def build(self) -> None:
        """Place the surfaces; a position drive moves the slide."""
        self.world = World(n="-z", animateGround=True, groundLength_u=4.0)
        self.surface = visualizers.FixedSurface(
            function=wave, length=2.0, width=2.0, n_x=50, n_y=50
        )
        self.torus, self.wheel = visualizers.Torus(), visualizers.VoluminousWheel()
        self.prismatic = Prismatic(n="x", useAxisFlange=True, v=0.0, animation=False)
        self.position = translational.Position()
        self.sine = blocks.Sine(amplitude=2.0, f=0.5)
        self.fixedTranslation1 = FixedTranslation(r=(0, -1.3, 0.6), animation=False)
        self.fixedTranslation2 = FixedTranslation(r=(0, -1.6, 0.25), animation=False)
        self.pipeWithScalarField = visualizers.PipeWithScalarField(
            rOuter=0.3, length=1.0, T=field, T_min=0.0, T_max=2.0, n_colors=32, xsi=SHARES
        )
        self.fixedTranslation3 = FixedTranslation(r=(0, -2.2, 0), animation=False)
        connect(self.world.frame_b, self.surface.frame_a, self.prismatic.frame_a)
        self.sine.y >> self.position.s_ref
        self.position.flange >> self.prismatic.axis
        self.prismatic.frame_b >> self.fixedTranslation1.frame_a
        self.fixedTranslation1.frame_b >> self.torus.frame_a
        self.prismatic.frame_b >> self.fixedTranslation2.frame_a
        self.fixedTranslation2.frame_b >> self.wheel.frame_a
        self.world.frame_b >> self.fixedTranslation3.frame_a
        self.fixedTranslation3.frame_b >> self.pipeWithScalarField.frame_a


def main() -> None:
    """Draw the scene."""
    result = Surfaces().simulate(5.0)
    print(f"the slide moves by ±{np.abs(result['prismatic.s']).max():.3f} m")
    field = result["pipeWithScalarField.T"]
    print(f"the field on the pipe has values from {field.min():.2f} to {field.max():.2f}")
    result.plot("prismatic.s", "pipeWithScalarField.T[6]", file="surfaces.png")
    result.draw(4.4, camera=(-40.0, 25.0), file="surfaces_pose.png")


if __name__ == "__main__":
    main()
