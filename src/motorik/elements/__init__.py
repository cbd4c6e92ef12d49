"""Joints as mathematics: the pose, the screws and the constraint of every kind."""

from motorik.elements.ball import Ball
from motorik.elements.ball_angles import BallAngles
from motorik.elements.cross import Cross
from motorik.elements.cylinder import Cylinder
from motorik.elements.free import Free
from motorik.elements.free_angles import FreeAngles
from motorik.elements.free_cardan import FreeCardan
from motorik.elements.helix import Helix
from motorik.elements.joint import Coordinate, Joint, Reversed, combine
from motorik.elements.plane import Plane
from motorik.elements.slide import Slide
from motorik.elements.translation import Translation
from motorik.elements.turn import Turn

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


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
