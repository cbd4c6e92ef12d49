/** What packages ask about where they run: in a browser, not in development. */

export const BROWSER = true;
export const DEV = false;
export const NODE = false;
