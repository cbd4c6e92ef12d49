"""Wrong friction and stops of joints: each is refused in words."""

from __future__ import annotations

import math

import pytest

import motorik as mk
from motorik import joints
from motorik.errors import (
    ImmutableError,
    InitialValueError,
    ParameterError,
    UnknownNameError,
)
from motorik.joints import Coulomb, Revolute, Stribeck
from tests.joints.models import Pendulum
from tests.mistakes.models import check, ids


def run_live(value: float) -> None:
    """Run with a live friction torque of this value."""
    model = Pendulum(friction=Coulomb(tau=mk.Parameter(1.0, name="tau")))
    model.simulate(0.1, parameters={"tau": value})


def change_law() -> None:
    """Change a law in place."""
    law = Coulomb(tau=1.0)
    law.tau = 2.0


# fmt: off

ROWS = [
    ('negative', lambda: Coulomb(tau=-1.0), ParameterError, 'Coulomb',
     'tau = -1.0 N.m is too small', 'at least 0'),
    ('negative force', lambda: Coulomb(f=-1.0), ParameterError, 'f = -1.0 N is too small'),
    ('not finite', lambda: Coulomb(tau=math.inf), ParameterError, 'is not finite'),
    ('text', lambda: Coulomb(tau="3"), ParameterError, "tau = '3' N.m is not a number"),
    ('nothing', lambda: Coulomb(), ParameterError, 'one of them must be given', 'tau=…'),
    ('both', lambda: Coulomb(tau=1.0, f=1.0), ParameterError, 'one of them must be given'),
    ('unnamed', lambda: Coulomb(3.0), ParameterError, 'takes its values by name'),
    ('misspelt', lambda: Coulomb(tua=1.0), UnknownNameError, "no parameter 'tua'", "'tau'"),
    ('negative coefficient', lambda: Coulomb(mu=-0.1), ParameterError, 'mu = -0.1 is too small'),
    ('torque and coefficient', lambda: Coulomb(tau=1.0, mu=0.1), ParameterError,
     'one of them must be given', 'mu=…'),
    ('radius without mu', lambda: Coulomb(tau=1.0, radius=0.1), ParameterError,
     'radius = 0.1 is read only with mu'),
    ('no length', lambda: Coulomb(mu=0.1, radius=0.0), ParameterError, 'radius = 0.0 m'),
    ('no radius', lambda: Revolute(friction=Coulomb(mu=0.1)), ParameterError,
     'has no radius at which it rubs, but the joint turns', 'Coulomb(mu=…, radius=…)'),
    ('radius of a slide', lambda: joints.Prismatic(friction=Coulomb(mu=0.1, radius=0.1)),
     ParameterError, 'has a radius for turning, but the joint slides'),
    ('arms of both', lambda: Coulomb(mu=0.1, radius=0.1, torsion_arm=0.1), ParameterError,
     'torsion_arm of one that slides'),
    ('bending without pin', lambda: Coulomb(mu=0.1, friction_arm=0.1, bending_arm=0.1),
     ParameterError, 'bending_arm needs radius'),
    ('thread', lambda: joints.Screw(friction=Coulomb(mu=0.1, friction_arm=0.1)),
     ParameterError, 'Screw', 'radius is missing'),
    ('ball', lambda: joints.Spherical(friction=Coulomb(mu=0.1, radius=0.1, bending_arm=1.0)),
     ParameterError, 'Spherical', 'bending_arm is not read here'),
    ('plane', lambda: joints.Planar(friction=Coulomb(mu=0.1)), ParameterError, 'Planar',
     'its normal force is not known', 'PointPlaneContact'),
    ('peak', lambda: Coulomb(tau=1.0, peak=0.5), ParameterError, 'peak = 0.5 is too small',
     'peak must be at least 1.'),
    ('viscous', lambda: Stribeck(f=1.0, viscous=-1.0), ParameterError, 'viscous = -1.0'),
    ('fexp', lambda: Stribeck(f=1.0, fexp=-1.0), ParameterError, 'fexp = -1.0'),
    ('changed', change_law, ImmutableError, 'cannot be changed', 'Make another Coulomb'),
    ('number', lambda: Revolute(friction=3.0), ParameterError, 'Revolute',
     'friction = 3.0 is not a law of friction', 'Coulomb(tau=3.0)'),
    ('class', lambda: Revolute(friction=Coulomb), ParameterError, 'is not a law'),
    ('force in a turn', lambda: Revolute(friction=Coulomb(f=1.0)), ParameterError,
     'f is a force, but the joint turns', 'Coulomb(tau=…)'),
    ('torque in a slide', lambda: joints.Prismatic(friction=Coulomb(tau=1.0)), ParameterError,
     'tau is a torque, but the joint slides', 'Coulomb(f=…)'),
    ('option misspelt', lambda: Revolute(frction=1), UnknownNameError, "'friction'"),
    ('freedom', lambda: joints.Cylindrical(friction={"x": Coulomb(f=1.0)}), ParameterError,
     "there is no freedom 'x'", 'phi, s'),
    ('freedom of other kind', lambda: joints.Cylindrical(friction={"phi": Coulomb(f=1.0)}),
     ParameterError, "friction['phi']", 'the joint turns'),
    ('too few', lambda: joints.Planar(friction=(Coulomb(f=1.0),)), ParameterError,
     'has 1 entries', 's_x, s_y, phi'),
    ('ball slides', lambda: joints.Spherical(friction=Coulomb(f=1.0)), ParameterError,
     'the joint turns'),
    ('free motion', lambda: joints.FreeMotion(friction=Coulomb(f=1.0)), UnknownNameError,
     "no parameter 'friction'"),
    ('live negative', lambda: run_live(-1.0), ParameterError, 'joint', 'tau = -1.0',
     'is too small'),
    ('stop', lambda: Revolute(stops=1.0), ParameterError, 'is not a lowest and a highest'),
    ('stops equal', lambda: Revolute(stops=(1, 1)), ParameterError,
     'the lower stop 1 is not below the upper one 1'),
    ('stops swapped', lambda: Revolute(stops=(2.0, 1.0)), ParameterError, 'lower stop 2'),
    ('three stops', lambda: Revolute(stops=(1, 2, 3)), ParameterError, '(1, 2, 3)'),
    ('stop nan', lambda: Revolute(stops=(math.nan, 1)), ParameterError, 'stops[1] = nan rad'),
    ('stop text', lambda: Revolute(stops=("a", 1)), ParameterError, "stops[1] = 'a' rad"),
    ('stops of which', lambda: joints.Cylindrical(stops=(0, 1)), ParameterError,
     'does not tell which of its freedoms', "{'s': (-1.0, 1.0)}"),
    ('stops of no freedom', lambda: joints.Universal(stops={"phi": (0, 1)}), ParameterError,
     "no freedom 'phi'", 'phi_a, phi_b'),
    ('stops of a compound', lambda: joints.Planar(stops={"s_x": (1, 0)}), ParameterError,
     "stops['s_x']", 'not below'),
    ('stops of a ball', lambda: joints.Spherical(stops=(0, 1)), UnknownNameError,
     "no parameter 'stops'"),
    ('restitution', lambda: Revolute(stops=(0, 1), restitution=1.5), ParameterError,
     'restitution = 1.5 is too large', 'at most 1.'),
    ('begins beyond', lambda: Pendulum(phi=1.2, stops=(-0.5, 1.0)).simulate(1.0),
     InitialValueError, 'joint', 'begins 0.2 beyond its upper stop', 'joint.phi = 1.2 rad'),
    ('begins below', lambda: Pendulum(stops=(0.5, 1.0)).simulator(), InitialValueError,
     'begins 0.5 beyond its lower stop', 'joint.phi = 0 rad'),
]
# fmt: on


@pytest.mark.parametrize("row", ROWS, ids=ids(ROWS))
def test_wrong_friction_and_stops_of_joints_are_refused_in_words(row):
    check(row)


def test_a_start_on_a_stop_is_no_mistake():
    result = Pendulum(phi=-0.5, stops=(-0.5, 1.0)).simulate(1.0)
    assert result["joint.phi"] == pytest.approx(-0.5, abs=1e-14)
