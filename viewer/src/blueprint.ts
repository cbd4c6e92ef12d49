/**
 * The blueprint of a scene: geometries made once, shared by all figures drawn after it.
 *
 * Shapes that are fixed to the same rigid group become one geometry, which is picked and marked;
 * those of all groups become crowds, which are drawn.
 */

import { BufferGeometry, Float32BufferAttribute, Matrix4, Quaternion, Vector3 } from "three";
import { colourOf } from "./colours";
import { type Crowd, gather } from "./crowd";
import { Meshes, Solid } from "./geometry";
import type { Layer, Packed, Scene, Shape } from "./scene";

/** Which triangles of a geometry belong to which part. */
export interface Range {
  start: number;
  count: number;
  part: number | null;
}

export interface Batch {
  group: number;
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
  /** x = share · length + offset, of each vertex and each edge point. */
  share: Float32Array;
  offset: Float32Array;
  edgeShare: Float32Array;
  edgeOffset: Float32Array;
  /** The length it was made for, that below which it shrinks, and its reach from the axis. */
  nominal: number;
  shortest: number;
  radius: number;
}

/** A letter beyond the tip of an axis, in the direction of the axis. */
export interface Letter {
  shape: Shape;
  along: Vector3;
}

export interface Blueprint {
  scene: Scene;
  meshes: Meshes;
  batches: Batch[];
  crowds: Crowd[];
  stretched: Stretched[];
  lines: Shape[];
  texts: Shape[];
  /** Letters at the tips of axes. */
  letters: Letter[];
  /** Frames by name, each with a point of its rigid group. */
  frames: { text: string; group: number; r: Vector3 }[];
  grids: Shape[];
  fields: Shape[];
}

const ORIGIN: [number, number, number] = [0, 0, 0];

export function isPacked(points: Shape["points"]): points is Packed {
  return points !== undefined && !Array.isArray(points);
}

/** The letters beyond the tips of the axes of a frame. */
function lettersOf(shape: Shape): Letter[] {
  const size = shape.size ?? 1;
  const own = new Quaternion(...(shape.q ?? [0, 0, 0, 1]));
  const origin = new Vector3(...(shape.r ?? ORIGIN));
  return (shape.pieces ?? []).map(({ q = [0, 0, 0, 1], color }, axis) => {
    const turn = own.clone().multiply(new Quaternion(...q));
    const along = new Vector3(1, 0, 0).applyQuaternion(turn);
    const r = along.clone().multiplyScalar(size).add(origin).toArray();
    const letter = { kind: "text", text: "xyz"[axis], height: size * 0.2, color, r };
    return { shape: { ...shape, ...letter, pieces: undefined }, along };
  });
}

/** The names of frames that are shown on demand: their own, else those of their rigid groups. */
function framesOf(scene: Scene): Blueprint["frames"] {
  const found = new Map<string, Blueprint["frames"][number]>();
  for (const { kind, layer, group = 0, r = ORIGIN, name } of scene.shapes) {
    if (kind !== "frame" || layer !== "frames") continue;
    const text = name || scene.groups[group];
    if (text) found.set(`${text} ${group} ${r.join()}`, { text, group, r: new Vector3(...r) });
  }
  return [...found.values()];
}

export function makeBlueprint(scene: Scene): Blueprint {
  const meshes = new Meshes(scene);
  const made: Blueprint = {
    scene,
    meshes,
    batches: [],
    crowds: [],
    stretched: [],
    lines: [],
    texts: [],
    letters: [],
    frames: framesOf(scene),
    grids: [],
    fields: [],
  };
  const pots = new Map<string, Pot>();
  for (const shape of scene.shapes) {
    if (shape.kind === "frame" && shape.labels) made.letters.push(...lettersOf(shape));
    if (shape.kind === "line") made.lines.push(shape);
    else if (shape.kind === "text") made.texts.push(shape);
    else if (shape.kind === "grid") made.grids.push(shape);
    else if (shape.kind === "field") made.fields.push(shape);
    else if (shape.from || shape.vector) made.stretched.push(stretch(meshes, scene, shape));
    else {
      const bothSides = shape.kind === "mesh" || shape.kind === "surface";
      const { group = 0, opacity = 1, specular = 0, layer = "parts" } = shape;
      const key = [group, layer, opacity, specular, bothSides].join("|");
      const pot = pots.get(key) ?? new Pot(group, layer, opacity, specular, bothSides);
      pots.set(key, pot);
      pot.add(meshes, scene, shape);
    }
  }
  made.batches = [...pots.values()].map((pot) => pot.finish());
  made.crowds = gather(made.batches);
  return made;
}

/** Where shapes of one rigid group are gathered. */
class Pot {
  private positions: number[] = [];
  private normals: number[] = [];
  private colours: number[] = [];
  private faces: number[] = [];
  private edges: number[] = [];
  private ranges: Range[] = [];

  constructor(
    private readonly group: number,
    private readonly layer: Layer,
    private readonly opacity: number,
    private readonly specular: number,
    private readonly bothSides: boolean,
  ) {}

  add(meshes: Meshes, scene: Scene, shape: Shape): void {
    const solid = new Solid(meshes, shape, colourOf(scene, shape), false);
    const q = new Quaternion(...(shape.q ?? [0, 0, 0, 1])).normalize();
    const place = new Matrix4().compose(
      new Vector3(...(shape.r ?? ORIGIN)),
      q,
      new Vector3(1, 1, 1),
    );
    const first = this.positions.length / 3;
    const v = new Vector3();
    for (let i = 0; i < solid.y.length; i++) {
      solid.at(i, 0, v).applyMatrix4(place);
      this.positions.push(v.x, v.y, v.z);
      v.fromArray(solid.normals, 3 * i).applyQuaternion(q);
      this.normals.push(v.x, v.y, v.z);
    }
    for (const share of solid.colours) this.colours.push(share);
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
    const { group, layer, opacity, specular, bothSides, ranges } = this;
    return { group, layer, opacity, specular, bothSides, geometry, edges, ranges };
  }
}

function stretch(meshes: Meshes, scene: Scene, shape: Shape): Stretched {
  const solid = new Solid(meshes, shape, colourOf(scene, shape), true);
  const nominal = solid.length;
  const v = new Vector3();
  const at = (i: number): number[] => solid.at(i, nominal, v).toArray();
  const geometry = new BufferGeometry();
  const all = solid.y.flatMap((_, i) => at(i));
  geometry.setAttribute("position", new Float32BufferAttribute(all, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(solid.normals, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(solid.colours, 3));
  geometry.setIndex(solid.faces);
  const edges = new BufferGeometry();
  edges.setAttribute("position", new Float32BufferAttribute(solid.edges.flatMap(at), 3));
  return {
    shape,
    layer: shape.layer ?? "parts",
    geometry,
    edges,
    share: Float32Array.from(solid.shares),
    offset: Float32Array.from(solid.offsets),
    edgeShare: Float32Array.from(solid.edges, (i) => solid.shares[i]),
    edgeOffset: Float32Array.from(solid.edges, (i) => solid.offsets[i]),
    nominal,
    shortest: solid.shortest,
    radius: solid.radius,
  };
}
