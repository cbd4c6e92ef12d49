"""Kernels: derivatives of the forward dynamics of a tree, by recursion.

Where u̇ solves the equations of motion, ID(q, u, u̇) = τ, implicit differentiation gives

    ∂u̇ = M⁻¹ (∂τ − ∂ID)

so the articulated inertias are never differentiated. All motors are resolved in the world about one
point of each tree that hangs on the world; V, a are velocity and acceleration of a link (that of
the world is −g), 𝔐, F inertia of and force on a link *with all links behind it*. A change of a
coordinate moves these by a motor T, and leaves the links before them where they are. With

    P = V₋ × T + E,    C = a₋ × T + V₋ × P + V × E + N

of link and parent (₋), all velocities behind the joint change by T × V + P, all accelerations by
T × a + P × V + C. E and N are due to screws that turn in their own link, zero in most joints. So

    δF = T × F + 𝔐 C + 𝔅 P,    𝔅 P = (2 (tr K − K) π, 2 π × p),    K = Σ m v rᵀ, p = Σ m v,

where π is the angular part of P. A change of a speed is the same with T = 0, P = S,
C = (V₋ + V) × S. A force τ = (S, F) before the joint changes by (S, δF); behind it, where S moves
with F, by (𝔐 S, C) + (𝔅ᵀ S, P). Only links before or behind each other have entries (Carpentier,
Mansard 2018; Singh, Russell, Wensing 2022). M⁻¹ is applied to all columns at once, as lanes, by the
two passes of the articulated-body algorithm: n² operations for n freedoms.

Force laws are traced and differentiated by what they read: states, and displacements ξ and changes
ν of the velocity of links, resolved in these; both follow from T, P and S. `table` has the numbers
of everything (`system.tree_jacobian` writes it). Links stand with all behind them in a row.
"""

from __future__ import annotations

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, lanes, tail, unroll

WIDE = 8  # links, freedoms and coordinates are padded to vectors of so many
TILE = 16  # columns that are solved for at once

# counts, and then places of lists, in the head of the table
LINKS, FREEDOMS, COORDINATES, COLUMNS, STATES, BLOCKS = range(6)
LOADED, PLACED, RATES, DIRECT, READS, LOADS, LOAD_READS = range(6, 13)
PARENT, FIRST_U, FIRST_Q, LAST_U, LAST_Q, LOAD_OF, TURNING = range(13, 20)
PLACES, COLUMN_STATE, ROW_STATE, AT_RATES, AT_DIRECT, AT_READS = range(20, 26)
AT_LOADS, AT_LOAD_READS, BEFORE, TREES, AT_TREES, AT_TILES = range(26, 32)
HEAD = 32

# of the traced values of links, in padded counts of links, freedoms and coordinates
POSE, INERTIA, PER_LINK = 0, 12, 22
SCREW, ARMATURE, PER_FREEDOM = 0, 6, 7
PER_COORDINATE = 6
FIELD = 3  # minus the acceleration of gravity

# of each link, in padded counts of links
R, R_O, V, A, M, H, J, P, K, F, DELTA, LINK = 0, 9, 12, 18, 24, 25, 28, 34, 37, 46, 52, 58
SUMS = DELTA - M  # from M to F: added up along the tree
# of each freedom: screw, U D, D, rate, δF, C and π of its column, 𝔐 S and 𝔅ᵀ S
S, UD, D, RATE, PHI_U, W_U, LINE, FREEDOM = 0, 6, 12, 13, 14, 20, 29, 38
# of each coordinate: T, P, δF, C and π
T, P_Q, PHI_Q, W_Q, COORDINATE = 0, 6, 12, 18, 27
# of each articulated body: inertia in blocks J, H, M and force
ART_J, ART_H, ART_M, ART_F, ARTICULATED = 0, 6, 15, 21, 28
NEXT = (1, 2, 0)
LAST = (2, 0, 1)
PLACE = 18  # numbers of a link that force laws read: R, r, ω and v
READ = 12  # changes ξ and ν
LOAD = 6
SCRATCH = 2 * LOAD * READ
TREE = 6  # of a tree: its links, its freedoms, its tiles of columns, each from … to
SOLVING = 16  # S, U D and D of a freedom


def padded(count: int) -> int:
    """Return a count filled up to whole vectors."""
    return -(-count // WIDE) * WIDE


def columns_of(n_columns: int) -> int:
    """Return the columns of the matrix of all right-hand sides, filled up to whole tiles."""
    return -(-n_columns // TILE) * TILE


@kernel
def filled(count: Int) -> Int:
    """Return a count filled up to whole vectors."""
    return (count + WIDE - 1) // WIDE * WIDE


def sizes(links: int, freedoms: int, coordinates: int, blocks: int, loaded: int) -> int:
    """Return the doubles that the kernels work on."""
    nl, nu, nq = padded(links), padded(freedoms), padded(coordinates)
    columns = columns_of(freedoms + coordinates + blocks)
    return (
        LINK * nl
        + FREEDOM * nu
        + COORDINATE * nq
        + ARTICULATED * links
        + (nu + WIDE + blocks) * columns
        + LOAD * loaded * columns
        + LOAD * (freedoms + 1) * TILE
        + SOLVING * freedoms
        + SCRATCH
    )


# --- motion of all links -------------------------------------------------------------------


@kernel(inline=False)
def move_links(table: Ints, given: Floats, x: Floats, work: Floats, placed: Floats) -> None:
    """Write poses, screws, velocities and accelerations at u̇ = 0, and what force laws read."""
    n, n_u, n_q = table[LINKS], table[FREEDOMS], table[COORDINATES]
    nl, nu, nq = filled(n), filled(n_u), filled(n_q)
    parent, first_u = tail(table, table[PARENT]), tail(table, table[FIRST_U])
    row_state, turning = tail(table, table[ROW_STATE]), tail(table, table[TURNING])
    own_S = tail(given, PER_LINK * nl)
    field = tail(own_S, PER_FREEDOM * nu + PER_COORDINATE * nq)
    turns = tail(field, FIELD)
    freedom = tail(work, LINK * nl)
    for i in range(n):
        own = tail(given, i)
        link = tail(work, i)
        p = parent[i]
        if p < 0:
            for c in unroll(9):
                link[(R + c) * nl] = own[(POSE + c) * nl]
            for c in unroll(3):
                link[(R_O + c) * nl] = 0.0
        else:
            before = tail(work, p)
            for a in unroll(3):
                r0, r1, r2 = (
                    before[3 * a * nl],
                    before[(3 * a + 1) * nl],
                    before[(3 * a + 2) * nl],
                )
                for b in unroll(3):
                    link[(R + 3 * a + b) * nl] = (
                        r0 * own[(POSE + b) * nl]
                        + r1 * own[(POSE + 3 + b) * nl]
                        + r2 * own[(POSE + 6 + b) * nl]
                    )
                link[(R_O + a) * nl] = before[(R_O + a) * nl] + (
                    r0 * own[(POSE + 9) * nl]
                    + r1 * own[(POSE + 10) * nl]
                    + r2 * own[(POSE + 11) * nl]
                )
        px, py, pz = link[R_O * nl], link[(R_O + 1) * nl], link[(R_O + 2) * nl]
        wx, wy, wz, vx, vy, vz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(first_u[i], first_u[i + 1]):
            local, screw = tail(own_S, k), tail(freedom, k)
            for a in unroll(3):
                r0, r1, r2 = (
                    link[3 * a * nl],
                    link[(3 * a + 1) * nl],
                    link[(3 * a + 2) * nl],
                )
                screw[a * nu] = r0 * local[0] + r1 * local[nu] + r2 * local[2 * nu]
                screw[(3 + a) * nu] = (
                    r0 * local[3 * nu] + r1 * local[4 * nu] + r2 * local[5 * nu]
                )
            sx, sy, sz = screw[0], screw[nu], screw[2 * nu]
            screw[3 * nu] += py * sz - pz * sy
            screw[4 * nu] += pz * sx - px * sz
            screw[5 * nu] += px * sy - py * sx
            speed = x[row_state[k]]
            wx += speed * sx
            wy += speed * sy
            wz += speed * sz
            vx += speed * screw[3 * nu]
            vy += speed * screw[4 * nu]
            vz += speed * screw[5 * nu]
        if p < 0:
            link[V * nl], link[(V + 1) * nl], link[(V + 2) * nl] = wx, wy, wz
            link[(V + 3) * nl], link[(V + 4) * nl], link[(V + 5) * nl] = vx, vy, vz
            for c in unroll(3):
                link[(A + c) * nl] = 0.0
                link[(A + 3 + c) * nl] = field[c]
        else:
            before = tail(work, p)
            ox, oy, oz = before[V * nl], before[(V + 1) * nl], before[(V + 2) * nl]
            ux, uy, uz = before[(V + 3) * nl], before[(V + 4) * nl], before[(V + 5) * nl]
            link[V * nl], link[(V + 1) * nl], link[(V + 2) * nl] = ox + wx, oy + wy, oz + wz
            link[(V + 3) * nl], link[(V + 4) * nl], link[(V + 5) * nl] = (
                ux + vx,
                uy + vy,
                uz + vz,
            )
            # V × (V − V₋)
            link[A * nl] = before[A * nl] + oy * wz - oz * wy
            link[(A + 1) * nl] = before[(A + 1) * nl] + oz * wx - ox * wz
            link[(A + 2) * nl] = before[(A + 2) * nl] + ox * wy - oy * wx
            link[(A + 3) * nl] = (
                before[(A + 3) * nl] + (oy * vz - oz * vy) + (uy * wz - uz * wy)
            )
            link[(A + 4) * nl] = (
                before[(A + 4) * nl] + (oz * vx - ox * vz) + (uz * wx - ux * wz)
            )
            link[(A + 5) * nl] = (
                before[(A + 5) * nl] + (ox * vy - oy * vx) + (ux * wy - uy * wx)
            )
        if turning[i] >= 0:
            add_motion(nl, work, i, tail(turns, turning[i]), tail(link, A * nl), nl)
    places = tail(table, table[PLACES])
    for k in range(table[PLACED]):
        i = places[k]
        link, out = tail(work, i), tail(placed, k * PLACE)
        root = i
        while parent[root] >= 0:
            root = parent[root]
        for c in unroll(9):
            out[c] = link[(R + c) * nl]
        for c in unroll(3):
            out[9 + c] = link[(R_O + c) * nl] + given[(POSE + 9 + c) * nl + root]
        # velocity at the origin of the link
        px, py, pz = link[R_O * nl], link[(R_O + 1) * nl], link[(R_O + 2) * nl]
        wx, wy, wz = link[V * nl], link[(V + 1) * nl], link[(V + 2) * nl]
        vx = link[(V + 3) * nl] + wy * pz - wz * py
        vy = link[(V + 4) * nl] + wz * px - wx * pz
        vz = link[(V + 5) * nl] + wx * py - wy * px
        for a in unroll(3):
            r0, r1, r2 = link[a * nl], link[(3 + a) * nl], link[(6 + a) * nl]
            out[12 + a] = r0 * wx + r1 * wy + r2 * wz
            out[15 + a] = r0 * vx + r1 * vy + r2 * vz


@kernel(inline=False)
def add_motion(
    nl: Int, work: Floats, i: Int, local: Floats, out: Floats, stride: Int
) -> None:
    """Add a motor of motion, resolved in link i, to one resolved in the world."""
    link = tail(work, i)
    px, py, pz = link[R_O * nl], link[(R_O + 1) * nl], link[(R_O + 2) * nl]
    wx = link[0] * local[0] + link[nl] * local[1] + link[2 * nl] * local[2]
    wy = link[3 * nl] * local[0] + link[4 * nl] * local[1] + link[5 * nl] * local[2]
    wz = link[6 * nl] * local[0] + link[7 * nl] * local[1] + link[8 * nl] * local[2]
    vx = link[0] * local[3] + link[nl] * local[4] + link[2 * nl] * local[5]
    vy = link[3 * nl] * local[3] + link[4 * nl] * local[4] + link[5 * nl] * local[5]
    vz = link[6 * nl] * local[3] + link[7 * nl] * local[4] + link[8 * nl] * local[5]
    out[0] += wx
    out[stride] += wy
    out[2 * stride] += wz
    out[3 * stride] += vx + py * wz - pz * wy
    out[4 * stride] += vy + pz * wx - px * wz
    out[5 * stride] += vz + px * wy - py * wx


@kernel(inline=False)
def add_force(
    nl: Int, work: Floats, i: Int, factor: Float, local: Floats, out: Floats, stride: Int
) -> None:
    """Add `factor` times a load (t, f), resolved in link i, to one resolved in the world."""
    link = tail(work, i)
    px, py, pz = link[R_O * nl], link[(R_O + 1) * nl], link[(R_O + 2) * nl]
    tx = link[0] * local[0] + link[nl] * local[1] + link[2 * nl] * local[2]
    ty = link[3 * nl] * local[0] + link[4 * nl] * local[1] + link[5 * nl] * local[2]
    tz = link[6 * nl] * local[0] + link[7 * nl] * local[1] + link[8 * nl] * local[2]
    fx = link[0] * local[3] + link[nl] * local[4] + link[2 * nl] * local[5]
    fy = link[3 * nl] * local[3] + link[4 * nl] * local[4] + link[5 * nl] * local[5]
    fz = link[6 * nl] * local[3] + link[7 * nl] * local[4] + link[8 * nl] * local[5]
    out[0] += factor * (tx + py * fz - pz * fy)
    out[stride] += factor * (ty + pz * fx - px * fz)
    out[2 * stride] += factor * (tz + px * fy - py * fx)
    out[3 * stride] += factor * fx
    out[4 * stride] += factor * fy
    out[5 * stride] += factor * fz


# --- inertias and forces -------------------------------------------------------------------


@kernel(inline=False)
def weigh_links(n: Int, nl: Int, given: Floats, work: Floats) -> None:
    """Write inertia, momentum, K and force 𝔐 a + V × 𝔐 V of each link, links in lanes."""
    for first in range(0, n, WIDE):
        own, link = tail(given, first), tail(work, first)
        for i in lanes(WIDE):
            r00, r01, r02 = link[i], link[nl + i], link[2 * nl + i]
            r10, r11, r12 = link[3 * nl + i], link[4 * nl + i], link[5 * nl + i]
            r20, r21, r22 = link[6 * nl + i], link[7 * nl + i], link[8 * nl + i]
            px, py, pz = (
                link[R_O * nl + i],
                link[(R_O + 1) * nl + i],
                link[(R_O + 2) * nl + i],
            )
            m = own[INERTIA * nl + i]
            bx, by = own[(INERTIA + 1) * nl + i], own[(INERTIA + 2) * nl + i]
            bz = own[(INERTIA + 3) * nl + i]
            gx = r00 * bx + r01 * by + r02 * bz
            gy = r10 * bx + r11 * by + r12 * bz
            gz = r20 * bx + r21 * by + r22 * bz
            hx, hy, hz = gx + m * px, gy + m * py, gz + m * pz
            ixx, iyy = own[(INERTIA + 4) * nl + i], own[(INERTIA + 5) * nl + i]
            izz, ixy = own[(INERTIA + 6) * nl + i], own[(INERTIA + 7) * nl + i]
            ixz, iyz = own[(INERTIA + 8) * nl + i], own[(INERTIA + 9) * nl + i]
            a0 = r00 * ixx + r01 * ixy + r02 * ixz
            a1 = r00 * ixy + r01 * iyy + r02 * iyz
            a2 = r00 * ixz + r01 * iyz + r02 * izz
            b0 = r10 * ixx + r11 * ixy + r12 * ixz
            b1 = r10 * ixy + r11 * iyy + r12 * iyz
            b2 = r10 * ixz + r11 * iyz + r12 * izz
            c0 = r20 * ixx + r21 * ixy + r22 * ixz
            c1 = r20 * ixy + r21 * iyy + r22 * iyz
            c2 = r20 * ixz + r21 * iyz + r22 * izz
            # about the common point: + (p·g + p·h) 1 − g pᵀ − p hᵀ
            along = px * (gx + hx) + py * (gy + hy) + pz * (gz + hz)
            jxx = a0 * r00 + a1 * r01 + a2 * r02 + along - px * (gx + hx)
            jyy = b0 * r10 + b1 * r11 + b2 * r12 + along - py * (gy + hy)
            jzz = c0 * r20 + c1 * r21 + c2 * r22 + along - pz * (gz + hz)
            jxy = a0 * r10 + a1 * r11 + a2 * r12 - gx * py - px * hy
            jxz = a0 * r20 + a1 * r21 + a2 * r22 - gx * pz - px * hz
            jyz = b0 * r20 + b1 * r21 + b2 * r22 - gy * pz - py * hz
            wx, wy, wz = link[V * nl + i], link[(V + 1) * nl + i], link[(V + 2) * nl + i]
            vx, vy, vz = (
                link[(V + 3) * nl + i],
                link[(V + 4) * nl + i],
                link[(V + 5) * nl + i],
            )
            qx = m * vx + wy * hz - wz * hy
            qy = m * vy + wz * hx - wx * hz
            qz = m * vz + wx * hy - wy * hx
            lx = jxx * wx + jxy * wy + jxz * wz + hy * vz - hz * vy
            ly = jxy * wx + jyy * wy + jyz * wz + hz * vx - hx * vz
            lz = jxz * wx + jyz * wy + jzz * wz + hx * vy - hy * vx
            ax, ay, az = link[A * nl + i], link[(A + 1) * nl + i], link[(A + 2) * nl + i]
            ex, ey, ez = (
                link[(A + 3) * nl + i],
                link[(A + 4) * nl + i],
                link[(A + 5) * nl + i],
            )
            link[F * nl + i] = (
                (jxx * ax + jxy * ay + jxz * az)
                + (hy * ez - hz * ey)
                + (wy * lz - wz * ly)
                + (vy * qz - vz * qy)
            )
            link[(F + 1) * nl + i] = (
                (jxy * ax + jyy * ay + jyz * az)
                + (hz * ex - hx * ez)
                + (wz * lx - wx * lz)
                + (vz * qx - vx * qz)
            )
            link[(F + 2) * nl + i] = (
                (jxz * ax + jyz * ay + jzz * az)
                + (hx * ey - hy * ex)
                + (wx * ly - wy * lx)
                + (vx * qy - vy * qx)
            )
            link[(F + 3) * nl + i] = m * ex + (ay * hz - az * hy) + (wy * qz - wz * qy)
            link[(F + 4) * nl + i] = m * ey + (az * hx - ax * hz) + (wz * qx - wx * qz)
            link[(F + 5) * nl + i] = m * ez + (ax * hy - ay * hx) + (wx * qy - wy * qx)
            # K = v hᵀ + ω × (½ tr J − J)
            half = 0.5 * (jxx + jyy + jzz)
            gxx, gyy, gzz = half - jxx, half - jyy, half - jzz
            link[K * nl + i] = vx * hx - wy * jxz + wz * jxy
            link[(K + 1) * nl + i] = vx * hy - wy * jyz - wz * gyy
            link[(K + 2) * nl + i] = vx * hz + wy * gzz + wz * jyz
            link[(K + 3) * nl + i] = vy * hx + wz * gxx + wx * jxz
            link[(K + 4) * nl + i] = vy * hy - wz * jxy + wx * jyz
            link[(K + 5) * nl + i] = vy * hz - wz * jxz - wx * gzz
            link[(K + 6) * nl + i] = vz * hx - wx * jxy - wy * gxx
            link[(K + 7) * nl + i] = vz * hy + wx * gyy + wy * jxy
            link[(K + 8) * nl + i] = vz * hz - wx * jyz + wy * jxz
            link[P * nl + i], link[(P + 1) * nl + i], link[(P + 2) * nl + i] = qx, qy, qz
            link[M * nl + i] = m
            link[H * nl + i], link[(H + 1) * nl + i], link[(H + 2) * nl + i] = hx, hy, hz
            link[J * nl + i], link[(J + 1) * nl + i], link[(J + 2) * nl + i] = jxx, jyy, jzz
            link[(J + 3) * nl + i], link[(J + 4) * nl + i] = jxy, jxz
            link[(J + 5) * nl + i] = jyz


@kernel(inline=False)
def accelerate_links(
    table: Ints, armature: Floats, tau: Floats, work: Floats, articulated: Floats
) -> None:
    """Factorise the mass matrix, write u̇, and bring accelerations and forces up to it."""
    n, nl, nu = table[LINKS], filled(table[LINKS]), filled(table[FREEDOMS])
    parent, first_u = tail(table, table[PARENT]), tail(table, table[FIRST_U])
    freedom = tail(work, LINK * nl)
    for i in range(n):
        link, body = tail(work, i), tail(articulated, ARTICULATED * i)
        for c in unroll(6):
            body[ART_J + c] = link[(J + c) * nl]
            body[ART_M + c] = 0.0
            body[ART_F + c] = link[(F + c) * nl]
        for c in unroll(3):
            body[ART_M + c] = link[M * nl]
            body[ART_H + 4 * c] = 0.0
            body[ART_H + 3 * NEXT[c] + LAST[c]] = -link[(H + c) * nl]
            body[ART_H + 3 * LAST[c] + NEXT[c]] = link[(H + c) * nl]
    for i in range(n - 1, -1, -1):
        body = tail(articulated, ARTICULATED * i)
        first, last = first_u[i], first_u[i + 1]
        for k in range(last - 1, first - 1, -1):
            own = tail(freedom, k)
            s0, s1, s2 = own[0], own[nu], own[2 * nu]
            s3, s4, s5 = own[3 * nu], own[4 * nu], own[5 * nu]
            t0 = (body[0] * s0 + body[3] * s1 + body[4] * s2) + (
                body[6] * s3 + body[7] * s4 + body[8] * s5
            )
            t1 = (body[3] * s0 + body[1] * s1 + body[5] * s2) + (
                body[9] * s3 + body[10] * s4 + body[11] * s5
            )
            t2 = (body[4] * s0 + body[5] * s1 + body[2] * s2) + (
                body[12] * s3 + body[13] * s4 + body[14] * s5
            )
            f0 = (body[6] * s0 + body[9] * s1 + body[12] * s2) + (
                body[15] * s3 + body[18] * s4 + body[19] * s5
            )
            f1 = (body[7] * s0 + body[10] * s1 + body[13] * s2) + (
                body[18] * s3 + body[16] * s4 + body[20] * s5
            )
            f2 = (body[8] * s0 + body[11] * s1 + body[14] * s2) + (
                body[19] * s3 + body[20] * s4 + body[17] * s5
            )
            along = (s0 * t0 + s1 * t1 + s2 * t2) + (s3 * f0 + s4 * f1 + s5 * f2)
            force = (s0 * body[21] + s1 * body[22] + s2 * body[23]) + (
                s3 * body[24] + s4 * body[25] + s5 * body[26]
            )
            inverse, e = 1.0 / (along + armature[k]), tau[k] - force
            d0, d1, d2 = inverse * t0, inverse * t1, inverse * t2
            d3, d4, d5 = inverse * f0, inverse * f1, inverse * f2
            own[D * nu], own[RATE * nu] = inverse, inverse * e
            own[UD * nu], own[(UD + 1) * nu], own[(UD + 2) * nu] = d0, d1, d2
            own[(UD + 3) * nu], own[(UD + 4) * nu], own[(UD + 5) * nu] = d3, d4, d5
            b0, b1, b2 = body[0] - d0 * t0, body[1] - d1 * t1, body[2] - d2 * t2
            b3, b4, b5 = body[3] - d0 * t1, body[4] - d0 * t2, body[5] - d1 * t2
            h0, h1, h2 = body[6] - d0 * f0, body[7] - d0 * f1, body[8] - d0 * f2
            h3, h4, h5 = body[9] - d1 * f0, body[10] - d1 * f1, body[11] - d1 * f2
            h6, h7, h8 = body[12] - d2 * f0, body[13] - d2 * f1, body[14] - d2 * f2
            m0, m1, m2 = body[15] - d3 * f0, body[16] - d4 * f1, body[17] - d5 * f2
            m3, m4, m5 = body[18] - d3 * f1, body[19] - d3 * f2, body[20] - d4 * f2
            e0, e1, e2 = body[21] + e * d0, body[22] + e * d1, body[23] + e * d2
            e3, e4, e5 = body[24] + e * d3, body[25] + e * d4, body[26] + e * d5
            body[0], body[1], body[2], body[3], body[4], body[5] = b0, b1, b2, b3, b4, b5
            body[6], body[7], body[8], body[9], body[10] = h0, h1, h2, h3, h4
            body[11], body[12], body[13], body[14] = h5, h6, h7, h8
            body[15], body[16], body[17] = m0, m1, m2
            body[18], body[19], body[20] = m3, m4, m5
            body[21], body[22], body[23] = e0, e1, e2
            body[24], body[25], body[26] = e3, e4, e5
        p = parent[i]
        if p >= 0:
            before = tail(articulated, p * ARTICULATED)
            for k in lanes(ARTICULATED):
                before[k] += body[k]
    for i in range(n):
        link = tail(work, i)
        if parent[i] < 0:
            for c in unroll(6):
                link[(DELTA + c) * nl] = 0.0
        else:
            for c in unroll(6):
                link[(DELTA + c) * nl] = link[(DELTA + c) * nl + parent[i] - i]
        a0, a1, a2 = link[DELTA * nl], link[(DELTA + 1) * nl], link[(DELTA + 2) * nl]
        a3, a4, a5 = link[(DELTA + 3) * nl], link[(DELTA + 4) * nl], link[(DELTA + 5) * nl]
        for k in range(first_u[i], first_u[i + 1]):
            own = tail(freedom, k)
            along = (
                own[UD * nu] * a0 + own[(UD + 1) * nu] * a1 + own[(UD + 2) * nu] * a2
            ) + (
                own[(UD + 3) * nu] * a3 + own[(UD + 4) * nu] * a4 + own[(UD + 5) * nu] * a5
            )
            rate = own[RATE * nu] - along
            own[RATE * nu] = rate
            a0 += rate * own[0]
            a1 += rate * own[nu]
            a2 += rate * own[2 * nu]
            a3 += rate * own[3 * nu]
            a4 += rate * own[4 * nu]
            a5 += rate * own[5 * nu]
        link[DELTA * nl], link[(DELTA + 1) * nl], link[(DELTA + 2) * nl] = a0, a1, a2
        link[(DELTA + 3) * nl], link[(DELTA + 4) * nl], link[(DELTA + 5) * nl] = a3, a4, a5
    for first in range(0, n, WIDE):
        link = tail(work, first)
        for i in lanes(WIDE):
            ax, ay, az = (
                link[DELTA * nl + i],
                link[(DELTA + 1) * nl + i],
                link[(DELTA + 2) * nl + i],
            )
            ex, ey = link[(DELTA + 3) * nl + i], link[(DELTA + 4) * nl + i]
            ez = link[(DELTA + 5) * nl + i]
            link[A * nl + i] += ax
            link[(A + 1) * nl + i] += ay
            link[(A + 2) * nl + i] += az
            link[(A + 3) * nl + i] += ex
            link[(A + 4) * nl + i] += ey
            link[(A + 5) * nl + i] += ez
            m = link[M * nl + i]
            hx, hy, hz = link[H * nl + i], link[(H + 1) * nl + i], link[(H + 2) * nl + i]
            jxx, jyy, jzz = link[J * nl + i], link[(J + 1) * nl + i], link[(J + 2) * nl + i]
            jxy, jxz = link[(J + 3) * nl + i], link[(J + 4) * nl + i]
            jyz = link[(J + 5) * nl + i]
            link[F * nl + i] += jxx * ax + jxy * ay + jxz * az + hy * ez - hz * ey
            link[(F + 1) * nl + i] += jxy * ax + jyy * ay + jyz * az + hz * ex - hx * ez
            link[(F + 2) * nl + i] += jxz * ax + jyz * ay + jzz * az + hx * ey - hy * ex
            link[(F + 3) * nl + i] += m * ex + ay * hz - az * hy
            link[(F + 4) * nl + i] += m * ey + az * hx - ax * hz
            link[(F + 5) * nl + i] += m * ez + ax * hy - ay * hx
    for i in range(n - 1, -1, -1):
        p = parent[i]
        if p >= 0:
            link, before = tail(work, i + M * nl), tail(work, p + M * nl)
            for c in unroll(SUMS):
                before[c * nl] += link[c * nl]


# --- columns -------------------------------------------------------------------------------


@kernel
def write_column(
    nl: Int,
    link: Floats,
    n: Int,
    x: Float,
    y: Float,
    z: Float,
    cx: Float,
    cy: Float,
    cz: Float,
    ex: Float,
    ey: Float,
    ez: Float,
    phi: Floats,
    w: Floats,
) -> None:
    """Write 𝔐 C + 𝔅 P, and C and π of a column: C is (c, e), the angular part π of P (x, y, z)."""
    m = link[M * nl]
    hx, hy, hz = link[H * nl], link[(H + 1) * nl], link[(H + 2) * nl]
    jxx, jyy, jzz = link[J * nl], link[(J + 1) * nl], link[(J + 2) * nl]
    jxy, jxz, jyz = link[(J + 3) * nl], link[(J + 4) * nl], link[(J + 5) * nl]
    k0, k1, k2 = link[K * nl], link[(K + 1) * nl], link[(K + 2) * nl]
    k3, k4, k5 = link[(K + 3) * nl], link[(K + 4) * nl], link[(K + 5) * nl]
    k6, k7, k8 = link[(K + 6) * nl], link[(K + 7) * nl], link[(K + 8) * nl]
    px, py, pz = link[P * nl], link[(P + 1) * nl], link[(P + 2) * nl]
    along = k0 + k4 + k8
    phi[0] = (jxx * cx + jxy * cy + jxz * cz) + (
        (hy * ez - hz * ey) + 2.0 * ((along - k0) * x - k1 * y - k2 * z)
    )
    phi[n] = (jxy * cx + jyy * cy + jyz * cz) + (
        (hz * ex - hx * ez) + 2.0 * ((along - k4) * y - k3 * x - k5 * z)
    )
    phi[2 * n] = (jxz * cx + jyz * cy + jzz * cz) + (
        (hx * ey - hy * ex) + 2.0 * ((along - k8) * z - k6 * x - k7 * y)
    )
    phi[3 * n] = (m * ex + (cy * hz - cz * hy)) + 2.0 * (y * pz - z * py)
    phi[4 * n] = (m * ey + (cz * hx - cx * hz)) + 2.0 * (z * px - x * pz)
    phi[5 * n] = (m * ez + (cx * hy - cy * hx)) + 2.0 * (x * py - y * px)
    w[0], w[n], w[2 * n], w[3 * n], w[4 * n], w[5 * n] = cx, cy, cz, ex, ey, ez
    w[6 * n], w[7 * n], w[8 * n] = x, y, z


@kernel
def write_line(nl: Int, link: Floats, n: Int, screw: Floats, line: Floats) -> None:
    """Write 𝔐 S and 𝔅ᵀ S."""
    x, y, z = screw[0], screw[n], screw[2 * n]
    ex, ey, ez = screw[3 * n], screw[4 * n], screw[5 * n]
    m = link[M * nl]
    hx, hy, hz = link[H * nl], link[(H + 1) * nl], link[(H + 2) * nl]
    jxx, jyy, jzz = link[J * nl], link[(J + 1) * nl], link[(J + 2) * nl]
    jxy, jxz, jyz = link[(J + 3) * nl], link[(J + 4) * nl], link[(J + 5) * nl]
    k0, k1, k2 = link[K * nl], link[(K + 1) * nl], link[(K + 2) * nl]
    k3, k4, k5 = link[(K + 3) * nl], link[(K + 4) * nl], link[(K + 5) * nl]
    k6, k7, k8 = link[(K + 6) * nl], link[(K + 7) * nl], link[(K + 8) * nl]
    px, py, pz = link[P * nl], link[(P + 1) * nl], link[(P + 2) * nl]
    along = k0 + k4 + k8
    line[0] = jxx * x + jxy * y + jxz * z + (hy * ez - hz * ey)
    line[n] = jxy * x + jyy * y + jyz * z + (hz * ex - hx * ez)
    line[2 * n] = jxz * x + jyz * y + jzz * z + (hx * ey - hy * ex)
    line[3 * n] = m * ex + (y * hz - z * hy)
    line[4 * n] = m * ey + (z * hx - x * hz)
    line[5 * n] = m * ez + (x * hy - y * hx)
    line[6 * n] = 2.0 * (((along - k0) * x - k3 * y - k6 * z) + (py * ez - pz * ey))
    line[7 * n] = 2.0 * (((along - k4) * y - k1 * x - k7 * z) + (pz * ex - px * ez))
    line[8 * n] = 2.0 * (((along - k8) * z - k2 * x - k5 * y) + (px * ey - py * ex))


@kernel(inline=False)
def write_columns(table: Ints, given: Floats, work: Floats) -> None:
    """Write T, P, C and the changes of forces of all coordinates and speeds."""
    n, n_u, n_q = table[LINKS], table[FREEDOMS], table[COORDINATES]
    nl, nu, nq = filled(n), filled(n_u), filled(n_q)
    parent, turning = tail(table, table[PARENT]), tail(table, table[TURNING])
    first_u, first_q = tail(table, table[FIRST_U]), tail(table, table[FIRST_Q])
    freedom = tail(work, LINK * nl)
    coordinate = tail(freedom, FREEDOM * nu)
    scratch = tail(coordinate, COORDINATE * nq)
    own_T = tail(given, PER_LINK * nl + PER_FREEDOM * nu)
    field = tail(own_T, PER_COORDINATE * nq)
    turns = tail(field, FIELD)
    for i in range(n):
        link, p, turn = tail(work, i), parent[i], turning[i]
        u0, count = first_u[i], first_u[i + 1] - first_u[i]
        r0, r1, r2 = link[0], link[nl], link[2 * nl]
        r3, r4, r5 = link[3 * nl], link[4 * nl], link[5 * nl]
        r6, r7, r8 = link[6 * nl], link[7 * nl], link[8 * nl]
        px, py, pz = link[R_O * nl], link[(R_O + 1) * nl], link[(R_O + 2) * nl]
        # V₋ and a₋
        wx, wy, wz, vx, vy, vz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        ax, ay, az, bx, by, bz = 0.0, 0.0, 0.0, field[0], field[1], field[2]
        if p >= 0:
            before = tail(work, p)
            wx, wy, wz = before[V * nl], before[(V + 1) * nl], before[(V + 2) * nl]
            vx, vy, vz = before[(V + 3) * nl], before[(V + 4) * nl], before[(V + 5) * nl]
            ax, ay, az = before[A * nl], before[(A + 1) * nl], before[(A + 2) * nl]
            bx, by, bz = before[(A + 3) * nl], before[(A + 4) * nl], before[(A + 5) * nl]
        # V₋ + V
        sx, sy, sz = wx + link[V * nl], wy + link[(V + 1) * nl], wz + link[(V + 2) * nl]
        lx, ly = vx + link[(V + 3) * nl], vy + link[(V + 4) * nl]
        lz = vz + link[(V + 5) * nl]
        for k in range(u0, u0 + count):
            own = tail(freedom, k)
            x, y, z = own[0], own[nu], own[2 * nu]
            ex, ey, ez = own[3 * nu], own[4 * nu], own[5 * nu]
            c0, c1, c2 = sy * z - sz * y, sz * x - sx * z, sx * y - sy * x
            c3 = (sy * ez - sz * ey) + (ly * z - lz * y)
            c4 = (sz * ex - sx * ez) + (lz * x - lx * z)
            c5 = (sx * ey - sy * ex) + (lx * y - ly * x)
            if turn >= 0:
                for c in unroll(6):
                    scratch[c] = 0.0
                add_motion(nl, work, i, tail(turns, turn + 6 * (1 + k - u0)), scratch, 1)
                c0, c1, c2 = c0 + scratch[0], c1 + scratch[1], c2 + scratch[2]
                c3, c4, c5 = c3 + scratch[3], c4 + scratch[4], c5 + scratch[5]
            phi, w = tail(own, PHI_U * nu), tail(own, W_U * nu)
            write_column(nl, link, nu, x, y, z, c0, c1, c2, c3, c4, c5, phi, w)
            write_line(nl, link, nu, own, tail(own, LINE * nu))
        mx, my, mz = link[F * nl], link[(F + 1) * nl], link[(F + 2) * nl]
        fx, fy, fz = link[(F + 3) * nl], link[(F + 4) * nl], link[(F + 5) * nl]
        for j in range(first_q[i], first_q[i + 1]):
            own, local = tail(coordinate, j), tail(own_T, j)
            t0, t1, t2 = local[0], local[nq], local[2 * nq]
            t3, t4, t5 = local[3 * nq], local[4 * nq], local[5 * nq]
            x = r0 * t0 + r1 * t1 + r2 * t2
            y = r3 * t0 + r4 * t1 + r5 * t2
            z = r6 * t0 + r7 * t1 + r8 * t2
            ex = (r0 * t3 + r1 * t4 + r2 * t5) + (py * z - pz * y)
            ey = (r3 * t3 + r4 * t4 + r5 * t5) + (pz * x - px * z)
            ez = (r6 * t3 + r7 * t4 + r8 * t5) + (px * y - py * x)
            # P = V₋ × T, and a₋ × T
            p0, p1, p2 = wy * z - wz * y, wz * x - wx * z, wx * y - wy * x
            p3 = (wy * ez - wz * ey) + (vy * z - vz * y)
            p4 = (wz * ex - wx * ez) + (vz * x - vx * z)
            p5 = (wx * ey - wy * ex) + (vx * y - vy * x)
            c0, c1, c2 = ay * z - az * y, az * x - ax * z, ax * y - ay * x
            c3 = (ay * ez - az * ey) + (by * z - bz * y)
            c4 = (az * ex - ax * ez) + (bz * x - bx * z)
            c5 = (ax * ey - ay * ex) + (bx * y - by * x)
            if turn >= 0:
                # E, N, and V × E as V is V₋ + V less V₋
                at = tail(
                    turns, turn + 6 * (1 + count) + 6 * (2 + count) * (j - first_q[i])
                )
                for c in unroll(12):
                    scratch[c] = 0.0
                add_motion(nl, work, i, at, scratch, 1)
                turned = tail(scratch, 6)
                add_motion(nl, work, i, tail(at, 6), turned, 1)
                for k in range(count):
                    rate = freedom[u0 + k + RATE * nu]
                    own_turn, last = tail(at, 6 * (2 + k)), tail(scratch, 12)
                    for c in unroll(6):
                        last[c] = 0.0
                    add_motion(nl, work, i, own_turn, last, 1)
                    for c in unroll(6):
                        turned[c] += rate * last[c]
                g0, g1, g2 = scratch[0], scratch[1], scratch[2]
                g3, g4, g5 = scratch[3], scratch[4], scratch[5]
                ox, oy, oz = sx - wx, sy - wy, sz - wz
                ux, uy, uz = lx - vx, ly - vy, lz - vz
                c0 += turned[0] + (oy * g2 - oz * g1)
                c1 += turned[1] + (oz * g0 - ox * g2)
                c2 += turned[2] + (ox * g1 - oy * g0)
                c3 += turned[3] + (oy * g5 - oz * g4) + (uy * g2 - uz * g1)
                c4 += turned[4] + (oz * g3 - ox * g5) + (uz * g0 - ux * g2)
                c5 += turned[5] + (ox * g4 - oy * g3) + (ux * g1 - uy * g0)
                p0, p1, p2 = p0 + g0, p1 + g1, p2 + g2
                p3, p4, p5 = p3 + g3, p4 + g4, p5 + g5
            c0 += wy * p2 - wz * p1
            c1 += wz * p0 - wx * p2
            c2 += wx * p1 - wy * p0
            c3 += (wy * p5 - wz * p4) + (vy * p2 - vz * p1)
            c4 += (wz * p3 - wx * p5) + (vz * p0 - vx * p2)
            c5 += (wx * p4 - wy * p3) + (vx * p1 - vy * p0)
            own[0], own[nq], own[2 * nq] = x, y, z
            own[3 * nq], own[4 * nq], own[5 * nq] = ex, ey, ez
            own[6 * nq], own[7 * nq], own[8 * nq] = p0, p1, p2
            own[9 * nq], own[10 * nq], own[11 * nq] = p3, p4, p5
            phi, w = tail(own, PHI_Q * nq), tail(own, W_Q * nq)
            write_column(nl, link, nq, p0, p1, p2, c0, c1, c2, c3, c4, c5, phi, w)
            # T × F
            phi[0] += (y * mz - z * my) + (ey * fz - ez * fy)
            phi[nq] += (z * mx - x * mz) + (ez * fx - ex * fz)
            phi[2 * nq] += (x * my - y * mx) + (ex * fy - ey * fx)
            phi[3 * nq] += y * fz - z * fy
            phi[4 * nq] += z * fx - x * fz
            phi[5 * nq] += x * fy - y * fx


@kernel
def fill_row(
    first: Int, last: Int, n: Int, screw: Floats, nu: Int, phi: Floats, out: Floats
) -> None:
    """Write −(S, δF) of columns from `first` to `last`; zero behind, where nothing is coupled."""
    s0, s1, s2 = screw[0], screw[nu], screw[2 * nu]
    s3, s4, s5 = screw[3 * nu], screw[4 * nu], screw[5 * nu]
    for start in range(first, last, WIDE):
        own, row = tail(phi, start), tail(out, start)
        count = last - start
        for c in lanes(WIDE):
            value = (s0 * own[c] + s1 * own[n + c] + s2 * own[2 * n + c]) + (
                s3 * own[3 * n + c] + s4 * own[4 * n + c] + s5 * own[5 * n + c]
            )
            row[c] = -value if c < count else 0.0


@kernel
def fill_column(
    first: Int,
    last: Int,
    nu: Int,
    line: Floats,
    w: Floats,
    n: Int,
    stride: Int,
    out: Floats,
) -> None:
    """Write −((𝔐 S, C) + (𝔅ᵀ S, P)) of rows from `first` to `last`; zero behind."""
    w0, w1, w2, w3, w4 = w[0], w[n], w[2 * n], w[3 * n], w[4 * n]
    w5, w6, w7, w8 = w[5 * n], w[6 * n], w[7 * n], w[8 * n]
    for start in range(first, last, WIDE):
        own, column = tail(line, start), tail(out, start * stride)
        count = last - start
        for k in lanes(WIDE):
            value = (
                (w0 * own[k] + w1 * own[nu + k] + w2 * own[2 * nu + k])
                + (w3 * own[3 * nu + k] + w4 * own[4 * nu + k] + w5 * own[5 * nu + k])
                + (w6 * own[6 * nu + k] + w7 * own[7 * nu + k] + w8 * own[8 * nu + k])
            )
            column[k * stride] = -value if k < count else 0.0


@kernel(inline=False)
def fill_matrix(table: Ints, given: Floats, work: Floats, matrix: Floats) -> None:
    """Write −∂ID of all rows and columns; those of links that are not in a line stay zero."""
    n, n_u, n_q = table[LINKS], table[FREEDOMS], table[COORDINATES]
    nl, nu, nq = filled(n), filled(n_u), filled(n_q)
    stride = (table[COLUMNS] + TILE - 1) // TILE * TILE
    first_u, first_q = tail(table, table[FIRST_U]), tail(table, table[FIRST_Q])
    last_u, last_q = tail(table, table[LAST_U]), tail(table, table[LAST_Q])
    turning = tail(table, table[TURNING])
    turns = tail(given, PER_LINK * nl + PER_FREEDOM * nu + PER_COORDINATE * nq + FIELD)
    freedom = tail(work, LINK * nl)
    coordinate = tail(freedom, FREEDOM * nu)
    line = tail(freedom, LINE * nu)
    for start in range(0, (nu + WIDE + table[BLOCKS]) * stride, TILE):
        row = tail(matrix, start)
        for m in lanes(TILE):
            row[m] = 0.0
    # what stands behind rows and columns is zero where it is of another link, and written later
    for i in range(n):
        for k in range(first_u[i], first_u[i + 1]):
            own, row = tail(freedom, k), tail(matrix, k * stride)
            fill_row(
                first_q[i + 1], last_q[i], nq, own, nu, tail(coordinate, PHI_Q * nq), row
            )
            phi = tail(freedom, PHI_U * nu)
            fill_row(first_u[i + 1], last_u[i], nu, own, nu, phi, tail(row, n_q))
    for i in range(n):
        for j in range(first_q[i], first_q[i + 1]):
            w = tail(coordinate, W_Q * nq + j)
            fill_column(first_u[i], last_u[i], nu, line, w, nq, stride, tail(matrix, j))
            if turning[i] >= 0:
                link, count = tail(work, i), first_u[i + 1] - first_u[i]
                at = turning[i] + 6 * (1 + count) + 6 * (2 + count) * (j - first_q[i]) + 12
                scratch = tail(coordinate, COORDINATE * nq)
                for k in range(count):
                    for c in unroll(6):
                        scratch[c] = 0.0
                    add_motion(nl, work, i, tail(turns, at + 6 * k), scratch, 1)
                    value = 0.0
                    for c in unroll(6):
                        value += scratch[c] * link[(F + c) * nl]
                    matrix[(first_u[i] + k) * stride + j] -= value
        for k in range(first_u[i], first_u[i + 1]):
            w = tail(freedom, W_U * nu + k)
            fill_column(
                first_u[i], last_u[i], nu, line, w, nu, stride, tail(matrix, n_q + k)
            )


# --- force laws ----------------------------------------------------------------------------


@kernel(inline=False)
def turn_reading(nl: Int, work: Floats, i: Int, local: Floats, out: Floats) -> None:
    """Write the derivatives by ξ and ν of link i as those by motors in the world."""
    for c in unroll(READ):
        out[c] = 0.0
    add_force(nl, work, i, 1.0, local, out, 1)
    add_force(nl, work, i, 1.0, tail(local, 6), tail(out, 6), 1)


@kernel(inline=False)
def add_products(
    first: Int,
    last: Int,
    rows: Int,
    factors: Floats,
    n: Int,
    motors: Floats,
    stride: Int,
    out: Floats,
) -> None:
    """Add the products of rows of six factors with motors to columns from `first` to `last`."""
    for start in range(first, last, WIDE):
        own, target, count = tail(motors, start), tail(out, start), last - start
        for r in range(rows):
            row, each = tail(target, r * stride), tail(factors, r * READ)
            f0, f1, f2, f3, f4, f5 = each[0], each[1], each[2], each[3], each[4], each[5]
            for c in lanes(WIDE):
                value = (f0 * own[c] + f1 * own[n + c] + f2 * own[2 * n + c]) + (
                    f3 * own[3 * n + c] + f4 * own[4 * n + c] + f5 * own[5 * n + c]
                )
                row[c] += value if c < count else 0.0


@kernel(inline=False)
def add_reading(
    table: Ints, i: Int, rows: Int, reading: Floats, work: Floats, stride: Int, out: Floats
) -> None:
    """Add derivatives by motors of link i to the columns of all freedoms that move it."""
    n_u, n_q = table[FREEDOMS], table[COORDINATES]
    nl, nu, nq = filled(table[LINKS]), filled(n_u), filled(n_q)
    parent = tail(table, table[PARENT])
    first_u, first_q = tail(table, table[FIRST_U]), tail(table, table[FIRST_Q])
    freedom = tail(work, LINK * nl)
    coordinate = tail(freedom, FREEDOM * nu)
    velocity, speeds = tail(reading, 6), tail(out, n_q)
    last = i
    while last >= 0:
        # links one after another, each on that before it, stand in a row
        first = last
        while first > 0 and parent[first] == first - 1:
            first -= 1
        q0, q1 = first_q[first], first_q[last + 1]
        add_products(q0, q1, rows, reading, nq, coordinate, stride, out)
        add_products(q0, q1, rows, velocity, nq, tail(coordinate, P_Q * nq), stride, out)
        u0, u1 = first_u[first], first_u[last + 1]
        add_products(u0, u1, rows, velocity, nu, freedom, stride, speeds)
        last = parent[first]


@kernel(inline=False)
def add_force_laws(table: Ints, forces: Floats, work: Floats) -> None:
    """Add the derivatives of forces along freedoms and of rates, and of loads with minus."""
    n, n_u, n_q = table[LINKS], table[FREEDOMS], table[COORDINATES]
    nl, nu, nq = filled(n), filled(n_u), filled(n_q)
    stride = (table[COLUMNS] + TILE - 1) // TILE * TILE
    values = tail(forces, n_u + LOAD * table[LOADED])
    reading = tail(work, LINK * nl + FREEDOM * nu + COORDINATE * nq)
    effect = tail(reading, LOAD * READ)
    matrix = tail(reading, SCRATCH + ARTICULATED * n)
    loads = tail(matrix, (nu + WIDE + table[BLOCKS]) * stride)
    at = 0
    places = tail(table, table[AT_DIRECT])
    for entry in range(table[DIRECT]):
        matrix[places[2 * entry] * stride + places[2 * entry + 1]] += values[at + entry]
    at += table[DIRECT]
    places = tail(table, table[AT_READS])
    for entry in range(table[READS]):
        i = places[2 * entry + 1]
        turn_reading(nl, work, i, tail(values, at), reading)
        at += READ
        add_reading(table, i, 1, reading, work, 0, tail(matrix, places[2 * entry] * stride))
    for k in range(LOAD * table[LOADED] * stride):
        loads[k] = 0.0
    places = tail(table, table[AT_LOADS])
    for entry in range(table[LOADS]):
        target = tail(loads, LOAD * stride * places[3 * entry + 1] + places[3 * entry + 2])
        add_force(nl, work, places[3 * entry], -1.0, tail(values, at), target, stride)
        at += LOAD
    places = tail(table, table[AT_LOAD_READS])
    for entry in range(table[LOAD_READS]):
        on, i = places[3 * entry], places[3 * entry + 2]
        for k in range(LOAD * READ):
            effect[k] = 0.0
        for k in range(READ):
            add_force(
                nl, work, on, -1.0, tail(values, at + LOAD * k), tail(effect, k), READ
            )
        at += LOAD * READ
        for k in range(LOAD):
            turn_reading(nl, work, i, tail(effect, READ * k), tail(reading, READ * k))
        target = tail(loads, LOAD * stride * places[3 * entry + 1])
        add_reading(table, i, LOAD, reading, work, stride, target)


# --- M⁻¹ -----------------------------------------------------------------------------------


@kernel(inline=False)
def solve_columns(
    first: Int,
    last: Int,
    stride: Int,
    before: Ints,
    motion: Floats,
    b: Floats,
    motors: Floats,
) -> None:
    """Replace a tile of columns b by M⁻¹ (b − Σ Sᵀ of the loads in `motors`), of one tree.

    Each freedom is a link of its own, on that of the number `before`; `motion` has S, U D and D.
    The first of the motors is that of the world.
    """
    for k in range(last - 1, first - 1, -1):
        own, row = tail(motion, SOLVING * k), tail(b, k * stride)
        motor = tail(motors, LOAD * TILE * (k + 1))
        carrier = tail(motors, LOAD * TILE * (before[k] + 1))
        s0, s1, s2, s3, s4, s5 = own[0], own[1], own[2], own[3], own[4], own[5]
        d0, d1, d2, d3, d4, d5 = own[6], own[7], own[8], own[9], own[10], own[11]
        for c in lanes(TILE):
            m0, m1, m2 = motor[c], motor[TILE + c], motor[2 * TILE + c]
            m3, m4, m5 = motor[3 * TILE + c], motor[4 * TILE + c], motor[5 * TILE + c]
            e = row[c] - ((s0 * m0 + s1 * m1 + s2 * m2) + (s3 * m3 + s4 * m4 + s5 * m5))
            row[c] = e
            carrier[c] += m0 + d0 * e
            carrier[TILE + c] += m1 + d1 * e
            carrier[2 * TILE + c] += m2 + d2 * e
            carrier[3 * TILE + c] += m3 + d3 * e
            carrier[4 * TILE + c] += m4 + d4 * e
            carrier[5 * TILE + c] += m5 + d5 * e
    for c in lanes(LOAD * TILE):
        motors[c] = 0.0
    for k in range(first, last):
        own, row = tail(motion, SOLVING * k), tail(b, k * stride)
        motor = tail(motors, LOAD * TILE * (k + 1))
        carrier = tail(motors, LOAD * TILE * (before[k] + 1))
        s0, s1, s2, s3, s4, s5 = own[0], own[1], own[2], own[3], own[4], own[5]
        d0, d1, d2, d3, d4, d5 = own[6], own[7], own[8], own[9], own[10], own[11]
        inverse = own[12]
        for c in lanes(TILE):
            m0, m1, m2 = carrier[c], carrier[TILE + c], carrier[2 * TILE + c]
            m3, m4, m5 = carrier[3 * TILE + c], carrier[4 * TILE + c], carrier[5 * TILE + c]
            rate = inverse * row[c] - (
                (d0 * m0 + d1 * m1 + d2 * m2) + (d3 * m3 + d4 * m4 + d5 * m5)
            )
            row[c] = rate
            motor[c] = m0 + s0 * rate
            motor[TILE + c] = m1 + s1 * rate
            motor[2 * TILE + c] = m2 + s2 * rate
            motor[3 * TILE + c] = m3 + s3 * rate
            motor[4 * TILE + c] = m4 + s4 * rate
            motor[5 * TILE + c] = m5 + s5 * rate


@kernel(inline=False)
def solve_all(
    table: Ints, work: Floats, loads: Floats, matrix: Floats, motors: Floats
) -> None:
    """Replace all columns b by M⁻¹ (b − Σ Sᵀ of the loads on links)."""
    n_u, loaded = table[FREEDOMS], table[LOADED]
    nl, nu = filled(table[LINKS]), filled(n_u)
    stride = (table[COLUMNS] + TILE - 1) // TILE * TILE
    first_u, before = tail(table, table[FIRST_U]), tail(table, table[BEFORE])
    load_of = tail(table, table[LOAD_OF])
    motion = tail(motors, LOAD * (n_u + 1) * TILE)
    for k in range(n_u):
        own, each = tail(work, LINK * nl + k), tail(motion, SOLVING * k)
        for r in unroll(6):
            each[r], each[6 + r] = own[(S + r) * nu], own[(UD + r) * nu]
        each[12] = own[D * nu]
    trees, tiles = tail(table, table[AT_TREES]), tail(table, table[AT_TILES])
    for k in range(table[TREES]):
        tree = tail(trees, TREE * k)
        for place in range(tree[4], tree[5]):
            column = tiles[place]
            for m in range(tree[2], tree[3]):
                motor = tail(motors, LOAD * TILE * (m + 1))
                for c in lanes(LOAD * TILE):
                    motor[c] = 0.0
            if loaded > 0:
                for i in range(tree[0], tree[1]):
                    if load_of[i] >= 0:
                        load = tail(loads, LOAD * stride * load_of[i] + column)
                        motor = tail(motors, LOAD * TILE * first_u[i + 1])
                        for r in range(LOAD):
                            for c in lanes(TILE):
                                motor[r * TILE + c] = load[r * stride + c]
            b = tail(matrix, column)
            solve_columns(tree[2], tree[3], stride, before, motion, b, motors)


# --- all together --------------------------------------------------------------------------


@kernel(inline=False)
def write_entries(table: Ints, rates: Floats, matrix: Floats, out: Floats) -> None:
    """Write the Jacobian by columns: ∂q̇/∂x, and the rows of the matrix."""
    n_u, n_x, blocks = table[FREEDOMS], table[STATES], table[BLOCKS]
    stride = (table[COLUMNS] + TILE - 1) // TILE * TILE
    columns, rows = tail(table, table[COLUMN_STATE]), tail(table, table[ROW_STATE])
    behind = tail(matrix, (filled(n_u) + WIDE) * stride)
    whole = n_x * n_x // WIDE * WIDE
    for start in range(0, whole, WIDE):
        part = tail(out, start)
        for k in lanes(WIDE):
            part[k] = 0.0
    for k in range(whole, n_x * n_x):
        out[k] = 0.0
    for c in range(table[COLUMNS]):
        column = tail(out, columns[c] * n_x)
        for k in range(n_u):
            column[rows[k]] = matrix[k * stride + c]
        for k in range(blocks):
            column[rows[n_u + k]] = behind[k * stride + c]
    places = tail(table, table[AT_RATES])
    for entry in range(table[RATES]):
        out[places[2 * entry + 1] * n_x + places[2 * entry]] = rates[entry]


@kernel(inline=False)
def differentiate_tree(table: Ints, given: Floats, forces: Floats, work: Floats) -> None:
    """Write −∂ID into the matrix of right-hand sides, and factorise M.

    `given` are the traced values of links, `forces` τ and the loads on links; `move_links` has
    begun with `work`.
    """
    n, n_u = table[LINKS], table[FREEDOMS]
    nl, nu, nq = filled(n), filled(n_u), filled(table[COORDINATES])
    load_of = tail(table, table[LOAD_OF])
    articulated = tail(work, LINK * nl + FREEDOM * nu + COORDINATE * nq + SCRATCH)
    armature = tail(given, PER_LINK * nl + ARMATURE * nu)
    weigh_links(n, nl, given, work)
    if table[LOADED] > 0:
        for i in range(n):
            if load_of[i] >= 0:
                load = tail(forces, n_u + LOAD * load_of[i])
                add_force(nl, work, i, -1.0, load, tail(work, i + F * nl), nl)
    accelerate_links(table, armature, forces, work, articulated)
    write_columns(table, given, work)
    fill_matrix(table, given, work, tail(articulated, ARTICULATED * n))


@kernel(inline=False)
def write_tree_jacobian(table: Ints, rates: Floats, work: Floats, out: Floats) -> None:
    """Write ∂ẋ/∂x by columns; `rates` are ∂q̇/∂x."""
    n, n_u, n_q = table[LINKS], table[FREEDOMS], table[COORDINATES]
    nl, nu, nq = filled(n), filled(n_u), filled(n_q)
    stride = (table[COLUMNS] + TILE - 1) // TILE * TILE
    at = LINK * nl + FREEDOM * nu + COORDINATE * nq + SCRATCH + ARTICULATED * n
    matrix = tail(work, at)
    loads = tail(matrix, (nu + WIDE + table[BLOCKS]) * stride)
    solve_all(table, work, loads, matrix, tail(loads, LOAD * table[LOADED] * stride))
    write_entries(table, rates, matrix, out)
