/** Actions: everything that the page can do, by menu, by button and by key. */

import { studio } from "./studio.svelte";

export interface Action {
  id: string;
  menu: string;
  title: string;
  /** Keys: "Ctrl+Z", "Delete", "F5"; Ctrl stands for Cmd on a Mac. */
  keys?: string[];
  enabled?: () => boolean;
  checked?: () => boolean;
  act: () => unknown;
  /** A line above it in its menu. */
  apart?: boolean;
}

const some = (): boolean => studio.chosen.length > 0;
const several = (): boolean => studio.chosen.length > 1;
const one = (): boolean => studio.chosen.length === 1;
const ran = (): boolean => studio.done.length > 0;
const newestRun = (): string | undefined =>
  studio.compared[0] ?? studio.done[studio.done.length - 1]?.id;
/** The states of a run, and what is plotted. */
const exportResult = (form: string): Promise<void> =>
  studio.export({
    op: "export_result",
    form,
    run: newestRun(),
    names: [...new Set((studio.document.panels ?? []).flatMap((one) => one.variables))],
  });
const chosenModel = (): string | null => {
  const part = one() ? studio.parts.get(studio.chosen[0]) : undefined;
  return part?.class.startsWith("#") ? part.class.slice(1) : null;
};
const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

export const actions: Action[] = [
  // File
  {
    id: "new",
    menu: "File",
    title: "New …",
    keys: ["Alt+N"],
    act: () => (studio.dialog = { kind: "start" }),
  },
  {
    id: "open",
    menu: "File",
    title: "Open …",
    keys: ["Ctrl+O"],
    act: () => (studio.dialog = { kind: "open" }),
  },
  {
    id: "save",
    menu: "File",
    title: "Save",
    keys: ["Ctrl+S"],
    act: () => studio.save(),
    apart: true,
  },
  {
    id: "save_as",
    menu: "File",
    title: "Save as …",
    keys: ["Ctrl+Shift+S"],
    act: () => (studio.dialog = { kind: "save_as" }),
  },
  {
    id: "import",
    menu: "File",
    title: "Import Python source …",
    keys: ["Ctrl+I"],
    act: () => (studio.dialog = { kind: "import" }),
    apart: true,
  },
  {
    id: "export_python",
    menu: "File",
    title: "Export Python …",
    keys: ["Ctrl+E"],
    act: () => studio.export({ op: "export_source", form: "python" }, true),
    apart: true,
  },
  {
    id: "export_mobile",
    menu: "File",
    title: "Export MOBILE program …",
    keys: ["Ctrl+Shift+E"],
    act: () => studio.export({ op: "export_source", form: "mobile" }, true),
  },
  {
    id: "export_csv",
    menu: "File",
    title: "Export result: CSV",
    keys: ["Alt+C"],
    enabled: ran,
    act: () => exportResult("csv"),
    apart: true,
  },
  {
    id: "export_xlsx",
    menu: "File",
    title: "Export result: Excel",
    keys: ["Alt+X"],
    enabled: ran,
    act: () => exportResult("xlsx"),
  },
  {
    id: "export_nc",
    menu: "File",
    title: "Export result: NetCDF",
    keys: ["Alt+Y"],
    enabled: ran,
    act: () => exportResult("nc"),
  },
  {
    id: "export_picture",
    menu: "File",
    title: "Export picture",
    keys: ["Alt+P"],
    act: () => studio.export({ op: "export_picture" }),
    apart: true,
  },
  {
    id: "export_film",
    menu: "File",
    title: "Export film",
    keys: ["Alt+F"],
    enabled: ran,
    act: () => studio.export({ op: "export_film", run: newestRun() }),
  },
  {
    id: "export_html",
    menu: "File",
    title: "Export as one HTML page",
    keys: ["Alt+H"],
    act: () => studio.export({ op: "export_html", run: newestRun() }),
  },
  // Edit
  {
    id: "undo",
    menu: "Edit",
    title: "Undo",
    keys: ["Ctrl+Z"],
    enabled: () => studio.canUndo !== null,
    act: () => studio.undo(),
  },
  {
    id: "redo",
    menu: "Edit",
    title: "Redo",
    keys: ["Ctrl+Y", "Ctrl+Shift+Z"],
    enabled: () => studio.canRedo !== null,
    act: () => studio.redo(),
  },
  {
    id: "cut",
    menu: "Edit",
    title: "Cut",
    keys: ["Ctrl+X"],
    enabled: some,
    act: () => studio.copy(true),
    apart: true,
  },
  {
    id: "copy",
    menu: "Edit",
    title: "Copy",
    keys: ["Ctrl+C"],
    enabled: some,
    act: () => studio.copy(),
  },
  { id: "paste", menu: "Edit", title: "Paste", keys: ["Ctrl+V"], act: () => studio.paste() },
  {
    id: "duplicate",
    menu: "Edit",
    title: "Duplicate",
    keys: ["Ctrl+D"],
    enabled: some,
    act: () => studio.duplicate(),
  },
  {
    id: "delete",
    menu: "Edit",
    title: "Delete",
    keys: ["Delete", "Backspace"],
    enabled: () => some() || studio.chosenWires.length > 0,
    act: () => studio.remove(),
  },
  {
    id: "all",
    menu: "Edit",
    title: "Choose all",
    keys: ["Ctrl+A"],
    act: () => studio.choose([...studio.parts.keys()]),
    apart: true,
  },
  {
    id: "none",
    menu: "Edit",
    title: "Choose nothing",
    keys: ["Escape"],
    act: () => {
      if (studio.pen) {
        if (studio.pen.from) studio.pen = { from: null };
        else void studio.draw(false);
        return;
      }
      studio.choose([]);
      studio.chosenWires = [];
      studio.picked = [];
      studio.lit = new Set();
      studio.big = null;
    },
  },
  {
    id: "find",
    menu: "Edit",
    title: "Find a part …",
    keys: ["Ctrl+F"],
    act: () => (studio.dialog = { kind: "find" }),
  },
  {
    id: "rename",
    menu: "Edit",
    title: "Rename …",
    keys: ["F2"],
    enabled: one,
    act: () => (studio.dialog = { kind: "rename", id: studio.chosen[0] }),
  },
  // Model
  {
    id: "insert",
    menu: "Model",
    title: "Add a part …",
    keys: ["Insert", "/"],
    act: () => (studio.dialog = { kind: "insert" }),
  },
  {
    id: "connect",
    menu: "Model",
    title: "Connect ports …",
    keys: ["C"],
    act: () => (studio.dialog = { kind: "connect" }),
  },
  {
    id: "note",
    menu: "Model",
    title: "Add a note …",
    keys: ["N"],
    act: () => (studio.dialog = { kind: "note", id: null }),
  },
  {
    id: "tools",
    menu: "Model",
    title: "Tool bar: frames and loops",
    keys: ["T"],
    checked: () => studio.tools,
    act: () => {
      studio.tools = !studio.tools;
      studio.pen = null;
    },
  },
  {
    id: "draw",
    menu: "Model",
    title: "Draw links in the 3-D view",
    keys: ["K"],
    checked: () => studio.pen !== null,
    act: () => studio.draw(studio.pen === null),
  },
  {
    id: "group",
    menu: "Model",
    title: "Group into a sub-model …",
    keys: ["Ctrl+G"],
    enabled: some,
    act: () => (studio.dialog = { kind: "group" }),
    apart: true,
  },
  {
    id: "ungroup",
    menu: "Model",
    title: "Ungroup",
    keys: ["Ctrl+Shift+G"],
    enabled: () => chosenModel() !== null,
    act: () => studio.edit({ op: "ungroup", id: studio.chosen[0] }),
  },
  {
    id: "enter",
    menu: "Model",
    title: "Open sub-model",
    keys: ["Enter"],
    enabled: () => chosenModel() !== null,
    act: () => {
      const name = chosenModel();
      studio.choose([]);
      studio.inside = name;
    },
  },
  {
    id: "leave",
    menu: "Model",
    title: "Close sub-model",
    keys: ["U"],
    enabled: () => studio.inside !== null,
    act: () => {
      studio.choose([]);
      studio.inside = null;
    },
  },
  {
    id: "layout",
    menu: "Model",
    title: "Arrange automatically",
    keys: ["L"],
    apart: true,
    act: async () => {
      await studio.edit(
        some() && several() ? { op: "layout", ids: studio.chosen } : { op: "layout" },
      );
      studio.panes.fit?.();
    },
  },
  {
    id: "align_left",
    menu: "Model",
    title: "Align left",
    keys: ["Alt+ArrowLeft"],
    enabled: several,
    act: () => studio.align("left"),
  },
  {
    id: "align_right",
    menu: "Model",
    title: "Align right",
    keys: ["Alt+ArrowRight"],
    enabled: several,
    act: () => studio.align("right"),
  },
  {
    id: "align_top",
    menu: "Model",
    title: "Align at the top",
    keys: ["Alt+ArrowUp"],
    enabled: several,
    act: () => studio.align("top"),
  },
  {
    id: "align_bottom",
    menu: "Model",
    title: "Align at the bottom",
    keys: ["Alt+ArrowDown"],
    enabled: several,
    act: () => studio.align("bottom"),
  },
  // Run
  {
    id: "simulate",
    menu: "Run",
    title: "Simulate",
    keys: ["F5", "Ctrl+Enter"],
    enabled: () => studio.running.length === 0,
    act: () => studio.simulate(),
  },
  {
    id: "stop",
    menu: "Run",
    title: "Stop",
    keys: ["Shift+F5"],
    enabled: () => studio.running.length > 0,
    act: () => studio.cancel(),
  },
  {
    id: "continue",
    menu: "Run",
    title: "Continue",
    keys: ["F6"],
    enabled: ran,
    act: () => studio.ask({ op: "simulate", continue: newestRun() }),
  },
  {
    id: "sweep",
    menu: "Run",
    title: "Sweep a parameter …",
    keys: ["F7"],
    act: () => (studio.dialog = { kind: "sweep" }),
  },
  {
    id: "settings",
    menu: "Run",
    title: "Duration and accuracy …",
    keys: ["F8"],
    act: () => (studio.dialog = { kind: "settings" }),
  },
  {
    id: "play",
    menu: "Run",
    title: "Play, pause",
    keys: ["Space"],
    apart: true,
    act: () => studio.panes.play?.(),
  },
  {
    id: "begin",
    menu: "Run",
    title: "To the start",
    keys: ["Home"],
    act: () => studio.panes.seek?.(studio.range[0]),
  },
  {
    id: "end",
    menu: "Run",
    title: "To the end",
    keys: ["End"],
    act: () => studio.panes.seek?.(studio.range[1]),
  },
  {
    id: "compare",
    menu: "Run",
    title: "Compare runs",
    keys: ["R"],
    enabled: ran,
    act: () => {
      studio.dock = "runs";
      studio.pane = "results";
    },
  },
  // View
  {
    id: "fit",
    menu: "View",
    title: "See the whole diagram",
    keys: ["F"],
    act: () => studio.panes.fit?.(),
  },
  {
    id: "big_diagram",
    menu: "View",
    title: "Large diagram",
    keys: ["1"],
    checked: () => studio.big === "diagram",
    act: () => {
      studio.big = studio.big === "diagram" ? null : "diagram";
      studio.pane = "diagram";
    },
  },
  {
    id: "big_view",
    menu: "View",
    title: "Large 3-D view",
    keys: ["2"],
    checked: () => studio.big === "view",
    act: () => {
      studio.big = studio.big === "view" ? null : "view";
      studio.pane = "view";
    },
  },
  {
    id: "big_results",
    menu: "View",
    title: "Large results",
    keys: ["3"],
    checked: () => studio.big === "results",
    act: () => {
      studio.big = studio.big === "results" ? null : "results";
      studio.pane = "results";
    },
  },
  {
    id: "catalogue",
    menu: "View",
    title: "Catalogue",
    keys: ["P"],
    apart: true,
    act: () => {
      studio.left = "catalogue";
      studio.pane = "parts";
      focusIn(".catalogue input");
    },
  },
  {
    id: "tree",
    menu: "View",
    title: "Model tree",
    keys: ["M"],
    act: () => {
      studio.left = "tree";
      studio.pane = "parts";
      focusIn(".tree [tabindex='0']");
    },
  },
  {
    id: "form",
    menu: "View",
    title: "Properties",
    keys: ["E"],
    act: () => {
      studio.side = "form";
      studio.pane = "form";
      focusIn(".form input, .form select");
    },
  },
  {
    id: "explain",
    menu: "View",
    title: "Explain: tree, loops, freedoms",
    keys: ["X"],
    act: () => {
      studio.side = "explain";
      studio.pane = "form";
    },
  },
  {
    id: "plots",
    menu: "View",
    title: "Plots",
    keys: ["G"],
    act: () => {
      studio.dock = "plots";
      studio.pane = "results";
      focusIn(".plots .pick input");
    },
  },
  {
    id: "messages",
    menu: "View",
    title: "Messages",
    keys: ["D"],
    act: () => {
      studio.dock = "messages";
      studio.pane = "results";
      focusIn(".messages button");
    },
  },
  {
    id: "dark",
    menu: "View",
    title: "Dark colours",
    keys: ["B"],
    apart: true,
    checked: () => studio.dark,
    act: () => studio.setTheme(studio.dark ? "light" : "dark"),
  },
  {
    id: "keys",
    menu: "Help",
    title: "Keys",
    keys: ["?"],
    act: () => (studio.dialog = { kind: "keys" }),
  },
];

export const MENUS = ["File", "Edit", "Model", "Run", "View", "Help"];

export function focusIn(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
}

export function isEnabled({ enabled }: Action): boolean {
  return enabled?.() ?? true;
}

export function run(id: string): void {
  const action = actions.find((known) => known.id === id);
  if (action && isEnabled(action)) void action.act();
}

/** The key of an event as actions name it. */
function nameOf(event: KeyboardEvent): string {
  const key =
    event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const shift =
    event.shiftKey && (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey);
  const ctrl = isMac ? event.metaKey : event.ctrlKey;
  return `${ctrl ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}${shift ? "Shift+" : ""}${key}`;
}

/** A key as people read it. */
export function keyText(key: string): string {
  const arrows: Record<string, string> = {
    ArrowLeft: "←",
    ArrowRight: "→",
    ArrowUp: "↑",
    ArrowDown: "↓",
  };
  const text = key
    .replace(/Arrow\w+/, (arrow) => arrows[arrow])
    .replace("Escape", "Esc")
    .replace("Delete", "Del");
  return isMac ? text.replace("Ctrl+", "⌘").replace("Shift+", "⇧").replace("Alt+", "⌥") : text;
}

const TYPES =
  "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]";

/** Act on a key; true if it was ours. */
export function press(event: KeyboardEvent): boolean {
  if (studio.dialog) return false;
  // the viewer takes Escape as well, but a link that is drawn comes first
  const ends = event.key === "Escape" && studio.pen !== null;
  if (event.defaultPrevented && !ends) return false;
  const target = event.composedPath()[0];
  const name = nameOf(event);
  const found = actions.find(({ keys }) => keys?.includes(name));
  if (!found) return false;
  if (target instanceof Element) {
    const types = target.matches(TYPES);
    const mayType =
      !/^(Ctrl|F\d|Shift\+F)/.test(name) || /^Ctrl\+[ACVXZY]$|^Ctrl\+Shift\+Z$/.test(name);
    if (types && name === "Escape") {
      (target as HTMLElement).blur();
      return true;
    }
    if (types && mayType) return false;
    if (
      target.matches("button, summary, [role=menuitem], [role=tab], [role=option]") &&
      ["Space", "Enter"].includes(name)
    )
      return false;
    if (window.getSelection()?.toString() && name === "Ctrl+C") return false;
  }
  if (!isEnabled(found)) return found.keys !== undefined && name.startsWith("Ctrl");
  void found.act();
  return true;
}
