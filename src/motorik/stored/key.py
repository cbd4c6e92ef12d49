"""The key of a stored model: the digest of everything that its equations follow from.

It is taken over the parts that `build` has made, never over the text of `build`: the class, path,
values and connections of each part, the options of loops, the present values of live parameters;
the files of this package and of CasADi; versions and processor.

A model has a key only where all of this is known to be data. A part of a user's class, a function
among the values, a class that was changed while the program runs: such a model has none. Models
and composites of users count as the parts that they are made of, if their classes add no
more than `build`, declarations and names that motorik does not know.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cached_property, partial
from operator import attrgetter
from types import FunctionType, MethodType
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.matrix import Matrix, Symmetric
from motorik.algebra.vector import Vector
from motorik.compiler.installed import PACKAGE, is_stamped, package_stamp
from motorik.components.base.composite import Composite
from motorik.components.base.declarations import ParameterSpec, PortSpec, StartSpec
from motorik.components.base.live_numbers import Live, LiveFormula, LiveScalar
from motorik.components.base.parameter import Parameter
from motorik.components.base.part import Part
from motorik.components.base.ports import Port
from motorik.components.base.resolving import Derived, NamedNumbers

if TYPE_CHECKING:
    from motorik.loops.options import LoopStrategy

BASES = frozenset(("typing", "collections.abc", "builtins", "abc", "enum"))

#: Numbers, words, and what is one of them. Their `repr` says exactly what they are.
PLAIN = frozenset((type(None), bool, int, float, complex, str, bytes))

#: What a class body or Python itself writes into every class.
OF_EVERY_CLASS = frozenset(
    "__module__ __qualname__ __doc__ __dict__ __weakref__ __annotations__ __firstlineno__ "
    "__static_attributes__ __annotate_func__ __annotations_cache__ __signature__ build "
    "_arguments_of_build specs _internal _values _unset _unkept _ports _parameters "
    "_deciding".split()
)

#: What parts note about their place and about what was made of them.
BOOKKEEPING = frozenset(
    "parent name connections parts revision withheld visual _pairs _waiting _followers "
    "_world _reads _read_by_build _own_parameters _arguments _own_numbers _compiled _latest "
    "_latest_run _latest_state _latest_options _latest_live _latest_mounts _latest_loaded".split()
)

#: The modules of kinds of attributes that classes of this package have besides functions.
KNOWN = frozenset("motorik builtins functools types typing abc _abc enum inspect".split())


class NotPlainError(Exception):
    """Something is not known to be data."""


def model_key(
    model: Composite, options: LoopStrategy, p: np.ndarray, host: str
) -> str | None:
    """Return the key of a model with these options and live values; None if it has none.

    `host` are the dependencies of machine code.
    """
    try:
        described = _Description(model).whole()
    except NotPlainError:
        return None
    given = (
        package_stamp(),
        graph_stamp(),
        host,
        sys.version,
        np.__version__,
        (options.strategy, options.by_part, options.gains),
        p.tobytes(),
        described,
    )
    return hashlib.sha256(repr(given).encode()).hexdigest()


class _Description:
    """The parts of a model as nested tuples of plain values."""

    def __init__(self, model: Composite) -> None:
        self.model = model
        self.live: dict[int, int] = {}  # the number of each live parameter, in order
        self.classes: dict[type, tuple[object, ...]] = {}
        self.around: list[int] = []  # values that are being described

    def whole(self) -> tuple[object, ...]:
        """Return all parts, and then the classes that they are of."""
        found = [self.part(part) for part in self.model.walk()]
        names = [(name, self.value(own)) for name, own in self.named_parameters()]
        return (*found, tuple(names), tuple(self.classes.values()))

    def named_parameters(self) -> Iterable[tuple[str, Parameter]]:
        """Return the live parameters by the names that they have in the model."""
        return self.model.live_parameters().items()

    def part(self, part: Part) -> tuple[object, ...]:
        """Return the class, the values, the numbers at its ports and the connections of a part."""
        if "specs" in part.__dict__:  # declarations of its own
            raise NotPlainError
        state = part.__dict__
        values: list[object] = []
        for name, spec in part.specs.items():
            if name in state:
                is_port = isinstance(spec, PortSpec)
                own = state[name].path if is_port else self.value(state[name])
                values.append((name, own))
        elements = [element for port in part.ports() for element in port.elements]
        numbers = [
            (one.path, self.value(one.default))
            for one in elements
            if one.default is not None
        ]
        wires = [(a.path, b.path) for a, b in part.connections]
        kind, others = self.kind(type(part)), tuple(self.others(part))
        return part.path, kind, tuple(values), others, tuple(numbers), tuple(wires)

    def others(self, part: Part) -> Iterable[object]:
        """Yield the attributes of a part besides its declarations.

        Attributes that a user gives to a model have no meaning for the parts within.
        """
        kind = type(part)
        own = self.is_own(kind) and getattr(kind, "build", None) is not Composite.build
        for name, value in part.__dict__.items():
            is_known = name in part.specs or name in BOOKKEEPING
            if not is_known and (own or hasattr(Composite, name)):
                yield name, self.value(value)

    # --- values ----------------------------------------------------------------------------

    def value(self, value: object) -> object:
        """Return a value as plain ones, with its type; refuse what may be anything else."""
        kind = type(value)
        if kind in PLAIN:
            return value
        if (
            isinstance(value, tuple)
            and kind is tuple
            and all(type(one) in PLAIN for one in value)
        ):
            return value
        if id(value) in self.around:
            raise NotPlainError
        self.around.append(id(value))
        try:
            return (kind.__qualname__, *self.content(value))
        finally:
            self.around.pop()

    def content(self, value: object) -> Iterable[object]:
        """Return the plain data that a value is made of."""
        if isinstance(value, (Port, Part)):
            return [value.path]
        if isinstance(value, Parameter):
            return self.parameter(value)
        if isinstance(value, LiveScalar):
            return [self.value(value.parameter), value.index]
        if isinstance(value, LiveFormula):
            return [value.name, *map(self.value, value.operands)]
        if isinstance(value, Live):
            raise NotPlainError
        if isinstance(value, Derived):
            return [value.owner.path, *self.function(value.function)]
        kind = type(value)
        if not self.is_own(kind) and kind not in (tuple, list, dict, np.ndarray):
            if isinstance(value, (np.bool_, np.number)):
                return [str(value.dtype), value.tobytes()]
            raise NotPlainError
        if isinstance(value, (tuple, list)):
            return map(self.value, value)
        if isinstance(value, Mapping):
            return [(self.value(k), self.value(v)) for k, v in value.items()]
        if isinstance(value, Enum):
            return [kind.__module__, value.name]
        if isinstance(value, np.ndarray):
            if value.dtype.hasobject:
                raise NotPlainError
            return [str(value.dtype), value.shape, value.tobytes()]
        return [kind.__module__, *map(self.value, self.leaves(value))]

    def leaves(self, value: object) -> Iterable[object]:
        """Return the entries of a vector, a matrix or a record."""
        if isinstance(value, (Vector, Matrix, Symmetric, NamedNumbers)):
            return [getattr(value, leaf) for leaf in value._leaves]
        from dataclasses import fields, is_dataclass

        if is_dataclass(value):
            return [getattr(value, own.name) for own in fields(value)]
        raise NotPlainError

    def parameter(self, live: Parameter) -> Iterable[object]:
        """Return which live parameter it is, and what is known of it beside its value."""
        known = id(live) in self.live
        number = self.live.setdefault(id(live), len(self.live))
        if known:
            return [number]
        own = (live.name, live.unit, live.description, live.fixed, live.is_vector)
        return [number, *own, live.is_designed, str(live.role), live.is_named]

    def function(self, function: object) -> Iterable[object]:
        """Return the identity of a function of this package that holds nothing but data."""
        if isinstance(function, attrgetter):
            return [str(function.__reduce__()[1])]
        if isinstance(function, partial):
            held = (*function.args, *function.keywords.items())
            return [*self.function(function.func), *map(self.value, held)]
        if isinstance(function, MethodType):
            return [self.value(function.__self__), *self.function(function.__func__)]
        if not isinstance(function, FunctionType) or not _is_ours(function):
            raise NotPlainError
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        held = (*cells, *(function.__defaults__ or ()))
        code = function.__code__
        own = (function.__module__, function.__qualname__, code.co_firstlineno)
        return [*own, *map(self.value, held)]

    # --- classes ---------------------------------------------------------------------------

    def kind(self, kind: type) -> str:
        """Return the name of a class of parts; refuse one that may mean anything."""
        name = f"{kind.__module__}.{kind.__qualname__}"
        for own in kind.__mro__:
            if own not in self.classes:
                self.classes[own] = ()  # entered once
                self.classes[own] = self.described(own)
        return name

    def described(self, kind: type) -> tuple[object, ...]:
        """Return the attributes of a class that are data; all others must be known."""
        name = (kind.__module__, kind.__qualname__)
        if kind.__module__ in BASES:
            return name
        is_own = self.is_own(kind)
        if not is_own and not issubclass(kind, Composite):
            raise NotPlainError
        return (*name, *(self.attributes(kind) if is_own else self.additions(kind)))

    @staticmethod
    def is_own(kind: type) -> bool:
        """Return whether a class is the one that its module in this package defines."""
        if not is_stamped(kind.__module__):
            return False
        home: object = sys.modules.get(kind.__module__)
        for name in kind.__qualname__.split("."):
            home = getattr(home, name, None)
        return home is kind

    def attributes(self, kind: type) -> Iterable[object]:
        """Yield the data among the attributes of a class of this package."""
        for name, value in vars(kind).items():
            if type(value) in PLAIN:
                if name not in ("__doc__", "__firstlineno__"):
                    yield name, value
            elif name not in OF_EVERY_CLASS:
                if type(value).__module__.partition(".")[0] not in KNOWN:
                    raise NotPlainError
                if isinstance(value, (tuple, list)):
                    yield name, [one for one in value if type(one) in PLAIN]
                for function in _functions_of(value):
                    if not _is_ours(function):
                        raise NotPlainError
                    yield name, function.__qualname__, function.__code__.co_firstlineno

    def additions(self, kind: type) -> Iterable[object]:
        """Yield the data that a user's class of models adds; refuse a change of behaviour."""
        if "__slots__" in vars(kind) or type(kind) is not type(Composite):
            raise NotPlainError
        around = [base for base in kind.__mro__[1:] if self.is_own(base) or base is object]
        for name, value in vars(kind).items():
            if name in OF_EVERY_CLASS:
                continue
            if isinstance(value, (ParameterSpec, StartSpec, PortSpec)):
                convert = getattr(value, "convert", None)
                if convert is not None and not _is_ours(convert):
                    raise NotPlainError
            elif any(name in vars(base) for base in around):
                yield name, self.value(value)


def _functions_of(value: object) -> list[FunctionType]:
    """Return the functions within an attribute of a class: of methods and properties."""
    if isinstance(value, FunctionType):
        return [value]
    if isinstance(value, property):
        found = [value.fget, value.fset, value.fdel]
    elif isinstance(value, (classmethod, staticmethod)):
        found = [value.__func__]
    elif isinstance(value, cached_property):
        found = [value.func]
    else:
        found = []
    return [own for own in found if isinstance(own, FunctionType)]


def _is_ours(function: object) -> bool:
    """Return whether the code of a function, and of what it wraps, stands in this package."""
    while function is not None:
        code = getattr(function, "__code__", None)
        if code is None or not code.co_filename.startswith(PACKAGE + os.sep):
            return False
        function = getattr(function, "__wrapped__", None)
    return True


# --- what is installed ---------------------------------------------------------------------


def graph_stamp() -> list[tuple[str, int, int]]:
    """Return the stamp of the installed CasADi, without importing it."""
    graph = importlib.util.find_spec("casadi")
    if graph is None or graph.origin is None:
        return []
    folder = os.path.dirname(graph.origin)
    files = [graph.origin, os.path.join(folder, "casadi.py")]
    found = [(file, os.stat(file)) for file in files]
    return [(file, status.st_size, status.st_mtime_ns) for file, status in found]


__all__ = ["model_key"]
