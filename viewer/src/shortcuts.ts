/** Which key does what. */

import type { Preset } from "./camera";
import type { Shortcut } from "./keys";
import type { Switch } from "./tools";
import type { Transport } from "./transport";

export interface Commands {
  transport: Transport;
  look(preset: Preset): void;
  fit(): void;
  flip(name: Switch): void;
  follow(): void;
  nextRuns(): void;
  save(): void;
  help(): void;
  clear(): void;
}

export function makeShortcuts(commands: Commands): Shortcut[] {
  const { transport } = commands;
  const list: [string[], string, string, () => void][] = [
    [[" ", "k"], "space", "play, pause", () => transport.toggle()],
    [["ArrowRight"], "→", "one row on", () => transport.step(1)],
    [["ArrowLeft"], "←", "one row back", () => transport.step(-1)],
    [["ArrowUp"], "↑", "faster", () => transport.faster(1)],
    [["ArrowDown"], "↓", "slower", () => transport.faster(-1)],
    [["Home"], "Home", "to the start", () => transport.toEnd(-1)],
    [["Shift+Home"], "⇧ Home", "to the model's own start", () => transport.toOwnStart()],
    [["End"], "End", "to the end", () => transport.toEnd(1)],
    [["e"], "E", "to the next event", () => transport.toEvent(1)],
    [["w"], "W", "to the event before", () => transport.toEvent(-1)],
    [["l"], "L", "repeat", () => transport.toggleLoop()],
    [["1"], "1", "from the front", () => commands.look("front")],
    [["2"], "2", "from above", () => commands.look("top")],
    [["3"], "3", "from the side", () => commands.look("side")],
    [["4"], "4", "from a corner", () => commands.look("iso")],
    [["f"], "F", "see everything", () => commands.fit()],
    [["c"], "C", "follow the chosen part", () => commands.follow()],
    [["o"], "O", "without perspective", () => commands.flip("orthographic")],
    [["a"], "A", "force arrows", () => commands.flip("forces")],
    [["n"], "N", "names", () => commands.flip("labels")],
    [["x"], "X", "frames", () => commands.flip("frames")],
    [["t"], "T", "paths of points", () => commands.flip("traces")],
    [["g"], "G", "poses at other times", () => commands.flip("ghosts")],
    [["p"], "P", "plots and values", () => commands.flip("side")],
    [["s"], "S", "runs over each other, side by side, one", () => commands.nextRuns()],
    [["d"], "D", "save a picture, a film, a table", () => commands.save()],
    [["?", "h"], "?", "this page", () => commands.help()],
    [["Escape"], "Esc", "choose nothing, close", () => commands.clear()],
  ];
  return list.map(([keys, label, text, act]) => ({ keys, label, text, act }));
}
