/** The pointer on the picture: hovering, choosing, taking hold of parts. By mouse, pen or finger. */

import { Vector2, Vector3 } from "three";
import type { CameraMan } from "./camera";
import type { Cast } from "./cast";
import { Grip } from "./grip";
import { type Hit, Picker } from "./picker";

/** Pixels a pointer may move between down and up and still have clicked. */
const STILL = 5;

export interface Floor {
  canvas: HTMLCanvasElement;
  cameraMan(): CameraMan | null;
  cast(): Cast | null;
  /** The normal of the plane of a planar model. */
  plane(): [number, number, number] | null;
  canDrag(): boolean;
  hover(hit: Hit | null, x: number, y: number): void;
  choose(hit: Hit | null): void;
  /** A part is taken hold of: nothing may move under the pointer. */
  hold(hit: Hit): void;
  changed(): void;
}

export class Pointer {
  private readonly at = new Vector2();
  private readonly down = new Vector2();
  private pressed: number | null = null;
  private due = false;
  /** Number of presses: earlier results of picking are ignored. */
  private presses = 0;
  /** The dragged point: it or the page may have moved when it is released. */
  private taken: Hit | null = null;

  constructor(
    private readonly floor: Floor,
    private readonly picker: Picker,
    readonly grip: Grip,
  ) {
    const { canvas } = floor;
    const capture = { capture: true };
    canvas.addEventListener("pointerdown", (event) => this.press(event), capture);
    canvas.addEventListener("pointermove", (event) => this.move(event), capture);
    canvas.addEventListener("pointerup", (event) => this.release(event), capture);
    canvas.addEventListener("pointercancel", () => this.cancel(), capture);
    canvas.addEventListener("lostpointercapture", () => this.letGo());
    canvas.addEventListener("pointerleave", () => floor.hover(null, 0, 0));
  }

  /** The pointer was lost: release the dragged point. */
  private letGo(): void {
    if (!this.grip.holds) return;
    this.pressed = null;
    this.grip.end();
    this.freeCamera();
  }

  cancel(): void {
    this.pressed = null;
    if (!this.grip.holds) return;
    this.grip.end(true);
    this.freeCamera();
  }

  private press(event: PointerEvent): void {
    this.presses += 1;
    this.taken = null;
    if (this.pressed !== null) {
      // a second finger: the camera takes over
      this.cancel();
      this.pressed = -1;
      return;
    }
    this.pressed = event.pointerId;
    this.floor.hover(null, 0, 0);
    this.down.set(event.clientX, event.clientY);
    if (!this.floor.canDrag() || event.button !== 0) return;
    const hit = this.hitAt(event);
    if (!hit || hit.group === 0) return;
    const cameraMan = this.floor.cameraMan()!;
    cameraMan.controls.enabled = false;
    this.floor.canvas.setPointerCapture(event.pointerId);
    const plane = this.floor.plane();
    this.grip.begin(hit, cameraMan.camera, plane && new Vector3(...plane));
    this.taken = hit;
    this.floor.hold(hit);
  }

  private move(event: PointerEvent): void {
    if (this.grip.holds) {
      const cameraMan = this.floor.cameraMan();
      if (!cameraMan) return;
      this.locate(event);
      this.grip.move(this.at, cameraMan.camera);
      this.floor.changed();
      return;
    }
    if (event.pointerType === "touch" || event.buttons || this.due) return;
    // at most once a picture
    this.due = true;
    const { presses } = this;
    requestAnimationFrame(() => {
      this.due = false;
      if (presses !== this.presses) return;
      const box = this.floor.canvas.getBoundingClientRect();
      this.floor.hover(this.hitAt(event), event.clientX - box.left, event.clientY - box.top);
    });
  }

  private release(event: PointerEvent): void {
    const clicked =
      this.pressed === event.pointerId &&
      Math.hypot(event.clientX - this.down.x, event.clientY - this.down.y) < STILL;
    this.pressed = null;
    if (this.grip.holds) {
      this.grip.end();
      this.freeCamera();
    }
    if (clicked && event.button === 0) this.floor.choose(this.taken ?? this.hitAt(event));
  }

  private freeCamera(): void {
    const cameraMan = this.floor.cameraMan();
    if (cameraMan) cameraMan.controls.enabled = true;
    this.floor.changed();
  }

  private hitAt(event: PointerEvent): Hit | null {
    const cameraMan = this.floor.cameraMan();
    if (!cameraMan) return null;
    const figure = this.floor.cast()?.figures[this.locate(event)];
    if (!figure) return null;
    return this.picker.pick(this.at, cameraMan.camera, figure);
  }

  /** Set the place in the view under the pointer, −1 to 1, and return the number of the view. */
  private locate(event: PointerEvent): number {
    const cast = this.floor.cast();
    const box = this.floor.canvas.getBoundingClientRect();
    const views = cast?.mode === "side" ? Math.max(cast.figures.length, 1) : 1;
    const across = ((event.clientX - box.left) / box.width) * views;
    const view = Math.min(Math.max(Math.floor(across), 0), views - 1);
    this.at.set((across - view) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    return view;
  }
}
