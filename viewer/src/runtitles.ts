/** The names of runs that are shown together: above each view, or with their colours. */

import { element } from "./dom";
import type { Track } from "./track";

export class RunTitles {
  readonly root = element("div", { class: "runs" });

  show(tracks: Track[], over: boolean, series: string[]): void {
    this.root.style.flexDirection = over ? "column" : "row";
    this.root.replaceChildren(
      ...tracks.map((track, run) => {
        const dot = element("i");
        dot.style.setProperty("--c", series[run % series.length]);
        return element("span", {}, over && dot, track.title);
      }),
    );
  }
}
