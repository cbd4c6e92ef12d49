/** The grip: dragging a part. The point that was taken follows the pointer; the model decides. */

import { type Camera, Plane, Vector2, Vector3 } from "three";
import type { Hit, Picker } from "./picker";

export type DragMode = "kinematics" | "statics" | "dynamics";

export interface DragMessage {
  type: "drag";
  phase: "begin" | "move" | "end" | "cancel";
  part: number | null;
  group: number;
  point: number[];
  target: number[];
  mode: DragMode;
  keep_speed: boolean;
}

/** A hand: the point that it holds, where it is itself, and the spring between them [N/m]. */
export interface Hand {
  held: Vector3;
  target: Vector3;
  stiffness: number;
}

export class Grip {
  mode: DragMode = "kinematics";
  keepSpeed = false;
  private hit: Hit | null = null;
  private readonly plane = new Plane();
  private target = new Vector3();

  constructor(
    private readonly picker: Picker,
    private readonly send: (message: DragMessage) => void,
  ) {}

  get holds(): boolean {
    return this.hit !== null;
  }

  /** The point that is held and where it should be, in the world. */
  get ends(): { held: Vector3; target: Vector3 } | null {
    if (!this.hit) return null;
    const held = this.hit.figure.groups[this.hit.group].localToWorld(this.hit.local.clone());
    return { held, target: this.target };
  }

  /** The link between them: a spring of some stiffness [N/m], or none. */
  handWith(stiffness: number): Hand | null {
    const { ends } = this;
    return ends && { ...ends, stiffness };
  }

  /** Take a point; it moves in the plane of a planar model, else across the line of sight. */
  begin(hit: Hit, camera: Camera, normal: Vector3 | null): void {
    this.hit = hit;
    this.target.copy(hit.world);
    this.plane.setFromNormalAndCoplanarPoint(
      normal ?? camera.getWorldDirection(new Vector3()),
      hit.world,
    );
    this.tell("begin");
  }

  move(at: Vector2, camera: Camera): void {
    const met = this.hit && this.picker.meet(at, camera, this.plane);
    if (!met) return;
    this.target.copy(met);
    this.tell("move");
  }

  end(cancelled = false): void {
    if (!this.hit) return;
    this.tell(cancelled ? "cancel" : "end");
    this.hit = null;
  }

  private tell(phase: DragMessage["phase"]): void {
    const { part, group, local } = this.hit!;
    this.send({
      type: "drag",
      phase,
      part,
      group,
      point: local.toArray(),
      target: this.target.toArray(),
      mode: this.mode,
      keep_speed: this.keepSpeed,
    });
  }
}
