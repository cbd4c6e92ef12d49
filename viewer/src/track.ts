/** A track: poses and values over time, recorded or growing while a model runs. */

import { doubles, floats } from "./data";
import { POSE, type Run, type RunEvent, type Scene, type TracePoint } from "./scene";

export class Track {
  rows = 0;
  events: RunEvent[] = [];
  traces: TracePoint[] = [];
  title = "";
  speed = 1;
  /** Which channels keep their values from row to row, as modes do. */
  held: boolean[] = [];
  private hint = 0;

  constructor(
    readonly bodies: number,
    readonly channels: number,
    protected time: Float64Array,
    protected poses: Float32Array,
    protected values: Float32Array,
  ) {
    this.rows = time.length;
  }

  get first(): number {
    return this.rows ? this.time[0] : 0;
  }

  get last(): number {
    return this.rows ? this.time[this.rows - 1] : 0;
  }

  timeOf(row: number): number {
    return this.time[row];
  }

  valueOf(row: number, channel: number): number {
    return this.values[row * this.channels + channel];
  }

  /** Position of a point of a rigid group in a row, as x y z from `at` on. */
  pointOf(row: number, { group, r }: TracePoint, into: Float32Array, at: number): void {
    if (group === 0) {
      into.set(r, at);
      return;
    }
    const p = (row * this.bodies + group - 1) * POSE;
    const [x, y, z, a, b, c, w] = this.poses.subarray(p, p + POSE);
    const [u, v, s] = r;
    // r + 2 w (q × r) + 2 q × (q × r)
    const [tx, ty, tz] = [2 * (b * s - c * v), 2 * (c * u - a * s), 2 * (a * v - b * u)];
    into[at] = x + u + w * tx + b * tz - c * ty;
    into[at + 1] = y + v + w * ty + c * tx - a * tz;
    into[at + 2] = z + s + w * tz + a * ty - b * tx;
  }

  /** The last row whose time is not after t. */
  rowAt(t: number): number {
    const { time, rows } = this;
    let row = Math.min(this.hint, rows - 1);
    if (time[row] <= t && (row + 1 >= rows || time[row + 1] > t)) return row;
    let low = 0;
    let high = rows - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (time[middle] <= t) low = middle;
      else high = middle - 1;
    }
    row = low;
    this.hint = row;
    return row;
  }

  /** Poses and values at time t: linear between two rows, rotations along the shorter way. */
  sample(t: number, poses: Float32Array, values: Float32Array): void {
    const row = this.rowAt(t);
    const [from, to] = [this.time[row], row + 1 < this.rows ? this.time[row + 1] : NaN];
    const share = to > from ? Math.min(Math.max((t - from) / (to - from), 0), 1) : 0;
    this.samplePoses(row, share, poses);
    const a = row * this.channels;
    const b = share > 0 ? a + this.channels : a;
    for (let k = 0; k < this.channels; k++) {
      const value = this.values[a + k];
      values[k] = this.held[k] ? value : value + share * (this.values[b + k] - value);
    }
  }

  private samplePoses(row: number, share: number, out: Float32Array): void {
    const { poses, bodies } = this;
    const width = bodies * POSE;
    const a = row * width;
    if (share === 0) {
      for (let k = 0; k < width; k++) out[k] = poses[a + k];
      return;
    }
    const b = a + width;
    for (let k = 0; k < width; k += POSE) {
      for (let i = k; i < k + 3; i++)
        out[i] = poses[a + i] + share * (poses[b + i] - poses[a + i]);
      let dot = 0;
      for (let i = k + 3; i < k + POSE; i++) dot += poses[a + i] * poses[b + i];
      const sign = dot < 0 ? -1 : 1;
      const angle = Math.acos(Math.min(sign * dot, 1));
      const small = angle < 1e-4;
      const wa = small ? 1 - share : Math.sin((1 - share) * angle) / Math.sin(angle);
      const wb = sign * (small ? share : Math.sin(share * angle) / Math.sin(angle));
      for (let i = k + 3; i < k + POSE; i++) out[i] = wa * poses[a + i] + wb * poses[b + i];
    }
  }
}

/** The track of a recorded run, checked against its scene. */
export function recorded(scene: Scene, run: Run, number: number): Track {
  const bodies = scene.groups.length - 1;
  const channels = scene.channels?.length ?? 0;
  const time = doubles(run.time);
  const poses = floats(run.poses);
  const values = run.values ? floats(run.values) : new Float32Array(time.length * channels);
  if (poses.length !== time.length * bodies * POSE || values.length !== time.length * channels)
    throw new Error("A run does not fit its scene: it has other groups or channels.");
  const track = new Track(bodies, channels, time, poses, values);
  track.held = heldOf(scene);
  track.events = run.events ?? [];
  track.traces = run.traces ?? [];
  track.title = run.title || `run ${number}`;
  track.speed = run.speed ?? 1;
  return track;
}

function heldOf(scene: Scene): boolean[] {
  return (scene.channels ?? []).map(({ steps }) => Boolean(steps));
}

/** A track of one row: the pose before any run, with the values at the start. */
export function standing(scene: Scene): Track {
  const bodies = scene.groups.length - 1;
  const channels = scene.channels?.length ?? 0;
  const values = new Float32Array(channels);
  if (scene.values) values.set(floats(scene.values).subarray(0, channels));
  return new Track(bodies, channels, new Float64Array(1), floats(scene.start), values);
}

/** A track that grows frame by frame; the oldest half is dropped when it is full. */
export class LiveTrack extends Track {
  private static readonly CAPACITY = 6000;

  constructor(scene: Scene) {
    const bodies = scene.groups.length - 1;
    const channels = scene.channels?.length ?? 0;
    const rows = LiveTrack.CAPACITY;
    super(
      bodies,
      channels,
      new Float64Array(rows),
      new Float32Array(rows * bodies * POSE),
      new Float32Array(rows * channels),
    );
    this.rows = 0;
    this.held = heldOf(scene);
  }

  /** Append frames, one after the other: Float64 t, Float32 poses, Float32 values of each. */
  push(frames: ArrayBuffer): boolean {
    const size = 8 + 4 * (this.bodies * POSE + this.channels);
    if (!frames.byteLength || frames.byteLength % size) return false;
    for (let at = 0; at < frames.byteLength; at += size)
      this.append(frames.slice(at, at + size));
    return true;
  }

  /** Time that goes back starts again; a frame of the same time replaces the one before. */
  private append(frame: ArrayBuffer): void {
    const width = this.bodies * POSE;
    const t = new Float64Array(frame, 0, 1)[0];
    if (this.rows && t < this.time[this.rows - 1]) this.rows = 0;
    else if (this.rows && t === this.time[this.rows - 1]) this.rows -= 1;
    if (this.rows === this.time.length) this.drop(this.rows >> 1);
    this.time[this.rows] = t;
    this.poses.set(new Float32Array(frame, 8, width), this.rows * width);
    this.values.set(new Float32Array(frame, 8 + 4 * width), this.rows * this.channels);
    this.rows += 1;
  }

  private drop(rows: number): void {
    this.time.copyWithin(0, rows);
    this.poses.copyWithin(0, rows * this.bodies * POSE);
    this.values.copyWithin(0, rows * this.channels);
    this.rows -= rows;
  }
}
