/** The tools in the corner of the picture: cameras, layers, runs, help. */

import { button, element, iconButton, setPressed } from "./dom";
import type { Preset } from "./camera";
import type { Shown } from "./shown";
import type { Track } from "./track";

export type Switch =
  "forces" | "labels" | "frames" | "traces" | "ghosts" | "orthographic" | "side";

/** Default switches. */
export const SWITCHED: Record<Switch, boolean> = {
  forces: true,
  labels: false,
  frames: false,
  traces: true,
  ghosts: false,
  orthographic: false,
  side: true,
};

export interface Tool {
  name: Switch;
  title: string;
}

const SWITCHES: Tool[] = [
  { name: "orthographic", title: "Without perspective (O)" },
  { name: "forces", title: "Force arrows (A)" },
  { name: "labels", title: "Names (N)" },
  { name: "frames", title: "Frames (X)" },
  { name: "traces", title: "Paths of points (T)" },
  { name: "ghosts", title: "Poses at other times (G)" },
];

const PRESETS: { name: Preset; title: string }[] = [
  { name: "iso", title: "From a corner (4)" },
  { name: "front", title: "From the front (1)" },
  { name: "top", title: "From above (2)" },
  { name: "side", title: "From the side (3)" },
];

export class Tools {
  readonly root = element("div", { class: "tools" });
  /** On a small page, what opens all of them. */
  private readonly more: HTMLButtonElement;
  private readonly switches = new Map<Switch, HTMLButtonElement>();
  private readonly runs: HTMLButtonElement;
  private readonly runSet: HTMLElement;

  constructor(acts: {
    look: (preset: Preset) => void;
    fit: () => void;
    flip: (name: Switch) => void;
    nextRuns: () => void;
    help: () => void;
    menu: HTMLElement;
  }) {
    const cameras = element("div", { class: "set" });
    for (const { name, title } of PRESETS)
      cameras.append(iconButton(name, title, () => acts.look(name)));
    cameras.append(iconButton("fit", "See everything (F)", acts.fit));
    const layers = element("div", { class: "set" });
    for (const { name, title } of SWITCHES) {
      const made = iconButton(name, title, () => acts.flip(name));
      made.dataset.switch = name;
      this.switches.set(name, made);
      layers.append(made);
    }
    this.runs = button("", "Runs: over each other, side by side, one (S)", acts.nextRuns);
    this.runSet = element("div", { class: "set" }, this.runs);
    const others = element(
      "div",
      { class: "set others" },
      iconButton("plots", "Plots and values (P)", () => acts.flip("side")),
      iconButton("help", "Help (?)", acts.help),
    );
    this.more = iconButton("more", "Tools", () => this.open(!this.isOpen), "more");
    this.root.append(this.more, cameras, layers, this.runSet, acts.menu, others);
    this.open(false);
  }

  private get isOpen(): boolean {
    return this.root.classList.contains("open");
  }

  private open(on: boolean): void {
    this.root.classList.toggle("open", on);
    setPressed(this.more, on);
  }

  show(states: Partial<Record<Switch, boolean>>): void {
    for (const [name, made] of this.switches) setPressed(made, Boolean(states[name]));
  }

  /** Hide the switches of what this scene does not have. */
  offer(name: Switch, there: boolean): void {
    this.switches.get(name)!.hidden = !there;
  }

  /** Offer the layers that these runs have. */
  showRuns({ count, mode, live, runs }: Shown, tracks: Track[]): void {
    this.offer(
      "traces",
      tracks.some(({ traces }) => traces.length > 0),
    );
    this.offer("ghosts", !live && runs.length > 0);
    this.runSet.hidden = count < 2;
    this.runs.textContent = mode;
  }
}
