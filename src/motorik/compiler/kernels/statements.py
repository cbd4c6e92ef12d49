"""Statements of the kernel language, turned into the blocks of an LLVM function."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from motorik.compiler.kernels.calls import Calls
from motorik.compiler.kernels.ir import IrValue, Module, ValueKind, literal
from motorik.compiler.kernels.language import Kernel
from motorik.compiler.kernels.late import LINK, write_entry

_LOOPS = ("range", "unroll", "lanes")


class Translation:
    """Writes kernels into a module, each once, in the order in which they are met.

    With `wide`, the turns of a `lanes` loop run several at once: good for long vectors,
    while short ones are done sooner one after another. `small` code is compiled sooner, and
    its loops are not unrolled.
    """

    def __init__(self, module: Module, wide: bool, small: bool = False) -> None:
        self.module = module
        self.wide = wide
        self._size = "optsize " if small else ""
        self.shared: dict[
            str, Kernel[..., Any]
        ] = {}  # kernels of other libraries, by symbol
        self._names: dict[Kernel[..., Any], str] = {}

    def export(
        self, sources: Sequence[Kernel[..., Any]], constants: Mapping[str, float]
    ) -> None:
        """Write kernels that can be called from outside, some arguments being known."""
        self._names.update({source: f"@{source.__name__}" for source in sources})
        for source in sources:
            self._write(source, self._names[source], "", constants)

    def name(self, source: Kernel[..., Any]) -> str:
        """Return the LLVM name of a kernel that is called by another."""
        if source in self._names:
            return self._names[source]
        if source.home:
            symbol = f"shared.{source.__name__}"
            self.shared[symbol] = source
            if source.late:
                self._names[source] = f"@{symbol}"
                self.module.declare(LINK, "void", ["ptr", "i64"])
                self.module.functions.append(write_entry(source, f"@{symbol}"))
            else:
                kinds = [kind.llvm for kind in source.kinds.values()]
                self._names[source] = self.module.declare(symbol, source.result.llvm, kinds)
        else:
            self._names[source] = name = f"@{source.__name__}.{len(self._names)}"
            self._write(source, name, "internal ", {})
        return self._names[source]

    def _write(
        self,
        source: Kernel[..., Any],
        name: str,
        linkage: str,
        constants: Mapping[str, float],
    ) -> None:
        statements = Statements(self, source, constants)
        statements.write_all()
        arguments = ", ".join(f"{kind.llvm} %{n}" for n, kind in source.kinds.items())
        inline = "" if not linkage else "alwaysinline " if source.inline else "noinline "
        how = f"{inline}{self._size}nounwind"
        head = f"define {linkage}{source.result.llvm} {name}({arguments}) {how}"
        body = statements.body
        lines = [f"{head} {{", "entry:", *body.locals, *body.lines, "}"]
        self.module.functions.append("\n".join(lines))


class Statements(Calls):
    """The body of one kernel."""

    def __init__(
        self,
        translation: Translation,
        source: Kernel[..., Any],
        constants: Mapping[str, float],
    ) -> None:
        super().__init__(translation.module, source.file, source.find, translation.name)
        self._source, self.records = source, dict(source.records)
        self._wide = translation.wide
        self._loops: list[tuple[str, str]] = []  # labels to continue at and to break to
        self._sums: list[set[str]] = []  # variables that a `lanes` loop only adds to
        self._statements: dict[type[ast.stmt], Callable[[Any], None]] = {
            ast.Assign: self._assign,
            ast.AugAssign: self._augment,
            ast.Expr: self._expression,
            ast.If: self._if,
            ast.While: self._while,
            ast.For: self._for,
            ast.Break: lambda node: self.body.jump(self._loops[-1][1]),
            ast.Continue: lambda node: self.body.jump(self._loops[-1][0]),
            ast.Return: self._return,
            ast.Pass: lambda node: None,
        }
        for argument, kind in source.kinds.items():
            if argument in constants:
                python = int if kind is ValueKind.INT else float
                self.fixed[argument] = python(constants[argument])
                continue
            place = self.body.local(kind, argument)
            self.body.store(IrValue(kind, f"%{argument}"), place)
            self.places[argument] = (kind, place)

    def write_all(self) -> None:
        """Write the whole kernel."""
        self._block(self._source.tree.body)
        if self.body.alive:
            if self._source.result is not ValueKind.NOTHING:
                self.fail(self._source.tree, "one path through it ends without `return`")
            self.body.leave("ret void")

    def _block(self, nodes: list[ast.stmt]) -> None:
        for node in nodes:
            if not self.body.alive:
                return
            write = self._statements.get(type(node))
            if write is None:
                word = ast.unparse(node).split("\n", 1)[0]
                self.fail(node, f"`{word}` is not part of the kernel language")
            write(node)

    def _assign(self, node: ast.Assign) -> None:
        (target,) = node.targets if len(node.targets) == 1 else (None,)
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            values = [self.evaluate(value) for value in node.value.elts]
            for one, value in zip(target.elts, values, strict=True):
                self._put(one, value)
        elif target is None:
            self.fail(node, "a = b = c assigns twice", "Write two assignments.")
        else:
            self._put(target, self.evaluate(node.value))

    def _put(self, target: ast.expr, value: IrValue) -> None:
        memory = self._memory(target)
        if memory is not None:
            kind, address = memory
            value = self.convert(target, value, kind)
            self.body.store(value, address, self.access(kind))
        elif isinstance(target, ast.Name):
            if target.id in self.fixed:
                self.fail(target, f"`{target.id}` is constant here", "Use another name.")
            if value.kind in (ValueKind.NOTHING, ValueKind.TABLE):
                self.fail(target, f"a {value.kind.word} cannot be kept in a variable")
            if target.id not in self.places:
                place = self.body.local(value.kind, target.id)
                self.places[target.id] = (value.kind, place)
            kind, place = self.places[target.id]
            self.body.store(self.convert(target, value, kind), place)
            if value.record is not None:
                self.records[target.id] = value.record
        else:
            self.fail(target, f"`{ast.unparse(target)}` cannot be assigned to")

    def _memory(self, target: ast.expr) -> tuple[ValueKind, str] | None:
        # kind and address of an element or a field, None of a variable
        if isinstance(target, ast.Subscript):
            return self.place(target)
        return self.field(target) if isinstance(target, ast.Attribute) else None

    def _augment(self, node: ast.AugAssign) -> None:
        memory = self._memory(node.target)
        if memory is not None:
            kind, address = memory
            old = self.body.load(kind, address, self.access(kind))
            value = self.arithmetic(node, node.op, old, self.evaluate(node.value))
            self.body.store(self.convert(node, value, kind), address, self.access(kind))
            return
        name = node.target.id if isinstance(node.target, ast.Name) else ""
        # a sum over the turns of a `lanes` loop may be taken in any order
        is_sum = bool(self._sums) and name in self._sums[-1]
        freedom = " reassoc" if is_sum and isinstance(node.op, ast.Add) else ""
        old = self.evaluate(node.target)
        value = self.arithmetic(node, node.op, old, self.evaluate(node.value), freedom)
        self._put(node.target, value)

    def _expression(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return
        if not isinstance(node.value, ast.Call):
            self.fail(node, f"`{ast.unparse(node)}` has no effect")
        self.evaluate(node.value)

    def _if(self, node: ast.If) -> None:
        test = self.truth(node.test)
        if test.known:
            self._block(node.body if test.constant else node.orelse)
            return
        yes, no, end = (self.body.name(stem) for stem in ("then", "else", "endif"))
        self.body.fork(test, yes, no)
        for label, block in ((yes, node.body), (no, node.orelse)):
            self.body.mark(label)
            self._block(block)
            self.body.jump(end)
        self.body.mark(end)

    def _while(self, node: ast.While) -> None:
        self._refuse_else(node)
        head, inside, end = (self.body.name(stem) for stem in ("while", "do", "endwhile"))
        self.body.mark(head)
        test = self.truth(node.test)
        if not test.known:
            self.body.fork(test, inside, end)
            self.body.mark(inside)
        elif not test.constant:
            return
        self._turns(node.body, head, end)
        self.body.jump(head)
        self.body.mark(end)

    def _for(self, node: ast.For) -> None:
        self._refuse_else(node)
        call, target = node.iter, node.target
        if not (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id in _LOOPS
            and isinstance(target, ast.Name)
        ):
            self.fail(node, "a loop must be `for name in range(…)`, unroll(…) or lanes(…)")
        values = [self.evaluate_as(ValueKind.INT, bound) for bound in call.args]
        start = values[0] if len(values) > 1 else literal(0)
        stop = values[1] if len(values) > 1 else values[0]
        step = values[2] if len(values) > 2 else literal(1)
        if call.func.id == "unroll":
            self._unrolled(node, target.id, start, stop, step)
        else:
            self._counted(node, start, stop, step, parallel=call.func.id == "lanes")

    def _unrolled(
        self, node: ast.For, name: str, start: IrValue, stop: IrValue, step: IrValue
    ) -> None:
        if not (start.known and stop.known and step.known):
            self.fail(node, "unroll needs constant bounds", "Use range(…) or lanes(…).")
        if name in self.places:
            self.fail(node, f"`{name}` is a variable already", "Use another name.")
        end = self.body.name("endunroll")
        for turn in range(start.constant, stop.constant, step.constant):
            self.fixed[name] = turn
            following = self.body.name("turn")
            self._turns(node.body, following, end)
            self.body.mark(following)
        self.fixed.pop(name, None)
        self.body.mark(end)

    def _counted(
        self, node: ast.For, start: IrValue, stop: IrValue, step: IrValue, parallel: bool
    ) -> None:
        if not step.known or step.constant == 0:
            self.fail(node, "the step of a range must be a constant other than 0")
        stems = ("for", "do", "next", "endfor")
        head, inside, following, end = (self.body.name(stem) for stem in stems)
        counter = self.body.local(ValueKind.INT, "count")
        self.body.store(start, counter)
        note = self._begin_lanes(node, start.known and stop.known) if parallel else ""
        self.body.mark(head)
        count = self.body.load(ValueKind.INT, counter)
        op = ast.Lt() if step.constant > 0 else ast.Gt()
        self.body.fork(self.comparison(node, op, count, stop), inside, end)
        self.body.mark(inside)
        self._put(node.target, count)
        self._turns(node.body, following, end)
        self.body.mark(following)
        if self.body.alive:
            count = self.body.load(ValueKind.INT, counter)
            self.body.store(self.arithmetic(node, ast.Add(), count, step), counter)
            self.body.jump(head, note)
        self.body.mark(end)
        if parallel:
            self.groups.pop()
            self._sums.pop()

    def _begin_lanes(self, node: ast.For, is_known: bool) -> str:
        add = self.module.metadata
        group = add("distinct !{}")
        is_wide = str(self._wide or is_known).lower()  # a known count fills vectors
        wide = add(f'!{{!"llvm.loop.vectorize.enable", i1 {is_wide}}}')
        once = add('!{!"llvm.loop.unroll.disable"}')
        free = add(f'!{{!"llvm.loop.parallel_accesses", {group}}}')
        loop = add(f"distinct !{{!self, {wide}, {once}, {free}}}")
        self.groups.append(group)
        assigned = {
            name.id
            for statement in ast.walk(node)
            if isinstance(statement, ast.Assign)
            for target in statement.targets
            for name in ast.walk(target)
            if isinstance(name, ast.Name)
        }
        self._sums.append(set(self.places) - assigned)
        return f", !llvm.loop {loop}"

    def _turns(self, block: list[ast.stmt], following: str, end: str) -> None:
        self._loops.append((following, end))
        self._block(block)
        self._loops.pop()

    def _refuse_else(self, node: ast.For | ast.While) -> None:
        if node.orelse:
            self.fail(node, "a loop cannot have `else`")

    def _return(self, node: ast.Return) -> None:
        kind = self._source.result
        if node.value is None or kind is ValueKind.NOTHING:
            if node.value is not None or kind is not ValueKind.NOTHING:
                self.fail(node, f"this kernel returns {kind.word}")
            self.body.leave("ret void")
            return
        value = self.evaluate_as(kind, node.value)
        self.body.leave(f"ret {kind.llvm} {value.text}")
