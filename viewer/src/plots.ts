/** The plots beside the picture, and the field by which more are added. */

import { element } from "./dom";
import { Plot } from "./plot";
import type { Channel } from "./scene";
import type { Track } from "./track";

let lists = 0;

export class Plots {
  readonly root = element("section", { class: "plots" });
  onSeek: (time: number) => void = () => {};
  onChange: () => void = () => {};
  private plots: Plot[] = [];
  private readonly field: HTMLInputElement;
  private tracks: Track[] = [];
  private range: [number, number] = [0, 1];
  private series: string[] = ["#2f6fb5"];

  constructor(private readonly channels: Channel[]) {
    const id = `motorik-channels-${lists++}`;
    const options = element("datalist", { id });
    for (const { name } of channels) options.append(element("option", { value: name }));
    this.field = element("input", {
      class: "picker",
      list: id,
      placeholder: "plot a variable …",
      "aria-label": "plot a variable",
    });
    this.field.addEventListener("change", () => {
      const channel = this.find(this.field.value);
      if (channel < 0) return;
      this.field.value = "";
      this.add([channel]);
    });
    this.root.append(this.field, options);
    this.root.hidden = channels.length === 0;
  }

  get count(): number {
    return this.plots.length;
  }

  find(name: string): number {
    return this.channels.findIndex((channel) => channel.name === name);
  }

  /** Plot channels in one field; those that are plotted already are not plotted twice. */
  add(indices: number[]): void {
    const key = indices.join();
    if (!indices.length || this.plots.some((plot) => plot.indices.join() === key)) return;
    const plot = new Plot(indices, this.channels, this.series);
    plot.onSeek = (time) => this.onSeek(time);
    plot.onClose = () => {
      this.plots = this.plots.filter((other) => other !== plot);
      plot.root.remove();
      this.onChange();
    };
    this.plots.push(plot);
    this.field.before(plot.root);
    plot.setTracks(this.tracks, ...this.range, this.series);
    this.onChange();
    plot.draw();
  }

  /** Plot these tracks, in these colours. */
  setTracks(tracks: Track[], first: number, last: number, series: string[]): void {
    this.tracks = tracks;
    this.series = series;
    this.range = [first, last];
    for (const plot of this.plots) plot.setTracks(tracks, first, last, series);
    this.draw();
  }

  /** The same tracks have grown. */
  extend(first: number, last: number): void {
    this.range = [first, last];
    for (const plot of this.plots) plot.setRange(first, last);
    this.draw();
  }

  draw(): void {
    for (const plot of this.plots) plot.draw();
  }

  show(time: number, values: Float32Array[]): void {
    for (const plot of this.plots) plot.show(time, values);
  }
}
