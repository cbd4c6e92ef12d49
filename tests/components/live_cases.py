"""Every public part in a small mechanism that moves, to try each of its parameters live."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import motorik as mk
from motorik import Part, planar
from motorik import assemblies as asm
from motorik import blocks as blk
from motorik import constraints as con
from motorik import forces as frc
from motorik import joints as jnt
from motorik import parts as prt
from motorik import rotational as rot
from motorik import sensors as sen
from motorik import translational as tra
from tests.components.live_places import (
    HEAVY,
    Place,
    beside_integrator,
    between,
    bevelled,
    block,
    body,
    clamped,
    cranked,
    dropped,
    fixed,
    flat,
    flat_body,
    flat_ground,
    flat_point,
    gear,
    held,
    joint,
    last_hinge,
    line,
    mounted,
    on_line,
    rod,
    rolling,
    rotor,
    sensed,
    wheel_set,
    wire,
    world,
)

SceneBuilder = Callable[[Any], object]
Case = tuple[type[Part], dict[str, object], Place]


ARM, LONG, BASE = (0.25, 0.0, 0.3), 0.6, (0.5, 0.1, -0.2)
ASSEMBLIES: list[Case] = [
    (
        asm.JointRRP,
        {"n_b": "x", "rRod1_ia": (0.7, 0, 0), "rRod2_ib": (0, 0.01, 0), "s_guess": 0.8},
        cranked((0, 0, 0)),
    ),
    (
        asm.JointPRR,
        {"n_a": "x", "rRod1_ia": (0, 0.01, 0), "rRod2_ib": (0.7, 0, 0)},
        cranked((0, 0, 0), turned=True),
    ),
    (
        asm.JointRRR,
        {"rRod1_ia": (0.6, 0, 0), "rRod2_ib": (-0.5, 0, 0), "phi_guess": 1.22},
        cranked((0.55, 0, 0)),
    ),
    (
        asm.JointRRP,
        {"n_b": "x", "n_turn": "z", "rRod1_ia": (0.7, 0, 0), "rRod2_ib": (0, 0, 0)},
        cranked((0, 0, 0)),
    ),
    (asm.JointRPR, {"s_offset": 0.2, "s_guess": 0.5}, cranked((0.9, 0, 0))),
    (
        asm.JointRPP,
        {"rRod1_ia": (0, 0, 0), "rRod2_ib": (0, 0, 0), "n_b": "x"},
        cranked((0, 0, 0)),
    ),
    (
        asm.JointSSR,
        {"n_b": "y", "rod1Length": LONG, "rod1Mass": 0.1, "rRod2_ib": ARM},
        cranked(BASE),
    ),
    (
        asm.JointUSR,
        {"n_b": "y", "n1_a": "y", "rRod1_ia": (LONG, 0, 0), "rRod2_ib": ARM},
        cranked(BASE),
    ),
    (
        asm.JointSUR,
        {"n_b": "y", "n1_im": "y", "rRod1_ia": (LONG, 0, 0), "rRod2_ib": ARM},
        cranked(BASE),
    ),
    (
        asm.JointSSP,
        {
            "n_b": "x",
            "rod1Length": LONG,
            "rod1Mass": 0.1,
            "rRod2_ib": (0, 0, 0.2),
            "s_guess": 0.5,
        },
        cranked((0.0, 0.05, 0.1)),
    ),
    *(
        (
            kind,
            {
                "n_b": "x",
                axis: "y",
                "rRod1_ia": (LONG, 0, 0),
                "rRod2_ib": (0, 0, 0.2),
                "s_guess": 0.5,
            },
            cranked((0.0, 0.05, 0.1)),
        )
        for kind, axis in ((asm.JointUSP, "n1_a"), (asm.JointSUP, "n1_im"))
    ),
    (asm.JointUPS, {"n1_a": "y", "nAxis_ia": "x", "s_offset": 0.1}, cranked(BASE)),
    (asm.JointSPU, {"n1_b": "y", "nAxis_ib": "-x", "s_offset": 0.1}, cranked(BASE)),
]

TWO_AXES = {"rotationType": "TwoAxesVectors"}
SEQUENCE = {"rotationType": "PlanarRotationSequence", "angles": (0.17, 0.35, 0.52)}
BOX = {"r": (0.4, 0.1, 0), "width": 0.1, "height": 0.08, "innerWidth": 0.02}
TUBE = {"r": (0.4, 0.1, 0), "diameter": 0.1}
SPACE: list[Case] = [
    *(
        (kind, {}, joint)
        for kind in (
            *(jnt.Cylindrical, jnt.Planar, jnt.Prismatic, jnt.Revolute, jnt.Screw),
            *(jnt.Universal, jnt.Spherical, jnt.FreeMotion),
        )
    ),
    (jnt.GearConstraint, {"phi_b": 0.0, "w_b": 0.3}, gear),
    (jnt.SphericalSpherical, {"rodLength": 0.9, "m": 0.4}, rod),
    (jnt.UniversalSpherical, {"rRod_ia": (0.8, 0.1, 0.2)}, rod),
    (prt.Body, HEAVY, body),
    (prt.Body, {"I": [[0.4, 0, 0], [0, 0.5, 0.01], [0, 0.01, 0.6]]}, body),
    (prt.BodyShape, {**HEAVY, "r": (0.3, 0, 0.1)}, body),
    (prt.BodyShape, {"I": [[0.4, 0, 0], [0, 0.5, 0], [0, 0, 0.6]]}, body),
    (prt.BodyBox, {**BOX, "length": 0.4, "lengthDirection": (1, 0.1, 0)}, body),
    (prt.BodyBox, {**BOX, "innerHeight": 0.02, "r_shape": (0.01, 0, 0)}, body),
    (prt.BodyCylinder, {"r": (0.4, 0.1, 0), "diameter": 0.1, "innerDiameter": 0.03}, body),
    (prt.BodyCylinder, {**TUBE, "length": 0.4, "lengthDirection": (1, 0.1, 0)}, body),
    (prt.PointMass, {}, body),
    (prt.Fixed, {"r": (0.1, 0.2, 0.3)}, fixed),
    (prt.FixedTranslation, {"r": (0.1, 0.2, 0.3)}, joint),
    (prt.FixedRotation, {"r": (0.1, 0.2, 0.3), "angle": 0.35}, joint),
    (prt.FixedRotation, {"r": (0.1, 0.2, 0.3), **TWO_AXES}, joint),
    (prt.FixedRotation, {"r": (0.1, 0.2, 0.3), **SEQUENCE}, joint),
    (prt.Mounting1D, {}, mounted),
    (prt.Rotor1D, {"w": 5.0}, rotor),
    (prt.BevelGear1D, {"ratio": 2.0, "n_b": (0, 1, 0)}, bevelled),
    (prt.RollingWheel, {"der_angles": (0.0, 0.1, 3.0)}, rolling),
    (prt.RollingWheelSet, {}, wheel_set),
    (jnt.RollingWheelJoint, {"der_angles": (0.0, 0.1, 3.0)}, rolling),
    (jnt.RollingWheelSetJoint, {}, wheel_set),
    (prt.World, {}, world),
    (prt.World, {"gravityType": "PointGravity", "mu": 30.0}, world),
    *((kind, {"c": 9.0, "d": 0.7}, between) for kind in (frc.SpringDamperParallel,)),
    (frc.SpringDamperSeries, {"c": 9.0, "d": 0.7, "s_unstretched": 0.3}, between),
    (frc.Spring, {"c": 9.0, "m": 0.3, "s_unstretched": 0.3}, between),
    (frc.Damper, {"d": 0.7}, between),
    (frc.LineForceWithMass, {"m": 0.3}, on_line),
    (frc.LineForceWithTwoMasses, {"m_a": 0.3, "m_b": 0.2, "L_a": 0.1, "L_b": 0.2}, on_line),
    (sen.AbsoluteAngles, {}, sensed),
    (sen.AbsoluteSensor, {"get_angles": True}, sensed),
    (sen.DistanceSensor, {}, sensed),
    (sen.RelativeAngles, {}, sensed),
    (sen.RelativeSensor, {"get_angles": True}, sensed),
    (frc.PointPlaneContact, {"mu": 0.2, "e": 0.5, "radius": 0.1}, dropped),
    (con.RevoluteConstraint, {}, held),
    (con.UniversalConstraint, {}, held),
    (con.RevolutePlanarLoopConstraint, {}, last_hinge),
]
LOSSES = ((0.0, 0.9, 0.9, 0.02, 0.02),)
BRAKED: dict[str, object] = {"T": 350.0, "alpha20": 0.004}
LINES: list[Case] = [
    *(
        (getattr(rot, name), {}, line(rot, "Inertia"))
        for name in (
            *("ConstantSpeed", "ConstantTorque", "Damper", "Disc", "IdealGear"),
            *("IdealGearR2T", "IdealRollingWheel", "Inertia", "SpringDamper", "TorqueStep"),
            *("LinearSpeedDependentTorque", "QuadraticSpeedDependentTorque", "Spring"),
            *("IdealPlanetary", "Position", "Speed", "InverseSpeedDependentTorque"),
            "SignTorque",
        )
    ),
    (rot.Clutch, {"mu_pos": ((0.1, 0.5), (1.0, 0.3))}, line(rot, "Inertia")),
    (rot.OneWayClutch, {}, line(rot, "Inertia")),
    (rot.Brake, {"peak": 1.2}, line(rot, "Inertia")),
    (rot.BearingFriction, {"peak": 1.2}, line(rot, "Inertia")),
    (rot.ElastoBacklash, {"b": 0.01, "c": 30.0, "d": 0.1}, line(rot, "Inertia")),
    (rot.ElastoBacklash2, {"b": 0.01, "c": 30.0, "d": 0.1}, line(rot, "Inertia")),
    (rot.LossyGear, {"ratio": 2.0, "lossTable": LOSSES}, line(rot, "Inertia")),
    (
        rot.Gearbox,
        {"ratio": 2.0, "lossTable": LOSSES, "c": 30.0, "d": 0.1, "b": 0.01},
        line(rot, "Inertia"),
    ),
    (rot.EddyCurrentTorque, BRAKED | {"tau_nominal": 3.0}, line(rot, "Inertia")),
    (rot.Fixed, {}, clamped(rot, "Inertia")),
    *(
        (getattr(tra, name), {}, line(tra, "Mass"))
        for name in (
            *("ConstantForce", "ConstantSpeed", "Damper", "IdealLever", "Mass", "Rod"),
            *("LinearSpeedDependentForce", "QuadraticSpeedDependentForce", "Spring"),
            *("SpringDamper", "Position", "Speed", "InverseSpeedDependentForce"),
            *("SignForce", "ForceStep"),
        )
    ),
    (tra.Brake, {"mu_pos": ((0.1, 0.5), (1.0, 0.3))}, line(tra, "Mass")),
    (tra.SupportFriction, {}, line(tra, "Mass")),
    (tra.MassWithStopAndFriction, {"L": 0.1, "restitution": 0.5}, line(tra, "Mass")),
    (tra.ElastoGap, {"s_rel0": 1.0, "n": 1.5}, line(tra, "Mass")),
    (
        tra.RollingResistance,
        {"fWeight": 3.0, "inclinationConstant": 0.1},
        line(tra, "Mass"),
    ),
    (tra.Vehicle, {"m": 10.0, "J": 0.1, "vWindConstant": 2.0}, line(tra, "Mass")),
    (tra.EddyCurrentForce, BRAKED | {"f_nominal": 3.0}, line(tra, "Mass")),
    (tra.Fixed, {}, clamped(tra, "Mass")),
]
TABLES: dict[str, dict[str, object]] = {
    "CombiTimeTable": {"shiftTime": 0.01},
    "TimeTable": {"shiftTime": 0.01},
    "Sum": {"k": (1.0, 2.0)},
    "TransferFunction": {"b": (0.5, 2.0), "a": (0.3, 1.2)},
    "StateSpace": {"A": ((-0.5,),), "B": ((1.0,),), "C": ((1.0,),), "D": ((0.2,),)},
    "Limiter": {"uMin": -0.5},
    "DeadZone": {"uMin": -0.5},
    "Trapezoid": {"rising": 0.1, "falling": 0.2, "width": 0.3},
    "LimIntegrator": {"outMax": 0.05, "outMin": -0.2},
    "LimPID": {"yMax": 0.5, "yMin": -0.3, "withFeedForward": True},
    "SlewRateLimiter": {"Falling": -0.5},
    "Exponentials": {"riseTime": 0.05, "fallTimeConst": 0.03},
    "TriggeredTrapezoid": {"rising": 0.01, "falling": 0.015},
    "DiscretePI": {"yMax": 0.5, "yMin": -0.3, "samplePeriod": 0.02},
    "DiscretePID": {"yMax": 0.5, "yMin": -0.3, "samplePeriod": 0.02},
    "DiscreteStateSpace": {"D": ((0.2,),), "samplePeriod": 0.02},
    "DiscreteTransferFunction": {"a": (1.0, -0.5), "samplePeriod": 0.02},
    "Filter": {"filterType": "BandPass", "f_min": 0.5, "f_cut": 2.0},
    "Log": {"base": 3.0},
    "BooleanTable": {"table": (0.02, 0.05)},
    "MatrixGain": {"K": ((1.0, 2.0), (0.5, -1.0))},
    "KinematicPTP2": {"q_begin": (0.1,), "q_end": (0.3,), "qd_max": (5.0,)},
}
NO_CASES = {  # bases, and parts whose functions are tried below
    *("Block", "Source", "OneToOne", "Expression", "BooleanExpression", "Bus"),
    *("IntegerExpression", "TerminateSimulation"),
}
BLOCKS: list[Case] = [
    (kind, TABLES.get(name, {}), block)
    for name, kind in ((n, getattr(blk, n)) for n in blk.__all__)
    if isinstance(kind, type) and issubclass(kind, Part) and name not in NO_CASES
]
FLAT: list[Case] = [
    (planar.Body, {"ports": {"O": (0.3, 0.1)}, "r_CM": (0.1, 0.05)}, flat_body),
    (planar.Ground, {}, flat_ground),
    (planar.GearPair, {"r_i": 0.3, "r_j": 0.5}, flat),
    (planar.RackAndPinion, {"r": 0.2}, flat),
    (planar.PointMass, {"m": 0.4, "x": 0.7}, flat_point),
    (planar.Rod, {"length": 0.8}, flat),
    (planar.SpringDamper, {"c": 3.0, "d": 0.2, "s0": 0.5}, flat),
    (planar.Revolute, {"drive": 0.3}, flat),
    (planar.Translational, {"drive": 0.3}, flat),
    (planar.Slot, {"drive": 0.3}, flat),
]
#: Functions of a number a: part, parameter, other values, the function, where.
FUNCTIONS: list[tuple[type[Part], str, dict[str, object], SceneBuilder, Place]] = [
    (blk.Function, "f", {}, lambda a: lambda u: mk.sin(a * u) + a, block),
    (blk.TimeFunction, "f", {}, lambda a: lambda t: a * mk.exp(-t / a), block),
    (blk.Expression, "f", {}, lambda a: lambda motion: a * motion.t**2, block),
    (blk.BooleanExpression, "f", {}, lambda a: lambda motion: motion.t > 0.05 * a, block),
    (blk.IntegerExpression, "f", {}, lambda a: lambda motion: 4.0 * a, block),
    (
        blk.TerminateSimulation,
        "condition",
        {},
        lambda a: lambda motion: motion.t > 1.0 + a,
        beside_integrator,
    ),
    (prt.World, "gravityAcceleration", {}, lambda a: lambda r: (-a) * r, world),
    (planar.Curve, "curve", {}, lambda a: lambda x, y: y - a * x * x, wire),
    (planar.Revolute, "drive", {}, lambda a: lambda t, s, v: a * (t - v), flat),
    *(
        (kind, "friction", {}, lambda a: jnt.Stribeck(f=a, stribeck=0.1), flat)
        for kind in (planar.Revolute, planar.Translational)
    ),
    *(
        (kind, "stops", {"drive": 3.0}, lambda a: (None, 0.01 * a), flat)
        for kind in (planar.Revolute, planar.Translational)
    ),
    *(
        (kind, "friction", {}, lambda a: jnt.Coulomb(tau=a, viscous=a), joint)
        for kind in (jnt.Revolute, jnt.Screw, jnt.Universal, jnt.Spherical)
    ),
    *(
        (kind, "friction", {}, lambda a: jnt.Stribeck(f=a, stribeck=0.1), joint)
        for kind in (jnt.Prismatic, jnt.Cylindrical, jnt.Planar)
    ),
    *(
        (kind, "friction", {}, lambda a: jnt.Coulomb(mu=0.1 * a, radius=0.1 * a), joint)
        for kind in (jnt.Revolute, jnt.Screw)
    ),
    (
        jnt.Prismatic,
        "friction",
        {},
        lambda a: jnt.Stribeck(mu=0.1 * a, bending_arm=a),
        joint,
    ),
    (jnt.Revolute, "stops", {"w": 2.0}, lambda a: (None, 0.05 * a), joint),
    (jnt.Screw, "stops", {"w": 2.0}, lambda a: (None, 0.05 * a), joint),
    (jnt.Prismatic, "stops", {"v": 2.0}, lambda a: (-1.0, 0.05 * a), joint),
    (jnt.Cylindrical, "stops", {"v": 2.0}, lambda a: {"s": (None, 0.05 * a)}, joint),
    (jnt.Universal, "stops", {"w_b": 2.0}, lambda a: {"phi_b": (None, 0.05 * a)}, joint),
    (jnt.Planar, "stops", {"v_x": 2.0}, lambda a: {"s_x": (None, 0.05 * a)}, joint),
]
CASES = [*SPACE, *ASSEMBLIES, *LINES, *BLOCKS, *FLAT]
