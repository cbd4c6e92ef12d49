"""Every part of drive lines and every block in one model: it runs, and shows all it has."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import motorik as mk
from motorik import blocks
from motorik import rotational as rot
from motorik import translational as tra
from motorik.components.forces.gas import GasForce, GasForce2


class Line(mk.Model):
    """Every part of one kind of line: masses in a row, driven from one end."""

    def build(self, room, names) -> None:
        x, v, f, inertia, Mass, Force = names
        self.wall, self.first = room.Fixed(), getattr(room, Mass)(**{x: 0.1, v: 0.0})
        self.last = getattr(room, Mass)(**{x: 0.4, v: 0.1})
        self.spring, self.damper = room.Spring(c=2.0), room.Damper(d=0.1)
        self.both = room.SpringDamper(c=3.0, d=0.2)
        self.wall.flange >> self.spring.flange_a
        self.spring.flange_b >> self.first.flange_a
        self.damper.flange_a >> self.wall.flange
        self.damper.flange_b >> self.first.flange_a
        through = [
            room.MultiSensor(),
            room.PowerSensor(),
            getattr(room, f"{Force}Sensor")(),
        ]
        at = self.first.flange_b
        for number, sensor in enumerate(through):
            setattr(self, f"through{number}", sensor)
            at >> sensor.flange_a
            at = sensor.flange_b
        at >> self.both.flange_a
        self.both.flange_b >> self.last.flange_a
        place = {"phi": "Angle", "s": "Position"}[x]
        for kind in (f"{place}Sensor", "SpeedSensor", "AccSensor"):
            setattr(self, f"abs{kind}", getattr(room, kind)())
            getattr(self, f"abs{kind}").flange >> self.last.flange_b
        for kind in (f"Rel{place}Sensor", "RelSpeedSensor", "RelAccSensor"):
            sensor = getattr(room, kind)()
            setattr(self, f"sees{kind}", sensor)
            sensor.flange_a >> self.first.flange_a
            sensor.flange_b >> self.last.flange_b
        loads = ("Constant", "LinearSpeedDependent", "QuadraticSpeedDependent", "")
        loads += ("InverseSpeedDependent", "Sign", "EddyCurrent")
        for kind in loads:
            setattr(self, f"load{kind}", getattr(room, f"{kind}{Force}")())
            getattr(self, f"load{kind}").flange >> self.last.flange_b
        self.pair = getattr(room, f"{Force}2")()
        self.pair.flange_a >> self.first.flange_a
        self.pair.flange_b >> self.last.flange_a
        0.2 >> getattr(self.pair, f)
        0.3 >> getattr(self.load, f)
        self.step = getattr(room, f"{Force}Step")(startTime=0.1)
        self.step.flange >> self.last.flange_b
        self.rubs(room, names)
        self.adapts(room, names)
        drives = {
            room.Position(exact=True): f"{x}_ref",
            room.Position(): f"{x}_ref",
            room.Speed(): f"{v}_ref",
            room.Accelerate(): "a_ref",
            room.ConstantSpeed(): None,
        }
        for number, (drive, port) in enumerate(drives.items()):
            setattr(self, f"drive{number}", drive)
            mass = getattr(room, Mass)(**{inertia: 0.5})
            setattr(self, f"moved{number}", mass)
            drive.flange >> mass.flange_a
            if port:
                blocks.Sine(amplitude=0.1, f=0.3).y >> getattr(drive, port)

    def adapts(self, room, names) -> None:
        """Add the parts with signals of a flange, each on an inertia of its own or on the last."""
        x, *_, Mass, _ = names
        for kind in MOVED_BY[room]:
            part = kind(**{name: False for name in kind.specs if name.startswith("use_")})
            mass = getattr(room, Mass)()
            setattr(self, f"by{kind.__name__}", part)
            setattr(self, f"of{kind.__name__}", mass)
            part.flange >> mass.flange_a
            blocks.Sine(amplitude=0.1, f=0.3).y >> getattr(
                part, x if x in part.specs else "p"
            )
        for kind in LOADED_BY[room]:
            part = kind()
            setattr(self, f"by{kind.__name__}", part)
            self.last.flange_b >> part.flange
            0.1 >> getattr(part, "tau" if "tau" in part.specs else "f")
        self.move, self.carried = room.Move(), getattr(room, Mass)()
        self.move.flange >> self.carried.flange_a
        for k, value in enumerate((0.1, 0.0, 0.0)):
            value >> self.move.u[k]
        self.initial, self.relative = (
            room.InitializeFlange(use_a_start=False),
            room.RelativeStates(),
        )
        self.free = getattr(room, Mass)()
        self.initial.flange >> self.free.flange_a
        for name in (f"{x}_start", f"{names[1]}_start"):
            0.3 >> getattr(self.initial, name)
        self.relative.flange_a >> self.first.flange_a
        self.relative.flange_b >> self.last.flange_a

    def rubs(self, room, names) -> None:
        """Add what rubs and what has play, each beside the spring between the masses."""
        self.pressing = blocks.Constant(k=0.5)
        for kind in BESIDE[room]:
            part = kind()
            setattr(self, f"beside{kind.__name__}", part)
            self.first.flange_a >> part.flange_a
            self.last.flange_a >> part.flange_b
            if hasattr(part, "f_normalized"):
                self.pressing.y >> part.f_normalized
        for kind in ON_ONE[room]:
            part = kind()
            setattr(self, f"on{kind.__name__}", part)
            port = "flange" if "flange" in part.specs else "flange_a"
            self.last.flange_b >> getattr(part, port)
            if hasattr(part, "f_normalized"):
                self.pressing.y >> part.f_normalized


BESIDE = {
    rot: (rot.Clutch, rot.OneWayClutch, rot.ElastoBacklash, rot.ElastoBacklash2),
    tra: (tra.ElastoGap,),
}
ON_ONE = {
    rot: (rot.Brake, rot.BearingFriction),
    tra: (tra.Brake, tra.SupportFriction, tra.RollingResistance),
}
MOVED_BY = {
    rot: (rot.AngleToTorqueAdaptor, rot.GeneralAngleToTorqueAdaptor),
    tra: (tra.GeneralPositionToForceAdaptor,),
}
LOADED_BY = {
    rot: (rot.TorqueToAngleAdaptor, rot.GeneralTorqueToAngleAdaptor),
    tra: (tra.GeneralForceToPositionAdaptor,),
}
ROTATIONAL = ("phi", "w", "tau", "J", "Inertia", "Torque")
TRANSLATIONAL = ("s", "v", "f", "m", "Mass", "Force")


def time_of(motion):
    """Return the time of a motion."""
    return motion.t


class Everything(mk.Model):
    """All parts of drive lines and all blocks."""

    def build(self) -> None:
        self.world = mk.World()
        self.turning = Line(room=rot, names=ROTATIONAL)
        self.sliding = Line(room=tra, names=TRANSLATIONAL)
        self.couple()
        self.compute()

    def couple(self) -> None:
        """Add the gears, a rod and the gases, all on one line of their own."""
        for name, kind in (("lossy", rot.LossyGear), ("gearbox", rot.Gearbox)):
            setattr(self, name, kind(ratio=2.0, lossTable=((0.0, 0.9, 0.9, 0.02, 0.02),)))
            setattr(self, f"{name}In", rot.Inertia(phi=0.0, w=0.5))
            setattr(self, f"{name}Out", rot.Inertia())
            getattr(self, f"{name}In").flange_b >> getattr(self, name).flange_a
            getattr(self, name).flange_b >> getattr(self, f"{name}Out").flange_a
        self.gear, self.disc = rot.IdealGear(ratio=2.0), rot.Disc()
        self.planets, self.rotor = rot.IdealPlanetary(), rot.Inertia(phi=0.0, w=0.5)
        self.ring, self.rack = rot.Inertia(phi=0.0, w=0.0), rot.IdealGearR2T(ratio=3.0)
        self.wheel, self.lever = rot.IdealRollingWheel(), tra.IdealLever(ratio=-1.5)
        self.rod, self.slide = tra.Rod(L=0.2), tra.Mass(m=2.0)
        self.turned = rot.Coupling()
        self.rotor.flange_b >> self.turned.flange_a
        self.turned.flange_b >> self.gear.flange_a
        self.gear.flange_b >> self.disc.flange_a
        self.disc.flange_b >> self.planets.sun
        self.planets.ring >> self.ring.flange_a
        self.planets.carrier >> self.rack.flangeR
        self.rack.flangeT >> self.lever.flange_a
        self.lever.flange_b >> self.rod.flange_a
        self.rod.flange_b >> self.slide.flange_a
        self.wheel.flangeR >> self.ring.flange_b
        self.push = tra.Mass(m=0.1)
        self.wheel.flangeT >> self.push.flange_a
        self.stop = tra.Fixed(s0=-0.15)
        self.piston, self.gas = tra.Mass(m=1e3, s=0.0, v=0.0), GasForce2(L=0.3)
        self.other = GasForce(L=0.3)
        self.rubbing, self.vehicle = tra.MassWithStopAndFriction(), tra.Vehicle(v=2.0)
        self.gas.flange_a >> self.stop.flange
        self.gas.flange_b >> self.piston.flange_a
        self.other.flange_a >> self.piston.flange_a
        self.other.flange_b >> self.stop.flange

    def compute(self) -> None:
        """Add the blocks, one behind the other."""
        chain = [
            blocks.Gain(k=0.5),
            blocks.Integrator(),
            blocks.Derivative(),
            blocks.FirstOrder(),
            blocks.SecondOrder(),
            blocks.PI(),
            blocks.PID(),
            blocks.TransferFunction(),
            blocks.CriticalDamping(),
            blocks.Function(),
            blocks.StateSpace(),
            blocks.Der(),
            blocks.LessEqualThreshold(),
            blocks.BooleanToReal(),
            blocks.Limiter(),
            blocks.DeadZone(),
        ]
        self.sine = blocks.Sine()
        at = self.sine.y
        for block in chain:
            setattr(self, f"chain{type(block).__name__}", block)
            at >> block.u
            at = block.y
        sources = [blocks.Constant(), blocks.Cosine(), blocks.Ramp(), blocks.TimeFunction()]
        sources += [blocks.ContinuousClock(offset=1.0), blocks.Trapezoid()]
        sources += [blocks.Step(startTime=0.1), blocks.Pulse(period=0.07)]
        sources += [blocks.CombiTimeTable(), blocks.Discrete()]
        sources.append(blocks.Expression(f=time_of))
        for source in sources:
            setattr(self, f"source{type(source).__name__}", source)
        for kind in (blocks.Add, blocks.Feedback, blocks.Product, blocks.Division):
            block = kind()
            setattr(self, f"two{kind.__name__}", block)
            at >> block.u1
            self.sourceContinuousClock.y >> block.u2
        self.three, self.sum = blocks.Add3(), blocks.Sum(k=(1.0, 2.0, 3.0))
        for number, source in enumerate(sources[:3]):
            source.y >> getattr(self.three, f"u{number + 1}")
            source.y >> self.sum.u[number]


@pytest.fixture(scope="module")
def result() -> mk.Result:
    """A run of a model with every part."""
    return Everything().simulate(0.2, output=10)


@pytest.mark.slow
def test_the_model_has_every_part(result):
    made = {type(part) for part in result.model.walk()}
    for room in (rot, tra):
        kinds = {getattr(room, name) for name in room.__all__}
        assert kinds - made == set()


@pytest.mark.slow
def test_every_variable_is_a_finite_number_with_a_unit(result):
    values = result.compute(result.names())
    assert len(values) == len(set(result.names())) > 650
    for name, value in values.items():
        assert value.shape[0] == len(result), name
        assert np.isfinite(value).all(), name
        assert isinstance(result.unit(name), str), name


@pytest.mark.slow
def test_the_states_of_blocks_are_variables_too(result):
    for state in result.model.compile().mechanism.signals.states:
        if state.name.startswith("chain") and "scaled" not in state.name:
            assert result[state.name][0] == state.start.value


@pytest.mark.slow
def test_a_copy_runs_like_the_original(result):
    again = pickle.loads(pickle.dumps(Everything())).simulate(0.2, output=10)
    for name in ("turning.last.phi", "sliding.last.s", "chainStateSpace.y", "ring.w"):
        np.testing.assert_array_equal(again[name], result[name])
