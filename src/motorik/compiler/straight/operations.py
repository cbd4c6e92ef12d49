"""Operations: every scalar operation as LLVM instructions."""

from __future__ import annotations

from motorik.compiler.straight.lanes import Lanes
from motorik.errors import CompileError

#: Fast-math flags. NaN and infinity keep their meaning, so that a bad state is detected.
#: Not "reassoc": together with "contract" LLVM's code generator makes wrong code of sums of
#: gathered vectors (seen with LLVM 22, AVX2 and FMA), and it gains no speed.
FLAGS = "nsz arcp contract afn"

#: One instruction each; V is the vector type, T its suffix, x and y the operands.
SIMPLE = {
    "add": "fadd {F} {V} {x}, {y}",
    "sub": "fsub {F} {V} {x}, {y}",
    "mul": "fmul {F} {V} {x}, {y}",
    "div": "fdiv {F} {V} {x}, {y}",
    "neg": "fneg {F} {V} {x}",
    "sq": "fmul {F} {V} {x}, {x}",
    "twice": "fadd {F} {V} {x}, {x}",
    "inv": "fdiv {F} {V} {one}, {x}",
    "fmod": "frem {V} {x}, {y}",
}

#: Intrinsics of LLVM, with the number of operands.
INTRINSIC = {
    "sqrt": ("sqrt", 1),
    "fabs": ("fabs", 1),
    "floor": ("floor", 1),
    "ceil": ("ceil", 1),
    "copysign": ("copysign", 2),
    "fmin": ("minnum", 2),
    "fmax": ("maxnum", 2),
}

#: Functions of the C library, with the number of operands; called lane by lane.
LIBRARY = {
    **dict.fromkeys(("asin", "acos", "sinh", "cosh", "tanh"), 1),
    **dict.fromkeys(("asinh", "acosh", "atanh"), 1),
    **dict.fromkeys(("exp", "log", "log1p", "expm1", "erf"), 1),
    **dict.fromkeys(("pow", "hypot", "remainder"), 2),
}

#: Comparisons, false where an operand is NaN, except "ne".
COMPARISON = {"lt": "olt", "le": "ole", "eq": "oeq", "ne": "une"}

TRIGONOMETRIC = frozenset({"sin", "cos", "tan"})

#: Whole powers up to this one are multiplied out.
LARGEST_PRODUCT = 16


class InstructionWriter:
    """Writes the instructions of one function, value by value.

    A value is known by its text: ``%v7`` or a constant. Logical values are kept as masks
    as well, so that a choice after a comparison needs no number in between.
    """

    def __init__(self, lanes: Lanes, part: str) -> None:
        self.lanes = lanes
        self.part = part
        self.lines: list[str] = []
        self._count = 0
        self._masks: dict[str, str] = {}
        self._chosen: dict[str, tuple[str, str]] = {}
        self._opposite: dict[str, str] = {}
        words = {"F": FLAGS, "V": lanes.vector, "one": lanes.number(1.0)}
        self._simple = {
            name: template.format(**words, x="{x}", y="{y}")
            for name, template in SIMPLE.items()
        }
        self._binary = {
            name: template.removesuffix("{x}, {y}")
            for name, template in self._simple.items()
            if template.endswith("{x}, {y}")
        }
        self._special = {
            "not": self._not,
            "and": self._and,
            "or": self._or,
            "if_else_zero": self._if_else_zero,
            "sign": self._sign,
        }

    def new(self, instruction: str) -> str:
        """Append an instruction and return the name of its result."""
        self._count += 1
        name = f"%v{self._count}"
        self.lines.append(f"{name} = {instruction}")
        return name

    def load(self, pointer: str, element: int) -> str:
        """Read a vector of lanes, `element` vectors after `pointer`."""
        V = self.lanes.vector
        return self.new(f"load {V}, ptr {self.address(pointer, element)}, align 8")

    def load_scalar(self, pointer: str, element: int) -> str:
        """Read one number, `element` numbers after `pointer`, into all lanes."""
        place = self.new(f"getelementptr inbounds double, ptr {pointer}, i64 {element}")
        number = self.new(f"load double, ptr {place}, align 8")
        if self.lanes.width == 1:
            return number
        V, W = self.lanes.vector, self.lanes.width
        first = self.new(f"insertelement {V} poison, double {number}, i64 0")
        return self.new(
            f"shufflevector {V} {first}, {V} poison, <{W} x i32> zeroinitializer"
        )

    def store(self, value: str, pointer: str, element: int) -> None:
        """Write a vector of lanes, `element` vectors after `pointer`."""
        place = self.address(pointer, element)
        self.lines.append(f"store {self.lanes.vector} {value}, ptr {place}, align 8")

    def address(self, pointer: str, element: int) -> str:
        """Return the address `element` vectors after `pointer`."""
        if element == 0:
            return pointer
        return self.new(
            f"getelementptr inbounds {self.lanes.element}, ptr {pointer}, i64 {element}"
        )

    def value(self, operation: str, x: str, y: str = "") -> str:
        """Append `operation` on x and y; return its result."""
        if operation == "add" and x in self._chosen and y in self._chosen:
            (condition, yes), (other, no) = self._chosen[x], self._chosen[y]
            if self._opposite.get(other) == condition:
                return self._select(condition, yes, no)
            if self._opposite.get(condition) == other:
                return self._select(other, no, yes)
        binary = self._binary.get(operation)
        if binary is not None:
            return self.new(f"{binary}{x}, {y}")
        if operation in self._simple:
            return self.new(self._simple[operation].format(x=x, y=y))
        if operation in INTRINSIC:
            return self._intrinsic(*INTRINSIC[operation], x, y)
        if operation in LIBRARY:
            return self._library(operation, x, y)
        if operation in COMPARISON:
            V = self.lanes.vector
            return self._logical(self.new(f"fcmp {COMPARISON[operation]} {V} {x}, {y}"))
        if operation in self._special:
            return self._special[operation](x, y)
        raise CompileError(
            self.part,
            f"uses the operation '{operation}', which has no native code",
            "Express it by other functions.",
        )

    def power(self, x: str, exponent: float) -> str:
        """Append x to the power of a constant."""
        size = abs(exponent)
        if size != int(size) or not 1 <= size <= LARGEST_PRODUCT:
            return self._library("pow", x, self.lanes.number(exponent))
        result, square, left = "", x, int(size)
        while left:
            if left & 1:
                result = self.value("mul", result, square) if result else square
            left >>= 1
            if left:
                square = self.value("sq", square)
        return result if exponent > 0 else self.value("inv", result)

    def _intrinsic(self, name: str, n_operands: int, x: str, y: str) -> str:
        V, name = self.lanes.vector, f"@llvm.{name}.{self.lanes.suffix}"
        self.lanes.declare(f"declare {V} {name}({', '.join([V] * n_operands)})")
        operands = f"{V} {x}" if n_operands == 1 else f"{V} {x}, {V} {y}"
        return self.new(f"call {V} {name}({operands})")

    def _library(self, name: str, x: str, y: str) -> str:
        lanes, operands = self.lanes, [x] if LIBRARY[name] == 1 else [x, y]
        types = ", ".join(["double"] * len(operands))
        lanes.declare(f"declare double @{name}({types})")
        if lanes.width == 1:
            return self.new(f"call double @{name}({self._doubles(operands)})")
        V, result = lanes.vector, "poison"
        for lane in range(lanes.width):
            single = [self.new(f"extractelement {V} {o}, i64 {lane}") for o in operands]
            called = self.new(f"call double @{name}({self._doubles(single)})")
            result = self.new(f"insertelement {V} {result}, double {called}, i64 {lane}")
        return result

    @staticmethod
    def _doubles(values: list[str]) -> str:
        return ", ".join(f"double {value}" for value in values)

    def _select(self, condition: str, yes: str, no: str) -> str:
        M, V = self.lanes.masks, self.lanes.vector
        return self.new(f"select {M} {condition}, {V} {yes}, {V} {no}")

    def _logical(self, mask: str) -> str:
        """Return a mask as the numbers 1 and 0."""
        value = self._select(mask, self.lanes.number(1.0), self.lanes.number(0.0))
        self._masks[value] = mask
        return value

    def _mask(self, x: str) -> str:
        """Return where x is not zero."""
        if x not in self._masks:
            zero = self.lanes.number(0.0)
            self._masks[x] = self.new(f"fcmp une {self.lanes.vector} {x}, {zero}")
        return self._masks[x]

    def _not(self, x: str, _: str) -> str:
        M, mask = self.lanes.masks, self._mask(x)
        yes = "true" if self.lanes.width == 1 else "splat (i1 true)"
        opposite = self.new(f"xor {M} {mask}, {yes}")
        self._opposite[opposite] = mask
        return self._logical(opposite)

    def _and(self, x: str, y: str) -> str:
        M = self.lanes.masks
        return self._logical(self.new(f"and {M} {self._mask(x)}, {self._mask(y)}"))

    def _or(self, x: str, y: str) -> str:
        M = self.lanes.masks
        return self._logical(self.new(f"or {M} {self._mask(x)}, {self._mask(y)}"))

    def _if_else_zero(self, x: str, y: str) -> str:
        condition = self._mask(x)
        value = self._select(condition, y, self.lanes.number(0.0))
        self._chosen[value] = (condition, y)
        return value

    def _sign(self, x: str, _: str) -> str:
        V, zero = self.lanes.vector, self.lanes.number(0.0)
        above = self.new(f"fcmp ogt {V} {x}, {zero}")
        below = self.new(f"fcmp olt {V} {x}, {zero}")
        upper = self._select(above, self.lanes.number(1.0), x)
        return self._select(below, self.lanes.number(-1.0), upper)
