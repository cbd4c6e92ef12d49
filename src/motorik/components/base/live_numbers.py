"""Live numbers: placeholders for numbers that each run sets, and formulas of them."""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakValueDictionary

import numpy as np

from motorik.algebra import scalar as s
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from motorik.components.base.parameter import Parameter


# --- operations of live numbers, by name --------------------------------------------------


ELEMENTARY = "sin cos tan arcsin arccos arctan sqrt exp log fabs floor".split()
COMPARED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def _choose(compare: Callable[[Scalar, Scalar], Scalar], *given: Scalar) -> Scalar:
    a, b, yes, no = given
    return s.where(compare(a, b), yes, no)


OPERATIONS: dict[str, Callable[..., Scalar]] = {
    "add": s.add,
    "sub": s.sub,
    "mul": s.mul,
    "div": s.div,
    "pow": operator.pow,
    "neg": s.neg,
    "arctan2": s.arctan2,
    **{name: getattr(s, name) for name in ELEMENTARY},
    **{f"where_{op}": partial(_choose, getattr(operator, op)) for op in COMPARED},
}
"""The operations of formulas, by name."""

VECTOR_OPERATIONS: dict[str, Callable[..., Scalar]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
}


Resolve = Callable[["LiveScalar"], Scalar]
"""Returns the scalar that a live number is in a computation: a value, or a symbol."""

Formulas = dict["LiveNumber", Scalar]
"""Formulas that have been resolved, so that each is computed once."""

SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**"}
SHOWN = 4  # how many formulas within formulas are written out
ASK = "Use where(condition, yes, no), minimum or maximum of motorik; they stay live."
COMPUTE = (
    "Compute with + - * / ** and the functions of motorik (sin, sqrt, where, …), or read "
    "the present number as .value."
)


class Live:
    """Parameters, their components and formulas: they compute like numbers and stay live.

    A live number is equal only to itself; whether it is larger than another is not known
    before a run.
    """

    __array_priority__ = 2000.0  # NumPy arrays and CasADi symbols leave arithmetic to us

    def operand(self) -> LiveNumber | Vector:
        """Return the operand: one live number, or three as a vector."""
        raise NotImplementedError

    def __add__(self, other: object) -> Scalar:
        return _combined("add", self, other)

    def __radd__(self, other: object) -> Scalar:
        return _combined("add", other, self)

    def __sub__(self, other: object) -> Scalar:
        return _combined("sub", self, other)

    def __rsub__(self, other: object) -> Scalar:
        return _combined("sub", other, self)

    def __mul__(self, other: object) -> Scalar:
        return _combined("mul", self, other)

    def __rmul__(self, other: object) -> Scalar:
        return _combined("mul", other, self)

    def __truediv__(self, other: object) -> Scalar:
        return _combined("div", self, other)

    def __rtruediv__(self, other: object) -> Scalar:
        return _combined("div", other, self)

    def __pow__(self, other: object) -> Scalar:
        return _combined("pow", self, other)

    def __rpow__(self, other: object) -> Scalar:
        return _combined("pow", other, self)

    def __neg__(self) -> Scalar:
        return _combined("neg", self)

    def __pos__(self) -> Scalar:
        return self.operand()

    def __abs__(self) -> Scalar:
        return _combined("fabs", self)

    def __lt__(self, other: object) -> LiveCondition:
        return LiveCondition("lt", self, other)

    def __le__(self, other: object) -> LiveCondition:
        return LiveCondition("le", self, other)

    def __gt__(self, other: object) -> LiveCondition:
        return LiveCondition("gt", self, other)

    def __ge__(self, other: object) -> LiveCondition:
        return LiveCondition("ge", self, other)

    def __eq__(self, other: object) -> bool:
        if s.is_number(other) and not isinstance(other, bool):
            raise ParameterError(
                repr(self),
                f"is live: whether it equals {other} may change from run to run.",
                ASK,
                parameter=repr(self),
                value=other,
            )
        return self is other

    def __hash__(self) -> int:
        return object.__hash__(self)

    def __bool__(self) -> bool:
        raise ParameterError(
            repr(self),
            "is live: whether it is zero may change from run to run.",
            ASK,
            parameter=repr(self),
            value=self,
        )

    def __float__(self) -> float:
        raise ParameterError(
            repr(self),
            "is live, not a plain number.",
            COMPUTE,
            parameter=repr(self),
            value=self,
        )

    __int__ = __index__ = __float__  # type: ignore[assignment]

    def dual_arctan2(self, y: object, x: object) -> Scalar:
        """Return the angle of the point (x, y), of which one coordinate is live."""
        return _combined("arctan2", y, x)

    def arctan2(self, x: object) -> Scalar:
        """Return the angle of the point (x, self)."""
        return _combined("arctan2", self, x)


def _method(name: str) -> Callable[[Live], Scalar]:
    return lambda self: _combined(name, self)


for _name in ELEMENTARY:  # as methods, which NumPy's functions call as well
    setattr(Live, _name, _method(_name))


class LiveNumber(Live):
    """One live number: a component of a parameter, or a formula of components."""

    def operand(self) -> LiveNumber:
        """Return itself."""
        return self

    @property
    def value(self) -> float:
        """The present value."""
        return float(resolve_number(self, lambda leaf: leaf.value, {}))


class LiveScalar(LiveNumber):
    """One number of a live parameter, until it is resolved."""

    def __init__(self, parameter: Parameter, index: int) -> None:
        self.parameter, self.index = parameter, index

    @property
    def value(self) -> float:
        """The present value."""
        return self.parameter.component(self.index)

    @property
    def label(self) -> str:
        """The name as results and parameter lists show it: `body.m`, `link.r[1]`."""
        suffix = f"[{self.index + 1}]" if self.parameter.is_vector else ""
        return f"{self.parameter.name}{suffix}"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LiveScalar):
            return self.parameter is other.parameter and self.index == other.index
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash((id(self.parameter), self.index))

    def __repr__(self) -> str:
        return self.label or f"Parameter({self.value!r})"


class LiveFormula(LiveNumber):
    """A function of live numbers, such as L / 2; equal formulas are one object."""

    _made: ClassVar[WeakValueDictionary[tuple[object, ...], LiveFormula]] = (
        WeakValueDictionary()
    )

    def __init__(self, name: str, operands: tuple[Scalar, ...]) -> None:
        self.name, self.operands = name, operands

    @staticmethod
    def of(name: str, operands: Sequence[Scalar]) -> LiveFormula:
        """Return the formula; the same object if it was made before."""
        key = (name, *(o if isinstance(o, LiveNumber) else o.hex() for o in operands))
        made = LiveFormula._made.get(key)
        if made is None:
            made = LiveFormula(name, tuple(operands))
            made = LiveFormula._made.setdefault(key, made)
        return made

    def __deepcopy__(self, memo: dict[int, object]) -> LiveFormula:
        return LiveFormula.of(self.name, copy.deepcopy(self.operands, memo))

    def leaves(self) -> Iterator[LiveScalar]:
        """Return the live numbers that it follows from, each once."""
        seen: set[LiveNumber] = {self}
        waiting: list[LiveFormula] = [self]
        while waiting:
            for operand in waiting.pop().operands:
                if isinstance(operand, LiveNumber) and operand not in seen:
                    seen.add(operand)
                    if isinstance(operand, LiveFormula):
                        waiting.append(operand)
                    elif isinstance(operand, LiveScalar):
                        yield operand

    def text(self, depth: int = SHOWN) -> str:
        """Return the formula as text, without deeply nested terms."""
        if depth == 0:
            return "…"
        said = [
            o.text(depth - 1) if isinstance(o, LiveFormula) else repr(o)
            for o in self.operands
        ]
        if self.name in SYMBOLS:
            return f"({f' {SYMBOLS[self.name]} '.join(said)})"
        return f"-{said[0]}" if self.name == "neg" else f"{self.name}({', '.join(said)})"

    def __repr__(self) -> str:
        return self.text()


class LiveCondition:
    """A comparison of live numbers, for `where`; whether it holds is not known before a run."""

    def __init__(self, compare: str, a: object, b: object) -> None:
        operands = [_operand(one) for one in (a, b)]
        if any(one is None or isinstance(one, Vector) for one in operands):
            raise ParameterError(
                repr(a),
                f"cannot be compared with {b!r}.",
                "Compare single numbers.",
                parameter=repr(a),
                value=b,
            )
        self.compare, self.operands = compare, operands

    def chosen(self, yes: object, no: object) -> Scalar:
        """Return `yes` where it holds, else `no`."""
        one, other = _operand(yes), _operand(no)
        if isinstance(one, Vector) and isinstance(other, Vector):
            pairs = zip(one.xyz, other.xyz, strict=True)
            return Vector(*(self.chosen(a, b) for a, b in pairs))
        if not all(isinstance(found, (float, LiveNumber)) for found in (one, other)):
            raise ParameterError(
                "where",
                f"cannot choose {yes!r} or {no!r}.",
                COMPUTE,
                parameter="where",
                value=(yes, no),
            )
        return LiveFormula.of(f"where_{self.compare}", [*self.operands, one, other])

    def __bool__(self) -> bool:
        a, b = self.operands
        raise ParameterError(
            f"{a!r} {COMPARED[self.compare]} {b!r}",
            "changes with a live parameter.",
            ASK,
            parameter=repr(self),
            value=self,
        )


def _operand(given: object) -> Scalar | None:
    """Return the operand: a float, a live number or a vector; None if it is none."""
    if isinstance(given, Live):
        return given.operand()
    if s.is_number(given):
        return float(given)  # type: ignore[arg-type]
    if isinstance(given, Vector):
        return given
    if isinstance(given, (tuple, list)) and len(given) == 3:
        found = [_operand(one) for one in given]
        if all(isinstance(one, (float, LiveNumber)) for one in found):
            return Vector(*found)
    return None


def _combined(name: str, *given: object) -> Scalar:
    """Return a function of live numbers and plain ones; of vectors component by component."""
    for k, one in enumerate(given):
        if isinstance(one, np.ndarray) and one.ndim:
            return _of_array(name, given, k, one)
        if s.is_symbol(one):
            live = next(repr(other) for other in given if isinstance(other, Live))
            raise ParameterError(
                live,
                "is live, and this function cannot see which number it is in a run.",
                "Give the function the parameter as a local name, L = self.L, before "
                "`lambda u: L * u`, or as an input.",
                parameter=str(live),
                value=given,
            )
    operands = [_operand(one) for one in given]
    if any(one is None for one in operands):
        return NotImplemented
    if any(isinstance(one, Vector) for one in operands):
        return _of_vectors(name, operands)
    folded = _folded(name, operands)
    return LiveFormula.of(name, operands) if folded is None else folded


def _of_vectors(name: str, operands: Sequence[Scalar]) -> Scalar:
    """Return the result of an operation on vectors: a ± b, k a, a k, a / k, −a."""
    first, *rest = operands
    if name == "mul" and not isinstance(first, Vector):
        return rest[0] * first
    if name in ("add", "sub") and not all(isinstance(one, Vector) for one in operands):
        return NotImplemented
    if not isinstance(first, Vector) or name not in VECTOR_OPERATIONS:
        return NotImplemented
    return VECTOR_OPERATIONS[name](*operands)


def _folded(name: str, operands: Sequence[Scalar]) -> Scalar | None:
    """Return the simplified operation with 0 or 1, None if there is none."""
    if name not in ("add", "sub", "mul", "div"):
        return None
    a, b = operands
    if s.is_structural(b, 0.0) and name in ("add", "sub"):
        return a
    if s.is_structural(b, 1.0) and name in ("mul", "div"):
        return a
    if s.is_structural(a, 0.0):
        return b if name == "add" else 0.0 if name in ("mul", "div") else None
    if name == "mul":
        return 0.0 if s.is_structural(b, 0.0) else b if s.is_structural(a, 1.0) else None
    return None


def _of_array(name: str, given: Sequence[object], k: int, array: np.ndarray) -> np.ndarray:
    found = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        found[index] = _combined(name, *given[:k], array[index], *given[k + 1 :])
    return found


def resolve_number(number: LiveNumber, resolve: Resolve, formulas: Formulas) -> Scalar:
    """Return the scalar that a live number is; formulas that were resolved before are kept."""
    if isinstance(number, LiveScalar):
        return resolve(number)
    waiting = [number]
    while waiting:
        formula = waiting[-1]
        assert isinstance(formula, LiveFormula)
        inner = [o for o in formula.operands if isinstance(o, LiveFormula)]
        open_ones = [o for o in inner if o not in formulas]
        if open_ones:
            waiting += open_ones
            continue
        waiting.pop()
        if formula not in formulas:
            formulas[formula] = OPERATIONS[formula.name](
                *(
                    formulas[o]
                    if isinstance(o, LiveFormula)
                    else resolve(o)
                    if isinstance(o, LiveScalar)
                    else o
                    for o in formula.operands
                )
            )
    return formulas[number]
