/** Say in place of the viewer why there is none. */
export function fail(host: HTMLElement, error: unknown): never {
  const said = error instanceof Error ? error.message : String(error);
  const words = document.createElement("p");
  words.textContent = /webgl/i.test(said)
    ? `This browser does not draw in three dimensions (WebGL): ${said}`
    : `The scene cannot be shown: ${said}`;
  host.replaceWith(words);
  throw error;
}
