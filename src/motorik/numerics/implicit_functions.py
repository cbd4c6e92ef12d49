"""Programs: straight-line code with loops solved by Newton's method in it, all native."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.compiler import Argument, NativeFunction, compile_functions, load
from motorik.compiler.kernels import native
from motorik.numerics.continuation import (
    close_or_follow,
    remember,
    state_size,
    work_size,
)

if TYPE_CHECKING:
    import casadi


class Unknown(Protocol):
    """An unknown of an algebraic loop, with a name; its kind is that of the room that traces it."""

    @property
    def name(self) -> str:
        """The name for errors, or nothing."""
        ...


U = TypeVar("U", bound=Unknown)


@dataclass
class Loop(Generic[U]):
    """Equations that are solved together: the residuals vanish for the right unknowns."""

    part: str
    variables: list[U] = field(default_factory=list)
    symbols: list[Any] = field(default_factory=list)
    guess: list[float] = field(default_factory=list)
    residuals: list[Scalar] = field(default_factory=list)
    scales: list[float] = field(default_factory=list)
    """A large change of each unknown: a radian, or a length."""

    @property
    def size(self) -> int:
        """The number of unknowns."""
        return len(self.symbols)

    def __repr__(self) -> str:
        names = ", ".join(variable.name or "?" for variable in self.variables)
        return f"Loop({self.part}: {names})"


class LoopFunction(NativeFunction):
    """A native function that keeps alive what it works with: memory and other code."""

    kept: tuple[Any, ...] = ()


@dataclass
class Program:
    """A native function, and the memory it has of the loops that it closes.

    `memory` holds the solutions of the last call, which are the guess of the next unless
    guesses are given; the function is not to be run in several threads at once. Where a loop cannot
    close, `failed` is its number until `clear_failure`, and what depends on it is not a number.
    """

    function: NativeFunction
    loops: list[Loop[Any]]
    _memory: np.ndarray
    _path: np.ndarray | None = None  # where its loops have been followed to

    @property
    def n_unknowns(self) -> int:
        """The number of all unknowns."""
        return sum(loop.size for loop in self.loops)

    @property
    def memory(self) -> np.ndarray:
        """The guess for the unknowns, loop after loop."""
        return self._memory[1 : 1 + self.n_unknowns]

    @property
    def failed(self) -> int | None:
        """The number of a loop that did not close; None if all did."""
        return int(self._memory[0]) - 1 if self._memory[0] else None

    def clear_failure(self) -> None:
        """Forget a loop that did not close."""
        self._memory[0] = 0.0

    def begin_at(self, guess: Sequence[float] | np.ndarray) -> None:
        """Let the next call find the unknowns near a guess, wherever the inputs were before."""
        self.memory[:] = guess
        self.clear_failure()
        if self._path is not None:
            self._path[0] = 0.0

    def begin_like(self, other: Program) -> None:
        """Let the next call follow the loops from where another program has followed them."""
        self.begin_at(other.memory)
        if self._path is not None and other._path is not None:
            self._path[:] = other._path


def column(values: Sequence[Scalar]) -> casadi.SX:
    """Return scalars as a dense column of symbols."""
    import casadi

    return casadi.densify(casadi.SX(casadi.vertcat(*values)))


def program_with_loops(
    name: str,
    given: Mapping[str, casadi.SX],
    outputs: Mapping[str, casadi.SX],
    loops: list[Loop[Any]],
) -> Program:
    """Compile residuals and results as functions of (u, z), and what calls them in turn.

    u are all inputs, end to end; z are all unknowns. Loops stay on their branch: from the
    inputs of the call before to those of the next one they are followed on a straight line,
    in steps as short as that needs.
    """
    import casadi

    u = casadi.SX.sym("u", sum(x.numel() for x in given.values()))
    z = casadi.SX.sym("z", sum(loop.size for loop in loops))
    old = casadi.vertcat(*given.values(), *(s for loop in loops for s in loop.symbols))

    def in_place(expressions: list[casadi.SX]) -> list[casadi.SX]:
        return casadi.substitute(expressions, [old], [casadi.vertcat(u, z)])

    functions = {}
    for k, loop in enumerate(loops):
        g = column(loop.residuals)
        J = casadi.densify(casadi.jacobian(g, casadi.vertcat(*loop.symbols)))
        functions[f"loop{k}"] = casadi.Function(f"loop{k}", [u, z], in_place([g, J]))
    functions["result"] = casadi.Function(
        "result", [u, z], in_place(list(outputs.values())), ["u", "z"], list(outputs)
    )
    made = compile_functions(functions)
    n_u, n_z = u.numel(), z.numel()
    n_work = max(work_size(loop.size) for loop in loops)
    memory = np.zeros(1 + 2 * n_z + n_u + n_work + state_size(n_u, n_z))
    arguments = tuple(Argument(key, x.numel()) for key, x in given.items())
    kernels = native(close_or_follow), native(remember)
    path = memory[1 + 2 * n_z + n_u + n_work :]
    path[1 + n_u : 1 + n_u + n_z] = [x for loop in loops for x in loop.scales]
    text = write_driver(
        arguments,
        made["result"].outputs,
        [(loop.size, made[f"loop{k}"].address) for k, loop in enumerate(loops)],
        made["result"].address,
        [one.address for one in kernels],
        memory.ctypes.data,
        n_work,
    )
    driver = LoopFunction(
        name,
        load(text, opt=1, cache=False),
        "program",
        arguments,
        made["result"].outputs,
        n_instructions=sum(function.n_instructions for function in made.values()),
    )
    driver.kept = (memory, *made.values(), *kernels)
    program = Program(driver, loops, memory, path)
    program.memory[:] = [x for loop in loops for x in loop.guess]
    return program


def write_driver(
    inputs: tuple[Argument, ...],
    outputs: tuple[Argument, ...],
    loops: Sequence[tuple[int, int]],
    result: int,
    kernels: Sequence[int],
    memory: int,
    work: int,
) -> str:
    """Return the function that gathers the inputs, closes the loops and computes the results.

    A loop is given by the number of its unknowns and the address of its residuals. In
    memory lie: the number of a loop that failed, counted from 1; the guess; the unknowns z;
    the inputs u; work space of `work` numbers; what is known of the path. The `kernels` are
    `close_or_follow`, which closes a loop, and `remember`.
    """
    n = sum(size for size, _ in loops)
    n_u = sum(argument.size for argument in inputs)
    z = memory + 8 * (1 + n)
    u = z + 8 * n
    room = u + 8 * n_u
    path = room + 8 * work
    lines = _copy_inputs(inputs, u)
    start = 0
    lines.append(f"%before = load double, ptr {_at(memory)}")
    failed = "%before"
    for k, (size, residual) in enumerate(loops):
        passed = (
            f"{_pointers(residual)}, i64 {n_u}, i64 {n}, i64 {start}, "
            f"{_pointers(u, z, memory + 8, path, room)}"
        )
        lines += [
            f"%turns{k} = call i64 {_at(kernels[0])}(i64 {size}, {passed})",
            f"%closed{k} = icmp sgt i64 %turns{k}, 0",
            f"%failed{k} = select i1 %closed{k}, double {failed}, double {k + 1}.0",
        ]
        failed = f"%failed{k}"
        start += size
    lines.append(f"store double {failed}, ptr {_at(memory)}")
    passed = _pointers(u, z, memory + 8, path)
    lines.append(f"call void {_at(kernels[1])}(i64 {n_u}, i64 {n}, {passed})")
    count = len(inputs)
    made = "".join(f", ptr %a{count + k}" for k in range(len(outputs)))
    lines.append(f"call void {_at(result)}(ptr {_at(u)}, ptr {_at(z)}{made})")
    parameters = ", ".join(f"ptr %a{k}" for k in range(count + len(outputs)))
    return "\n".join(
        [
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
            f"define void @program({parameters}) nounwind {{",
            *lines,
            "ret void",
            "}",
        ]
    )


def _copy_inputs(inputs: tuple[Argument, ...], place: int) -> list[str]:
    """Return the lines that copy the inputs one after another into memory."""
    lines: list[str] = []
    for k, argument in enumerate(inputs):
        size = 8 * argument.size
        lines.append(
            f"call void @llvm.memcpy.p0.p0.i64(ptr {_at(place)}, ptr %a{k}, i64 {size}, i1 false)"
        )
        place += size
    return lines


def _pointers(*addresses: int) -> str:
    """Return addresses as arguments of a call."""
    return ", ".join(f"ptr {_at(address)}" for address in addresses)


def _at(address: int) -> str:
    """Return an address as a constant of the code."""
    return f"inttoptr (i64 {address} to ptr)"
