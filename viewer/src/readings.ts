/** Readings: values of parts that a server sends on request, besides those of its frames. */

import { doubles, floats } from "./data";
import type { Channel, Packed } from "./scene";

/** Values of a part: one sample now, or the samples of a recorded run. */
export interface Told {
  channels: Channel[];
  time: Packed;
  values: Packed;
}

interface Table {
  channels: Channel[];
  time: Float64Array;
  values: Float32Array;
}

export class Readings {
  private tables = new Map<number, Table>();

  /** Take values; returns the parts that had none before. */
  take(parts: Record<string, Told>): number[] {
    const fresh: number[] = [];
    for (const [key, { channels, time, values }] of Object.entries(parts)) {
      const part = Number(key);
      if (!this.tables.has(part)) fresh.push(part);
      this.tables.set(part, { channels, time: doubles(time), values: floats(values) });
    }
    return fresh;
  }

  of(part: number): Channel[] {
    return this.tables.get(part)?.channels ?? [];
  }

  /** A value of a part at time t: of the last row that is not after it. */
  at(part: number, channel: number, t: number): number {
    const table = this.tables.get(part);
    if (!table) return NaN;
    const { time, values, channels } = table;
    let [low, high] = [0, time.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (time[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return values[low * channels.length + channel] ?? NaN;
  }
}
