/** The bar below the picture: play, time with its events, speed, loop. */

import { button, digits, element, iconButton, setPressed } from "./dom";
import { icon } from "./icons";
import { ticks } from "./plot";
import type { RunEvent } from "./scene";
import { SPEEDS, type Transport } from "./transport";

export class Bar {
  readonly root: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private readonly own: HTMLButtonElement;
  private readonly slider = element("input", {
    type: "range",
    min: "0",
    max: "1",
    step: "any",
    class: "time",
    "aria-label": "time",
  });
  private readonly marks = element("div", { class: "marks" });
  private readonly scale = element("div", { class: "scale" });
  private readonly clock = element("output", { class: "clock" });
  private readonly speed = element("select", {
    class: "speed",
    title: "Speed",
    "aria-label": "speed",
  });
  private playing = false;
  private first = 0;
  private last = 1;

  constructor(private readonly transport: Transport) {
    this.play = iconButton("play", "Play or pause (space)", () => transport.toggle(), "play");
    this.loop = iconButton("loop", "Repeat (L)", () => transport.toggleLoop());
    const title = "To the model's own start, not where it was moved (Shift+Home)";
    this.own = iconButton("own", title, () => transport.toOwnStart());
    for (const speed of SPEEDS)
      this.speed.append(element("option", { value: String(speed) }, `${speed}×`));
    this.speed.append(element("option", { value: String(Infinity) }, "max"));
    this.speed.addEventListener("change", () => transport.setSpeed(Number(this.speed.value)));
    this.slider.addEventListener("input", () => transport.seek(Number(this.slider.value)));
    this.root = element(
      "div",
      { class: "bar" },
      this.own,
      iconButton("start", "To the start (Home)", () => transport.toEnd(-1)),
      iconButton("back", "One row back (←)", () => transport.step(-1), "small"),
      this.play,
      iconButton("on", "One row on (→)", () => transport.step(1), "small"),
      element("div", { class: "axis" }, this.slider, this.marks, this.scale),
      this.clock,
      this.speed,
      this.loop,
    );
  }

  setRange(first: number, last: number, events: RunEvent[]): void {
    this.first = first;
    this.last = last > first ? last : first + 1;
    this.slider.min = String(this.first);
    this.slider.max = String(this.last);
    this.root.classList.toggle("still", !(last > first) && !this.transport.remote);
    this.scale.replaceChildren(
      ...ticks(this.first, this.last, 8).map((t) => this.at(t, element("span", {}, digits(t)))),
    );
    this.marks.replaceChildren(
      ...events.map((event) => {
        const title = `${digits(event.time, 6)} s  ${event.part}: ${event.what}`;
        const mark = button("", title, () => this.transport.seek(event.time), "event");
        return this.at(event.time, mark);
      }),
    );
  }

  show(): void {
    const { player, playing, remote, speed } = this.transport;
    this.speed.options[SPEEDS.length].hidden = !remote;
    this.own.hidden = this.transport.send === null;
    const { time, loop } = player;
    this.slider.value = String(time);
    const decimals = Math.max(
      0,
      Math.min(6, 3 - Math.floor(Math.log10(this.last - this.first))),
    );
    this.clock.textContent = `${time.toFixed(decimals)} s`;
    if (playing !== this.playing) {
      this.playing = playing;
      this.play.replaceChildren(icon(playing ? "pause" : "play"));
    }
    setPressed(this.play, playing);
    setPressed(this.loop, loop);
    if (Number(this.speed.value) !== speed) this.showSpeed(speed);
  }

  private showSpeed(speed: number): void {
    if (![...this.speed.options].some((option) => Number(option.value) === speed))
      this.speed.append(element("option", { value: String(speed) }, `${digits(speed, 3)}×`));
    this.speed.value = String(speed);
  }

  private at<T extends HTMLElement>(time: number, made: T): T {
    made.style.left = `${(100 * (time - this.first)) / (this.last - this.first)}%`;
    return made;
  }
}
