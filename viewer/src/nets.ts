/** Solids from triangle meshes and from grids of points. */

import { Solid } from "./solid";

/** Faces that meet at a larger angle than this have an edge between them. */
const CREASE = Math.cos((32 * Math.PI) / 180);
/** Vertices nearer than this share of the size of a mesh are one. */
const SAME = 1e-6;
/** Edges of larger meshes would hide them. */
const MOST_FACES_WITH_EDGES = 60000;

function faceNormals(points: ArrayLike<number>, faces: ArrayLike<number>): Float32Array {
  const normals = new Float32Array(faces.length);
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2]];
    const [ux, uy, uz] = [0, 1, 2].map((k) => points[b + k] - points[a + k]);
    const [vx, vy, vz] = [0, 1, 2].map((k) => points[c + k] - points[a + k]);
    const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const size = Math.hypot(n[0], n[1], n[2]) || 1;
    for (let k = 0; k < 3; k++) normals[f + k] = n[k] / size;
  }
  return normals;
}

/**
 * For each vertex the first that lies where it lies. Some formats give every triangle vertices
 * of its own: only by their places is it seen which triangles meet.
 */
function merged(points: ArrayLike<number>): Uint32Array {
  let size = 0;
  for (let i = 0; i < points.length; i++) size = Math.max(size, Math.abs(points[i]));
  const cell = size > 0 ? SAME * size : 1;
  const first = new Map<string, number>();
  return Uint32Array.from({ length: points.length / 3 }, (_, v) => {
    const key = [0, 1, 2].map((k) => Math.round(points[3 * v + k] / cell)).join();
    const found = first.get(key) ?? v;
    first.set(key, found);
    return found;
  });
}

/** A mesh with smooth normals except across creases. */
export function mesh(
  points: ArrayLike<number>,
  given: ArrayLike<number>,
  scale: number[],
): Solid {
  const scaled = Float32Array.from(points, (value, i) => value * scale[i % 3]);
  const count = scaled.length / 3;
  for (let i = 0; i < given.length; i++)
    if (given[i] >= count)
      throw new Error(`A mesh has ${count} vertices, and a face with vertex ${given[i]}.`);
  const same = merged(scaled);
  const faces = withArea(Uint32Array.from(given, (vertex) => same[vertex]));
  const flat = faceNormals(scaled, faces);
  const dot = (f: number, g: number): number =>
    flat[3 * f] * flat[3 * g] +
    flat[3 * f + 1] * flat[3 * g + 1] +
    flat[3 * f + 2] * flat[3 * g + 2];
  const around: number[][] = Array.from({ length: count }, () => []);
  for (let i = 0; i < faces.length; i++) around[faces[i]].push(Math.floor(i / 3));
  const solid = new Solid();
  for (let i = 0; i < faces.length; i++) {
    const face = Math.floor(i / 3);
    const n = [0, 0, 0];
    for (const other of around[faces[i]])
      if (dot(face, other) > CREASE) for (let k = 0; k < 3; k++) n[k] += flat[3 * other + k];
    const size = Math.hypot(n[0], n[1], n[2]) || 1;
    const v = 3 * faces[i];
    const unit = [n[0] / size, n[1] / size, n[2] / size];
    solid.faces.push(solid.vertex(0, scaled[v], scaled[v + 1], scaled[v + 2], unit));
  }
  if (faces.length < 3 * MOST_FACES_WITH_EDGES) addCreases(solid, faces, count, dot);
  return solid;
}

function addCreases(
  solid: Solid,
  faces: ArrayLike<number>,
  count: number,
  dot: (f: number, g: number) => number,
): void {
  const open = new Map<number, number>();
  for (let i = 0; i < faces.length; i++) {
    const next = after(i);
    const [a, b] = [Math.min(faces[i], faces[next]), Math.max(faces[i], faces[next])];
    const key = a * count + b;
    const other = open.get(key);
    if (other === undefined) open.set(key, i);
    else {
      open.delete(key);
      // both faces run along it the same way: one of them is turned inside out
      const sign = faces[i] === faces[other] ? -1 : 1;
      if (sign * dot(Math.floor(i / 3), Math.floor(other / 3)) < CREASE) solid.edge(i, next);
    }
  }
  for (const i of open.values()) solid.edge(i, after(i));
}

/** The next corner of the same triangle. */
function after(i: number): number {
  return i % 3 === 2 ? i - 2 : i + 1;
}

/** Triangles without those whose corners coincide. */
function withArea(faces: Uint32Array): number[] {
  const kept: number[] = [];
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [faces[f], faces[f + 1], faces[f + 2]];
    if (a !== b && b !== c && c !== a) kept.push(a, b, c);
  }
  return kept;
}

/** Triangles of a grid of rows × columns points. */
export function gridFaces(rows: number, columns: number): number[] {
  const faces: number[] = [];
  for (let i = 0; i < rows - 1; i++)
    for (let j = 0; j < columns - 1; j++) {
      const a = i * columns + j;
      faces.push(a, a + columns, a + columns + 1, a, a + columns + 1, a + 1);
    }
  return faces;
}

/** A surface through a grid of points, with thin lines along some of its rows and columns. */
export function surface(points: ArrayLike<number>, rows: number, columns: number): Solid {
  const solid = new Solid();
  const faces = gridFaces(rows, columns);
  const flat = faceNormals(points, faces);
  const sums = new Float32Array(points.length);
  for (let i = 0; i < faces.length; i++)
    for (let k = 0; k < 3; k++) sums[3 * faces[i] + k] += flat[3 * Math.floor(i / 3) + k];
  for (let v = 0; v < points.length; v += 3) {
    const size = Math.hypot(sums[v], sums[v + 1], sums[v + 2]) || 1;
    const n = [sums[v] / size, sums[v + 1] / size, sums[v + 2] / size];
    solid.vertex(0, points[v], points[v + 1], points[v + 2], n);
  }
  for (const i of faces) solid.faces.push(i);
  const stride = Math.max(1, Math.ceil(Math.max(rows, columns) / 24));
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      const a = i * columns + j;
      const [edgeRow, edgeColumn] = [i === rows - 1, j === columns - 1];
      if (!edgeColumn && (i % stride === 0 || edgeRow)) solid.edge(a, a + 1);
      if (!edgeRow && (j % stride === 0 || edgeColumn)) solid.edge(a, a + columns);
    }
  return solid;
}
