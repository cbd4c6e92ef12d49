/** Icons: paths on a field of 16 × 16, drawn in the colour of the text. */

const PATHS: Record<string, string> = {
  play: "M4.5 2.8v10.4L13 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  start: "M3 3h1.8v10H3zM13 3v10L5.6 8z",
  own: "~M3 8a5 5 0 1 1 1.6 3.7M2.6 3.4V6.6h3.2",
  back: "M10.5 4v8L5 8z",
  on: "M5.5 4v8L11 8z",
  loop: "~M12.6 6.2A5 5 0 1 0 13 8.6M13.2 2.8v3.6H9.6",
  iso: "~M8 1.8l5.4 3v6.4L8 14.2l-5.4-3V4.8zM2.6 4.8L8 7.9l5.4-3.1M8 7.9v6.3",
  front: "~M8 1.8l5.4 3v6.4L8 14.2l-5.4-3V4.8z|M2.6 4.8L8 7.9v6.3l-5.4-3z",
  top: "~M8 1.8l5.4 3v6.4L8 14.2l-5.4-3V4.8z|M8 1.8l5.4 3L8 7.9 2.6 4.8z",
  side: "~M8 1.8l5.4 3v6.4L8 14.2l-5.4-3V4.8z|M13.4 4.8L8 7.9v6.3l5.4-3z",
  fit: "~M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3M5.5 5.5h5v5h-5z",
  orthographic: "~M2.5 5.5h8v8h-8zM2.5 5.5l3-3h8v8l-3 3M10.5 5.5l3-3",
  forces: "~M3 13L12.6 3.4M7.5 3.2h5.3v5.3",
  labels: "~M2.5 3.5h6l5 4.5-5 4.5h-6zM5 8h.1",
  frames: "~M4 12V2.5M4 12h9.5M4 12l5-5M2.5 4L4 2.3 5.5 4M12 10.5l1.7 1.5-1.7 1.5",
  traces: "~M2 11c2.5-9 4.5-9 6-3s3.5 5 6-4",
  ghosts: "~M2.5 6.5h7v7h-7zM5 4h7v7M7.5 1.5h7v7",
  plots: "~M2.5 2.5v11h11M5 10l2.5-3.5L10 8.5l3-4.5",
  more: "~M3 4.5h10M3 8h10M3 11.5h10",
  help: "~M5.6 6a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2.9-1.2 1.9M8 12.9v.1",
  save: "~M8 2.5v7M5 6.8L8 9.8l3-3M2.8 10.5v3h10.4v-3",
  close: "~M4 4l8 8M12 4l-8 8",
  follow: "~M8 2v2.5M8 11.5V14M2 8h2.5M11.5 8H14M8 5a3 3 0 1 0 0 6 3 3 0 1 0 0-6z",
};

const SVG = "http://www.w3.org/2000/svg";

/** An icon by its name. A path that begins with ~ is a line; after | it is filled. */
export function icon(name: string): SVGSVGElement {
  const made = document.createElementNS(SVG, "svg");
  made.setAttribute("viewBox", "0 0 16 16");
  made.setAttribute("aria-hidden", "true");
  for (const piece of PATHS[name].split("|")) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", piece.replace("~", ""));
    path.setAttribute("class", piece.startsWith("~") ? "line" : "fill");
    made.append(path);
  }
  return made;
}
