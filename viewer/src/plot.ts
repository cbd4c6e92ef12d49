/** A plot of channels over time. Lines are drawn once; the cursor moves over them. */

import { digits, element } from "./dom";
import type { Channel } from "./scene";
import type { Track } from "./track";

const LEFT = 48;
const RIGHT = 8;
const TOP = 6;
const BOTTOM = 18;

/** Round steps for an axis from low to high with about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / Math.max(count, 1);
  if (!(raw > 0) || !Number.isFinite(raw)) return [low];
  const ten = 10 ** Math.floor(Math.log10(raw));
  const step = ten * ([1, 2, 5, 10].find((n) => n * ten >= raw * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, i) => (first + i) * step);
}

export class Plot {
  readonly root: HTMLElement;
  onSeek: (time: number) => void = () => {};
  onClose: () => void = () => {};
  private readonly canvas = element("canvas");
  private readonly cursor = element("div", { class: "cursor" });
  private readonly legend = element("div", { class: "legend" });
  private readonly now: HTMLElement[] = [];
  private tracks: Track[] = [];
  private range = [0, 1];

  constructor(
    readonly indices: number[],
    private readonly channels: Channel[],
    private series: string[],
  ) {
    const close = element(
      "button",
      { type: "button", class: "close", title: "Close this plot" },
      "×",
    );
    close.addEventListener("click", () => this.onClose());
    const field = element("div", { class: "field" }, this.canvas, this.cursor);
    this.root = element("div", { class: "plot" }, this.legend, close, field);
    field.addEventListener("pointerdown", (event) => {
      field.setPointerCapture(event.pointerId);
      this.seek(event);
    });
    field.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.seek(event);
    });
  }

  setTracks(tracks: Track[], first: number, last: number, series: string[]): void {
    this.tracks = tracks;
    this.series = series;
    this.setRange(first, last);
    this.fillLegend();
  }

  setRange(first: number, last: number): void {
    this.range = [first, last > first ? last : first + 1];
  }

  /** Draw the lines again: data, size or colours have changed. */
  draw(): void {
    const { canvas } = this;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width || !height) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext("2d")!;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(this.root);
    const ink = {
      text: style.getPropertyValue("--dim"),
      grid: style.getPropertyValue("--line"),
    };
    const [low, high] = this.limits();
    const y = (v: number): number =>
      height - BOTTOM - ((v - low) / (high - low)) * (height - TOP - BOTTOM);
    this.drawAxes(pen, width, height, low, high, y, ink);
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, TOP, width - LEFT - RIGHT, height - TOP - BOTTOM);
    pen.clip();
    this.tracks.forEach((track, run) =>
      this.indices.forEach((channel, i) => {
        pen.strokeStyle = this.colour(run, i);
        pen.setLineDash(run ? [5, 3] : []);
        this.drawLine(pen, track, channel, width, y);
      }),
    );
    pen.restore();
  }

  /** Move the cursor to a time, and write the values of then. */
  show(time: number, values: Float32Array[]): void {
    this.cursor.style.transform = `translateX(${this.xOf(time, this.canvas.clientWidth)}px)`;
    let k = 0;
    for (const of of values)
      for (const channel of this.indices) {
        const text = digits(of[channel]);
        const label = this.now[k++];
        if (label && label.textContent !== text) label.textContent = text;
      }
  }

  private colour(run: number, i: number): string {
    return this.series[(this.indices.length > 1 ? i : run) % this.series.length];
  }

  private fillLegend(): void {
    this.legend.replaceChildren();
    this.now.length = 0;
    this.tracks.forEach((track, run) =>
      this.indices.forEach((channel, i) => {
        const { name, unit } = this.channels[channel];
        const dot = element("i", { class: run ? "dash" : "dot" });
        dot.style.setProperty("--c", this.colour(run, i));
        const title = this.tracks.length > 1 ? `${name} · ${track.title}` : name;
        const value = element("b");
        this.now.push(value);
        const suffix = unit && unit !== "1" ? ` ${unit}` : "";
        this.legend.append(element("span", {}, dot, title, " ", value, suffix));
      }),
    );
  }

  private limits(): [number, number] {
    let [low, high] = [Infinity, -Infinity];
    for (const track of this.tracks)
      for (const channel of this.indices) {
        for (let row = 0; row < track.rows; row++) {
          const value = track.valueOf(row, channel);
          if (value < low) low = value;
          if (value > high) high = value;
        }
      }
    if (!(low <= high)) return [0, 1];
    const size = Math.max(Math.abs(low), Math.abs(high));
    const margin = high - low > 1e-6 * size ? 0.06 * (high - low) : size > 0 ? 0.1 * size : 1;
    return [low - margin, high + margin];
  }

  private xOf(time: number, width: number): number {
    const [first, last] = this.range;
    const share = Math.min(Math.max((time - first) / (last - first), 0), 1);
    return LEFT + share * (width - LEFT - RIGHT);
  }

  private drawAxes(
    pen: CanvasRenderingContext2D,
    width: number,
    height: number,
    low: number,
    high: number,
    y: (v: number) => number,
    ink: { text: string; grid: string },
  ): void {
    pen.font = "11px system-ui, sans-serif";
    pen.strokeStyle = ink.grid;
    pen.fillStyle = ink.text;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const v of ticks(low, high, Math.max(height / 32, 2))) {
      pen.moveTo(LEFT, Math.round(y(v)) + 0.5);
      pen.lineTo(width - RIGHT, Math.round(y(v)) + 0.5);
      pen.fillText(digits(v), LEFT - 5, y(v));
    }
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const t of ticks(this.range[0], this.range[1], width / 70)) {
      const x = Math.round(this.xOf(t, width)) + 0.5;
      pen.moveTo(x, TOP);
      pen.lineTo(x, height - BOTTOM);
      pen.fillText(digits(t), x, height - BOTTOM + 4);
    }
    pen.stroke();
    pen.strokeStyle = "rgba(209,31,47,0.45)";
    pen.setLineDash([2, 3]);
    pen.beginPath();
    for (const track of this.tracks)
      for (const event of track.events) {
        const x = this.xOf(event.time, width);
        pen.moveTo(x, TOP);
        pen.lineTo(x, height - BOTTOM);
      }
    pen.stroke();
    pen.setLineDash([]);
  }

  /** Of all rows that fall on one pixel, only the lowest and the highest are drawn. */
  private drawLine(
    pen: CanvasRenderingContext2D,
    track: Track,
    channel: number,
    width: number,
    y: (v: number) => number,
  ): void {
    pen.lineWidth = 1.6;
    pen.lineJoin = "round";
    pen.beginPath();
    const { steps } = this.channels[channel];
    let [column, low, high, last, drawn] = [-1, 0, 0, 0, false];
    const flush = (): void => {
      if (column < 0) return;
      if (drawn) pen.lineTo(column, low);
      else pen.moveTo(column, low);
      if (high !== low) pen.lineTo(column, high);
      drawn = true;
    };
    for (let row = 0; row < track.rows; row++) {
      const x = Math.round(this.xOf(track.timeOf(row), width) * 2) / 2;
      const v = y(track.valueOf(row, channel));
      if (x !== column) {
        flush();
        if (steps && drawn) pen.lineTo(x, last);
        column = x;
        low = high = v;
      } else {
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
      last = v;
    }
    flush();
    pen.stroke();
  }

  private seek(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
    const [first, last] = this.range;
    this.onSeek(first + Math.min(Math.max(share, 0), 1) * (last - first));
  }
}
