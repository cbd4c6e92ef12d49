/** The runs that are shown: recorded ones, or the one that grows while a model runs. */

import type { RunsMode } from "./cast";
import type { Scene } from "./scene";
import { LiveTrack, standing, type Track } from "./track";

const MODES: RunsMode[] = ["over", "side", "one"];

export class Shown {
  live: LiveTrack | null = null;
  runs: Track[] = [];
  mode: RunsMode = "over";
  private single = 0;

  /** Runs that start again. */
  begin(runs: Track[], mode: RunsMode): void {
    this.live = null;
    this.runs = runs;
    this.mode = mode;
    this.single = 0;
  }

  /** A run that takes the place of all before. */
  replace(run: Track): void {
    this.live = null;
    this.runs = [run];
  }

  /** How many there are. */
  get count(): number {
    return this.live ? 1 : this.runs.length;
  }

  /** Those that are seen now, and how; before any run, the pose of the scene. */
  seen(scene: Scene): { tracks: Track[]; mode: RunsMode } {
    const all = this.live ? [this.live] : this.runs.length ? this.runs : [standing(scene)];
    this.single %= all.length;
    const one = this.mode === "one" || all.length === 1;
    return { tracks: one ? [all[this.single]] : all, mode: one ? "one" : this.mode };
  }

  /** Show them another way: over each other, side by side, one after the other. */
  next(): boolean {
    if (this.runs.length < 2) return false;
    if (this.mode === "one" && this.single < this.runs.length - 1) this.single += 1;
    else {
      this.mode = MODES[(MODES.indexOf(this.mode) + 1) % MODES.length];
      this.single = 0;
    }
    return true;
  }
}

/** Are two scenes, without runs of their own, of one mechanism, with other visuals? */
export function isSame(a: Scene, b: Scene): boolean {
  if (a.runs?.length || b.runs?.length) return false;
  const names = ({ title, groups, parts, channels }: Scene): string =>
    JSON.stringify([
      title,
      groups,
      parts.map(({ path }) => path),
      (channels ?? []).map(({ name }) => name),
    ]);
  return names(a) === names(b);
}
