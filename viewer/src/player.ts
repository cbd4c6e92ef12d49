/** The player: time, and how it goes on. */

export class Player {
  time = 0;
  first = 0;
  last = 0;
  playing = false;
  loop = true;
  speed = 1;
  onChange: () => void = () => {};
  private clock = NaN;

  setRange(first: number, last: number): void {
    this.first = first;
    this.last = last;
    this.time = Math.min(Math.max(this.time, first), last);
    this.onChange();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (!(this.last > this.first)) return;
    if (this.time >= this.last) this.time = this.first;
    this.playing = true;
    this.clock = NaN;
    this.onChange();
  }

  pause(): void {
    this.playing = false;
    this.onChange();
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, this.first), this.last);
    this.clock = NaN;
    this.onChange();
  }

  /** Advance by the wall-clock time (ms) since the last call; returns whether time moved. */
  tick(now: number): boolean {
    if (!this.playing) return false;
    const passed = Number.isNaN(this.clock) ? 0 : Math.min(now - this.clock, 250) / 1000;
    this.clock = now;
    this.time += passed * this.speed;
    if (this.time <= this.last) return true;
    if (this.loop) {
      this.time = this.first + ((this.time - this.last) % (this.last - this.first));
    } else {
      this.time = this.last;
      this.playing = false;
    }
    return true;
  }
}
