"""Compiled mode: a chain of elements, with its loops, as machine code.

>>> from motorik.mobile import AngularVariable, ElementaryJoint, Frame, MapChain
>>> from motorik.mobile import MassElement, RigidLink
>>> K0, K1, K2, phi = Frame("K0"), Frame("K1"), Frame("K2"), AngularVariable("phi")
>>> pendulum = MapChain() << ElementaryJoint(K0, K1, phi) << RigidLink(K1, K2, (0.0, -1.0, 0.0))
>>> native = compile_chain(pendulum << MassElement(K2, 2.0), [phi], [(K2, "p"), (phi, "Q")])
>>> native
CompiledChain((q[1], qd[1], qdd[1]) -> (K2.p, phi.Q))
>>> place, torque = native([0.0], [0.0], [3.0])
>>> place.tolist(), torque.tolist()
([0.0, -1.0, 0.0], -6.0)
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from motorik.algebra.matrix import IDENTITY
from motorik.algebra.motor import ZERO_MOTOR
from motorik.algebra.pose import IDENTITY_POSE
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO
from motorik.compiler import NativeFunction
from motorik.errors import CompileError, LoopError
from motorik.mobile.arguments import checked_function
from motorik.mobile.compiled.program import compile_program, length_of
from motorik.mobile.compiled.quantities import Item, StateQuantity, quantities
from motorik.mobile.solvers.explicit_solver import ExplicitConstraintSolver
from motorik.mobile.states.mutable import Mutable
from motorik.mobile.states.transmission import Element, State, Subtask, walk
from motorik.mobile.states.variable import StateVariable

# --- copies of chains ----------------------------------------------------------------------


_CONSTANTS = (ZERO, IDENTITY, IDENTITY_POSE, ZERO_MOTOR)


class ChainCopy:
    """A copy of a chain with state objects and parameters of its own.

    Symbols run through the copy, so that the chain itself keeps its numbers.
    """

    def __init__(self, chain: Element) -> None:
        self._twins: dict[int, Any] = {id(constant): constant for constant in _CONSTANTS}
        self._original = chain
        try:
            self.chain: Element = copy.deepcopy(chain, self._twins)
        except TypeError as error:
            raise CompileError(
                repr(chain),
                f"cannot be copied: {error}",
                "Leave elements that hold files or windows out of what is compiled.",
            ) from error

    def quantity(self, quantity: StateQuantity) -> StateQuantity:
        """Return the same quantity of the copy."""
        if id(quantity.state) not in self._twins:
            raise CompileError(
                repr(quantity.state),
                "is not part of the chain",
                "Name frames and variables that the elements of the chain connect.",
            )
        return StateQuantity(self._twins[id(quantity.state)], quantity.name)

    def original(self, state: State) -> State:
        """Return the state object of which this one is the copy."""
        return next(s for s in self._original.touched if self._twins.get(id(s)) is state)

    def assign(self, parameters: Sequence[Mutable], entries: Sequence[Scalar]) -> None:
        """Give the copies of parameters other entries, end to end."""
        start = 0
        for parameter in parameters:
            count = len(parameter.entries)
            self._twins[id(parameter)].assign(entries[start : start + count])
            start += count

    def put(
        self, others: Sequence[tuple[Element | State, str]], scalars: Sequence[Scalar]
    ) -> None:
        """Give attributes of the copies of elements and variables other scalars."""
        for (one, name), scalar in zip(others, scalars, strict=True):
            setattr(self._twins[id(one)], name, scalar)

    def write(self, targets: Sequence[StateQuantity], scalars: Sequence[Scalar]) -> None:
        """Give the copies of quantities other scalars, end to end."""
        start = 0
        for target in targets:
            self.quantity(target).write(scalars[start : start + target.size])
            start += target.size

    def traverse(
        self,
        inputs: Sequence[StateQuantity],
        scalars: Sequence[Scalar],
        motion: Subtask,
        force: Subtask,
    ) -> None:
        """Run motion and force through the copy, with these scalars for the inputs."""
        self.chain.clear_forces()
        self.write(inputs, scalars)
        self.chain.motion(motion)
        self.chain.force(force)


# --- compiled chains -----------------------------------------------------------------------


Arrays = np.ndarray | list[np.ndarray]
"""One array, or one for each output."""

PARAMETERS = "parameters"  # the name of the last input, which no quantity has


@checked_function
def compile_chain(
    chain: Element,
    inputs: Iterable[Item],
    outputs: Iterable[Item],
    *,
    motion: Subtask = Subtask.ALL,
    force: Subtask = Subtask.ALL,
    live: bool = True,
) -> CompiledChain:
    """Return the motion traversal of a chain, and its force traversal, as machine code.

    `inputs` are variables, for their q, q̇ and q̈; frames, for the load f and t on them; or
    single quantities, as pairs such as ``(K4, "f")``. `outputs` are pairs too; a variable
    alone is all of its q, q̇, q̈ and Q, a frame its place p and rotation R. Parameters that
    are references, variables not named and branches of explicit solvers stay live: they are
    read in each call, unless `live` is false. All other numbers are folded into the code as they
    are now. The only loads are those among the
    inputs. Implicit solvers become native iterations, which are followed from the solution of
    the call before on its branch, and start at first from where the chain is now. Only what the
    outputs need is computed.
    """
    given = quantities(inputs, ("q", "qd", "qdd"), ("f", "t"))
    wanted = quantities(outputs, ("q", "qd", "qdd", "Q"), ("p", "R"))
    return CompiledChain(chain, given, wanted, motion, force, live)


class CompiledChain:
    """A chain as a native function of numbers, made by `compile_chain`.

    The inputs of one name are one array: `q`, `qd`, `qdd` of all variables named, in their
    order; each output is an array of its own. `function` is the native function itself,
    which has all that is live as a last input, `parameter_values`.
    """

    def __init__(
        self,
        chain: Element,
        inputs: Sequence[StateQuantity],
        outputs: Sequence[StateQuantity],
        motion: Subtask = Subtask.ALL,
        force: Subtask = Subtask.ALL,
        live: bool = True,
    ) -> None:
        self.chain, self.outputs = chain, tuple(outputs)
        names = tuple(dict.fromkeys(quantity.name for quantity in inputs))
        self.inputs = tuple(sorted(inputs, key=lambda quantity: names.index(quantity.name)))
        self.sizes = {
            name: sum(q.size for q in self.inputs if q.name == name) for name in names
        }
        self.parameters: tuple[Mutable, ...] = tuple(chain.parameters) if live else ()
        self._others = self._find_others() if live else []
        n_p = len(self.parameter_values)
        twin = ChainCopy(chain)
        n_entries = sum(len(parameter.entries) for parameter in self.parameters)

        def trace(*arrays: Sequence[Scalar]) -> dict[str, Sequence[Scalar]]:
            given, p = [x for array in arrays[:-1] for x in array], arrays[-1]
            twin.assign(self.parameters, p[:n_entries])
            twin.put(self._others, p[n_entries:])
            twin.traverse(self.inputs, given, motion, force)
            made = (twin.quantity(output).read() for output in self.outputs)
            return {f"out{k}": scalars for k, scalars in enumerate(made)}

        sizes = {**self.sizes, PARAMETERS: n_p}
        self._program = compile_program("chain", sizes, trace, length_of(chain.touched))
        self.unknowns = tuple(
            StateQuantity(twin.original(variable), "q")
            for loop in self._program.loops
            for variable in loop.variables
        )
        with suppress(
            LoopError
        ):  # a chain that cannot close yet is reported when it is used
            self._close_by_hand(self._present())

    @property
    def function(self) -> NativeFunction:
        """The native function."""
        return self._program.function

    @property
    def parameter_values(self) -> np.ndarray:
        """All that is live as it is now, end to end: entries of parameters, then the others."""
        entries = [e for parameter in self.parameters for e in parameter.entries]
        entries += [getattr(one, name) for one, name in self._others]
        return np.array(entries, dtype=float)

    def _find_others(self) -> list[tuple[Element | State, str]]:
        """Return the live inputs besides parameters: variables that are no inputs, and branches."""
        given = {id(quantity.state) for quantity in self.inputs}
        others: list[tuple[Element | State, str]] = [
            (state, name)
            for state in self.chain.inputs
            if isinstance(state, StateVariable) and not state.is_dependent
            for name in ("q", "qd", "qdd")
            if id(state) not in given
        ]
        return others + [
            (element, "branch")
            for element in walk(self.chain)
            if isinstance(element, ExplicitConstraintSolver)
        ]

    @property
    def guess(self) -> np.ndarray:
        """Where the next iteration for the `unknowns` starts; may be written to."""
        return self._program.memory

    def __call__(self, *arrays: ArrayLike) -> Arrays:
        """Return the outputs, one array or a list of them, for one array of each input."""
        p = self.parameter_values
        made = self.function(*arrays, p)
        if self._program.failed is not None:
            self._close_by_hand(arrays)
            made = self.function(*arrays, p)
            self._check_closed()
        return self._shaped(made, ())

    def attempt(self, *arrays: ArrayLike) -> list[np.ndarray] | None:
        """Return the list of outputs, None where a loop does not close from the guess."""
        made = self.function(*arrays, self.parameter_values)
        if self._program.failed is not None:
            self._program.clear_failure()
            return None
        shaped = self._shaped(made, ())
        return shaped if isinstance(shaped, list) else [shaped]

    def map(self, *arrays: ArrayLike) -> Arrays:
        """Return the outputs of N samples, which have a leading axis of length N.

        Loops are followed from sample to sample.
        """
        start = self.guess.copy()
        made = self.function.map(*arrays, self.parameter_values)
        if self._program.failed is None:
            return self._shaped(made, (-1,))
        self._program.clear_failure()
        self.guess[:] = start
        results = [self(*sample) for sample in zip(*arrays, strict=True)]
        if len(self.outputs) == 1:
            return np.array(results)
        return [np.array(result) for result in zip(*results, strict=True)]

    def run(self) -> None:
        """Read the inputs from the state objects, and write the outputs there.

        Where the positions of unknowns have been changed from outside, they are the guess.
        """
        arrays = self._present()
        guess = [x for unknown in self.unknowns for x in unknown.read()]
        if guess != self.guess.tolist():
            self.guess[:] = guess
            self._close_by_hand(arrays)
        made = self(*arrays)
        results = made if len(self.outputs) > 1 else [made]
        for output, values in zip(self.outputs, results, strict=True):
            output.write(np.ravel(values).tolist())
        for unknown, value in zip(self.unknowns, self.guess.tolist(), strict=True):
            unknown.write([value])

    def _present(self) -> list[list[Scalar]]:
        """Return the inputs as they are now, one list for each name."""
        return [
            [x for q in self.inputs if q.name == name for x in q.read()]
            for name in self.sizes
        ]

    def _close_by_hand(self, arrays: Sequence[ArrayLike]) -> None:
        """Find a guess in immediate mode, whose solvers also report why a loop cannot close."""
        self._program.clear_failure()
        if not self.unknowns:
            return
        twin = ChainCopy(self.chain)
        twin.write(self.unknowns, self.guess.tolist())
        given = [x for array in arrays for x in np.ravel(array).tolist()]
        twin.traverse(self.inputs, given, Subtask.POSITION, Subtask.NOTHING)
        found = [x for unknown in self.unknowns for x in twin.quantity(unknown).read()]
        if not np.all(np.isfinite(found)):
            raise LoopError(
                ", ".join(map(repr, self.unknowns)),
                f"cannot be found: the inputs are {given}.",
                "Give finite numbers.",
            )
        self.guess[:] = found

    def _check_closed(self) -> None:
        if self._program.failed is not None:
            loop = self._program.loops[self._program.failed]
            self._program.clear_failure()
            raise LoopError(
                repr(loop),
                "closes in immediate mode but not in machine code.",
                "Keep away from dead centres; compile again if constants were changed.",
            )

    def _shaped(self, made: Arrays, leading: tuple[int, ...]) -> Arrays:
        arrays = [made] if isinstance(made, np.ndarray) else made
        results = [
            values.reshape((*leading, *output.shape))
            for output, values in zip(self.outputs, arrays, strict=True)
        ]
        return results if len(results) > 1 else results[0]

    def __repr__(self) -> str:
        given = ", ".join(f"{name}[{size}]" for name, size in self.sizes.items())
        made = ", ".join(map(repr, self.outputs))
        return f"CompiledChain(({given}) -> ({made}))"
