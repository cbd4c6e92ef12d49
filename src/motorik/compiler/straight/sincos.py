"""Sine and cosine as inline polynomials, for one number or several lanes at once.

With n = round(2x/π) and r = x − n π/2, |r| ≤ π/4:

    sin r ≈ r + r³ (S₁ + S₂ r² + … + S₆ r¹⁰)
    cos r ≈ 1 − r²/2 + r⁴ (C₁ + C₂ r² + … + C₆ r¹⁰)

and the lowest two bits of n say which of the two, and with which sign, is the result.
π/2 is the sum of three numbers; each of the three fused multiply-adds that take n π/2 from
x rounds only the last bit of r (Cody & Waite 1980), for |x| up to `LIMIT`. Lanes beyond
it, where n could be wrong, are computed by the C library. NaN and ±∞ give NaN. The
coefficients are those of Sun's fdlibm (1993), minimax on |r| ≤ π/4 to 2⁻⁵⁸.
"""

from __future__ import annotations

from motorik.compiler.straight.lanes import Lanes

S = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
C = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)

#: π/2 = HALF_PI[0] + HALF_PI[1] + HALF_PI[2] to 160 bits; all positive, so that −0 stays −0.
HALF_PI = (1.5707963267948966, 6.123233995736765e-17, 1.082856673921914e-32)
TWO_OVER_PI = 0.6366197723675814

#: Adding 1.5 · 2⁵² to a number leaves its nearest whole number in the lowest bits.
ROUND = 6755399441055744.0

#: The bit that makes a double negative.
SIGN_BIT = -(2**63)

#: The largest |x| [rad] that is reduced inline.
LIMIT = 1.0e9

#: Results of the helper functions of a module, by name.
KINDS = {"sincos": ("sin", "cos"), "sin": ("sin",), "cos": ("cos",)}


def sincos_type(lanes: Lanes, kind: str) -> str:
    """Return the LLVM type of the result of a helper function: one vector or two."""
    wanted = KINDS[kind]
    return "{" + ", ".join([lanes.vector] * len(wanted)) + "}"


def write_sincos(lanes: Lanes, kind: str) -> str:
    """Return the definition of the helper ``@{kind}.{width}``, a function of one vector."""
    V, M, wanted = lanes.vector, lanes.masks, KINDS[kind]
    result = sincos_type(lanes, kind)
    lanes.declare(f"declare {V} @llvm.fabs.{lanes.suffix}({V})")
    lines = [
        f"define internal fastcc {result} @{kind}.{lanes.width}({V} %x) noinline nounwind {{",
        f"%size = call {V} @llvm.fabs.{lanes.suffix}({V} %x)",
        f"%large = fcmp ogt {V} %size, {lanes.number(LIMIT)}",
        *_reduction(lanes),
    ]
    for function in wanted:
        lines += _choice(lanes, function)
    some = "%large"
    if lanes.width > 1:
        lanes.declare(f"declare i1 @llvm.vector.reduce.or.v{lanes.width}i1({M})")
        lines.append(f"%some = call i1 @llvm.vector.reduce.or.v{lanes.width}i1({M} %large)")
        some = "%some"
    lines += [f"br i1 {some}, label %library, label %done, !prof !0", "library:"]
    for function in wanted:
        lines += _library_calls(lanes, function)
    lines += ["br label %done", "done:"]
    for function in wanted:
        inline, library = f"[%{function}, %0]", f"[%{function}.library, %library]"
        lines.append(f"%{function}.done = phi {V} {inline}, {library}")
    packed = "poison"
    for k, function in enumerate(wanted):
        lines.append(f"%r{k} = insertvalue {result} {packed}, {V} %{function}.done, {k}")
        packed = f"%r{k}"
    return "\n".join([*lines, f"ret {result} {packed}", "}"])


def _reduction(lanes: Lanes) -> list[str]:
    """Compute r and both polynomials, and leave n in the low bits of %bits."""
    V, I, number = lanes.vector, lanes.integers, lanes.number
    lanes.declare(f"declare {V} @llvm.fma.{lanes.suffix}({V}, {V}, {V})")

    def fma(name: str, a: str, b: str, c: str) -> str:
        call = f"call {V} @llvm.fma.{lanes.suffix}({V} {a}, {V} {b}, {V} {c})"
        return f"%{name} = {call}"

    lines = [
        fma("rounded", "%x", number(TWO_OVER_PI), number(ROUND)),
        f"%bits = bitcast {V} %rounded to {I}",
        f"%n = fsub {V} %rounded, {number(ROUND)}",
        fma("rest1", "%n", number(-HALF_PI[0]), "%x"),
        fma("rest2", "%n", number(-HALF_PI[1]), "%rest1"),
        fma("r", "%n", number(-HALF_PI[2]), "%rest2"),
        f"%z = fmul {V} %r, %r",
        f"%zz = fmul {V} %z, %z",
        f"%rz = fmul {V} %r, %z",
    ]
    # S₁ + S₂ z + … + S₆ z⁵ = (S₁ + S₂ z) + z² ((S₃ + S₄ z) + z² (S₅ + S₆ z)), C likewise
    for name, c in (("s", S), ("c", C)):
        for k in (0, 2, 4):
            lines.append(fma(f"{name}{k}", number(c[k + 1]), "%z", number(c[k])))
        lines.append(fma(f"{name}24", f"%{name}4", "%zz", f"%{name}2"))
        lines.append(fma(f"{name}024", f"%{name}24", "%zz", f"%{name}0"))
    # sin r has the sign of r: this matters for r = −0, which the sum turns into +0
    return [
        *lines,
        fma("sum", "%rz", "%s024", "%r"),
        f"%sum.bits = bitcast {V} %sum to {I}",
        f"%r.bits = bitcast {V} %r to {I}",
        f"%r.sign = and {I} %r.bits, {lanes.integer(SIGN_BIT)}",
        f"%sin_r.bits = or {I} %sum.bits, %r.sign",
        f"%sin_r = bitcast {I} %sin_r.bits to {V}",
        fma("half", "%z", number(-0.5), number(1.0)),
        fma("cos_r", "%zz", "%c024", "%half"),
    ]


def _choice(lanes: Lanes, function: str) -> list[str]:
    """Compute %sin = ± sin r or cos r, or %cos, by the two low bits of n."""
    V, I, M, integer = lanes.vector, lanes.integers, lanes.masks, lanes.integer
    own, other = ("sin", "cos") if function == "sin" else ("cos", "sin")
    shift = 0 if function == "sin" else 1  # cos x = sin(x + π/2)
    f = function
    return [
        f"%{f}.parity = and {I} %bits, {integer(1)}",
        f"%{f}.odd = icmp ne {I} %{f}.parity, {integer(0)}",
        f"%{f}.size = select {M} %{f}.odd, {V} %{other}_r, {V} %{own}_r",
        f"%{f}.quarter = add {I} %bits, {integer(shift)}",
        f"%{f}.top = shl {I} %{f}.quarter, {integer(62)}",
        f"%{f}.sign = and {I} %{f}.top, {integer(SIGN_BIT)}",
        f"%{f}.raw = bitcast {V} %{f}.size to {I}",
        f"%{f}.signed = xor {I} %{f}.raw, %{f}.sign",
        f"%{f} = bitcast {I} %{f}.signed to {V}",
    ]


def _library_calls(lanes: Lanes, function: str) -> list[str]:
    """Compute %sin.library or %cos.library: lanes that are too large by the C library."""
    lanes.declare(f"declare double @{function}(double)")
    if lanes.width == 1:
        return [f"%{function}.library = call double @{function}(double %x)"]
    V, f = lanes.vector, function
    lines, before = [], "poison"
    for lane in range(lanes.width):
        lines += [
            f"%{f}.in{lane} = extractelement {V} %x, i64 {lane}",
            f"%{f}.out{lane} = call double @{f}(double %{f}.in{lane})",
            f"%{f}.all{lane} = insertelement {V} {before}, double %{f}.out{lane}, i64 {lane}",
        ]
        before = f"%{f}.all{lane}"
    choose = f"select {lanes.masks} %large, {V} {before}, {V} %{f}"
    return [*lines, f"%{f}.library = {choose}"]
