"""Examples of parts that are only drawn."""

# ruff: noqa: N802, D103 - the functions have the names of the parts

from motorik import Body, Model, Revolute, World, blocks, visualizers
from motorik.algebra import sin


def pendulum():
    """Return a pendulum, whose joint carries what is drawn."""
    model = Model()
    model.world, model.joint = World(), Revolute(n="z", phi=0.5)
    model.body = Body(m=1.0, r_CM=(0.5, 0, 0))
    model.connect(model.world.frame_b, model.joint.frame_a)
    model.connect(model.joint.frame_b, model.body.frame_a)
    return model


def FixedArrow():
    model = pendulum()
    model.arrow = visualizers.FixedArrow(n="x", length=0.3, color=(0, 0, 255))
    model.connect(model.body.frame_a, model.arrow.frame_a)
    return model


def FixedFrame():
    model = pendulum()
    model.axes = visualizers.FixedFrame(length=0.2)
    model.connect(model.body.frame_a, model.axes.frame_a)
    return model


def FixedLine():
    model = pendulum()
    model.line = visualizers.FixedLine(points=((0, 0, 0), (0.5, 0, 0)), dashed=True)
    model.connect(model.body.frame_a, model.line.frame_a)
    return model


def FixedShape():
    model = pendulum()
    model.shape = visualizers.FixedShape(shapeType="cylinder", length=0.5, width=0.05)
    model.connect(model.body.frame_a, model.shape.frame_a)
    return model


def FixedShape2():
    model = pendulum()
    model.arm = visualizers.FixedShape2(shapeType="beam", r=(0.5, 0, 0), width=0.05)
    model.tip = visualizers.FixedFrame(length=0.1)
    model.connect(model.body.frame_a, model.arm.frame_a)
    model.connect(model.arm.frame_b, model.tip.frame_a)
    return model


def FixedSurface():
    model = pendulum()
    model.hill = visualizers.FixedSurface(function=lambda x, y: 0.1 * x * y)
    model.connect(model.world.frame_b, model.hill.frame_a)
    return model


def FixedText():
    model = pendulum()
    model.note = visualizers.FixedText(text="a pendulum")
    model.connect(model.body.frame_a, model.note.frame_a)
    return model


def Ground():
    model = pendulum()
    model.ground = visualizers.Ground(length=2.0)
    model.connect(model.world.frame_b, model.ground.frame_a)
    return model


def PipeWithScalarField():
    model = pendulum()
    model.pipe = visualizers.PipeWithScalarField(
        length=0.5,
        rOuter=0.05,
        xsi=(0.0, 0.5, 1.0),
        T=lambda motion: (0.0, 0.5 * sin(motion.t), sin(motion.t)),
    )
    model.connect(model.body.frame_a, model.pipe.frame_a)
    return model


def Rectangle():
    model = pendulum()
    model.wall = visualizers.Rectangle(length_u=1.0, length_v=1.0)
    model.connect(model.world.frame_b, model.wall.frame_a)
    return model


def SignalArrow():
    model = pendulum()
    model.arrow = visualizers.SignalArrow(quantity="Force")
    model.vector = [blocks.Constant(k=k) for k in (0.0, -9.81, 0.0)]
    model.connect(model.body.frame_a, model.arrow.frame_a)
    for block, port in zip(model.vector, model.arrow.r_head, strict=True):
        model.connect(block.y, port)
    return model


def Torus():
    model = pendulum()
    model.ring = visualizers.Torus(R=0.2, r=0.03)
    model.connect(model.body.frame_a, model.ring.frame_a)
    return model


def VoluminousWheel():
    model = pendulum()
    model.wheel = visualizers.VoluminousWheel(rTire=0.2, rRim=0.1, width=0.08)
    model.connect(model.body.frame_a, model.wheel.frame_a)
    return model


def Surface():
    model = Model()
    model.world = World()
    model.ring = visualizers.Surface(surfaceCharacteristic=visualizers.torus(R=0.5, r=0.1))
    model.connect(model.world.frame_b, model.ring.frame_a)
    return model
