/** The layout of the viewer: the picture with what lies over it, the side, the bar. */

import { element } from "./dom";
import type { Scene } from "./scene";

/** Below this width the plots stand under the picture. */
const SMALL = 720;

export class Layout {
  readonly root = element("div", { class: "viewer" });
  readonly stage = element("div", { class: "stage" });
  readonly side = element("aside", { class: "side empty" });
  readonly title = element("div", { class: "title" });
  private readonly nothing = element(
    "p",
    { class: "nothing" },
    "Nothing of this model has a place in space. Its values can be plotted.",
  );

  /** Put things over the picture, and around it. */
  fill(over: Element[], tools: Element, around: Element[]): void {
    const head = element("div", { class: "head" }, this.title, tools);
    this.nothing.hidden = true;
    this.stage.append(...over, this.nothing, head);
    this.root.append(this.stage, this.side, ...around);
  }

  /** Show the title, or a message if there is nothing to draw. */
  name({ title, shapes }: Scene): void {
    this.title.textContent = title;
    this.nothing.hidden = shapes.some(({ kind }) => kind !== "grid");
  }

  /** The size of the picture; null while it is not seen. */
  measure(): [number, number] | null {
    this.root.classList.toggle("small", this.root.clientWidth < SMALL);
    const { width, height } = this.stage.getBoundingClientRect();
    return width && height ? [width, height] : null;
  }

  get isSideOpen(): boolean {
    return !this.side.classList.contains("empty");
  }

  /** Open or close the side; true if it was the other way. */
  showSide(on: boolean): boolean {
    if (this.isSideOpen === on) return false;
    this.side.classList.toggle("empty", !on);
    return true;
  }
}
