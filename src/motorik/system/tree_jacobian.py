"""The Jacobian ∂ẋ/∂x of a tree by recursion: traced terms of links and force laws, and kernels.

The traced code grows with the links alone: poses, screws and inertias of each in its parent, and
force laws as functions of states and of the motion of the links that they read, with their
derivatives. The kernels of `system.tree_derivatives` do the rest. Differentiating the traced rates
of the state instead takes as much code as the Jacobian has entries, times the links between them.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from motorik.algebra.matrix import Matrix
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, is_structural, mul, neg
from motorik.algebra.vector import Vector
from motorik.compiler import Argument, NativeFunction, compile_library
from motorik.compiler.driver_text import (
    add_array,
    write_constants,
    write_declaration,
    write_driver,
)
from motorik.compiler.kernels import Kernel
from motorik.compiler.symbols import elements, make_function, table
from motorik.elements.joint import Joint
from motorik.errors import MissingAccelerationsError
from motorik.motion import traced
from motorik.motion.view import MotionView
from motorik.system import tree_derivatives as kernels
from motorik.topology.mechanism import WORLD, Link, Mechanism

if TYPE_CHECKING:
    import casadi

    from motorik.system.equations import Equations

FEWEST = 20  # states of a tree from which loops over columns beat straight-line code
#: Groups of kernels that are compiled at the same time.
KERNELS: tuple[tuple[Kernel[..., None], ...], ...] = (
    (kernels.differentiate_tree,),
    (kernels.move_links, kernels.write_tree_jacobian),
)
Entries = Mapping[tuple[int, int], Scalar]


class TreeJacobian:
    """The Jacobian of a tree: the tables of its kernels, and what they are given."""

    def __init__(self, equations: Equations, laws: _ForceLaws) -> None:
        self.equations, self.laws = equations, laws
        self.mechanism = equations.mechanism
        self.order = laws.order
        self.t, self.x = laws.t, laws.x
        self._rates = self._coordinate_rates()
        self._turning = [-1] * len(self.order.links)  # where values of turning screws begin
        self._values = self._link_values()

    @property
    def n_link_values(self) -> int:
        """The count of values of links; behind them stand those of ∂q̇/∂x."""
        return len(self._values)

    @property
    def work_size(self) -> int:
        """The doubles that the kernels work on."""
        order, laws = self.order, self.laws
        counts = len(order.links), len(order.speeds), len(order.coordinates)
        return kernels.sizes(*counts, laws.n_blocks, len(laws.loaded))

    @property
    def _given(self) -> dict[str, casadi.SX]:
        return {"t": self.t, "x": self.x, "p": self.equations.p}

    @cached_property
    def functions(self) -> dict[str, casadi.Function]:
        """The traced functions: `links` of (t, x, p), `laws` of these and motions of links."""
        given, laws = self._given, self.laws
        return {
            "links": make_function("links", given, [*self._values, *self._rates.values()]),
            "laws": make_function("laws", {**given, "placed": laws.placed}, laws.values),
        }

    def native(self) -> NativeFunction:
        """Return it as machine code of (t, x, p), by columns."""
        lines: list[str] = []
        freed: list[str] = []
        for name, function in self.functions.items():
            add_array(name, function.numel_out(0), lines, freed)
        add_array("placed", self.laws.placed.numel(), lines, freed)
        add_array("work", self.work_size, lines, freed)
        law_call = "call void @add_force_laws(ptr @table, ptr %laws, ptr %work)"
        lines += [
            "call void @{links}(ptr %t, ptr %x, ptr %p, ptr %links)",
            "call void @move_links(ptr @table, ptr %links, ptr %x, ptr %work, ptr %placed)",
            "call void @{laws}(ptr %t, ptr %x, ptr %p, ptr %placed, ptr %laws)",
            "call void @differentiate_tree(ptr @table, ptr %links, ptr %laws, ptr %work)",
            *([law_call] if self.laws.has_derivatives else []),
            f"%rates = getelementptr double, ptr %links, i64 {self.n_link_values}",
            "call void @write_tree_jacobian(ptr @table, ptr %rates, ptr %work, ptr %out)",
        ]
        groups = [*KERNELS]
        if self.laws.has_derivatives:
            groups.append((kernels.add_force_laws,))
        texts = [
            write_constants("table", self.table),
            *(write_declaration(own) for group in groups for own in group),
            write_driver("jacobian", [*lines, *freed]),
        ]
        n = self.equations.layout.n_x
        inputs = tuple(Argument(k, symbols.numel()) for k, symbols in self._given.items())
        return compile_library(
            self.functions,
            texts,
            {"jacobian": (inputs, (Argument("out", n * n),))},
            kernels=groups,
        )["jacobian"]

    # --- values ----------------------------------------------------------------------------

    def _link_values(self) -> list[Scalar]:
        """Return poses, inertias, screws, armatures, T and −g, component by component."""
        q, u = self.laws.q, self.laws.u
        poses, screws, motors = [], [], []
        turning: list[Scalar] = []
        for i, link in enumerate(self.order.links):
            own_q, own_u = [q[k] for k in link.q], [u[k] for k in link.u]
            X, body = link.X_pj @ link.joint.pose(*own_q), link.inertia
            J = body.J
            poses.append(
                [
                    *X.R.entries,
                    *X.p.xyz,
                    *(body.mass(), *body.first_moment().xyz),
                    *(J.xx, J.yy, J.zz, J.xy, J.xz, J.yz),
                ]
            )
            S = link.joint.screws(*own_q)
            screws += [[*screw.components, link.armature] for screw in reversed(S)]
            motors += displacements(link.joint, own_q, S)
            found = _turning(link.joint, own_q, own_u, S)
            if found is not None:
                self._turning[i] = len(turning)
                turning += found
        field = self.mechanism.gravity.uniform
        a_0 = [0.0] * 3 if field is None else [neg(g) for g in field.xyz]
        groups = (
            (poses, kernels.PER_LINK),
            (screws, kernels.PER_FREEDOM),
            (motors, kernels.PER_COORDINATE),
        )
        values = [v for rows, count in groups for v in _by_component(rows, count)]
        return [*values, *a_0, *turning]

    def _coordinate_rates(self) -> dict[tuple[int, int], Scalar]:
        """Return the entries of ∂q̇/∂x."""
        import casadi

        rates = traced.coordinate_rates(self.mechanism, self.laws.q, self.laws.u)
        return table(casadi.jacobian(casadi.SX(casadi.vertcat(*rates)), self.x))

    # --- table -----------------------------------------------------------------------------

    @cached_property
    def table(self) -> list[int]:
        """Return counts and places of everything."""
        order, laws, layout = self.order, self.laws, self.equations.layout
        n_q, n_u = len(order.coordinates), len(order.speeds)
        columns = [*order.coordinates, *(layout.n_q + k for k in order.speeds)]
        columns += range(layout.n_q + layout.n_u, layout.n_x)
        load_of = {i: k for k, i in enumerate(laws.loaded)}
        trees, tiles = self._trees()
        links = range(len(order.links))
        lists: dict[int, Sequence[int]] = {
            kernels.PARENT: order.parents,
            kernels.FIRST_U: order.first_u,
            kernels.FIRST_Q: order.first_q,
            kernels.LAST_U: [order.first_u[k] for k in order.ends],
            kernels.LAST_Q: [order.first_q[k] for k in order.ends],
            kernels.BEFORE: order.before,
            kernels.AT_TREES: trees,
            kernels.AT_TILES: tiles,
            kernels.LOAD_OF: [load_of.get(i, -1) for i in links],
            kernels.TURNING: self._turning,
            kernels.PLACES: laws.read,
            kernels.COLUMN_STATE: columns,
            kernels.ROW_STATE: columns[n_q:],
            kernels.AT_RATES: [k for place in self._rates for k in place],
            kernels.AT_DIRECT: [k for place in laws.direct for k in place],
            kernels.AT_READS: [k for place in laws.reads for k in place],
            kernels.AT_LOADS: [k for on, c in laws.loads for k in (on, load_of[on], c)],
            kernels.AT_LOAD_READS: [
                k for on, i in laws.load_reads for k in (on, load_of[on], i)
            ],
        }
        head = [0] * kernels.HEAD
        head[kernels.LINKS], head[kernels.FREEDOMS] = len(order.links), n_u
        head[kernels.COORDINATES], head[kernels.COLUMNS] = n_q, len(columns)
        head[kernels.STATES], head[kernels.BLOCKS] = layout.n_x, laws.n_blocks
        head[kernels.LOADED], head[kernels.PLACED] = len(laws.loaded), len(laws.read)
        head[kernels.RATES], head[kernels.DIRECT] = len(self._rates), len(laws.direct)
        head[kernels.READS], head[kernels.LOADS] = len(laws.reads), len(laws.loads)
        head[kernels.LOAD_READS] = len(laws.load_reads)
        head[kernels.TREES] = len(trees) // kernels.TREE
        body: list[int] = []
        for at, numbers in lists.items():
            head[at] = kernels.HEAD + len(body)
            body += numbers
        return [*head, *body]

    def _trees(self) -> tuple[list[int], list[int]]:
        """Return the trees on the world, and the tiles of columns on which each depends."""
        order, laws = self.order, self.laws
        n_u = len(order.speeds)
        roots = [i for i, p in enumerate(order.parents) if p < 0]
        tree_of = [bisect(roots, i) - 1 for i in range(len(order.links))]
        link_of = [bisect(order.first_u, k) - 1 for k in range(n_u)]
        touched = [set(order.columns_of(range(i, order.ends[i]))) for i in roots]
        for row, column in laws.direct:
            if row < n_u:
                touched[tree_of[link_of[row]]].add(column)
        for on, column in laws.loads:
            touched[tree_of[on]].add(column)
        reads = [(link_of[row], i) for row, i in laws.reads if row < n_u]
        for on, i in (*reads, *laws.load_reads):
            touched[tree_of[on]].update(order.columns_of(order.way_to(i)))
        trees: list[int] = []
        tiles: list[int] = []
        for i, columns in zip(roots, touched, strict=True):
            own = sorted({c // kernels.TILE * kernels.TILE for c in columns})
            last = order.ends[i]
            trees += [i, last, order.first_u[i], order.first_u[last]]
            trees += [len(tiles), len(tiles) + len(own)]
            tiles += own
        return trees, tiles


def find_tree_jacobian(equations: Equations, fewest: int = FEWEST) -> TreeJacobian | None:
    """Return the Jacobian by recursion; None where it does not apply or does not pay.

    It applies to trees of rigid bodies whose forces follow from states, without switching and
    without reading accelerations. It pays where one tree has `fewest` states, or where equal links
    share their code, which cannot be differentiated.
    """
    from motorik.system.native_functions import ROLL_FROM

    form, mechanism = equations.form, equations.mechanism
    if not equations.formulation.is_empty:
        return None
    if largest_tree(mechanism) < fewest and form.n_shared < ROLL_FROM:
        return None
    if form.nonsmooth is not None or form.feeds_back or mechanism.coupled_masses:
        return None
    links = mechanism.links
    if any(link.is_massless or not link.u or not link.inertia.is_rigid for link in links):
        return None
    try:
        return TreeJacobian(equations, _ForceLaws(equations))
    except MissingAccelerationsError:
        return None


def largest_tree(mechanism: Mechanism) -> int:
    """Return the most coordinates and speeds of links that hang on the world by one of them."""
    total: dict[int, int] = {}
    root: dict[int, int] = {}
    for link in mechanism.links:
        own = root[link.index] = root.get(link.parent, link.index)
        total[own] = total.get(own, 0) + len(link.q) + len(link.u)
    return max(total.values(), default=0)


# --- order of links ------------------------------------------------------------------------


class _Order:
    """Links, each followed by all links behind it, with their speeds and coordinates."""

    def __init__(self, mechanism: Mechanism) -> None:
        behind: dict[int, list[Link]] = {}
        for link in mechanism.links:
            behind.setdefault(link.parent, []).append(link)
        self.links: list[Link] = []
        waiting = behind.get(WORLD, [])[::-1]
        while waiting:
            self.links.append(waiting.pop())
            waiting += behind.get(self.links[-1].index, [])[::-1]
        self.number = {link.index: i for i, link in enumerate(self.links)}
        self.parents = [self.number.get(link.parent, -1) for link in self.links]
        # a freedom stands before those on it: screws of one link add up from the last to the first
        self.speeds = [k for link in self.links for k in reversed(link.u)]
        self.coordinates = [k for link in self.links for k in link.q]
        self.first_u, self.first_q = [0], [0]
        for link in self.links:
            self.first_u.append(self.first_u[-1] + len(link.u))
            self.first_q.append(self.first_q[-1] + len(link.q))
        self.before = [
            k - 1 for k in range(len(self.speeds))
        ]  # freedoms that carry others …
        for p, first in zip(self.parents, self.first_u, strict=False):
            self.before[first] = self.first_u[p + 1] - 1 if p >= 0 else -1  # … or the world
        self.ends = [i + 1 for i in range(len(self.links))]
        for i in reversed(range(len(self.links))):
            if self.parents[i] >= 0:
                before = self.parents[i]
                self.ends[before] = max(self.ends[before], self.ends[i])

    def way_to(self, i: int) -> list[int]:
        """Return a link and those that carry it."""
        way = []
        while i >= 0:
            way.append(i)
            i = self.parents[i]
        return way

    def columns_of(self, links: Iterable[int]) -> Iterator[int]:
        """Yield the columns of the coordinates and speeds of links."""
        n_q = len(self.coordinates)
        for i in links:
            yield from range(self.first_q[i], self.first_q[i + 1])
            yield from range(n_q + self.first_u[i], n_q + self.first_u[i + 1])


def displacements(
    joint: Joint, q: Sequence[Scalar], S: Sequence[Motor]
) -> list[list[Scalar]]:
    """Return the motors by which frame b moves per unit of each coordinate, resolved in b.

    Of a coordinate that is the integral of a speed this is its screw. A change of a quaternion's
    length moves nothing.
    """
    import casadi

    if joint.__class__.rates is Joint.rates:
        return [list(screw.components) for screw in S]
    X = joint.pose(*q)
    by = casadi.vertcat(*q)
    places = casadi.SX(casadi.vertcat(*X.R.entries, *X.p.xyz))
    change = casadi.jacobian(places, by)
    motors: list[list[Scalar]] = []
    for j in range(len(q)):
        moved = elements(casadi.densify(change[:, j]))
        W = X.R.T @ Matrix(*moved[:9])
        turn = (
            mul(0.5, W.zy - W.yz),
            mul(0.5, W.xz - W.zx),
            mul(0.5, W.yx - W.xy),
        )
        motors.append([*turn, *(X.R.T @ Vector(*moved[9:])).xyz])
    return motors


def _turning(
    joint: Joint, q: Sequence[Scalar], u: Sequence[Scalar], S: Sequence[Motor]
) -> list[Scalar] | None:
    """Return c = Ṡ u and the derivatives of c and S, of screws that turn in frame b; else None.

    c; of each speed ∂c/∂u; of each coordinate Σ ∂S/∂q u, ∂c/∂q and ∂S/∂q of each speed.
    """
    import casadi

    c = casadi.SX(casadi.vertcat(*joint.bias(q, u).components))
    u, S = list(reversed(u)), list(reversed(S))
    columns = [casadi.SX(casadi.vertcat(*screw.components)) for screw in S]
    by_q, by_u = casadi.vertcat(*q), casadi.vertcat(*u)
    slopes = [casadi.jacobian(column, by_q) for column in columns]
    if not any(slope.nnz() for slope in slopes) and c.is_zero():
        return None
    c_q, c_u = casadi.jacobian(c, by_q), casadi.jacobian(c, by_u)
    values = [c, *(c_u[:, k] for k in range(len(u)))]
    for j in range(len(q)):
        total = casadi.SX.zeros(6, 1)
        for slope, speed in zip(slopes, u, strict=True):
            total += slope[:, j] * speed
        values += [total, c_q[:, j], *(slope[:, j] for slope in slopes)]
    return elements(casadi.densify(casadi.vertcat(*values)))


# --- force laws ----------------------------------------------------------------------------


class _ForceLaws:
    """Forces along freedoms, loads on links and rates of blocks, with their derivatives.

    They are functions of the state and of the motion `placed` of the links in `read`; loads are
    (t, f) on the links in `loaded`, resolved in these. Entries by a row and a column are `direct`;
    a row and a link have twelve derivatives by ξ and ν in `reads`; the same with all six
    components of a load are `loads` and `load_reads`.
    """

    def __init__(self, equations: Equations) -> None:
        import casadi

        mechanism, layout = equations.mechanism, equations.layout
        self.order = order = _Order(mechanism)
        self.t, self.x = equations.symbols("t", "x")
        self.q, self.u, z = layout.split(elements(self.x))
        self.n_blocks = len(z)
        motion = MotionView(mechanism, self.q, self.u, None, self.t, z, is_cut=True)
        places = [_Placed(i) for i in range(len(order.links))]
        for link, place in zip(order.links, places, strict=True):
            motion.place_link(link.index, place.X, place.V)
        tau = [motion.generalised_forces[k] for k in order.speeds]
        on = _loads(mechanism, motion, order, places)
        rates = mechanism.signals.rates(motion, z, self.t) if z else []
        self.loaded = list(on)
        rows = [*tau, *(v for load in on.values() for v in load), *rates]
        column = casadi.SX(casadi.vertcat(casadi.SX(0, 1), *rows))
        used = {symbol.element_hash() for symbol in casadi.symvar(column)}
        own = [place for place in places if place.hashes & used]
        self.read = [place.link for place in own]
        self.placed = casadi.vertcat(casadi.SX(0, 1), *(place.symbols for place in own))
        changes = casadi.vertcat(casadi.SX(0, 1), *(place.changes for place in own))
        by_state = casadi.jacobian(column, self.x) if rows else casadi.SX(0, layout.n_x)
        by_motion = casadi.jacobian(column, changes)
        still = casadi.SX.zeros(changes.shape)
        column, by_state, by_motion = casadi.substitute(
            [column, by_state, by_motion], [changes], [still]
        )
        self._sort(len(tau), elements(column), table(by_state), table(by_motion))

    def _sort(
        self, n_u: int, rows: list[Scalar], by_state: Entries, by_motion: Entries
    ) -> None:
        """Sort all derivatives for the kernels."""
        order, n_loads = self.order, kernels.LOAD * len(self.loaded)
        behind = kernels.padded(n_u) + kernels.WIDE - n_u - n_loads  # of rates of blocks
        at = {k: c for c, k in enumerate(order.coordinates)}
        n_q = len(at)
        at |= {n_q + k: n_q + c for c, k in enumerate(order.speeds)}
        self.direct: dict[tuple[int, int], Scalar] = {}
        self.reads: dict[tuple[int, int], list[Scalar]] = {}
        self.loads: dict[tuple[int, int], list[Scalar]] = {}
        self.load_reads: dict[tuple[int, int], list[Scalar]] = {}
        six, twelve = kernels.LOAD, kernels.READ
        for (row, k), value in by_state.items():
            column, load = at.get(k, k), row - n_u
            if 0 <= load < n_loads:
                place = self.loaded[load // six], column
                own = self.loads.setdefault(place, [0.0] * six)
                own[load % six] = value
            else:
                self.direct[row if load < 0 else row + behind, column] = value
        for (row, k), value in by_motion.items():
            link, load = self.read[k // twelve], row - n_u
            if 0 <= load < n_loads:
                place = self.loaded[load // six], link
                own = self.load_reads.setdefault(place, [0.0] * (six * twelve))
                own[k % twelve * six + load % six] = value
            else:
                place = row if load < 0 else row + behind, link
                self.reads.setdefault(place, [0.0] * twelve)[k % twelve] = value
        several = (self.reads, self.loads, self.load_reads)
        self.has_derivatives = bool(self.direct or any(several))
        self.values = [
            *rows[: n_u + n_loads],
            *self.direct.values(),
            *(v for blocks in several for block in blocks.values() for v in block),
        ]


class _Placed:
    """A link at a pose and with a velocity that are given, changed by ξ and ν."""

    def __init__(self, link: int) -> None:
        import casadi

        self.link = link
        self.symbols = casadi.SX.sym("placed", kernels.PLACE)
        self.changes = casadi.SX.sym("change", kernels.READ)
        values, change = elements(self.symbols), elements(self.changes)
        R, r = Matrix(*values[:9]), Vector(*values[9:12])
        x, y, z = change[:3]
        turn = Matrix(1.0, -z, y, z, 1.0, -x, -y, x, 1.0)
        self.X = Pose(R @ turn, r + R @ Vector(*change[3:6]))
        self.V = Motor(
            Vector(*values[12:15]) + Vector(*change[6:9]),
            Vector(*values[15:18]) + Vector(*change[9:12]),
        )
        self.hashes = {symbol.element_hash() for symbol in (*values, *change)}


def _loads(
    mechanism: Mechanism, motion: MotionView, order: _Order, places: Sequence[_Placed]
) -> dict[int, list[Scalar]]:
    """Return the loads (t, f) on links by laws, and weights in a field that is not uniform."""
    by_laws = motion.link_loads or [ZERO_MOTOR] * len(order.links)
    found: dict[int, list[Scalar]] = {}
    for i, (link, place) in enumerate(zip(order.links, places, strict=True)):
        load = by_laws[link.index]
        if mechanism.gravity is not None and mechanism.gravity.uniform is None:
            for m, centre in link.point_masses:
                field = mechanism.gravity.acceleration(place.X(centre))
                weight = m * (place.X.R.T @ field)
                load = load + Motor(weight, centre.cross(weight))
        values = [*load.moment.xyz, *load.resultant.xyz]
        if not all(is_structural(value, 0.0) for value in values):
            found[i] = values
    return found


def _by_component(rows: Sequence[Sequence[Scalar]], count: int) -> list[Scalar]:
    """Return rows component by component, filled up to whole vectors."""
    rest = [0.0] * (kernels.padded(len(rows)) - len(rows))
    return [v for k in range(count) for v in (*(row[k] for row in rows), *rest)]
