"""Law: what it takes to create and to assemble a model grows in proportion to its parts.

Counted are the lines of Python that are run, not the time: a number that is the same on
every machine.
"""

from __future__ import annotations

import copy
import gc
import sys
from collections.abc import Callable

import pytest

from motorik import (
    Body,
    BodyBox,
    Fixed,
    FixedTranslation,
    Model,
    Parameter,
    PointMass,
    Revolute,
    World,
    blocks,
    guess,
    joints,
    planar,
    rotational,
)
from motorik.components.parts.mounting import Mounting1D
from motorik.gallery import NFourBar
from motorik.topology.assemble import assemble

SIZES = (10, 20, 40)
LINEAR = 2.2  # twice the units may cost this many times more, where 2 is exact


def lines_run(action: Callable[[], object]) -> int:
    """Return how many lines of Python an action runs, those of the garbage collector left out.

    What other tests left behind is cleared away before: its finalizers are lines too.
    """
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += event == "line"
        return trace

    gc.collect()
    gc.disable()
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)
        gc.enable()
    return count


def add(model: Model, number: int, **parts) -> None:
    for name, part in parts.items():
        setattr(model, f"{name}{number}", part)


def chain(n: int) -> Model:
    """Boxes on hinges, each hinge damped; the world comes last."""
    model, at = Model(), None
    for k in range(n):
        hinge, box = Revolute(n="z", useAxisFlange=True), BodyBox(r=(1, 0, 0))
        damper = rotational.Damper(d=0.1)
        add(model, k, hinge=hinge, box=box, damper=damper)
        if at is not None:
            at >> hinge.frame_a
        hinge.frame_b >> box.frame_a
        hinge.axis >> damper.flange_a
        damper.flange_b >> hinge.support
        at = box.frame_b
    model.world = World()
    model.world.frame_b >> model.hinge0.frame_a
    return model


def chain_with_rods(n: int) -> Model:
    """A chain with a rod from every third link to the one three further."""
    model = Model()
    model.world = World()
    ends = [model.world.frame_b]
    for k in range(n):
        hinge, box = Revolute(n="z", phi=guess(0.3)), BodyBox(r=(1, 0, 0), width=0.1)
        add(model, k, hinge=hinge, box=box)
        ends[-1] >> hinge.frame_a
        hinge.frame_b >> box.frame_a
        ends.append(box.frame_b)
    for k in range(1, n - 2, 3):
        rod = joints.SphericalSpherical(rodLength=2.5)
        add(model, k, rod=rod)
        ends[k] >> rod.frame_a
        rod.frame_b >> ends[k + 3]
    return model


def four_bars(n: int) -> Model:
    """Four-bars beside one another, each on two fixed points."""
    model = Model()
    model.world = World()
    bars = ((0, 1, 0), (2, 0, 0), (0, -1, 0))
    for k in range(n):
        add(model, k, foot=Fixed(r=(0, 0, k)), base=Fixed(r=(2, 0, k)))
        at = model.parts[f"foot{k}"].frame_b
        for i, r in enumerate(bars):
            hinge, box = Revolute(n="z"), BodyBox(r=r)
            add(model, k, **{f"hinge{i}_": hinge, f"box{i}_": box})
            at >> hinge.frame_a
            hinge.frame_b >> box.frame_a
            at = box.frame_b
        add(model, k, last=Revolute(n="z"))
        at >> model.parts[f"last{k}"].frame_a
        model.parts[f"last{k}"].frame_b >> model.parts[f"base{k}"].frame_b
    return model


def drive_line(n: int) -> Model:
    """Springs, inertias and gears in a row, the gears added from the far end on."""
    model = Model()
    model.fixed = rotational.Fixed()
    units = []
    for k in reversed(range(n)):
        spring, gear = rotational.Spring(c=10.0), rotational.IdealGear(ratio=2.0)
        one, two = rotational.Inertia(J=1.0), rotational.Inertia(J=1.0)
        add(model, k, gear=gear, two=two, one=one, spring=spring)
        units.append((spring, one, gear, two))
    at = model.fixed.flange
    for spring, one, gear, two in reversed(units):
        at >> spring.flange_a
        spring.flange_b >> one.flange_a
        one.flange_b >> gear.flange_a
        gear.flange_b >> two.flange_a
        at = two.flange_b
    return model


def one_shaft(n: int) -> Model:
    """Gears in a row that all turn as one shaft, added from the far end on."""
    model = Model()
    model.first = rotational.Inertia(J=1.0)
    gears = [rotational.IdealGear(ratio=1.0) for _ in range(n)]
    for k, gear in reversed([*enumerate(gears)]):
        add(model, k, gear=gear)
    at = model.first.flange_b
    for gear in gears:
        at >> gear.flange_a
        at = gear.flange_b
    return model


def driven_shafts(n: int) -> Model:
    """Shafts without inertia of their own that are moved by signals without a name."""
    model = Model()
    for k in range(n):
        add(
            model, k, drive=rotational.Position(exact=True), spring=rotational.Spring(c=1.0)
        )
        add(model, k, load=rotational.Inertia(J=1.0))
        parts = model.parts
        blocks.Sine().y >> parts[f"drive{k}"].phi_ref
        parts[f"drive{k}"].flange >> parts[f"spring{k}"].flange_a
        parts[f"spring{k}"].flange_b >> parts[f"load{k}"].flange_a
    return model


def signals(n: int) -> Model:
    """Gains in a row, and a ring of filters."""
    model = Model()
    model.load, model.torque = rotational.Inertia(J=1.0), rotational.Torque()
    model.source, model.difference = blocks.Sine(), blocks.Feedback()
    straight, round_about = model.source.y, model.difference.y
    for k in range(n):
        gain, filter = blocks.Gain(k=1.0), blocks.FirstOrder(T=1.0)
        add(model, k, gain=gain, filter=filter)
        straight >> gain.u
        round_about >> filter.u
        straight, round_about = gain.y, filter.y
    straight >> model.difference.u1
    round_about >> model.difference.u2
    round_about >> model.torque.tau
    model.torque.flange >> model.load.flange_a
    return model


def live_chain(n: int) -> Model:
    """Bodies whose masses are live, on hinges."""
    model = Model()
    model.world = World()
    at = model.world.frame_b
    for k in range(n):
        hinge, rod = Revolute(n="z"), FixedTranslation(r=(1, 0, 0))
        body = Body(m=Parameter(1.0), r_CM=(0.5, 0, 0))
        add(model, k, hinge=hinge, rod=rod, body=body)
        at >> hinge.frame_a
        hinge.frame_b >> rod.frame_a
        hinge.frame_b >> body.frame_a
        at = rod.frame_b
    return model


def floating(n: int) -> Model:
    """Point masses and bodies that nothing holds, with start values."""
    model = Model()
    model.world = World()
    for k in range(n):
        body = Body(r_0=(k, 0, 0), v_0=guess((1, 0, 0)))
        add(model, k, point=PointMass(m=1.0), body=body)
    return model


def flat_bodies(n: int) -> Model:
    """Bodies of the plane, joined in pairs."""
    model = planar.Model()
    model.ground = planar.Ground()
    for k in range(n):
        one, two = (planar.Body(ports={"A": (0.5, 0.0)}) for _ in range(2))
        joint = planar.Revolute()
        add(model, k, one=one, two=two, joint=joint)
        one.A >> joint.frame_a
        joint.frame_b >> two.A
    return model


def mounted(n: int) -> Model:
    """Hinges whose dampers are bolted to the world."""
    model = Model()
    model.world = World()
    for k in range(n):
        hinge, body = Revolute(n="z", useAxisFlange=True), Body(r_CM=(0.5, 0, 0))
        damper, mount = rotational.Damper(d=0.1), Mounting1D()
        add(model, k, hinge=hinge, body=body, damper=damper, mount=mount)
        model.world.frame_b >> hinge.frame_a
        hinge.frame_b >> body.frame_a
        hinge.axis >> damper.flange_a
        damper.flange_b >> mount.flange_b
        mount.frame_a >> model.world.frame_b
    return model


def row_of_cranks(n: int) -> Model:
    """Parallelograms in a row."""
    return NFourBar(n=n)


MODELS = (
    chain,
    chain_with_rods,
    four_bars,
    drive_line,
    one_shaft,
    driven_shafts,
    signals,
    live_chain,
    floating,
    flat_bodies,
    mounted,
    row_of_cranks,
)


def check_linear(counts: list[int]) -> None:
    """Refuse counts at n, 2n and 4n units that grow faster than the units do."""
    small, middle, large = counts
    assert large - middle <= LINEAR * (middle - small), counts


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("make", MODELS)
def test_creating_grows_with_the_parts(make):
    make(2)
    check_linear([lines_run(lambda n=n: make(n)) for n in SIZES])


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("make", MODELS)
def test_assembling_grows_with_the_parts(make):
    assemble(make(4))
    models = [make(n) for n in SIZES]
    check_linear([lines_run(lambda model=model: assemble(model)) for model in models])


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("make", [chain, four_bars, signals])
def test_copying_grows_with_the_parts(make):
    models = [make(n) for n in SIZES]
    check_linear([lines_run(lambda model=model: copy.deepcopy(model)) for model in models])


@pytest.mark.slow
def test_a_value_of_a_part_costs_the_same_in_a_large_model():
    def change(model):
        model.box3.density = 5000.0

    models = [chain(n) for n in (6, 60)]
    small, large = (lines_run(lambda model=model: change(model)) for model in models)
    assert small == large


@pytest.mark.slow
def test_lines_that_grow_with_the_square_are_seen():
    def pairs(n):
        return [(a, b) for a in range(n) for b in range(n)]

    with pytest.raises(AssertionError):
        check_linear([lines_run(lambda n=n: pairs(n)) for n in SIZES])
