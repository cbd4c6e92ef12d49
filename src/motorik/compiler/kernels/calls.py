"""Calls in the kernel language: mathematics, views, Function arguments, other kernels."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from motorik.compiler.kernels.expressions import Expressions, dotted
from motorik.compiler.kernels.ir import IrValue, Module, ValueKind, literal
from motorik.compiler.kernels.language import (
    Kernel,
    exponent,
    floats_at,
    function_at,
    ints_at,
    is_record,
    mantissa,
    power_of_two,
    tail,
)

MATHEMATICS: dict[Any, str] = {
    math.sqrt: "llvm.sqrt.f64",
    math.fabs: "llvm.fabs.f64",
    math.copysign: "llvm.copysign.f64",
    math.pow: "pow",
    math.exp: "exp",
    math.log: "log",
    math.sin: "sin",
    math.cos: "cos",
}


class Calls(Expressions):
    """Expressions that may call; `translate` gives the LLVM name of another kernel."""

    def __init__(
        self,
        module: Module,
        file: str,
        look_up: Callable[[str], Any],
        translate: Callable[[Kernel[..., Any]], str],
    ) -> None:
        super().__init__(module, file, look_up)
        self._translate = translate
        self._own: dict[Any, Callable[[ast.Call, list[IrValue]], IrValue]] = {
            tail: self._tail,
            abs: self._abs,
            min: lambda node, values: self._extreme(node, ast.Lt(), values),
            max: lambda node, values: self._extreme(node, ast.Gt(), values),
            int: self._int,
            float: self._float,
            math.floor: self._floor,
            math.isfinite: self._isfinite,
            mantissa: self._mantissa,
            exponent: self._exponent,
            power_of_two: self._power_of_two,
            floats_at: lambda node, values: self._memory_at(node, ValueKind.FLOATS, values),
            ints_at: lambda node, values: self._memory_at(node, ValueKind.INTS, values),
            function_at: lambda node, values: self._memory_at(
                node, ValueKind.FUNCTION, values
            ),
        }

    def call(self, node: ast.Call) -> IrValue:
        """Write a call and return its result."""
        name = dotted(node.func)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "at":
            record = self.look_up(dotted(node.func.value))
            if is_record(record) and not node.keywords:
                values = [self.evaluate(argument) for argument in node.args]
                return replace(self._tail(node, values), record=record)
        if (
            name not in self.places and not isinstance(node.func, ast.Name)
        ) or node.keywords:
            self.fail(node, f"`{ast.unparse(node)}` is not a call by plain name and place")
        if name in self.places:
            return self._call_function(node)
        callee = self.look_up(name)
        if callee is len:
            return self._len(node)
        if isinstance(callee, Kernel):
            return self._call_kernel(node, callee)
        values = [self.evaluate(argument) for argument in node.args]
        if callee in MATHEMATICS:
            numbers = [self.convert(node, value, ValueKind.FLOAT) for value in values]
            return self.library(MATHEMATICS[callee], *numbers)
        if callee not in self._own:
            self.fail(node, f"`{name}` cannot be called in a kernel")
        return self._own[callee](node, values)

    def _call_function(self, node: ast.Call) -> IrValue:
        function = self.evaluate(node.func)
        values = [self.evaluate(argument) for argument in node.args]
        if function.kind is not ValueKind.FUNCTION:
            self.fail(node, f"a {function.kind.word} cannot be called")
        if any(value.kind not in (ValueKind.FLOATS, ValueKind.INTS) for value in values):
            self.fail(node, "a Function takes Floats and Ints only", "Pass tail(a, i).")
        operands = ", ".join(f"ptr {value.text}" for value in values)
        self.body.write(f"call void {function.text}({operands})")
        return IrValue(ValueKind.NOTHING, "")

    def _call_kernel(self, node: ast.Call, callee: Kernel[..., Any]) -> IrValue:
        kinds = callee.kinds
        arguments = [part for argument in node.args for part in self._parts(argument)]
        if len(arguments) != len(kinds):
            self.fail(node, f"`{callee.__name__}` takes {len(kinds)} arguments")
        values = [
            self.evaluate_as(kind, argument)
            for kind, argument in zip(kinds.values(), arguments, strict=True)
        ]
        operands = ", ".join(f"{value.kind.llvm} {value.text}" for value in values)
        call = f"call {callee.result.llvm} {self._translate(callee)}({operands})"
        if callee.result is ValueKind.NOTHING:
            self.body.write(call)
            return IrValue(ValueKind.NOTHING, "")
        return IrValue(callee.result, self.body.let(call))

    def _parts(self, node: ast.expr) -> list[ast.expr]:
        # the fields of a group of arguments that is passed on, some of them replaced, or that
        # is made here, or the expression itself
        if isinstance(node, ast.Call) and self.look_up(dotted(node.func)) is replace:
            (group,) = node.args
            others = {word.arg: word.value for word in node.keywords}
            parts = self._parts(group)
            return [others.get(getattr(part, "attr", None), part) for part in parts]
        group = self.look_up(dotted(node.func)) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and isinstance(group, type) and is_dataclass(group):
            names = [own.name for own in fields(group)]
            given = dict(zip(names, node.args, strict=False))
            given |= {str(word.arg): word.value for word in node.keywords}
            return [given[name] for name in names]
        if not isinstance(node, ast.Name):
            return [node]
        start = f"{node.id}."
        own = [name[len(start) :] for name in self.places if name.startswith(start)]
        parts = [ast.Attribute(node, field, ast.Load()) for field in own]
        return [ast.copy_location(part, node) for part in parts] or [node]

    def _tail(self, node: ast.Call, values: list[IrValue]) -> IrValue:
        if len(values) != 2 or values[0].kind not in (ValueKind.FLOATS, ValueKind.INTS):
            self.fail(node, "view takes Floats or Ints, and an offset")
        array, index = values[0], self.convert(node, values[1], ValueKind.INT)
        kind = ValueKind.FLOAT if array.kind is ValueKind.FLOATS else ValueKind.INT
        return IrValue(array.kind, self.offset(kind, array.text, index))

    def _memory_at(self, node: ast.Call, kind: ValueKind, values: list[IrValue]) -> IrValue:
        address = self.convert(node, values[0], ValueKind.INT)
        return IrValue(kind, self.body.let(f"inttoptr i64 {address.text} to ptr"))

    def _len(self, node: ast.Call) -> IrValue:
        value = self.evaluate(node.args[0])
        if value.kind is not ValueKind.TABLE:
            self.fail(node, "len is for constant tuples")
        return literal(len(value.constant))

    def _abs(self, node: ast.Call, values: list[IrValue]) -> IrValue:
        (value,) = values
        if value.kind is ValueKind.INT:
            negative = self.arithmetic(node, ast.Sub(), literal(0), value)
            return self._extreme(node, ast.Gt(), [value, negative])
        return self.library("llvm.fabs.f64", self.convert(node, value, ValueKind.FLOAT))

    def _extreme(self, node: ast.Call, op: ast.cmpop, values: list[IrValue]) -> IrValue:
        # min(a, b) = b if b < a else a, which is what Python does with NaN too
        result = values[0]
        for value in values[1:]:
            a, b = self.agree(node, result, value)
            test = self.comparison(node, op, b, a)
            if test.known:
                result = b if test.constant else a
                continue
            ways = f"{a.kind.llvm} {b.text}, {a.kind.llvm} {a.text}"
            result = IrValue(a.kind, self.body.let(f"select i1 {test.text}, {ways}"))
        return result

    def _int(self, node: ast.Call, values: list[IrValue]) -> IrValue:
        (value,) = values
        if value.known:
            return literal(int(value.constant))
        if value.kind is ValueKind.BOOL:
            return IrValue(ValueKind.INT, self.body.let(f"zext i1 {value.text} to i64"))
        number = self.convert(node, value, ValueKind.FLOAT)
        return IrValue(ValueKind.INT, self.body.let(f"fptosi double {number.text} to i64"))

    def _float(self, node: ast.Call, values: list[IrValue]) -> IrValue:
        return self.convert(node, values[0], ValueKind.FLOAT)

    def _floor(self, node: ast.Call, values: list[IrValue]) -> IrValue:
        number = self.convert(node, values[0], ValueKind.FLOAT)
        return self._int(node, [self.library("llvm.floor.f64", number)])

    def _isfinite(self, node: ast.Call, values: list[IrValue]) -> IrValue:
        size = self.library("llvm.fabs.f64", self.convert(node, values[0], ValueKind.FLOAT))
        return self.comparison(node, ast.Lt(), size, literal(math.inf))

    def _bits(self, node: ast.Call, values: list[IrValue]) -> str:
        number = self.convert(node, values[0], ValueKind.FLOAT)
        return self.body.let(f"bitcast double {number.text} to i64")

    def _mantissa(self, node: ast.Call, values: list[IrValue]) -> IrValue:
        fraction = self.body.let(f"and i64 {self._bits(node, values)}, {2**52 - 1}")
        bits = self.body.let(f"or i64 {fraction}, {1022 * 2**52}")
        return IrValue(ValueKind.FLOAT, self.body.let(f"bitcast i64 {bits} to double"))

    def _exponent(self, node: ast.Call, values: list[IrValue]) -> IrValue:
        biased = self.body.let(f"lshr i64 {self._bits(node, values)}, 52")
        return IrValue(ValueKind.INT, self.body.let(f"sub nsw i64 {biased}, 1022"))

    def _power_of_two(self, node: ast.Call, values: list[IrValue]) -> IrValue:
        number = self.convert(node, values[0], ValueKind.INT)
        biased = self.body.let(f"add nsw i64 {number.text}, 1023")
        bits = self.body.let(f"shl i64 {biased}, 52")
        return IrValue(ValueKind.FLOAT, self.body.let(f"bitcast i64 {bits} to double"))
