/** Elements of a page. Text is only ever set as text, never as HTML. */

import { icon } from "./icons";

type Child = Node | string | null | undefined | false;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child): child is Node | string => Boolean(child)));
  return made;
}

export function button(
  text: string,
  title: string,
  press: () => void,
  kind = "",
): HTMLButtonElement {
  const made = element(
    "button",
    { type: "button", title, "aria-label": title, class: kind },
    text,
  );
  made.addEventListener("click", () => press());
  return made;
}

/** A button with an icon in place of a word. */
export function iconButton(
  name: string,
  title: string,
  press: () => void,
  kind = "",
): HTMLButtonElement {
  const made = button("", title, press, `icon ${kind}`);
  made.append(icon(name));
  return made;
}

export function setPressed(made: HTMLElement, on: boolean): void {
  made.setAttribute("aria-pressed", String(on));
}

/** A number as people write it: four digits, an exponent only where it is needed. */
export function digits(value: number, count = 4): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6))
    return value.toExponential(count - 2).replaceAll("-", "−");
  return String(Number(value.toPrecision(count))).replace("-", "−");
}

/** Values below are what rounding leaves of nothing. */
const NOTHING = 1e-12;

/** A value with its unit; angles in degrees as well. */
export function quantity(found: number, unit: string): string {
  const value = Math.abs(found) < NOTHING ? 0 : found;
  const plain = unit && unit !== "1" ? `${digits(value)} ${unit}` : digits(value);
  return unit === "rad" ? `${plain} = ${digits((value * 180) / Math.PI)}°` : plain;
}
