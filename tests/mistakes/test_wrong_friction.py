"""Wrong values of friction, play, stops, vehicles and tables: each is refused in words."""

from __future__ import annotations

import pytest

from motorik import Body, Model, World, blocks, forces
from motorik import rotational as rot
from motorik import translational as tra
from motorik.authoring import FrictionBetween, RotationalTwoFlanges
from motorik.checks import check_friction
from motorik.errors import InitialValueError, ParameterError
from tests.mistakes.models import check, ids, run

Stop = tra.MassWithStopAndFriction


class Silent(RotationalTwoFlanges, FrictionBetween):
    """Friction without a law."""


class Absent(RotationalTwoFlanges, FrictionBetween):
    """Friction whose law returns nothing."""

    @staticmethod
    def resist(p, w):
        """Return nothing."""


def buried() -> Model:
    """Return a model with a body that begins below the plane it lies on."""
    model = Model()
    model.world, model.body = World(), Body(m=1.0, r_0=(0, -1, 0))
    model.contact = forces.PointPlaneContact()
    model.world.frame_b >> model.contact.frame_a
    model.contact.frame_b >> model.body.frame_a
    return model


def silent(rub: FrictionBetween | None = None) -> Model:
    """Return a model with friction that does not say its law."""
    model = Model()
    model.first, model.second = rot.Inertia(w=1.0), rot.Inertia()
    model.rub = rub or Silent()
    model.first.flange_b >> model.rub.flange_a
    model.rub.flange_b >> model.second.flange_a
    return model


# fmt: off
ROWS = [
    ('fn_max', lambda: rot.Clutch(fn_max=-1.0), ParameterError, 'Clutch',
     'fn_max = -1.0 N is too small'),
    ('peak', lambda: rot.Brake(peak=0.9), ParameterError, 'Brake', 'peak = 0.9 is too small'),
    ('cgeo', lambda: tra.Brake(cgeo=-2.0), ParameterError, 'Brake', 'cgeo = -2.0 is too small'),
    ('mu negative', lambda: rot.Clutch(mu_pos=((0.0, -0.5),)), ParameterError, 'Clutch',
     'mu_pos = ((0.0, -0.5),) has the negative entry -0.5'),
    ('mu not rising', lambda: rot.OneWayClutch(mu_pos=((1.0, 0.5), (1.0, 0.4))),
     ParameterError, 'OneWayClutch', 'has speeds that do not rise'),
    ('mu falls below zero at rest', lambda: rot.Brake(mu_pos=((1.0, 0.1), (2.0, 0.5))),
     ParameterError, 'Brake', 'leads to -0.3 at rest'),
    ('mu columns', lambda: rot.Brake(mu_pos=((0.0, 0.1, 2.0),)), ParameterError, 'Brake',
     'has 3 columns, not 2'),
    ('mu number', lambda: rot.Brake(mu_pos=0.5), ParameterError, 'Brake',
     'mu_pos = 0.5 is not a matrix of finite numbers'),
    ('tau_pos', lambda: rot.BearingFriction(tau_pos=((0.0, 1.0), (-1.0, 2.0))),
     ParameterError, 'BearingFriction', 'has the negative entry -1'),
    ('f_pos', lambda: tra.SupportFriction(f_pos=((0.0, float("nan")),)), ParameterError,
     'SupportFriction', 'is not a matrix of finite numbers'),
    ('backlash', lambda: rot.ElastoBacklash(b=-0.1), ParameterError, 'ElastoBacklash',
     'b = -0.1 rad is too small'),
    ('stiffness', lambda: rot.ElastoBacklash2(c=-0.1), ParameterError, 'ElastoBacklash2',
     'c = -0.1 N.m/rad is too small'),
    ('exponent', lambda: tra.ElastoGap(n=0.5), ParameterError, 'ElastoGap',
     'n = 0.5 is too small'),
    ('Coulomb', lambda: Stop(F_Coulomb=-1.0), ParameterError, 'MassWithStopAndFriction',
     'F_Coulomb = -1.0 N is too small'),
    ('Stribeck', lambda: Stop(F_Stribeck=-1.0), ParameterError, 'MassWithStopAndFriction',
     'F_Stribeck = -1.0 N is too small'),
    ('decay', lambda: Stop(fexp=-1.0), ParameterError, 'MassWithStopAndFriction',
     'fexp = -1.0 s/m is too small'),
    ('stops exchanged', lambda: Stop(smin=1.0, smax=-1.0), ParameterError,
     'MassWithStopAndFriction', 'smin = 1 m and smax = -1 m leave no room'),
    ('stops too near', lambda: Stop(smin=0.0, smax=0.5, L=1.0), ParameterError,
     'MassWithStopAndFriction', 'leave no room for the length L = 1 m'),
    ('start beyond', lambda: Stop(smin=0.0, smax=2.0, L=1.0, s=0.2), ParameterError,
     'MassWithStopAndFriction', 'start value s = 0.2 m is beyond a stop'),
    ('restitution negative', lambda: Stop(restitution=-0.1), ParameterError,
     'MassWithStopAndFriction', 'restitution = -0.1 is too small'),
    ('restitution above 1', lambda: Stop(restitution=1.1), ParameterError,
     'MassWithStopAndFriction', 'restitution = 1.1 is too large'),
    ('wheel', lambda: tra.Vehicle(R=0.0), ParameterError, 'Vehicle', 'R = 0.0 m is too small'),
    ('reg', lambda: tra.RollingResistance(reg="tanh"), ParameterError, 'RollingResistance',
     "reg = 'tanh' is not known"),
    ('v0', lambda: tra.RollingResistance(v0=0.0), ParameterError, 'RollingResistance',
     'v0 = 0.0 m/s is too small'),
    ('pulse', lambda: blocks.Pulse(width=120.0), ParameterError, 'Pulse',
     'width = 120.0 is too large'),
    ('limits', lambda: blocks.Limiter(uMax=-1.0), ParameterError, 'Limiter',
     'uMin = 1 is above uMax = -1'),
    ('zone', lambda: blocks.DeadZone(uMax=1.0, uMin=2.0), ParameterError, 'DeadZone',
     'uMin = 2 is above uMax = 1'),
    ('times fall', lambda: blocks.CombiTimeTable(table=((1.0, 0.0), (0.0, 1.0))),
     ParameterError, 'CombiTimeTable', 'its times fall'),
    ('no values', lambda: blocks.CombiTimeTable(table=((1.0,), (2.0,))), ParameterError,
     'CombiTimeTable', 'it has no values'),
    ('columns', lambda: blocks.CombiTimeTable(columns=(3,)), ParameterError, 'CombiTimeTable',
     'the table has no column 3'),
    ('no law', lambda: run(silent()), ParameterError, 'rub',
     'has no law for its sliding force'),
    ('check what', lambda: check_friction(rot.Inertia), ParameterError, 'check_friction',
     'is no kind of friction'),
    ('check signal', lambda: check_friction(rot.Brake, signals={"f": 1.0}), ParameterError,
     'check_friction', "takes no signal 'f'"),
    ('check speed', lambda: check_friction(rot.Brake, speed=0.0), ParameterError,
     'check_friction', "speed = 0.0 is no speed above 0"),
    ('contact mu', lambda: forces.PointPlaneContact(mu=-0.1), ParameterError,
     'PointPlaneContact', 'mu = -0.1 is too small'),
    ('contact rebound', lambda: forces.PointPlaneContact(e=1.1), ParameterError,
     'PointPlaneContact', 'e = 1.1 is too large'),
    ('contact begins below', lambda: run(buried()), InitialValueError, 'contact',
     'begins in what it touches: its gap is -1', 'gap is not negative'),
    ('law returns nothing', lambda: run(silent(Absent())), ParameterError, 'rub',
     'resist(p, w = 0) returned None'),
]
# fmt: on


@pytest.mark.parametrize("row", ROWS, ids=ids(ROWS))
def test_a_wrong_value_is_refused_in_words(row):
    check(row)
