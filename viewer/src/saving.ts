/** Saving: the menu of what can be kept of a page, as files of the user. */

import type { CameraMan } from "./camera";
import { element, iconButton, setPressed } from "./dom";

/** Forms that a server makes, with their titles. */
export type Form = "film" | "csv" | "html" | "py" | "json";

const FORMS: [Form, string, string][] = [
  ["film", "Film", "what was shown so far, MP4 or GIF"],
  ["csv", "Table", "values over time with units, CSV"],
  ["html", "Page", "one HTML file that plays it, for others"],
  ["py", "Changed values, Python", "lines that set what was changed here"],
  ["json", "Changed values, JSON", "the same as data"],
];

/** Where a page looks from, as a server needs it. */
export interface View {
  eye: number[];
  target: number[];
  up: number[];
  /** From top to bottom [deg]; 0 without perspective. */
  angle: number;
  aspect: number;
}

/** The field of view [deg] by whose height pictures without perspective are measured. */
const FLAT = 28;

export function viewOf({ camera, controls, isOrthographic }: CameraMan): View {
  const { target } = controls;
  const eye = camera.position.clone();
  let [angle, aspect] = [0, 1];
  if ("fov" in camera) [angle, aspect] = [camera.fov, camera.aspect];
  else {
    const height = (camera.top - camera.bottom) / camera.zoom;
    aspect = (camera.right - camera.left) / (camera.top - camera.bottom);
    const away = height / 2 / Math.tan(((FLAT / 2) * Math.PI) / 180);
    eye.sub(target).setLength(away).add(target);
  }
  return {
    eye: eye.toArray(),
    target: target.toArray(),
    up: camera.up.toArray(),
    angle: isOrthographic ? 0 : angle,
    aspect: Math.min(Math.max(aspect, 0.1), 10),
  };
}

/** Give the user a file. */
export function download(name: string, content: Blob): void {
  const link = element("a", { href: URL.createObjectURL(content), download: name });
  link.style.display = "none";
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The bytes of a file that came as text in base64. */
export function bytesOf(base64: string): Blob {
  return new Blob([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))]);
}

/** A title as the name of a file. */
export function fileName(title: string, suffix: string): string {
  const stem = title.replace(/[^\p{L}\p{N}_-]+/gu, "_").replace(/^_+|_+$/g, "");
  return `${stem.slice(0, 60) || "motorik"}.${suffix}`;
}

/** Several pictures of one size on top of each other, as one. */
export function laidOver(layers: HTMLCanvasElement[]): Promise<Blob | null> {
  const [first] = layers;
  const whole = element("canvas");
  whole.width = first.width;
  whole.height = first.height;
  const pen = whole.getContext("2d")!;
  for (const layer of layers)
    if (layer.width && layer.height) pen.drawImage(layer, 0, 0, whole.width, whole.height);
  return new Promise((done) => whole.toBlob(done, "image/png"));
}

export class SaveMenu {
  readonly root = element("div", { class: "set saving" });
  private readonly list = element("div", { class: "menu", role: "menu" });
  private readonly opener: HTMLButtonElement;
  private readonly ofServer: HTMLButtonElement[] = [];

  constructor(acts: { picture: () => void; ask: (form: Form) => void }) {
    this.opener = iconButton("save", "Save (D)", () => this.open(!this.isOpen));
    this.opener.setAttribute("aria-haspopup", "menu");
    this.list.append(this.item("Picture", "as it is seen now, PNG", acts.picture));
    for (const [form, title, text] of FORMS) {
      const made = this.item(title, text, () => acts.ask(form));
      made.dataset.form = form;
      this.ofServer.push(made);
      this.list.append(made);
    }
    this.root.append(this.opener, this.list);
    this.root.addEventListener("keydown", (event) => this.onKey(event));
    this.offer(false);
    this.open(false);
  }

  get isOpen(): boolean {
    return !this.list.hidden;
  }

  /** Offer also what only a server can make. */
  offer(server: boolean): void {
    for (const made of this.ofServer) made.hidden = !server;
  }

  open(on: boolean): void {
    this.list.hidden = !on;
    setPressed(this.opener, on);
    this.opener.setAttribute("aria-expanded", String(on));
    if (on) this.items[0].focus();
  }

  private get items(): HTMLButtonElement[] {
    return [...this.list.querySelectorAll<HTMLButtonElement>("button:not([hidden])")];
  }

  private item(title: string, text: string, act: () => void): HTMLButtonElement {
    const made = element(
      "button",
      { type: "button", role: "menuitem" },
      element("b", {}, title),
      element("small", {}, text),
    );
    made.addEventListener("click", () => {
      this.open(false);
      act();
    });
    return made;
  }

  private onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && this.isOpen) {
      this.open(false);
      this.opener.focus();
    } else if (step && this.isOpen) {
      const { items } = this;
      const at = items.findIndex((one) => one.matches(":focus"));
      items[(at + step + items.length) % items.length].focus();
    } else if (!this.isOpen) return;
    event.stopPropagation();
    if (event.key.startsWith("Arrow") || event.key === "Escape") event.preventDefault();
  }
}
