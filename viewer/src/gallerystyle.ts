/** The style sheet of a gallery. */

export const STYLE = `
:host { --paper: #f6f7f9; --card: #ffffff; --ink: #22272e; --dim: #68717d; --line: #e2e5ea; --accent: #2f6fb5; }
@media (prefers-color-scheme: dark) {
  :host { --paper: #1d2126; --card: #262b31; --ink: #e4e8ed; --dim: #98a2ad; --line: #373e46; --accent: #6aa5e8; }
}
.gallery { min-height: 100vh; padding: 20px clamp(12px, 4vw, 48px) 48px; background: var(--paper); color: var(--ink); font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; box-sizing: border-box; }
h1 { font-size: 22px; margin: 4px 0 18px; }
.cards { display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); }
.card { display: block; background: var(--card); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; color: inherit; text-decoration: none; }
.card:hover, .card:focus-visible { border-color: var(--accent); outline: none; box-shadow: 0 3px 14px #0002; }
.card img { display: block; width: 100%; aspect-ratio: 4 / 3; object-fit: contain; background: #fff; }
.card h2 { font-size: 14px; margin: 10px 12px 2px; }
.card p { margin: 0 12px 12px; color: var(--dim); font-size: 12.5px; }
.screen { position: fixed; inset: 0; background: var(--paper); display: grid; grid-template-rows: auto minmax(0, 1fr); }
.screen[hidden] { display: none; }
.back { padding: 6px 12px; font: 13px system-ui, sans-serif; color: var(--accent); text-decoration: none; background: var(--card); border-bottom: 1px solid var(--line); }
.stage { position: relative; min-height: 0; }
.place { position: absolute; inset: 0; }
`;
