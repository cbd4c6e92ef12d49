"""A model has a key only if all that it is made of is data, and another one has another."""

import random
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

import motorik.components.joints.simple as simple_joints
from motorik import (
    Body,
    FixedTranslation,
    Model,
    Parameter,
    Revolute,
    World,
    blocks,
    guess,
)
from motorik.components.base.declarations import parameter
from motorik.components.parts.bodies import Body as BodyClass
from motorik.forces import WorldForce
from motorik.loops.options import LoopStrategy
from motorik.stored.key import model_key
from motorik.topology.live_values import live_scalars


class Arm(Model):
    """A pendulum with an offset, which `build` may make in several ways."""

    def build(self, m=1.0, r=(0.5, 0, 0), n="z", phi=0.3, live=None, more=False):
        self.world = World()
        self.rev = Revolute(n=n, phi=phi, useAxisFlange=more)
        self.link = FixedTranslation(r=r)
        self.body = Body(m=m if live is None else live, r_CM=r)
        self.world.frame_b >> self.rev.frame_a
        self.rev.frame_b >> self.link.frame_a
        self.link.frame_b >> self.body.frame_a


def key_of(model, strategy="auto", gains=None, host="host") -> str | None:
    p = np.array([scalar.value for scalar in live_scalars(model)])
    return model_key(model, LoopStrategy.of(strategy, gains), p, host)


def test_a_key_follows_from_the_parts_alone():
    assert key_of(Arm()) == key_of(Arm()) is not None
    outside = Model()
    outside.label_of_user, outside.helper = object(), lambda: 1.0  # mean nothing to parts
    assert key_of(outside) == key_of(Model()) is not None


DIFFERENT: dict[str, Callable[[], Model]] = {
    "as it is": Arm,
    "a number": lambda: Arm(m=1.5),
    "the last digit of a number": lambda: Arm(m=float(np.nextafter(1.0, 2.0))),
    "a vector": lambda: Arm(r=(0.5, 0, 0.1)),
    "a word": lambda: Arm(n="y"),
    "a start value": lambda: Arm(phi=0.4),
    "a guess": lambda: Arm(phi=guess(0.3)),
    "a start value that is not given": lambda: Arm(phi=None),
    "a flange": lambda: Arm(more=True),
    "a live number": lambda: Arm(live=Parameter(1.0)),
    "its value": lambda: Arm(live=Parameter(2.0)),
    "its name": lambda: Arm(live=Parameter(1.0, name="load")),
    "a live number that is found": lambda: Arm(live=Parameter(1.0, fixed=False)),
    "a formula": lambda: Arm(live=2.0 * Parameter(0.5, name="load")),
    "another formula": lambda: Arm(live=4.0 * Parameter(0.25, name="load")),
}


def test_models_that_differ_have_different_keys():
    keys = {name: key_of(make()) for name, make in DIFFERENT.items()}
    assert None not in keys.values()
    assert len(set(keys.values())) == len(keys), keys


def test_options_and_the_host_belong_to_the_key():
    keys = [
        key_of(Arm()),
        key_of(Arm(), host="another"),
        key_of(Arm(), "projected"),
        key_of(Arm(), "baumgarte"),
        key_of(Arm(), "baumgarte", (3.0, 2.0)),
        key_of(Arm(), {"rev": "projected"}),
    ]
    assert None not in keys and len(set(keys)) == len(keys)


# --- random changes ------------------------------------------------------------------------


def _renamed(model: Model, rng: random.Random) -> None:
    setattr(model, f"extra{rng.randrange(2)}", Body(m=rng.choice((0.5, 1.0))))


def _connected(model: Model, rng: random.Random) -> None:
    body = [part for name, part in model.parts.items() if name.startswith("extra")]
    places = (model.link.frame_a, model.link.frame_b, model.world.frame_b)
    for part in body:
        model.connect(part.frame_a, rng.choice(places))


def _assigned(model: Model, rng: random.Random) -> None:
    part, name, values = rng.choice(
        [
            (model.body, "m", (0.5, 1.0)),
            (model.body, "r_CM", ((0.5, 0, 0), (0.4, 0.1, 0))),
            (model.link, "r", ((0.5, 0, 0), (0, 0.5, 0))),
            (model.rev, "phi", (0.3, 0.5, guess(0.3))),
            (model.rev, "n", ("z", (0, 0, 1), (0, 1, 1))),
            (model.world, "g", (9.80665, 3.7)),
        ]
    )
    setattr(part, name, rng.choice(values))


def changed_model(seed: int) -> Model:
    """Return a model after some random changes; few ways to change it, so that some are equal."""
    rng = random.Random(seed)
    model = Arm(more=rng.random() < 0.3)
    for change in rng.sample([_renamed, _assigned, _assigned], rng.randrange(4)):
        change(model, rng) if change is _assigned or "extra0" not in model.parts else None
    _connected(model, rng)
    return model


def outcome(model: Model) -> tuple[object, ...]:
    """Return what a compiled model does, and how it is explained."""
    system = model.compile()
    x = np.full(system.n_x, 0.3)
    rates = system.derivative(np.zeros(1), x, system.parameter_values())
    starts = tuple(own.tobytes() for own in system.layout.starts)
    return tuple(system.state_names), rates.tobytes(), starts, model.explain()


@pytest.mark.slow
def test_the_key_differs_wherever_what_is_compiled_differs():
    by_key: dict[str | None, tuple[object, ...]] = {}
    repeated = 0
    for seed in range(60):
        key = key_of(changed_model(seed))
        assert key is not None
        if key in by_key:
            repeated += 1
        elif len(by_key) >= 12:
            continue
        found = outcome(changed_model(seed))
        assert by_key.setdefault(key, found) == found
    assert repeated > 3 and len(set(by_key.values())) > 6


# --- what is not data ----------------------------------------------------------------------


class HeavyBody(Body):
    """A user's part: what it contributes is not known."""

    def contributions(self, p):
        """Contribute the same as the body."""
        yield from super().contributions(p)


class Overriding(Arm):
    """A user's model that takes part in its assembly."""

    def live_parameters(self):
        """Return the same as others."""
        return super().live_parameters()


class Adding(Arm):
    """A user's model with names that the package does not know."""

    SIZE = 2.0

    def surface(self):
        """Return something."""
        return self.SIZE


def _around(function: Callable[..., object]) -> Model:
    model = Arm()
    model.source = blocks.Function(f=function)
    return model


def _with(part) -> Model:
    model = Model()
    model.part = part
    return model


def test_functions_and_users_parts_have_no_key():
    assert key_of(_with(HeavyBody(m=1.0))) is None
    assert key_of(_around(lambda t: 2.0 * t)) is None
    assert key_of(_around(partial(max, 2.0))) is None
    field = World(gravityAcceleration=lambda r: (0.0, 0.0, -9.81))
    assert key_of(_with(field)) is None
    model = Arm()
    model.when(lambda motion: motion["rev.phi"] - 0.2, stop=True)
    assert key_of(model) is None


def test_a_users_model_may_add_names_but_change_nothing():
    assert key_of(Overriding()) is None
    assert key_of(Adding()) not in (None, key_of(Arm()))

    class Declared(Arm):
        load = parameter("its load", default=1.0)

    assert key_of(Declared(load=1.0)) not in (None, key_of(Declared(load=2.0)))


def test_a_class_that_was_changed_has_no_key(monkeypatch):
    before = key_of(Arm())
    with monkeypatch.context() as patch:
        patch.setattr(BodyClass, "contributions", lambda self, p: ())
        assert key_of(Arm()) is None
    with monkeypatch.context() as patch:
        patch.setattr(BodyClass, "weight", 2.0, raising=False)
        assert key_of(Arm()) not in (None, before)
    with monkeypatch.context() as patch:
        patch.setattr(simple_joints, "Revolute", type("Revolute", (Revolute,), {}))
        assert key_of(Arm()) is None  # the class of the part is not the one of its module
    assert key_of(Arm()) == before


def test_numbers_at_ports_belong_to_the_key():
    def driven(force: float) -> Model:
        model = Arm()
        model.force = WorldForce()
        model.connect(model.body.frame_a, model.force.frame_b)
        for element in model.force.force:
            force >> element
        return model

    assert key_of(driven(1.0)) not in (None, key_of(driven(2.0)))
