/** The loop: a picture is drawn when something has changed, and once more when all is at rest. */

/** Milliseconds without change after which the picture is at rest. */
const REST = 200;

export class Loop {
  private due = false;
  private timer = 0;

  /** `draw` is called with the time of the picture in ms, and whether all is at rest. */
  constructor(
    private readonly draw: (now: number, still: boolean) => void,
    private readonly drawsAtRest: boolean,
  ) {}

  /** Something has changed. */
  request(): void {
    clearTimeout(this.timer);
    if (this.due) return;
    this.due = true;
    requestAnimationFrame((now) => {
      this.due = false;
      this.draw(now, false);
      clearTimeout(this.timer);
      if (this.drawsAtRest && !this.due)
        this.timer = window.setTimeout(() => this.draw(performance.now(), true), REST);
    });
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
