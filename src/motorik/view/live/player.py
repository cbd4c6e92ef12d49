"""Player: the subject of a session; it has poses and inputs and advances in time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from motorik.analysis.manipulator import MoveOutcome
from motorik.analysis.manipulator.grip import Grip
from motorik.errors import ParameterError
from motorik.view.live.budget import IsOver, never
from motorik.view.live.saving import Settings
from motorik.view.scene.scene import Channel, Scene

Point = Sequence[float] | np.ndarray
"""Three lengths [m]."""


class Player(ABC):
    """A mechanism that is seen, set, moved by hand, and goes on in time from there.

    A model (`ModelPlayer`) or a chain of transmission elements (`ChainPlayer`). For one thread
    at a time. All numbers are in SI units.
    """

    keep_speed: bool = False
    """Whether the speed of a hand is kept where it lets go."""
    hands: ClassVar[tuple[str, ...]] = ("kinematics", "statics")
    """The modes in which it is dragged."""

    # --- the scene -----------------------------------------------------------------------------

    @property
    @abstractmethod
    def scene(self) -> Scene:
        """The scene that pages show."""

    @abstractmethod
    def poses(self) -> np.ndarray:
        """Return where all rigid groups of the scene but the world are now, groups × 7."""

    @abstractmethod
    def channels(self) -> np.ndarray:
        """Return the present values of all channels of the scene."""

    @abstractmethod
    def readings(self, part: int) -> tuple[Channel, ...]:
        """Return further values of a part of the scene that a page points at."""

    @abstractmethod
    def read(self, part: int) -> np.ndarray:
        """Return the present values of the `readings` of a part."""

    @abstractmethod
    def known_names(self) -> list[str]:
        """Return the names of everything that can be read."""

    @abstractmethod
    def look_again(self) -> bool:
        """Build the scene again, as inputs may change it; return whether it differs."""

    # --- time ----------------------------------------------------------------------------------

    @property
    @abstractmethod
    def time(self) -> float:
        """The time reached [s]."""

    @property
    def clock(self) -> float:
        """The quantity that follows the wall clock [s]: time, unless steps have their own pace."""
        return self.time

    def check_goes_on(self) -> None:  # noqa: B027 - most do
        """Raise if the player cannot advance in time."""

    @abstractmethod
    def advance(self, dt: float, is_over: IsOver = never) -> None:
        """Go on as far as is due after dt [s] of the `clock`, or until `is_over`; nothing for 0."""

    @abstractmethod
    def step(self, dt: float, is_over: IsOver = never) -> None:
        """Go on by one step of dt [s], or of its own length, or until `is_over`."""

    @property
    def ended_by(self) -> str:
        """The name of the condition that ended the last step, else empty."""
        return ""

    @abstractmethod
    def reset(self) -> None:
        """Restart with the present inputs."""

    def forget_start(self) -> None:  # noqa: B027 - most players need nothing
        """Forget where hands and start values have moved the start."""

    # --- inputs --------------------------------------------------------------------------------

    @abstractmethod
    def unit_of(self, name: str) -> str:
        """Return the unit of what can be set; refuse anything else."""

    @abstractmethod
    def set(self, name: str, value: float) -> MoveOutcome | None:
        """Set an input; return the drag outcome if the pose moved."""

    @abstractmethod
    def values(self, names: Sequence[str]) -> list[float]:
        """Return the present values of inputs."""

    @abstractmethod
    def __getitem__(self, name: str) -> float | np.ndarray:
        """Return the present value of any variable."""

    @abstractmethod
    def settings(self, stop_time: float | None) -> Settings:
        """Return the values that were set; a run of them ends at `stop_time` [s]."""

    @abstractmethod
    def changes_visuals(self, name: str) -> bool:
        """Return whether an input may change visuals, so that the scene must be built again."""

    # --- hands -----------------------------------------------------------------------------------

    @abstractmethod
    def grip(self, group: int, point: Point, part: int | None = None) -> Grip:
        """Hold a point [m] of a rigid group, taken at a part of the scene."""

    @abstractmethod
    def grip_of_frame(self, frame: str, point: Point) -> Grip:
        """Hold a point [m] of a frame, by its name."""

    @abstractmethod
    def grip_of(self, name: str) -> Grip:
        """Hold a coordinate."""

    @abstractmethod
    def move(self, grip: Grip, target: np.ndarray, is_over: IsOver = never) -> MoveOutcome:
        """Move the dragged point until it is there or `is_over`; time stands still."""

    @abstractmethod
    def torques(self) -> dict[str, float]:
        """Return the torques [N·m] and forces [N] that hold the present pose at rest."""

    def torque_unit(self, name: str) -> str:
        """Return the unit of the force or torque that holds a coordinate."""
        return {"rad": "N.m", "m": "N"}.get(self.unit_of(name), "")

    @abstractmethod
    def let_go(self) -> None:
        """End a movement by hand."""

    @abstractmethod
    def remember(self) -> Any:
        """Return where everything is now, for `go_back`."""

    @abstractmethod
    def go_back(self, memory: Any) -> None:
        """Restore the stored state."""

    # --- pulling by a spring, while time goes on -----------------------------------------------

    def prepare_pull(self, grip: Grip) -> Callable[[], object] | None:
        """Return the long work that must be done before a pull, for another thread; None: none."""
        raise ParameterError(
            grip.name,
            "cannot be pulled by a spring here.",
            "Stop, drag it in the mode kinematics, and go on from there.",
            parameter="mode",
        )

    def begin_pull(self, grip: Grip) -> None:
        """Attach a spring between the dragged point and a hand at a position."""
        self.prepare_pull(grip)

    def pull(self, target: np.ndarray) -> None:  # noqa: B027 - nothing, without a spring
        """Move the hand at the end of the spring [m]."""

    def end_pull(self) -> None:  # noqa: B027 - nothing, without a spring
        """Let go; the motion goes on."""

    @property
    def is_pulled(self) -> bool:
        """Whether a hand pulls by a spring."""
        return False

    @property
    def stiffness(self) -> float:
        """The stiffness of the spring by which a hand pulls [N/m], 0 without one."""
        return 0.0


def refuse_group(scene: Scene, group: int) -> ParameterError:
    """Return the error that a rigid group is none that a hand could hold."""
    names = scene.groups
    name = names[group] if 0 <= group < len(names) else f"rigid group {group}"
    return ParameterError(
        name,
        "cannot be dragged.",
        "Drag a body or a joint that moves.",
        parameter="group",
        value=group,
    )
