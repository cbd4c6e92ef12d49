/**
 * Solids: triangles whose vertices know which end they belong to.
 *
 * A vertex lies at x = s·L + dx, where L is the length of the shape. The same solid serves a
 * shape of fixed length and one that is stretched between two ends: only x changes with L, so
 * the heads of arrows, the rods of dampers and the wire of springs keep their size.
 */

export class Solid {
  readonly dx: number[] = [];
  readonly y: number[] = [];
  readonly z: number[] = [];
  readonly s: number[] = [];
  readonly normals: number[] = [];
  readonly tones: number[] = [];
  /** Which vertices have the second colour of the shape, if it has one. */
  readonly second: boolean[] = [];
  readonly faces: number[] = [];
  /** Lines along sharp edges, as pairs of vertices. */
  readonly edges: number[] = [];
  /** Factor of the colour of the vertices that are added. */
  tone = 1;
  /** Do the vertices that are added have the second colour? */
  isSecond = false;

  vertex(s: number, dx: number, y: number, z: number, n: readonly number[]): number {
    this.s.push(s);
    this.dx.push(dx);
    this.y.push(y);
    this.z.push(z);
    this.normals.push(n[0], n[1], n[2]);
    this.tones.push(this.tone);
    this.second.push(this.isSecond);
    return this.s.length - 1;
  }

  quad(a: number, b: number, c: number, d: number): void {
    this.faces.push(a, b, c, a, c, d);
  }

  edge(a: number, b: number): void {
    this.edges.push(a, b);
  }
}

/** A point of a profile in the plane of x and the distance from the x axis. */
export type ProfilePoint = [s: number, dx: number, radius: number];

/** Turn a profile about x. Sharp: every segment has its own normals, and rings have edges. */
export function turn(
  solid: Solid,
  profile: ProfilePoint[],
  sides: number,
  { length = 1, smooth = false, closed = false } = {},
): void {
  const points = closed ? [...profile, profile[0]] : profile;
  const along = points.map(([s, dx]) => s * length + dx);
  const normal = (i: number): [number, number] => {
    const nx = -(points[i + 1][2] - points[i][2]);
    const nr = along[i + 1] - along[i];
    const size = Math.hypot(nx, nr) || 1;
    return [nx / size, nr / size];
  };
  const segments = points.length - 1;
  const flat = Array.from({ length: segments }, (_, i) => normal(i));
  const soft = points.map((_, i): [number, number] => {
    const before = flat[i > 0 ? i - 1 : closed ? segments - 1 : 0];
    const after = flat[i < segments ? i : closed ? 0 : segments - 1];
    const size = Math.hypot(before[0] + after[0], before[1] + after[1]) || 1;
    return [(before[0] + after[0]) / size, (before[1] + after[1]) / size];
  });
  const ring = (i: number, [nx, nr]: [number, number]): number => {
    const [s, dx, r] = points[i];
    const first = solid.s.length;
    for (let k = 0; k <= sides; k++) {
      const c = Math.cos((2 * Math.PI * k) / sides);
      const d = Math.sin((2 * Math.PI * k) / sides);
      solid.vertex(s, dx, r * c, r * d, [nx, nr * c, nr * d]);
    }
    return first;
  };
  let previous = smooth ? ring(0, soft[0]) : 0;
  for (let i = 0; i < segments; i++) {
    const a = smooth ? previous : ring(i, flat[i]);
    const b = ring(i + 1, smooth ? soft[i + 1] : flat[i]);
    for (let k = 0; k < sides; k++) {
      if (points[i][2] > 0) solid.faces.push(a + k, a + k + 1, b + k);
      if (points[i + 1][2] > 0) solid.faces.push(b + k, a + k + 1, b + k + 1);
      if (!smooth && points[i + 1][2] > 0 && (closed || i < segments - 1))
        solid.edge(b + k, b + k + 1);
    }
    previous = b;
  }
}

/** A point of an outline in the plane of x and y. */
export type OutlinePoint = [s: number, dx: number, y: number];

/** Extrude a convex outline in x and y, counterclockwise about z, from z = low to z = high. */
export function extrude(
  solid: Solid,
  outline: OutlinePoint[],
  low: number,
  high: number,
  length = 1,
  sharp = (_: number): boolean => true,
): void {
  const count = outline.length;
  const along = outline.map(([s, dx]) => s * length + dx);
  for (const [z, nz] of [
    [low, -1],
    [high, 1],
  ]) {
    const cap = outline.map(([s, dx, y]) => solid.vertex(s, dx, y, z, [0, 0, nz]));
    for (let i = 1; i < count - 1; i++)
      if (nz > 0) solid.faces.push(cap[0], cap[i], cap[i + 1]);
      else solid.faces.push(cap[0], cap[i + 1], cap[i]);
    for (let i = 0; i < count; i++) solid.edge(cap[i], cap[(i + 1) % count]);
  }
  for (let i = 0; i < count; i++) {
    const j = (i + 1) % count;
    const tx = along[j] - along[i];
    const ty = outline[j][2] - outline[i][2];
    const size = Math.hypot(tx, ty) || 1;
    const n = [ty / size, -tx / size, 0];
    const at = (k: number, z: number): number =>
      solid.vertex(outline[k][0], outline[k][1], outline[k][2], z, n);
    const [a, b, c, d] = [at(i, low), at(j, low), at(j, high), at(i, high)];
    solid.quad(a, b, c, d);
    if (sharp(i)) solid.edge(a, d);
  }
}

/** Sweep a circle along a curve given by its points; the frames turn as little as possible. */
export function sweep(
  solid: Solid,
  curve: { s: number; dx: number; y: number; z: number }[],
  radius: number,
  sides: number,
  length: number,
): void {
  const at = (i: number): number[] => {
    const p = curve[Math.min(Math.max(i, 0), curve.length - 1)];
    return [p.s * length + p.dx, p.y, p.z];
  };
  let previous = -1;
  let u = [0, 0, 0];
  for (let i = 0; i < curve.length; i++) {
    const [a, b] = [at(i - 1), at(i + 1)];
    const t = unit([b[0] - a[0], b[1] - a[1], b[2] - a[2]]);
    const { s, dx, y, z } = curve[i];
    if (i === 0) u = Math.abs(t[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    const along = u[0] * t[0] + u[1] * t[1] + u[2] * t[2];
    u = unit(u.map((value, k) => value - along * t[k]));
    const v = [t[1] * u[2] - t[2] * u[1], t[2] * u[0] - t[0] * u[2], t[0] * u[1] - t[1] * u[0]];
    const first = solid.s.length;
    for (let k = 0; k <= sides; k++) {
      const c = Math.cos((2 * Math.PI * k) / sides);
      const d = Math.sin((2 * Math.PI * k) / sides);
      const n = [c * u[0] + d * v[0], c * u[1] + d * v[1], c * u[2] + d * v[2]];
      solid.vertex(s, dx + radius * n[0], y + radius * n[1], z + radius * n[2], n);
    }
    if (previous >= 0)
      for (let k = 0; k < sides; k++)
        solid.quad(previous + k, previous + k + 1, first + k + 1, first + k);
    previous = first;
  }
}

function unit(v: number[]): number[] {
  const size = Math.hypot(v[0], v[1], v[2]) || 1;
  return [v[0] / size, v[1] / size, v[2] / size];
}
