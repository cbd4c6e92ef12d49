"""Native functions of a system: its equations as machine code, each compiled when first used."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from motorik.immutable import immutable
from motorik.progress import working

if TYPE_CHECKING:
    from motorik.compiler import NativeFunction
    from motorik.compiler.interpret import Interpreted
    from motorik.compiler.rolled.tape import Tape
    from motorik.nonsmooth.laws.response import ForceResponse
    from motorik.system.equations import Equations
    from motorik.system.kept_code import KeptCode
    from motorik.system.layout import Layout

ROLLED = (
    "armature_response",
    "audited",
    "derivative",
    "forward_dynamics",
    "full_state",
    "full_state_rates",
    "unwrapped_angles",
    "margins",
    "poses",
    "project",
    "relative_coordinates",
)
OF_MOTION = ("forces", "full_state_rates")  # of (t, X, p), needed by results
SHARING = "articulated body, equal links sharing their code"
OF_BATCHES = "_batch"  # functions of so many states at once as lanes of an ensemble
ROLL_FROM = 48  # freedoms from which equal links share their code
SHARED_FROM = 5_000  # operations from which the derivative is a part of its audit


@immutable
class Outputs:
    """A native function to variables, and whether it needs the multipliers of loops."""

    function: NativeFunction
    needs_multipliers: bool


class NativeFunctions:
    """The native functions of a system, by name; `CompiledModel` lists them.

    The equations are found when a function is made of them; those `kept` on disk by an earlier
    process need none.
    """

    def __init__(
        self,
        find_equations: Callable[[], Equations],
        layout: Layout,
        kept: Mapping[str, KeptCode] = MappingProxyType({}),
    ) -> None:
        self._find_equations, self.layout, self.kept = find_equations, layout, kept
        self._made: dict[str, NativeFunction] = {}
        self._outputs: dict[tuple[str, ...], Outputs] = {}
        self._tapes: dict[str, Tape] = {}
        self._requested: dict[
            object, int
        ] = {}  # samples of functions that are not compiled, so far
        self._lock = threading.RLock()

    @property
    def equations(self) -> Equations:
        """The equations that the functions are made of."""
        return self._find_equations()

    @property
    def made(self) -> Mapping[str, NativeFunction]:
        """The functions that are there by now."""
        return self._made

    def _load(self, names: Sequence[str]) -> None:
        """Load those of these functions that are kept on disk."""
        for name in names:
            if name in self.kept and name not in self._made:
                found = self.kept[name].load(name)
                if found is not None:
                    self._made[name] = found

    @cached_property
    def is_rolled(self) -> bool:
        """Whether equal links share one piece of native code."""
        return self.equations.form.n_shared >= ROLL_FROM

    def get(self, name: str) -> NativeFunction:
        """Return a native function, compiled now if it is not yet."""
        made = self._made.get(name)
        if made is not None:
            return made
        with self._lock:
            self._load([name])
            if name not in self._made:
                with working(f"compiling {name}"):
                    self._made[name] = self._make(name)
            return self._made[name]

    def prepare(self, names: Sequence[str]) -> None:
        """Compile several functions at once, where none is rolled.

        Those of other systems are compiled when first called.
        """
        with self._lock:
            self._load(names)
            if all(name in self._made for name in names):
                return
            if self.response is not None:
                self._made.update(
                    (n, self.get(n)) for n in names if n in self.response.natives
                )
            if "derivative" in names and self._shares:
                self._made.update(self._with_audit())
            new = [n for n in names if n not in self._made]
            if self.is_rolled or len(new) < 2:
                return
            from motorik.compiler import Request, compile_together

            requests = (
                Request(self.equations.function(n), replaces=n == "project") for n in new
            )
            with working(f"compiling {', '.join(new)}"):
                self._made.update(zip(new, compile_together(requests), strict=True))

    @property
    def response(self) -> ForceResponse | None:
        """How kernels find the forces of many constraints, None if straight-line code does."""
        return self.equations.response

    def _make(self, name: str) -> NativeFunction:
        from motorik.compiler import compile_function
        from motorik.compiler.straight.lanes import BATCH, LANES, SHORT, WIDE

        equations = self.equations
        if name in OF_MOTION and equations.response_of_motion is not None:
            found = equations.response_of_motion.natives
            if name in found:
                return found[name]
        elif self.response is not None and name in self.response.natives:
            return self.response.natives[name]
        if name in ("derivative", "audited") and self._shares:
            return self._with_audit()[name]
        if name == "derivative_lanes":
            if self.is_rolled:
                return self.rolled("derivative", LANES)
            return compile_function(equations.function("derivative"), width=LANES)
        if name.endswith(OF_BATCHES):
            own = name.removesuffix(OF_BATCHES)
            if self.is_rolled and self.can_roll(own):
                return self.rolled(own, BATCH)
            is_short = equations.function("derivative").n_instructions() < SHORT
            return compile_function(
                equations.function(own),
                width=WIDE if is_short else BATCH,
                replaces=own == "project",
            )
        if name == "jacobian":
            return self._make_jacobian()
        if name == "project" and not (self.is_rolled and self.can_roll(name)):
            return compile_function(equations.function("project"), replaces=True)
        if name == "full_state_rates" and equations.formulation.is_empty:
            return self.get("derivative")
        if self.is_rolled and self.can_roll(name):
            return self.rolled(name)
        return compile_function(equations.function(name))

    def _make_jacobian(self) -> NativeFunction:
        """Return the Jacobian: by recursion, by seeds in lanes, or as straight-line code."""
        from motorik.compiler import compile_function
        from motorik.system.seeded_jacobian import compile_seeded, find_tangent

        equations = self.equations
        if equations.tree_jacobian is not None:
            return equations.tree_jacobian.native()
        tangent = find_tangent(equations)
        if tangent is not None:
            return compile_seeded(equations, tangent)
        return compile_function(equations.function("jacobian"))

    @cached_property
    def _shares(self) -> bool:
        """Whether the derivative and its audit are so long that one code serves both."""
        equations = self.equations
        if self.is_rolled or self.response is not None:
            return False
        if not equations.form.is_audited:
            return False
        return equations.function("derivative").n_instructions() >= SHARED_FROM

    def _with_audit(self) -> dict[str, NativeFunction]:
        """Return the audit of the rates, and the derivative by the same code."""
        from motorik.compiler import Argument, compile_library

        function, n = self.equations.function("audited"), self.layout.n_x
        text = (
            "define void @derivative(ptr %t, ptr %x, ptr %p, ptr %out) nounwind {{\n"
            f"%all = alloca double, i64 {n + 1}, align 64\n"
            "call void @{audited}(ptr %t, ptr %x, ptr %p, ptr %all)\n"
            f"call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %all, i64 {8 * n}, i1 false)\n"
            "ret void\n}}"
        )
        inputs = tuple(
            Argument(k, function.numel_in(i)) for i, k in enumerate(("t", "x", "p"))
        )
        drivers = {"derivative": (inputs, (Argument("out", n),))}
        return compile_library({"audited": function}, [text], drivers, {})

    @property
    def has_recursive_jacobian(self) -> bool:
        """Whether the Jacobian is found by recursion."""
        is_known = "jacobian" in self._made or "jacobian" in self.kept
        return is_known or self.equations.tree_jacobian is not None

    def can_roll(self, name: str) -> bool:
        """Return whether a function can be recorded as calls of steps.

        Margins of pivots are not: their rates come by differentiating through all of them.
        """
        from motorik.system.equations import OF_JOINTS, READ

        form = self.equations.form
        if form.joint_constraints is not None and name in (*OF_JOINTS, *READ):
            return True
        if name == "project":
            return form.solution.projects_locally or form.joint_constraints is not None
        is_stabilised = self.equations.formulation.gains is not None
        return name in ROLLED and not (name == "margins" and is_stabilised)

    @cached_property
    def has_discontinuities(self) -> bool:
        """Whether forces have cases, so that methods of high order meet kinks."""
        from motorik.compiler import has_cases

        if self.is_rolled:
            return self.tape("derivative").has_cases
        if self.response is not None:
            return has_cases(self.response.function)
        return has_cases(self.equations.function("derivative"))

    def for_samples(self, name: str, count: int) -> NativeFunction | Interpreted:
        """Return a function to be mapped over so many samples: machine code if worthwhile.

        It is if it exists already, or once the samples requested add up to more than
        `FEW_ROWS`; before, the equations are interpreted.
        """
        with self._lock:
            if name == "full_state_rates" and self.equations.formulation.is_empty:
                return self.get("derivative")
            is_quick = self.is_rolled and self.can_roll(name)
            is_quick = is_quick or (name in OF_MOTION and self.response is not None)
            if (
                name in self._made
                or name in self.kept
                or is_quick
                or self.pays(name, count)
            ):
                return self.get(name)
            from motorik.compiler.interpret import Interpreted

            return Interpreted(self.equations.function(name))

    def was_sampled(self, key: object) -> bool:
        """Return whether samples of a function have been requested."""
        return key in self._requested

    def pays(self, key: object, count: int, others: float = 1.0) -> bool:
        """Return whether so many more samples of a function justify its compilation.

        Interpreted, a quantity is computed once for about as many `others` that need it, too.
        """
        from motorik.compiler.interpret import FEW_ROWS

        with self._lock:
            self._requested[key] = self._requested.get(key, 0) + count
            return self._requested[key] > FEW_ROWS * others

    def has_outputs(self, names: Sequence[str]) -> bool:
        """Return whether the native function to the named variables exists already."""
        return tuple(names) in self._outputs

    def outputs(self, names: Sequence[str]) -> Outputs:
        """Return the native function of the motion to the named variables, end to end.

        Its arguments are t, q, u, ud, z, multipliers and p.
        """
        key = tuple(names)
        with self._lock:
            if key not in self._outputs:
                from motorik.compiler import compile_function

                function = self.equations.output_function(key)
                needs = self.equations.n_multipliers > 0
                needs = needs and bool(function.jac_sparsity(0, 5).nnz())
                with working("compiling variables"):
                    self._outputs[key] = Outputs(compile_function(function), needs)
            return self._outputs[key]

    def rolled(self, name: str, width: int = 1) -> NativeFunction:
        """Return a function as a program in which equal steps share their code."""
        self.equations.algorithm = SHARING
        return self.tape(name).compile(name=name, width=width, replaces=name == "project")

    def tape(self, name: str) -> Tape:
        """Return the record of a function."""
        from motorik.compiler.rolled.tape import Tape

        if name not in self._tapes:
            self._tapes[name] = self.equations.recorded(name, Tape())
        return self._tapes[name]
