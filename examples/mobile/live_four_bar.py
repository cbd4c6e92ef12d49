"""Live four-bar: sliders, a manipulator and an integrator on a page of the browser (guide, §7).

A crank and a rocker carry a coupler; two explicit solvers close the loop. The page has sliders
for the crank, a spring and the mass, the bearing of the crank is a manipulator, and the
animation swings it. Without a display the program does by itself what a user would do.
"""

from motorik.algebra import X, Y, Z
from motorik.mobile import (
    AdamsIntegrator,
    AngularVariable,
    ChordPointPlane,
    ChordPointPointQuadratic,
    ElementaryJoint,
    ExplicitConstraintSolver,
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
from motorik.view.live.notebook import has_display

CRANK, COUPLER, ROCKER, BASE = 0.4, 1.1, 0.9, 1.2  # m


class FourBar:
    """Frames, joints and links; γ of the rocker and β of the coupler follow from the crank α."""

    def __init__(self) -> None:
        K = self.K = [Frame(f"K{i}") for i in range(8)]
        self.alpha = AngularVariable("alpha", q=0.8)
        self.beta, self.gamma = AngularVariable("beta"), AngularVariable("gamma", q=1.5)
        self.m, self.c = MutableScalar(2.0, "m"), MutableScalar(0.0, "c")
        self.d = MutableScalar(0.4, "d")
        self.bearing = ElementaryJoint(K[0], K[1], self.alpha, Z)
        self.pivot = ElementaryJoint(K[3], K[4], self.gamma, Z)
        self.elbow = ElementaryJoint(K[2], K[6], self.beta, Z)
        self.base = RigidLink(K[0], K[3], BASE * X)
        self.crank = RigidLink(K[1], K[2], CRANK * X)
        self.rocker = RigidLink(K[4], K[5], ROCKER * X)
        self.coupler = RigidLink(K[6], K[7], COUPLER * X)
        self.wrist = MassElement(K[5], self.m)
        rocker = MapChain() << self.pivot << self.rocker
        coupler = MapChain() << self.elbow << self.coupler
        span = ChordPointPointQuadratic.relative(K[5], K[2], COUPLER**2, rocker)
        x = ChordPointPlane.relative(K[7], K[5], 0.0, coupler, normal=X)
        y = ChordPointPlane.relative(K[7], K[5], 0.0, normal=Y)
        self.chain = MapChain() << self.base << self.bearing << self.crank
        self.chain << ExplicitConstraintSolver(span, self.gamma, near=1.5)
        self.chain << ExplicitConstraintSolver(x, y, self.beta)
        self.chain << self.wrist << MassElement(K[2], 0.5)
        self.chain << LinearSpringDamper(self.bearing, self.c, self.d)
        self.chain.motion()

    @property
    def system(self) -> MechanicalSystem:
        """The equation of motion, Y pointing up."""
        return MechanicalSystem([self.alpha], self.chain, self.K[0], Y)


def make_scene(bars: FourBar) -> Scene:
    """Return the scene with its widgets and its animation object."""
    scene = Scene(bars.chain, up=1, title="four-bar")
    scene.make_manipulator(bars.bearing)
    scene.make_shape(bars.K[0], bars.pivot, bars.elbow, bars.wrist)
    scene.make_shape(bars.crank, bars.coupler, bars.rocker)
    start = Widget(scene, bars.chain, "Start")
    start.add_slider(bars.alpha, -180.0, 180.0, "crank")
    start.add_slider(bars.alpha, -10.0, 10.0, "speed", entry="qd")
    start.add_button("back", bars.alpha.reset)
    parameters = Widget(scene, bars.chain, "Parameters")
    parameters.add_slider(bars.m, 0.1, 10.0, "mass")
    parameters.add_slider(bars.c, 0.0, 30.0, "stiffness")
    parameters.add_slider(bars.d, 0.0, 5.0, "damping")
    scene.add_animation_object(AdamsIntegrator(bars.system.compile(), time_interval=0.02))
    scene.set_animation_increment(0.02)  # in real time
    return scene


def main() -> None:
    """Open the page, or move the four-bar from here."""
    bars = FourBar()
    scene = make_scene(bars)
    with scene.show(open=has_display()) as session:
        if has_display():
            scene.run_animation()
            Scene.main_loop()
            return
        outcome = scene.turn(bars.gamma, 4.0)
        print(f"The rocker was turned as far as it goes: {outcome.text}")
        scene.turn(bars.alpha, 1.5)
        torque = session.player.torques()["alpha"]
        print(f"The crank was turned to 1.5 rad; {torque:.1f} N·m hold it there.")
        for _ in range(50):
            scene.step()
        print(f"After {session.time:g} s the crank is at {session['alpha']:.2f} rad.")


if __name__ == "__main__":
    main()
