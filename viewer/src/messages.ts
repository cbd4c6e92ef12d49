/** Messages between a live page and its server. */

import type { DragMessage, DragMode } from "./grip";
import type { WidgetGroup } from "./panel";
import type { Told } from "./readings";
import type { Form, View } from "./saving";
import type { Run, Scene } from "./scene";

export interface State {
  type: "state";
  t: number;
  running: boolean;
  /** null: as fast as it can. */
  speed: number | null;
  mode: string;
  message?: string;
  /** The torques that hold the pose, in words. */
  holding?: string;
  /** The same for each coordinate by its name. */
  holds?: Record<string, string>;
  /** The spring by which a hand pulls [N/m]; 0: none. */
  stiffness?: number;
  /** What dragging a part may do here. */
  hands?: DragMode[];
}

export interface Notice {
  type: "notice";
  level: "info" | "warning" | "error";
  part?: string | null;
  text: string;
}

export type FromServer =
  | { type: "scene"; scene: Scene }
  | { type: "panel"; groups: WidgetGroup[] }
  | State
  | { type: "run"; run: Run }
  | { type: "values"; widgets: Record<string, number | boolean | string | null> }
  | { type: "readings"; parts: Record<string, Told> }
  | { type: "file"; name: string; data: string }
  | Notice;

export type ToServer =
  | { type: "set"; id: string; value: number | boolean | string }
  | { type: "press"; id: string }
  | { type: "play" }
  | { type: "pause" }
  | { type: "reset"; own?: boolean }
  | { type: "step"; dt: number }
  | { type: "speed"; value: number | null }
  | { type: "seek"; t: number }
  | { type: "watch"; part: number }
  | { type: "save"; form: Form; view: View }
  | DragMessage;
