/** Marks: lines of a width in pixels, texts that face the viewer, the grid of the ground. */

import {
  BufferGeometry,
  CanvasTexture,
  Color,
  Float32BufferAttribute,
  LineBasicMaterial,
  LineSegments,
  Sprite,
  SpriteMaterial,
  SRGBColorSpace,
  Vector3,
} from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { floats } from "./data";
import { isPacked } from "./blueprint";
import type { Shape } from "./scene";

/** Points of a line shape as one array x y z x y z …; two points along x for one between ends. */
export function pointsOf(shape: Shape): ArrayLike<number> {
  if (isPacked(shape.points)) return floats(shape.points);
  if (shape.points) return shape.points.flat();
  return [0, 0, 0, 1, 0, 0];
}

/** A line through points, of a width in pixels. */
export function polyline(
  points: ArrayLike<number>,
  color: Color,
  { width = 1.5, dash = 0, opacity = 1 } = {},
): LineSegments2 {
  const pairs = new Float32Array(Math.max(points.length - 3, 0) * 2);
  for (let i = 0; i + 5 < points.length; i += 3)
    for (let k = 0; k < 6; k++) pairs[2 * i + k] = points[i + k];
  const geometry = new LineSegmentsGeometry();
  geometry.setPositions(pairs);
  const material = new LineMaterial({ color, linewidth: width });
  if (opacity < 1) {
    material.transparent = true;
    material.opacity = opacity;
  }
  const line = new LineSegments2(geometry, material);
  line.userData.outline = Array.from(points);
  if (dash > 0) {
    material.dashed = true;
    material.dashSize = dash;
    material.gapSize = 0.6 * dash;
    line.computeLineDistances();
  }
  return line;
}

const FONT = "600 56px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

/** How much larger than its letters the picture of a text is. */
export const ROOM = 80 / 56;

/** A text as a picture of its own; `halo` is the colour of the paper behind it. */
export function textSprite(text: string, color: string, halo: string): Sprite {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d")!;
  pen.font = FONT;
  canvas.width = Math.max(Math.ceil(pen.measureText(text).width) + 24, 8);
  canvas.height = 80;
  pen.font = FONT;
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.lineWidth = 10;
  pen.strokeStyle = halo;
  pen.strokeText(text, 12, 42);
  pen.fillStyle = color;
  pen.fillText(text, 12, 42);
  const map = new CanvasTexture(canvas);
  map.colorSpace = SRGBColorSpace;
  const sprite = new Sprite(new SpriteMaterial({ map, depthTest: false, transparent: true }));
  sprite.userData.wide = canvas.width / canvas.height;
  sprite.renderOrder = 10;
  return sprite;
}

/** The lines of a grid, which fade out from the middle; every fifth is stronger. */
export function groundGrid(shape: Shape, colour: string): LineSegments {
  const { step = 1, counts: halves = [1, 1] } = shape;
  const positions: number[] = [];
  const colours: number[] = [];
  const { r, g, b } = new Color(colour);
  const pieces = 12;
  const push = (x: number, y: number, major: boolean): void => {
    positions.push(x, y, 0);
    const far = Math.hypot(x / halves[0], y / halves[1]) / step;
    const alpha = Math.max(0, 1 - far * far) * (major ? 0.9 : 0.42);
    colours.push(r, g, b, alpha);
  };
  for (const axis of [0, 1])
    for (let i = -halves[axis]; i <= halves[axis]; i++)
      for (let k = 0; k < 2 * pieces; k++) {
        const share = (2 * Math.ceil(k / 2)) / pieces - 1;
        const [u, v] = [i * step, share * halves[1 - axis] * step];
        push(axis ? v : u, axis ? u : v, i % 5 === 0);
      }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(colours, 4));
  const material = new LineBasicMaterial({ vertexColors: true, transparent: true });
  material.depthWrite = false;
  const grid = new LineSegments(geometry, material);
  grid.renderOrder = -1;
  return grid;
}

export function place(
  object: { position: Vector3; quaternion: { fromArray(a: number[]): unknown } },
  shape: Shape,
): void {
  object.position.fromArray(shape.r ?? [0, 0, 0]);
  object.quaternion.fromArray(shape.q ?? [0, 0, 0, 1]);
}
