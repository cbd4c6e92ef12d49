/** The viewer in cells of a notebook: a session is reached through the channel of the kernel. */

import { element } from "./dom";
import { fail } from "./fail";
import type { FromServer, ToServer } from "./messages";
import { Viewer } from "./viewer";

/** The model of a widget, as notebooks give it. */
interface WidgetModel {
  get(name: string): unknown;
  on(event: string, act: (...args: never[]) => void): void;
  off(event: string, act: (...args: never[]) => void): void;
  send(message: Record<string, unknown>): void;
}

/** A message, as it is or in a buffer, packed; or a frame in a buffer. */
interface Part {
  text?: string;
  packed?: number;
  frame?: number;
}

/** A parcel of the kernel: see view/live/comm.py. */
interface Parcel {
  n: number;
  to: string;
  parts: Part[];
  heard: Record<string, number>;
  closed?: boolean;
}

/** Milliseconds after which a kernel that has not answered is called busy. */
const PATIENCE = 3000;
/** Milliseconds between two confirmations. */
const TELL = 150;
/** Milliseconds between two words that the page is still here: else its hand would let go. */
const HERE = 5000;
/** Events of a notebook when the channel to the kernel opens or closes. */
const CHANNEL = "comm_live_update";

async function unpack(data: DataView): Promise<string> {
  const stream = new Blob([copy(data)]).stream();
  return new Response(stream.pipeThrough(new DecompressionStream("gzip"))).text();
}

function copy({ buffer, byteOffset, byteLength }: DataView): ArrayBuffer {
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

/** One view of a session; several show the same model, each under a name of its own. */
class Cell {
  private readonly page = Math.random().toString(36).slice(2);
  private readonly host = element("div");
  private readonly words = element("div", { role: "status" });
  private readonly viewer: Viewer;
  /** Parcels are processed in order, although unpacking is asynchronous. */
  private taken: Promise<void> = Promise.resolve();
  private said = 0;
  private heard = 0;
  private closed = false;
  private seen = 0;
  private telling = 0;
  private waiting = 0;
  private readonly here: number;
  private readonly hear: (parcel: Parcel, buffers: DataView[]) => void;
  private readonly setHeight: () => void;
  private readonly check: () => void;

  constructor(
    private readonly model: WidgetModel,
    root: HTMLElement,
  ) {
    // keys and the menu of the mouse are the viewer's, not the notebook's
    for (const maker of ["lm", "p", "jp"])
      this.host.setAttribute(`data-${maker}-suppress-shortcuts`, "true");
    this.host.addEventListener("contextmenu", (event) => event.stopPropagation());
    this.words.style.cssText = "font: 13px system-ui, sans-serif; padding: 4px 0";
    this.words.hidden = true;
    root.append(this.host, this.words);
    this.setHeight = () => (this.host.style.height = `${Number(model.get("height")) || 480}px`);
    this.setHeight();
    this.viewer = this.makeViewer();
    this.hear = (parcel, buffers) => this.queue(() => this.take(parcel, buffers));
    const scene = model.get("scene") as DataView | null;
    if (scene?.byteLength) this.queue(async () => this.receive(await unpack(scene)));
    model.on("msg:custom", this.hear as never);
    model.on("change:height", this.setHeight as never);
    this.check = () => this.say("hello");
    model.on(CHANNEL, this.check as never);
    this.say("hello");
    this.here = window.setInterval(() => {
      if (!this.closed) this.post({ say: "here" });
    }, HERE);
  }

  dispose(): void {
    this.model.off("msg:custom", this.hear as never);
    this.model.off("change:height", this.setHeight as never);
    this.model.off(CHANNEL, this.check as never);
    clearTimeout(this.telling);
    clearTimeout(this.waiting);
    clearInterval(this.here);
    if (!this.closed) this.post({ say: "bye" });
    this.viewer.dispose();
  }

  private makeViewer(): Viewer {
    try {
      const viewer = new Viewer(this.host);
      viewer.onSend = (message) => this.say("message", message);
      return viewer;
    } catch (error) {
      return fail(this.host, error);
    }
  }

  // ---- to the kernel

  private say(kind: string, message?: ToServer): void {
    if (this.closed) return;
    this.said += 1;
    const text = message ? { message: JSON.stringify(message) } : {};
    if (this.post({ say: kind, n: this.said, ...text }) && !this.waiting)
      this.waiting = window.setTimeout(() => this.remind(), PATIENCE);
  }

  /** Send something; returns whether it was sent: the channel ends with the kernel. */
  private post(said: Record<string, unknown>): boolean {
    try {
      this.model.send({ page: this.page, ...said });
      return true;
    } catch {
      this.end("The kernel of this session has ended or was restarted: run the cell again.");
      return false;
    }
  }

  private remind(): void {
    this.waiting = 0;
    if (this.heard < this.said)
      this.tell(
        "The kernel does not answer: it runs a cell, or has ended. " +
          "What you do here acts when it listens again.",
      );
  }

  private tell(text: string): void {
    this.words.textContent = text;
    this.words.hidden = text === "";
  }

  /** Confirm parcels now and then: a kernel does not send more than is confirmed. */
  private noteSeen(n: number): void {
    this.seen = Math.max(this.seen, n);
    if (this.telling) return;
    this.telling = window.setTimeout(() => {
      this.telling = 0;
      if (!this.closed) this.post({ say: "seen", n: this.seen });
    }, TELL);
  }

  // ---- from the kernel

  private queue(act: () => void | Promise<void>): void {
    this.taken = this.taken.then(act).catch((error) => console.error(error));
  }

  private async take(parcel: Parcel, buffers: DataView[]): Promise<void> {
    if (parcel?.to && parcel.to !== this.page) return;
    for (const { text, packed, frame } of parcel?.parts ?? []) {
      if (frame !== undefined) this.viewer.frame(copy(buffers[frame]));
      else if (packed !== undefined) this.receive(await unpack(buffers[packed]));
      else if (text !== undefined) this.receive(text);
    }
    if (parcel?.n) this.noteSeen(parcel.n);
    this.heard = parcel?.heard?.[this.page] ?? this.heard;
    if (this.heard >= this.said && !this.closed) {
      clearTimeout(this.waiting);
      this.waiting = 0;
      this.tell("");
    }
    if (parcel?.closed) this.end("The session is closed.");
  }

  private receive(text: string): void {
    this.viewer.receive(JSON.parse(text) as FromServer);
  }

  private end(words: string): void {
    this.closed = true;
    clearTimeout(this.waiting);
    this.viewer.onSend = null;
    this.tell(words);
  }
}

export const widget = {
  render({ model, el }: { model: WidgetModel; el: HTMLElement }): () => void {
    const cell = new Cell(model, el);
    return () => cell.dispose();
  },
};
