/** In the place of d3's transitions: the diagram goes to where it shall be at once. */

import { selection } from "d3-selection";

// what d3-zoom asks of every selection before it moves it
Object.assign(selection.prototype, {
  interrupt(this: unknown): unknown {
    return this;
  },
});

export const interrupt = (): void => {};
const atOnce =
  <T>(_from: T, to: T) =>
  (): T =>
    to;
export const interpolate = atOnce;
export const interpolateZoom = Object.assign(atOnce, { rho: () => atOnce });
