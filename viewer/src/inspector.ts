/** The inspector: the chosen part, its type and its values now. */

import { element, iconButton, quantity } from "./dom";
import type { Scene } from "./scene";

export class Inspector {
  readonly root = element("section", { class: "inspector" });
  onPlot: (channel: number) => void = () => {};
  onFollow: () => void = () => {};
  onClose: () => void = () => {};
  private part: number | null = null;
  private rows: { channel: number; cell: HTMLElement }[] = [];

  constructor(private readonly scene: Scene) {
    this.root.hidden = true;
  }

  choose(part: number | null): void {
    this.part = part;
    this.root.hidden = part === null;
    this.rows = [];
    if (part === null) return;
    const { path, type, text, note } = this.scene.parts[part];
    const list = element("dl");
    for (const channel of channelsOf(this.scene, part)) {
      const { name } = this.scene.channels![channel];
      const short = name.startsWith(`${path}.`) ? name.slice(path.length + 1) : name;
      const cell = element("dd");
      const plot = iconButton("plots", `Plot ${name}`, () => this.onPlot(channel), "small");
      list.append(element("dt", { title: name }, short), cell, plot);
      this.rows.push({ channel, cell });
    }
    this.root.replaceChildren(
      element(
        "header",
        {},
        element("strong", { class: "path" }, path),
        iconButton("follow", "Follow this part (C)", () => this.onFollow(), "small"),
        iconButton("close", "Close (Esc)", () => this.onClose(), "small"),
      ),
      element("div", { class: "type" }, type),
      ...(text ? [element("p", {}, text)] : []),
      ...(note ? [element("p", { class: "note" }, note)] : []),
      list,
    );
  }

  show(values: Float32Array[]): void {
    if (this.part === null) return;
    for (const { channel, cell } of this.rows) {
      const { unit } = this.scene.channels![channel];
      const text = values.map((of) => quantity(of[channel], unit)).join("  |  ");
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
