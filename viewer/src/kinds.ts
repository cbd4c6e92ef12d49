/** What each kind of shape is made of. The x axis goes along its length, y its width, z its height. */

import { extrude, type OutlinePoint, type ProfilePoint, Solid, sweep, turn } from "./solid";
import type { Shape } from "./scene";

/** Makes the solid of a shape; what is round gets so many sides. */
type Maker = (shape: Shape, sides: number) => Solid;

/** Sides of what is round: the fewer the smaller it is beside the whole scene. */
export function sidesOf(shape: Shape, extent: number): number {
  const across = shape.diameter ?? Math.max(shape.width ?? 0, shape.height ?? 0);
  const share = across / Math.max(extent, 1e-12);
  return share < 0.01 ? 10 : share < 0.04 ? 16 : share < 0.12 ? 24 : 36;
}

function box({ length = 1, width = 1, height = width }: Shape): Solid {
  const solid = new Solid();
  const y = width / 2;
  const outline: OutlinePoint[] = [
    [0, 0, -y],
    [1, 0, -y],
    [1, 0, y],
    [0, 0, y],
  ];
  extrude(solid, outline, -height / 2, height / 2, length);
  return solid;
}

function beam({ length = 1, width = 0.1, height = width }: Shape, sides: number): Solid {
  const solid = new Solid();
  const half = sides / 2;
  const arc = (s: number, from: number): OutlinePoint[] =>
    Array.from({ length: half + 1 }, (_, k) => {
      const angle = from + (Math.PI * k) / half;
      return [s, (width / 2) * Math.cos(angle), (width / 2) * Math.sin(angle)];
    });
  const outline = [...arc(1, -Math.PI / 2), ...arc(0, Math.PI / 2)];
  extrude(solid, outline, -height / 2, height / 2, length, () => false);
  return solid;
}

function sphere({ diameter = 1 }: Shape, sides: number): Solid {
  return ellipsoid({ kind: "", part: null, role: "", length: diameter } as Shape, sides);
}

function ellipsoid(
  { length = 1, width = length, height = width }: Shape,
  sides: number,
): Solid {
  const solid = new Solid();
  const rings = sides / 2;
  const profile = Array.from({ length: rings + 1 }, (_, k): ProfilePoint => {
    const angle = (Math.PI * k) / rings;
    const radius = k === 0 || k === rings ? 0 : Math.sin(angle) / 2;
    return [0, -Math.cos(angle) / 2, radius];
  });
  turn(solid, profile, sides, { smooth: true });
  const sizes = [length, width, height];
  for (let i = 0; i < solid.s.length; i++) {
    solid.dx[i] *= length;
    solid.y[i] *= width;
    solid.z[i] *= height;
    const n = sizes.map((size, k) => solid.normals[3 * i + k] / size);
    const norm = Math.hypot(...n) || 1;
    for (let k = 0; k < 3; k++) solid.normals[3 * i + k] = n[k] / norm;
  }
  return solid;
}

function cylinder({ length = 1, diameter = 0.1 }: Shape, sides: number): Solid {
  return cone({ kind: "", part: null, role: "", length, diameter, top: 1 }, sides);
}

/** `top` is the share of the diameter at the far end. */
function cone({ length = 1, diameter = 0.1, top = 0 }: Shape, sides: number): Solid {
  const solid = new Solid();
  const [a, b] = [diameter / 2, (top * diameter) / 2];
  const profile: ProfilePoint[] = [
    [0, 0, 0],
    [0, 0, a],
    [1, 0, b],
  ];
  if (b > 0) profile.push([1, 0, 0]);
  turn(solid, profile, sides, { length });
  return solid;
}

function pipe(
  { length = 1, diameter = 0.1, inner = diameter / 2 }: Shape,
  sides: number,
): Solid {
  const solid = new Solid();
  const [a, b] = [inner / 2, diameter / 2];
  const profile: ProfilePoint[] = [
    [0, 0, a],
    [0, 0, b],
    [1, 0, b],
    [1, 0, a],
  ];
  turn(solid, profile, sides, { length, closed: true });
  return solid;
}

function torus({ diameter = 1, tube = diameter / 5 }: Shape, sides: number): Solid {
  const solid = new Solid();
  const around = Math.max(sides / 2, 8);
  const profile = Array.from({ length: around }, (_, k): ProfilePoint => {
    const angle = (-2 * Math.PI * k) / around;
    return [0, (tube / 2) * Math.cos(angle), diameter / 2 + (tube / 2) * Math.sin(angle)];
  });
  turn(solid, profile, sides, { smooth: true, closed: true });
  return solid;
}

/** A line in y and z along teeth of straight flanks, the first one on the y axis. */
function toothed(count: number, root: number, head: number): [number, number][] {
  const line: [number, number][] = [];
  for (let tooth = 0; tooth < count; tooth++)
    for (const [part, r] of [
      [-0.3, root],
      [-0.14, head],
      [0.14, head],
      [0.3, root],
    ]) {
      const angle = (2 * Math.PI * (tooth + part)) / count;
      line.push([r * Math.cos(angle), r * Math.sin(angle)]);
    }
  return line;
}

/** The same line on a circle. */
function rounded(line: [number, number][], radius: number): [number, number][] {
  return line.map(([y, z]) => {
    const r = Math.hypot(y, z);
    return [(radius * y) / r, (radius * z) / r];
  });
}

/** A gear wheel: teeth between head and root circle, and a bore; internal: teeth in the bore. */
function gearwheel({ diameter = 1, inner = 0, teeth = 20, internal = false }: Shape): Solid {
  const solid = new Solid();
  const count = Math.max(Math.round(teeth), 3);
  const bore = inner > 0 ? inner / 2 : 0;
  const head = internal ? bore : diameter / 2;
  const root = internal
    ? (head * (count + 2.5)) / (count - 2)
    : Math.max(head * (1 - 4.4 / (count + 2)), head * 0.5);
  const line = toothed(count, root, head);
  const outer = internal ? rounded(line, Math.max(diameter / 2, 1.02 * root)) : line;
  const hole = internal ? line : rounded(line, bore);
  for (const [s, nx] of [
    [0, -1],
    [1, 1],
  ]) {
    const a = outer.map(([y, z]) => solid.vertex(s, 0, y, z, [nx, 0, 0]));
    const b = hole.map(([y, z]) => solid.vertex(s, 0, y, z, [nx, 0, 0]));
    a.forEach((_, i) => {
      const j = (i + 1) % a.length;
      if (nx > 0) solid.quad(b[i], a[i], a[j], b[j]);
      else solid.quad(b[i], b[j], a[j], a[i]);
      solid.edge(a[i], a[j]);
      if (bore > 0) solid.edge(b[i], b[j]);
    });
  }
  wall(solid, outer, 1);
  if (bore > 0) wall(solid, hole, -1);
  return solid;
}

/** The surface between a closed line in y and z at s = 0 and at s = 1. */
function wall(solid: Solid, line: [number, number][], side: number): void {
  line.forEach(([y, z], i) => {
    const [v, w] = line[(i + 1) % line.length];
    const size = Math.hypot(v - y, w - z) || 1;
    const n = [0, (side * (w - z)) / size, (-side * (v - y)) / size];
    const a = solid.vertex(0, 0, y, z, n);
    const b = solid.vertex(1, 0, y, z, n);
    const c = solid.vertex(1, 0, v, w, n);
    const d = solid.vertex(0, 0, v, w, n);
    if (side > 0) solid.quad(a, d, c, b);
    else solid.quad(a, b, c, d);
  });
}

/** A helix of wire with straight ends on the axis. */
function spring({ length = 1, diameter = 0.1, wire = diameter / 8, coils = 6 }: Shape): Solid {
  const solid = new Solid();
  const radius = Math.max(diameter - wire, wire) / 2;
  const turns = Math.max(coils, 1);
  const steps = Math.ceil(turns * 20);
  const [first, last] = [0.1, 0.9];
  const curve = [
    { s: 0, dx: 0, y: 0, z: 0 },
    { s: first * 0.85, dx: 0, y: 0, z: 0 },
  ];
  for (let k = 0; k <= steps; k++) {
    const angle = (2 * Math.PI * turns * k) / steps;
    const s = first + ((last - first) * k) / steps;
    curve.push({ s, dx: 0, y: radius * Math.cos(angle), z: radius * Math.sin(angle) });
  }
  curve.push({ s: 1 - first * 0.85, dx: 0, y: 0, z: 0 }, { s: 1, dx: 0, y: 0, z: 0 });
  sweep(solid, curve, wire / 2, 8, length);
  return solid;
}

/** A tube at the one end, and a rod that slides in it at the other. */
function damper(
  { length = 1, diameter = 0.1, lengths, rod: thick = 0.44 * diameter, rod_color }: Shape,
  sides: number,
): Solid {
  const solid = new Solid();
  const [tube, rod] = lengths ?? [0.6 * length, 0.7 * length];
  const stub: ProfilePoint[] = [
    [0, 0, 0],
    [0, 0, diameter * 0.5],
    [0, tube, diameter * 0.5],
    [0, tube, Math.min(thick * 0.6, diameter * 0.5)],
  ];
  turn(solid, stub, sides, { length });
  solid.tone = rod_color ? 1 : 1.35;
  solid.isSecond = true;
  const piston: ProfilePoint[] = [
    [1, -rod, 0],
    [1, -rod, thick / 2],
    [1, 0, thick / 2],
    [1, 0, 0],
  ];
  turn(solid, piston, 20, { length });
  return solid;
}

/** Shaft and head; torques have two heads. */
function arrow({ length = 1, diameter = 0.02, vector, double }: Shape): Solid {
  const solid = new Solid();
  const r = diameter / 2;
  const head = 4.5 * diameter;
  const heads = vector?.double || double ? 2 : 1;
  const profile: ProfilePoint[] = [
    [0, 0, 0],
    [0, 0, r],
    [1, -head * (heads === 2 ? 1.55 : 1), r],
  ];
  for (let k = heads - 1; k >= 0; k--) {
    const shift = -0.55 * k * head;
    profile.push([1, shift - head, 2.4 * r], [1, shift - (k ? 0.45 * head : 0), k ? r : 0]);
  }
  turn(solid, profile, 20, { length });
  return solid;
}

/** A tyre on a rim with five spokes, so that one sees it turn. */
function wheel({ diameter = 1, width = diameter / 4, inner = 0 }: Shape, sides: number): Solid {
  const solid = new Solid();
  const [R, w] = [diameter / 2, width / 2];
  const r = inner > 0 ? Math.min(inner / 2, 0.95 * R) : 0.62 * R;
  const c = Math.min(0.25 * w, 0.3 * (R - r));
  turn(
    solid,
    [
      [0, -w + c, r],
      [0, -w, r + c],
      [0, -w, R - c],
      [0, -w + c, R],
      [0, w - c, R],
      [0, w, R - c],
      [0, w, r + c],
      [0, w - c, r],
    ],
    sides,
    { closed: true },
  );
  solid.tone = 2.6;
  const [hub, thick] = [0.18 * r, 0.45 * w];
  const ring = (a: number, b: number, half: number): void =>
    turn(
      solid,
      [
        [0, -half, a],
        [0, -half, b],
        [0, half, b],
        [0, half, a],
      ],
      sides,
      { closed: true },
    );
  ring(0.88 * r, r, 0.8 * w);
  ring(hub * 0.4, hub, thick * 1.4);
  for (let k = 0; k < 5; k++)
    spoke(solid, (2 * Math.PI * k) / 5, hub, 0.9 * r, thick, hub * 0.45);
  return solid;
}

function spoke(
  solid: Solid,
  angle: number,
  from: number,
  to: number,
  x: number,
  half: number,
): void {
  const [c, d] = [Math.cos(angle), Math.sin(angle)];
  const plain = new Solid();
  const outline: OutlinePoint[] = [
    [0, -x, -half],
    [0, x, -half],
    [0, x, half],
    [0, -x, half],
  ];
  extrude(plain, outline, from, to);
  const first = solid.s.length;
  for (let i = 0; i < plain.s.length; i++) {
    const [nx, ny, nz] = plain.normals.slice(3 * i, 3 * i + 3);
    const [y, z] = [plain.y[i], plain.z[i]];
    solid.vertex(0, plain.dx[i], y * c - z * d, y * d + z * c, [
      nx,
      ny * c - nz * d,
      ny * d + nz * c,
    ]);
  }
  for (const i of plain.faces) solid.faces.push(first + i);
  for (const i of plain.edges) solid.edges.push(first + i);
}

export const KINDS: Record<string, Maker> = {
  box,
  beam,
  sphere,
  ellipsoid,
  cylinder,
  cone,
  pipe,
  torus,
  gearwheel,
  spring,
  damper,
  arrow,
  wheel,
};
