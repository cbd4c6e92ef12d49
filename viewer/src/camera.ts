/** The camera: presets, fit, orthographic or perspective, following a body. */

import { Box3, OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Figure } from "./figure";
import { outermostVectors } from "./outline";
import type { Scene, Vector } from "./scene";

export type Preset = "front" | "top" | "side" | "iso";
export type Camera = PerspectiveCamera | OrthographicCamera;

const FIELD = 30;
/** Margin around the scene, as a factor. */
const MARGIN = 1.08;
/** Margin beyond points that have moved out of view. */
const ROOM = 0.06;
/** Pixels above the scene, for the tools, and their largest share of the height. */
const TOOLS = 48;
const MOST_TOOLS = 0.25;

export class CameraMan {
  camera: Camera;
  controls: OrbitControls;
  aspect = 1;
  onChange: () => void = () => {};
  /** Pixels below the scene, for messages. */
  below = 0;
  private readonly up: Vector3;
  private readonly forward: Vector3;
  private readonly right: Vector3;
  private box = new Box3();
  /** Points that must be seen. */
  private hull: Vector3[] = [];
  private readonly spot = new Vector3();
  private followed = new Vector3();
  private following = false;
  /** Has the user moved the camera? Then the view is kept. */
  private touched = false;
  private chosen = { width: 1, height: 1 };
  private zooms = true;

  constructor(
    scene: Scene,
    private readonly element: HTMLElement,
  ) {
    this.up = new Vector3(...scene.up).normalize();
    this.take(scene);
    const normal = scene.plane ? new Vector3(...scene.plane) : this.thinAxis();
    normal.addScaledVector(this.up, -normal.dot(this.up));
    // a plane that lies flat is seen from above: its y axis is then up on the screen
    if (normal.lengthSq() < 1e-6 && scene.plane) {
      this.forward = new Vector3(...scene.plane).normalize();
      const across =
        Math.abs(this.forward.z) > 0.9 ? new Vector3(0, 1, 0) : axisAcross(this.forward);
      this.up = across.addScaledVector(this.forward, -across.dot(this.forward)).normalize();
    } else this.forward = normal.normalize();
    this.right = new Vector3().crossVectors(this.up, this.forward);
    this.camera = scene.plane ? orthographic() : new PerspectiveCamera(FIELD, 1, 0.01, 100);
    this.controls = this.makeControls();
    this.look(scene.plane ? "front" : "iso");
  }

  /** See another scene of the same mechanism, from where it is seen. */
  take(scene: Scene): void {
    this.box = new Box3(new Vector3(...scene.low), new Vector3(...scene.high));
    const points = (scene.hull ?? []).map((point) => new Vector3(...point));
    this.hull = points.length ? points : cornersOf(this.box);
  }

  /** Does a wheel come nearer? Else it is left to the page around. */
  setZooms(on: boolean): void {
    this.zooms = on;
    this.controls.enableZoom = on;
  }

  get isOrthographic(): boolean {
    return this.camera instanceof OrthographicCamera;
  }

  setOrthographic(on: boolean): void {
    if (on === this.isOrthographic) return;
    const { position } = this.camera;
    const { target } = this.controls;
    const height = this.heightSeen();
    const direction = position.clone().sub(target).normalize();
    this.camera = on ? orthographic() : new PerspectiveCamera(FIELD, this.aspect, 0.01, 100);
    this.camera.position.copy(target).add(direction);
    this.controls.dispose();
    const kept = target.clone();
    this.controls = this.makeControls();
    this.controls.target.copy(kept);
    this.setHeightSeen(height);
    this.controls.update();
    this.onChange();
  }

  /** The picture has another aspect ratio: the view is kept; a `held` camera only grows. */
  resize(aspect: number, held: boolean): void {
    this.aspect = aspect;
    if (!this.touched && !this.following && !held) this.fit();
    else this.setHeightSeen(Math.max(this.chosen.height, this.chosen.width / aspect));
  }

  /** See everything, by a preset or from a direction. */
  look(preset: Preset | Vector): void {
    const { forward, right, up } = this;
    const direction = new Vector3();
    if (typeof preset !== "string") direction.set(...preset);
    else if (preset === "front") direction.copy(forward);
    else if (preset === "side") direction.copy(right);
    else if (preset === "top") direction.copy(up).addScaledVector(forward, 1e-4);
    else direction.copy(forward).addScaledVector(right, 0.9).addScaledVector(up, 0.62);
    this.fit(direction.normalize());
  }

  /** See everything, from the direction given or the present one. */
  fit(direction?: Vector3): void {
    this.touched = false;
    const center = this.box.getCenter(new Vector3());
    const from =
      direction ?? this.camera.position.clone().sub(this.controls.target).normalize();
    const tall = Math.max(this.element.clientHeight, 1);
    const above = Math.min(TOOLS / tall, MOST_TOOLS);
    const below = Math.min(this.below / tall, MOST_TOOLS);
    const away = (this.frame(center, from, 1 - above - below) * MARGIN) / (1 - above - below);
    const height = 2 * away * Math.tan((FIELD * Math.PI) / 360);
    center.addScaledVector(this.upSeen(from), ((above - below) / 2) * height);
    this.controls.target.copy(center);
    this.camera.position.copy(center).add(from);
    this.setHeightSeen(height);
    this.keepSeen();
    this.controls.update();
    this.following = false;
    this.onChange();
  }

  /** The mechanism has moved: fit it, unless the user has moved the camera. */
  keepInView(figure: Figure): void {
    this.camera.updateMatrixWorld();
    const points = figure.outline();
    const isOut = points.some((point) => {
      const { x, y, z } = this.spot.copy(point).project(this.camera);
      return Math.max(Math.abs(x), Math.abs(y)) > 1 || z > 1;
    });
    if (!isOut) return;
    // some room, lest the camera moves with every step
    const middle = this.box.getCenter(new Vector3());
    this.see(points.map((point) => point.lerp(middle, -ROOM)));
  }

  /** Fit these points as well, unless the user has moved the camera. */
  see(points: Vector3[]): void {
    this.hull = outermostVectors([...this.hull, ...points]);
    this.box.setFromPoints(this.hull);
    if (!this.touched && !this.following) this.fit();
  }

  /** Stay where it is, whatever is added; with a height [m], so much of the scene is seen. */
  stay(height?: number): void {
    this.touched = true;
    if (!height) return;
    this.setHeightSeen(height);
    this.keepSeen();
    this.controls.update();
    this.onChange();
  }

  /** Keep the camera beside a point that moves; null: stay. */
  follow(point: Vector3 | null): void {
    if (!point) {
      this.following = false;
      return;
    }
    if (this.following) {
      const { position } = this.camera;
      position.add(point).sub(this.followed);
      this.controls.target.add(point).sub(this.followed);
    }
    if (!this.following) this.keepSeen();
    this.following = true;
    this.followed.copy(point);
  }

  /** The horizontal direction to look from: where the scene is flat, across it. */
  private thinAxis(): Vector3 {
    const usual = axisAcross(this.up);
    const other = new Vector3().crossVectors(this.up, usual);
    const size = this.box.getSize(new Vector3());
    const reach = (v: Vector3): number =>
      Math.abs(v.x) * size.x + Math.abs(v.y) * size.y + Math.abs(v.z) * size.z;
    return reach(other) < 0.6 * reach(usual) ? other : usual;
  }

  private makeControls(): OrbitControls {
    this.camera.up.copy(this.up);
    const controls = new OrbitControls(this.camera, this.element);
    controls.zoomToCursor = true;
    controls.enableZoom = this.zooms;
    controls.rotateSpeed = 0.8;
    controls.addEventListener("change", () => this.onChange());
    controls.addEventListener("start", () => (this.touched = true));
    controls.addEventListener("end", () => this.keepSeen());
    return controls;
  }

  /** Remember how much is seen. */
  private keepSeen(): void {
    const height = this.heightSeen();
    this.chosen = { width: height * this.aspect, height };
  }

  private radius(): number {
    return Math.max(this.box.getSize(new Vector3()).length() / 2, 1e-6);
  }

  /** Move a centre to the middle of the view from a direction; return the distance. */
  private frame(center: Vector3, from: Vector3, share: number): number {
    const x = this.rightSeen(from);
    const y = this.upSeen(from);
    const points = this.hull;
    const aspect = this.aspect / share;
    const least = this.radius() * 0.02;
    let away = least;
    const p = new Vector3();
    for (let turn = 0; turn < 3; turn++) {
      // where points are seen, as if the camera stood as far as it must
      away = points.reduce(
        (far, point) =>
          Math.max(far, this.needs(p.copy(point).sub(center), x, y, from, aspect)),
        least,
      );
      const seen = [x, y].map((axis) => {
        const at = points.map((point) => {
          p.copy(point).sub(center);
          return (
            p.dot(axis) * (this.isOrthographic ? 1 : away / Math.max(away - p.dot(from), least))
          );
        });
        return (Math.min(...at) + Math.max(...at)) / 2;
      });
      center.addScaledVector(x, seen[0]).addScaledVector(y, seen[1]);
    }
    return points.reduce(
      (far, point) => Math.max(far, this.needs(p.copy(point).sub(center), x, y, from, aspect)),
      least,
    );
  }

  /** The right-hand direction of a picture from a direction. */
  private rightSeen(from: Vector3): Vector3 {
    const x = new Vector3().crossVectors(this.up, from);
    return (x.lengthSq() < 1e-9 ? x.copy(this.right) : x).normalize();
  }

  /** The upward direction of a picture from a direction. */
  private upSeen(from: Vector3): Vector3 {
    return new Vector3().crossVectors(from, this.rightSeen(from));
  }

  /** How far away the camera must be to see a point, given from the centre. */
  private needs(p: Vector3, x: Vector3, y: Vector3, from: Vector3, aspect: number): number {
    const tangent = Math.tan((FIELD * Math.PI) / 360);
    const across = Math.max(Math.abs(p.dot(y)), Math.abs(p.dot(x)) / aspect) / tangent;
    return across + (this.isOrthographic ? 0 : p.dot(from));
  }

  private heightSeen(): number {
    if (this.camera instanceof OrthographicCamera)
      return (this.camera.top - this.camera.bottom) / this.camera.zoom;
    const away = this.camera.position.distanceTo(this.controls.target);
    return 2 * away * Math.tan((FIELD * Math.PI) / 360);
  }

  private setHeightSeen(height: number): void {
    const { camera } = this;
    const radius = this.radius();
    const away = this.isOrthographic ? radius * 4 : distanceFor(height);
    const { target } = this.controls;
    camera.position.sub(target).setLength(away).add(target);
    if (camera instanceof OrthographicCamera) {
      camera.top = height / 2;
      camera.bottom = -height / 2;
      camera.left = -(height / 2) * this.aspect;
      camera.right = (height / 2) * this.aspect;
      camera.zoom = 1;
      camera.near = -radius * 20;
      camera.far = radius * 40;
    } else {
      camera.aspect = this.aspect;
      camera.near = radius * 0.02;
      camera.far = radius * 60;
    }
    camera.updateProjectionMatrix();
  }
}

function cornersOf({ min, max }: Box3): Vector3[] {
  return Array.from(
    { length: 8 },
    (_, k) => new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z),
  );
}

function orthographic(): OrthographicCamera {
  return new OrthographicCamera(-1, 1, 1, -1, -100, 100);
}

function distanceFor(height: number): number {
  return height / 2 / Math.tan((FIELD * Math.PI) / 360);
}

/** A horizontal direction to look from: along z where y is up, along −y where z is up. */
function axisAcross(up: Vector3): Vector3 {
  const axes = [new Vector3(0, 0, 1), new Vector3(0, -1, 0), new Vector3(1, 0, 0)];
  return axes.find((axis) => Math.abs(axis.dot(up)) < 0.7)!.clone();
}
