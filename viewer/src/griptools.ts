/** How a part that is dragged takes the rest with it, in a live model. */

import { button, element, setPressed } from "./dom";
import type { DragMode, Grip } from "./grip";

const MODES: [DragMode, string][] = [
  ["kinematics", "Drag: kinematics"],
  ["statics", "Drag: statics"],
  ["dynamics", "Drag: pull by a spring"],
];

const TITLE = "What dragging a part does";

export class GripTools {
  readonly root = element("div", { class: "set grip" });
  private readonly modes = element("select", { title: TITLE, "aria-label": TITLE });

  constructor(grip: Grip) {
    const { modes } = this;
    for (const [value, text] of MODES) modes.append(element("option", { value }, text));
    modes.addEventListener("change", () => (grip.mode = modes.value as DragMode));
    const keep = button("keep speed", "Go on with the speed of the drag", () => {
      grip.keepSpeed = !grip.keepSpeed;
      setPressed(keep, grip.keepSpeed);
    });
    setPressed(keep, false);
    this.root.append(modes, keep);
    this.root.hidden = true;
  }

  /** Offer the modes of dragging that the model supports. */
  offer(hands: DragMode[]): void {
    for (const option of this.modes.options)
      option.hidden = !hands.includes(option.value as DragMode);
  }
}
