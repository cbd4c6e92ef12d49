/** Values of fields: what people type, and what documents hold. */

import type { FieldInfo } from "./catalogue";
import type { Json } from "./document";

type Tagged = { [key: string]: Json };

export const isTagged = (value: Json | undefined): value is Tagged =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value below `guess`, and whether it is one. */
export function split(value: Json | undefined): { guessed: boolean; inner: Json | undefined } {
  if (isTagged(value) && "guess" in value) return { guessed: true, inner: value.guess };
  return { guessed: false, inner: value };
}

export function isLive(value: Json | undefined): value is Tagged {
  return isTagged(value) && "parameter" in value;
}

/** A number as people write it. */
export function write(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const text = String(Number(value.toPrecision(10)));
  return text;
}

/** A value in a few characters. */
export function brief(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") return String(Number(value.toPrecision(4))).replace("-", "−");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `(${value.map(brief).join(", ")})`;
  if ("formula" in value) return `= ${value.formula}`;
  if ("parameter" in value) return brief(value.parameter);
  if ("guess" in value) return `≈ ${brief(value.guess)}`;
  if ("start" in value) return brief(value.start);
  if ("steady" in value) return `${brief(value.steady)} at rest`;
  if ("make" in value) return String(value.make).replace(/^.*\./, "");
  if ("function" in value) return String(value.function);
  if ("unreadable" in value) return String(value.unreadable);
  return "…";
}

/** How units of fields are shown. */
export function unitOf(unit: string | undefined): string {
  if (!unit || unit === "1") return "";
  return unit.replaceAll(".", "·").replace(/(\d)/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]);
}

/** Prefixes and units that people type, in SI units. */
const FACTORS: Record<string, [string, number]> = {
  "°": ["rad", Math.PI / 180],
  deg: ["rad", Math.PI / 180],
  mm: ["m", 1e-3],
  cm: ["m", 1e-2],
  km: ["m", 1e3],
  g: ["kg", 1e-3],
  t: ["kg", 1e3],
  kN: ["N", 1e3],
  MN: ["N", 1e6],
  "N/mm": ["N/m", 1e3],
  "kN/m": ["N/m", 1e3],
  Nm: ["N.m", 1],
  kNm: ["N.m", 1e3],
  rpm: ["rad/s", Math.PI / 30],
  "1/min": ["rad/s", Math.PI / 30],
  "°/s": ["rad/s", Math.PI / 180],
  ms: ["s", 1e-3],
  min: ["s", 60],
  kW: ["W", 1e3],
  bar: ["Pa", 1e5],
  MPa: ["Pa", 1e6],
  kOhm: ["Ohm", 1e3],
  mH: ["H", 1e-3],
  mV: ["V", 1e-3],
  mA: ["A", 1e-3],
};
const NUMBER = /^\s*([+\-−]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*$/;

export interface Reading {
  value?: Json;
  error?: string;
}

const inUnit = (unit: string | undefined): string => (unit ?? "").replaceAll("·", ".");

/** A typed number, with a unit of its own if it has one, or a formula. */
export function readNumber(text: string, unit: string | undefined): Reading {
  const clean = text.trim();
  if (clean === "") return { value: undefined };
  if (clean.startsWith("=")) {
    const formula = clean.slice(1).trim();
    return formula ? { value: { formula } } : { error: "A formula after “=” is missing." };
  }
  const found = NUMBER.exec(clean);
  if (!found) {
    if (/^[A-Za-z_(−-][\w\s.+\-*/(),^]*$/.test(clean)) return { value: { formula: clean } };
    return {
      error: `“${clean}” is no number. Type one such as 0.25, or a formula such as = 2*length.`,
    };
  }
  const number = Number(found[1].replace("−", "-").replace(",", "."));
  const typed = found[2];
  if (!Number.isFinite(number)) return { error: `“${clean}” is too large.` };
  if (!typed || inUnit(typed) === inUnit(unit)) return { value: number };
  const factor = FACTORS[typed];
  if (factor && factor[0] === inUnit(unit)) return { value: number * factor[1] };
  if (/^[*/+\-^(]/.test(typed)) return { value: { formula: clean } };
  return {
    error: `The unit here is ${unitOf(unit) || "none"}, not “${typed}”.`,
  };
}

/** What is wrong with a number in a field; "" if nothing. */
export function faultOf(
  value: Json | undefined,
  { low, high, unit }: FieldInfo & { above?: boolean },
): string {
  if (typeof value !== "number") return "";
  const shown = unitOf(unit) && ` ${unitOf(unit)}`;
  if (low !== undefined && low !== null && value < low)
    return `Must be at least ${write(low)}${shown}.`;
  if (high !== undefined && high !== null && value > high)
    return `Must be at most ${write(high)}${shown}.`;
  return "";
}

/** A round step of a slider: 1, 2 or 5 of a decade, some two hundred in the range. */
export function roundStep(low: number, high: number): number {
  const fine = Math.abs(high - low) / 200 || 1;
  const decade = 10 ** Math.floor(Math.log10(fine));
  return decade * ([1, 2, 5, 10].find((step) => step * decade >= fine * 0.999) ?? 10);
}

/** A range of a slider around a value. */
export function rangeAbout(
  value: number,
  { low, high }: { low?: number | null; high?: number | null },
): [number, number] {
  const size = Math.abs(value) || 1;
  const round = (x: number): number => Number(x.toPrecision(2));
  return [
    low ?? round(value > 0 ? 0 : value - size),
    high ?? round(value + Math.max(size, value > 0 ? 2 * value : size)),
  ];
}
