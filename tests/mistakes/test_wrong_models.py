"""Wrong models, and parts that are named or built wrongly: each is refused in words."""

# ruff: noqa: B018, N805 - what is wrong here is meant

from __future__ import annotations

import pytest

import motorik as mk
from motorik.components.base.part import parameter
from motorik.errors import (
    AssemblyError,
    ParameterError,
    PortError,
    UnknownNameError,
)
from tests.mistakes.models import (
    Mistakes,
    check,
    ids,
    pendulum,
)

wrong = Mistakes()


@wrong(AssemblyError, "world, w2", "a model has one World, not several")
def two_worlds() -> None:
    m = pendulum()
    m.w2 = mk.World()
    m.compile()


@wrong(AssemblyError, "Model", "'links' holds parts that were put into it after")
def part_list_filled_later() -> None:
    m = mk.Model()
    m.links = []
    m.links.append(mk.Body())
    m.world = mk.World()
    m.compile()


@wrong(AssemblyError, "Model", "'links' holds parts that were put into it after")
def part_dict_filled_later() -> None:
    m = mk.Model()
    m.links = {}
    m.links["a"] = mk.Body()
    m.world = mk.World()
    m.compile()


@wrong(ParameterError, "Model.links", "a set has no order")
def part_set() -> None:
    mk.Model().links = {mk.Body(), mk.Revolute()}


@wrong(ParameterError, "Model.links", "holds one part several times")
def part_list_of_one() -> None:
    mk.Model().links = [mk.Body()] * 3


@wrong(ParameterError, "Model.links[1]", "two parts have this name")
def part_list_twice() -> None:
    m = mk.Model()
    m.links = [mk.Body()]
    m.links = [mk.Body()]


@wrong(ParameterError, "Model.links[left wheel]", "has spaces, or dots")
def part_dict_key() -> None:
    mk.Model().links = {"left wheel": mk.Body()}


@wrong(ParameterError, "Model.b", "this part already is 'a'")
def same_part_twice() -> None:
    m = mk.Model()
    b = mk.Body()
    m.a = b
    m.b = b


@wrong(ParameterError, "Model.m", "Model cannot be a part of itself")
def part_of_itself() -> None:
    m = mk.Model()
    m.m = m


@wrong(ParameterError, "Model.a", "two parts have this name: Body() and Body()")
def name_twice() -> None:
    m = mk.Model()
    m.a = mk.Body()
    m.a = mk.Body()


@wrong(ParameterError, "Model.simulate", "simulate() is a method that every Model has")
def name_reserved() -> None:
    m = mk.Model()
    m.simulate = mk.Body()


@wrong(ParameterError, "Model.compile", "compile() is a method that every Model has")
def name_reserved_value() -> None:
    m = mk.Model()
    m.compile = 3


@wrong(ParameterError, "Model.a", "Body is a kind of part, not a")
def kind_instead() -> None:
    m = mk.Model()
    m.a = mk.Body


@wrong(ParameterError, "Model.bob", "cannot be removed")
def part_deleted() -> None:
    m = pendulum()
    del m.bob


@wrong(ParameterError, "Model.a.b", "'a.b' is not a name: it is empty, or")
def setattr_dot() -> None:
    m = mk.Model()
    setattr(m, "a.b", mk.Body())


@wrong(ParameterError, "Model.a b", "'a b' is not a name: it is empty")
def setattr_space() -> None:
    m = mk.Model()
    setattr(m, "a b", mk.Body())


@wrong(ParameterError, "Model", "'' is not a name: it is empty, or")
def setattr_empty() -> None:
    m = mk.Model()
    setattr(m, "", mk.Body())


@wrong(ParameterError, "Model", "takes its values by name, and 3 has")
def model_positional() -> None:
    mk.Model(3)


@wrong(UnknownNameError, "Model", "has no parameter 'gravity'")
def model_unknown() -> None:
    mk.Model(gravity=3)


@wrong(ParameterError, "M", "needs a value for 'x'")
def build_required() -> None:
    class M(mk.Model):
        def build(self, x):
            self.world = mk.World()

    M()


@wrong(ParameterError, "M.build", "takes *args without a name")
def build_star() -> None:
    class M(mk.Model):
        def build(self, *args):
            self.world = mk.World()

    M()


@wrong(ParameterError, "M.build", "takes *args without a name")
def build_star_given() -> None:
    class M(mk.Model):
        def build(self, *args):
            self.world = mk.World()

    M(args=(1, 2))


@wrong(ParameterError, "M.build", "takes x without a name")
def build_positional_only() -> None:
    class M(mk.Model):
        def build(self, x, /):
            self.world = mk.World()

    M(x=1)


@wrong(ParameterError, "M.build", "takes x without a name")
def build_positional_only_default() -> None:
    class M(mk.Model):
        def build(self, x=1, /):
            self.world = mk.World()

    M(x=2)


@wrong(ParameterError, "M.build", "does not take `self` first")
def build_no_self() -> None:
    class M(mk.Model):
        def build():
            pass

    M()


@wrong(ParameterError, "M.build", "does not take `self` first")
def build_self_forgotten_arg() -> None:
    class M(mk.Model):
        def build(damping=1.0):
            pass

    M()


@wrong(ParameterError, "M.build", "is a staticmethod, not a method that makes")
def build_static() -> None:
    class M(mk.Model):
        @staticmethod
        def build():
            pass

    M()


@wrong(ParameterError, "M", "build returned World(), which is not a part of the model")
def build_returns_part() -> None:
    class M(mk.Model):
        def build(self):
            return mk.World()

    M()


@wrong(PortError, "Revolute.frame_a", "(Revolute) is not in the same model as")
def build_local_parts() -> None:
    class M(mk.Model):
        def build(self):
            self.world = mk.World()
            hinge = mk.Revolute()
            self.world.frame_b >> hinge.frame_a

    M()


@wrong(ParameterError, "M.build", "has an `await` or `yield`, so calling")
def build_generator() -> None:
    class M(mk.Model):
        def build(self):
            self.world = mk.World()
            yield self.world

    M()


@wrong(ParameterError, "M.build", "has an `await` or `yield`, so calling")
def build_async() -> None:
    class M(mk.Model):
        async def build(self):
            self.world = mk.World()

    M()


@wrong(ParameterError, "M.build", "is a int, not a method that makes")
def build_attribute() -> None:
    class M(mk.Model):
        build = 3

    M()


@wrong(ParameterError, "M.build", "takes 'damping', which is declared in the class")
def build_shadow() -> None:
    class M(mk.Model):
        damping = parameter("d", "", 1.0)

        def build(self, damping=2.0):
            self.world = mk.World()

    M(damping=3.0)


@wrong(ParameterError, "M", "'parts' does not exist yet: __init__ of")
def build_calls_init() -> None:
    class M(mk.Model):
        def __init__(self):
            self.world = mk.World()

    M()


@wrong(UnknownNameError, "M", "has no 'nothing'")
def build_raises() -> None:
    class M(mk.Model):
        def build(self):
            self.world = mk.World()
            self.nothing

    M()


@wrong(AssemblyError, "M", "has no parts")
def parts_in_class_body() -> None:
    class M(mk.Model):
        world = mk.World()
        hinge = mk.Revolute()

    M().compile()


@wrong(ParameterError, "M.world", "two parts have this name: World() and World()")
def call_build_twice() -> None:
    m = type("M", (mk.Model,), {"build": lambda self: setattr(self, "world", mk.World())})()
    m.build()


@pytest.mark.parametrize("row", wrong, ids=ids(wrong))
def test_a_wrong_model_is_refused_in_words(row):
    check(row)
