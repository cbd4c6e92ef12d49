/** Where the studio begins: in the element of the page that names its server. */

import "@xyflow/svelte/dist/base.css";
import "uplot/dist/uPlot.min.css";
import { mount } from "svelte";
import { studio } from "./model/studio.svelte";
import "./style.css";
import App from "./ui/App.svelte";

export interface Doors {
  /** The address of the socket, and that of the catalogue. */
  socket: string;
  catalogue: string;
}

export { studio };

export function start(host: HTMLElement, { socket, catalogue }: Doors): void {
  mount(App, { target: host });
  studio.start(socket, catalogue);
}

const place = document.querySelector<HTMLElement>("#place[data-socket]");
if (place?.dataset.socket)
  start(place, {
    socket: place.dataset.socket,
    catalogue: place.dataset.catalogue ?? "/catalogue.json",
  });
