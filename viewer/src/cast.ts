/** The cast: a figure for each run, ghosts, traces; all of one scene. */

import { Group, Object3D, Vector3 } from "three";
import { type Blueprint, makeBlueprint } from "./blueprint";
import type { Paper } from "./colours";
import { Figure } from "./figure";
import { type Layer, POSE, type Scene } from "./scene";
import type { Track } from "./track";
import { Traces } from "./traces";

export type RunsMode = "one" | "over" | "side";

const GHOSTS = 6;
/** Times at which a run is looked at, to see it whole. */
const TIMES = 50;

export class Cast {
  readonly root = new Group();
  readonly blueprint: Blueprint;
  figures: Figure[] = [];
  /** Values of the channels now, for each figure. */
  values: Float32Array[] = [];
  tracks: Track[] = [];
  mode: RunsMode = "over";
  private ghosts: Figure[] = [];
  private readonly traces = new Traces();
  private readonly poses: Float32Array;

  constructor(readonly scene: Scene) {
    this.blueprint = makeBlueprint(scene);
    this.poses = new Float32Array((scene.groups.length - 1) * POSE);
  }

  /** Figures for these tracks. */
  set(tracks: Track[], mode: RunsMode, paper: Paper): void {
    this.clear();
    this.tracks = tracks;
    this.mode = mode;
    this.figures = tracks.map((_, run) => {
      const over = mode === "over" && run > 0;
      const paint = mode === "over" ? paper.series[run % paper.series.length] : undefined;
      const opacity = over ? 0.75 : 1;
      return new Figure(this.blueprint, { paper, paint, opacity, ghost: over });
    });
    this.values = tracks.map(({ channels }) => new Float32Array(channels));
    for (const figure of this.figures) this.root.add(figure.group);
    this.traces.rebuild(
      tracks,
      this.figures.map(({ group }) => group),
      paper.series,
    );
  }

  /** Move all figures to a time. */
  update(time: number, traces: boolean): void {
    this.figures.forEach((figure, run) => {
      this.tracks[run].sample(time, this.poses, this.values[run]);
      figure.update(this.poses, this.values[run]);
    });
    this.traces.show(time, traces);
  }

  /** Faint figures at times spread over the first run. */
  setGhosts(on: boolean, paper: Paper): void {
    for (const ghost of this.ghosts) ghost.dispose();
    this.ghosts = [];
    const [track] = this.tracks;
    if (!on || !track || track.rows < 2) return;
    const values = new Float32Array(track.channels);
    for (let k = 0; k < GHOSTS; k++) {
      const ghost = new Figure(this.blueprint, { paper, opacity: 0.16, ghost: true });
      track.sample(
        track.first + ((track.last - track.first) * k) / (GHOSTS - 1),
        this.poses,
        values,
      );
      ghost.update(this.poses, values);
      this.figures[0].group.add(ghost.group);
      this.ghosts.push(ghost);
    }
  }

  /** Outermost points of the first figure at times spread over its run. */
  outline(): Vector3[] {
    const [track] = this.tracks;
    const [figure] = this.figures;
    if (!track || !figure) return [];
    const values = new Float32Array(track.channels);
    return Array.from({ length: TIMES }, (_, k) => {
      const t = track.first + ((track.last - track.first) * k) / (TIMES - 1);
      track.sample(t, this.poses, values);
      figure.update(this.poses, values);
      return figure.outline();
    }).flat();
  }

  showLayer(layer: Layer, visible: boolean): void {
    for (const figure of this.figures) figure.showLayer(layer, visible);
  }

  has(layer: Layer): boolean {
    return this.figures.some((figure) => figure.hasLayer(layer));
  }

  /** The rigid group of a part: that of its first shape, preferably one that moves. */
  groupOf(part: number): number {
    const groups = this.scene.shapes
      .filter((shape) => shape.part === part)
      .map((shape) => shape.group ?? shape.from?.group ?? 0);
    return groups.find((group) => group > 0) ?? 0;
  }

  placeOf(group: number, into: Vector3): Vector3 {
    const body: Object3D | undefined = this.figures[0]?.groups[group];
    return body ? into.copy(body.position) : into.set(0, 0, 0);
  }

  dispose(): void {
    this.clear();
    for (const { geometry, edges } of [
      ...this.blueprint.batches,
      ...this.blueprint.crowds,
      ...this.blueprint.stretched,
    ]) {
      geometry.dispose();
      edges.dispose();
    }
    this.root.removeFromParent();
  }

  private clear(): void {
    this.traces.clear();
    for (const figure of [...this.ghosts, ...this.figures]) figure.dispose();
    this.ghosts = [];
    this.figures = [];
  }
}
