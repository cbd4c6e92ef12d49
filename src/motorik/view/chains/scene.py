"""The scene of a chain of elements: in pictures, films and on a live page, with its widgets."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from motorik.algebra.given import unit_axis
from motorik.algebra.vector import X, Y, Z
from motorik.analysis.manipulator import MoveOutcome
from motorik.errors import IncompleteRunWarning, MotorikError, ParameterError
from motorik.mobile import Element, Frame, JointElement, StateVariable, Widget
from motorik.mobile.dynamics.arguments import Direction
from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.mobile.widgets import Target
from motorik.view.argument_checks import (
    check_count,
    check_number,
    check_positive,
    check_switch,
    check_text,
)
from motorik.view.chains.program import ChainProgram
from motorik.view.render import Picture, draw, write_movie
from motorik.view.scene.place import ScenePose, Triple, triple
from motorik.view.scene.scene import Scene as DrawnScene
from motorik.view.scene_builder.chain import (
    frame_poses,
    frames_of,
    has_visual,
    scene_of_chain,
    shown_parts,
)
from motorik.view.scene_builder.gather import ShownParts, note_shapes
from motorik.view.visuals.given_shapes import GivenShape, read_shape
from motorik.view.visuals.setting import Sizes

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from motorik.view.live.chain_session import ChainSession
    from motorik.view.live.options import PageOptions
    from motorik.view.render.options import DrawOptions, MovieOptions
    from motorik.view.web.film import ViewOptions


# --- errors --------------------------------------------------------------------------------


def refused(why: str, remedy: str, name: str, value: object) -> ParameterError:
    """Return the error that a scene cannot take a value."""
    return ParameterError("Scene", why, remedy, parameter=name, value=value)


def check_kind(name: str, value: object, kind: type, remedy: str) -> None:
    """Raise if a value is not of a kind."""
    if not isinstance(value, kind):
        word = {"StateVariable": "variable"}.get(kind.__name__, kind.__name__.lower())
        raise refused(f"{name} = {value!r} is no {word}.", remedy, name, value)


def with_fault(
    scene: DrawnScene, parts: Sequence[Element | Frame], error: MotorikError
) -> DrawnScene:
    """Return a scene with an error message at its part, else at the first."""
    about = [k for k, part in enumerate(parts) if repr(part) == error.place]
    number = about[0] if about else 0
    if not parts:
        return scene
    described = list(scene.parts)
    described[number] = replace(described[number], note=str(error))
    frames = {id(frame): k for k, frame in enumerate(frames_of(parts), 1)}
    own = [frames[id(frame)] for frame in frames_of([parts[number]])]
    at = {described[number].path: ScenePose(own[0])} if own else {}
    words = note_shapes(ShownParts(described), scene.size / 2, at)
    return replace(scene, parts=tuple(described), shapes=(*scene.shapes, *words))


# --- the upward direction: given, else against gravity -------------------------------------


AXES = (X, Y, Z)


def read_up(given: int | Direction | None) -> Triple | None:
    """Return the direction that was given, as an axis, its number 0, 1, 2 or a vector."""
    if given is None:
        return None
    try:
        axis = dict(enumerate(AXES))[given] if isinstance(given, int) else given
        return triple(unit_axis(axis).numpy())
    except (MotorikError, TypeError, ValueError, LookupError):
        why = f"up = {given!r} is not a direction."
        remedy = 'Give 0, 1 or 2, an axis such as Y or "y", or three numbers.'
        raise refused(why, remedy, "up", given) from None


def against_gravity(systems: Iterable[DynamicSystem]) -> Triple:
    """Return the upward direction of the first system that has gravity; z without any."""
    for system in systems:
        g = system.gravity.numpy()
        if g.any():
            return triple(-g / np.linalg.norm(g))
    return triple(Z.numpy())


T = TypeVar("T")


class Scene:
    """The scene of a chain: joints, links as struts, springs and masses.

    `make_shape` adds to it, frames as triads and meshes; with ``everything=False`` only what
    it names is shown, as in MOBILE. `show` opens a live page, with
    the sliders and push buttons of its widgets (`motorik.mobile.Widget`); there joints and
    points are dragged, loops kept closed, and the elements given to `add_animation_object`,
    such as an integrator, are moved step by step. `up` is the axis that points up, 1 or "y";
    by default against the gravity of the systems that are integrated, else z.
    """

    def __init__(
        self,
        chain: Element,
        up: int | Direction | None = None,
        title: str = "chain",
        everything: bool = True,
    ) -> None:
        check_kind("chain", chain, Element, "Give a MapChain, or one element of it.")
        self.chain, self.title = chain, check_text("Scene", "title", title)
        self.everything = check_switch("Scene", "everything", everything)
        self._up = read_up(up)
        self.increment = 0.1
        self.program = ChainProgram(chain)
        self.widgets: list[Widget] = []
        self.session: ChainSession | None = None
        self.outcome: MoveOutcome | None = None
        self._shown: list[Element | Frame] = []
        self._given: dict[int, list[GivenShape]] = {}
        self._manipulators: list[tuple[JointElement, Widget]] = []
        self._is_quiet = False

    # --- shown objects ---------------------------------------------------------------------------

    def make_shape(
        self,
        *parts: Element | Frame | str | float,
        color: str | Sequence[float] | None = None,
        at: Sequence[float] = (0.0, 0.0, 0.0),
        axis: Direction | None = None,
    ) -> None:
        """Show frames, joints, links or masses, with shapes of their own or with those given.

        The name of a shape with its sizes [m], or a file with a mesh, is the shape of the part
        before:

        * ``scene.make_shape(K0, rod)`` shows a frame as a triad, and a link as a strut;
        * ``scene.make_shape(K2, "sphere", 0.1, color="red")`` a ball of this diameter on a frame;
        * ``scene.make_shape(K2, "box", 0.3, 0.1, 0.1, at=(0, 0.2, 0), axis="y")`` a box whose
          length points along y of the frame, begun at `at` [m];
        * ``scene.make_shape(K2, "ball.stl")`` a mesh (STL, OBJ, GLB, DXF);
        * ``scene.make_shape(rod, color="#1f77b4")`` a link in another colour.

        Sizes are: sphere diameter; box, beam and ellipsoid length, width, height; cylinder,
        cone and arrow length, diameter; pipe length, diameter, inner; torus diameter, tube;
        wheel diameter, width, inner; axes size. `color` is a name, "#rrggbb" or red, green, blue.
        """
        given = list(parts)
        while given:
            part, name, sizes = given.pop(0), "", []
            if given and isinstance(given[0], str):
                name = given.pop(0)
                while given and isinstance(given[0], (int, float)):
                    sizes.append(given.pop(0))
            if not isinstance(part, Element | Frame) or not has_visual(part):
                raise refused(
                    f"{part!r} has no shape.",
                    "Show frames, joints, rigid links or masses; a shape with its sizes or a file "
                    "with a mesh comes after the part that it is attached to.",
                    "parts",
                    part,
                )
            shape = read_shape(str(name), sizes, color, at, axis)
            if shape != GivenShape():
                shapes = self._given.setdefault(id(part), [])
                if shape not in shapes:
                    shapes.append(shape)
            if not any(part is shown for shown in self._shown):
                self._shown.append(part)
        self._renew()

    def _renew(self) -> None:
        """Update an open page with new objects."""
        if self.is_open:
            assert self.session is not None
            self.do(self.session.renew)

    @property
    def is_open(self) -> bool:
        """Whether there is a live page of it."""
        return self.session is not None and not self.session.is_closed

    def make_manipulator(
        self,
        joint: JointElement,
        file: str = "",
        *,
        low: float | None = None,
        high: float | None = None,
    ) -> Widget:
        """Show a joint that is turned or slid by dragging it, and return sliders for it.

        `file` is a mesh for it. The sliders go from `low` to `high`, in degrees for angles and
        in metres for lengths; by default half a turn, or the size of the mechanism, each way.
        """
        if not isinstance(joint, JointElement):
            raise refused(
                f"{joint!r} is not a joint.",
                "Make manipulators of joints; frames and links have shapes alone.",
                "joint",
                joint,
            )
        self.make_shape(*([joint, file] if file else [joint]))
        before = [widget for own, widget in self._manipulators if own is joint]
        self._manipulators = [one for one in self._manipulators if one[0] is not joint]
        self.widgets = [one for one in self.widgets if one not in before]
        name = joint.b.name or repr(joint.b)
        widget = Widget(self, self.chain, f"Manipulator of {name}")
        self._manipulators.append((joint, widget))
        size = self.do(lambda: self.program.size)
        for variable in joint.variables:
            far = 180.0 if variable.unit == "rad" else size
            range_ = -far if low is None else low, far if high is None else high
            widget.add_slider(variable, *range_, variable.name or "q")
        return widget

    def is_manipulator(self, joint: JointElement) -> bool:
        """Return whether a joint is dragged by its own variables."""
        return any(joint is own for own, _ in self._manipulators)

    @property
    def parts(self) -> list[Element | Frame]:
        """The shown objects: all of the chain that have a shape, and those that were named."""
        own = shown_parts(self.chain) if self.everything else []
        return own + [p for p in self._shown if not any(p is one for one in own)]

    def scene(self) -> DrawnScene:
        """Return the scene of the chain at the present values of its variables.

        The chain itself stays as it is. A loop that does not close is reported at its solver.
        """
        return self.do(self._placed_scene)

    def _placed_scene(self) -> DrawnScene:
        with self.program.placed() as fault:
            scene = self._scene()
        return scene if fault is None else with_fault(scene, self.parts, fault)

    def live_scene(self, sizes: Sizes | None = None) -> DrawnScene:
        """Return the scene; whether it is planar is seen from where the inputs move it."""
        return self._scene(probes=self._probes(), sizes=sizes)

    def _probes(self) -> np.ndarray:
        """Return the poses of all frames where each input is moved a little."""
        frames = frames_of(self.parts)
        found = self.program.probe(lambda: frame_poses(frames))
        return np.array(found).reshape(len(found), len(frames), 7)

    def _scene(
        self,
        rows: tuple[np.ndarray, np.ndarray] | None = None,
        probes: np.ndarray | None = None,
        sizes: Sizes | None = None,
    ) -> DrawnScene:
        options = {"rows": rows, "probes": probes, "sizes": sizes}
        return scene_of_chain(self.parts, self.up, self.title, self._given, **options)

    @property
    def up(self) -> Triple:
        """The upward direction."""
        return self._up or against_gravity(self.program.systems)

    # --- animation -------------------------------------------------------------------------------

    def add_animation_object(self, element: Element) -> None:
        """Add an element that is moved in each step, after those added before."""
        remedy = "Give an integrator of a system, a driver or a chain."
        check_kind("element", element, Element, remedy)
        self.program.movers.append(element)
        self._renew()

    def set_animation_increment(self, seconds: float) -> None:
        """Set the time [s] between two steps; 0 is as fast as possible."""
        self.increment = check_number("Scene", "seconds", seconds, low=0.0)
        if self.session is not None and self.is_open:
            self.do(self.session.take_increment)

    def step(self) -> None:
        """Move all animation objects once, and show the chain."""
        if self.session is not None and self.is_open:
            self.session.step()
        else:
            self.program.move_once()

    @property
    def is_running(self) -> bool:
        """Whether the animation runs."""
        return self.session is not None and self.is_open and self.session.is_running

    def run_animation(self) -> None:
        """Start the animation on the page, or stop it."""
        self.program.check_movers()
        session = self.show()
        if session.is_running:
            session.pause()
        else:
            session.play()

    # --- the live page ---------------------------------------------------------------------------

    def live(self, **options: Unpack[PageOptions]) -> ChainSession:
        """Open a live page, and return its session; options as in `view.live.ChainSession`.

        A scene has one page at a time: the one before is closed.
        """
        from motorik.view.live.chain_session import ChainSession

        if self.session is not None:
            self.session.close()
            self.session = None
        self.program.bring_up()
        self.session = ChainSession(self, **options)
        return self.session

    def show(self, **options: Unpack[PageOptions]) -> ChainSession:
        """Open the live page, if it is not open yet, and return its session."""
        if self.session is not None and self.is_open:
            return self.session
        return self.live(**options)

    @staticmethod
    def main_loop(timeout: float | None = None) -> None:
        """Let users operate the pages of all scenes until their browser is closed, or Ctrl-C.

        A page that is only loaded again counts as open. A notebook does that by itself: there
        it waits only where a `timeout` [s] is given.
        """
        from motorik.view.live.chain_session import ChainSession
        from motorik.view.web.show import in_notebook

        if timeout is not None or not in_notebook():
            ChainSession.wait_for_all(timeout)

    def add_widget(self, widget: Widget) -> None:
        """Take a widget, or one that has got another control, and show it if a page is open."""
        if not any(widget is own for own in self.widgets):
            self.widgets.append(widget)
            self.program.others.append(widget.element)
        session = self.session
        if session is not None and self.is_open:
            self.do(lambda: session.add_widget(widget))

    def show_widget(self, widget: Widget) -> ChainSession:
        """Show a widget on the page, which is opened if it is not yet."""
        self.add_widget(widget)
        return self.show()

    def refresh(self) -> None:
        """Show the chain on the page in its present position, and the present values."""
        if self.session is not None and self.is_open and not self._is_quiet:
            self.session.refresh()

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Let nothing be shown meanwhile."""
        self._is_quiet = True
        try:
            yield
        finally:
            self._is_quiet = False

    def do(self, function: Callable[[], T]) -> T:
        """Return the result of a function that is called while nothing else moves the chain."""
        if self.session is not None and self.is_open:
            return self.session.do(function)
        return function()

    # --- moving it -------------------------------------------------------------------------------

    def drag(
        self,
        frame: Frame,
        target: Sequence[float],
        point: Sequence[float] = (0.0, 0.0, 0.0),
    ) -> MoveOutcome:
        """Pull a point of a frame [m] to a target [m], loops closed; return the drag outcome."""

        def act() -> MoveOutcome:
            hand = self.program.hand
            outcome = hand.move(hand.grip_of_frame(frame, point), target)
            hand.let_go()
            return outcome

        check_kind("frame", frame, Frame, "Give the frame itself.")
        outcome = self.do(act)
        self.refresh()
        return outcome

    def turn(self, variable: StateVariable, value: float) -> MoveOutcome:
        """Move a variable, also one that a solver moves, to a value [rad or m]."""
        check_kind("variable", variable, StateVariable, "Give the variable itself.")
        outcome = self.do(lambda: self.program.hand.turn(variable, value))
        self.refresh()
        return outcome

    def give(
        self, target: Target, entry: str, number: float, element: Element
    ) -> MoveOutcome | None:
        """Give a number of the mechanism a value and move the element; both, or neither.

        Variables of the chain are moved as by a hand, as far as loops close, and keep their
        speeds. Returns the drag outcome.
        """
        self.outcome = self.program.give(target, entry, number, element)
        return self.outcome

    # --- pictures and films ----------------------------------------------------------------------

    def draw(self, **options: Unpack[DrawOptions]) -> Picture:
        """Draw the chain at the present values of its variables, and leave it as it is.

        Options as in `motorik.view.draw`.
        """
        return draw(self.scene(), **options)

    def to_html(
        self,
        file: str | Path,
        pictures: int,
        increment: float | None = None,
        **options: Unpack[ViewOptions],
    ) -> Path:
        """Write `pictures` steps, one per `increment` [s], as a page; it moves the chain.

        Options as in `result.to_html`.
        """
        from motorik.view.web.film import check_page, write_film

        check_page("to_html", file)
        scene, _ = self._stepped("to_html", pictures, increment)
        return write_film(scene, file, **options)

    def to_movie(
        self,
        file: str | Path,
        pictures: int,
        increment: float | None = None,
        **options: Unpack[MovieOptions],
    ) -> Path:
        """Write `pictures` steps, one per `increment` [s], as GIF, WebP or MP4; it moves the chain.

        Options as in `result.to_movie`.
        """
        scene, increment = self._stepped("to_movie", pictures, increment)
        given: MovieOptions = {"fps": 1.0 / increment, "speed": 1.0, **options}
        return write_movie(scene, file, **given)

    def _stepped(
        self, caller: str, pictures: int, increment: float | None
    ) -> tuple[DrawnScene, float]:
        """Move the chain by steps; return the scene of them, and the time [s] of one."""
        self.program.check_movers()
        check_count(caller, "pictures", pictures, low=1)
        if increment is not None:
            check_positive(caller, "increment", increment)
        increment = increment or self.increment or 0.1
        scene, ended = self.do(lambda: self._moved_scene(pictures, increment))
        self.refresh()
        if ended:
            warnings.warn(ended, IncompleteRunWarning, stacklevel=3)
        return scene, increment

    def _moved_scene(self, pictures: int, increment: float) -> tuple[DrawnScene, str]:
        """Return the scene with a run of so many steps, and why it ended early, or ""."""
        self.program.bring_up()
        frames, ended = frames_of(self.parts), ""
        seen = [frame_poses(frames)]
        for step in range(pictures):
            try:
                self.program.move_once()
            except MotorikError as error:
                ended = f"The film ends after {step} of {pictures} steps: {error}"
                break
            seen.append(frame_poses(frames))
        times = increment * np.arange(len(seen))
        return self._scene((times, np.array(seen))), ended

    def _repr_html_(self) -> str:
        from motorik.view.web.show import representation

        return representation(self.scene)
