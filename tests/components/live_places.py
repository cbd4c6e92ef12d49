"""Places: small mechanisms that move, in which a part can be tried."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import motorik as mk
from motorik import Body, FixedTranslation, Model, Part, Revolute, World, guess, planar
from motorik import blocks as blk
from motorik import forces as frc
from motorik import rotational as rot
from motorik import translational as tra
from motorik.authoring import SignalInput, SignalOutput

Place = Callable[[Part], Model]
ENDS = ("flange_a", "flange_b", "flangeR", "flangeT", "sun", "carrier", "ring")
HEAVY = {"m": 1.5, "I_11": 0.4, "I_22": 0.5, "I_33": 0.6, "r_CM": (0.2, 0.1, 0.05)}


def _carrier(**world: object) -> Model:
    """Return a world with a body `arm` on the hinge `first`, which moves."""
    model = Model()
    model.world = World(**world)
    model.first = Revolute(n=(1, 2, 0.5), phi=0.3, w=1.2)
    model.arm = Body(**HEAVY)
    model.seat = FixedTranslation(r=(0.4, 0.1, 0.0))
    model.world.frame_b >> model.first.frame_a
    model.first.frame_b >> model.arm.frame_a
    model.first.frame_b >> model.seat.frame_a
    return model


def joint(it: Part) -> Model:
    """Hang a body on the arm by a joint, or by what is rigid."""
    model = _carrier()
    model.it, model.load = it, Body(**HEAVY)
    model.seat.frame_b >> it.frame_a
    it.frame_b >> model.load.frame_a
    return model


def gear(it: Part) -> Model:
    """Gear two bodies on the arm."""
    model = _carrier()
    model.it, model.one, model.two = it, Body(**HEAVY), Body(**HEAVY)
    model.seat.frame_b >> it.bearing
    it.frame_a >> model.one.frame_a
    it.frame_b >> model.two.frame_a
    return model


def body(it: Part) -> Model:
    """Put a body on the arm, behind another hinge."""
    model = _carrier()
    model.it, model.hinge = it, Revolute(n=(0.2, 1, 1), phi=0.1, w=0.5)
    model.seat.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> it.frame_a
    model.more = Body(**HEAVY)
    model.hinge.frame_b >> model.more.frame_a
    if "frame_b" in it.specs:
        model.end = Body(**HEAVY)
        it.frame_b >> model.end.frame_a
    return model


def fixed(it: Part) -> Model:
    """Hang a body on a frame of the world, and tie it to another by a spring."""
    model = Model()
    model.world, model.it = World(), it
    model.hinge, model.load = Revolute(n=(1, 0.2, 1), phi=0.4), Body(**HEAVY)
    model.spring = frc.Spring(c=20.0, s_unstretched=0.2)
    it.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.load.frame_a
    model.world.frame_b >> model.spring.frame_a
    model.load.frame_a >> model.spring.frame_b
    return model


def world(it: Part) -> Model:
    """Let two bodies fall in a world."""
    model = Model()
    model.world = it
    model.hinge, model.load = Revolute(n=(1, 0.2, 1), phi=0.4), Body(**HEAVY)
    model.stone = Body(m=2.0, r_0=(2.0, 1.0, 0.5))
    it.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.load.frame_a
    return model


def between(it: Part) -> Model:
    """Put a part between the world and the arm."""
    model = _carrier()
    model.it, model.post = it, FixedTranslation(r=(1.0, -0.5, 0.3))
    model.world.frame_b >> model.post.frame_a
    model.post.frame_b >> it.frame_a
    it.frame_b >> model.seat.frame_b
    return model


def dropped(it: Part) -> Model:
    """Let a body fall on a plane and slide."""
    model = Model()
    model.world, model.it = World(), it
    model.ball = Body(**HEAVY, r_0=(0.0, 0.5, 0.0), v_0=(0.4, 0.0, 0.1))  # type: ignore[arg-type]
    model.world.frame_b >> it.frame_a
    it.frame_b >> model.ball.frame_a
    return model


def on_line(it: Part) -> Model:
    """Put a line with masses between the world and the arm, a spring along it."""
    model = between(it)
    model.coil = tra.SpringDamper(c=30.0, d=0.3, s_rel0=0.4)
    it.flange_a >> model.coil.flange_a
    it.flange_b >> model.coil.flange_b
    return model


def sensed(it: Part) -> Model:
    """Let the arm move a sensor."""
    model = _carrier()
    model.it = it
    model.seat.frame_b >> it.frame_a
    if "frame_b" in it.specs:
        model.world.frame_b >> it.frame_b
    return model


def held(it: Part) -> Model:
    """Hold a floating body to the world by a constraint."""
    model = Model()
    model.world, model.it = World(), it
    model.load = Body(**HEAVY, r_0=guess((0.0, 0.0, 0.0)), w_0_start=(0.1, 0.2, 0.3))
    model.world.frame_b >> it.frame_a
    it.frame_b >> model.load.frame_a
    return model


def rolling(it: Part) -> Model:
    """Let a wheel roll on the ground."""
    model = Model()
    model.world, model.it = World(n="-z"), it
    if "frameMiddle" in it.specs:
        model.cart = Body(**HEAVY)
        it.frameMiddle >> model.cart.frame_a
    elif "frame_a" in it.specs:
        model.hub = Body(**HEAVY)
        it.frame_a >> model.hub.frame_a
    return model


def wheel_set(it: Part) -> Model:
    """Let a pair of wheels roll on the ground."""
    model = Model()
    model.world, model.it = World(n="-z"), it
    for name in ("frame_middle", "frame1", "frame2", "frameMiddle"):
        if name in it.specs:
            setattr(model, f"on_{name}", Body(**HEAVY))
            getattr(it, name) >> getattr(model, f"on_{name}").frame_a
    return model


def cranked(base: tuple[float, float, float], turned: bool = False) -> Place:
    """Return what drives an assembly by a crank about z."""

    def place(it: Part) -> Model:
        model = Model()
        model.world = World(gravityType="none")
        model.crank = Revolute(n="z", phi=0.3, w=8.0, stateSelect="always")
        model.wheel = Body(m=5.0, I_11=0.3, I_22=0.3, I_33=0.5)
        model.pin, model.base = FixedTranslation(r=(0.2, 0, 0)), FixedTranslation(r=base)
        model.it, model.load = it, Body(m=0.4, I_11=0.01, I_22=0.01, I_33=0.01)
        model.world.frame_b >> model.crank.frame_a
        model.crank.frame_b >> model.wheel.frame_a
        model.crank.frame_b >> model.pin.frame_a
        model.world.frame_b >> model.base.frame_a
        ends = (it.frame_a, it.frame_b)
        near, far = ends[::-1] if turned else ends
        model.pin.frame_b >> near
        model.base.frame_b >> far
        it.frame_ib >> model.load.frame_a
        return model

    return place


def last_hinge(it: Part) -> Model:
    """Close a four-bar in the plane by its last hinge."""
    model = Model()
    model.world, model.it = World(), it
    model.base = FixedTranslation(r=(1.2, 0, 0))
    at = model.world.frame_b
    at >> model.base.frame_a
    for name, long, phi in (("crank", 0.4, 0.4), ("coupler", 1.0, 0.5)):
        setattr(model, f"pin_{name}", Revolute(n="z", phi=phi if long < 1 else guess(phi)))
        setattr(model, name, mk.BodyCylinder(r=(long, 0, 0), diameter=0.04))
        at >> getattr(model, f"pin_{name}").frame_a
        getattr(model, f"pin_{name}").frame_b >> getattr(model, name).frame_a
        at = getattr(model, name).frame_b
    model.rocker = mk.BodyCylinder(r=(0.8, 0, 0), diameter=0.04)
    model.pin_rocker = Revolute(n="z", phi=guess(1.6))
    model.base.frame_b >> model.pin_rocker.frame_a
    model.pin_rocker.frame_b >> model.rocker.frame_a
    at >> it.frame_a
    it.frame_b >> model.rocker.frame_b
    return model


def rod(it: Part) -> Model:
    """Hold the arm to a second arm by a rod."""
    model = _carrier()
    model.it, model.post = it, FixedTranslation(r=(0.3, 0.2, 0.9))
    model.hinge, model.other = Revolute(n=(0, 1, 0.3), phi=guess(0.4)), Body(**HEAVY)
    model.tip = FixedTranslation(r=(0.5, 0.0, 0.1))
    model.world.frame_b >> model.post.frame_a
    model.post.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.other.frame_a
    model.hinge.frame_b >> model.tip.frame_a
    model.seat.frame_b >> it.frame_a
    it.frame_b >> model.tip.frame_b
    return model


def line(room: ModuleType, inertia: str) -> Place:
    """Return what puts a part between inertias on a drive line, or drives one by it."""

    def place(it: Part) -> Model:
        model = Model()
        model.it = it
        if "flange" in it.specs:
            model.load = getattr(room, inertia)()
            it.flange >> model.load.flange_a
            for name in it.specs:
                if name.endswith("_ref"):
                    model.given = blk.TimeFunction(
                        f=lambda t: 0.7 * t + 0.1 * mk.sin(3 * t)
                    )
                    model.given.y >> getattr(it, name)
            return model
        for name in ENDS:
            if name in it.specs:
                turns = name == "flangeR" or (inertia == "Inertia" and name != "flangeT")
                setattr(model, f"on_{name}", rot.Inertia() if turns else tra.Mass())
                getattr(it, name) >> getattr(model, f"on_{name}").flange_a
        if "f_normalized" in it.specs:
            model.pressing = blk.TimeFunction(f=lambda t: 0.5 + t)
            model.pressing.y >> it.f_normalized
        first = next(part for name, part in model.parts.items() if name.startswith("on_"))
        turns = isinstance(first, rot.Inertia)
        model.push = rot.ConstantTorque() if turns else tra.ConstantForce()
        model.push.flange >> first.flange_b
        return model

    return place


def clamped(room: ModuleType, inertia: str) -> Place:
    """Return what hangs an inertia on a clamp by a spring."""

    def place(it: Part) -> Model:
        model = Model()
        model.it, model.mass = it, getattr(room, inertia)()
        model.coil = room.Spring(c=3.0)
        it.flange >> model.coil.flange_a
        model.coil.flange_b >> model.mass.flange_a
        return model

    return place


def mounted(it: Part) -> Model:
    """Turn a hinge against a housing that is bolted to the world by a spring."""
    model = Model()
    model.world, model.it = World(), it
    model.hinge, model.load = Revolute(n="x", useAxisFlange=True), Body(**HEAVY)
    model.coil = rot.SpringDamper(c=3.0, d=0.1)
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.load.frame_a
    model.world.frame_b >> it.frame_a
    it.flange_b >> model.coil.flange_a
    model.coil.flange_b >> model.hinge.axis
    return model


def rotor(it: Part) -> Model:
    """Put a rotor on the arm."""
    model = _carrier()
    model.it = it
    model.seat.frame_b >> it.frame_a
    model.push = rot.ConstantTorque(tau_constant=0.3)
    model.push.flange >> it.flange_b
    return model


def bevelled(it: Part) -> Model:
    """Put a gear between two shafts on the arm."""
    model = _carrier()
    model.it = it
    model.seat.frame_b >> it.frame_a
    model.left, model.right = rot.Inertia(J=0.2), rot.Inertia(J=0.3)
    model.push = rot.ConstantTorque(tau_constant=0.3)
    model.push.flange >> model.left.flange_a
    model.left.flange_b >> it.flange_a
    it.flange_b >> model.right.flange_a
    return model


def block(it: Part) -> Model:
    """Feed a block with waves, and integrate what comes out."""
    model = Model()
    model.it, model.sum = it, blk.Integrator()
    inputs = [port for port in it.ports() if isinstance(port, SignalInput)]
    elements = [element for port in inputs for element in port.elements]
    for k, element in enumerate(elements):
        source = {
            "Real": blk.Sine(
                offset=OFFSETS.get(type(it), 1.5) + k, amplitude=0.4, f=0.7 + 0.2 * k
            ),
            "Boolean": blk.BooleanPulse(period=0.04, startTime=0.004),
            "Integer": blk.IntegerStep(startTime=0.02),
        }[element.carries]
        setattr(model, f"wave{k}", source)
        source.y >> element
    outputs = [port for port in it.ports() if isinstance(port, SignalOutput)]
    first = outputs[0].elements[0]
    if first.carries != "Real":
        kind = blk.BooleanToReal if first.carries == "Boolean" else blk.IntegerToReal
        model.number = kind()
        first >> model.number.u
        first = model.number.y
    first >> model.sum.u
    return model


def beside_integrator(it: Part) -> Model:
    """Put a part without signals beside an integrator."""
    model = Model()
    model.it, model.wave, model.sum = it, blk.Sine(), blk.Integrator()
    model.wave.y >> model.sum.u
    return model


#: Means of the inputs of blocks that are not defined at the usual ones.
OFFSETS = {blk.Asin: 0.3, blk.Acos: 0.3}


def flat_body(it: Part) -> Model:
    """Let a flat body swing."""
    model = planar.Model()
    model.ground, model.it, model.hinge = planar.Ground(), it, planar.Revolute()
    model.ground.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> it.O
    return model


def flat_point(it: Part) -> Model:
    """Hang a point in the plane from a spring."""
    model = planar.Model()
    model.ground, model.it = planar.Ground(), it
    model.spring = planar.SpringDamper(c=3.0, d=0.2, s0=0.5)
    model.ground.frame_b >> model.spring.frame_a
    model.spring.frame_b >> it.G
    return model


def flat_ground(it: Part) -> Model:
    """Let a body swing in the plane of a ground."""
    model = planar.Model()
    model.ground, model.hinge = it, planar.Revolute()
    model.load = planar.Body(ports={"O": (0.3, 0.1)}, theta=0.4)
    it.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.load.O
    return model


def flat(it: Part) -> Model:
    """Put a part between the ground and a body in the plane."""
    model = planar.Model()
    model.ground, model.it = planar.Ground(), it
    begin = {"x": guess(0.8), "y": guess(0.1), "theta": guess(0.2), "w": guess(0.3)}
    model.load = planar.Body(m=1.2, I=0.3, **begin)
    model.ground.frame_b >> it.frame_a
    it.frame_b >> model.load.G
    return model


def wire(it: Part) -> Model:
    """Thread a bead on a wire in the plane."""
    model = planar.Model()
    model.ground, model.it = planar.Ground(), it
    model.bead = planar.Body(m=0.2, x=0.4, y=guess(0.2), theta=0.1, vx=0.3, w=0.2)
    model.ground.frame_b >> it.frame_a
    it.frame_b >> model.bead.G
    return model
