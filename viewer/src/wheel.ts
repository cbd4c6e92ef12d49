/** The wheel over a view within another page: it scrolls the page until the view is clicked. */

export class Wheel {
  /** Does the wheel belong to the view? */
  taken: boolean;
  private readonly press: (event: Event) => void;
  private readonly leave: () => void;

  /** A view that `fills` its page has the wheel from the beginning. */
  constructor(root: HTMLElement, fills: boolean, changed: () => void) {
    this.taken = fills;
    const set = (taken: boolean): void => {
      if (fills || taken === this.taken) return;
      this.taken = taken;
      changed();
    };
    this.press = (event) => set(event.composedPath().includes(root));
    // of a page around this one nothing is seen, but that it has the focus
    this.leave = () => set(false);
    document.addEventListener("pointerdown", this.press, { capture: true });
    window.addEventListener("blur", this.leave);
  }

  dispose(): void {
    document.removeEventListener("pointerdown", this.press, { capture: true });
    window.removeEventListener("blur", this.leave);
  }
}
