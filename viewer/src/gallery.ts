/** A gallery: cards of films; the one that is chosen plays over the whole page. */

import { textOf } from "./data";
import { element } from "./dom";
import { STYLE } from "./gallerystyle";
import type { Scene } from "./scene";
import { Viewer } from "./viewer";

/** One film: a picture of it (data address) and its scene, gzipped and in base64. */
interface Film {
  title: string;
  text: string;
  picture: string;
  scene: string;
}

export class Gallery {
  viewer: Viewer | null = null;
  private readonly cards = element("main", { class: "cards" });
  private readonly screen = element("div", { class: "screen", hidden: "" });
  private readonly stage = element("div", { class: "stage" });

  constructor(
    host: HTMLElement,
    title: string,
    private readonly films: Film[],
  ) {
    const shadow = host.attachShadow({ mode: "open" });
    const back = element("a", { class: "back", href: "#", title: "All films (Esc)" }, "← all");
    this.screen.append(back, this.stage);
    const root = element("div", { class: "gallery" }, element("h1", {}, title), this.cards);
    shadow.append(element("style", {}, STYLE), root, this.screen);
    for (const film of films) this.cards.append(this.card(film));
    window.addEventListener("hashchange", () => void this.turn());
    window.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.viewer && !this.viewer.isBusy) location.hash = "";
    });
    void this.turn();
  }

  private card({ title, text, picture }: Film): HTMLElement {
    const image = element("img", { src: picture, alt: `picture of ${title}`, loading: "lazy" });
    return element(
      "a",
      { class: "card", href: `#${encodeURIComponent(title)}` },
      image,
      element("h2", {}, title),
      element("p", {}, text),
    );
  }

  /** Show the film that the address names, or all of them. */
  private async turn(): Promise<void> {
    const name = decodeURIComponent(location.hash.slice(1));
    const film = this.films.find(({ title }) => title === name);
    this.viewer?.dispose();
    this.viewer = null;
    this.stage.replaceChildren();
    this.screen.hidden = film === undefined;
    if (!film) return;
    const scene = JSON.parse(await textOf(film.scene)) as Scene;
    if (decodeURIComponent(location.hash.slice(1)) !== name) return;
    const place = element("div", { class: "place" });
    this.stage.replaceChildren(place);
    this.viewer = new Viewer(place, window);
    this.viewer.load(scene);
    this.viewer.player.play();
  }
}
