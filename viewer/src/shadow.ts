/**
 * The shadow on the ground: every solid once more, laid flat along the light.
 *
 * Only the pixels that lie in the shadow are drawn, which costs a fraction of a shadow map where
 * the processor draws; the stencil keeps what overlaps from becoming darker.
 */

import {
  DoubleSide,
  EqualStencilFunc,
  Group,
  IncrementStencilOp,
  KeepStencilOp,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Plane,
  Vector3,
} from "three";
import type { Figure } from "./figure";

const INK = "#1b2430";

/** The matrix that moves points along the light until they lie in a plane. */
export function flatten(plane: Plane, light: Vector3): Matrix4 {
  const { normal: n, constant: d } = plane;
  const dot = n.dot(light);
  // p − l (n·p + d) / (n·l)
  const [x, y, z] = [light.x / dot, light.y / dot, light.z / dot];
  return new Matrix4().set(
    ...([1 - x * n.x, -x * n.y, -x * n.z, -x * d] as const),
    ...([-y * n.x, 1 - y * n.y, -y * n.z, -y * d] as const),
    ...([-z * n.x, -z * n.y, 1 - z * n.z, -z * d] as const),
    ...([0, 0, 0, 1] as const),
  );
}

export class Shadow {
  readonly root = new Group();
  private readonly material = new MeshBasicMaterial({
    color: INK,
    transparent: true,
    opacity: 0.13,
    depthWrite: false,
    side: DoubleSide,
    stencilWrite: true,
    stencilFunc: EqualStencilFunc,
    stencilRef: 0,
    stencilFail: KeepStencilOp,
    stencilZFail: KeepStencilOp,
    stencilZPass: IncrementStencilOp,
  });
  private pairs: { mesh: Mesh; shade: Mesh; figure: Figure }[] = [];
  private flat: Matrix4 | null = null;

  /** Cast shadows on a plane, of light that comes from a direction; null: none. */
  setGround(plane: Plane | null, light: Vector3): void {
    this.flat = plane && plane.normal.dot(light) > 0.1 ? flatten(plane, light) : null;
  }

  setFigures(figures: Figure[]): void {
    for (const { shade } of this.pairs)
      if (shade.material !== this.material) (shade.material as MeshBasicMaterial).dispose();
    this.root.clear();
    this.pairs = [];
    if (!this.flat) return;
    for (const figure of figures)
      for (const mesh of figure.casters) {
        const isCrowd = "rigidGroup" in mesh.geometry.attributes;
        const material = isCrowd ? figure.poses.pose(this.material.clone()) : this.material;
        const shade = new Mesh(mesh.geometry, material);
        shade.matrixAutoUpdate = false;
        shade.matrixWorldAutoUpdate = false;
        shade.frustumCulled = false;
        shade.renderOrder = -2;
        shade.raycast = () => {};
        this.root.add(shade);
        this.pairs.push({ mesh, shade, figure });
      }
  }

  /** Follow the figures. */
  update(): void {
    if (!this.flat) return;
    for (const { mesh, shade, figure } of this.pairs) {
      shade.visible = mesh.visible && mesh.parent?.visible !== false && figure.group.visible;
      if (shade.visible) shade.matrixWorld.multiplyMatrices(this.flat, mesh.matrixWorld);
    }
  }
}
