/** The viewer: one class, the same in a film, a notebook and a live page. */

import { Plane, Vector2, Vector3 } from "three";
import { Annotations } from "./annotations";
import { Bar } from "./bar";
import { CameraMan, type Preset } from "./camera";
import { Cast } from "./cast";
import { Choice } from "./choice";
import { DARK, LIGHT, pageIsDark, type Paper } from "./colours";
import { element } from "./dom";
import { Grip } from "./grip";
import { GripTools } from "./griptools";
import { listen, makeHelp } from "./keys";
import { Layout } from "./layout";
import { Loop } from "./loop";
import type { FromServer, ToServer } from "./messages";
import { Notices } from "./notices";
import { Panel, type WidgetGroup } from "./panel";
import { type Hit, Picker } from "./picker";
import { Player } from "./player";
import { Plots } from "./plots";
import { Pointer } from "./pointer";
import type { Run, Scene, Vector } from "./scene";
import { RunTitles } from "./runtitles";
import { makeShortcuts } from "./shortcuts";
import { isSame, Shown } from "./shown";
import { bytesOf, download, fileName, laidOver, SaveMenu, viewOf } from "./saving";
import { Stage } from "./stage";
import { STYLE } from "./style";
import { type Switch, SWITCHED, Tools } from "./tools";
import { LiveTrack, recorded } from "./track";
import { Transport } from "./transport";
import { Wheel } from "./wheel";

/** Milliseconds between two drawings of growing plots. */
const PLOT_PAUSE = 200;
const LAYERS = ["forces", "labels", "frames"] as const;

/** A viewer within a page that has a time axis, forms and messages of its own. */
export interface Embedding {
  /** A part was chosen with the pointer; null: none. */
  onChoose(path: string | null): void;
  /** A picture of this time was drawn. */
  onDraw(time: number): void;
}

export class Viewer {
  readonly player = new Player();
  readonly transport = new Transport(this.player, () => this.cast?.tracks ?? []);
  /** Number of pictures drawn, and their time. */
  readonly drawn = { count: 0, milliseconds: 0 };
  private readonly layout = new Layout();
  private readonly annotations = new Annotations();
  private readonly runTitles = new RunTitles();
  private readonly notices = new Notices();
  private readonly stage = new Stage();
  private readonly bar = new Bar(this.transport);
  private readonly tools: Tools;
  private readonly help: HTMLElement;
  private readonly panel = new Panel();
  private readonly picker = new Picker();
  private readonly grip = new Grip(this.picker, (message) => this.send(message));
  private readonly saving = new SaveMenu({
    picture: () => void this.savePicture(),
    ask: (form) =>
      this.cameraMan && this.send({ type: "save", form, view: viewOf(this.cameraMan) }),
  });
  private readonly gripTools = new GripTools(this.grip);
  private readonly pointer: Pointer;
  private readonly switches = { ...SWITCHED };
  private paper: Paper = LIGHT;
  private cast: Cast | null = null;
  private cameraMan: CameraMan | null = null;
  private choice: Choice | null = null;
  private plots: Plots | null = null;
  private readonly shown = new Shown();
  private readonly loop = new Loop((now, still) => this.draw(now, still), this.stage.software);
  private plotsDrawn = 0;
  private plotsDue = 0;
  private readonly deafen: () => void;
  private readonly wheel: Wheel;
  private readonly watchSize = new ResizeObserver(() => this.resize());

  /** A page of its own gives it all `keys`; elsewhere it listens while it has the focus. */
  constructor(
    host: HTMLElement,
    keys?: Window,
    private readonly embedding?: Embedding,
  ) {
    const shadow = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    const commands = {
      menu: this.saving.root,
      save: () => this.saving.open(!this.saving.isOpen),
      transport: this.transport,
      look: (preset: Preset) => {
        this.choice?.follow(null);
        this.cameraMan?.look(preset);
      },
      fit: () => this.cameraMan?.fit(),
      flip: (name: Switch) => this.flip(name),
      follow: () => this.choice?.toggleFollow(),
      nextRuns: () => this.shown.next() && this.setTracks(),
      help: () => (this.help.hidden = !this.help.hidden),
      clear: () => this.clear(),
    };
    const shortcuts = makeShortcuts(commands);
    this.tools = new Tools(commands);
    this.help = makeHelp(shortcuts);
    this.pointer = this.makePointer();
    this.stage.canvas.tabIndex = 0;
    this.tools.root.append(this.gripTools.root);
    const over = [this.stage.canvas, this.annotations.sheet.root, this.runTitles.root];
    const { layout } = this;
    layout.fill([...over, this.notices.root], this.tools.root, [this.bar.root, this.help]);
    layout.root.classList.toggle("embedded", embedding !== undefined);
    shadow.replaceChildren(element("style", {}, STYLE), layout.root);
    this.player.onChange = () => this.invalidate();
    this.panel.onSet = (id, value) => this.send({ type: "set", id, value });
    this.panel.onPress = (id) => this.send({ type: "press", id });
    this.notices.onPart = (path) => this.choice?.choose(this.choice.find(path));
    this.notices.onChange = () => this.showFaults();
    this.watchSize.observe(layout.root);
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", () => this.setDark(pageIsDark()));
    this.setDark(pageIsDark());
    this.deafen = listen(keys ?? layout.root, shortcuts);
    const fills = keys !== undefined && keys.top === keys.self;
    this.wheel = new Wheel(layout.stage, fills, () =>
      this.cameraMan?.setZooms(this.wheel.taken),
    );
  }

  /** Where messages to a server go; without it, the viewer plays recorded runs by itself. */
  set onSend(send: ((message: ToServer) => void) | null) {
    this.transport.send = send;
    this.gripTools.root.hidden = send === null;
    this.saving.offer(send !== null);
  }

  /** Show a scene; `same` mechanism, changed a little: it is seen from the same place. */
  load(scene: Scene, same = false): void {
    if (scene.format !== "motorik-scene" || scene.version !== 2)
      throw new Error(`This viewer shows scenes of version 2, not of ${scene.version}.`);
    const cast = new Cast(scene);
    const before = this.cast;
    before?.dispose();
    this.cast = cast;
    this.layout.name(scene);
    this.stage.world.add(cast.root);
    const known = before !== null && isSame(before.scene, scene);
    if (before && same && !known) this.shown.begin([], this.shown.mode);
    if (known || (before && same)) this.lookAgain(cast);
    else this.begin(cast);
    if (this.embedding) this.notices.clear();
    for (const { path, note } of scene.parts) if (note) this.notices.add("error", note, path);
  }

  /** Show the same mechanism with other visuals, from the same place, at the same time. */
  private lookAgain(cast: Cast): void {
    const { cameraMan, plots, choice } = this;
    if (!cameraMan || !plots) return;
    cameraMan.take(cast.scene);
    this.stage.prepare(cast.scene, cameraMan);
    this.makeSide(cast, cameraMan, plots);
    this.setTracks();
    this.choice!.choose(choice?.chosen ?? null);
    if (!this.shown.live) cameraMan.see(cast.outline());
  }

  private begin(cast: Cast): void {
    const { scene } = cast;
    this.cameraMan?.controls.dispose();
    const cameraMan = new CameraMan(scene, this.stage.canvas);
    cameraMan.onChange = () => this.invalidate();
    cameraMan.setZooms(this.wheel.taken);
    this.cameraMan = cameraMan;
    this.stage.prepare(scene, cameraMan);
    this.makeSide(cast, cameraMan, new Plots(scene.channels ?? []));
    const runs = (scene.runs ?? []).map((run, i) => recorded(scene, run, i + 1));
    this.shown.begin(runs, scene.view?.runs ?? "over");
    this.player.speed = runs[0]?.speed ?? 1;
    this.notices.clear();
    this.setTracks();
    this.open(scene);
  }

  /** Show these runs in place of all before; without any, the pose of the scene. */
  showRuns(found: Run[]): void {
    if (!this.cast) return;
    const { scene } = this.cast;
    const runs = found.map((run, i) => recorded(scene, run, i + 1));
    this.shown.begin(runs, this.shown.mode);
    if (runs.length) this.player.speed = runs[0].speed;
    this.setTracks();
    if (runs.length) this.cameraMan?.see(this.cast.outline());
  }

  /** Mark parts, by their paths or those of the models that they are in; others as faulty. */
  mark(paths: Iterable<string>, faulty: Iterable<string>): void {
    const { cast, choice } = this;
    if (!cast || !choice) return;
    const numbers = (wanted: Iterable<string>): number[] =>
      [...wanted].flatMap((path) =>
        cast.scene.parts.flatMap((part, k) =>
          part.path === path || part.path.startsWith(`${path}.`) ? [k] : [],
        ),
      );
    choice.lit = numbers(paths);
    choice.faulty = numbers(faulty);
    choice.mark();
    this.invalidate();
  }

  /** Where a point of a rigid group is seen, in pixels of the picture; null if it is not. */
  placeOf(group: number, r: Vector): { x: number; y: number } | null {
    const { cast, cameraMan, stage, annotations } = this;
    const figure = cast?.figures[0];
    if (!figure?.groups[group] || !cameraMan) return null;
    const { width, height } = stage;
    const pane = { figure, left: 0, width, height };
    return annotations.sheet.project(
      figure.pointAt(group, r, new Vector3()),
      cameraMan.camera,
      pane,
    );
  }

  /** Where a point of a rigid group is in the world [m]. */
  pointOf(group: number, r: Vector): Vector | null {
    const figure = this.cast?.figures[0];
    if (!figure?.groups[group]) return null;
    return figure.pointAt(group, r, new Vector3()).toArray();
  }

  /** Where the line of sight through a pixel of the picture meets a plane [m]. */
  meet(x: number, y: number, point: Vector, normal: Vector): Vector | null {
    if (!this.cameraMan) return null;
    const { width, height } = this.stage;
    const at = new Vector2((2 * x) / width - 1, 1 - (2 * y) / height);
    const plane = new Plane().setFromNormalAndCoplanarPoint(
      new Vector3(...normal),
      new Vector3(...point),
    );
    return this.picker.meet(at, this.cameraMan.camera, plane)?.toArray() ?? null;
  }

  /** Keep the camera where it is while something is drawn; with a height [m]: see so much. */
  stay(on: boolean, height?: number): void {
    if (on) this.cameraMan?.stay(height);
    else this.cameraMan?.fit();
    this.invalidate();
  }

  /** The direction in which the camera looks. */
  get sight(): Vector {
    const found = new Vector3(0, 0, -1);
    return (this.cameraMan?.camera.getWorldDirection(found) ?? found).toArray();
  }

  addRun(run: Run): void {
    if (!this.cast) return;
    const { runs } = this.shown;
    runs.push(recorded(this.cast.scene, run, runs.length + 1));
    this.setTracks();
  }

  /** Frames of a model that runs: Float64 t, Float32 poses, Float32 values of each. */
  frame(data: ArrayBuffer): void {
    const { cast, shown } = this;
    if (!cast) return;
    const live = shown.live ?? new LiveTrack(cast.scene);
    if (!live.push(data)) return;
    const fresh = live !== shown.live;
    shown.live = live;
    if (fresh) this.setTracks();
    this.player.playing = false;
    this.player.setRange(live.first, live.last);
    this.player.seek(live.last);
    const pause = this.plotsDrawn + PLOT_PAUSE - performance.now();
    clearTimeout(this.plotsDue);
    if (pause <= 0) this.extendPlots();
    else this.plotsDue = window.setTimeout(() => this.extendPlots(), pause);
  }

  /** Let plots and the time axis reach as far as the run. */
  private extendPlots(): void {
    const { live } = this.shown;
    if (!live || !this.cast) return;
    this.plotsDrawn = performance.now();
    this.plots?.extend(live.first, live.last);
    this.bar.setRange(live.first, live.last, live.events);
  }

  /** Would Escape close something within it? */
  get isBusy(): boolean {
    return !this.help.hidden || this.saving.isOpen || (this.choice?.chosen ?? null) !== null;
  }

  setPanel(groups: WidgetGroup[]): void {
    this.panel.setGroups(groups);
    this.arrange();
  }

  /** Act on a message of a server. */
  receive(message: FromServer): void {
    if (message.type === "scene") this.load(message.scene);
    else if (message.type === "panel") this.setPanel(message.groups);
    else if (message.type === "values") this.panel.setValues(message.widgets);
    else if (message.type === "notice")
      this.notices.add(message.level, message.text, this.choice?.owner(message.part ?? ""));
    else if (message.type === "readings") this.choice?.hear(message.parts);
    else if (message.type === "file") download(message.name, bytesOf(message.data));
    else if (message.type === "run") this.replaceRun(message.run);
    else if (message.type === "state") {
      this.transport.state = message;
      this.notices.setStatus(message.message ?? "", message.holding ?? "");
      if (message.hands) this.gripTools.offer(message.hands);
      this.annotate();
    }
  }

  /** Save the picture as it is seen, with its words. */
  async savePicture(): Promise<void> {
    if (!this.cast) return;
    this.draw(performance.now(), true); // a canvas keeps its picture within one task only
    const found = await laidOver([this.stage.canvas, this.annotations.sheet.root]);
    if (found) download(fileName(this.cast.scene.title, "png"), found);
  }

  connected(on: boolean): void {
    this.notices.setLink(on);
  }

  setDark(dark: boolean): void {
    this.paper = dark ? DARK : LIGHT;
    this.layout.root.classList.toggle("dark", dark);
    this.stage.setPaper(this.paper);
    if (this.cast) this.setTracks();
  }

  dispose(): void {
    this.player.playing = false;
    this.deafen();
    this.wheel.dispose();
    this.loop.stop();
    clearTimeout(this.plotsDue);
    this.watchSize.disconnect();
    this.cast?.dispose();
    this.cast = null;
    this.cameraMan?.controls.dispose();
    this.stage.dispose();
  }

  /** A run that takes the place of the one before, at the same time of it. */
  private replaceRun(run: Run): void {
    const { cast, shown } = this;
    if (!cast) return;
    const track = recorded(cast.scene, run, 1);
    if (!shown.runs.length) this.player.speed = track.speed;
    shown.replace(track);
    this.setTracks();
    this.cameraMan?.see(cast.outline());
  }

  private setTracks(): void {
    const { cast, shown, paper } = this;
    if (!cast) return;
    const { tracks, mode } = shown.seen(cast.scene);
    cast.set(tracks, mode, paper);
    this.stage.shadow.setFigures(cast.figures);
    for (const layer of LAYERS) cast.showLayer(layer, this.switches[layer]);
    cast.setGhosts(this.switches.ghosts, paper);
    const first = Math.min(...tracks.map((track) => track.first));
    const last = Math.max(...tracks.map((track) => track.last));
    this.player.setRange(first, last);
    const events = tracks.flatMap((track) => track.events);
    this.bar.setRange(first, last, events);
    this.plots?.setTracks(tracks, first, last, paper.series);
    this.tools.showRuns(shown, tracks);
    const named = shown.count > 1 ? tracks : [];
    this.runTitles.show(named, cast.mode === "over", paper.series);
    this.choice?.mark();
    this.annotate();
    this.resize();
  }

  /** Texts over the picture. */
  private annotate(): void {
    const { cast, switches } = this;
    if (!cast) return;
    const said = { faults: this.notices.faults, holds: this.transport.state?.holds ?? {} };
    this.annotations.set(cast, { names: switches.labels, frames: switches.frames, ...said });
    this.invalidate();
  }

  /** Errors are marked at their parts; their texts cover nothing. */
  private showFaults(): void {
    const { cast, choice, cameraMan, notices } = this;
    if (!cast || !choice || !cameraMan) return;
    const faulty = [...notices.faults.keys()].map((path) => choice.find(path));
    choice.faulty = faulty.filter((part): part is number => part !== null);
    choice.mark();
    this.annotate();
    cameraMan.below = notices.height;
    if (!this.grip.holds) this.resize();
  }

  /** The initial view. */
  private open(scene: Scene): void {
    const { cast, cameraMan, plots, switches } = this;
    if (!cast || !cameraMan || !plots) return;
    const view = scene.view ?? {};
    for (const layer of LAYERS) {
      switches[layer] = view[layer] ?? layer === "forces";
      this.tools.offer(layer, layer === "labels" || cast.has(layer));
    }
    switches.traces = view.traces ?? true;
    if (view.orthographic !== undefined) cameraMan.setOrthographic(view.orthographic);
    switches.orthographic = cameraMan.isOrthographic;
    for (const names of view.plots ?? [])
      plots.add(names.map((name) => plots.find(name)).filter((channel) => channel >= 0));
    this.setTracks();
    this.arrange();
    cameraMan.look((view.camera as Preset | Vector) ?? (scene.plane ? "front" : "iso"));
    if (view.follow !== undefined) this.choice?.follow(this.choice.find(view.follow));
    if (view.time !== undefined) this.player.seek(view.time);
  }

  private makeSide(cast: Cast, cameraMan: CameraMan, plots: Plots): void {
    const choice = new Choice(cast, cameraMan, this.picker, () => this.arrange());
    choice.ask = (part) => this.send({ type: "watch", part });
    choice.inspector.onPlot = (channel) => this.plots?.add([channel]);
    this.choice?.tip.remove();
    this.layout.stage.append(choice.tip);
    this.choice = choice;
    this.plots = plots;
    plots.onSeek = (time) => this.transport.seek(time);
    plots.onChange = () => this.arrange();
    this.layout.side.replaceChildren(this.panel.root, choice.inspector.root, plots.root);
  }

  /** Open or close the side panel, by its content. */
  private arrange(): void {
    if (this.embedding) return;
    const chosen = (this.choice?.chosen ?? null) !== null;
    const something = chosen || Boolean(this.plots?.count) || this.panel.count > 0;
    if (this.layout.showSide(something && this.switches.side)) {
      this.choice?.hover(null, 0, 0, 0);
      this.resize();
    }
    this.invalidate();
  }

  private resize(): void {
    const [width, height] = this.layout.measure() ?? [0, 0];
    if (!width) return;
    this.stage.resize(width, height);
    const views = this.cast?.mode === "side" ? this.cast.figures.length : 1;
    this.cameraMan?.resize(width / views / height, this.grip.holds);
    this.plots?.draw();
    this.invalidate();
  }

  private flip(name: Switch): void {
    const { switches, cast, cameraMan } = this;
    if (!cast) return;
    if (name === "side" && !this.layout.isSideOpen && switches.side) {
      // nothing is open yet: offer a plot
      if (!this.plots?.count) this.plots?.add((cast.scene.channels ?? []).length ? [0] : []);
    } else switches[name] = !switches[name];
    if (name === "orthographic") cameraMan?.setOrthographic(switches.orthographic);
    else if (name === "ghosts") cast.setGhosts(switches.ghosts, this.paper);
    else if (name === "side") this.arrange();
    else if (name !== "traces") cast.showLayer(name, switches[name]);
    this.annotate();
  }

  private clear(): void {
    this.pointer.cancel();
    this.help.hidden = true;
    this.saving.open(false);
    this.choice?.follow(null);
    this.choice?.choose(null);
  }

  private makePointer(): Pointer {
    const floor = {
      canvas: this.stage.canvas,
      cameraMan: () => this.cameraMan,
      cast: () => this.cast,
      plane: () => this.cast?.scene.plane ?? null,
      canDrag: () => this.transport.send !== null,
      hover: (hit: Hit | null, x: number, y: number) =>
        this.choice?.hover(hit, x, y, this.stage.width),
      choose: (hit: Hit | null) => this.take(hit?.part ?? null),
      hold: ({ part }: Hit) => this.layout.isSideOpen && this.choice?.choose(part),
      changed: () => this.invalidate(),
    };
    return new Pointer(floor, this.picker, this.grip);
  }

  /** A part was clicked. */
  private take(part: number | null): void {
    if (!this.embedding) this.choice?.choose(part);
    else this.embedding.onChoose(part === null ? null : this.cast!.scene.parts[part].path);
  }

  private send(message: ToServer): void {
    this.transport.send?.(message);
  }

  private invalidate(): void {
    this.loop.request();
  }

  private draw(now: number, still: boolean): void {
    const { cast, cameraMan } = this;
    if (!cast || !cameraMan) return;
    const started = performance.now();
    this.player.tick(now);
    const { time } = this.player;
    cast.update(time, this.switches.traces);
    if (this.shown.live && !this.grip.holds) cameraMan.keepInView(cast.figures[0]);
    this.choice?.update(time);
    this.stage.render(cameraMan, cast.figures, cast.mode === "side", !still);
    this.annotations.hand = this.grip.handWith(this.transport.state?.stiffness ?? 0);
    this.annotations.draw(cast, cameraMan, this.stage, this.paper);
    this.bar.show();
    this.tools.show(this.switches);
    this.plots?.show(time, cast.values);
    this.embedding?.onDraw(time);
    this.drawn.count += 1;
    this.drawn.milliseconds += performance.now() - started;
    if (this.player.playing) this.invalidate();
  }
}
