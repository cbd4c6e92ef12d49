/** Symbols of mechanical parts where the catalogue has none: paths within −20 … 20 by −12 … 12. */

const CIRCLE = "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0";
const GROUND = "M-8 12H8M-8 12l-3 4M-3 12l-3 4M2 12l-3 4M7 12l-3 4";
const BAR = "M-20 0H-15M15 0H20";
const SPRING = "M-20 0H-13L-11 -6L-7 6L-3 -6L1 6L5 -6L9 6L11 0H20";
const DAMPER = "M-20 0H-4M-8 -7H8M-8 7H8M8 -7M-8 -7M-4 -5V5M8 -7V7M8 0H20";
const CRATE = "M-14 -8h28v16h-28z";

const TABLE: [RegExp, string][] = [
  [
    /(^|\.)World$/,
    "M-12 10H12M-12 10l-3 4M-4 10l-3 4M4 10l-3 4M12 10l-3 4M0 10V-12M0 -12l-3 5M0 -12l3 5M0 10H16M16 10",
  ],
  [/Revolute/, `${CIRCLE}M-20 0H-6M6 0H20M-1 0a1 1 0 1 0 2 0a1 1 0 1 0 -2 0`],
  [/Prismatic/, "M-20 0H-12M-12 -6H6V6H-12zM-6 0H20M6 0"],
  [/Cylindrical/, "M-20 0H-12M-12 -6H6V6H-12zM-6 0H20M11 -6a4 6 0 0 1 0 12"],
  [/Universal/, "M-20 0H-8M8 0H20M-8 -8V8M8 -8V8M-8 -8H0V8M0 8H8"],
  [
    /SphericalSpherical|Rod|UniversalSpherical/,
    "M-20 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M12 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M-12 0H12",
  ],
  [/Spherical/, `${CIRCLE}M-20 0H-6M6 0H20M-9 -7a11 11 0 0 0 0 14`],
  [/Planar/, "M-20 0H-4M-4 -10V10M0 -10V10M0 0H20"],
  [/Screw|Helical/, "M-20 0H20M-10 -5L-6 5M-4 -5L0 5M2 -5L6 5M8 -5L12 5"],
  [
    /Free|Floating/,
    "M-20 0H-12M12 0H20M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0M-9 -9L-6 -6M9 9L6 6M-9 9L-6 6M9 -9L6 -6",
  ],
  [/FixedTranslation|FixedRotation|BodyShape|BodyBox|BodyCylinder/, `${BAR}M-15 -3H15V3H-15z`],
  [/(^|\.)Fixed$/, `M0 -10V12${GROUND}`],
  [/PointMass|(^|\.)Mass$/, `${BAR}${CRATE}`],
  [/Body|Inertia/, `M-20 0H-10M-10 0a10 8 0 1 0 20 0a10 8 0 1 0 -20 0M-3 0H3M0 -3V3`],
  [
    /SpringDamper/,
    "M-20 0H-14M14 0H20M-14 -6V6M14 -6V6M-14 -6H-9L-7 -10L-3 -2L1 -10L5 -2L7 -6H14M-14 6H-3M-6 2H6M-6 10H6M-3 3V9M6 2V10M6 6H14",
  ],
  [/Spring/, SPRING],
  [/Damper/, DAMPER],
  [/Friction|Brake|Clutch/, "M-20 0H-3M-3 -9V9M3 -9V9M3 0H20M-8 -9H-3M3 9H8"],
  [
    /Gear|Pulley|Rack/,
    "M-14 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0M-2 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0M-20 0H-14M14 0H20",
  ],
  [/Motor|EMF/, "M-20 0H-8M8 0H20M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0M-4 4V-4L0 1L4 -4V4"],
  [
    /Torque|Speed|Position|Accelerate|Move/,
    "M-9 6a10 10 0 1 1 18 0M9 6l-6 -2M9 6l2 -6M-1 0h2M10 4H20",
  ],
  [/Force/, "M-20 0H16M16 0l-7 -5M16 0l-7 5"],
  [/Sensor/, "M-8 2a8 8 0 1 1 16 0M0 2L5 -6M-20 2H20M0 2V10"],
  [
    /Wheel|Rolling/,
    "M-9 0a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M-16 9H16",
  ],
  [/Contact|Stop|Collision/, "M-20 0H-8M-8 -8V8M8 -8V8M-4 -5L4 5M-4 5L4 -5M8 0H20"],
  [/Sine|Cosine/, "M-14 0H14M-14 0q3.5 -14 7 0t7 0t7 0t7 0"],
  [/Step/, "M-14 8H0V-7H14"],
  [/Ramp/, "M-14 8H-5L6 -7H14"],
  [/Pulse|Trapezoid|Square/, "M-14 7H-8V-7H-1V7H6V-7H13"],
  [/Constant/, "M-14 8V-8M-14 8H14M-14 -3H14"],
  [/Gain/, "M-10 -10L12 0L-10 10z"],
  [
    /Integrator|PI|PID|Transfer|FirstOrder|Derivative/,
    "M-12 -10H12V10H-12zM3 -6c-3 -2 -3 2 -3 6s0 8 -3 6",
  ],
  [/Add|Sum|Feedback/, "M-7 0a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M-4 0H4M0 -4V4M-20 0H-7M7 0H20"],
];
const BLOCK = "M-12 -9H12V9H-12z";
const MODEL = "M-14 -9H14V9H-14zM-9 -4h7v8h-7zM3 -4h7v8h-7zM-2 0H3";

export function symbolOf(name: string, given: string | undefined): string {
  if (given) return given;
  if (name.startsWith("#")) return MODEL;
  const own = name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":")) + 1);
  return TABLE.find(([is]) => is.test(own))?.[1] ?? BLOCK;
}
