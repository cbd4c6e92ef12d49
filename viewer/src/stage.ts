/** The stage: renderer, light and shadow, one or several views. */

import {
  DirectionalLight,
  HemisphereLight,
  Plane,
  Quaternion,
  Scene as World,
  Vector3,
  WebGLRenderer,
} from "three";
import type { CameraMan } from "./camera";
import type { Paper } from "./colours";
import type { Figure } from "./figure";
import type { Scene } from "./scene";
import { Shadow } from "./shadow";

/** Does the processor draw, for want of a graphics card? */
function drawsInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const names = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && names ? String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** A renderer on an opaque canvas, which pages put together in half the time. */
function makeRenderer(antialias: boolean): WebGLRenderer {
  const options = {
    alpha: false,
    antialias,
    stencil: true,
    powerPreference: "high-performance",
  };
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", options as WebGLContextAttributes);
  if (!context) throw new Error("there is no WebGL 2 here.");
  return new WebGLRenderer({ canvas, context });
}

export class Stage {
  readonly world = new World();
  /** In software, smooth edges and shadows cost most: only pictures at rest have them. */
  readonly software = drawsInSoftware();
  readonly renderer = makeRenderer(!this.software);
  readonly canvas = this.renderer.domElement;
  readonly shadow = new Shadow();
  width = 1;
  height = 1;
  private readonly key = new DirectionalLight("#fffdf8", 2.3);
  private readonly sky = new HemisphereLight("#ffffff", "#8d96a3", 1.75);

  constructor() {
    this.renderer.autoClear = false;
    this.world.add(this.sky, this.key, this.key.target, this.shadow.root);
  }

  /** Light from above, the front and the left of a mechanism, and shadows on its ground. */
  prepare(scene: Scene, cameraMan: CameraMan): void {
    const up = new Vector3(...scene.up).normalize();
    const toward = cameraMan.camera.position.clone().sub(cameraMan.controls.target).normalize();
    const flat = scene.plane ? new Vector3(...scene.plane).normalize() : null;
    const front = flat ?? toward.addScaledVector(up, -toward.dot(up)).normalize();
    const light = new Vector3()
      .addScaledVector(up, flat ? 0.7 : 1.3)
      .addScaledVector(front, flat ? 1.4 : 0.6)
      .addScaledVector(new Vector3().crossVectors(front, up).normalize(), 0.5)
      .normalize();
    this.key.position.copy(light);
    this.sky.position.copy(up);
    const grid = scene.shapes.find(({ kind, group }) => kind === "grid" && !group);
    const normal = new Vector3(0, 0, 1).applyQuaternion(
      new Quaternion(...(grid?.q ?? [0, 0, 0, 1])),
    );
    const ground = new Plane().setFromNormalAndCoplanarPoint(
      normal,
      new Vector3(...(grid?.r ?? [0, 0, 0])),
    );
    this.shadow.setGround(grid && !flat ? ground : null, light);
  }

  setPaper(paper: Paper): void {
    this.renderer.setClearColor(paper.background, 1);
  }

  resize(width: number, height: number): void {
    this.width = Math.max(width, 1);
    this.height = Math.max(height, 1);
    this.renderer.setSize(this.width, this.height, false);
  }

  /** Pixels for each of the page: fewer in motion, where the processor draws. */
  private sharpen(moving: boolean): void {
    const page = Math.min(window.devicePixelRatio || 1, 2);
    const ratio = this.software ? (moving ? 1 : 2) : page;
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
  }

  /** Draw figures over each other, or each in a view of its own side by side. */
  render(cameraMan: CameraMan, figures: Figure[], beside: boolean, moving: boolean): void {
    const { renderer, world, width, height } = this;
    this.sharpen(moving);
    this.shadow.root.visible = !(this.software && moving);
    // all of the picture, also where the last one ended within one of several views
    renderer.setScissorTest(false);
    renderer.clear();
    renderer.setScissorTest(beside);
    cameraMan.camera.updateMatrixWorld();
    for (const figure of figures) figure.words.fit(cameraMan.camera, height);
    const views = beside ? figures.length : 1;
    for (let view = 0; view < views; view++) {
      const left = Math.round((width * view) / views);
      const right = Math.round((width * (view + 1)) / views);
      renderer.setViewport(left, 0, right - left, height);
      renderer.setScissor(left, 0, right - left, height);
      if (beside) figures.forEach((figure, i) => (figure.group.visible = i === view));
      this.shadow.update();
      renderer.render(world, cameraMan.camera);
    }
    for (const figure of figures) figure.group.visible = true;
  }

  dispose(): void {
    this.renderer.dispose();
  }
}
