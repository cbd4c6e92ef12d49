/** Annotations: texts and marks over the picture, at their parts. */

import { Vector3 } from "three";
import type { CameraMan } from "./camera";
import type { Cast } from "./cast";
import type { Paper } from "./colours";
import type { Figure } from "./figure";
import type { Hand } from "./grip";
import { drawHeld } from "./held";
import { type Label, Labels } from "./labels";
import type { Scene } from "./scene";
import { type Pane, Sheet } from "./sheet";

export interface Said {
  /** Are the names of parts and of frames shown? */
  names: boolean;
  frames: boolean;
  /** Error messages, by the paths of parts. */
  faults: Map<string, string>;
  /** Forces and torques that hold coordinates, by their names. */
  holds: Record<string, string>;
}

export class Annotations {
  readonly sheet = new Sheet();
  readonly labels = new Labels();
  /** The hand that holds something. */
  hand: Hand | null = null;

  /** Say these things at the parts of a cast. */
  set(cast: Cast, { names, frames, faults, holds }: Said): void {
    const { scene, blueprint } = cast;
    const labels: Label[] = [];
    const number = new Map(scene.parts.map(({ path }, part) => [path, part]));
    for (const figure of cast.mode === "over" ? cast.figures.slice(0, 1) : cast.figures) {
      const add = (kind: Label["kind"], text: string, part: number | undefined): void => {
        const place = part === undefined ? null : placeOf(figure, part);
        if (place) labels.push({ kind, text, figure, place });
      };
      for (const [path, text] of faults) add("fault", text, number.get(path));
      for (const [name, text] of Object.entries(holds))
        add("hold", text, ownerOf(name, scene, number));
      if (names) for (const part of partsSeen(cast)) add("name", scene.parts[part].path, part);
      if (frames)
        for (const { text, group, r } of blueprint.frames) {
          const place = (into: Vector3): Vector3 => figure.pointAt(group, r.toArray(), into);
          labels.push({ kind: "frame", text, figure, place });
        }
    }
    this.labels.set(labels);
  }

  /** Write it over a picture of so many pixels. */
  draw(
    { figures, mode }: Cast,
    { camera }: CameraMan,
    { width, height }: { width: number; height: number },
    paper: Paper,
  ): void {
    const { sheet, hand } = this;
    sheet.begin(width, height);
    const count = mode === "side" ? figures.length : 1;
    const panes = figures.slice(0, count).map((figure, view): Pane => {
      const [left, right] = [view, view + 1].map((k) => Math.round((width * k) / count));
      return { figure, left, width: right - left, height };
    });
    if (hand && panes.length) drawHeld(sheet, hand, camera, panes[0], paper);
    this.labels.draw(sheet, camera, panes, paper);
  }
}

/** The parts that are seen, each once. */
function partsSeen({ scene }: Cast): number[] {
  const seen = scene.shapes.flatMap(({ part, layer = "parts", kind }) =>
    part !== null && layer === "parts" && kind !== "text" ? [part] : [],
  );
  return [...new Set(seen)];
}

/** The part of a coordinate: the innermost whose path its name begins with, or that lists it. */
function ownerOf(name: string, { parts }: Scene, number: Map<string, number>) {
  for (let path = name; path; path = path.slice(0, Math.max(path.lastIndexOf("."), 0)))
    if (number.has(path)) return number.get(path);
  const lists = parts.findIndex(({ values }) => values?.includes(name));
  return lists < 0 ? undefined : lists;
}

/** A point of a part in the world, which moves with it; null if it is nowhere to be seen. */
function placeOf(figure: Figure, part: number): Label["place"] | null {
  const solid = figure.middleOfPart(part);
  if (solid) return solid;
  const shape = figure.blueprint.scene.shapes.find((one) => one.part === part);
  if (!shape) return null;
  if (shape.from && shape.to) return (into) => figure.middleOfEnds(shape, into);
  return (into) => figure.pointAt(shape.group ?? 0, shape.r ?? [0, 0, 0], into);
}
