"""Authoring: all that is needed to write new kinds of parts, in one place.

A part declares its ports and parameters in its class body, and yields its physical meaning in
`contributions`. The annotation of a parameter, a kind of `kinds`, gives its unit, its limits and
its type; help, signature, checks and editors follow from the declaration::

    from collections.abc import Iterable, Mapping

    import motorik as mk
    from motorik.authoring import (
        Contribution, DeclaredPart, LineForce, Scalar, Values, Variable, kinds, parameter,
        rotational_flange,
    )

    class CubicSpring(DeclaredPart):
        '''A torsional spring that stiffens: τ = c φ³, φ = φ_b − φ_a.'''

        flange_a = rotational_flange("left flange")
        flange_b = rotational_flange("right flange")
        c: kinds.Number = parameter("stiffness", unit="N.m/rad3", default=1.0)

        @staticmethod
        def torque(p: Values, phi: Scalar, w: Scalar) -> Scalar:
            '''Return c φ³.'''
            return p.c * phi * phi * phi

        def contributions(self, p: Values) -> Iterable[Contribution]:
            '''Contribute the law that acts between the flanges.'''
            yield LineForce(self.flange_a, self.flange_b, p, type(self).torque)

        def variables(self, p: Values) -> Mapping[str, Variable]:
            '''Return the angle of flange_b relative to flange_a.'''
            a, b = self.flange_a, self.flange_b
            return {
                "phi": Variable(
                    lambda motion: motion.flange(b)[0] - motion.flange(a)[0], "rad", "twist"
                )
            }

    class Oscillator(mk.Model):
        '''An inertia on a cubic spring.'''

        def build(self, c: float = 2.0) -> None:
            self.world = mk.World()
            self.wall = mk.rotational.Fixed()
            self.spring = CubicSpring(c=c)
            self.wheel = mk.rotational.Inertia(J=1.0, phi=1.0)
            mk.connect(self.wall.flange, self.spring.flange_a)
            mk.connect(self.spring.flange_b, self.wheel.flange_a)

    result = Oscillator(c=4.0).simulate(1.0)

Declaring      `DeclaredPart` and `DeclaredComposite` (made of parts, with `build`);
               `parameter start frame rotational_flange translational_flange signal_input
               signal_output`, of truth values `boolean_input boolean_output`, of whole
               numbers `integer_input integer_output`; `kinds`; a mechanism that is simulated
               and declares parameters is ``class Arm(DeclaredComposite, Model)``
Values         `Values`, the type of p: the parameters as scalars; in a class without derived
               classes `typing_extensions.Self` lets editors know them; `Derived`, a value that
               follows from the parameters of another part; `Start`, `guess`, `Parameter`
Contributions  `Ground Gravity Rigid Mass FreeStart JointBetween LineForce Clamp FlangeInertia
               Coupling Prescribed FrameForce ConstraintBetween SignalLaw Measurement
               LineMass InitialCondition NonsmoothConstraint Trigger`,
               all of them a `Contribution`; a `NonsmoothConstraint` has `ForceBounds`
               and a `nonsmooth_force`, a `Trigger` `Assignment`s and `discrete` numbers
States         a `LineForce` or `FrameForce` may have `states`, each declared by `start`, with
               their `rates`; `motion.state(part, name)` reads one in `variables`. A `Compliant`
               names them in `states` and defines `rates(p, x, v, *states)`
Equations      `EquationPart` is a part written as equations: `unknown`s, and `equations` that
               yield `equal(left, right)` or `balance(…)`, with `der(x)` for ẋ; a port of a new
               `Domain` is declared by ``domain.port("description")``; ``steady()`` as a start
               value lets an unknown begin at rest
Results        `Variable`, a function of the `Motion` of the mechanism
Ports          `FramePort RotationalFlange TranslationalFlange SignalInput SignalOutput`
Special kinds  `Compliant`, a law between two flanges, with the flanges of `RotationalTwoFlanges` or
               `TranslationalTwoFlanges` (``line_names`` is `ROTATIONAL` or `TRANSLATIONAL`);
               `FrictionBetween` two flanges of a pair, `FrictionOnShaft` of a `RotationalShaft`
               or `TranslationalShaft`: the sliding force by ``resist(p, w, *signals)``, from
               tables by `interpolate_friction`, checked by `motorik.checks.check_friction`;
               `Block`, `OneToOne`, `Source`, of signals; `VectorJoint`, a joint that is
               only a constraint; `FlangeConstraint`, equations between the positions of flanges:
               ``residual(p, *positions)``; `PoseJoint`, a joint given by ``pose(p, *q)`` alone
"""

from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.composite import Composite, DeclaredComposite
from motorik.components.base.contributions import (
    Assignment,
    Clamp,
    ConstraintBetween,
    Contribution,
    Coupling,
    FlangeInertia,
    ForceBounds,
    FrameForce,
    FreeStart,
    Gravity,
    Ground,
    InitialCondition,
    JointBetween,
    LineForce,
    LineMass,
    Mass,
    Measurement,
    NonsmoothConstraint,
    Prescribed,
    Rigid,
    SignalLaw,
    Trigger,
)
from motorik.components.base.declarations import (
    boolean_input,
    boolean_output,
    frame,
    integer_input,
    integer_output,
    parameter,
    rotational_flange,
    signal_input,
    signal_output,
    start,
    translational_flange,
)
from motorik.components.base.equation_part import EquationPart, unknown
from motorik.components.base.internal import discrete, nonsmooth_force
from motorik.components.base.interpolation import interpolate_friction
from motorik.components.base.motion import Motion
from motorik.components.base.part import DeclaredPart, Part
from motorik.components.base.ports import (
    Domain,
    DomainPort,
    FramePort,
    Port,
    RotationalFlange,
    SignalInput,
    SignalOutput,
    SignalPort,
    TranslationalFlange,
    connect,
)
from motorik.components.base.resolving import Values
from motorik.components.base.values import Derived, Parameter, Start, guess, steady
from motorik.components.base.variable import Variable
from motorik.components.blocks.block import Block, OneToOne, Source
from motorik.components.joints.constraints import VectorJoint
from motorik.components.joints.posed import PoseJoint
from motorik.components.lines.base import Compliant
from motorik.components.lines.constraint import FlangeConstraint
from motorik.components.lines.flanges import (
    ROTATIONAL,
    TRANSLATIONAL,
    RotationalShaft,
    RotationalTwoFlanges,
    TranslationalShaft,
    TranslationalTwoFlanges,
)
from motorik.components.lines.friction import Friction, FrictionBetween, FrictionOnShaft
from motorik.elements.constraint import Constraint
from motorik.equations.language import Equation, balance, der, equal
from motorik.names import refuse_others as _refuse_others

__all__ = [
    "ROTATIONAL",
    "TRANSLATIONAL",
    "Assignment",
    "Block",
    "Clamp",
    "Compliant",
    "Composite",
    "Constraint",
    "ConstraintBetween",
    "Contribution",
    "Coupling",
    "DeclaredComposite",
    "DeclaredPart",
    "Derived",
    "Domain",
    "DomainPort",
    "Equation",
    "EquationPart",
    "FlangeConstraint",
    "FlangeInertia",
    "ForceBounds",
    "FrameForce",
    "FramePort",
    "FreeStart",
    "Friction",
    "FrictionBetween",
    "FrictionOnShaft",
    "Gravity",
    "Ground",
    "InitialCondition",
    "JointBetween",
    "LineForce",
    "LineMass",
    "Mass",
    "Measurement",
    "Motion",
    "NonsmoothConstraint",
    "OneToOne",
    "Parameter",
    "Part",
    "Port",
    "PoseJoint",
    "Prescribed",
    "Rigid",
    "RotationalFlange",
    "RotationalShaft",
    "RotationalTwoFlanges",
    "Scalar",
    "SignalInput",
    "SignalLaw",
    "SignalOutput",
    "SignalPort",
    "Source",
    "Start",
    "TranslationalFlange",
    "TranslationalShaft",
    "TranslationalTwoFlanges",
    "Trigger",
    "Values",
    "Variable",
    "VectorJoint",
    "balance",
    "boolean_input",
    "boolean_output",
    "connect",
    "der",
    "discrete",
    "equal",
    "frame",
    "guess",
    "integer_input",
    "integer_output",
    "interpolate_friction",
    "kinds",
    "nonsmooth_force",
    "parameter",
    "rotational_flange",
    "signal_input",
    "signal_output",
    "start",
    "steady",
    "translational_flange",
    "unknown",
]

__getattr__ = _refuse_others(__name__, __all__)
