"""MOBILE programs as source: frames, variables, elements, chains and systems, named in order."""

from __future__ import annotations

import inspect
import keyword
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Flag
from numbers import Real

import numpy as np

from motorik import elements
from motorik.algebra.angle import Angle
from motorik.algebra.matrix import IDENTITY, Matrix, Symmetric
from motorik.algebra.pose import IDENTITY_POSE
from motorik.algebra.vector import Vector, X, Y, Z
from motorik.elements.joint import Joint
from motorik.errors import ParameterError
from motorik.mobile.arguments import call_of
from motorik.mobile.chords.chord import Chord, ChordBranch
from motorik.mobile.chords.topology import Topology
from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.mobile.dynamics.equations import EquationBuilder
from motorik.mobile.elements.chain import MapChain
from motorik.mobile.elements.joint_element import JointElement
from motorik.mobile.elements.link import RigidLink
from motorik.mobile.elements.load import ForceElement
from motorik.mobile.elements.mass import MassElement
from motorik.mobile.solvers.constraint_solver import ConstraintSolver
from motorik.mobile.solvers.explicit_solver import ExplicitConstraintSolver
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import (
    MutableAngle,
    MutableInertia,
    MutableRotation,
    MutableScalar,
    MutableVector,
)
from motorik.mobile.states.transmission import Element, walk
from motorik.mobile.states.variable import AngularVariable, LinearVariable, StateVariable
from motorik.source_layout import WIDTH, import_line, statement

STEMS: tuple[tuple[type, str], ...] = (
    *((JointElement, "R"), (RigidLink, "link_"), (MassElement, "M"), (Chord, "chord_")),
    *(
        (ConstraintSolver, "solver_"),
        (ForceElement, "load_"),
        (MapChain, "chain_"),
        (DynamicSystem, "system_"),
    ),
    *((EquationBuilder, "equations_"), (Element, "element_")),
)
"""How objects without a name are called, by their kind."""
OTHER_STEMS = (
    *((AngularVariable, "phi_"), (LinearVariable, "s_"), (StateVariable, "x_")),
    *((MutableVector, "r_"), (MutableAngle, "beta_"), (MutableRotation, "A_")),
    *((MutableInertia, "I_"), (MutableScalar, "p_")),
)
AXES = {X.xyz: "X", Y.xyz: "Y", Z.xyz: "Z"}


def write_program(
    chain: Element, system: DynamicSystem | EquationBuilder | None = None, name: str = ""
) -> str:
    """Return the source of a MOBILE program that makes a chain, and a system of it.

    Frames, variables and parameters have their names and present values; joints, links, masses,
    loads, chords and solvers follow in the order in which motion passes through them. Run as a
    program it integrates the system, or moves the chain, in a `Scene`. An element that cannot be
    written, such as one of a class of your own or with a function, is refused by name.
    """
    return _Program(chain, system).text(name)


class _Program:
    """The source of one program."""

    def __init__(
        self, chain: Element, system: DynamicSystem | EquationBuilder | None
    ) -> None:
        self.chain, self.system = chain, system
        self.moved = {
            id(state)
            for part in walk(chain)
            if isinstance(part, (JointElement, RigidLink))
            for state in part.outputs
        }
        self.names: dict[int, str] = {}
        self.kept: list[object] = []  # so that identities stay theirs
        self.taken: set[str] = {"scene", "motion", "frames"}
        self.frames: list[str] = []
        self.states: list[str] = []
        self.statements: list[str] = []
        self.imports: dict[str, set[str]] = {}

    def text(self, title: str) -> str:
        """Return the whole program."""
        self._reserve()
        own = self._ref(self.chain, "chain")
        system = None if self.system is None else self._ref(self.system, "system")
        main = self._main(own, system)
        made = [self._framed(), [statement(line) for line in self.states]]
        made.append([statement(line) for line in self.statements])
        imports = [
            import_line(module, [*self.imports[module]]) for module in sorted(self.imports)
        ]
        head = "\n".join([_docstring(title), "", *imports])
        body = "\n\n".join("\n".join(lines) for lines in made if lines)
        return "\n\n".join([head, body]) + "\n\n\n" + "\n".join(main) + "\n"

    def _reserve(self) -> None:
        """Keep the names of states free for them; elements are called otherwise."""
        from motorik.mobile import __all__ as own

        self.taken |= {*own, *elements.__all__}
        self.taken |= {"Matrix", "Pose", "Symmetric"}

    def _framed(self) -> list[str]:
        """Return the statements that make the frames, as many in one as fit in a line."""
        made = [name for name in self.frames if " = " not in name]
        made.sort(key=lambda name: [*map(_part, re.findall(r"\d+|\D+", name))])
        rows: list[list[str]] = []
        for name in made:
            if not rows or len(_frames_line([*rows[-1], name])) > WIDTH:
                rows.append([])
            rows[-1].append(name)
        for row in rows:
            self._import("motorik.mobile", "Frame" if len(row) == 1 else "frames")
        placed = [statement(line) for line in self.frames if " = " in line]
        return [*map(_frames_line, rows), *placed]

    def _main(self, chain: str, system: str | None) -> list[str]:
        """Return the lines that run when the program is started."""
        self._import("motorik.mobile", "Scene")
        lines = ['if __name__ == "__main__":', f"    scene = Scene({chain})"]
        if system is not None and isinstance(self.system, DynamicSystem):
            self._import("motorik.mobile", "AdamsIntegrator")
            lines.append(f"    motion = AdamsIntegrator({system}, time_interval=0.05)")
            lines.append("    scene.add_animation_object(motion)")
            lines.append("    scene.set_animation_increment(0.05)")
        return [*lines, "    scene.show()", "    Scene.main_loop()"]

    def _import(self, module: str, name: str) -> str:
        self.imports.setdefault(module, set()).add(name)
        return name

    # --- names ---------------------------------------------------------------------------

    def _named(self, one: object, wanted: str, stem: str) -> str:
        """Return a new name of an object: the one wanted if it is free, else a number."""
        name = re.sub(r"\W", "_", wanted)
        if not name.isidentifier() or keyword.iskeyword(name) or name in self.taken:
            stem = (
                name
                if name and name.isidentifier() and not keyword.iskeyword(name)
                else stem
            )
            stem = stem if stem[-1] in "_KRM" else f"{stem}_"
            k = 1
            while f"{stem}{k}" in self.taken:
                k += 1
            name = f"{stem}{k}"
        self.taken.add(name)
        self.names[id(one)] = name
        self.kept.append(one)
        return name

    def _ref(self, one: object, wanted: str = "") -> str:
        """Return the name of an object; the statements that make it come before."""
        if id(one) in self.names:
            return self.names[id(one)]
        if isinstance(one, Frame):
            return self._frame(one)
        if isinstance(one, StateVariable):
            return self._variable(one)
        for kind, stem in OTHER_STEMS:
            if isinstance(one, kind):
                return self._mutable(one, stem)
        return self._object(one, wanted)

    def _frame(self, frame: Frame) -> str:
        name = self._named(frame, frame.name, "K")
        self.frames.append(name)
        if id(frame) not in self.moved and frame.X != IDENTITY_POSE:
            pose = self._import("motorik.algebra", "Pose")
            R, p = self._value(frame.X.R), self._value(frame.X.p)
            self.frames.append(f"{name}.X = {pose}({R}, {p})")
        return name

    def _variable(self, one: StateVariable) -> str:
        stem = next(stem for kind, stem in OTHER_STEMS if isinstance(one, kind))
        name = self._named(one, one.name, stem)
        given = [f'"{name}"']
        for entry in ("q", "qd", "qdd"):
            value = float(getattr(one, entry))
            if value != 0.0:
                given.append(f"{entry}={value!r}")
        kind = self._import("motorik.mobile", type(one).__name__)
        self.states.append(f"{name} = {kind}({', '.join(given)})")
        return name

    def _mutable(self, one: object, stem: str) -> str:
        name = self._named(one, getattr(one, "name", ""), stem)
        kind = self._import("motorik.mobile", type(one).__name__)
        entries = [repr(float(x)) for x in one.entries]  # type: ignore[attr-defined]
        if isinstance(one, MutableRotation):
            rows = [", ".join(entries[k : k + 3]) for k in (0, 3, 6)]
            is_neutral = tuple(one.entries) == tuple(IDENTITY.entries)
            given = "" if is_neutral else f"[{', '.join(f'[{row}]' for row in rows)}]"
        elif isinstance(one, MutableInertia):
            given = f"({', '.join(entries)})"
        else:
            given = ", ".join(entries)
        parts = [given] if given else []
        self.states.append(_call(f"{name} = {kind}", [*parts, f'name="{name}"']))
        return name

    # --- elements ------------------------------------------------------------------------

    def _object(self, one: object, wanted: str) -> str:
        if isinstance(one, MapChain):
            return self._chain(one, wanted)
        call = call_of(one)
        kind = type(one)
        if call is None or not kind.__module__.startswith("motorik.mobile"):
            raise _refused(one, "is made by a class of its own")
        signature, args, given = call
        bound = signature.bind(one, *args, **given)
        items = [*self._arguments(one, bound)]
        head = self._import("motorik.mobile", kind.__name__)
        topology = next((x for x in args if isinstance(x, Topology)), None)
        if topology is not None:
            method, places = _parts_of(topology)
            head, items = f"{head}.{method}", [*map(self._value, places), *items[1:]]
        if isinstance(one, ExplicitConstraintSolver):
            items = [item for item in items if not item.startswith(("branch=", "near="))]
            if int(one.branch) != 1:
                items.append(f"branch={int(one.branch)}")
        stem = next((stem for base, stem in STEMS if isinstance(one, base)), "element_")
        name = self._named(one, wanted, stem)
        self.statements.append(_call(f"{name} = {head}", items))
        return name

    def _arguments(self, one: object, bound: inspect.BoundArguments) -> Iterator[str]:
        """Yield the arguments of a constructor; numbers that have changed as they are now."""
        parameters = bound.signature.parameters
        for name, value in [*bound.arguments.items()][1:]:
            kind = parameters[name].kind
            now = vars(one).get(name, value)
            value = now if isinstance(now, Real) and isinstance(value, Real) else value
            if kind is inspect.Parameter.VAR_POSITIONAL:
                assert isinstance(value, tuple)
                yield from (self._value(x, one) for x in value)
            elif kind is inspect.Parameter.VAR_KEYWORD:
                assert isinstance(value, dict)
                yield from (f"{n}={self._value(x, one)}" for n, x in value.items())
            elif kind is inspect.Parameter.KEYWORD_ONLY:
                yield f"{name}={self._value(value, one)}"
            else:
                yield self._value(value, one)

    def _chain(self, chain: MapChain, wanted: str) -> str:
        names = [self._ref(element) for element in chain.elements]
        name = self._named(chain, wanted or "", "chain_")
        made = f"{name} = {self._import('motorik.mobile', 'MapChain')}"
        line = " << ".join([f"{made}()", *names])
        self.statements.append(
            line if len(line) <= WIDTH else f"{made}([{', '.join(names)}])"
        )
        return name

    # --- values --------------------------------------------------------------------------

    def _value(self, value: object, of: object = None) -> str:
        """Return a value as an expression."""
        if value is None or isinstance(value, (bool, str)):
            return repr(value)
        for kinds, write in (
            (
                (Frame, StateVariable, Element, Chord, EquationBuilder, DynamicSystem),
                self._ref,
            ),
            (tuple(kind for kind, _ in OTHER_STEMS), self._ref),
        ):
            if isinstance(value, kinds):
                return write(value)
        if isinstance(value, Real):
            return repr(int(value)) if isinstance(value, int) else repr(float(value))
        if isinstance(value, Angle):
            return repr(float(value.radians))
        if isinstance(value, Vector):
            known = AXES.get(tuple(map(float, value.xyz)))
            if known:
                return self._import("motorik.mobile", known)
            made = self._import("motorik.mobile", "Vector")
            return f"{made}({', '.join(repr(float(x)) for x in value.xyz)})"
        if isinstance(value, (Matrix, Symmetric)):
            made = self._import("motorik.algebra", type(value).__name__)
            return f"{made}({', '.join(repr(float(x)) for x in value.entries)})"
        if isinstance(value, Flag):
            whole = self._import("motorik.mobile", type(value).__name__)
            if value == ChordBranch.ALL:
                return f"{whole}.ALL"
            own = [
                one
                for one in type(value)
                if one in value and one.value & (one.value - 1) == 0
            ]
            return " | ".join(f"{whole}.{one.name}" for one in own) or f"{whole}.NONE"
        if isinstance(value, Joint):
            return self._joint(value, of)
        if isinstance(value, np.ndarray):
            return repr(value.tolist())
        if isinstance(value, Topology):
            return ""
        if isinstance(value, (Sequence, Iterable)) and not isinstance(
            value, (Iterator, Mapping)
        ):
            return f"[{', '.join(self._value(one, of) for one in value)}]"
        raise _refused(of, f"has {value!r}, which is no value of a program")

    def _joint(self, joint: Joint, of: object) -> str:
        """Return the call that makes a kinematic pair."""
        name = type(joint).__name__
        if getattr(elements, name, None) is not type(joint):
            raise _refused(of, f"has a joint of a class of its own, {name}")
        self._import("motorik.elements", name)
        given = [
            f"{own}={self._value(getattr(joint, own), of)}"
            for own, one in inspect.signature(type(joint)).parameters.items()
            if one.default is one.empty or getattr(joint, own, None) != one.default
        ]
        return f"{name}({', '.join(given)})"


def _part(text: str) -> tuple[bool, int, str]:
    """Return a piece of a name as names are sorted: K2 before K10."""
    return (text.isdigit(), int(text) if text.isdigit() else 0, text)


def _parts_of(topology: Topology) -> tuple[str, list[object]]:
    """Return the method that makes a topology, and its arguments."""
    first, chain = topology.terms[0], topology.chain
    if len(topology.terms) == 1:
        is_absolute = first.base_branch is ChordBranch.NONE
        places: list[object] = [first.span.end, *([] if is_absolute else [first.span.base])]
        more = [topology.offset, *([] if chain is None else [chain])]
        return ("absolute" if is_absolute else "relative"), [*places, *more]
    below = topology.terms[1].span
    end = [] if chain is None else [chain]
    if first.upper is None:
        return "absolute_difference", [first.span.end, below.end, *end]
    return "relative_difference", [first.span.end, first.upper, below.end, below.base, *end]


def _call(head: str, items: Sequence[str]) -> str:
    return f"{head}({', '.join(items)})"


def _frames_line(names: Sequence[str]) -> str:
    """Return the statement that makes frames of these names."""
    if len(names) == 1:
        return f'{names[0]} = Frame("{names[0]}")'
    return f'{", ".join(names)} = frames("{" ".join(names)}")'


def _docstring(title: str) -> str:
    """Return a docstring: the first line is a sentence."""
    first, _, rest = (title or "A mechanism as a chain of transmission elements").partition(
        "\n"
    )
    first = first if first.endswith((".", "!", "?")) else f"{first}."
    said = f"{first}\n{rest}\n" if rest.strip() else first
    said = said.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""{said}"""'


def _refused(one: object, why: str) -> ParameterError:
    return ParameterError(
        repr(one),
        f"{why}, so it cannot be written.",
        "Use elements of motorik.mobile with numbers, or write this part of the program by hand.",
        parameter="chain",
        value=one,
    )
