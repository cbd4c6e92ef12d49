/** The sheet: a transparent layer over the picture, with words and lines of the screen's size. */

import { type Camera, Vector3 } from "three";
import { element } from "./dom";
import type { Figure } from "./figure";

/** A view of the picture, in pixels of the page, and the figure that is seen in it. */
export interface Pane {
  figure: Figure;
  left: number;
  width: number;
  height: number;
}

export interface Spot {
  x: number;
  y: number;
}

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

export class Sheet {
  readonly root = element("canvas", { class: "sheet", "aria-hidden": "true" });
  private readonly pen = this.root.getContext("2d")!;
  private readonly seen = new Vector3();
  private isBlank = true;

  /** A clean sheet. */
  begin(width: number, height: number): void {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.root.width !== w || this.root.height !== h) {
      this.root.width = w;
      this.root.height = h;
    } else if (!this.isBlank) {
      this.pen.setTransform(1, 0, 0, 1, 0, 0);
      this.pen.clearRect(0, 0, w, h);
    }
    this.isBlank = true;
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /** Where a point of the world is seen in a view; null behind the camera. */
  project(point: Vector3, camera: Camera, { left, width, height }: Pane): Spot | null {
    const { x, y, z } = this.seen.copy(point).project(camera);
    if (!(z < 1)) return null;
    return { x: left + ((x + 1) / 2) * width, y: ((1 - y) / 2) * height };
  }

  width(text: string, size: number): number {
    this.pen.font = `600 ${size}px ${FONT}`;
    return this.pen.measureText(text).width;
  }

  /** The lines of a text, none wider than so many pixels; four at most. */
  wrap(text: string, size: number, widest: number): string[] {
    const lines: string[] = [""];
    for (const word of text.split(" ")) {
      const line = `${lines[lines.length - 1]} ${word}`.trim();
      if (lines[lines.length - 1] && this.width(line, size) > widest) lines.push(word);
      else lines[lines.length - 1] = line;
    }
    return lines.length > 4 ? [...lines.slice(0, 3), `${lines[3]} …`] : lines;
  }

  /** Write a line about its middle; a halo keeps it apart from what lies behind. */
  write(text: string, x: number, y: number, size: number, ink: string, halo: string): void {
    const { pen } = this;
    this.isBlank = false;
    pen.font = `600 ${size}px ${FONT}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    if (halo) {
      pen.lineJoin = "round";
      pen.lineWidth = 3.5;
      pen.strokeStyle = halo;
      pen.strokeText(text, x, y);
    }
    pen.fillStyle = ink;
    pen.fillText(text, x, y);
  }

  card(x: number, y: number, width: number, height: number, ink: string, paper: string): void {
    const { pen } = this;
    this.isBlank = false;
    pen.beginPath();
    pen.roundRect(x, y, width, height, 5);
    pen.fillStyle = paper;
    pen.globalAlpha = 0.92;
    pen.fill();
    pen.globalAlpha = 1;
    pen.strokeStyle = ink;
    pen.lineWidth = 1.2;
    pen.stroke();
  }

  /** A thin line from a part to its label. */
  leader(from: Spot, to: Spot, ink: string): void {
    const { pen } = this;
    this.line([from, to], ink, 1.2);
    pen.beginPath();
    pen.arc(from.x, from.y, 2.6, 0, 2 * Math.PI);
    pen.fillStyle = ink;
    pen.fill();
  }

  line(points: Spot[], ink: string, width: number, dash: number[] = []): void {
    const { pen } = this;
    this.isBlank = false;
    pen.beginPath();
    for (const { x, y } of points) pen.lineTo(x, y);
    pen.strokeStyle = ink;
    pen.lineWidth = width;
    pen.lineJoin = "round";
    pen.setLineDash(dash);
    pen.stroke();
    pen.setLineDash([]);
  }
}
