/** Notices in the corner of the picture: errors at parts, messages of a server, a lost link. */

import { button, element, iconButton } from "./dom";

/** More would cover the picture. */
const MOST = 6;

interface Notice {
  root: HTMLElement;
  level: string;
  text: string;
  part: string;
  /** Its subject and its text. */
  name: string;
  words: string;
}

/** A text of the form "place: words" about a part, in two; without a place it is about the part. */
function split(text: string, part: string): { name: string; words: string } {
  const at = text.indexOf(": ");
  const name = text.slice(0, Math.max(at, 0));
  const places = name.split(", ");
  if (part && places.some((one) => one === part || one.startsWith(`${part}.`)))
    return { name, words: text.slice(at + 2) };
  return { name: part, words: text };
}

export class Notices {
  readonly root = element("div", { class: "notices", "aria-live": "polite" });
  onPart: (path: string) => void = () => {};
  /** There are other notices than before. */
  onChange: () => void = () => {};
  private said: Notice[] = [];
  private readonly status = element("div", { class: "notice" });
  private readonly holding = element("div", { class: "notice holding" });
  private readonly link = element(
    "div",
    { class: "notice warning" },
    "The link to the model is lost.",
  );
  /** Those that stay, and come and go by themselves. */
  private readonly kept = [this.link, this.status, this.holding];

  constructor() {
    this.setStatus("", "");
    this.link.hidden = true;
    this.clear();
  }

  /** Errors that are shown now, by the paths of their parts; of each its first line. */
  get faults(): Map<string, string> {
    const found = this.said.filter(({ level, part }) => level === "error" && part);
    return new Map(
      found.map(({ part, name, words }) => [part, `${name}: ${words.split("\n")[0]}`]),
    );
  }

  /** Pixels that errors and warnings take. */
  get height(): number {
    return this.said.some(({ level }) => level !== "info") ? this.root.offsetHeight + 10 : 0;
  }

  add(level: string, text: string, part?: string | null): void {
    const kind = level === "error" || level === "warning" ? level : "info";
    for (const same of this.said.filter((one) => one.text === text)) this.remove(same);
    const { name, words } = split(text, part ?? "");
    const root = element("div", { class: `notice ${kind}` });
    const made: Notice = { root, level: kind, text, part: part ?? "", name, words };
    // its subject is on its button
    if (part) root.append(button(name, `Choose ${part}`, () => this.onPart(part), "small"));
    root.append(
      words,
      iconButton("close", "Close", () => this.remove(made), "small"),
    );
    this.root.append(root);
    this.said.push(made);
    if (this.said.length > MOST) this.remove(this.said[0]);
    if (kind === "info") setTimeout(() => this.remove(made), 8000);
    this.onChange();
  }

  /** The outcome of a drag, and the torques that hold the pose. */
  setStatus(message: string, holding: string): void {
    this.status.textContent = message;
    this.status.hidden = message === "";
    this.holding.textContent = holding;
    this.holding.hidden = holding === "";
  }

  setLink(there: boolean): void {
    this.link.hidden = there;
  }

  clear(): void {
    this.said = [];
    this.root.replaceChildren(...this.kept);
    this.onChange();
  }

  private remove(notice: Notice): void {
    if (!this.said.includes(notice)) return;
    this.said = this.said.filter((one) => one !== notice);
    notice.root.remove();
    this.onChange();
  }
}
