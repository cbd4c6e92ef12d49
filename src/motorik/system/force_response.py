"""Many friction and contact constraints: a mechanism's response to their forces.

Straight-line elimination of m coupled constraints has m³ operations. Where that is much, the
traced equations stop at what grows with m alone: the rates f of the state without these forces,
Y = ∂ẋ/∂λ, and J and β of the accelerations a = J u̇ + β along the constraints. Kernels with loops
and pivots (`force_kernels`) find the forces of the present modes, and all that runs and events ask
of them. Few constraints, constraints that hardly couple, limits or feedback that are curved, and
loops closed by projection or by iteration keep straight-line code (`switching`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.compiler import Argument, NativeFunction, compile_library
from motorik.compiler.kernels import Kernel, native_group
from motorik.compiler.straight.code import StraightCode, read_function
from motorik.compiler.straight.routine import STACK_LIMIT
from motorik.system import force_kernels as kernels
from motorik.system.functions import elements, make_function, table
from motorik.system.linked import KINDS, Entries
from motorik.system.switching import Answer, TracedConstraints
from motorik.system.switching_functions import ASKED, WATCHED

if TYPE_CHECKING:
    import casadi

    from motorik.system.equations import Equations

FEWEST = 9  # constraints from which it is asked how they couple
CHEAP = 150  # multiplications of a straight-line elimination that is no burden

KERNELS = (
    kernels.write_derivative,
    kernels.write_forces,
    kernels.write_rested,
    kernels.write_watched,
    kernels.write_coupling,
    kernels.write_pushed,
)


@dataclass(frozen=True)
class Component:
    """Constraints that are coupled by speeds, and these, as places in the state."""

    rows: list[int]
    speeds: list[int]


class ForceResponse:
    """How a mechanism responds to the forces of many friction and contact constraints."""

    def __init__(
        self,
        equations: Equations,
        given: tuple[casadi.SX, casadi.SX],
        traced: TracedConstraints,
        response: _Response,
        components: list[Component],
        answer: Answer,
    ) -> None:
        self.equations = equations
        self._given, self._traced = given, traced
        self._response, self._answer = response, answer
        self.components = components
        linked = answer.linked
        self._slopes: list[Entries] = [
            {} if linked is None else linked.slopes[kind] for kind in KINDS
        ]
        reads = {} if linked is None else answer.slipping_slopes(linked)
        number = {row: k for k, own in enumerate(components) for row in own.rows}
        order = sorted(reads, key=lambda place: (number[place[0]], place))
        self._reads: Entries = {place: reads[place] for place in order}
        self._reads_of = [
            sum(number[row] == k for row, _ in order) for k in range(len(components))
        ]

    @property
    def size(self) -> int:
        """The number of constraints."""
        return self.equations.switching.size

    @cached_property
    def function(self) -> casadi.Function:
        """The response as a function of (t, x, p), in the order that the kernels read."""
        switching, own = self.equations.switching, self._response
        soft = [switching.sharing.softness.get(k, 1.0) for k in range(self.size)]
        out: list[Scalar] = [*own.free, *own.beta, *self._answer.slipping, *switching.stick]
        out += [*soft, *self._reads.values(), *own.by_blocks.values()]
        for component in self.components:
            for row in component.rows:
                out += [own.J.get((row, k), 0.0) for k in component.speeds]
            for row in component.rows:
                out += [own.Y.get((k, row), 0.0) for k in component.speeds]
        return self._of_state("response", out)

    @cached_property
    def limits(self) -> casadi.Function:
        """Speeds, limits, gaps of the constraints as a function of (t, x, p), kind by kind."""
        seen, linked = self._traced, self._answer.linked
        limits = seen.limits if linked is None else linked.plain
        out: list[Scalar] = list(seen.speeds)
        for kind in (*KINDS, "on"):
            out += [getattr(own, kind) for own in limits]
        out += [*seen.gaps, *(slip.restitution for slip in self.equations.switching.slips)]
        out += [value for own in self._slopes for value in own.values()]
        return self._of_state("limits", out)

    @cached_property
    def closed(self) -> casadi.Function:
        """The state with unit quaternions, as a function of (t, x, p)."""
        t, x = self._given
        extra = self.equations.all_extra
        return self._of_state(
            "closed", self.equations.form.closed_state(t, elements(x), extra)
        )

    @cached_property
    def codes(self) -> dict[str, StraightCode]:
        """The straight-line code of the response and of the limits."""
        return {own.name(): read_function(own) for own in (self.function, self.limits)}

    def _of_state(self, name: str, values: list[Scalar]) -> casadi.Function:
        t, x = self._given
        return make_function(name, {"t": t, "x": x, "p": self.equations.p}, values)

    @cached_property
    def table(self) -> list[int]:
        """Sizes and places for the kernels."""
        switching = self.equations.switching
        pairs = [switching.sharing.pairs.get(k, -1) for k in range(self.size)]
        blocks = self._response.by_blocks
        body = [*pairs, *_places(self._reads), *_places(blocks)]
        first = 0
        for component, reads in zip(self.components, self._reads_of, strict=True):
            body += [len(component.rows), len(component.speeds), first, reads]
            body += [*component.rows, *component.speeds]
            first += reads
        at = kernels.HEAD + len(body)
        for own in self._slopes:
            body += _places(own)
        head = [self.equations.layout.n_x, self.size, len(self.components)]
        head += [len(self._reads), len(blocks), at, *(len(own) for own in self._slopes)]
        return [*head, *body]

    @cached_property
    def impulses(self) -> list[int]:
        """The places in p of the forces."""
        live = elements(self.equations.live)
        at = {symbol.element_hash(): k for k, symbol in enumerate(live)}
        return [at[force.element_hash()] for force in self.equations.switching.forces]

    @cached_property
    def natives(self) -> dict[str, NativeFunction]:
        """Machine code by name, of (t, x, p): derivative, project, watched, ….."""
        made = native_group(*KERNELS)
        symbols = {own.kernel.__name__: own.address for own in made}
        widest = max((len(own.speeds) for own in self.components), default=0)
        n, m = self.equations.layout.n_x, self.size
        work = n + m + kernels.work_size(m, widest)
        sizes = {
            "response": self.function.numel_out(0),
            "limits": self.limits.numel_out(0),
            "work": work,
        }
        is_linked = any(self._slopes)
        squares = 1 + len(KINDS) * is_linked
        wanted = {
            "derivative": (n, kernels.write_derivative, ("response", "work")),
            "forces": (m, kernels.write_forces, ("response", "work")),
            "project": (n, kernels.write_rested, ("response", "limits", "work", "%at")),
            "watched": (
                WATCHED * m,
                kernels.write_watched,
                ("response", "limits", "work"),
            ),
            "coupling": (
                ASKED * m + squares * m * m,
                kernels.write_coupling,
                ("response", "limits", "work"),
            ),
            "pushed": (n, kernels.write_pushed, ("response", "@impulses", "%p")),
        }
        texts = [_constants("table", self.table), _constants("impulses", self.impulses)]
        texts += [_declared(own) for own in KERNELS]
        functions = {"response": self.function, "limits": self.limits}
        if self.equations.form.projects_states:
            functions["closed"] = self.closed
            sizes["closed"] = n
        texts += [
            _driver(name, own, given, sizes, closes=name == "project" and "closed" in sizes)
            for name, (_, own, given) in wanted.items()
        ]
        inputs = tuple(
            Argument(name, self.function.numel_in(k))
            for k, name in enumerate(("t", "x", "p"))
        )
        outputs = {
            name: (Argument("out", max(1, size)),) for name, (size, _, _) in wanted.items()
        }
        return compile_library(
            functions,
            texts,
            {name: (inputs, out) for name, out in outputs.items()},
            symbols,
            replacing=("project",),
            codes=self.codes,
        )


@dataclass(frozen=True)
class _Response:
    """Rates `free` + Y λ of the state, of which `by_blocks` are those of blocks, and J v + β."""

    free: list[Scalar]
    Y: Entries
    by_blocks: Entries
    J: Entries
    beta: list[Scalar]


def find_response(equations: Equations) -> ForceResponse | None:
    """Return the response of a mechanism to its forces; None where straight-line code is right."""
    form = equations.form
    if form.switching is None or form.switching.size < FEWEST or equations.iterates:
        return None
    if form.feeds_back or not form.responds:
        return None
    t, x = equations.symbols("t", "x")
    traced = form.traced_response(t, elements(x), equations.all_extra)
    found = _respond(equations, traced)
    if found is None:
        return None
    m = form.switching.size
    n = equations.layout.n_x
    answer, joined = _limited(equations, (t, x), traced, found)
    if answer is None:
        return None
    pattern = np.zeros((m, n), dtype=bool)
    for i, k in found.J:
        pattern[i, k] = True
    pushed = np.zeros((n, m), dtype=bool)
    for k, i in found.Y:
        pushed[k, i] = True
    coupled = pattern.astype(int) @ pushed.astype(int) > 0
    for i, j in joined:
        coupled[i, j] = True
    if not _is_long(coupled | coupled.T):
        return None
    components = _components(pattern | pushed.T, joined)
    for own in components:  # who is coupled at all, by one entry of D each
        first, *others = own.rows
        answer.D.update({(i, first): 0.0 for i in others})
        answer.D.update({(first, i): 0.0 for i in others[:1]})
    return ForceResponse(equations, (t, x), traced, found, components, answer)


def _respond(equations: Equations, traced: TracedConstraints) -> _Response | None:
    """Return how rates and accelerations depend on forces and rates, None if they are curved."""
    import casadi

    y = equations.switching.symbols
    v = casadi.vertcat(casadi.SX(0, 1), *traced.v)
    n_q, n_u = len(equations.layout.state_q), len(traced.v)
    values = casadi.SX(casadi.vertcat(*traced.values))
    rates = casadi.SX(casadi.vertcat(*traced.rates))
    curved = casadi.which_depends(values, y, 2, True)
    bent = casadi.which_depends(rates, v, 2, True) if n_u else [False]
    if any(curved) or any(bent) or casadi.depends_on(rates, y):
        return None
    by_force = table(casadi.jacobian(values, y))
    if any(i < n_q for i, _ in by_force):
        return None
    at_rest = casadi.SX.zeros(n_u, 1)
    speeds = range(n_q, n_q + n_u)
    return _Response(
        free=elements(casadi.substitute(values, y, casadi.SX.zeros(*y.shape))),
        Y={place: value for place, value in by_force.items() if place[0] in speeds},
        by_blocks={p: value for p, value in by_force.items() if p[0] not in speeds},
        J={
            (i, n_q + k): value
            for (i, k), value in table(casadi.jacobian(rates, v)).items()
        },
        beta=elements(casadi.substitute(rates, v, at_rest)) if n_u else elements(rates),
    )


def _limited(
    equations: Equations,
    given: tuple[casadi.SX, casadi.SX],
    traced: TracedConstraints,
    found: _Response,
) -> tuple[Answer | None, set[tuple[int, int]]]:
    """Return the answer with its limits, None if a kernel cannot read them, and who reads whom."""
    import casadi

    switching, (t, x) = equations.switching, given
    v = casadi.vertcat(casadi.SX(0, 1), *traced.v)
    kinds = (*KINDS, "on")
    bounds = casadi.SX(
        casadi.vertcat(*(getattr(own, kind) for own in traced.limits for kind in kinds))
    )
    present = casadi.SX(casadi.vertcat(*(own.on for own in traced.limits)))
    seen = casadi.SX(casadi.vertcat(*traced.speeds, *traced.gaps))
    if traced.v and (casadi.depends_on(bounds, v) or casadi.depends_on(seen, v)):
        return None, set()
    if casadi.depends_on(seen, switching.symbols):
        return None, set()
    if casadi.depends_on(present, casadi.vertcat(t, x, switching.symbols)):
        return None, set()
    answer = Answer(switching, [], [], {}, found.beta, {}, traced.limits)
    joined = {pair for pair in switching.sharing.pairs.items()}
    if answer.linked is not None:
        if answer.linked.curved:
            return None, set()
        joined |= {place for own in answer.linked.slopes.values() for place in own}
        reading = {i for own in answer.linked.slopes.values() for i, _ in own}
        read = {j for own in answer.linked.slopes.values() for _, j in own}
        if reading & read:
            return None, set()
    return answer, joined


def _is_long(coupled: np.ndarray) -> bool:
    """Return whether a straight-line elimination of so coupled constraints is long."""
    near = {
        k: {int(j) for j in np.flatnonzero(line) if j != k}
        for k, line in enumerate(coupled)
    }
    total = 0
    while near and total <= CHEAP:
        k = min(near, key=lambda row: len(near[row]))
        others = near.pop(k)
        total += len(others) ** 2
        for row in others:
            near[row] |= others
            near[row] -= {row, k}
    return total > CHEAP


def _components(moved: np.ndarray, joined: Iterable[tuple[int, int]]) -> list[Component]:
    """Return the constraints that are coupled by speeds that they move, or that read forces."""
    m, n = moved.shape
    above = list(range(m + n))

    def find(k: int) -> int:
        while above[k] != k:
            above[k] = above[above[k]]
            k = above[k]
        return k

    for i, k in zip(*np.nonzero(moved), strict=True):
        above[find(int(i))] = find(m + int(k))
    for i, j in joined:
        above[find(i)] = find(j)
    found: dict[int, Component] = {}
    for i in range(m):
        found.setdefault(find(i), Component([], [])).rows.append(i)
    for k in range(n):
        if find(m + k) in found:
            found[find(m + k)].speeds.append(k)
    return list(found.values())


def _places(entries: Entries) -> list[int]:
    """Return the rows and then the columns of entries."""
    return [*(i for i, _ in entries), *(j for _, j in entries)]


def _constants(name: str, numbers: Sequence[int]) -> str:
    """Return an array of whole numbers as LLVM constants."""
    content = ", ".join(f"i64 {number}" for number in numbers)
    return f"@{name} = internal constant [{len(numbers)} x i64] [{content}], align 16"


def _declared(own: Kernel[..., None]) -> str:
    """Return the declaration of a kernel whose arguments are arrays."""
    return f"declare void @{own.__name__}({', '.join(['ptr'] * len(own.kinds))})"


def _driver(
    name: str,
    own: Kernel[..., None],
    given: Sequence[str],
    sizes: dict[str, int],
    closes: bool,
) -> str:
    """Return the function of (t, x, p) that calls a kernel on what the equations give.

    `given` are arrays with a size, those of the equations filled first, or names of others.
    If it `closes`, the equations are those at the closed state, `%at`.
    """
    lines: list[str] = []
    freed: list[str] = []
    state = "%x"

    def make(key: str) -> None:
        size = 8 * max(1, sizes[key])
        if size <= STACK_LIMIT:
            lines.append(f"%{key} = alloca i8, i64 {size}, align 64")
        else:
            lines.append(f"%{key} = call ptr @malloc(i64 {size})")
            freed.append(f"call void @free(ptr %{key})")
        if key != "work":
            lines.append(f"call void @{{{key}}}(ptr %t, ptr {state}, ptr %p, ptr %{key})")

    if closes:
        make("closed")
        state = "%closed"
    passed = ["ptr @table"]
    for key in given:
        if key in sizes:
            make(key)
            passed.append(f"ptr %{key}")
        else:
            passed.append(f"ptr {state if key == '%at' else key}")
    lines.append(f"call void @{own.__name__}({', '.join(passed)}, ptr %out)")
    body = "\n".join([*lines, *freed, "ret void"])
    return (
        f"define void @{name}(ptr %t, ptr %x, ptr %p, ptr %out) nounwind {{{{\n{body}\n}}}}"
    )
