/** The style sheet of the viewer, inside its shadow root. */

export const STYLE = `
:host { display: block; position: relative; width: 100%; height: 100%; min-height: 240px; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.viewer {
  --paper: #f6f7f9; --card: #ffffff; --ink: #22272e; --dim: #68717d; --line: #e2e5ea;
  --accent: #2f6fb5; --warn: #d11f2f; --press: #e6eef8;
  position: absolute; inset: 0; display: grid; grid-template: minmax(0, 1fr) auto auto / minmax(0, 1fr) auto;
  font: 13px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  color: var(--ink); background: var(--paper); overflow: hidden; text-align: left;
}
.viewer.dark {
  --paper: #1d2126; --card: #262b31; --ink: #e4e8ed; --dim: #98a2ad; --line: #373e46;
  --accent: #6aa5e8; --warn: #ff6b6b; --press: #31404f; color-scheme: dark;
}
.stage { grid-area: 1 / 1; position: relative; min-width: 0; min-height: 0; overflow: hidden; }
.stage canvas { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; outline: none; }
.stage canvas:focus-visible { box-shadow: inset 0 0 0 2px var(--accent); }
.stage .sheet { pointer-events: none; }
.head { position: absolute; left: 12px; right: 8px; top: 8px; display: flex; gap: 10px; align-items: flex-start; pointer-events: none; }
.title { flex: 0 1 auto; min-width: 40px; line-height: 28px; font-weight: 600; font-size: 14px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.nothing { position: absolute; inset: 0; margin: auto; height: 3em; padding: 0 20px; text-align: center; color: var(--dim); pointer-events: none; }
.runs { position: absolute; left: 0; right: 0; top: 42px; display: flex; pointer-events: none; color: var(--ink); }
.runs span { flex: 1; padding: 0 12px; }
.runs i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 5px; background: var(--c); }
.tools { flex: 1 0 50%; display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 4px; }
.tools > * { pointer-events: auto; }
.tools button.more { display: none; border: 1px solid var(--line); border-radius: 7px; background: var(--card); }
.tools .set { display: flex; background: var(--card); border: 1px solid var(--line); border-radius: 7px; overflow: hidden; }
.tools button { border: 0; border-radius: 0; background: none; }
.tools select { border: 0; border-radius: 0; background: none; }
.tools select + button, .tools button + button { border-left: 1px solid var(--line); }
.tools .saving { position: relative; overflow: visible; }
.tools .menu { position: absolute; right: 0; top: 31px; z-index: 4; display: grid; width: max-content; max-width: 78vw; padding: 4px; background: var(--card); border: 1px solid var(--line); border-radius: 7px; box-shadow: 0 4px 16px #0003; }
.tools .menu button { display: grid; height: auto; padding: 4px 10px; text-align: left; border: 0; border-radius: 5px; }
.tools .menu small { color: var(--dim); }
button, select, input { font: inherit; color: inherit; }
button { border: 1px solid var(--line); background: var(--card); border-radius: 7px; min-width: 30px; height: 28px; padding: 0 8px; cursor: pointer; }
button.icon { display: inline-grid; place-items: center; padding: 0 6px; }
svg { width: 16px; height: 16px; display: block; }
svg .line { fill: none; stroke: currentColor; stroke-width: 1.4; stroke-linecap: round; stroke-linejoin: round; }
svg .fill { fill: currentColor; }
button:hover { background: var(--press); }
button[aria-pressed="true"] { background: var(--press); color: var(--accent); }
button:focus-visible, select:focus-visible, input:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
button.small { min-width: 24px; height: 24px; padding: 0 5px; border-color: transparent; background: none; }
button.play { min-width: 38px; color: var(--accent); }
.tip { position: absolute; z-index: 3; pointer-events: none; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 3px 8px; box-shadow: 0 2px 8px #0002; max-width: 320px; }
.tip small { color: var(--dim); margin-left: 6px; }
.tip dl { grid-template-columns: auto 1fr; margin: 2px 0 0; }
.side { grid-area: 1 / 2; width: 340px; max-width: 45vw; overflow: auto; background: var(--card); border-left: 1px solid var(--line); padding: 10px 12px; }
.side.empty { display: none; }
.bar { grid-area: 2 / 1 / 3 / -1; display: flex; align-items: center; gap: 6px; padding: 8px 12px 6px; background: var(--card); border-top: 1px solid var(--line); }
.bar.still { display: none; }
.axis { position: relative; flex: 1; min-width: 80px; height: 36px; margin: 0 8px; }
.axis .time { position: absolute; left: -8px; right: -8px; top: 2px; width: calc(100% + 16px); margin: 0; accent-color: var(--accent); height: 18px; }
.scale, .marks { position: absolute; left: 0; right: 0; }
.scale { top: 20px; height: 14px; color: var(--dim); font-size: 11px; pointer-events: none; }
.scale span { position: absolute; transform: translateX(-50%); }
.marks { top: 18px; height: 0; }
.marks .event { position: absolute; top: -17px; width: 7px; min-width: 0; height: 16px; padding: 0; margin-left: -3.5px; border: 0; background: none; border-radius: 0; }
.marks .event::after { content: ""; position: absolute; left: 2.5px; top: 0; width: 2px; height: 100%; background: var(--warn); opacity: .75; }
.marks .event:hover::after { opacity: 1; width: 3px; }
.clock { min-width: 74px; text-align: right; font-variant-numeric: tabular-nums; }
select { border: 1px solid var(--line); background: var(--card); border-radius: 7px; height: 28px; padding: 0 4px; }
section { margin-bottom: 12px; }
.inspector header { display: flex; align-items: center; gap: 4px; }
.inspector .path { flex: 1; overflow-wrap: anywhere; }
.inspector .type { color: var(--accent); }
.inspector p { margin: 4px 0; color: var(--dim); overflow-wrap: anywhere; }
.inspector p.note, .notice.error { color: var(--warn); }
dl { display: grid; grid-template-columns: auto 1fr auto; gap: 0 8px; margin: 6px 0 0; align-items: center; }
dt { color: var(--dim); overflow-wrap: anywhere; }
dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; white-space: pre-wrap; }
.plot { position: relative; margin-bottom: 10px; }
.plot .close { position: absolute; right: 0; top: -2px; min-width: 20px; height: 20px; padding: 0; border: 0; background: none; color: var(--dim); }
.legend { display: flex; flex-wrap: wrap; gap: 0 12px; padding-right: 22px; font-size: 12px; }
.legend b { font-weight: 600; font-variant-numeric: tabular-nums; }
.legend i { display: inline-block; width: 12px; height: 0; border-top: 2px solid var(--c); margin-right: 5px; vertical-align: middle; }
.legend i.dash { border-top-style: dashed; }
.field { position: relative; height: 150px; touch-action: none; cursor: crosshair; }
.field canvas { width: 100%; height: 100%; display: block; }
.cursor { position: absolute; top: 6px; bottom: 18px; left: 0; width: 0; border-left: 1.5px solid var(--accent); pointer-events: none; }
.picker { width: 100%; height: 28px; border: 1px solid var(--line); border-radius: 7px; padding: 0 8px; background: var(--paper); }
.panel details { border-bottom: 1px solid var(--line); padding-bottom: 6px; margin-bottom: 6px; }
.panel summary { font-weight: 600; cursor: pointer; padding: 2px 0; }
.panel label { display: grid; grid-template-columns: minmax(0, 1fr) 96px minmax(34px, max-content); gap: 0 6px; align-items: center; margin: 3px 0; }
.panel label > span { overflow-wrap: anywhere; }
.panel label.slider input[type="range"] { grid-column: 1 / -1; width: 100%; accent-color: var(--accent); margin: 0 0 4px; height: 22px; }
.panel input[type="number"] { width: 100%; border: 1px solid var(--line); border-radius: 5px; background: var(--paper); padding: 1px 4px; text-align: right; appearance: textfield; }
.panel input[type="number"]::-webkit-inner-spin-button { display: none; }
.panel i { font-style: normal; color: var(--dim); white-space: nowrap; }
.panel button.wide { margin: 3px 4px 3px 0; }
.notices { position: absolute; left: 12px; bottom: 10px; max-width: min(60%, 560px); max-height: 60%; overflow: auto; display: flex; flex-direction: column; gap: 4px; pointer-events: none; }
.notice { background: var(--card); border: 1px solid var(--line); border-left: 3px solid var(--accent); border-radius: 5px; padding: 4px 10px; pointer-events: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.notice.error, .notice.warning { border-left-color: var(--warn); }
.help { position: absolute; inset: 0; z-index: 5; display: grid; place-items: center; background: #0006; }
.help > div { background: var(--card); border-radius: 10px; padding: 16px 22px; max-width: 92%; max-height: 92%; overflow: auto; box-shadow: 0 8px 32px #0004; }
.help h2 { margin: 0 0 8px; font-size: 15px; }
.help dl { grid-template-columns: auto 1fr; gap: 2px 16px; }
.help dt { color: var(--ink); }
.help dd { text-align: left; color: var(--dim); }
kbd { font: inherit; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 5px; background: var(--paper); }
.viewer.small .side { grid-area: 3 / 1 / 4 / -1; width: auto; max-width: none; max-height: 42vh; border-left: 0; border-top: 1px solid var(--line); }
.viewer.small .scale span:nth-child(even) { display: none; }
.viewer.small .tools { flex: 1 0 44px; max-height: calc(100vh - 120px); }
.viewer.small .tools button.more { display: inline-grid; }
.viewer.small .tools:not(.open) .set { display: none; }
.viewer.small .tools.open { position: relative; padding-right: 42px; }
.viewer.small .tools.open .more { position: absolute; right: 0; top: 0; }
.viewer.small .tools button, .viewer.small .bar button { min-width: 36px; height: 38px; }
.viewer.small .bar button.icon { min-width: 34px; padding: 0 4px; }
.viewer.small .tools select { height: 38px; }
.viewer.small .bar { flex-wrap: wrap; gap: 4px; padding: 4px 8px; }
.viewer.small .bar .axis { order: -1; flex: 1 0 calc(100% - 16px); }
.viewer.small .clock { min-width: 50px; flex: 1; }
.viewer.small .speed { padding: 0; width: 52px; }
.viewer.small .notices { max-width: calc(100% - 24px); }
.viewer.embedded .saving, .viewer.embedded .bar, .viewer.embedded .side, .viewer.embedded .title, .viewer.embedded .others { display: none; }
.viewer.embedded .grip, .viewer.embedded .notices, .viewer.embedded .runs { display: none; }
.viewer.embedded .tools { flex-basis: 100%; }
.viewer.embedded .tools button { min-width: 28px; height: 26px; }
.viewer.embedded.small .tools button { min-width: 28px; height: 26px; }
.viewer.embedded.small .tools { flex: 1 0 44px; }
`;
