"""Models that examples of rotational and of translational drive lines share."""

from motorik import Model, blocks, rotational, translational


def between(part, first, second):
    """Return a model with a part between two inertias."""
    model = Model()
    model.first, model.second, model.part = first, second, part
    model.connect(model.first.flange_b, model.part.flange_a)
    model.connect(model.part.flange_b, model.second.flange_a)
    return model


def on_one(part, inertia):
    """Return a model with a part on the flange of an inertia."""
    model = Model()
    model.inertia, model.part = inertia, part
    model.connect(model.inertia.flange_b, model.part.flange)
    return model


def by_sine(model, signal, amplitude=0.2):
    """Return the model with a sine for a signal of its part."""
    model.sine = blocks.Sine(amplitude=amplitude, f=1.0)
    model.connect(model.sine.y, getattr(model.part, signal))
    return model


def to_carriage(part):
    """Return a model with a part from a shaft that turns to a carriage that slides."""
    model = Model()
    model.shaft = rotational.Inertia(J=0.1, w=1.0)
    model.carriage, model.part = translational.Mass(m=2.0), part
    model.connect(model.shaft.flange_b, model.part.flangeR)
    model.connect(model.part.flangeT, model.carriage.flange_a)
    return model


def pressed(model, part):
    """Return the model with a signal that presses the plates of its part."""
    model.pressing = blocks.Constant(k=part)
    model.connect(model.pressing.y, model.part.f_normalized)
    return model
