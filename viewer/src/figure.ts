/** A figure: the mechanism as it is drawn in one pose. Each run has one, and each ghost. */

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  FrontSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhongMaterial,
  Object3D,
  Quaternion,
  Sphere,
  Vector3,
} from "three";
import type { Batch, Blueprint, Range, Stretched } from "./blueprint";
import { colourOf, type Paper } from "./colours";
import { type Crowd, PoseTexture } from "./crowd";
import { makeField } from "./field";
import { ballOutline, bringToTop, slide } from "./meshes";
import { barOutline, middleOf, outlineOf } from "./outline";
import { type Layer, POSE, type Shape } from "./scene";
import { groundGrid, place, pointsOf, polyline } from "./marks";
import { Words } from "./words";

const X = new Vector3(1, 0, 0);
/** Materials of what is picked only, seen from one side, and from both. */
const PICKED = [FrontSide, DoubleSide].map(
  (side) => new MeshBasicMaterial({ side, visible: false }),
);
const tip = new Vector3();

/** Data of a mesh of a figure, for picking. */
export interface Drawn {
  group: number;
  ranges: Range[];
  /** Outermost points in its own axes, x y z x y z …, where they are known. */
  outline?: number[];
}

export interface FigureStyle {
  paper: Paper;
  /** The colour of all that moves, in place of those of the shapes. */
  paint?: string;
  opacity?: number;
  /** Neither world nor annotations: for ghosts, and for runs laid over the first. */
  ghost?: boolean;
}

export class Figure {
  readonly group = new Group();
  readonly groups: Object3D[];
  /** Everything that can be picked. */
  readonly solids: Mesh[] = [];
  /** Everything that casts a shadow. */
  readonly casters: Mesh[] = [];
  readonly poses: PoseTexture;
  /** Letters and texts that belong to the picture itself. */
  readonly words = new Words();
  private readonly layers = new Map<Layer, Object3D[]>();
  /** What is drawn of the batches of a layer. */
  private readonly crowds: { layer: Layer; mesh: Mesh }[] = [];
  private readonly moving: ((poses: Float32Array, values: Float32Array) => void)[] = [];

  constructor(
    readonly blueprint: Blueprint,
    private readonly style: FigureStyle,
  ) {
    this.groups = blueprint.scene.groups.map(() => new Object3D());
    for (const group of this.groups) this.group.add(group);
    this.poses = new PoseTexture(this.groups.length);
    for (const batch of blueprint.batches) this.addBatch(batch);
    for (const crowd of blueprint.crowds) this.addCrowd(crowd);
    for (const item of blueprint.stretched) this.addStretched(item);
    for (const shape of blueprint.lines) this.addLine(shape);
    for (const shape of blueprint.fields) this.addField(shape);
    if (!style.ghost) {
      for (const shape of blueprint.grids) this.addGrid(shape);
      this.addWords();
    }
  }

  showLayer(layer: Layer, visible: boolean): void {
    for (const object of this.layers.get(layer) ?? []) object.visible = visible;
    for (const crowd of this.crowds) if (crowd.layer === layer) crowd.mesh.visible = visible;
  }

  hasLayer(layer: Layer): boolean {
    return (this.layers.get(layer)?.length ?? 0) > 0;
  }

  /** Move everything to the poses [groups − 1, 7], with values for arrows and surfaces. */
  update(poses: Float32Array, values: Float32Array): void {
    for (let i = 1; i < this.groups.length; i++) {
      const group = this.groups[i];
      group.position.fromArray(poses, POSE * (i - 1));
      group.quaternion.fromArray(poses, POSE * (i - 1) + 3).normalize();
      group.updateMatrix();
      group.matrixWorld.copy(group.matrix);
    }
    this.poses.set(poses);
    for (const move of this.moving) move(poses, values);
    this.group.updateMatrixWorld(true);
  }

  /** A point of a rigid group in the world. */
  pointAt(group: number, r: ArrayLike<number>, into: Vector3): Vector3 {
    return into.fromArray(r).applyMatrix4(this.groups[group].matrix);
  }

  /** Outermost points of all parts as they stand now, in the world. */
  outline(): Vector3[] {
    return (this.layers.get("parts") ?? []).flatMap((object) => {
      const mesh = (object as Mesh).isMesh ? (object as Mesh) : (object.children[0] as Mesh);
      if (!mesh?.isMesh || !mesh.visible) return [];
      const points = (mesh.userData as Drawn).outline ?? ballOutline(mesh);
      return Array.from({ length: points.length / 3 }, (_, k) =>
        new Vector3().fromArray(points, 3 * k).applyMatrix4(mesh.matrixWorld),
      );
    });
  }

  /** The middle of the largest piece of a part, which moves with it; null if none is seen. */
  middleOfPart(part: number): ((into: Vector3) => Vector3) | null {
    let [found, own]: [Mesh | null, Range | null] = [null, null];
    for (const mesh of this.solids)
      for (const range of (mesh.userData as Drawn).ranges)
        if (range.part === part && range.count > (own?.count ?? 0))
          [found, own] = [mesh, range];
    if (!found || !own) return null;
    const [mesh, { start, count }] = [found, own];
    const fixed = mesh.userData.shared ? middleOf(mesh.geometry, start, count) : null;
    return (into) => {
      if (fixed) into.copy(fixed);
      else into.copy(mesh.geometry.boundingSphere?.center ?? into.set(0, 0, 0));
      return into.applyMatrix4(mesh.matrixWorld);
    };
  }

  /** Triangles of a part as geometries to be drawn over it, with the object they hang on. */
  trianglesOf(part: number): { on: Object3D; geometry: BufferGeometry }[] {
    return this.solids.flatMap((mesh) => {
      const { ranges } = mesh.userData as Drawn;
      const own = ranges.filter((range) => range.part === part);
      if (!own.length || !mesh.visible) return [];
      const geometry = new BufferGeometry();
      for (const [name, attribute] of Object.entries(mesh.geometry.attributes))
        geometry.setAttribute(name, attribute);
      const index = mesh.geometry.index!.array;
      geometry.setIndex(
        own.flatMap(({ start, count }) => Array.from(index.slice(start, start + count))),
      );
      geometry.boundingSphere = mesh.geometry.boundingSphere;
      return [{ on: mesh, geometry }];
    });
  }

  dispose(): void {
    this.group.traverse((object) => {
      const { geometry, material } = object as Mesh;
      const shared = object.userData.shared === true;
      if (geometry && !shared) geometry.dispose();
      if (PICKED.includes(material as MeshBasicMaterial)) return;
      for (const one of Array.isArray(material) ? material : material ? [material] : []) {
        (one as { map?: { dispose(): void } }).map?.dispose();
        one.dispose();
      }
    });
    this.poses.dispose();
    this.group.removeFromParent();
  }

  private add(on: Object3D, object: Object3D, layer: Layer): void {
    on.add(object);
    const list = this.layers.get(layer) ?? [];
    this.layers.set(layer, list);
    list.push(object);
  }

  private material(
    opacity: number,
    bothSides: boolean,
    specular = 0,
    paint: string | undefined = undefined,
  ): MeshLambertMaterial | MeshPhongMaterial {
    const seen = opacity * (this.style.opacity ?? 1);
    const common = {
      vertexColors: !paint,
      color: paint ?? "#ffffff",
      side: bothSides ? DoubleSide : FrontSide,
      transparent: seen < 1,
      opacity: seen,
      depthWrite: seen >= 0.5,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    };
    if (!specular) return new MeshLambertMaterial(common);
    const grey = new Color().setScalar(0.6 * specular);
    return new MeshPhongMaterial({ ...common, specular: grey, shininess: 40 });
  }

  private edgeMaterial(opacity: number): LineBasicMaterial {
    const seen = 0.55 * opacity * (this.style.opacity ?? 1);
    return new LineBasicMaterial({
      color: this.style.paper.edge,
      transparent: true,
      opacity: seen,
    });
  }

  private addBatch(batch: Batch): void {
    if (this.omits(batch)) return;
    const { group, ranges, layer, geometry } = batch;
    const mesh = new Mesh(geometry, PICKED[batch.bothSides ? 1 : 0]);
    const outline = layer === "parts" ? outlineOf(geometry) : [];
    mesh.userData = { group, ranges, outline, shared: true };
    this.add(this.groups[batch.group], mesh, batch.layer);
    this.solids.push(mesh);
  }

  private addCrowd({ sample, geometry, edges }: Crowd): void {
    if (this.omits(sample)) return;
    const { layer, opacity, bothSides, specular } = sample;
    const paint = this.paintOf(layer, sample.group);
    const material = this.poses.pose(this.material(opacity, bothSides, specular, paint));
    const mesh = new Mesh(geometry, material);
    const lines = new LineSegments(edges, this.poses.pose(this.edgeMaterial(opacity)));
    for (const one of [mesh, lines]) {
      one.userData = { shared: true };
      one.frustumCulled = false;
      one.raycast = () => {};
    }
    if (layer === "frames") bringToTop(mesh, lines);
    mesh.add(lines);
    this.group.add(mesh);
    this.crowds.push({ layer, mesh });
    if (opacity === 1 && layer === "parts" && !this.style.ghost) this.casters.push(mesh);
  }

  /** Is it left out of ghosts? */
  private omits({ layer, group }: Batch): boolean {
    return this.style.ghost === true && (layer !== "parts" || group === 0);
  }

  private addStretched(item: Stretched): void {
    const { shape } = item;
    if (this.style.ghost && item.layer !== "parts") return;
    const geometry = item.geometry.clone();
    const edgeGeometry = item.edges.clone();
    for (const one of [geometry, edgeGeometry])
      (one.attributes.position as BufferAttribute).setUsage(DynamicDrawUsage);
    const paint = this.paintOf(item.layer, 1);
    const opacity = shape.opacity ?? 1;
    const mesh = new Mesh(geometry, this.material(opacity, false, shape.specular, paint));
    if (item.layer === "parts" && !this.style.ghost) this.casters.push(mesh);
    mesh.add(new LineSegments(edgeGeometry, this.edgeMaterial(opacity)));
    const { radius, shortest } = item;
    geometry.boundingSphere = new Sphere();
    edgeGeometry.boundingSphere = geometry.boundingSphere;
    const group = shape.from?.group ?? shape.group ?? 0;
    const all = { start: 0, count: geometry.index!.count, part: shape.part };
    mesh.userData = { group, ranges: [all] };
    const holder = new Object3D();
    holder.add(mesh);
    this.add(this.group, holder, item.layer);
    this.solids.push(mesh);
    let last = NaN;
    const stretch = (seen: number): void => {
      mesh.visible = seen > 0;
      if (!(seen > 0)) return;
      // short arrows shrink as a whole, so that their heads stay less than half of them
      const whole = shortest ? Math.min(seen / shortest, 1) : 1;
      holder.scale.setScalar(whole);
      const length = seen / whole;
      if (length === last) return;
      last = length;
      slide(geometry, item.share, item.offset, length);
      slide(edgeGeometry, item.edgeShare, item.edgeOffset, length);
      geometry.boundingSphere!.center.set(length / 2, 0, 0);
      geometry.boundingSphere!.radius = length / 2 + 2 * radius + item.nominal * 0.5;
      mesh.userData.outline = barOutline(length, radius);
    };
    if (shape.vector) this.moving.push(this.vectorMover(shape, holder, stretch));
    else if (shape.from && shape.to) this.moving.push(this.endMover(shape, holder, stretch));
  }

  private endMover(shape: Shape, object: Object3D, stretch: (length: number) => void) {
    const { from, to } = shape as Required<Pick<Shape, "from" | "to">>;
    const [begin, end] = shape.share ?? [0, 1];
    return (): void => {
      this.pointAt(from.group, from.r, object.position);
      this.pointAt(to.group, to.r, tip).sub(object.position);
      object.position.addScaledVector(tip, begin);
      const length = tip.length();
      if (length > 0) object.quaternion.setFromUnitVectors(X, tip.divideScalar(length));
      stretch(length * (end - begin));
    };
  }

  private vectorMover(shape: Shape, object: Object3D, stretch: (length: number) => void) {
    const { channels, resolve, q, scale } = shape.vector!;
    const turn = q ? new Quaternion(...q) : null;
    const group = shape.from?.group ?? shape.group ?? 0;
    const r = shape.from?.r ?? shape.r ?? [0, 0, 0];
    return (_: Float32Array, values: Float32Array): void => {
      tip
        .set(values[channels[0]], values[channels[1]], values[channels[2]])
        .multiplyScalar(scale);
      if (turn) tip.applyQuaternion(turn);
      tip.applyQuaternion(this.groups[resolve].quaternion);
      const length = tip.length();
      this.pointAt(group, r, object.position);
      if (!(length > 0)) {
        stretch(0);
        return;
      }
      object.quaternion.setFromUnitVectors(X, tip.divideScalar(length));
      stretch(length);
    };
  }

  private addLine(shape: Shape): void {
    const layer = shape.layer ?? "parts";
    if (this.style.ghost && (layer !== "parts" || (shape.group ?? 0) === 0)) return;
    const width = shape.width && shape.width > 0.2 ? shape.width : 1.5;
    const dash = shape.dashed ? this.blueprint.scene.size * 0.4 : 0;
    const opacity = (shape.opacity ?? 1) * (this.style.opacity ?? 1);
    const paint = this.paintOf(layer, shape.group ?? 1);
    const colour = paint ? new Color(paint) : colourOf(this.blueprint.scene, shape);
    const line = polyline(pointsOf(shape), colour, { width, dash, opacity });
    line.raycast = () => {};
    if (shape.from && shape.to) {
      line.frustumCulled = false;
      this.add(this.group, line, layer);
      this.moving.push(this.endMover(shape, line, (length) => line.scale.set(length, 1, 1)));
    } else {
      place(line, shape);
      this.add(this.groups[shape.group ?? 0], line, layer);
    }
  }

  /** A tube in the colours of values along it. */
  private addField(shape: Shape): void {
    const { geometry, paint } = makeField(shape, this.blueprint);
    const mesh = new Mesh(geometry, this.material(shape.opacity ?? 1, true, shape.specular));
    const all = { start: 0, count: geometry.index!.count, part: shape.part };
    mesh.userData = { group: shape.group ?? 0, ranges: [all] };
    if (!this.style.ghost) this.casters.push(mesh);
    place(mesh, shape);
    this.add(this.groups[shape.group ?? 0], mesh, shape.layer ?? "parts");
    this.solids.push(mesh);
    this.moving.push((_, values) => paint(values));
  }

  /** The colour of a shape where each run has a colour; the world has its own. */
  private paintOf(layer: Layer, group: number): string | undefined {
    return layer === "parts" && group > 0 ? this.style.paint : undefined;
  }

  private addWords(): void {
    const { scene, texts, letters } = this.blueprint;
    const { paper } = this.style;
    for (const shape of texts) {
      // names and faults are written over the picture, see labels
      if ((shape.layer ?? "labels") === "labels") continue;
      const plain = shape.role === "text" && !shape.color;
      const ink = plain ? paper.text : `#${colourOf(scene, shape).getHexString()}`;
      const sprite = this.words.add(shape, ink, paper.background, scene.size);
      const { from, to } = shape;
      const on = from && to ? this.group : this.groups[shape.group ?? 0];
      this.add(on, sprite, shape.layer ?? "parts");
      if (from && to) this.moving.push(() => this.middleOfEnds(shape, sprite.position));
    }
    for (const { shape, along } of letters) {
      const ink = `#${colourOf(scene, shape).getHexString()}`;
      const sprite = this.words.addLetter(shape, ink, paper.background, along);
      this.add(this.groups[shape.group ?? 0], sprite, shape.layer ?? "parts");
    }
  }

  /** The middle between the ends of a shape. */
  middleOfEnds(shape: Shape, into: Vector3): Vector3 {
    const { from, to } = shape as Required<Pick<Shape, "from" | "to">>;
    this.pointAt(to.group, to.r, tip);
    return this.pointAt(from.group, from.r, into).add(tip).multiplyScalar(0.5);
  }

  private addGrid(shape: Shape): void {
    const own = shape.color ? `#${colourOf(this.blueprint.scene, shape).getHexString()}` : "";
    const grid = groundGrid(shape, own || this.style.paper.grid);
    place(grid, shape);
    this.add(this.groups[shape.group ?? 0], grid, shape.layer ?? "world");
  }
}
