/** The choice: which part is chosen, which is under the pointer, which one the camera follows. */

import { Vector3 } from "three";
import type { CameraMan } from "./camera";
import type { Cast } from "./cast";
import { element } from "./dom";
import { Inspector } from "./inspector";
import { type ListedValue, PartValues } from "./partvalues";
import { type Hit, Picker } from "./picker";
import { Readings, type Told } from "./readings";

/** Values that are shown beside the pointer; the inspector has all. */
const MOST = 4;

export class Choice {
  readonly tip = element("div", { class: "tip" });
  readonly inspector: Inspector;
  chosen: number | null = null;
  /** Asks a server, if there is one, for more values of a part. */
  ask: (part: number) => void = () => {};
  /** Parts with which something is wrong, and parts that are shown up. */
  faulty: number[] = [];
  lit: number[] = [];
  private listed: ListedValue[] = [];
  private readonly readings = new Readings();
  private readonly values: PartValues;
  private run = 0;
  private time = 0;
  private hovered: number | null = null;
  private pointed = { x: 0, y: 0, width: 0 };
  private followed: number | null = null;
  private readonly point = new Vector3();

  constructor(
    private readonly cast: Cast,
    private readonly cameraMan: CameraMan,
    private readonly picker: Picker,
    private readonly changed: () => void,
  ) {
    this.tip.hidden = true;
    this.values = new PartValues(cast.scene, this.readings);
    this.inspector = new Inspector(this.values);
    this.inspector.onFollow = () => this.toggleFollow();
    this.inspector.onClose = () => this.choose(null);
  }

  /** The number of the part of a path. */
  find(path: string): number | null {
    const found = this.cast.scene.parts.findIndex((part) => part.path === path);
    return found < 0 ? null : found;
  }

  /** The part that a place is about: the first of several, or its owner; null: none. */
  owner(place: string): string | null {
    for (const one of place.split(", "))
      for (let path = one; path; path = path.slice(0, Math.max(path.lastIndexOf("."), 0)))
        if (this.find(path) !== null) return path;
    return null;
  }

  choose(part: number | null): void {
    this.chosen = part;
    this.inspector.choose(part);
    this.mark();
    if (part !== null) this.ask(part);
    this.changed();
  }

  /** Take values of parts, and list them where nothing was known of them yet. */
  hear(told: Record<string, Told>): void {
    const parts = this.readings.take(told);
    if (this.chosen !== null && parts.includes(this.chosen)) this.inspector.choose(this.chosen);
    if (this.hovered !== null && parts.includes(this.hovered)) this.fillTip(this.hovered);
    this.changed();
  }

  /** Name the part under the pointer, beside it, with some of its values. */
  hover(hit: Hit | null, x: number, y: number, width: number): void {
    const part = hit?.part ?? null;
    if (part !== this.hovered) {
      this.hovered = part;
      this.mark();
      this.fillTip(part);
      if (part !== null) this.ask(part);
      this.tip.hidden = part === null;
      this.changed();
    }
    if (this.tip.hidden) return;
    this.run = hit ? Math.max(this.cast.figures.indexOf(hit.figure), 0) : 0;
    this.pointed = { x, y, width };
    this.showValues(this.time);
  }

  /** Keep the tip within the picture, however wide its values are. */
  private placeTip(): void {
    const { x, y, width } = this.pointed;
    const left = Math.max(Math.min(x + 14, width - this.tip.offsetWidth - 4), 4);
    const top = y - this.tip.offsetHeight - 8;
    this.tip.style.transform = `translate(${left}px, ${top > 2 ? top : y + 20}px)`;
  }

  private fillTip(part: number | null): void {
    const { scene } = this.cast;
    const said = part === null ? null : scene.parts[part];
    const list = element("dl");
    this.listed = part === null ? [] : this.values.list(part).slice(0, MOST);
    for (const one of this.listed)
      list.append(element("dt", {}, this.values.short(part!, one)), one.cell);
    const type = element("small", {}, said?.type ?? "");
    this.tip.replaceChildren(said?.path ?? "", type, ...(this.listed.length ? [list] : []));
  }

  private showValues(time: number): void {
    this.time = time;
    const runs = this.cast.values.slice(this.run, this.run + 1);
    if (this.hovered === null) return;
    this.values.show(this.hovered, this.listed, runs, time);
    this.placeTip();
  }

  /** Draw the marks again: on other parts, or on other figures. */
  mark(): void {
    this.picker.mark(this.cast.figures, this.chosen, this.hovered, this.faulty, this.lit);
  }

  follow(part: number | null): void {
    this.followed = part;
    this.cameraMan.follow(null);
    this.changed();
  }

  toggleFollow(): void {
    this.follow(this.followed === null || this.followed !== this.chosen ? this.chosen : null);
  }

  /** Show the values of now, and move the camera with the part that it follows. */
  update(time: number): void {
    this.inspector.show(this.cast.values, time);
    if (!this.tip.hidden) this.showValues(time);
    if (this.followed === null) return;
    const group = this.cast.groupOf(this.followed);
    this.cameraMan.follow(this.cast.placeOf(group, this.point));
  }
}
