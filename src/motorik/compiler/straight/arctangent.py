"""The angle of a point as an inline polynomial, for one number or several lanes at once.

With the larger and the smaller of |x| and |y|, and for a steep quotient the angle from π/4:

    u = lo / hi                      if lo ≤ tan(π/8) hi,   else   (lo − hi) / (lo + hi)
    atan u ≈ u − u (A₁ u² + A₂ u⁴ + … + A₁₁ u²²),    |u| ≤ tan(π/8)

and the octant of the point gives the angle from which it is subtracted. One division and no
branch, so that no register has to be saved for a call. The coefficients are those of Sun's
fdlibm (1993), minimax on |u| ≤ 7/16. Zeros, infinities and NaN are treated as in C.
"""

from __future__ import annotations

from math import pi, tan

from motorik.compiler.straight.lanes import Lanes

A = (
    3.33333333333329318027e-01,
    -1.99999999998764832476e-01,
    1.42857142725034663711e-01,
    -1.11111104054623557880e-01,
    9.09088713343650656196e-02,
    -7.69187620504482999495e-02,
    6.66107313738753120669e-02,
    -5.83357013379057348645e-02,
    4.97687799461593236017e-02,
    -3.65315727442169155270e-02,
    1.62858201153657823623e-02,
)
STEEP = tan(pi / 8)

#: Remainders of π/4, π/2 and π beyond their double numbers.
QUARTER_REST, HALF_REST, WHOLE_REST = (
    3.061616997868383e-17,
    6.123233995736766e-17,
    1.2246467991473532e-16,
)


def write_arctangent(lanes: Lanes) -> str:
    """Return the definition of the helper ``@atan2.{width}``, a function of y and x."""
    V = lanes.vector
    for name, count in (("fma", 3), ("fabs", 1), ("copysign", 2)):
        operands = ", ".join([V] * count)
        lanes.declare(f"declare {V} @llvm.{name}.{lanes.suffix}({operands})")
    head = f"define internal fastcc {V} @atan2.{lanes.width}({V} %y, {V} %x)"
    lines = [f"{head} noinline nounwind {{"]
    lines += [*_quotient(lanes), *_series(lanes), *_octant(lanes)]
    return "\n".join([*lines, f"ret {V} %result", "}"])


def _call(lanes: Lanes, result: str, name: str, *operands: str) -> str:
    given = ", ".join(f"{lanes.vector} {operand}" for operand in operands)
    return f"%{result} = call {lanes.vector} @llvm.{name}.{lanes.suffix}({given})"


def _choose(lanes: Lanes, result: str, condition: str, yes: str, no: str) -> str:
    V = lanes.vector
    return f"%{result} = select {lanes.masks} {condition}, {V} {yes}, {V} {no}"


def _quotient(lanes: Lanes) -> list[str]:
    """Return the lines of u, and of its square z and its fourth power w."""
    V, M, number = lanes.vector, lanes.masks, lanes.number
    zero, one = number(0.0), number(1.0)
    return [
        _call(lanes, "ax", "fabs", "%x"),
        _call(lanes, "ay", "fabs", "%y"),
        f"%flat = fcmp ogt {V} %ax, %ay",
        _choose(lanes, "hi", "%flat", "%ax", "%ay"),
        _choose(lanes, "lo", "%flat", "%ay", "%ax"),
        # a steep quotient; equal numbers, infinite ones too, are, but not two zeros
        f"%bound = fmul {V} %hi, {number(STEEP)}",
        f"%above = fcmp ogt {V} %lo, %bound",
        f"%equal = fcmp oeq {V} %lo, %hi",
        f"%some = fcmp une {V} %hi, {zero}",
        f"%steep.any = or {M} %above, %equal",
        f"%steep = and {M} %steep.any, %some",
        f"%large = fcmp ogt {V} %hi, {one}",
        _choose(lanes, "scale", "%large", number(0.5), one),
        f"%lo.scaled = fmul {V} %lo, %scale",
        f"%hi.scaled = fmul {V} %hi, %scale",
        f"%gap = fsub {V} %lo.scaled, %hi.scaled",
        _choose(lanes, "gap.safe", "%equal", zero, "%gap"),
        f"%both = fadd {V} %lo.scaled, %hi.scaled",
        _choose(lanes, "over", "%steep", "%gap.safe", "%lo"),
        _choose(lanes, "under.any", "%steep", "%both", "%hi"),
        _choose(lanes, "under", "%some", "%under.any", one),
        f"%u = fdiv {V} %over, %under",
        f"%z = fmul {V} %u, %u",
        f"%w = fmul {V} %z, %z",
    ]


def _series(lanes: Lanes) -> list[str]:
    """Return the lines of the angle from 0 or π/4; odd and even powers of u² side by side."""
    V, number = lanes.vector, lanes.number
    zero = number(0.0)
    lines: list[str] = []
    for name, powers in (("s", (0, 2, 4, 6, 8, 10)), ("t", (1, 3, 5, 7, 9))):
        value = number(A[powers[-1]])
        for k in reversed(powers[:-1]):
            lines.append(_call(lanes, f"{name}{k}", "fma", value, "%w", number(A[k])))
            value = f"%{name}{k}"
    return [
        *lines,
        f"%even = fmul {V} %t1, %w",
        _call(lanes, "series", "fma", "%s0", "%z", "%even"),
        _choose(lanes, "rest", "%steep", number(QUARTER_REST), zero),
        f"%bent = fmul {V} %u, %series",
        f"%small = fsub {V} %bent, %rest",
        f"%angle = fsub {V} %u, %small",
        _choose(lanes, "base", "%steep", number(pi / 4), zero),
        f"%octant = fadd {V} %base, %angle",
    ]


def _octant(lanes: Lanes) -> list[str]:
    """Return the lines of the result: from the y axis where |y| > |x|, from −x where x < 0."""
    V, I, number = lanes.vector, lanes.integers, lanes.number
    return [
        f"%turned = fsub {V} %octant, {number(HALF_REST)}",
        f"%up.angle = fsub {V} {number(pi / 2)}, %turned",
        _choose(lanes, "quadrant", "%flat", "%octant", "%up.angle"),
        _choose(lanes, "diagonal", "%equal", "%octant", "%quadrant"),
        f"%x.bits = bitcast {V} %x to {I}",
        f"%left = icmp slt {I} %x.bits, {lanes.integer(0)}",
        f"%opposite = fsub {V} %diagonal, {number(WHOLE_REST)}",
        f"%left.angle = fsub {V} {number(pi)}, %opposite",
        _choose(lanes, "size", "%left", "%left.angle", "%diagonal"),
        _call(lanes, "result", "copysign", "%size", "%y"),
    ]
