/** Traces: the paths of points, drawn as far as time has come. */

import { Color, type Group } from "three";
import type { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { polyline } from "./marks";
import type { Track } from "./track";

interface Path {
  line: LineSegments2;
  track: Track;
}

export class Traces {
  private paths: Path[] = [];

  /** The paths of all traced points of recorded tracks, one group of lines for each track. */
  rebuild(tracks: Track[], groups: Group[], series: string[]): void {
    this.clear();
    tracks.forEach((track, run) =>
      track.traces.forEach((point, i) => {
        if (track.rows < 2) return;
        const points = new Float32Array(track.rows * 3);
        for (let row = 0; row < track.rows; row++) track.pointOf(row, point, points, 3 * row);
        const color = new Color(series[(tracks.length > 1 ? run : i) % series.length]);
        const line = polyline(points, color, { width: 1.8, opacity: 0.9 });
        line.frustumCulled = false;
        line.raycast = () => {};
        groups[run].add(line);
        this.paths.push({ line, track });
      }),
    );
  }

  /** Show what lies before the time. */
  show(time: number, visible: boolean): void {
    for (const { line, track } of this.paths) {
      line.visible = visible;
      line.geometry.instanceCount = Math.min(track.rowAt(time), track.rows - 1);
    }
  }

  clear(): void {
    for (const { line } of this.paths) {
      line.removeFromParent();
      line.geometry.dispose();
      line.material.dispose();
    }
    this.paths = [];
  }
}
