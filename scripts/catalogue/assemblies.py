"""Examples of assemblies."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import Body, FixedTranslation, Model, Revolute, World, assemblies


def crank(joint, base=(0.0, 0.0, 0.0), pin="frame_a", rest="frame_b"):
    """Return a model with a crank whose pin an assembly connects with the world at `base`."""
    model = Model()
    model.world, model.crank = World(), Revolute(n="z", phi=0.3, w=8.0)
    model.wheel = Body(m=5.0, I_11=0.3, I_22=0.3, I_33=0.5)
    model.pin, model.base = FixedTranslation(r=(0.2, 0, 0)), FixedTranslation(r=base)
    model.joint, model.load = joint, Body(m=0.4, I_11=0.01, I_22=0.01, I_33=0.01)
    model.connect(model.world.frame_b, model.crank.frame_a, model.base.frame_a)
    model.connect(model.crank.frame_b, model.wheel.frame_a, model.pin.frame_a)
    model.connect(model.pin.frame_b, getattr(model.joint, pin))
    model.connect(model.base.frame_b, getattr(model.joint, rest))
    model.connect(model.joint.frame_ib, model.load.frame_a)
    return model


def JointPRR():
    joint = assemblies.JointPRR(n_a="x", rRod1_ia=(0, 0, 0), rRod2_ib=(0.7, 0, 0))
    model = crank(joint, pin="frame_b", rest="frame_a")
    return model


def JointRPP():
    model = crank(assemblies.JointRPP(rRod1_ia=(0, 0, 0), rRod2_ib=(0, 0, 0), n_b="x"))
    return model


def JointRPR():
    model = crank(assemblies.JointRPR(s_offset=0.2, s_guess=0.5), base=(0.9, 0, 0))
    return model


def JointRRP():
    joint = assemblies.JointRRP(
        n_b="x", rRod1_ia=(0.7, 0, 0), rRod2_ib=(0, 0, 0), s_guess=0.8
    )
    model = crank(joint)  # a crank and a piston
    return model


def JointRRR():
    joint = assemblies.JointRRR(rRod1_ia=(0.6, 0, 0), rRod2_ib=(-0.5, 0, 0), phi_guess=1.2)
    model = crank(joint, base=(0.55, 0, 0))  # a four-bar
    return model


def JointSPU():
    model = crank(assemblies.JointSPU(n1_b="y", nAxis_ib="x"), base=(0.8, 0.1, 0.3))
    return model


def JointSSP():
    joint = assemblies.JointSSP(n_b="x", rod1Length=0.7, rRod2_ib=(0, 0.1, 0), s_guess=0.8)
    model = crank(joint)
    return model


def JointSSR():
    joint = assemblies.JointSSR(n_b="y", rod1Length=0.6, rRod2_ib=(0.25, 0, 0.3))
    model = crank(joint, base=(0.5, 0.1, -0.2))
    return model


def JointSUP():
    joint = assemblies.JointSUP(
        n_b="x", n1_im="y", rRod1_ia=(0.7, 0, 0), rRod2_ib=(0, 0.1, 0), s_guess=0.8
    )
    model = crank(joint)
    return model


def JointSUR():
    joint = assemblies.JointSUR(
        n_b="y", n1_im="y", rRod1_ia=(0.6, 0, 0), rRod2_ib=(0.25, 0, 0.3)
    )
    model = crank(joint, base=(0.5, 0.1, -0.2))
    return model


def JointUPS():
    model = crank(assemblies.JointUPS(n1_a="y", nAxis_ia="x"), base=(0.8, 0.1, 0.3))
    return model


def JointUSP():
    joint = assemblies.JointUSP(
        n_b="x", n1_a="y", rRod1_ia=(0.7, 0, 0), rRod2_ib=(0, 0.1, 0), s_guess=0.8
    )
    model = crank(joint)
    return model


def JointUSR():
    joint = assemblies.JointUSR(
        n_b="y", n1_a="y", rRod1_ia=(0.6, 0, 0), rRod2_ib=(0.25, 0, 0.3)
    )
    model = crank(joint, base=(0.5, 0.1, -0.2))
    return model
