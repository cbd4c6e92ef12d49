/**
 * Labels: words at parts, of a size that is read at any distance. None covers another: each is
 * moved aside, with a line to its part; a name without room is left out.
 */

import { type Camera, Vector3 } from "three";
import type { Paper } from "./colours";
import type { Figure } from "./figure";
import type { Pane, Sheet } from "./sheet";

export interface Label {
  text: string;
  /** Labels by importance: an error, a holding torque, a name. */
  kind: "fault" | "hold" | "name" | "frame";
  figure: Figure;
  /** The point in the world that it belongs to. */
  place(into: Vector3): Vector3;
}

/** A label that was drawn: its middle and half its size, in pixels of the picture. */
export interface Box {
  text: string;
  kind: Label["kind"];
  x: number;
  y: number;
  width: number;
  height: number;
}

const RANK = { fault: 0, hold: 1, name: 2, frame: 3 };
const SIZE = { fault: 12.5, hold: 13, name: 12, frame: 11 };
const LINE = 1.3;
const WIDEST = 260;
/** Pixels between a label and the edge of the picture. */
const EDGE = 2;
/** Pixels that the tools above the picture take. */
const TOP = 44;

/** Where a label is tried, in turn: aside of its point, in halves of its size and pixels. */
const NEAR: [number, number, number, number][] = [
  ...([
    [0, -1, 0, -7],
    [0, 1, 0, 7],
    [1, 0, 9, 0],
    [-1, 0, -9, 0],
  ] as const),
  ...([
    [1, -1, 7, -7],
    [-1, -1, -7, -7],
    [1, 1, 7, 7],
    [-1, 1, -7, 7],
  ] as const),
  ...([
    [0, -1, 0, -24],
    [0, 1, 0, 24],
  ] as const),
].map(([a, b, c, d]) => [a, b, c, d]);
const FAR: [number, number, number, number][] = [40, 80, 130, 190].flatMap((away) =>
  [
    [0, -1, 0, -away],
    [1, -1, away, -away],
    [-1, -1, -away, -away],
    [0, 1, 0, away],
    [1, 0, away, 0],
    [-1, 0, -away, 0],
    [1, 1, away, away],
    [-1, 1, -away, away],
  ].map(([a, b, c, d]): [number, number, number, number] => [a, b, c, d]),
);

export class Labels {
  /** The labels that are drawn now. */
  drawn: Box[] = [];
  private labels: Label[] = [];
  private readonly last = new Map<string, number>();
  private readonly point = new Vector3();

  set(labels: Label[]): void {
    this.labels = [...labels].sort((a, b) => RANK[a.kind] - RANK[b.kind]);
  }

  draw(sheet: Sheet, camera: Camera, panes: Pane[], paper: Paper): void {
    this.drawn = [];
    for (const pane of panes) {
      const outline = this.labels.some(({ kind }) => kind === "fault")
        ? pane.figure.outline().map((p) => sheet.project(p, camera, pane))
        : [];
      for (const label of this.labels) {
        if (label.figure !== pane.figure) continue;
        const at = sheet.project(label.place(this.point), camera, pane);
        if (at) this.put(sheet, label, at, pane, paper, outline);
      }
    }
  }

  private put(
    sheet: Sheet,
    label: Label,
    at: { x: number; y: number },
    pane: Pane,
    paper: Paper,
    outline: ({ x: number; y: number } | null)[],
  ): void {
    const { kind, text } = label;
    const size = SIZE[kind];
    const widest = Math.min(WIDEST, pane.width - 2 * (7 + EDGE));
    const lines = sheet.wrap(text, size, kind === "fault" ? widest : Infinity);
    const pad = kind === "fault" ? 7 : kind === "hold" ? 5 : 2;
    const half = [
      Math.max(...lines.map((line) => sheet.width(line, size))) / 2 + pad,
      (lines.length * size * LINE) / 2 + (kind === "fault" ? 4 : 0),
    ];
    const isCard = kind === "fault" || kind === "hold";
    const boxOf = (n: number): Box => {
      const box = boxAt(at, tries[n], half, label);
      return isCard ? within(box, pane) : box;
    };
    const tries = isCard ? FAR : NEAR;
    const key = `${pane.left} ${kind} ${text}`;
    const before = this.last.get(key) ?? 0;
    let [best, least] = [-1, Infinity];
    for (let k = 0; k < tries.length; k++) {
      const n = k === 0 ? before : k <= before ? k - 1 : k;
      const box = boxOf(n);
      if (!isFree(box, pane, this.drawn)) continue;
      const covered = outline.filter((p) => p && isIn(p, box)).length;
      const cost = 100 * covered + k;
      if (cost < least) [best, least] = [n, cost];
      if (covered === 0) break;
    }
    if (best < 0 && tries === NEAR) return;
    this.last.set(key, Math.max(best, 0));
    const box = boxOf(Math.max(best, 0));
    this.drawn.push(box);
    drawLabel(sheet, box, lines, at, paper, size);
  }
}

function boxAt(
  at: { x: number; y: number },
  [a, b, dx, dy]: [number, number, number, number],
  [width, height]: number[],
  { text, kind }: Label,
): Box {
  return { text, kind, x: at.x + a * width + dx, y: at.y + b * height + dy, width, height };
}

/** A box moved to where all of it is seen; of one that is larger than the picture, its begin. */
function within(box: Box, { left, width, height }: Pane): Box {
  const edge = EDGE + 1;
  const low = left + edge + box.width;
  const top = TOP + 1 + box.height;
  return {
    ...box,
    x: Math.max(Math.min(box.x, left + width - edge - box.width), low),
    y: Math.max(Math.min(box.y, height - edge - box.height), top),
  };
}

function isIn(p: { x: number; y: number }, box: Box): boolean {
  return Math.abs(p.x - box.x) < box.width && Math.abs(p.y - box.y) < box.height;
}

function isFree(box: Box, pane: Pane, drawn: Box[]): boolean {
  const { x, y, width, height } = box;
  if (x - width < pane.left + EDGE || x + width > pane.left + pane.width - EDGE) return false;
  if (y - height < TOP || y + height > pane.height - EDGE) return false;
  return drawn.every(
    (other) =>
      Math.abs(x - other.x) >= width + other.width + 2 ||
      Math.abs(y - other.y) >= height + other.height + 1,
  );
}

function drawLabel(
  sheet: Sheet,
  box: Box,
  lines: string[],
  at: { x: number; y: number },
  paper: Paper,
  size: number,
): void {
  const { kind, x, y, width, height } = box;
  const colour = { fault: paper.warn, hold: paper.hold, name: paper.text, frame: paper.text };
  const ink = colour[kind];
  const card = kind === "fault" || kind === "hold";
  const near = {
    x: Math.min(Math.max(at.x, x - width), x + width),
    y: Math.min(Math.max(at.y, y - height), y + height),
  };
  if (card || Math.hypot(near.x - at.x, near.y - at.y) > 14) sheet.leader(at, near, ink);
  if (card) sheet.card(x - width, y - height, 2 * width, 2 * height, ink, paper.background);
  lines.forEach((line, k) => {
    const middle = y + (k - (lines.length - 1) / 2) * size * LINE;
    sheet.write(line, x, middle, size, ink, card ? "" : paper.background);
  });
}
