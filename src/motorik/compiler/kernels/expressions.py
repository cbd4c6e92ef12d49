"""Expressions of the kernel language, turned into LLVM instructions."""

from __future__ import annotations

import ast
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NoReturn

from motorik.compiler.kernels.ir import (
    ALLOWED,
    FunctionBody,
    IrValue,
    KernelError,
    Module,
    ValueKind,
    literal,
)

# instruction for Float, instruction for Int, what Python does
ARITHMETIC: dict[type[ast.operator], tuple[str, str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("fadd contract", "add nsw", operator.add),
    ast.Sub: ("fsub contract", "sub nsw", operator.sub),
    ast.Mult: ("fmul contract", "mul nsw", operator.mul),
    ast.Div: ("fdiv contract", "", operator.truediv),
    ast.FloorDiv: ("", "sdiv", operator.floordiv),
    ast.Mod: ("", "srem", operator.mod),
    ast.Pow: ("pow", "", operator.pow),
}
COMPARISONS: dict[type[ast.cmpop], tuple[str, str, Callable[[Any, Any], Any]]] = {
    ast.Lt: ("olt", "slt", operator.lt),
    ast.LtE: ("ole", "sle", operator.le),
    ast.Gt: ("ogt", "sgt", operator.gt),
    ast.GtE: ("oge", "sge", operator.ge),
    ast.Eq: ("oeq", "eq", operator.eq),
    ast.NotEq: ("une", "ne", operator.ne),
}


def dotted(node: ast.expr) -> str:
    """Return a name, or names joined by dots, as text."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return ast.unparse(node)


class Expressions(ABC):
    """Writes the instructions of expressions into the body of one function."""

    def __init__(self, module: Module, file: str, look_up: Callable[[str], Any]) -> None:
        self.module = module
        self.body = FunctionBody()
        self.file = file
        self.look_up = look_up  # finds names of the surrounding Python module
        self.places: dict[str, tuple[ValueKind, str]] = {}  # local variables
        self.records: dict[str, type] = {}  # classes of the arguments that are records
        self.fixed: dict[str, Any] = {}  # names whose value is known while compiling
        self.groups: list[str] = []  # access groups of the `lanes` loops around
        self._writers: dict[type[ast.expr], Callable[[Any], IrValue]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.Compare: self._compare,
            ast.BoolOp: lambda node: self._logic(isinstance(node.op, ast.And), node.values),
            ast.IfExp: self._conditional,
            ast.Subscript: self._element,
            ast.Call: self.call,
        }

    def fail(self, node: ast.AST, why: str, remedy: str = ALLOWED) -> NoReturn:
        """Refuse a piece of the kernel."""
        raise KernelError(f"{self.file}:{getattr(node, 'lineno', 0)}", why, remedy)

    def evaluate(self, node: ast.expr) -> IrValue:
        """Write an expression and return its value."""
        write = self._writers.get(type(node))
        if write is None:
            self.fail(node, f"`{ast.unparse(node)}` is not part of the kernel language")
        return write(node)

    def evaluate_as(self, kind: ValueKind, node: ast.expr) -> IrValue:
        """Write an expression whose value must be of this kind."""
        return self.convert(node, self.evaluate(node), kind)

    def convert(self, node: ast.AST, value: IrValue, kind: ValueKind) -> IrValue:
        """Return the value as one of `kind`; only an Int becomes a Float by itself."""
        if value.kind is kind:
            return value
        if value.kind is ValueKind.INT and kind is ValueKind.FLOAT:
            if value.known:
                return literal(float(value.constant))
            return IrValue(kind, self.body.let(f"sitofp i64 {value.text} to double"))
        self.fail(node, f"a {kind.word} is needed here, this is a {value.kind.word}")

    def agree(self, node: ast.AST, a: IrValue, b: IrValue) -> tuple[IrValue, IrValue]:
        """Return two numbers as numbers of one kind."""
        if a.kind is b.kind:
            return a, b
        if b.kind is ValueKind.FLOAT:
            return self.convert(node, a, ValueKind.FLOAT), b
        return a, self.convert(node, b, a.kind)

    def truth(self, node: ast.expr) -> IrValue:
        """Write an expression as a truth value."""
        value = self.evaluate(node)
        if value.kind is ValueKind.INT:
            return self.comparison(node, ast.NotEq(), value, literal(0))
        return self.convert(node, value, ValueKind.BOOL)

    def place(self, node: ast.Subscript) -> tuple[ValueKind, str]:
        """Return kind and address of an element of Floats or Ints."""
        base = self.evaluate(node.value)
        kind = {ValueKind.FLOATS: ValueKind.FLOAT, ValueKind.INTS: ValueKind.INT}.get(
            base.kind
        )
        if kind is None:
            self.fail(node, f"an element of a {base.kind.word} has no place in memory")
        return kind, self.offset(
            kind, base.text, self.evaluate_as(ValueKind.INT, node.slice)
        )

    def field(self, node: ast.Attribute) -> tuple[ValueKind, str] | None:
        """Return kind and address of a field of a record, None if there is none."""
        index = getattr(self.records.get(dotted(node.value)), node.attr, None)
        if not isinstance(index, int):
            return None
        base = self.evaluate(node.value)
        kind = ValueKind.FLOAT if base.kind is ValueKind.FLOATS else ValueKind.INT
        return kind, self.offset(kind, base.text, literal(index))

    def offset(self, kind: ValueKind, start: str, index: IrValue) -> str:
        """Return the address of the element `index` of an array."""
        array = f"{kind.llvm}, ptr {start}, i64 {index.text}"
        return self.body.let(f"getelementptr inbounds {array}")

    def access(self, kind: ValueKind) -> str:
        """Return the notes on a load or store of memory that a kernel was given."""
        note = f", {Module.aliasing[kind]}"
        return f"{note}, !llvm.access.group {self.groups[-1]}" if self.groups else note

    def arithmetic(
        self,
        node: ast.AST,
        op: ast.operator,
        left: IrValue,
        right: IrValue,
        freedom: str = "",
    ) -> IrValue:
        """Return `left op right`; `freedom` is one more LLVM flag of a Float operation."""
        float_name, int_name, python = ARITHMETIC.get(type(op), ("", "", None))
        if python is None:
            self.fail(node, f"there is no operator {type(op).__name__}")
        if left.known and right.known:
            return literal(python(left.constant, right.constant))
        if left.kind is right.kind is ValueKind.INT and int_name:
            if not float_name:
                return self._floored(int_name, left, right)
            both = f"{left.text}, {right.text}"
            return IrValue(ValueKind.INT, self.body.let(f"{int_name} i64 {both}"))
        if not float_name:
            self.fail(node, "// and % are for Int", "Write floor(a / b) for Float.")
        a = self.convert(node, left, ValueKind.FLOAT)
        b = self.convert(node, right, ValueKind.FLOAT)
        if float_name == "pow":
            return self.library(float_name, a, b)
        operation = f"{float_name}{freedom} double {a.text}, {b.text}"
        return IrValue(ValueKind.FLOAT, self.body.let(operation))

    def comparison(
        self, node: ast.AST, op: ast.cmpop, left: IrValue, right: IrValue
    ) -> IrValue:
        """Return whether `left op right` for two numbers."""
        float_name, int_name, python = COMPARISONS.get(type(op), ("", "", None))
        if python is None:
            self.fail(node, f"there is no comparison {type(op).__name__}")
        if left.known and right.known:
            return literal(python(left.constant, right.constant))
        if left.kind is right.kind is ValueKind.INT:
            text = f"icmp {int_name} i64 {left.text}, {right.text}"
        else:
            a = self.convert(node, left, ValueKind.FLOAT)
            b = self.convert(node, right, ValueKind.FLOAT)
            text = f"fcmp {float_name} double {a.text}, {b.text}"
        return IrValue(ValueKind.BOOL, self.body.let(text))

    def library(self, name: str, *arguments: IrValue) -> IrValue:
        """Call a function of LLVM or of the C library."""
        function = self.module.declare(name, "double", ["double"] * len(arguments))
        operands = ", ".join(f"double {a.text}" for a in arguments)
        return IrValue(
            ValueKind.FLOAT, self.body.let(f"call double {function}({operands})")
        )

    @abstractmethod
    def call(self, node: ast.Call) -> IrValue:
        """Write a call and return its result."""

    def _constant(self, node: ast.Constant) -> IrValue:
        if not isinstance(node.value, (bool, int, float)):
            self.fail(node, f"{node.value!r} is not a number")
        return literal(node.value)

    def _name(self, node: ast.Name | ast.Attribute) -> IrValue:
        name = dotted(node)
        if name in self.fixed:
            return literal(self.fixed[name])
        if name in self.places:
            return self.body.load(*self.places[name])
        value = None if self._is_field(name) else self.look_up(name)
        if isinstance(value, (bool, int, float, tuple)):
            return literal(value)
        self.fail(node, f"`{name}` is neither a local variable nor a constant number")

    def _attribute(self, node: ast.Attribute) -> IrValue:
        found = self.field(node)
        if found is None:
            return self._name(node)
        kind, address = found
        return self.body.load(kind, address, self.access(kind))

    def _is_field(self, name: str) -> bool:
        # whether a dotted name begins with a local variable or a group of arguments
        first, dot, _ = name.partition(".")
        if not dot:
            return False
        local = first in self.places or first in self.fixed
        return local or any(place.startswith(f"{first}.") for place in self.places)

    def _binary(self, node: ast.BinOp) -> IrValue:
        left, right = self.evaluate(node.left), self.evaluate(node.right)
        return self.arithmetic(node, node.op, left, right)

    def _floored(self, name: str, left: IrValue, right: IrValue) -> IrValue:
        # a = q b + r, the rest r of the sign of b as in Python
        let = self.body.let
        rest = let(f"srem i64 {left.text}, {right.text}")
        differs = let(f"xor i64 {rest}, {right.text}")
        opposite = let(f"icmp slt i64 {differs}, 0")
        uneven = let(f"icmp ne i64 {rest}, 0")
        correct = let(f"and i1 {opposite}, {uneven}")
        if name == "srem":
            moved = let(f"add i64 {rest}, {right.text}")
            return IrValue(
                ValueKind.INT, let(f"select i1 {correct}, i64 {moved}, i64 {rest}")
            )
        quotient = let(f"sdiv i64 {left.text}, {right.text}")
        less = let(f"sext i1 {correct} to i64")
        return IrValue(ValueKind.INT, let(f"add i64 {quotient}, {less}"))

    def _unary(self, node: ast.UnaryOp) -> IrValue:
        if isinstance(node.op, ast.Not):
            value = self.truth(node.operand)
            if value.known:
                return literal(not value.constant)
            return IrValue(ValueKind.BOOL, self.body.let(f"xor i1 {value.text}, true"))
        value = self.evaluate(node.operand)
        if not isinstance(node.op, ast.USub):
            self.fail(node, f"there is no operator {type(node.op).__name__}")
        if value.known:
            return literal(-value.constant)
        if value.kind is ValueKind.INT:
            return IrValue(ValueKind.INT, self.body.let(f"sub nsw i64 0, {value.text}"))
        value = self.convert(node, value, ValueKind.FLOAT)
        return IrValue(ValueKind.FLOAT, self.body.let(f"fneg double {value.text}"))

    def _compare(self, node: ast.Compare) -> IrValue:
        if isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            return self._given(node)
        left = self.evaluate(node.left)
        result = literal(True)
        for op, operand in zip(node.ops, node.comparators, strict=True):
            right = self.evaluate(operand)
            test = self.comparison(node, op, left, right)
            if result.known:
                result = test if result.constant else result
            else:
                both = self.body.let(f"and i1 {result.text}, {test.text}")
                result = IrValue(ValueKind.BOOL, both)
            left = right
        return result

    def _given(self, node: ast.Compare) -> IrValue:
        # `f is None`, `f is not None` of a Function that may be missing
        value, other = self.evaluate(node.left), node.comparators[0]
        is_none = isinstance(other, ast.Constant) and other.value is None
        if len(node.ops) > 1 or not is_none or value.kind is not ValueKind.FUNCTION:
            self.fail(node, "`is` can only test whether a Function is None")
        test = "eq" if isinstance(node.ops[0], ast.Is) else "ne"
        return IrValue(ValueKind.BOOL, self.body.let(f"icmp {test} ptr {value.text}, null"))

    def _logic(self, is_and: bool, nodes: list[ast.expr]) -> IrValue:
        first = self.truth(nodes[0])
        if len(nodes) == 1:
            return first
        if first.known:
            return self._logic(is_and, nodes[1:]) if first.constant == is_and else first

        def rest() -> IrValue:
            return self._logic(is_and, nodes[1:])

        def short() -> IrValue:
            return literal(not is_and)

        ways = (rest, short) if is_and else (short, rest)
        return self.body.choose(first, *ways, agree=lambda a, b: (a, b))

    def _conditional(self, node: ast.IfExp) -> IrValue:
        test = self.truth(node.test)
        if test.known:
            return self.evaluate(node.body if test.constant else node.orelse)

        def agree(a: IrValue, b: IrValue) -> tuple[IrValue, IrValue]:
            if a.kind is ValueKind.INT and b.kind is ValueKind.FLOAT and not a.known:
                self.fail(node, "one side is an Int, the other a Float", "Write float(…).")
            return self.agree(node, a, b)

        return self.body.choose(
            test,
            lambda: self.evaluate(node.body),
            lambda: self.evaluate(node.orelse),
            agree,
        )

    def _element(self, node: ast.Subscript) -> IrValue:
        if isinstance(node.value, (ast.Name, ast.Attribute, ast.Subscript)):
            table = self._table(node.value)
            if table is not None:
                return self._table_element(node, table)
        kind, address = self.place(node)
        return self.body.load(kind, address, self.access(kind))

    def _table(self, node: ast.expr) -> tuple[Any, ...] | None:
        # the constant tuple that a name, or an element of a table of tables, stands for
        if isinstance(node, (ast.Name, ast.Attribute)):
            if dotted(node) in self.places:
                return None
            value = self._name(node)
        elif isinstance(node, ast.Subscript) and self._table(node.value) is not None:
            value = self._element(node)
        else:
            return None
        return value.constant if value.kind is ValueKind.TABLE else None

    def _table_element(self, node: ast.Subscript, table: tuple[Any, ...]) -> IrValue:
        index = self.evaluate_as(ValueKind.INT, node.slice)
        if index.known:
            if not 0 <= index.constant < len(table):
                self.fail(node, f"the tuple has {len(table)} elements")
            return literal(table[index.constant])
        if not all(isinstance(number, (int, float)) for number in table):
            self.fail(node, "the first index of nested tuples must be known")
        whole = all(isinstance(number, int) for number in table)
        kind = ValueKind.INT if whole else ValueKind.FLOAT
        numbers = table if whole else tuple(float(number) for number in table)
        address = self.offset(kind, self.module.table(kind, numbers), index)
        return self.body.load(kind, address)
