/** The studio: the state of the page, and what can be done with it. The server owns the document. */

import { untrack } from "svelte";
import {
  Classes,
  type ClassInfo,
  type FieldInfo,
  NO_CLASSES,
  type PortInfo,
} from "./catalogue";
import { applyChanges, type Change } from "./changes";
import {
  apply,
  EMPTY,
  freeName,
  type Json,
  type Level,
  levelOf,
  type Operation,
  ownerOf,
  type Part,
  type Spot,
  type StudioDocument,
  type Wire,
} from "./document";
import { firstPlaces, partOfPort, snap } from "./geometry";
import { type Answer, type Fault, Link, type Message } from "./link";
import { brief } from "./values";

export interface Diagnostic extends Fault {
  level: "error" | "warning" | "info";
}

export interface TreeEntry {
  part: string;
  parent: string | null;
  freedoms?: number;
}

export interface Loop {
  joints: string[];
  cut?: string;
  how?: string;
}

export interface Gap {
  a: string;
  b: string;
  distance?: number;
}

export interface Diagnosis {
  items: Diagnostic[];
  freedoms: number | null;
  loops: Loop[];
  tree: TreeEntry[];
  explain: string;
  open: Gap[];
}

export interface RunEntry {
  id: string;
  name: string;
  revision: number;
  status: string;
  progress?: number | null;
  message?: string;
  sweep?: { parameter: string; value: number };
  /** Was it stopped before there was a result? */
  empty?: boolean;
}

export interface SceneFrame {
  port: string;
  group: number;
  r: [number, number, number];
}

/** A pin of links that are drawn: frames that are there, else a place in the world [m]. */
export interface Pin {
  at: [number, number, number];
  ports?: string[];
}

/** What holds the end of a link that is drawn to a place without frames. */
export type Hold = "free" | "pivot" | "slider" | "fixed";

export interface Series {
  time: number[];
  values: Record<string, number[]>;
  units: Record<string, string>;
  events: { time: number; part: string; what: string }[];
  /** Has it fewer samples than the motion has steps? */
  coarse?: boolean;
}

export interface Toast {
  id: number;
  level: "info" | "warning" | "error";
  text: string;
  remedy?: string;
}

export type Dialog =
  | { kind: "start" }
  | { kind: "open" }
  | { kind: "save_as" }
  | { kind: "rename"; id: string }
  | { kind: "group" }
  | { kind: "insert"; from?: string }
  | { kind: "connect"; from?: string }
  | { kind: "keys" }
  | { kind: "import" }
  | { kind: "sweep" }
  | { kind: "settings" }
  | { kind: "find" }
  | { kind: "note"; id: string | null }
  | { kind: "trust"; modules: string[] }
  | { kind: "source"; title: string; name: string; text: string };

const NOTHING: Diagnosis = {
  items: [],
  freedoms: null,
  loops: [],
  tree: [],
  explain: "",
  open: [],
};
/** What of a document is beside the mechanism. */
const BESIDE = new Set(["diagram", "panels", "notes", "description", "run", "name"]);
/** Milliseconds that a message stays. */
const STAY = 6000;
/** Milliseconds between two edits of a slider that is dragged. */
const SLIDE = 60;

const darkBySystem = window.matchMedia("(prefers-color-scheme: dark)");
const stillBySystem = window.matchMedia("(prefers-reduced-motion: reduce)");

class Studio {
  document = $state.raw<StudioDocument>(EMPTY);
  revision = $state(0);
  saved = $state<number | null>(0);
  file = $state<string | null>(null);
  canUndo = $state<string | null>(null);
  canRedo = $state<string | null>(null);
  diagnosis = $state.raw<Diagnosis>(NOTHING);
  ports = $state.raw<
    Record<string, { ports: PortInfo[]; icon?: string; values?: Record<string, Json> }>
  >({});
  runs = $state.raw<RunEntry[]>([]);
  /** The revision that the diagnosis is about. */
  looked = $state(0);
  scene = $state.raw<unknown>(null);
  frames = $state.raw<SceneFrame[]>([]);
  classes = $state.raw<Classes>(NO_CLASSES);
  connected = $state(true);
  everConnected = $state(false);
  /** Names of chosen parts of the open level, in the order in which they were chosen. */
  chosen = $state.raw<string[]>([]);
  chosenWires = $state.raw<Wire[]>([]);
  /** Parts that are shown up in diagram and view: of a tree, a loop, an error. */
  lit = $state.raw<Set<string>>(new Set());
  /** The sub-model that is open; null: the model itself. */
  inside = $state<string | null>(null);
  dialog = $state.raw<Dialog | null>(null);
  toasts = $state.raw<Toast[]>([]);
  /** Errors of edits that were refused, at their fields: "part.field". */
  refused = $state.raw<Record<string, Fault>>({});
  /** The field that shall have the focus. */
  focusField = $state.raw<{ part: string; field: string } | null>(null);
  /** The pane that a small page shows. */
  pane = $state<"parts" | "diagram" | "view" | "form" | "results">("diagram");
  side = $state<"form" | "explain">("form");
  left = $state<"catalogue" | "tree">("catalogue");
  dock = $state<"plots" | "messages" | "runs">("plots");
  big = $state<"diagram" | "view" | "results" | null>(null);
  /** Frames chosen for the tool bar: at the first an element is added; two are cut frames of a loop. */
  picked = $state.raw<string[]>([]);
  tools = $state(false);
  /** Links are drawn in the 3-D view: from this pin on; null: nothing is drawn. */
  pen = $state.raw<{ from: Pin | null } | null>(null);
  hold = $state<Hold>("free");
  /** The runs that are compared, by their names. */
  compared = $state.raw<string[]>([]);
  time = $state(0);
  range = $state.raw<[number, number]>([0, 0]);
  /** The part of the time [s] that plots show; null: all of it. */
  zoom = $state.raw<[number, number] | null>(null);
  playing = $state(false);
  speed = $state(1);
  events = $state.raw<Series["events"]>([]);
  theme = $state<"system" | "light" | "dark">("system");
  systemDark = $state(darkBySystem.matches);
  /** Where the pointer or the keyboard wants a new part, in the diagram. */
  nextSpot: Spot | null = null;
  /** Set by panes: what only they can do. */
  readonly panes: {
    see?: (ids: string[]) => void;
    fit?: () => void;
    center?: () => Spot;
    seek?: (time: number) => void;
    play?: (on?: boolean) => void;
    setSpeed?: (speed: number) => void;
    showRuns?: (runs: unknown[]) => void;
    frame?: (data: ArrayBuffer) => void;
    clearRuns?: () => void;
    picture?: () => Promise<Blob | null>;
    viewKey?: (key: string) => void;
  } = {};

  readonly dark = $derived(
    this.theme === "dark" || (this.theme === "system" && this.systemDark),
  );
  readonly level: Level = $derived(levelOf(this.document, this.inside));
  readonly parts: Map<string, Part> = $derived(
    new Map(this.level.parts.map((part) => [part.id, part])),
  );
  readonly places: Record<string, Spot> = $derived(firstPlaces(this.level));
  readonly changed = $derived(this.saved !== this.revision);
  readonly errors = $derived(this.diagnosis.items.filter(({ level }) => level === "error"));
  readonly running = $derived(
    this.runs.filter(({ status }) => ["waiting", "compiling", "running"].includes(status)),
  );
  readonly done = $derived(
    this.runs.filter(
      ({ status, empty }) => status === "done" || (status === "cancelled" && !empty),
    ),
  );
  readonly faults: Map<string, Diagnostic[]> = $derived.by(() => {
    const found = new Map<string, Diagnostic[]>();
    for (const item of this.diagnosis.items) {
      if ((item.in || null) !== this.inside) continue;
      const id = this.partOf(item.part || (item.port ? ownerOf(item.port) : ""));
      if (id) found.set(id, [...(found.get(id) ?? []), item]);
    }
    return found;
  });
  readonly wired: Set<string> = $derived(new Set(this.level.connections.flat()));

  /** Number of requests without an answer. */
  waiting = 0;
  private link: Link | null = null;
  private seriesOf = new Map<string, Promise<Series>>();
  private toastCount = 0;
  /** Mechanisms by number: of each revision, and that which is shown. */
  private mechanism = 0;
  private shownMechanism = -1;
  private readonly mechanisms = new Map<number, number>();
  /** The run that is played when it is there. */
  private awaited = "";
  private slides = new Map<string, { timer: number; last: Operation | null }>();
  private wantsLayout = false;

  constructor() {
    darkBySystem.addEventListener("change", ({ matches }) => (this.systemDark = matches));
    const known = readStored("theme");
    if (known === "light" || known === "dark") this.theme = known;
  }

  start(socket: string, catalogue: string): void {
    void this.readCatalogue(catalogue);
    this.link = new Link(socket, this);
  }

  private async readCatalogue(address: string): Promise<void> {
    for (let wait = 300; ; wait = Math.min(2 * wait, 5000)) {
      try {
        const answer = await fetch(address);
        if (answer.ok) {
          this.classes = new Classes(await answer.json());
          return;
        }
      } catch {
        // the server is away: try again
      }
      await new Promise((done) => setTimeout(done, wait));
    }
  }

  // ---- from the server

  linked(on: boolean): void {
    this.connected = on;
    if (on) this.everConnected = true;
  }

  receive(message: Message): void {
    const act = this.hearing[message.type];
    act?.(message);
  }

  frame(data: ArrayBuffer): void {
    this.panes.frame?.(data);
  }

  private readonly hearing: Record<string, (message: Message) => void> = {
    document: (message) => this.takeDocument(message),
    edit: (message) => this.takeEdit(message),
    state: (message) => this.takeState(message),
    diagnostics: (message) => {
      this.looked = message.revision ?? this.revision;
      this.diagnosis = {
        items: message.items ?? [],
        freedoms: message.freedoms ?? null,
        loops: message.loops ?? [],
        tree: message.tree ?? [],
        explain: message.explain ?? "",
        open: message.open ?? [],
      };
    },
    ports: (message) => {
      this.ports = message.whole ? message.parts : { ...this.ports, ...message.parts };
    },
    scene: (message) => {
      this.frames = message.frames ?? [];
      if (!message.scene || !this.isNewMechanism(message)) return;
      this.scene = message.scene;
    },
    runs: (message) => {
      const before = new Map(this.runs.map((run) => [run.id, run.status]));
      this.runs = message.runs;
      for (const run of this.runs)
        if (run.status === "failed" && before.get(run.id) && before.get(run.id) !== "failed")
          this.say("error", run.message || `The run “${run.name}” failed.`);
      const there = new Set(this.runs.map(({ id }) => id));
      this.compared = this.compared.filter((id) => there.has(id));
    },
    run: (message) => this.takeRun(message),
    notice: (message) => this.say(message.level ?? "info", message.text, message.remedy),
  };

  private takeDocument(message: Message): void {
    const isOther = message.file !== this.file || this.document === EMPTY;
    this.document = { ...EMPTY, ...message.document };
    if (this.inside && !this.document.models?.[this.inside]) this.inside = null;
    if (isOther || message.fresh) {
      this.toasts = [];
      this.chosen = [];
      this.chosenWires = [];
      this.inside = null;
      this.refused = {};
      this.picked = [];
      this.compared = [];
      this.zoom = null;
      this.seriesOf.clear();
      this.panes.clearRuns?.();
      requestAnimationFrame(() => this.panes.fit?.());
    }
    this.takeState(message);
    this.noteMechanism(undefined);
    this.keepChosen();
    if (isOther && message.ask_start && this.document.parts.length === 0)
      this.dialog = { kind: "start" };
    if (message.untrusted?.length)
      this.dialog = { kind: "trust", modules: message.untrusted as string[] };
    if (isOther && Object.keys(this.document.diagram ?? {}).length < this.document.parts.length)
      this.wantsLayout = this.document.parts.length > 1;
  }

  private takeEdit(message: Message): void {
    if (message.revision !== this.revision + 1 && message.revision !== this.revision) {
      void this.askDocument();
      return;
    }
    try {
      if (Array.isArray(message.changes))
        this.document = applyChanges(this.document, message.changes as Change[]);
      else
        for (const operation of message.operations ?? [])
          this.document = apply(this.document, operation);
    } catch {
      void this.askDocument();
    }
    this.takeState(message);
    this.noteMechanism(message.changes);
    this.keepChosen();
    if (this.fitDue) requestAnimationFrame(() => this.panes.fit?.());
    this.fitDue = false;
  }

  private takeState(message: Message): void {
    if (typeof message.revision === "number") this.revision = message.revision;
    if ("saved" in message) this.saved = message.saved;
    if ("file" in message) this.file = message.file;
    if ("can_undo" in message) this.canUndo = titleOf(message.can_undo);
    if ("can_redo" in message) this.canRedo = titleOf(message.can_redo);
  }

  /** Is a scene of another mechanism than that which is shown? Diagram and plots change none. */
  private isNewMechanism({ revision, run }: Message): boolean {
    if (run) return true;
    const made = this.mechanisms.get(revision) ?? this.mechanism;
    if (made === this.shownMechanism) return false;
    this.shownMechanism = made;
    return true;
  }

  private noteMechanism(changes: Change[] | undefined): void {
    const isSame = changes?.every(({ path }) => {
      const [first, , third] = path;
      return BESIDE.has(String(first)) || (first === "models" && third === "diagram");
    });
    if (!isSame) this.mechanism += 1;
    this.mechanisms.set(this.revision, this.mechanism);
    if (this.mechanisms.size > 500)
      this.mechanisms.delete(this.mechanisms.keys().next().value!);
  }

  private takeRun(message: Message): void {
    const id: string = message.id ?? "";
    if (id && !this.compared.includes(id)) this.compared = [id];
    this.panes.showRuns?.([message.run]);
    if (id && id === this.awaited) {
      this.awaited = "";
      this.panes.seek?.(this.range[0]);
      if (!stillBySystem.matches) this.panes.play?.(true);
    }
  }

  private async askDocument(): Promise<void> {
    const answer = await this.ask({ op: "document" });
    if (answer.document) this.takeDocument(answer as unknown as Message);
  }

  /** Parts that are gone are not chosen any more. */
  private keepChosen(): void {
    if (this.chosen.some((id) => !this.parts.has(id)))
      this.chosen = this.chosen.filter((id) => this.parts.has(id));
    const wires = new Set(this.level.connections.map((wire) => wire.join(" ")));
    if (this.chosenWires.some((wire) => !wires.has(wire.join(" "))))
      this.chosenWires = this.chosenWires.filter((wire) => wires.has(wire.join(" ")));
  }

  // ---- to the server

  /** Ask the server; its errors are shown. */
  ask(operation: Operation, quiet = false): Promise<Answer> {
    return untrack(() => this.post(operation, quiet));
  }

  private async post(operation: Operation, quiet: boolean): Promise<Answer> {
    if (!this.link) return { request: 0, error: { text: "not started" } };
    this.waiting += 1;
    const answer = await this.link.request(operation, this.revision);
    this.waiting -= 1;
    if (answer.error && !quiet) this.say("error", faultText(answer.error), answer.error.remedy);
    return answer;
  }

  /** Edit the document, in the open level; one step of undo. */
  async edit(operation: Operation, quiet = false): Promise<Answer> {
    const whole = this.inside ? { ...operation, in: this.inside } : operation;
    if (!this.connected) {
      try {
        this.document = apply(this.document, whole);
      } catch {
        // the server will say what it makes of it
      }
    }
    const answer = await this.ask(whole, quiet);
    if (operation.op === "set") this.noteRefused(operation, answer.error);
    return answer;
  }

  batch(operations: Operation[], title: string): Promise<Answer> {
    if (operations.length === 1) return this.edit({ ...operations[0], title });
    const inside = this.inside ? { in: this.inside } : {};
    return this.edit({
      op: "batch",
      title,
      operations: operations.map((one) => ({ ...inside, ...one })),
    });
  }

  private noteRefused({ id, field }: Operation, error: Fault | undefined): void {
    const key = `${id}.${field}`;
    if (error) this.refused = { ...this.refused, [key]: error };
    else if (key in this.refused) {
      const { [key]: _gone, ...others } = this.refused;
      this.refused = others;
    }
  }

  set(id: string, field: string, value: Json | undefined): Promise<Answer> {
    const operation: Operation = { op: "set", id, field };
    return this.edit(
      value === undefined
        ? { ...operation, value: { default: true } }
        : { ...operation, value },
      true,
    );
  }

  /** Edits of a slider: some in a second while it moves, all of them one step of undo. */
  slide(operation: Operation, key: string): void {
    const known = this.slides.get(key);
    const whole = { ...operation, merge: key };
    if (known) {
      known.last = whole;
      return;
    }
    const slide = { timer: 0, last: null as Operation | null };
    this.slides.set(key, slide);
    void this.edit(whole, true);
    slide.timer = window.setTimeout(() => {
      this.slides.delete(key);
      if (slide.last) this.slide(slide.last, key);
    }, SLIDE);
  }

  // ---- what is chosen and shown

  choose(ids: string[]): void {
    if (ids.length === this.chosen.length && ids.every((id, k) => id === this.chosen[k]))
      return;
    this.chosen = ids;
    if (ids.length) {
      this.chosenWires = [];
      this.side = "form";
    }
  }

  /** The part of the open level to which a path leads: "leg" of "leg.hip". */
  partOf(path: string): string | null {
    for (let at = path; at; at = ownerOf(at)) if (this.parts.has(at)) return at;
    return null;
  }

  /** Go to what a message is about. */
  goTo({ part, port, field, in: scope }: Fault): void {
    if (scope !== undefined && (scope || null) !== this.inside) this.inside = scope || null;
    const place = part || (port ? ownerOf(port) : "");
    if (!this.partOf(place)) {
      const inner = Object.entries(this.document.models ?? {}).find(([, level]) =>
        level.parts.some(({ id }) => id === place),
      );
      if (inner) this.inside = inner[0];
      else if (this.inside) this.inside = null;
    }
    const id = this.partOf(place);
    if (!id) return;
    this.choose([id]);
    this.panes.see?.([id]);
    if (field) this.focusField = { part: id, field };
  }

  classOf(part: Part): ClassInfo | undefined {
    return this.classes.known.get(part.class);
  }

  /** The ports that a part has now. */
  portsOf(part: Part): PortInfo[] {
    const said = this.ports[this.inside ? `${this.inside}:${part.id}` : part.id]?.ports;
    if (said) return said;
    if (part.class.startsWith("#")) {
      const level = levelOf(this.document, part.class.slice(1));
      return Object.entries(level.ports ?? {}).map(([name, port]) => ({
        name,
        kind: this.kindWithin(level, port),
      }));
    }
    return (this.classOf(part)?.ports ?? []).filter(({ when }) => !when);
  }

  private kindWithin(level: Level, port: string): string {
    const inner = level.parts.find(({ id }) => port.startsWith(`${id}.`));
    const name = inner && port.slice(inner.id.length + 1);
    return (
      (inner && this.classOf(inner)?.ports.find((one) => one.name === name)?.kind) || "frame"
    );
  }

  kindOf(port: string): string {
    const id = partOfPort(this.parts, port);
    const part = this.parts.get(id);
    if (!part) return "";
    const name = port.slice(id.length + 1);
    const plain = name.replace(/\[\d+\]$/, "");
    return (
      this.portsOf(part).find((one) => one.name === name || one.name === plain)?.kind ?? ""
    );
  }

  /** All ports of the open level that fit a port; free ones first. */
  fitting(port: string): string[] {
    const kind = this.kindOf(port);
    const own = partOfPort(this.parts, port);
    const all = this.level.parts.flatMap((part) =>
      part.id === own
        ? []
        : this.portsOf(part)
            .filter((one) => this.classes.fit(kind, one.kind))
            .map((one) => `${part.id}.${one.name}`),
    );
    return [
      ...all.filter((one) => !this.wired.has(one)),
      ...all.filter((one) => this.wired.has(one)),
    ];
  }

  fits(a: string, b: string): boolean {
    const [p, q] = [partOfPort(this.parts, a), partOfPort(this.parts, b)];
    if (p === q || !p || !q) return false;
    if (this.level.connections.some(([x, y]) => (x === a && y === b) || (x === b && y === a)))
      return false;
    return this.classes.fit(this.kindOf(a), this.kindOf(b));
  }

  /** A line about a part: its main values. */
  detailOf(part: Part): string {
    const given = part.arguments ?? {};
    const info = this.classOf(part);
    const fields = (info?.parameters ?? []).filter((field) => isShown(field));
    const texts = fields
      .filter(({ name }) => given[name] !== undefined)
      .map(({ name, unit }) => {
        const value = brief(given[name]);
        const short =
          unit && unit !== "1" && typeof given[name] === "number"
            ? ` ${unit.replaceAll(".", "·")}`
            : "";
        return `${name} = ${value}${short}`;
      });
    return texts.slice(0, 2).join(", ");
  }

  // ---- acts

  /** Add a part of a class; it is chosen afterwards. */
  async add(name: string, at?: Spot): Promise<string | null> {
    const id = freeName(this.level, name);
    const spot = at ?? this.freeSpot();
    const answer = await this.edit({
      op: "add",
      part: { id, class: name, arguments: {} },
      at: [snap(spot[0]), snap(spot[1])],
      title: `Add ${id}`,
    });
    if (answer.error) return null;
    const made: string = answer.ids?.[0] ?? answer.id ?? id;
    this.choose([made]);
    requestAnimationFrame(() => this.panes.see?.([made]));
    return made;
  }

  /** A place in the diagram where nothing stands: right of the chosen part, else in the middle. */
  freeSpot(): Spot {
    const last = this.chosen[this.chosen.length - 1];
    const from = last ? this.places[last] : undefined;
    let [x, y]: Spot = from ? [from[0] + 230, from[1]] : (this.panes.center?.() ?? [0, 0]);
    const all = Object.values(this.places);
    while (all.some(([u, v]) => Math.abs(u - x) < 190 && Math.abs(v - y) < 80)) y += 100;
    return [x, y];
  }

  /** Add a part with its first fitting port at a port; it is chosen afterwards. */
  async addAt(name: string, from: string, at?: Spot): Promise<string | null> {
    const kind = this.kindOf(from);
    const fitting = (this.classes.known.get(name)?.ports ?? []).filter(
      ({ kind: other, when }) => !when && this.classes.fit(kind, other),
    );
    const port = fitting.find(({ name: own }) => own.endsWith("_a")) ?? fitting[0];
    const id = freeName(this.level, name);
    if (!at) {
      const owner = partOfPort(this.parts, from);
      if (this.parts.has(owner)) this.choose([owner]);
    }
    const operations: Operation[] = [
      {
        op: "add",
        part: { id, class: name, arguments: {} },
        at: (at ?? this.freeSpot()).map(snap),
      },
    ];
    if (port) operations.push({ op: "connect", a: from, b: `${id}.${port.name}` });
    const answer = await this.batch(operations, `Add ${id} at ${from}`);
    if (answer.error) return null;
    this.choose([id]);
    requestAnimationFrame(() => this.panes.see?.([id]));
    return id;
  }

  /** Begin to draw links in the 3-D view, or end it. */
  async draw(on: boolean): Promise<void> {
    this.pen = on ? { from: null } : null;
    this.hold = "free";
    if (!on) return;
    if (this.inside) {
      this.say("info", "Links are drawn in the whole model: the sub-model was closed.");
      this.inside = null;
    }
    this.tools = true;
    this.picked = [];
    this.pane = "view";
    if (![...this.parts.values()].some(({ class: name }) => name === "World"))
      await this.add("World");
    this.choose([]);
  }

  /** Draw a link from the last pin to another; the next one begins where it ends. */
  drawTo(to: Pin, normal: number[]): Promise<void> {
    this.drawn = this.drawn.then(async () => {
      const from = this.pen?.from;
      if (!this.pen) return;
      if (!from) {
        this.pen = { from: to };
        return;
      }
      const { hold } = this;
      this.fitDue = true;
      const answer = await this.ask({ op: "draw_link", from, to, normal, hold });
      if (answer.error || !this.pen) return;
      const goesOn = hold === "free" && !to.ports;
      this.pen = { from: goesOn ? { at: to.at, ports: [String(answer.frame)] } : null };
      this.hold = "free";
    });
    return this.drawn;
  }
  /** Is the whole diagram to be seen after the next edit? */
  private fitDue = false;
  private drawn: Promise<void> = Promise.resolve();

  connect(a: string, b: string): Promise<Answer> {
    return this.edit({ op: "connect", a, b, title: `Connect ${a} with ${b}` });
  }

  remove(): void {
    const wires = this.chosenWires.map(([a, b]) => ({ op: "disconnect", a, b }));
    const operations: Operation[] = [...wires];
    if (this.chosen.length) operations.push({ op: "remove", ids: this.chosen });
    if (!operations.length) return;
    const count = this.chosen.length;
    const what =
      count === 1
        ? this.chosen[0]
        : count
          ? `${count} parts`
          : wires.length > 1
            ? `${wires.length} wires`
            : "a wire";
    void this.batch(operations, `Remove ${what}`);
    this.chosen = [];
    this.chosenWires = [];
  }

  async undo(): Promise<void> {
    const answer = await this.ask({ op: "undo" });
    if (!answer.error && answer.title) this.say("info", `Undone: ${answer.title}`);
  }

  async redo(): Promise<void> {
    const answer = await this.ask({ op: "redo" });
    if (!answer.error && answer.title) this.say("info", `Redone: ${answer.title}`);
  }

  async copy(cut = false): Promise<void> {
    if (!this.chosen.length) return;
    const answer = await this.ask({
      op: "copy",
      ids: this.chosen,
      in: this.inside ?? undefined,
    });
    if (!answer.text && !answer.piece) return;
    const text: string = answer.text ?? JSON.stringify(answer.piece);
    clip = text;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // the clipboard of the system is not allowed: that of the page is enough
    }
    if (cut) this.remove();
    else
      this.say(
        "info",
        this.chosen.length === 1
          ? `Copied ${this.chosen[0]}.`
          : `Copied ${this.chosen.length} parts.`,
      );
  }

  async paste(): Promise<void> {
    let text = clip;
    try {
      const found = await navigator.clipboard.readText();
      if (found.trim().startsWith("{")) text = found;
    } catch {
      // as above
    }
    if (!text) {
      this.say("info", "Nothing was copied yet: choose parts and press Ctrl+C.");
      return;
    }
    const at = this.panes.center?.() ?? [0, 0];
    let piece: unknown;
    try {
      piece = JSON.parse(text);
    } catch {
      this.say("warning", "The clipboard holds no parts of a model.");
      return;
    }
    const answer = await this.edit({ op: "paste", piece, at: at.map(snap) });
    if (answer.ids) this.choose(answer.ids);
  }

  async duplicate(): Promise<void> {
    if (!this.chosen.length) return;
    const answer = await this.edit({ op: "duplicate", ids: this.chosen });
    if (answer.ids) this.choose(answer.ids);
  }

  move(at: Record<string, Spot>): void {
    const ids = Object.keys(at);
    if (!ids.length) return;
    const title = ids.length === 1 ? `Move ${ids[0]}` : `Move ${ids.length} parts`;
    void this.edit({ op: "place", at, title });
  }

  /** Move the chosen parts in the diagram by so much. */
  nudge(dx: number, dy: number): void {
    const at: Record<string, Spot> = {};
    for (const id of this.chosen) {
      const [x, y] = this.places[id];
      at[id] = [x + dx, y + dy];
    }
    if (this.chosen.length)
      void this.edit({
        op: "place",
        at,
        merge: `nudge ${this.chosen.join()}`,
        title: `Move ${this.chosen.length === 1 ? this.chosen[0] : `${this.chosen.length} parts`}`,
      });
  }

  align(how: string): void {
    if (this.chosen.length > 1) void this.edit({ op: "align", ids: this.chosen, how });
  }

  async simulate(): Promise<void> {
    const answer = await this.ask({ op: "simulate" });
    this.awaited = String(answer.run ?? "");
    const fault = answer.error ?? (this.looked === this.revision ? this.errors[0] : undefined);
    if (fault) {
      this.dock = "messages";
      this.goTo(fault);
    }
  }

  cancel(): void {
    for (const { id } of this.running) void this.ask({ op: "cancel", run: id });
  }

  /** The arrays of variables of a run; asked for once. */
  series(run: string, names: string[]): Promise<Series> {
    const key = `${run} ${names.join(" ")}`;
    const known = this.seriesOf.get(key);
    if (known) return known;
    const asked = this.ask({ op: "variables", run, names }, true).then((answer) => {
      if (answer.error) {
        this.seriesOf.delete(key);
        return { time: [], values: {}, units: {}, events: [] };
      }
      return {
        time: answer.time ?? [],
        values: answer.values ?? {},
        units: answer.units ?? {},
        events: answer.events ?? [],
        coarse: Boolean(answer.coarse),
      };
    });
    this.seriesOf.set(key, asked);
    return asked;
  }

  /** Show runs over each other in the view. */
  async showRuns(ids: string[]): Promise<void> {
    this.compared = ids;
    if (ids.length === 1) void this.ask({ op: "play", run: ids[0] });
    else if (ids.length) {
      const answers = await Promise.all(
        ids.map((run) => this.ask({ op: "play", run, only: true }, true)),
      );
      const found = answers.filter(({ run }) => run).map(({ run }) => run as unknown);
      if (found.length) this.panes.showRuns?.(found);
    }
  }

  /** A drag in the 3-D view: the server moves the mechanism; at its end it is one edit. */
  drag(message: object): void {
    this.link?.send({ ...message, client: this.link.client, revision: this.revision });
  }

  // ---- files

  async save(): Promise<void> {
    if (!this.file) {
      this.dialog = { kind: "save_as" };
      return;
    }
    const answer = await this.ask({ op: "save" });
    if (!answer.error) this.say("info", `Saved ${this.file}.`);
  }

  async export(operation: Operation, show = false): Promise<void> {
    if (operation.op === "export_film") this.say("info", "The film is drawn …");
    const answer = await this.ask(operation);
    if (answer.error) return;
    const name = String(answer.name ?? "export");
    if (typeof answer.text === "string") {
      if (show) this.dialog = { kind: "source", title: name, name, text: answer.text };
      else download(name, new Blob([answer.text], { type: "text/plain" }));
    } else if (typeof answer.base64 === "string") {
      const bytes = Uint8Array.from(atob(answer.base64), (char) => char.charCodeAt(0));
      download(name, new Blob([bytes]));
    } else if (answer.path) this.say("info", `Written: ${answer.path}`);
    for (const lost of answer.lost ?? []) this.say("warning", String(lost));
  }

  say(level: Toast["level"], text: string, remedy?: string): void {
    const id = ++this.toastCount;
    const others = untrack(() => this.toasts)
      .filter((one) => one.text !== text)
      .slice(-3);
    this.toasts = [...others, { id, level, text, remedy }];
    setTimeout(() => this.unsay(id), level === "error" ? 4 * STAY : STAY);
  }

  unsay(id: number): void {
    this.toasts = this.toasts.filter((one) => one.id !== id);
  }

  setTheme(theme: Studio["theme"]): void {
    this.theme = theme;
    store("theme", theme);
  }

  /** Is an automatic layout wanted for a document that came without places? */
  takeLayoutWish(): boolean {
    const wish = this.wantsLayout;
    this.wantsLayout = false;
    return wish;
  }
}

let clip = "";

/** Is a field among the main values that the diagram shows? */
export function isShown(field: FieldInfo): boolean {
  return (
    !field.is_start && !["color", "visual", "law", "size", "shape", "file"].includes(field.kind)
  );
}

function titleOf(said: unknown): string | null {
  if (typeof said === "string") return said;
  return said ? "" : null;
}

/** The place that a fault is about: "crank.phi", "crank.frame_a", "crank", "". */
export function placeOf({ part, port, field }: Fault): string {
  const inner = port || field;
  if (!part || !inner) return part || port || "";
  return inner.startsWith(`${part}.`) ? inner : `${part}.${inner}`;
}

export function faultText(fault: Fault): string {
  const { text } = fault;
  const place = placeOf(fault);
  return place && !text.startsWith(place) ? `${place}: ${text}` : text;
}

export function download(name: string, data: Blob): void {
  const address = URL.createObjectURL(data);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Settings of the page that the browser keeps, where it may. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`motorik.studio.${name}`);
  } catch {
    return null;
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(`motorik.studio.${name}`, value);
  } catch {
    // not allowed here: it is forgotten with the page
  }
}

export const studio = new Studio();
