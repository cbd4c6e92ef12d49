"""Wrong connections: each is refused in words."""

# ruff: noqa: B015 - what is wrong here is meant

from __future__ import annotations

import pytest

import motorik as mk
from motorik import blocks, forces, sensors
from motorik import rotational as rot
from motorik import translational as tra
from motorik.errors import (
    AssemblyError,
    EquationError,
    LoopError,
    PortError,
    UnknownNameError,
)
from tests.mistakes.models import (
    Mistakes,
    check,
    driven,
    ids,
    pendulum,
    run,
)

wrong = Mistakes()


@wrong(PortError, "world.frame_b", "is connected with hinge.frame_a already")
def same_connection_twice() -> None:
    m = pendulum()
    m.world.frame_b >> m.hinge.frame_a
    m.compile()


@wrong(PortError, "hinge.frame_a", "is connected with world.frame_b already")
def same_connection_reversed() -> None:
    m = pendulum()
    m.hinge.frame_a >> m.world.frame_b
    m.compile()


@wrong(PortError, "d.flange_b", "is connected with hinge.axis already")
def same_connection_flange() -> None:
    m = pendulum()
    m.d = rot.Damper(d=1.0)
    m.d.flange_a >> m.hinge.support
    m.d.flange_b >> m.hinge.axis
    m.d.flange_b >> m.hinge.axis
    m.compile()


@wrong(PortError, "law.y", "is connected with torque.tau already")
def same_connection_signal() -> None:
    m = driven(lambda t: t)
    m.law.y >> m.torque.tau
    m.compile()


@wrong(PortError, "hinge.axis", "is a rotational flange, but bob.frame_a is a")
def frame_to_flange() -> None:
    m = pendulum()
    m.hinge.axis >> m.bob.frame_a


@wrong(PortError, "hinge.axis", "is a rotational flange, but s.flange_a is a")
def rot_to_trans() -> None:
    m = pendulum()
    m.s = tra.Mass()
    m.hinge.axis >> m.s.flange_a


@wrong(PortError, "bob.frame_a", "is connected to itself")
def self_connect() -> None:
    m = pendulum()
    m.bob.frame_a >> m.bob.frame_a


@wrong(PortError, "world", "is a part; only ports can be connected, here")
def part_connect() -> None:
    m = pendulum()
    m.world >> m.hinge


@wrong(
    PortError,
    "bob",
    "is a part; only ports can be connected",
    "bob.frame_a >> world.frame_b",
)
def port_to_part() -> None:
    m = pendulum()
    m.world.frame_b >> m.bob


@wrong(PortError, "connect", "None is not a port")
def port_to_none() -> None:
    m = pendulum()
    m.world.frame_b >> None


@wrong(PortError, "connect", "1.0 is not a port")
def port_to_number() -> None:
    m = pendulum()
    m.world.frame_b >> 1.0


@wrong(PortError, "connect", "1.0 is not a port")
def signal_to_number() -> None:
    m = driven(lambda t: t)
    m.law.y >> 1.0


@wrong(PortError, "bob.frame_a", "is a frame, to which 1.0 cannot be")
def number_to_frame() -> None:
    m = pendulum()
    1.0 >> m.bob.frame_a


@wrong(PortError, "torque.tau", "is a signal, to which '1' cannot be")
def string_to_signal() -> None:
    m = driven(lambda t: t)
    "1" >> m.torque.tau


@wrong(PortError, "torque.tau", "is a signal, to which True cannot be")
def bool_to_signal() -> None:
    m = driven(lambda t: t)
    True >> m.torque.tau


@wrong(PortError, "law.y", "is an output, to which the number 1")
def number_to_output() -> None:
    m = driven(lambda t: t)
    1.0 >> m.law.y
    m.compile()


@wrong(PortError, "world.frame_b", "can be connected with bob.frame_a by >> only")
def less_than_operator() -> None:
    m = pendulum()
    m.world.frame_b > m.bob.frame_a


@wrong(PortError, "world.frame_b", "can be connected with bob.frame_a by >> only")
def left_shift() -> None:
    m = pendulum()
    m.world.frame_b << m.bob.frame_a


@wrong(PortError, "connect", "needs at least two ports")
def connect_one() -> None:
    m = pendulum()
    mk.connect(m.world.frame_b)


@wrong(PortError, "connect", "[<frame world.frame_b>, <frame bob.frame_a>] is not a port")
def connect_list() -> None:
    m = pendulum()
    mk.connect([m.world.frame_b, m.bob.frame_a])


@wrong(UnknownNameError, "world", "has no 'frame_c'")
def port_misspelt() -> None:
    m = pendulum()
    m.world.frame_c >> m.bob.frame_a


@wrong(PortError, "world.frame_b", "has no element 0: it is a frame")
def port_index_frame() -> None:
    m = pendulum()
    m.world.frame_b[0]


@wrong(PortError, "law.y", "has no element 'a': it is a signal")
def port_index_str() -> None:
    m = driven(lambda t: t)
    m.law.y["a"]


@wrong(PortError, "law.y", "has no element 0.0: it is a signal")
def port_index_float() -> None:
    m = driven(lambda t: t)
    m.law.y[0.0]


@wrong(PortError, "c.y", "is a signal of size 1, but f.force")
def sizes() -> None:
    m = pendulum()
    m.f = forces.WorldForce()
    m.c = blocks.Constant()
    m.c.y >> m.f.force


@wrong(PortError, "c.y", "and law both are sources of the same signal")
def two_sources() -> None:
    m = driven(lambda t: t)
    m.c = blocks.Constant()
    m.c.y >> m.torque.tau
    m.compile()


@wrong(PortError, "d.y", "and c both are sources of the same signal")
def output_to_output() -> None:
    m = pendulum()
    m.c = blocks.Constant()
    m.d = blocks.Constant()
    m.c.y >> m.d.y
    m.compile()


@wrong(PortError, "torque.tau", "is a signal without a source")
def input_to_input_only() -> None:
    m = pendulum()
    m.torque = rot.Torque()
    m.torque.flange >> m.hinge.axis
    m.g = blocks.Gain()
    m.g.u >> m.torque.tau
    m.compile()


@wrong(PortError, "bob.frame_a", "(Body) is not in the same model as")
def other_model() -> None:
    m, n = (pendulum(), pendulum())
    m.world.frame_b >> n.bob.frame_a


@wrong(PortError, "Body.frame_a", "(Body) is not in the same model as")
def unattached() -> None:
    m = pendulum()
    m.world.frame_b >> mk.Body().frame_a


@wrong(PortError, "torque.tau", "is a signal without a source")
def signal_open() -> None:
    m = pendulum()
    m.torque = rot.Torque()
    m.torque.flange >> m.hinge.axis
    m.compile()


@wrong(EquationError, "a, b", "algebraic loop")
def unread_loop() -> None:
    m = pendulum()
    m.a = blocks.Gain(k=2.0)
    m.b = blocks.Gain(k=0.5)
    m.a.y >> m.b.u
    m.b.y >> m.a.u
    m.compile()


@wrong(EquationError, "a", "algebraic loop")
def unread_self_loop() -> None:
    m = pendulum()
    m.a = blocks.Gain(k=1.0)
    m.a.y >> m.a.u
    m.compile()


@wrong(EquationError, "a", "algebraic loop")
def read_loop() -> None:
    m = driven(lambda t: t)
    m.a = blocks.Add()
    m.torque2 = rot.Torque()
    m.torque2.flange >> m.hinge.axis
    m.a.y >> m.a.u1
    m.law.y >> m.a.u2
    m.a.y >> m.torque2.tau
    m.compile()


@wrong(EquationError, "b", "algebraic loop")
def unread_loop_rate() -> None:
    m = pendulum()
    m.i = blocks.Integrator()
    m.a = blocks.Gain()
    m.b = blocks.Gain()
    m.a.y >> m.b.u
    m.b.y >> m.a.u
    m.a.y >> m.i.u
    m.compile()


@wrong(PortError, "rod.frame_a", "is connected to nothing, and no body or")
def loose_frame() -> None:
    m = pendulum()
    m.rod = mk.FixedTranslation(r=(1, 0, 0))
    m.compile()


@wrong(LoopError, "r2", "closes a loop of rigid parts between r2.frame_a")
def ring_of_rigid() -> None:
    m = pendulum()
    m.r1 = mk.FixedTranslation(r=(1, 0, 0))
    m.r2 = mk.FixedTranslation(r=(1, 0, 0))
    m.world.frame_b >> m.r1.frame_a
    m.world.frame_b >> m.r2.frame_a
    m.r1.frame_b >> m.r2.frame_b
    m.compile()


@wrong(LoopError, "r2", "closes a loop of rigid parts between r2.frame_a")
def ring_of_rigid_contradiction() -> None:
    m = pendulum()
    m.r1 = mk.FixedTranslation(r=(1, 0, 0))
    m.r2 = mk.FixedTranslation(r=(1, 1, 0))
    m.world.frame_b >> m.r1.frame_a
    m.world.frame_b >> m.r2.frame_a
    m.r1.frame_b >> m.r2.frame_b
    m.compile()


@wrong(PortError, "r1.frame_a", "is connected with r1.frame_b, the other end of")
def both_ends() -> None:
    m = pendulum()
    m.r1 = mk.FixedTranslation(r=(1, 0, 0))
    m.r1.frame_a >> m.r1.frame_b
    m.r1.frame_a >> m.bob.frame_a
    m.compile()


@wrong(PortError, "sp.frame_a", "is connected with sp.frame_b, the other end of")
def spring_both_ends() -> None:
    m = pendulum()
    m.sp = forces.Spring(c=1.0)
    m.sp.frame_a >> m.bob.frame_a
    m.sp.frame_b >> m.bob.frame_a
    run(m)


@wrong(PortError, "sp.flange_a", "is connected with sp.flange_b, the other end of")
def rot_spring_both_ends() -> None:
    m = pendulum()
    m.sp = rot.Spring(c=1.0)
    m.sp.flange_a >> m.hinge.axis
    m.sp.flange_b >> m.hinge.axis
    run(m)


@wrong(PortError, "j.frame_a", "is connected with j.frame_b, the other end of")
def joint_both_ends() -> None:
    m = pendulum()
    m.j = mk.Revolute()
    m.j.frame_a >> m.bob.frame_a
    m.j.frame_b >> m.bob.frame_a
    m.compile()


@wrong(AssemblyError, "sp.frame_b", "leads neither to the world nor to a")
def spring_loose_end() -> None:
    m = pendulum()
    m.sp = forces.Spring(c=1.0)
    m.sp.frame_a >> m.bob.frame_a
    m.compile()


@wrong(PortError, "s.frame_a", "is connected to nothing, and no body or")
def sensor_loose() -> None:
    m = pendulum()
    m.s = sensors.AbsoluteSensor(get_r=True)
    m.compile()


@wrong(PortError, "sp.flange_b", "is connected to nothing")
def spring_loose_flange() -> None:
    m = pendulum()
    m.sp = rot.Spring(c=1.0)
    m.sp.flange_a >> m.hinge.axis
    m.compile()


@pytest.mark.parametrize("row", wrong, ids=ids(wrong))
def test_a_wrong_connection_is_refused_in_words(row):
    check(row)
