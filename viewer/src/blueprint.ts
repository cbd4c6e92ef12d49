/**
 * The blueprint of a scene: geometries made once, shared by all figures drawn after it.
 *
 * Shapes that are fixed to the same carrier become one geometry, so that a mechanism of some
 * hundred shapes takes some dozen draw calls.
 */

import {
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  Matrix4,
  Quaternion,
  Vector3,
} from "three";
import { AXES, colourOf } from "./colours";
import { floats, integers } from "./data";
import { KINDS, sidesOf } from "./kinds";
import { mesh, surface } from "./nets";
import type { Layer, Packed, Scene, Shape } from "./scene";
import { Solid } from "./solid";

/** Which triangles of a geometry belong to which part. */
export interface Range {
  start: number;
  count: number;
  part: number | null;
}

export interface Batch {
  carrier: number;
  layer: Layer;
  opacity: number;
  specular: number;
  bothSides: boolean;
  geometry: BufferGeometry;
  edges: BufferGeometry;
  ranges: Range[];
}

/** A shape whose length follows its ends or a value. */
export interface Stretched {
  shape: Shape;
  layer: Layer;
  geometry: BufferGeometry;
  edges: BufferGeometry;
  /** Shares of the length, and what is added, of the x of each vertex and each edge point. */
  share: Float32Array;
  offset: Float32Array;
  edgeShare: Float32Array;
  edgeOffset: Float32Array;
  nominal: number;
}

/** A letter beyond the tip of an axis, in the direction of the axis. */
export interface Letter {
  shape: Shape;
  along: Vector3;
}

export interface Blueprint {
  scene: Scene;
  batches: Batch[];
  stretched: Stretched[];
  lines: Shape[];
  texts: Shape[];
  /** Letters at the tips of axes. */
  letters: Letter[];
  /** Frames by name, each with a point of its carrier. */
  frames: { text: string; carrier: number; r: Vector3 }[];
  grids: Shape[];
  waves: Shape[];
  fields: Shape[];
}

const ORIGIN: [number, number, number] = [0, 0, 0];

export function isPacked(points: Shape["points"]): points is Packed {
  return points !== undefined && !Array.isArray(points);
}

function solidOf(scene: Scene, shape: Shape): Solid | null {
  if (shape.kind === "mesh") {
    const data = scene.meshes?.[shape.key ?? ""];
    if (!data) throw new Error(`The scene has no mesh '${shape.key}'.`);
    const scale = shape.scale ?? 1;
    const scales = Array.isArray(scale) ? scale : [scale, scale, scale];
    return mesh(floats(data.vertices), integers(data.faces), scales);
  }
  if (shape.kind === "surface" && isPacked(shape.points)) {
    const [rows, columns] = shape.points.shape;
    return surface(floats(shape.points), rows, columns);
  }
  const extent = Math.hypot(...scene.high.map((value, k) => value - scene.low[k]));
  return KINDS[shape.kind]?.(shape, sidesOf(shape, extent)) ?? null;
}

/** Three arrows in place of a frame; their letters are put to those of a blueprint. */
function axesOf(shape: Shape, letters: Letter[]): Shape[] {
  const size = shape.size ?? 1;
  const turns: [number, number, number, number][] = [
    [0, 0, 0, 1],
    [0, 0, Math.SQRT1_2, Math.SQRT1_2],
    [0, -Math.SQRT1_2, 0, Math.SQRT1_2],
  ];
  const own = new Quaternion(...(shape.q ?? [0, 0, 0, 1]));
  const origin = new Vector3(...(shape.r ?? ORIGIN));
  return turns.map((turn, axis) => {
    const q = own.clone().multiply(new Quaternion(...turn));
    const base = {
      ...shape,
      labels: undefined,
      colors: undefined,
      q: q.toArray() as [number, number, number, number],
    };
    const color = new Color(AXES[axis]).getRGB({ r: 0, g: 0, b: 0 }, "srgb");
    const rgb: [number, number, number] = [color.r, color.g, color.b];
    if (shape.labels) {
      const along = new Vector3(1, 0, 0).applyQuaternion(q);
      const r = along.clone().multiplyScalar(size).add(origin).toArray();
      const own = { text: "xyz"[axis], height: size * 0.2, color: shape.colors?.[axis] ?? rgb };
      letters.push({ shape: { ...base, ...own, kind: "text", r }, along });
    }
    return {
      ...base,
      kind: "arrow",
      length: size,
      diameter: shape.diameter ?? size * 0.035,
      color: shape.colors?.[axis] ?? shape.color ?? rgb,
    };
  });
}

/** The names of frames that are shown on demand: their own, else those of their carriers. */
function framesOf(scene: Scene): Blueprint["frames"] {
  const found = new Map<string, Blueprint["frames"][number]>();
  for (const { kind, layer, carrier = 0, r = ORIGIN, name } of scene.shapes) {
    if (kind !== "frame" || layer !== "frames") continue;
    const text = name || scene.carriers[carrier];
    if (text)
      found.set(`${text} ${carrier} ${r.join()}`, { text, carrier, r: new Vector3(...r) });
  }
  return [...found.values()];
}

export function makeBlueprint(scene: Scene): Blueprint {
  const made: Blueprint = {
    scene,
    batches: [],
    stretched: [],
    lines: [],
    texts: [],
    letters: [],
    frames: framesOf(scene),
    grids: [],
    waves: [],
    fields: [],
  };
  const pots = new Map<string, Pot>();
  const shapes = scene.shapes.flatMap((s) =>
    s.kind === "frame" ? axesOf(s, made.letters) : [s],
  );
  for (const shape of shapes) {
    if (shape.kind === "line") made.lines.push(shape);
    else if (shape.kind === "text") made.texts.push(shape);
    else if (shape.kind === "grid") made.grids.push(shape);
    else if (shape.kind === "surface" && shape.channels) made.waves.push(shape);
    else if (shape.kind === "field") made.fields.push(shape);
    else if (shape.from || shape.vector) made.stretched.push(stretch(scene, shape));
    else {
      const bothSides = shape.kind === "mesh" || shape.kind === "surface";
      const { carrier = 0, opacity = 1, specular = 0, layer = "parts" } = shape;
      const key = [carrier, layer, opacity, specular, bothSides].join("|");
      const pot = pots.get(key) ?? new Pot(carrier, layer, opacity, specular, bothSides);
      pots.set(key, pot);
      pot.add(scene, shape);
    }
  }
  made.batches = [...pots.values()].map((pot) => pot.finish());
  return made;
}

/** Where shapes of one carrier are gathered. */
class Pot {
  private positions: number[] = [];
  private normals: number[] = [];
  private colours: number[] = [];
  private faces: number[] = [];
  private edges: number[] = [];
  private ranges: Range[] = [];

  constructor(
    private readonly carrier: number,
    private readonly layer: Layer,
    private readonly opacity: number,
    private readonly specular: number,
    private readonly bothSides: boolean,
  ) {}

  add(scene: Scene, shape: Shape): void {
    const solid = solidOf(scene, shape);
    if (!solid) return;
    const length = shape.length ?? 1;
    const q = new Quaternion(...(shape.q ?? [0, 0, 0, 1])).normalize();
    const place = new Matrix4().compose(
      new Vector3(...(shape.r ?? ORIGIN)),
      q,
      new Vector3(1, 1, 1),
    );
    const colour = colourOf(scene, shape);
    const first = this.positions.length / 3;
    const v = new Vector3();
    for (let i = 0; i < solid.s.length; i++) {
      v.set(solid.s[i] * length + solid.dx[i], solid.y[i], solid.z[i]).applyMatrix4(place);
      this.positions.push(v.x, v.y, v.z);
      v.fromArray(solid.normals, 3 * i).applyQuaternion(q);
      this.normals.push(v.x, v.y, v.z);
      const tone = solid.tones[i];
      this.colours.push(...[colour.r, colour.g, colour.b].map((c) => Math.min(c * tone, 1)));
    }
    this.ranges.push({ start: this.faces.length, count: solid.faces.length, part: shape.part });
    for (const i of solid.faces) this.faces.push(first + i);
    for (const i of solid.edges)
      this.edges.push(...this.positions.slice(3 * (first + i), 3 * (first + i) + 3));
  }

  finish(): Batch {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(this.positions, 3));
    geometry.setAttribute("normal", new Float32BufferAttribute(this.normals, 3));
    geometry.setAttribute("color", new Float32BufferAttribute(this.colours, 3));
    geometry.setIndex(this.faces);
    const edges = new BufferGeometry();
    edges.setAttribute("position", new Float32BufferAttribute(this.edges, 3));
    const { carrier, layer, opacity, specular, bothSides, ranges } = this;
    return { carrier, layer, opacity, specular, bothSides, geometry, edges, ranges };
  }
}

function stretch(scene: Scene, shape: Shape): Stretched {
  const nominal = shape.length ?? Math.max(scene.size, 1e-9) * 4;
  const solid = solidOf(scene, { ...shape, length: nominal }) ?? new Solid();
  const colour = colourOf(scene, shape);
  const at = (i: number): number[] => [
    solid.s[i] * nominal + solid.dx[i],
    solid.y[i],
    solid.z[i],
  ];
  const other = shape.rod_color
    ? colourOf(scene, { ...shape, color: shape.rod_color })
    : colour;
  const tinted = solid.tones.flatMap((tone, i) => {
    const { r, g, b } = solid.second[i] ? other : colour;
    return [r, g, b].map((c) => Math.min(c * tone, 1));
  });
  const geometry = new BufferGeometry();
  const all = solid.s.flatMap((_, i) => at(i));
  geometry.setAttribute("position", new Float32BufferAttribute(all, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(solid.normals, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(tinted, 3));
  geometry.setIndex(solid.faces);
  const edges = new BufferGeometry();
  const edgePoints = solid.edges.flatMap(at);
  edges.setAttribute("position", new Float32BufferAttribute(edgePoints, 3));
  return {
    shape,
    layer: shape.layer ?? "parts",
    geometry,
    edges,
    share: Float32Array.from(solid.s),
    offset: Float32Array.from(solid.dx),
    edgeShare: Float32Array.from(solid.edges, (i) => solid.s[i]),
    edgeOffset: Float32Array.from(solid.edges, (i) => solid.dx[i]),
    nominal,
  };
}
