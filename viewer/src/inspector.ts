/** The inspector: the chosen part, its type and its values now. */

import { element, iconButton } from "./dom";
import type { ListedValue, PartValues } from "./partvalues";

export class Inspector {
  readonly root = element("section", { class: "inspector" });
  onPlot: (channel: number) => void = () => {};
  onFollow: () => void = () => {};
  onClose: () => void = () => {};
  private part: number | null = null;
  private rows: ListedValue[] = [];

  constructor(private readonly values: PartValues) {
    this.root.hidden = true;
  }

  choose(part: number | null): void {
    this.part = part;
    this.root.hidden = part === null;
    this.rows = [];
    if (part === null) return;
    const { path, type, text, note } = this.values.scene.parts[part];
    const list = element("dl");
    this.rows = this.values.list(part);
    for (const row of this.rows) {
      const { name, channel, cell } = row;
      const plot =
        channel === null
          ? element("span")
          : iconButton("plots", `Plot ${name}`, () => this.onPlot(channel), "small");
      list.append(element("dt", { title: name }, this.values.short(part, row)), cell, plot);
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

  show(runs: Float32Array[], time: number): void {
    if (this.part !== null) this.values.show(this.part, this.rows, runs, time);
  }
}
