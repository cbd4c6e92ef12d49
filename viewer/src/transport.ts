/** Transport: play, seek, step; here for recorded runs, at the server for a model that runs. */

import type { State, ToServer } from "./messages";
import type { Player } from "./player";
import type { Track } from "./track";

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** Seconds of one step of a model that runs. */
const LIVE_STEP = 0.01;

export class Transport {
  /** The last state of the server; null without one. */
  state: State | null = null;
  send: ((message: ToServer) => void) | null = null;

  constructor(
    readonly player: Player,
    private readonly tracks: () => Track[],
  ) {}

  /** Does a server move the model? A recorded run is played here even then. */
  get remote(): boolean {
    return this.send !== null && this.state?.mode !== "recorded";
  }

  get playing(): boolean {
    return this.remote ? Boolean(this.state?.running) : this.player.playing;
  }

  get speed(): number {
    if (!this.remote || !this.state) return this.player.speed;
    return this.state.speed ?? Infinity;
  }

  toggle(): void {
    if (this.remote) this.send!({ type: this.playing ? "pause" : "play" });
    else this.player.toggle();
  }

  seek(time: number): void {
    if (this.remote) this.send!({ type: "seek", t: time });
    this.player.seek(time);
  }

  /** To the next row of the first run, or the one before. */
  step(direction: number): void {
    if (this.remote) {
      if (direction > 0) this.send!({ type: "step", dt: LIVE_STEP });
      return;
    }
    this.player.pause();
    const [track] = this.tracks();
    if (!track) return;
    const { time } = this.player;
    const last = track.rows - 1;
    let row = track.rowAt(time);
    if (direction > 0) row += direction;
    // both sides of an event have the same time: pass over them
    else while (row > 0 && track.timeOf(row) >= time) row += direction;
    this.player.seek(track.timeOf(Math.min(Math.max(row, 0), last)));
  }

  /** To the next event, or the one before. */
  toEvent(direction: number): void {
    const { time } = this.player;
    const times = this.tracks().flatMap(({ events }) => events.map((event) => event.time));
    const there = times.filter((t) => (direction > 0 ? t > time : t < time));
    if (!there.length) return;
    this.player.pause();
    this.seek(direction > 0 ? Math.min(...there) : Math.max(...there));
  }

  toEnd(direction: number): void {
    if (this.remote && direction < 0) this.send!({ type: "reset" });
    else this.seek(direction < 0 ? this.player.first : this.player.last);
  }

  /** To the start of the model itself: where hands and sliders have moved it is forgotten. */
  toOwnStart(): void {
    if (this.send) this.send({ type: "reset", own: true });
    this.player.seek(this.player.first);
  }

  setSpeed(speed: number): void {
    const fast = !Number.isFinite(speed);
    if (this.remote) this.send!({ type: "speed", value: fast ? null : speed });
    if (!fast) this.player.speed = speed;
    this.player.onChange();
  }

  /** The next faster or slower of the usual speeds. */
  faster(direction: number): void {
    const speeds = direction > 0 ? SPEEDS : [...SPEEDS].reverse();
    const next = speeds.find((speed) => (speed - this.speed) * direction > 1e-9);
    if (next !== undefined) this.setSpeed(next);
  }

  toggleLoop(): void {
    this.player.loop = !this.player.loop;
    this.player.onChange();
  }
}
