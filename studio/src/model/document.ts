/** The document as the page knows it, and what the operations of an edit do to it. */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type Spot = [number, number];
export type Wire = [string, string];

export interface Part {
  id: string;
  class: string;
  arguments?: Record<string, Json>;
  hidden?: boolean;
  note?: string;
}

export interface LiveParameter {
  name: string;
  value: Json;
  unit?: string;
  low?: number | null;
  high?: number | null;
  description?: string;
}

export interface Note {
  id: string;
  text: string;
  at: Spot;
}

export interface PanelOf {
  id: string;
  kind: string;
  variables: string[];
  against?: string;
}

/** What a document and each of its sub-models have. */
export interface Level {
  parameters?: LiveParameter[];
  parts: Part[];
  connections: Wire[];
  ports?: Record<string, string>;
  diagram?: Record<string, Spot>;
  notes?: Note[];
}

export interface StudioDocument extends Level {
  motorik: number;
  name: string;
  description?: string;
  models?: Record<string, Level>;
  panels?: PanelOf[];
  /** Statements of a source that could not be read: kept as they were. */
  unread?: { in?: string; line?: number; text: string }[];
  run?: Record<string, Json>;
}

export interface Operation {
  op: string;
  in?: string | null;
  // the fields depend on `op`; operations of servers that are newer may have others
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  [field: string]: any;
}

export const EMPTY: StudioDocument = {
  motorik: 1,
  name: "Untitled",
  parts: [],
  connections: [],
  parameters: [],
  diagram: {},
  models: {},
  panels: [],
};

/** The part of a port: "crank" of "crank.frame_a". */
export const ownerOf = (port: string): string => port.slice(0, port.lastIndexOf("."));
/** The own name of a port: "frame_a" of "crank.frame_a". */
export const portOf = (port: string): string => port.slice(port.lastIndexOf(".") + 1);

export const sameWire = ([a, b]: Wire, [c, d]: Wire): boolean =>
  (a === c && b === d) || (a === d && b === c);

/** The level of a name: the document itself, or a sub-model. */
export function levelOf(document: StudioDocument, name: string | null | undefined): Level {
  return (name ? document.models?.[name] : document) ?? { parts: [], connections: [] };
}

/** Thrown where an operation is not known: the page then asks for the whole document. */
export class Unknown extends Error {}

/** The document after an operation; the one before stays as it is. */
export function apply(document: StudioDocument, operation: Operation): StudioDocument {
  if (operation.op === "batch")
    return (operation.operations as Operation[]).reduce(
      (found, one) => apply(found, { in: operation.in, ...one }),
      document,
    );
  const whole = ofDocument[operation.op];
  if (whole) return whole(document, operation);
  const act = ofLevel[operation.op];
  if (!act) throw new Unknown(operation.op);
  const { in: name } = operation;
  if (!name) return { ...document, ...act(document, operation) };
  const level = document.models?.[name];
  if (!level) throw new Unknown(`sub-model ${name}`);
  const models = { ...document.models, [name]: { ...level, ...act(level, operation) } };
  return { ...document, models };
}

/** A copy without some keys. */
function without<T>(
  from: Record<string, T> | undefined,
  names: Set<string>,
): Record<string, T> {
  return Object.fromEntries(Object.entries(from ?? {}).filter(([name]) => !names.has(name)));
}

/** The list with an entry of the same key replaced, or added. */
function put<T>(list: T[] | undefined, made: T, is: (one: T) => boolean): T[] {
  const found = (list ?? []).some(is);
  return found ? list!.map((one) => (is(one) ? made : one)) : [...(list ?? []), made];
}

function setValue(part: Part, field: string, value: Json | undefined): Part {
  if (field === "note" || field === "hidden") return { ...part, [field]: value };
  const isDefault =
    value === undefined ||
    (typeof value === "object" &&
      value !== null &&
      "default" in value &&
      !Array.isArray(value));
  const given = without(part.arguments, new Set([field]));
  return { ...part, arguments: isDefault ? given : { ...part.arguments, [field]: value } };
}

const ofLevel: Record<string, (level: Level, operation: Operation) => Partial<Level>> = {
  add: (level, { part, at, index }) => {
    const parts = [...level.parts];
    parts.splice(typeof index === "number" ? index : parts.length, 0, part as Part);
    return at ? { parts, diagram: { ...level.diagram, [part.id]: at as Spot } } : { parts };
  },
  remove: (level, { ids }) => {
    const gone = new Set(ids as string[]);
    return {
      parts: level.parts.filter(({ id }) => !gone.has(id)),
      connections: level.connections.filter(
        ([a, b]) => !gone.has(ownerOf(a)) && !gone.has(ownerOf(b)),
      ),
      diagram: without(level.diagram, gone),
    };
  },
  set: (level, { id, field, value }) => ({
    parts: level.parts.map((part) => (part.id === id ? setValue(part, field, value) : part)),
  }),
  connect: (level, { a, b, index }) => {
    const connections = [...level.connections];
    connections.splice(typeof index === "number" ? index : connections.length, 0, [a, b]);
    return { connections };
  },
  disconnect: (level, { a, b }) => ({
    connections: level.connections.filter((wire) => !sameWire(wire, [a, b])),
  }),
  place: (level, { at }) => {
    const gone = new Set(Object.keys(at).filter((id) => at[id] === null));
    return { diagram: without({ ...level.diagram, ...at } as Record<string, Spot>, gone) };
  },
};

const ofDocument: Record<
  string,
  (document: StudioDocument, operation: Operation) => StudioDocument
> = {
  describe: (document, { op: _op, in: _in, ...fields }) => ({ ...document, ...fields }),
  run_options: (document, { op: _op, in: _in, ...fields }) => ({
    ...document,
    run: { ...document.run, ...(fields.options ?? fields) },
  }),
  panel: (document, { name, remove, kind, variables, against }) => {
    const others = (document.panels ?? []).filter(({ id }) => id !== name);
    if (remove) return { ...document, panels: others };
    const known = document.panels?.find(({ id }) => id === name);
    const made = { kind: kind ?? "plot", against, ...known, id: name, variables } as PanelOf;
    return { ...document, panels: put(document.panels, made, ({ id }) => id === name) };
  },
};

/** A name that no part of a level has: "revolute", "revolute2", … */
export function freeName(level: Level, wanted: string): string {
  const taken = new Set([
    ...level.parts.map(({ id }) => id),
    ...(level.parameters ?? []).map(({ name }) => name),
  ]);
  const word = wanted.replace(/^.*[.#:]/, "").replace(/\W/g, "");
  const stem = /^[A-Z]{2}/.test(word)
    ? word.toLowerCase()
    : word.slice(0, 1).toLowerCase() + word.slice(1);
  const first = /^[a-z_]/.test(stem) ? stem : `part_${stem}`;
  for (let k = 1; ; k++) {
    const name = k === 1 ? first : `${first}${k}`;
    if (!taken.has(name)) return name;
  }
}
