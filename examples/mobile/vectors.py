"""Vectors: sums, multiples, inner and vector products (guide, §3.3.1)."""

from motorik.algebra import Scalar, Vector


def compute() -> tuple[Vector, Scalar, Scalar]:
    """Return b = v × (v × w) + a × w + u, the y of a = 3 v, and u · w."""
    u, w = Vector(0, 0, 1), Vector(1, 1, 0)
    v = u + w
    a = 3 * v
    b = v.cross(v.cross(w)) + a.cross(w) + u
    return b, a.y, u.dot(w)


def main() -> None:
    """Print the three results in one line."""
    b, a_y, u_w = compute()
    print(f"({b.x:g},{b.y:g},{b.z:g}), {a_y:g}, {u_w:g}")


if __name__ == "__main__":
    main()
