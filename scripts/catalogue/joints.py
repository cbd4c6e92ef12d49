"""Examples of joints."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import Body, BodyBox, Fixed, Model, World, joints


def on_world(joint):
    """Return a model with a body on a joint, which is fixed to the world."""
    model = Model()
    model.world, model.body = World(), Body(m=1.0, r_CM=(0.3, -0.2, 0.1))
    model.joint = joint
    model.connect(model.world.frame_b, model.joint.frame_a)
    model.connect(model.joint.frame_b, model.body.frame_a)
    return model


def between_arms(rod):
    """Return a model with a rod between the ends of two arms on hinges."""
    model = Model()
    model.world, model.far = World(), Fixed(r=(1.0, 0, 0))
    model.hinge, model.arm = joints.Revolute(n="z"), BodyBox(r=(0.5, 0, 0))
    model.mate, model.other = joints.Revolute(n="z"), BodyBox(r=(0, 0.5, 0))
    model.rod = rod
    model.connect(model.world.frame_b, model.hinge.frame_a)
    model.connect(model.hinge.frame_b, model.arm.frame_a)
    model.connect(model.far.frame_b, model.mate.frame_a)
    model.connect(model.mate.frame_b, model.other.frame_a)
    model.connect(model.arm.frame_b, model.rod.frame_a)
    model.connect(model.rod.frame_b, model.other.frame_b)
    return model


def Cylindrical():
    model = on_world(joints.Cylindrical(n="x", phi=0.4, v=0.2))
    return model


def FreeMotion():
    model = on_world(joints.FreeMotion(r_rel_a=(0, 1, 0), angles_start=(0.1, 0.2, 0.3)))
    return model


def FreeMotionScalarInit():
    model = on_world(
        joints.FreeMotionScalarInit(use_r=True, r_rel_a_2=1.0, use_angle=True, angle_3=0.5)
    )
    return model


def GearConstraint():
    model = Model()
    model.world = World()
    model.fast, model.slow = joints.Revolute(n="x", w=3.0), joints.Revolute(n="x")
    model.pinion, model.wheel = BodyBox(r=(0.1, 0, 0)), BodyBox(r=(0.2, 0, 0))
    model.gear = joints.GearConstraint(ratio=4.0)  # the pinion turns four times as fast
    model.connect(model.world.frame_b, model.fast.frame_a, model.slow.frame_a)
    model.connect(model.world.frame_b, model.gear.bearing)
    model.connect(model.fast.frame_b, model.pinion.frame_a, model.gear.frame_a)
    model.connect(model.slow.frame_b, model.wheel.frame_a, model.gear.frame_b)
    return model


def Planar():
    model = on_world(joints.Planar(n="z", n_x="x", s_x=0.1, v_y=1.0, w=2.0))
    return model


def Prismatic():
    model = on_world(joints.Prismatic(n="y", s=0.2, v=1.0))
    return model


def Revolute():
    dry = joints.Coulomb(tau=0.2, peak=1.2)
    model = on_world(
        joints.Revolute(n="z", phi=0.5, w=1.0, friction=dry, stops=(-1.0, 1.0))
    )
    return model


def RollingWheelJoint():
    model = Model()
    model.world = World(n="-z")
    model.joint = joints.RollingWheelJoint(
        radius=0.3, angles=(0, 0.1, 0), der_angles=(0, 0, 5)
    )
    model.disc = Body(m=2.0, r_CM=(0, 0, 0), I_11=0.05, I_22=0.09, I_33=0.05)
    model.connect(model.joint.frame_a, model.disc.frame_a)
    return model


def RollingWheelSetJoint():
    model = Model()
    model.world = World(n="-z")
    model.joint = joints.RollingWheelSetJoint(radius=0.3, track=1.0, der_theta1=3.0)
    model.axle = Body(m=10.0, r_CM=(0, 0, 0), I_11=1.0, I_22=1.0, I_33=1.0)
    model.left = Body(m=2.0, r_CM=(0, 0, 0), I_11=0.05, I_22=0.09, I_33=0.05)
    model.right = Body(m=2.0, r_CM=(0, 0, 0), I_11=0.05, I_22=0.09, I_33=0.05)
    model.connect(model.joint.frameMiddle, model.axle.frame_a)
    model.connect(model.joint.frame1, model.left.frame_a)
    model.connect(model.joint.frame2, model.right.frame_a)
    return model


def Screw():
    model = on_world(joints.Screw(n="y", lead=0.02, w=1.0))
    return model


def Spherical():
    model = on_world(
        joints.Spherical(
            w_rel_a_start=(0, 1, 2), w_rel_a_fixed=True, friction=joints.Coulomb(tau=0.1)
        )
    )
    return model


def SphericalSpherical():
    model = between_arms(joints.SphericalSpherical(rodLength=0.5**0.5))
    return model


def Universal():
    model = on_world(joints.Universal(n_a="x", n_b="y", phi_a=0.3, w_b=1.0))
    return model


def UniversalSpherical():
    model = between_arms(joints.UniversalSpherical(n1_a="z", rRod_ia=(0.5**0.5, 0, 0)))
    return model
