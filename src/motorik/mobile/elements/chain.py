"""MapChain: elements one after another, as one element."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NoReturn

from motorik.components.base.units import warn_of_degrees
from motorik.errors import AssemblyError, ParameterError
from motorik.mobile.states.mutable import Mutable, mutable_of
from motorik.mobile.states.transmission import Element, State, Subtask, unique
from motorik.mobile.states.variable import StateVariable


class MapChain(Element):
    """A chain φ = φ_n ∘ … ∘ φ₁: motion runs through it forward, force backward.

    >>> from motorik.algebra.vector import Vector
    >>> from motorik.mobile import AngularVariable, ElementaryJoint, Frame, MassElement
    >>> K0, K1, phi = Frame("K0"), Frame("K1"), AngularVariable("phi", qdd=2.0)
    >>> wheel = MapChain() << ElementaryJoint(K0, K1, phi)
    >>> wheel << MassElement(K1, m=1.0, r_CM=Vector(0.5, 0.0, 0.0))
    MapChain of 2: ElementaryJoint, MassElement
    >>> wheel.motion(); wheel.force(); phi.Q
    -0.5
    """

    def __init__(self, elements: Iterable[Element] = ()) -> None:
        self.elements: list[Element] = []
        self._is_moved = False  # whether the first traversal, which checks units, is done
        self._users: dict[
            int, tuple[str, Element]
        ] = {}  # use of each state, and its element
        for element in elements:
            self.append(element)

    def append(self, element: Element) -> None:
        """Append an element; the elements that move it must be in the chain already."""
        if not isinstance(element, Element):
            raise AssemblyError(
                "MapChain",
                f"{element!r} is not a transmission element.",
                "Give joints, links, loads and masses, or chains of these.",
                value=element,
            )
        for state in element.outputs:
            if id(state) in self._users:
                use, earlier = self._users[id(state)]
                raise AssemblyError(
                    f"{type(element).__name__} in a MapChain",
                    f"{state!r}, which it moves, is already {use} by {earlier!r}.",
                    "Put elements in the order in which motion passes through them; only "
                    "one of them may move a frame. Unknowns that depend on each other "
                    "belong to one ImplicitConstraintSolver; sub-chains of an "
                    "EquationBuilder are a list, [first, second].",
                )
        self._users.update((id(state), ("read", element)) for state in element.inputs)
        self._users.update((id(state), ("moved", element)) for state in element.outputs)
        self.elements.append(element)

    def __lshift__(self, element: Element) -> MapChain:
        self.append(element)
        return self

    @property
    def inputs(self) -> Sequence[State]:
        """The states that the elements read and none of them moves."""
        moved = {id(state) for state in self.outputs}
        read = (state for element in self.elements for state in element.inputs)
        unmoved = {id(state): state for state in read if id(state) not in moved}
        return tuple(unmoved.values())

    @property
    def outputs(self) -> Sequence[State]:
        """The states that the elements move."""
        return tuple(state for element in self.elements for state in element.outputs)

    @property
    def inner(self) -> Sequence[Element]:
        """The elements in their order."""
        return tuple(self.elements)

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The parameters of the elements that may be changed, each once."""
        return mutable_of(*self.elements)

    @property
    def touched(self) -> Sequence[State]:
        """All state objects of the elements."""
        return unique(*(element.touched for element in self.elements))

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit motion through the elements in their order."""
        if not self._is_moved:
            self._is_moved = True
            for state in self.inputs:
                if isinstance(state, StateVariable):
                    label = state.name or type(state).__name__
                    warn_of_degrees(label, "q", state.unit, state.q)
        if not isinstance(subtasks, Subtask):
            _refuse_subtasks("motion", subtasks)
        for element in self.elements:
            element.motion(subtasks)

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit force through the elements in reverse order."""
        if not isinstance(subtasks, Subtask):
            _refuse_subtasks("force", subtasks)
        for element in reversed(self.elements):
            element.force(subtasks)

    def __repr__(self) -> str:
        kinds = ", ".join(type(element).__name__ for element in self.elements)
        return f"MapChain of {len(self.elements)}: {kinds}"


def _refuse_subtasks(name: str, subtasks: object) -> NoReturn:
    raise ParameterError(
        f"MapChain.{name}",
        f"subtasks = {subtasks!r} is not a Subtask.",
        "Give e.g. Subtask.POSITION | Subtask.VELOCITY, or nothing for all.",
        parameter="subtasks",
        value=subtasks,
    )
