"""Animation: a damped pendulum as an animation, and moved by sliders (guide, §2.2.3, §7.3).

Writes mobile_pendulum.gif (animation) and mobile_pendulum.png (picture after moving the sliders).
"""

from motorik.algebra import Vector, Y, Z
from motorik.mobile import (
    AdamsIntegrator,
    AngularVariable,
    ElementaryJoint,
    Frame,
    LinearSpringDamper,
    MapChain,
    MassElement,
    MechanicalSystem,
    MutableScalar,
    RigidLink,
    Scene,
    Widget,
)


def main() -> None:
    """Animate six seconds of motion, then set mass and angle by sliders."""
    K0, K1, K2 = Frame("K0"), Frame("K1"), Frame("K2")
    phi = AngularVariable("phi", q=1.5)
    m, k, c = MutableScalar(1.0, "m"), MutableScalar(2.0, "k"), MutableScalar(0.4, "c")
    R = ElementaryJoint(K0, K1, phi, Z)
    rod = RigidLink(K1, K2, Vector(0, -1, 0))
    tip = MassElement(K2, m)
    spring_damper = LinearSpringDamper(R, k, c)
    pendulum = MapChain() << R << rod << spring_damper << tip
    pendulum.motion()

    dynamics = MechanicalSystem([phi], pendulum, K0, Y)
    dynamic_motion = AdamsIntegrator(dynamics.compile(), time_interval=0.1)

    scene = Scene(pendulum, up=1)
    scene.make_shape(K0, R, rod, tip)
    scene.add_animation_object(dynamic_motion)
    film = scene.to_movie("mobile_pendulum.gif", pictures=60)

    parameters = Widget(scene, pendulum, "Parameters")
    parameters.add_slider(m, 0.0, 10.0, "mass")
    parameters.add_slider(k, 0.0, 30.0, "stiffness")
    parameters.add_slider(c, 0.0, 10.0, "damping")
    initial = Widget(scene, pendulum, "Initial conditions")
    angle = initial.add_slider(phi, -360.0, 360.0, "angle")
    initial.add_slider(phi, -10.0, 10.0, "angular vel.", entry="qd")
    initial.add_button("Reset", phi.reset)
    with scene.show(open=False):  # scene.main_loop() would hand the page over
        parameters.show()
        initial.show()
        angle.set(40.0)  # as the hand does
    scene.draw(file="mobile_pendulum.png")
    print(f"wrote {film} and mobile_pendulum.png; the pendulum is at {phi.q} rad")


if __name__ == "__main__":
    main()
