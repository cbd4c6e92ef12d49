/** Where the viewer begins: in a film, in a live page, in a notebook. */

import { textOf } from "./data";
import { fail } from "./fail";
import { Gallery } from "./gallery";
import { Link } from "./link";
import type { Scene } from "./scene";
import { Viewer } from "./viewer";

export { widget } from "./widget";
export { Viewer };

/** Show a scene, gzipped and in base64, in an element. */
export async function film(host: HTMLElement, packed: string): Promise<Viewer> {
  try {
    const scene = JSON.parse(await textOf(packed)) as Scene;
    const viewer = new Viewer(host, window);
    viewer.load(scene);
    viewer.player.play();
    return viewer;
  } catch (error) {
    return fail(host, error);
  }
}

/** Show films to choose from: JSON of a title and of films. */
export function gallery(host: HTMLElement, text: string): Gallery {
  const { title, films } = JSON.parse(text) as { title: string; films: [] };
  return new Gallery(host, title, films);
}

/** Show a model that runs in a server. */
export function live(host: HTMLElement, url: string): Viewer {
  try {
    const viewer = new Viewer(host, window);
    const link = new Link(url, viewer);
    viewer.onSend = (message) => link.send(message);
    return viewer;
  } catch (error) {
    return fail(host, error);
  }
}
