/** Outlines: the few points of something that reach farthest, by which it is seen whole. */

import { type BufferGeometry, Vector3 } from "three";

/** To the sides, edges and corners of a cube: 26 ways to be outermost. */
const DIRECTIONS: Vector3[] = [];
for (const x of [-1, 0, 1])
  for (const y of [-1, 0, 1])
    for (const z of [-1, 0, 1])
      if (x || y || z) DIRECTIONS.push(new Vector3(x, y, z).normalize());

/** The outermost of points, given as x y z x y z …, as such a list. */
export function outermost(points: ArrayLike<number>): number[] {
  const chosen = new Set<number>();
  for (const { x, y, z } of DIRECTIONS) {
    let [best, far] = [-1, -Infinity];
    for (let i = 0; i < points.length; i += 3) {
      const reach = x * points[i] + y * points[i + 1] + z * points[i + 2];
      if (reach > far) [best, far] = [i, reach];
    }
    if (best >= 0) chosen.add(best);
  }
  return [...chosen].flatMap((i) => [points[i], points[i + 1], points[i + 2]]);
}

const known = new WeakMap<BufferGeometry, number[]>();

/** The outermost points of a geometry that does not change. */
export function outlineOf(geometry: BufferGeometry): number[] {
  const found = known.get(geometry) ?? outermost(geometry.attributes.position.array);
  known.set(geometry, found);
  return found;
}

/** The outermost of vectors. */
export function outermostVectors(points: Vector3[]): Vector3[] {
  const found = outermost(points.flatMap((point) => point.toArray()));
  return Array.from({ length: found.length / 3 }, (_, k) =>
    new Vector3().fromArray(found, 3 * k),
  );
}

/** The eight corners of a bar along x, of a length and a radius. */
export function barOutline(length: number, radius: number): number[] {
  return [0, length].flatMap((x) =>
    [-radius, radius].flatMap((y) => [-radius, radius].flatMap((z) => [x, y, z])),
  );
}

/** The middle of the triangles of a geometry from an index on: that of the box around them. */
export function middleOf(geometry: BufferGeometry, start: number, count: number): Vector3 {
  const [low, high] = [new Vector3(), new Vector3()];
  low.setScalar(Infinity);
  high.setScalar(-Infinity);
  const p = new Vector3();
  const index = geometry.index!.array;
  const { position } = geometry.attributes;
  for (let i = start; i < start + count; i++) {
    p.fromBufferAttribute(position, index[i]);
    low.min(p);
    high.max(p);
  }
  return low.add(high).multiplyScalar(0.5);
}
