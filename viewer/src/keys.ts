/** Keyboard shortcuts, and the page that lists them. */

import { button, element } from "./dom";

export interface Shortcut {
  keys: string[];
  label: string;
  text: string;
  act: () => void;
}

/** Keys by which a slider is moved. */
const SLIDES = ["Left", "Right", "Up", "Down"].map((way) => `Arrow${way}`);
SLIDES.push("Home", "End", "PageUp", "PageDown");
/** Keys by which a button is pressed. */
const PRESSES = [" ", "Enter"];

/** Does a key act on the control that has the focus? Then it does nothing else. */
function isOwn(target: EventTarget | undefined, key: string): boolean {
  if (key === "Escape" || !(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === "range")
    // the time goes from row to row by the same keys
    return SLIDES.includes(key) && !target.classList.contains("time");
  // a button that was clicked has the focus as well, but keys are not meant for it
  if (target.matches("button, summary"))
    return PRESSES.includes(key) && target.matches(":focus-visible");
  return target.matches("input, select, textarea") || target.isContentEditable;
}

/** Call the shortcut of a key; true if there is one. */
function press(shortcuts: Shortcut[], event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (isOwn(event.composedPath()[0], event.key)) return false;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const name = event.shiftKey && key.length > 1 ? `Shift+${key}` : key;
  const found = shortcuts.find(({ keys }) => keys.includes(name));
  found?.act();
  return found !== undefined;
}

/** Attach keyboard shortcuts to a target; returns a function that detaches them. */
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
    ["wheel, pinch", "come nearer, go away; within a notebook after a click"],
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
