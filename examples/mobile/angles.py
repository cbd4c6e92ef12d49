"""Angles: they carry their sine and cosine, and sums need no new ones (guide, §3.2)."""

from motorik.algebra import Angle


def compute() -> tuple[Angle, Angle]:
    """Return an angle of zero, and one made from others."""
    beta1 = Angle(0.0)
    beta2 = Angle.from_degrees(30.0)
    beta3 = beta1 - beta2
    beta3 += Angle.from_degrees(10.0)
    return beta1, beta3


def main() -> None:
    """Print degrees, sine and cosine of one, and the other as a whole."""
    beta1, beta3 = compute()
    print(f"{beta3.degrees:g}\n{beta3.sine:.6g}\n{beta3.cosine:.6g}")
    print(f"[{beta1.radians:g},{beta1.sine:g},{beta1.cosine:g}]")


if __name__ == "__main__":
    main()
