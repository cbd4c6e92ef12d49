/** The picker: which part is under the pointer, where on it, and how it is marked. */

import {
  type Camera,
  Mesh,
  MeshBasicMaterial,
  Plane,
  Raycaster,
  Vector2,
  Vector3,
} from "three";
import type { Drawn, Figure } from "./figure";

export interface Hit {
  part: number | null;
  group: number;
  /** The point in the world, and in the axes of the rigid group. */
  world: Vector3;
  local: Vector3;
  figure: Figure;
}

export class Picker {
  private readonly ray = new Raycaster();
  private readonly marks: Mesh[] = [];

  /** What lies under a point of the screen, x and y from −1 to 1. */
  pick(at: Vector2, camera: Camera, figure: Figure): Hit | null {
    this.ray.setFromCamera(at, camera);
    const seen = figure.solids.filter((mesh) => mesh.visible && mesh.parent?.visible !== false);
    for (const hit of this.ray.intersectObjects(seen, false)) {
      const { group, ranges } = hit.object.userData as Drawn;
      const index = 3 * (hit.faceIndex ?? 0);
      const range = ranges.find(({ start, count }) => index >= start && index < start + count);
      if (!range || range.part === null) continue;
      const local = figure.groups[group].worldToLocal(hit.point.clone());
      return { part: range.part, group, world: hit.point.clone(), local, figure };
    }
    return null;
  }

  /** Where the ray through a point of the screen meets a plane. */
  meet(at: Vector2, camera: Camera, plane: Plane): Vector3 | null {
    this.ray.setFromCamera(at, camera);
    return this.ray.ray.intersectPlane(plane, new Vector3());
  }

  /** Mark parts: the chosen one strongly, the one under the pointer a little, faulty ones red. */
  mark(
    figures: Figure[],
    chosen: number | null,
    hovered: number | null,
    faulty: number[] = [],
    lit: number[] = [],
  ): void {
    for (const mark of this.marks) {
      mark.removeFromParent();
      mark.geometry.setIndex(null);
      (mark.material as MeshBasicMaterial).dispose();
    }
    this.marks.length = 0;
    const wanted: [number | null, number, string][] = [
      ...faulty.map((part): [number, number, string] => [part, 0.6, "#e01b2b"]),
      ...lit.map((part): [number, number, string] => [part, 0.45, "#ffab2e"]),
      [hovered === chosen ? null : hovered, 0.22, "#ffab2e"],
      [chosen, 0.45, "#ffab2e"],
    ];
    for (const [part, opacity, color] of wanted)
      if (part !== null)
        for (const { on, geometry } of figures.flatMap((figure) => figure.trianglesOf(part))) {
          const material = new MeshBasicMaterial({
            color,
            transparent: true,
            opacity,
          });
          material.depthWrite = false;
          const mark = new Mesh(geometry, material);
          mark.renderOrder = 5;
          mark.raycast = () => {};
          on.add(mark);
          this.marks.push(mark);
        }
  }
}
