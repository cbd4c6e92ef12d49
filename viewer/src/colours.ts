/** Colours: of roles, of runs, of the page in light and dark. */

import { Color, SRGBColorSpace } from "three";
import type { Scene, Shape } from "./scene";

const ROLES: Record<string, string> = {
  world: "#8a9099",
  ground: "#d5d9de",
  body: "#8fa9c4",
  mass: "#5f7f9f",
  joint: "#c8553d",
  drive: "#d99a2b",
  force: "#7a5ea8",
  spring: "#4f8a5b",
  damper: "#5c6672",
  contact: "#b5485f",
  sensor: "#3c8f92",
  signal: "#a7862e",
  arrow_force: "#2f6fb5",
  arrow_torque: "#b04a9c",
  frame: "#808080",
  trace: "#2f6fb5",
  text: "#30363d",
  ghost: "#9aa4af",
  error: "#d11f2f",
};

/** Colours that remain distinct with colour blindness. */
const SERIES = ["#2f6fb5", "#c8553d", "#3f8f55", "#b58a12", "#7a5ea8", "#2f8f99", "#b04a80"];

export interface Paper {
  background: string;
  grid: string;
  edge: string;
  text: string;
  /** Errors, and torques that hold a joint. */
  warn: string;
  hold: string;
  /** Colours of runs and of lines in plots. */
  series: string[];
}

export const LIGHT: Paper = {
  background: "#f6f7f9",
  grid: "#b9c0c9",
  edge: "#20262d",
  text: "#30363d",
  warn: "#c41a2a",
  hold: "#8d3480",
  series: SERIES,
};
export const DARK: Paper = {
  background: "#1d2126",
  grid: "#4a525c",
  edge: "#07090b",
  text: "#d6dbe1",
  warn: "#ff7a7a",
  hold: "#e59bd6",
  series: ["#6aa5e8", "#f0896f", "#7cc98f", "#e0bd4f", "#b79ce6", "#5fc6d0", "#e58fb8"],
};

export function colourOf(scene: Scene, shape: Shape): Color {
  if (shape.color) return new Color().setRGB(...shape.color, SRGBColorSpace);
  return new Color(roleColour(scene, shape.role));
}

export function roleColour(scene: Scene, role: string): string {
  const given = scene.palette?.[role] ?? "";
  return /^#[0-9a-f]{6}$/i.test(given) ? given : (ROLES[role] ?? ROLES.body);
}

/** Is the page around us dark? Notebooks have attributes for it, else the system decides. */
export function pageIsDark(): boolean {
  let page: Window | null = window;
  try {
    for (let depth = 0; depth < 4 && page; depth++) {
      const { body, documentElement: root } = page.document;
      const said = root.dataset.theme ?? root.getAttribute("theme") ?? body?.dataset.theme;
      if (said === "dark" || said === "light") return said === "dark";
      if (body?.dataset.jpThemeLight) return body.dataset.jpThemeLight === "false";
      if (body?.classList.contains("vscode-dark")) return true;
      if (body?.classList.contains("vscode-light")) return false;
      if (page.parent === page) break;
      page = page.parent;
    }
  } catch {
    // the page around us is of another origin and not accessible
  }
  return window.matchMedia("(prefers-color-scheme: dark)").matches;
}
