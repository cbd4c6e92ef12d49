"""Values: what vectors, matrices, motors, poses and dyads have in common.

A value cannot be changed in place, so it can be shared without risk. Values are equal if their
components are. Every operator that a kind of value does not define is refused with an error
that names the right one; the table of remedies is `REMEDIES`.

A value is filled once, past its guard: by the setters of its slots, or, where there are
many, while it is for a moment of the class of its slots alone (`unguard`), which has no
``__setattr__``. So creating one costs what it would cost without a guard.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, NoReturn, TypeVar

import numpy as np

from motorik.algebra.scalar import Scalar, is_number
from motorik.errors import ImmutableError, OperatorError

V = TypeVar("V", bound="Value")
Setter = Callable[[object, object], None]


class Immutable:
    """An object whose attributes are set once, when it is created."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        kind = type(self).__name__
        raise ImmutableError(
            kind,
            f"{name!r} cannot be set, values never change.",
            f"Make another: `a = a.replace({name}=…)` or `a = {kind}(…)`; "
            "of a frame, `K.f = K.f.replace(z=1.0)` or `K.f = Vector(0.0, 0.0, 1.0)`.",
        )

    def __delattr__(self, name: str) -> None:
        kind = type(self).__name__
        raise ImmutableError(
            kind, f"{name!r} cannot be deleted, values never change.", "Make another value."
        )


unguard: Setter = object.__dict__["__class__"].__set__
"""Make a new value one of the class of its slots, until it is given its class again."""

new_slots = object.__new__
"""Make something of a class of slots, to be filled and given its class."""


def setters(kind: type, *names: str) -> tuple[Setter, ...]:
    """Return the functions that fill the slots of a new value of this kind, and only that."""
    return tuple(getattr(kind, name).__set__ for name in names)


def refuse(operator: str, a: object, b: object) -> NoReturn:
    """Raise the error of ``a operator b``, with what to write instead."""
    kind_a, kind_b = kind_of(a), kind_of(b)
    remedy = REMEDIES.get((operator, kind_a, kind_b)) or _remedy_of_one(kind_a, kind_b)
    raise OperatorError(f"{kind_a} {operator} {kind_b}", "has no meaning.", remedy)


def kind_of(x: object) -> str:
    """Return the name of the kind of an operand, as the messages have it."""
    if isinstance(x, Value):
        for kind in type(x).__mro__:
            if kind.__name__ in OPERATORS:
                return kind.__name__
    if isinstance(x, (list, tuple)):
        return "sequence"
    if isinstance(x, np.ndarray):
        return "array"
    if x is None or isinstance(x, (str, dict, set)):
        return type(x).__name__
    return "number" if is_number(x) else type(x).__name__


def _remedy_of_one(kind_a: str, kind_b: str) -> str:
    """Return a remedy that depends on one operand only: bare numbers first, then the list."""
    for value, bare in ((kind_a, kind_b), (kind_b, kind_a)):
        if value in OPERATORS and bare in ("sequence", "array"):
            return f"Make a value of the {bare} first: Vector.of(…), Matrix.of(…), Motor.of(…)."
    known = kind_a if kind_a in OPERATORS else kind_b
    return f"{known} has: {OPERATORS[known]}."


def is_foreign(x: object) -> bool:
    """Return whether x cannot be a scalar factor: a value, a sequence, text or None."""
    return x.__class__ is not float and isinstance(x, NO_SCALARS)


def _refusing(operator: str, reflected: bool) -> Callable[[Value, object], NoReturn]:
    def method(self: Value, other: object) -> NoReturn:
        if reflected:
            refuse(operator, other, self)
        refuse(operator, self, other)

    return method


class Value(Immutable):
    """A value of the algebra, made of `_leaves`: scalars, or other values."""

    __slots__ = ()
    _leaves: ClassVar[tuple[str, ...]]
    __array_ufunc__ = None  # NumPy arrays leave arithmetic with values to us,
    __array_priority__ = 2000.0  # and so do CasADi symbols

    def replace(self: V, **changes: Scalar) -> V:
        """Return the value with some of its parts replaced: ``v.replace(z=1.0)``."""
        unknown = [name for name in changes if name not in self._leaves]
        if unknown:
            raise ImmutableError(
                type(self).__name__,
                f"has no part {unknown[0]!r} to replace.",
                f"There are: {', '.join(self._leaves)}.",
            )
        parts = (changes.get(name, getattr(self, name)) for name in self._leaves)
        return type(self)(*parts)

    def __eq__(self, other: object) -> bool:
        """Return whether both are of one kind and have equal components."""
        if self is other:
            return True
        if not isinstance(other, Value):
            if isinstance(other, (list, tuple, np.ndarray)):
                refuse("==", self, other)
            return NotImplemented
        if not (isinstance(other, type(self)) or isinstance(self, type(other))):
            return False
        pairs = [(getattr(self, name), getattr(other, name)) for name in self._leaves]
        answers = [a is b or a == b for a, b in pairs]
        decided = [bool(one) for one in answers if isinstance(one, (bool, np.bool_))]
        if all(decided) and len(decided) < len(answers):
            raise OperatorError(
                f"{type(self).__name__} == {type(other).__name__}",
                "symbols and arrays cannot be compared as a whole.",
                "Compare numbers, or components one by one.",
            )
        return all(decided)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in self._leaves))

    def __bool__(self) -> bool:
        kind = type(self).__name__
        raise OperatorError(
            f"bool({kind})",
            f"a {kind} is neither true nor false.",
            "Compare it, `v == ZERO`, or its length, `v.norm() > 0`; "
            "whether there is one: `v is not None`.",
        )

    def __getitem__(self, index: object) -> Scalar:
        self._refuse_as_sequence()

    def __len__(self) -> int:
        self._refuse_as_sequence()

    def _refuse_as_sequence(self) -> NoReturn:
        kind = type(self).__name__
        raise OperatorError(
            kind,
            f"a {kind} is not a sequence.",
            f"Take its parts by name: {self._parts_by()}.",
        )

    def _parts_by(self) -> str:
        whole = [
            n for n in ("xyz", "xyzw", "rows", "entries", "components") if hasattr(self, n)
        ]
        return ", ".join(f".{name}" for name in (*self._leaves, *whole))

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), tuple(getattr(self, name) for name in self._leaves)


NO_SCALARS = (Value, list, tuple, str, dict, set, type(None))

OPERATORS = {
    "Vector": "v + w, v - w, -v, a * v, v / a, v.dot(w), v.cross(w), R @ v",
    "Matrix": "A + B, A - B, -A, a * A, A / a, A @ B, A @ v, A.T",
    "Symmetric": "S + T, S - T, -S, a * S, S / a, S @ v, S.rotated(R)",
    "Quaternion": "Q_ab @ Q_bc, Q.conjugate(), Q.rotation() @ v; Q + P, a * Q for integration",
    "Angle": "α + β, α - β, -α, a * α, α / a, comparisons",
    "Motor": "a + b, a - b, -a, α * a, a / α, a @ b (inner), a ^ b (outer), pose(a), dyad(a)",
    "Pose": "X_ab @ X_bc, X(h), X.back(h), X.inverse()",
    "Orientation": "the functions of motorik.algebra.frames",
    "Dyad": "S + T, S - T, -T, a * T, T / a, S @ T, T(h), T.T, T.solve(h)",
    "Inertia": "M + N, M - N, a * M, M / a, M(V), M.solve(p), M.seen_from(X_ab), M.dyad()",
}
"""The operations of each kind of value, as its errors list them."""

_TWO_VECTORS = (
    "Write v.dot(w) for the inner product, v.cross(w) for v × w, outer(v, w) for v wᵀ."
)
_TURN = "Write R @ v to turn a vector, R.T @ v to turn it back."
_MOTORS = "Write a @ b for the inner product (power: F @ V), a ^ b for the outer product."
_NO_INERTIAS = "Inertias about one origin add by M + N; a velocity is mapped by M(V)."
_APPLY_DYAD = "Write T(h): the dyad applied to a motor."
_APPLY_POSE = "Write X(h) to take it from frame b to a, X.back(h) from a to b."
_MAP_BLOCKS = "A dyad takes a motor: T(Motor(g, h))."

REMEDIES: dict[tuple[str, str, str], str] = {
    ("*", "Vector", "Vector"): _TWO_VECTORS,
    ("@", "Vector", "Vector"): _TWO_VECTORS,
    ("^", "Vector", "Vector"): _TWO_VECTORS,
    ("/", "Vector", "Vector"): "Write v.dot(w) / w.dot(w) for the part of v along w.",
    ("**", "Vector", "number"): "Write v.dot(v) for the square of the length.",
    **{
        (op, a, b): _TURN
        for op in "*@"
        for a, b in (("Matrix", "Vector"), ("Vector", "Matrix"))
        if (op, a) != ("@", "Matrix")
    },
    ("*", "Symmetric", "Vector"): "Write S @ v.",
    ("*", "Vector", "Symmetric"): "Write S @ v.",
    ("@", "Vector", "Symmetric"): "Write S @ v.",
    ("*", "Matrix", "Matrix"): "Write A @ B for the product of matrices.",
    ("*", "Matrix", "Symmetric"): "Write A @ S for the product of matrices.",
    ("*", "Symmetric", "Matrix"): "Write S.rotated(R) for R S Rᵀ, or S.full() @ A.",
    ("@", "Symmetric", "Matrix"): "Write S.rotated(R) for R S Rᵀ, or S.full() @ A.",
    ("*", "Symmetric", "Symmetric"): "A product is not symmetric: S.full() @ T.full().",
    ("@", "Symmetric", "Symmetric"): "A product is not symmetric: S.full() @ T.full().",
    ("/", "Matrix", "Matrix"): "Write A @ B.inverse().",
    ("*", "Motor", "Motor"): _MOTORS,
    ("/", "Motor", "Motor"): _MOTORS,
    ("^", "Motor", "Vector"): "Write a.moment_at(r) for the moment at a point r.",
    ("*", "Matrix", "Motor"): "Write Pose(R)(h): a motor changes frame by a pose.",
    ("@", "Matrix", "Motor"): "Write Pose(R)(h): a motor changes frame by a pose.",
    ("*", "Pose", "Pose"): "Write X_ab @ X_bc.",
    **{(op, "Pose", b): _APPLY_POSE for op in "*@" for b in ("Vector", "Motor")},
    **{(op, "Pose", "Inertia"): "Write M.seen_from(X_ab)." for op in "*@"},
    **{(op, "Pose", "Dyad"): "Write T.seen_from(X_ab)." for op in "*@"},
    ("*", "Dyad", "Dyad"): "Write S @ T for S ∘ T.",
    **{(op, a, "Motor"): _APPLY_DYAD for op in "*@" for a in ("Dyad", "Inertia")},
    **{(op, a, "Vector"): _MAP_BLOCKS for op in "*@" for a in ("Dyad", "Inertia")},
    ("*", "Inertia", "Inertia"): _NO_INERTIAS,
    ("@", "Inertia", "Inertia"): _NO_INERTIAS,
    ("@", "Dyad", "Inertia"): "Write T @ M.dyad().",
    ("@", "Inertia", "Dyad"): "Write M.dyad() @ T.",
    ("+", "Dyad", "Inertia"): "Write T + M.dyad().",
    ("+", "Inertia", "Dyad"): "Write M.dyad() + T.",
    ("*", "Quaternion", "Quaternion"): "Write Q_ab @ Q_bc.",
    **{(op, "Quaternion", "Vector"): "Write Q.rotation() @ v." for op in "*@"},
    ("+", "number", "Vector"): "To add up vectors: sum(vectors, ZERO).",
    ("+", "number", "Motor"): "To add up motors: total_motor(*motors).",
    ("+", "number", "Inertia"): "To add up inertias: sum(inertias, NO_INERTIA).",
}
"""Remedies by operator and kinds; else the list in `OPERATORS` helps."""

for _name, _symbol in {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "xor": "^",
    "and": "&",
    "or": "|",
}.items():
    setattr(Value, f"__{_name}__", _refusing(_symbol, reflected=False))
    setattr(Value, f"__r{_name}__", _refusing(_symbol, reflected=True))

for _name, _symbol in {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(Value, f"__{_name}__", _refusing(_symbol, reflected=False))

__all__ = ["Immutable", "Value", "is_foreign", "refuse"]
