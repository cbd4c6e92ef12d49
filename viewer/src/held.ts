/** The link between the dragged point and the pointer: a line, or the spring that pulls. */

import type { Camera } from "three";
import { digits } from "./dom";
import type { Hand } from "./grip";
import type { Paper } from "./colours";
import type { Pane, Sheet, Spot } from "./sheet";

const COILS = 9;
/** Pixels between the hand and the force that is written there. */
const BEYOND = 34;
const ORANGE = "#f07800";

/** Draw it; a spring is seen as one, with its force. */
export function drawHeld(
  sheet: Sheet,
  { held, target, stiffness }: Hand,
  camera: Camera,
  pane: Pane,
  paper: Paper,
): void {
  const from = sheet.project(held, camera, pane);
  const to = sheet.project(target, camera, pane);
  if (!from || !to) return;
  if (!(stiffness > 0)) {
    sheet.line([from, to], ORANGE, 2, [5, 4]);
    return;
  }
  const coils = coilsOf(from, to);
  sheet.line(coils, paper.background, 5);
  sheet.line(coils, ORANGE, 2.4);
  const force = stiffness * held.distanceTo(target);
  const long = Math.max(Math.hypot(to.x - from.x, to.y - from.y), 1);
  const [x, y] = [to.x + (BEYOND * (to.x - from.x)) / long, to.y - 12];
  sheet.write(`${digits(force, 3)} N`, x, y, 13, ORANGE, paper.background);
}

/** A spring as it is drawn in a plane. */
function coilsOf(from: Spot, to: Spot): Spot[] {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const long = Math.hypot(dx, dy);
  if (long < 6) return [from, to];
  const wide = Math.min(8, long / 3);
  const at = (share: number, aside: number): Spot => ({
    x: from.x + share * dx - (aside * wide * dy) / long,
    y: from.y + share * dy + (aside * wide * dx) / long,
  });
  const zigzag = Array.from({ length: 2 * COILS }, (_, k) =>
    at(0.12 + (0.76 * (k + 0.5)) / (2 * COILS), k % 2 ? -1 : 1),
  );
  return [from, at(0.12, 0), ...zigzag, at(0.88, 0), to];
}
