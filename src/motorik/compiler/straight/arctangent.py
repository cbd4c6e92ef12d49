"""The angle of a point as an inline polynomial, for one number or several lanes at once.

With the larger and the smaller of |x| and |y|, and for a steep quotient the angle from π/4:

    u = lo / hi                      if lo ≤ tan(π/8) hi,   else   (lo − hi) / (lo + hi)
    atan u ≈ u − u (A₁ u² + A₂ u⁴ + … + A₁₁ u²²),    |u| ≤ tan(π/8)

and the octant of the point says what the angle is taken from. One division and no branch, so
that no register has to be saved for a call. The coefficients are those of Sun's fdlibm (1993),
minimax on |u| ≤ 7/16. Zeros, infinities and NaN are treated as in C.
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

#: What π/4, π/2 and π have beyond their double numbers.
QUARTER_REST, HALF_REST, WHOLE_REST = (
    3.061616997868383e-17,
    6.123233995736766e-17,
    1.2246467991473532e-16,
)


def write_arctangent(lanes: Lanes) -> str:
    """Return the definition of the helper ``@atan2.{width}``, a function of y and x."""
    V, M, I, number = lanes.vector, lanes.masks, lanes.integers, lanes.number
    for name, count in (("fma", 3), ("fabs", 1), ("copysign", 2)):
        operands = ", ".join([V] * count)
        lanes.declare(f"declare {V} @llvm.{name}.{lanes.suffix}({operands})")

    def call(result: str, name: str, *operands: str) -> str:
        given = ", ".join(f"{V} {operand}" for operand in operands)
        return f"%{result} = call {V} @llvm.{name}.{lanes.suffix}({given})"

    def choose(result: str, condition: str, yes: str, no: str) -> str:
        return f"%{result} = select {M} {condition}, {V} {yes}, {V} {no}"

    zero, one = number(0.0), number(1.0)
    lines = [
        f"define internal fastcc {V} @atan2.{lanes.width}({V} %y, {V} %x) noinline nounwind {{",
        call("ax", "fabs", "%x"),
        call("ay", "fabs", "%y"),
        f"%flat = fcmp ogt {V} %ax, %ay",
        choose("hi", "%flat", "%ax", "%ay"),
        choose("lo", "%flat", "%ay", "%ax"),
        # a steep quotient; equal numbers, infinite ones too, are, but not two zeros
        f"%bound = fmul {V} %hi, {number(STEEP)}",
        f"%above = fcmp ogt {V} %lo, %bound",
        f"%equal = fcmp oeq {V} %lo, %hi",
        f"%some = fcmp une {V} %hi, {zero}",
        f"%steep.any = or {M} %above, %equal",
        f"%steep = and {M} %steep.any, %some",
        f"%large = fcmp ogt {V} %hi, {one}",
        choose("scale", "%large", number(0.5), one),
        f"%lo.scaled = fmul {V} %lo, %scale",
        f"%hi.scaled = fmul {V} %hi, %scale",
        f"%gap = fsub {V} %lo.scaled, %hi.scaled",
        choose("gap.safe", "%equal", zero, "%gap"),
        f"%both = fadd {V} %lo.scaled, %hi.scaled",
        choose("over", "%steep", "%gap.safe", "%lo"),
        choose("under.any", "%steep", "%both", "%hi"),
        choose("under", "%some", "%under.any", one),
        f"%u = fdiv {V} %over, %under",
        f"%z = fmul {V} %u, %u",
        f"%w = fmul {V} %z, %z",
    ]
    # odd and even powers of u² side by side
    for name, powers in (("s", (0, 2, 4, 6, 8, 10)), ("t", (1, 3, 5, 7, 9))):
        value = number(A[powers[-1]])
        for k in reversed(powers[:-1]):
            lines.append(call(f"{name}{k}", "fma", value, "%w", number(A[k])))
            value = f"%{name}{k}"
    lines += [
        f"%even = fmul {V} %t1, %w",
        call("series", "fma", "%s0", "%z", "%even"),
        choose("rest", "%steep", number(QUARTER_REST), zero),
        f"%bent = fmul {V} %u, %series",
        f"%small = fsub {V} %bent, %rest",
        f"%angle = fsub {V} %u, %small",
        choose("base", "%steep", number(pi / 4), zero),
        f"%octant = fadd {V} %base, %angle",
        # from the y axis where |y| > |x|, from the negative x axis where x < 0
        f"%turned = fsub {V} %octant, {number(HALF_REST)}",
        f"%up.angle = fsub {V} {number(pi / 2)}, %turned",
        choose("quadrant", "%flat", "%octant", "%up.angle"),
        choose("diagonal", "%equal", "%octant", "%quadrant"),
        f"%x.bits = bitcast {V} %x to {I}",
        f"%left = icmp slt {I} %x.bits, {lanes.integer(0)}",
        f"%opposite = fsub {V} %diagonal, {number(WHOLE_REST)}",
        f"%left.angle = fsub {V} {number(pi)}, %opposite",
        choose("size", "%left", "%left.angle", "%diagonal"),
        call("result", "copysign", "%size", "%y"),
        f"ret {V} %result",
        "}",
    ]
    return "\n".join(lines)
