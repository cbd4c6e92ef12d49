"""Examples of constraints."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import Body, Fixed, Model, World, constraints, joints


def held(constraint):
    """Return a model with a body whose frame a constraint holds to the world."""
    model = Model()
    model.world, model.body = World(), Body(m=1.0, r_CM=(0.3, -0.2, 0.1))
    model.constraint = constraint
    model.connect(model.world.frame_b, model.constraint.frame_a)
    model.connect(model.constraint.frame_b, model.body.frame_a)
    return model


def PrismaticConstraint():
    model = held(constraints.PrismaticConstraint(x_locked=False))
    return model


def RevoluteConstraint():
    model = held(constraints.RevoluteConstraint(n="z"))
    return model


def RevolutePlanarLoopConstraint():
    from motorik import BodyBox, guess

    model = Model()
    model.world, model.base = World(), Fixed(r=(0.9, 0, 0))
    model.bearing = joints.Revolute(n="z", phi=1.0, w=1.0)
    model.pin = joints.Revolute(n="z", phi=guess(-0.8))
    model.pivot = joints.Revolute(n="z", phi=guess(1.4))
    model.crank, model.coupler, model.rocker = (
        BodyBox(r=(L, 0, 0)) for L in (0.3, 1.0, 0.7)
    )
    model.closing = constraints.RevolutePlanarLoopConstraint(n="z")
    model.connect(model.world.frame_b, model.bearing.frame_a)
    model.connect(model.bearing.frame_b, model.crank.frame_a)
    model.connect(model.crank.frame_b, model.pin.frame_a)
    model.connect(model.pin.frame_b, model.coupler.frame_a)
    model.connect(model.base.frame_b, model.pivot.frame_a)
    model.connect(model.pivot.frame_b, model.rocker.frame_a)
    model.connect(model.rocker.frame_b, model.closing.frame_a)
    model.connect(model.closing.frame_b, model.coupler.frame_b)
    return model


def SphericalConstraint():
    model = held(constraints.SphericalConstraint())
    return model


def UniversalConstraint():
    model = held(constraints.UniversalConstraint(n_a="x", n_b="y"))
    return model
