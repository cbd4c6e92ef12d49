/** Keyboard shortcuts, and the page that lists them. */

import { button, element } from "./dom";

export interface Shortcut {
  keys: string[];
  label: string;
  text: string;
  act: () => void;
}

/** Call the shortcut of a key; true if there is one. */
function press(shortcuts: Shortcut[], event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.composedPath()[0];
  const typing =
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && target.type !== "range");
  if (typing && event.key !== "Escape") return false;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const name = event.shiftKey && key.length > 1 ? `Shift+${key}` : key;
  const found = shortcuts.find(({ keys }) => keys.includes(name));
  found?.act();
  return found !== undefined;
}

/** Let keys that are pressed on a target act; what is returned ends it. */
export function listen(target: EventTarget, shortcuts: Shortcut[]): () => void {
  const type = (event: Event): void => {
    if (press(shortcuts, event as KeyboardEvent)) event.preventDefault();
  };
  target.addEventListener("keydown", type);
  return () => target.removeEventListener("keydown", type);
}

export function makeHelp(shortcuts: Shortcut[]): HTMLElement {
  const list = element("dl");
  for (const { label, text } of shortcuts)
    list.append(element("dt", {}, element("kbd", {}, label)), element("dd", {}, text));
  const mouse = element("dl");
  for (const [what, does] of [
    ["drag", "turn; with the right button or two fingers: move"],
    ["wheel, pinch", "come nearer, go away"],
    ["click on a part", "its values now, and plots of them"],
    ["drag a part", "in a live model: move it, loops stay closed"],
    ["plots, time axis", "click or drag: go to that time"],
  ])
    mouse.append(element("dt", {}, what), element("dd", {}, does));
  const help = element("div", { class: "help", role: "dialog", "aria-label": "Help" });
  const close = button("Close", "Close (Esc)", () => (help.hidden = true));
  const heading = element("h2", {}, "Keys and pointer");
  help.append(element("div", {}, heading, list, mouse, element("p", {}, close)));
  help.hidden = true;
  help.addEventListener("click", (event) => {
    if (event.target === help) help.hidden = true;
  });
  return help;
}
