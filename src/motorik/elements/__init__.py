"""Joints and transmission elements: motion goes forward, force comes back."""

from motorik.elements.ball import Ball
from motorik.elements.ball_angles import BallAngles
from motorik.elements.chain import MapChain
from motorik.elements.cross import Cross
from motorik.elements.cylinder import Cylinder
from motorik.elements.frame import Frame
from motorik.elements.free import Free
from motorik.elements.free_angles import FreeAngles
from motorik.elements.free_cardan import FreeCardan
from motorik.elements.gravity import Gravity
from motorik.elements.helix import Helix
from motorik.elements.joint import Coordinate, Joint, Reversed, combine
from motorik.elements.joint_element import ElementaryJoint, JointElement
from motorik.elements.leaf import Leaf
from motorik.elements.link import MultipleLink, RigidLink
from motorik.elements.load import ConstantWrench, SpringDamper
from motorik.elements.mass import MassElement
from motorik.elements.plane import Plane
from motorik.elements.slide import Slide
from motorik.elements.translation import Translation
from motorik.elements.transmission import Element, State, Subtask
from motorik.elements.turn import Turn
from motorik.elements.variable import (
    AngularVariable,
    LinearVariable,
    PlainVariable,
    StateVariable,
    variable_for,
)

# what every joint is, and its kinds
__all__ = [
    "Ball",
    "BallAngles",
    "Coordinate",
    "Cross",
    "Cylinder",
    "Free",
    "FreeAngles",
    "FreeCardan",
    "Helix",
    "Joint",
    "Plane",
    "Reversed",
    "Slide",
    "Translation",
    "Turn",
    "combine",
]

# state objects
__all__ += [
    "AngularVariable",
    "Frame",
    "LinearVariable",
    "PlainVariable",
    "State",
    "StateVariable",
    "variable_for",
]

# transmission elements
__all__ += [
    "ConstantWrench",
    "Element",
    "ElementaryJoint",
    "Gravity",
    "JointElement",
    "Leaf",
    "MapChain",
    "MassElement",
    "MultipleLink",
    "RigidLink",
    "SpringDamper",
    "Subtask",
]
