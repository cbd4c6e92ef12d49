/** Where things of the diagram are: the size of a part, the places of its ports, first places. */

import { getSmoothStepPath, type Position } from "@xyflow/svelte";
import type { PortInfo } from "./catalogue";
import { type Level, ownerOf, type Spot } from "./document";

export type Side = "left" | "right" | "top" | "bottom";

export interface PortSpot extends PortInfo {
  side: Side;
  x: number;
  y: number;
}

export interface Shape {
  width: number;
  height: number;
  ports: PortSpot[];
}

export const GRID = 10;
/** Distance of ports on one side, and from the corners. */
const [PITCH, CORNER] = [20, 20];
const [LEAST_WIDTH, MOST_WIDTH] = [120, 240];
const HEIGHT = 60;
/** Pixels of symbol, gaps and frame beside the words of a part; of its values at most. */
const [BESIDE, MOST_DETAIL] = [84, 106];

const pen = document.createElement("canvas").getContext("2d");
const widths = new Map<string, number>();

/** The width of words [px]. */
function widthOf(text: string, font: string): number {
  const key = `${font} ${text}`;
  let found = widths.get(key);
  if (found === undefined) {
    if (pen) pen.font = `${font} system-ui, sans-serif`;
    found = pen?.measureText(text).width ?? 8 * text.length;
    if (widths.size > 5000) widths.clear();
    widths.set(key, found);
  }
  return found;
}

/** The side on which a port stands: what comes in at the left, what goes out at the right. */
function sideOf({ name, kind }: PortInfo, index: number, count: number): Side {
  if (/output|_out|out$/.test(kind)) return "right";
  if (/input|_in|in$/.test(kind)) return "left";
  if (/^(support|heat_port|axis)$/.test(name)) return "bottom";
  if (/(_b|_im|_n|_out|_off)\d*$|^(y|n|b)\d*$/.test(name)) return "right";
  if (/(_a|_p|_in)\d*$|^(u|p|a)\d*$/.test(name)) return "left";
  return count > 1 && index % 2 ? "right" : "left";
}

/** A part as it is drawn; turned, what else stands at the left stands at the right. */
export function shapeOf(
  name: string,
  detail: string,
  ports: PortInfo[],
  turned = false,
): Shape {
  const text = Math.max(
    widthOf(name, "600 13px"),
    Math.min(widthOf(detail, "11px"), MOST_DETAIL),
  );
  const width = up(Math.min(Math.max(text + BESIDE, LEAST_WIDTH), MOST_WIDTH));
  const sides: Record<Side, PortInfo[]> = { left: [], right: [], top: [], bottom: [] };
  const usual = ports.filter(({ optional }) => !optional);
  usual.forEach((port, index) => sides[sideOf(port, index, usual.length)].push(port));
  if (turned) [sides.left, sides.right] = [sides.right, sides.left];
  sides.bottom.push(...ports.filter(({ optional }) => optional));
  const most = Math.max(sides.left.length, sides.right.length);
  const height = Math.max(HEIGHT, (most - 1) * PITCH + 2 * CORNER);
  const spots: PortSpot[] = [];
  for (const side of ["left", "right", "top", "bottom"] as const)
    sides[side].forEach((port, k) => {
      const aside = (k - (sides[side].length - 1) / 2) * PITCH;
      if (side === "left" || side === "right")
        spots.push({ ...port, side, x: side === "left" ? 0 : width, y: height / 2 + aside });
      else spots.push({ ...port, side, x: width / 2 + aside, y: side === "top" ? 0 : height });
    });
  return { width, height, ports: spots };
}

/** Parts whose wires are shorter when left and right change places. */
export function turnedParts(level: Level, places: Record<string, Spot>): Set<string> {
  const ids = new Set(level.parts.map(({ id }) => id));
  const gain = new Map<string, number>();
  for (const [a, b] of level.connections)
    for (const [near, far] of [
      [a, b],
      [b, a],
    ]) {
      const [own, other] = [partOfPort(ids, near), partOfPort(ids, far)];
      if (!places[own] || !places[other] || own === other) continue;
      const side = sideOf({ name: near.slice(own.length + 1), kind: "" }, 0, 1);
      const away = Math.sign(places[other][0] - places[own][0]);
      const wrong = side === "right" ? -away : side === "left" ? away : 0;
      gain.set(own, (gain.get(own) ?? 0) + wrong);
    }
  return new Set([...gain].flatMap(([id, by]) => (by > 0 ? [id] : [])));
}

/** A box of the diagram: left, top, right, bottom. */
export type Box = [number, number, number, number];

/** How a wire goes: at which share of its way it turns, how far it goes straight on from ports. */
export interface Route {
  stepPosition?: number;
  offset?: number;
}

/** Routes in the order in which they are tried. */
const ROUTES: Route[] = [
  {},
  ...[0, 1, 0.25, 0.75].map((stepPosition) => ({ stepPosition })),
  ...[10, 34, 48, 66, 90].map((offset) => ({ offset })),
];

/** The route of a wire between two ports that crosses the fewest parts; their own count as well. */
export function routeOf(from: PortSpot, to: PortSpot, boxes: Box[]): Route {
  const crossed = (route: Route): number => {
    const [path] = getSmoothStepPath({
      sourceX: from.x,
      sourceY: from.y,
      sourcePosition: from.side as Position,
      targetX: to.x,
      targetY: to.y,
      targetPosition: to.side as Position,
      borderRadius: 0,
      ...route,
    });
    const numbers = (path.match(/-?[\d.]+(e-?\d+)?/g) ?? []).map(Number);
    let count = 0;
    for (const box of boxes) {
      let isCrossed = false;
      for (let k = 0; k + 3 < numbers.length && !isCrossed; k += 2) {
        const [x, y, u, v] = numbers.slice(k, k + 4);
        isCrossed =
          Math.min(x, u) < box[2] &&
          Math.max(x, u) > box[0] &&
          Math.min(y, v) < box[3] &&
          Math.max(y, v) > box[1];
      }
      if (isCrossed) count += 1;
    }
    return count;
  };
  let [best, least] = [ROUTES[0], Infinity];
  for (const route of ROUTES) {
    const count = crossed(route);
    if (count < least) [best, least] = [route, count];
    if (!count) break;
  }
  return best;
}

const up = (value: number): number => Math.ceil(value / GRID) * GRID;
export const snap = (value: number): number => Math.round(value / GRID) * GRID;

/** The part of a level to which a port belongs: also deep in a sub-model. */
export function partOfPort(ids: Set<string> | Map<string, unknown>, port: string): string {
  for (let path = ownerOf(port); path; path = ownerOf(path)) if (ids.has(path)) return path;
  return ownerOf(port);
}

/** First places of parts that have none: in columns, as far as they are from the first part. */
export function firstPlaces(level: Level): Record<string, Spot> {
  const ids = new Set(level.parts.map(({ id }) => id));
  const given = level.diagram ?? {};
  const missing = level.parts.filter(({ id }) => !given[id]);
  if (!missing.length) return given;
  const near = new Map<string, string[]>(level.parts.map(({ id }) => [id, []]));
  for (const [a, b] of level.connections) {
    const [p, q] = [partOfPort(ids, a), partOfPort(ids, b)];
    near.get(p)?.push(q);
    near.get(q)?.push(p);
  }
  const taken = Object.values(given);
  const bottom = taken.length ? Math.max(...taken.map(([, y]) => y)) + 120 : 0;
  const rows: number[] = [];
  const made: Record<string, Spot> = {};
  for (const { id } of missing) {
    if (made[id]) continue;
    let [front, column] = [[id], 0];
    while (front.length) {
      const next: string[] = [];
      for (const one of front) {
        if (made[one] || given[one]) continue;
        rows[column] = (rows[column] ?? 0) + 1;
        made[one] = [column * 230, bottom + (rows[column] - 1) * 100];
        next.push(...(near.get(one) ?? []));
      }
      front = next;
      column += 1;
    }
  }
  return { ...given, ...made };
}
