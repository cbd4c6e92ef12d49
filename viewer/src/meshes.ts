/** Functions on meshes of figures. */

import {
  Box3,
  type BufferAttribute,
  type BufferGeometry,
  type LineBasicMaterial,
  type LineSegments,
  type Mesh,
  Sphere,
} from "three";

const ball = new Sphere();
const hull = new Box3();

/** Write x = share · length + offset into the positions. */
export function slide(
  geometry: BufferGeometry,
  share: Float32Array,
  offset: Float32Array,
  length: number,
): void {
  const { position } = geometry.attributes as { position: BufferAttribute };
  const { array } = position;
  for (let i = 0; i < share.length; i++) array[3 * i] = share[i] * length + offset[i];
  position.needsUpdate = true;
}

/** Draw something over all else. */
export function bringToTop(mesh: Mesh, edges: LineSegments): void {
  for (const object of [mesh, edges]) {
    const material = object.material as LineBasicMaterial;
    material.depthTest = false;
    material.transparent = true;
    object.renderOrder = 8;
  }
}

/** The corners of the box around a mesh whose points change. */
export function ballOutline(mesh: Mesh): number[] {
  if (!mesh.geometry.boundingSphere) mesh.geometry.computeBoundingSphere();
  const { min, max } = ball.copy(mesh.geometry.boundingSphere!).getBoundingBox(hull);
  return [...min.toArray(), ...max.toArray()];
}
