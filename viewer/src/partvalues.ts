/** The values of a part as they are listed: those of its channels, then its readings. */

import { element, quantity } from "./dom";
import type { Readings } from "./readings";
import type { Scene } from "./scene";

export interface ListedValue {
  name: string;
  unit: string;
  /** The channel that it is, null for a reading. */
  channel: number | null;
  /** Where it is among the readings. */
  reading: number;
  cell: HTMLElement;
}

export class PartValues {
  constructor(
    readonly scene: Scene,
    readonly readings: Readings,
  ) {}

  /** All values of a part, each with a cell to be shown in. */
  list(part: number): ListedValue[] {
    const own = channelsOf(this.scene, part).map((channel) => ({
      ...this.scene.channels![channel],
      channel,
      reading: -1,
      cell: element("dd"),
    }));
    const more = this.readings
      .of(part)
      .map((one, reading) => ({ ...one, channel: null, reading, cell: element("dd") }));
    return [...own, ...more];
  }

  /** Its name without that of the part. */
  short(part: number, { name }: ListedValue): string {
    const { path } = this.scene.parts[part];
    return name.startsWith(`${path}.`) ? name.slice(path.length + 1) : name;
  }

  /** Show values of now, for each of some runs. */
  show(part: number, listed: ListedValue[], runs: Float32Array[], time: number): void {
    for (const { unit, channel, reading, cell } of listed) {
      const values =
        channel === null
          ? [this.readings.at(part, reading, time)]
          : runs.map((of) => of[channel] ?? NaN);
      const text = values.map((value) => quantity(value, unit)).join("  |  ");
      if (cell.textContent !== text) cell.textContent = text;
    }
  }
}

/** Channels of a part: those it lists, else those whose names begin with its path. */
export function channelsOf(scene: Scene, part: number): number[] {
  const { path, values } = scene.parts[part];
  const channels = scene.channels ?? [];
  const listed = new Set(values ?? []);
  return channels.flatMap(({ name }, i) =>
    listed.has(name) || (!listed.size && name.startsWith(`${path}.`)) ? [i] : [],
  );
}
