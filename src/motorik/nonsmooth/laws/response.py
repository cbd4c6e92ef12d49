"""Many friction and contact constraints: the response of a mechanism to their forces.

Straight-line elimination of m coupled constraints has m³ operations. Where that is much, the traced
equations stop at terms linear in m: the rates f of the state without these forces, Y = ∂ẋ/∂λ, and J
and β of the accelerations a = J u̇ + β along the constraints. Kernels with loops and pivoting
(`response_kernels`) solve for the forces of the present modes, and evaluate all functions that runs
and events need. Few or hardly coupled constraints, nonlinear bounds, algebraic loops, and loops
closed by projection or iteration keep straight-line code (`forces`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.compiler import Argument, NativeFunction, compile_library
from motorik.compiler.driver_text import (
    add_array,
    write_constants,
    write_declaration,
    write_driver,
)
from motorik.compiler.kernels import Kernel, native_group
from motorik.compiler.straight.code import StraightCode, read_function
from motorik.compiler.straight.lanes import LANES
from motorik.compiler.symbols import elements, make_function, table
from motorik.immutable import immutable
from motorik.nonsmooth.laws import response_kernels as kernels
from motorik.nonsmooth.laws.event_functions import of_motion
from motorik.nonsmooth.laws.force_bounds import KINDS, Entries
from motorik.nonsmooth.laws.forces import LinearResponse, TracedConstraints
from motorik.nonsmooth.memory import CONTACT_STATE, LCP_DATA

if TYPE_CHECKING:
    import casadi

    from motorik.system.equations import Equations

FEWEST = 9  # constraints from which their coupling is checked
IN_LANES = "derivative_lanes"
CHEAP = 150  # multiplications of a straight-line elimination that is short enough

KERNELS = (
    kernels.write_derivative,
    kernels.write_forces,
    kernels.write_stopped,
    kernels.write_contact_state,
    kernels.write_contact_lcp,
    kernels.write_impulse_response,
    kernels.write_motion,
    kernels.write_lanes,
)


@immutable
class Component:
    """Constraints coupled by speeds, and these speeds, as places in the state."""

    constraints: list[int]
    speeds: list[int]


class ForceResponse:
    """The response of a mechanism to the forces of many nonsmooth constraints."""

    def __init__(
        self,
        equations: Equations,
        given: tuple[casadi.SX, casadi.SX],
        traced: TracedConstraints,
        response: _Response,
        components: list[Component],
        linear: LinearResponse,
        of_motion: bool,
    ) -> None:
        self.equations, self.of_motion = equations, of_motion
        self._given, self._traced = given, traced
        self._response, self._linear = response, linear
        self.components = components
        coupled_bounds = linear.coupled_bounds
        self._slopes: list[Entries] = [
            {} if coupled_bounds is None else coupled_bounds.slopes[kind] for kind in KINDS
        ]
        reads = {} if coupled_bounds is None else linear.sliding_slopes(coupled_bounds)
        number = {
            constraint: k
            for k, own in enumerate(components)
            for constraint in own.constraints
        }
        order = sorted(reads, key=lambda place: (number[place[0]], place))
        self._reads: Entries = {place: reads[place] for place in order}
        self._reads_of = [
            sum(number[constraint] == k for constraint, _ in order)
            for k in range(len(components))
        ]

    @property
    def size(self) -> int:
        """The number of constraints."""
        return self.equations.nonsmooth.size

    @cached_property
    def function(self) -> casadi.Function:
        """The response as a function of (t, x, p), in the order that the kernels read."""
        nonsmooth, own = self.equations.nonsmooth, self._response
        soft = [nonsmooth.sharing.softness.get(k, 1.0) for k in range(self.size)]
        out: list[Scalar] = [*own.free, *own.beta, *self._linear.sliding, *nonsmooth.stick]
        out += [*soft, *self._reads.values(), *own.by_blocks.values()]
        for component in self.components:
            for constraint in component.constraints:
                out += [own.J.get((constraint, k), 0.0) for k in component.speeds]
            for constraint in component.constraints:
                out += [own.Y.get((k, constraint), 0.0) for k in component.speeds]
        return self._of_state("response", out)

    @cached_property
    def bounds(self) -> casadi.Function:
        """Speeds, bounds, gaps of the constraints as a function of (t, x, p), kind by kind."""
        seen, coupled_bounds = self._traced, self._linear.coupled_bounds
        bounds = seen.bounds if coupled_bounds is None else coupled_bounds.plain
        out: list[Scalar] = list(seen.speeds)
        for kind in (*KINDS, "on"):
            out += [getattr(own, kind) for own in bounds]
        out += [
            *seen.gaps,
            *(
                constraint.restitution
                for constraint in self.equations.nonsmooth.constraints
            ),
        ]
        out += [value for own in self._slopes for value in own.values()]
        return self._of_state("bounds", out)

    @cached_property
    def closed(self) -> casadi.Function:
        """The state with unit quaternions, as a function of (t, x, p)."""
        t, x = self._given
        branch = self.equations.branch_parameters
        return self._of_state(
            "closed", self.equations.form.closed_state(t, elements(x), branch)
        )

    @cached_property
    def codes(self) -> dict[str, StraightCode]:
        """The straight-line code of the response and of the bounds."""
        wanted = [self.function] if self.of_motion else [self.function, self.bounds]
        return {own.name(): read_function(own) for own in wanted}

    def _of_state(self, name: str, values: list[Scalar]) -> casadi.Function:
        t, x = self._given
        return make_function(name, {"t": t, "x": x, "p": self.equations.p}, values)

    @cached_property
    def table(self) -> list[int]:
        """Sizes and places for the kernels."""
        nonsmooth = self.equations.nonsmooth
        pairs = [nonsmooth.sharing.pairs.get(k, -1) for k in range(self.size)]
        blocks = self._response.by_blocks
        body = [*pairs, *_places(self._reads), *_places(blocks)]
        first = 0
        for component, reads in zip(self.components, self._reads_of, strict=True):
            body += [len(component.constraints), len(component.speeds), first, reads]
            body += [*component.constraints, *component.speeds]
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
        return [at[force.element_hash()] for force in self.equations.nonsmooth.forces]

    @cached_property
    def natives(self) -> dict[str, NativeFunction]:
        """Machine code by name, of (t, x, p), or of (t, X, p) for a motion X."""
        functions = {"response": self.function, **self._behind}
        algorithm = self.equations.form.solution.algorithm
        self.equations.algorithm = (
            f"{algorithm}, {len(self.codes['response'])} operations; forces "
            f"of {self.size} constraints by elimination in the run"
        )
        drivers = self._of_motion_drivers if self.of_motion else self._of_state_drivers
        if not self.of_motion:
            functions["bounds"] = self.bounds
            if self.equations.form.projects_states:
                functions["closed"] = self.closed
        widest = max((len(own.speeds) for own in self.components), default=0)
        n, m = self.equations.layout.n_x, self.size
        sizes = {name: own.numel_out(0) for name, own in functions.items()}
        sizes["work"] = n + m + kernels.work_size(m, widest)
        texts = [
            write_constants("table", self.table),
            write_constants("impulses", self.impulses),
        ]
        texts += [write_declaration(own) for own in KERNELS]
        texts += [own.text(sizes) for own in drivers]
        given = self.function
        inputs = tuple(
            Argument(k, given.numel_in(i)) for i, k in enumerate(("t", "x", "p"))
        )
        width = inputs[1].size + n
        for name, own in self._behind.items():
            texts.append(
                _driver_of_motion(name, sizes, (inputs[1].size, width, inputs[2].size))
            )
            sizes[name] = own.numel_out(0)
        outputs = {own.name: own.size for own in drivers}
        if not self.of_motion:
            texts.append(_driver_of_lanes(n, inputs[2].size))
            outputs[IN_LANES] = n
        outputs |= {_outer(name): own.numel_out(0) for name, own in self._behind.items()}
        return compile_library(
            functions,
            texts,
            {name: (inputs, (Argument("out", size),)) for name, size in outputs.items()},
            {own.kernel.__name__: own.address for own in native_group(*KERNELS)},
            replacing=[] if self.of_motion else ["project"],
            codes=self.codes,
            widths={IN_LANES: LANES},
        )

    @property
    def _of_state_drivers(self) -> list[_Driver]:
        """The functions of the state for runs and events."""
        n, m = self.equations.layout.n_x, self.size
        squares = 1 + len(KINDS) * any(self._slopes)
        both = ("response", "bounds", "work")
        closes = self.equations.form.projects_states
        return [
            _Driver("derivative", n, kernels.write_derivative, ("response", "work")),
            _Driver("forces", m, kernels.write_forces, ("response", "work")),
            _Driver("project", n, kernels.write_stopped, (*both, "%at"), closes),
            _Driver("contact_state", CONTACT_STATE * m, kernels.write_contact_state, both),
            _Driver(
                "contact_lcp",
                LCP_DATA * m + squares * m * m,
                kernels.write_contact_lcp,
                both,
            ),
            _Driver(
                "impulse_response",
                n,
                kernels.write_impulse_response,
                ("response", "@impulses", "%p"),
            ),
        ]

    @property
    def _of_motion_drivers(self) -> list[_Driver]:
        """The functions of a motion for results."""
        return [_Driver("forces", self.size, kernels.write_forces, ("response", "work"))]

    @cached_property
    def _behind(self) -> dict[str, casadi.Function]:
        """Functions of (t, x and dx/dt, p) with the forces in p, by name."""
        if not self.of_motion:
            return {f"{name}_of": own for name, own in of_motion(self.equations).items()}
        return {"full_state_rates_of": self._full_state_rates}

    @property
    def _full_state_rates(self) -> casadi.Function:
        """The rates of a motion X whose state has given rates, a function of (t, (X, ẋ), p)."""
        import casadi

        equations, form = self.equations, self.equations.form
        t, X = self._given
        both = casadi.SX.sym("x", X.numel() + equations.layout.n_x)
        all_of, rates = elements(both[: X.numel()]), elements(both[X.numel() :])
        values = form.rates_of_motion(t, all_of, equations.branch_parameters, rates)
        return make_function(
            "full_state_rates_of", {"t": t, "x": both, "p": equations.p}, values
        )


@immutable
class _Response:
    """Rates `free` + Y λ of the state, of which `by_blocks` are those of blocks, and J v + β."""

    free: list[Scalar]
    Y: Entries
    by_blocks: Entries
    J: Entries
    beta: list[Scalar]


def find_response(equations: Equations, of_motion: bool = False) -> ForceResponse | None:
    """Return the response of a mechanism to its forces; None where straight-line code is better.

    It is a function of the state, or of a consistent motion X.
    """
    form = equations.form
    if form.nonsmooth is None or form.nonsmooth.size < FEWEST:
        return None
    if form.feeds_back or not form.responds:
        return None
    t, x = equations.symbols("t", "X" if of_motion else "x")
    traced = form.traced_response(t, elements(x), equations.branch_parameters, of_motion)
    found = _respond(equations, traced) if form.responds else None
    if found is None:
        return None
    m = form.nonsmooth.size
    n = equations.layout.n_x
    linear, joined = _bounded(equations, (t, x), traced, found)
    if linear is None:
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
        first, *others = own.constraints
        linear.D.update({(i, first): 0.0 for i in others})
        linear.D.update({(first, i): 0.0 for i in others[:1]})
    return ForceResponse(equations, (t, x), traced, found, components, linear, of_motion)


def _respond(equations: Equations, traced: TracedConstraints) -> _Response | None:
    """Return how rates and accelerations depend on forces and rates, None if nonlinear."""
    import casadi

    y = equations.nonsmooth.symbols
    v = casadi.vertcat(casadi.SX(0, 1), *traced.v)
    n_q, n_u = len(equations.layout.state_q), len(traced.v)
    values = casadi.SX(casadi.vertcat(*traced.values))
    rates = casadi.SX(casadi.vertcat(*traced.rates))
    nonlinear = casadi.which_depends(values, y, 2, True)
    nonlinear_rates = casadi.which_depends(rates, v, 2, True) if n_u else [False]
    if any(nonlinear) or any(nonlinear_rates) or casadi.depends_on(rates, y):
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


def _bounded(
    equations: Equations,
    given: tuple[casadi.SX, casadi.SX],
    traced: TracedConstraints,
    found: _Response,
) -> tuple[LinearResponse | None, set[tuple[int, int]]]:
    """Return the response with its bounds, None if unsuitable, and the coupled constraints."""
    import casadi

    nonsmooth, (t, x) = equations.nonsmooth, given
    v = casadi.vertcat(casadi.SX(0, 1), *traced.v)
    kinds = (*KINDS, "on")
    all_bounds = casadi.SX(
        casadi.vertcat(*(getattr(own, kind) for own in traced.bounds for kind in kinds))
    )
    present = casadi.SX(casadi.vertcat(*(own.on for own in traced.bounds)))
    seen = casadi.SX(casadi.vertcat(*traced.speeds, *traced.gaps))
    if traced.v and (casadi.depends_on(all_bounds, v) or casadi.depends_on(seen, v)):
        return None, set()
    if casadi.depends_on(seen, nonsmooth.symbols):
        return None, set()
    if casadi.depends_on(present, casadi.vertcat(t, x, nonsmooth.symbols)):
        return None, set()
    linear = LinearResponse(nonsmooth, [], [], {}, found.beta, {}, traced.bounds)
    joined = {pair for pair in nonsmooth.sharing.pairs.items()}
    if linear.coupled_bounds is not None:
        if linear.coupled_bounds.nonlinear:
            return None, set()
        joined |= {place for own in linear.coupled_bounds.slopes.values() for place in own}
        reading = {i for own in linear.coupled_bounds.slopes.values() for i, _ in own}
        read = {j for own in linear.coupled_bounds.slopes.values() for _, j in own}
        if reading & read:
            return None, set()
    return linear, joined


def _is_long(coupled: np.ndarray) -> bool:
    """Return whether a straight-line elimination of these coupled constraints is long."""
    near = {
        k: {int(j) for j in np.flatnonzero(line) if j != k}
        for k, line in enumerate(coupled)
    }
    total = 0
    while near and total <= CHEAP:
        k = min(near, key=lambda constraint: len(near[constraint]))
        others = near.pop(k)
        total += len(others) ** 2
        for constraint in others:
            near[constraint] |= others
            near[constraint] -= {constraint, k}
    return total > CHEAP


def _components(moved: np.ndarray, joined: Iterable[tuple[int, int]]) -> list[Component]:
    """Return the components of constraints coupled by speeds or by bounds."""
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
        found.setdefault(find(i), Component([], [])).constraints.append(i)
    for k in range(n):
        if find(m + k) in found:
            found[find(m + k)].speeds.append(k)
    return list(found.values())


def _places(entries: Entries) -> list[int]:
    """Return the rows and then the columns of entries."""
    return [*(i for i, _ in entries), *(j for _, j in entries)]


@immutable
class _Driver:
    """A function of (t, x, p) that calls a kernel on values of the equations.

    `given` are arrays of the equations, filled first, the work space, or names of others. If it
    `closes`, the equations are those at the closed state, which then is `%at`.
    """

    name: str
    size: int
    kernel: Kernel[..., None]
    given: tuple[str, ...]
    closes: bool = False

    def text(self, sizes: Mapping[str, int]) -> str:
        """Return it as LLVM text, in which ``{name}`` stands for a function."""
        lines: list[str] = []
        freed: list[str] = []
        state = "%x"
        if self.closes:
            add_array("closed", sizes["closed"], lines, freed)
            lines.append("call void @{closed}(ptr %t, ptr %x, ptr %p, ptr %closed)")
            state = "%closed"
        passed = ["ptr @table"]
        for key in self.given:
            if key in sizes:
                add_array(key, sizes[key], lines, freed)
                passed.append(f"ptr %{key}")
                if key != "work":
                    call = f"call void @{{{key}}}(ptr %t, ptr {state}, ptr %p, ptr %{key})"
                    lines.append(call)
            else:
                passed.append(f"ptr {state if key == '%at' else key}")
        call = f"call void @{self.kernel.__name__}({', '.join(passed)}, ptr %out)"
        return write_driver(self.name, [*lines, call, *freed])


def _driver_of_motion(
    name: str, sizes: Mapping[str, int], counts: tuple[int, int, int]
) -> str:
    """Return the function of (t, x, p) that calls another of x and dx/dt, with forces in p.

    `counts` are the numbers in x, in x and dx/dt, and in p.
    """
    n_x, n_both, n_p = counts
    lines: list[str] = []
    freed: list[str] = []
    add_array("response", sizes["response"], lines, freed)
    add_array("work", sizes["work"], lines, freed)
    add_array("both", n_both, lines, freed)
    add_array("forced", n_p, lines, freed)
    lines += [
        "call void @{response}(ptr %t, ptr %x, ptr %p, ptr %response)",
        f"call void @llvm.memcpy.p0.p0.i64(ptr %both, ptr %x, i64 {8 * n_x}, i1 false)",
        f"call void @llvm.memcpy.p0.p0.i64(ptr %forced, ptr %p, i64 {8 * n_p}, i1 false)",
        f"%rates = getelementptr double, ptr %both, i64 {n_x}",
        "call void @write_motion(ptr @table, ptr %response, ptr %work, ptr @impulses, "
        "ptr %rates, ptr %forced)",
        f"call void @{{{name}}}(ptr %t, ptr %both, ptr %forced, ptr %out)",
    ]
    return write_driver(_outer(name), [*lines, *freed])


def _driver_of_lanes(n: int, n_p: int) -> str:
    """Return the rates of several states at once, n numbers each, with n_p parameters."""
    lines: list[str] = []
    freed: list[str] = []
    add_array("own", 2 * n + n_p, lines, freed)
    lines.append(
        f"call void @write_lanes(ptr @derivative, i64 {n}, i64 {n_p}, ptr %t, ptr %x, ptr %p, "
        "ptr %own, ptr %out)"
    )
    return write_driver(IN_LANES, [*lines, *freed])


def _outer(name: str) -> str:
    """Return the name of a function of the state by that of the one behind it."""
    return name.removesuffix("_of")
