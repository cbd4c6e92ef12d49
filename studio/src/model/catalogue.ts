/** The catalogue: the classes of parts, their ports and parameters, and which ports fit. */

import type { Json } from "./document";

export interface PortInfo {
  name: string;
  kind: string;
  description?: string;
  when?: string;
  optional?: boolean;
  size?: number;
}

export interface FieldInfo {
  name: string;
  kind: string;
  unit?: string;
  default?: Json;
  low?: number | null;
  high?: number | null;
  choices?: Json[];
  size?: number | number[] | null;
  description?: string;
  is_start?: boolean;
  required?: boolean;
  live?: boolean;
  optional?: boolean;
  plain?: boolean;
  above?: boolean;
  makes?: string[];
}

export interface ClassInfo {
  class: string;
  group: string;
  title: string;
  summary: string;
  symbol?: string;
  role?: string;
  ports: PortInfo[];
  parameters: FieldInfo[];
  /** Options of its drawing. */
  visual?: FieldInfo[];
}

export interface KindInfo {
  name: string;
  color: string;
  width?: number;
  title?: string;
}

export interface Catalogue {
  classes: ClassInfo[];
  /** Kinds of ports, and which fit which. */
  kinds: { list: KindInfo[] };
  fits: Record<string, string[]>;
  /** Laws and other objects that fields take. */
  makes?: ClassInfo[];
}

/** A text of a docstring without its marks. */
export const plainText = (text: string | undefined): string => (text ?? "").replaceAll("`", "");

export class Classes {
  readonly known = new Map<string, ClassInfo>();
  readonly made = new Map<string, ClassInfo>();
  readonly groups: [string, ClassInfo[]][];
  private readonly kinds: Map<string, KindInfo>;

  constructor(readonly catalogue: Catalogue) {
    const groups = new Map<string, ClassInfo[]>();
    for (const raw of catalogue.classes) {
      const one = { ...raw, summary: plainText(raw.summary) };
      this.known.set(one.class, one);
      if (!groups.has(one.group)) groups.set(one.group, []);
      groups.get(one.group)!.push(one);
    }
    this.kinds = new Map(catalogue.kinds.list.map((kind) => [kind.name, kind]));
    for (const one of catalogue.makes ?? []) this.made.set(one.class, one);
    this.groups = [...groups];
  }

  /** Does a wire fit between ports of two kinds? */
  fit(a: string, b: string): boolean {
    const { fits } = this.catalogue;
    return a in fits || b in fits
      ? Boolean(fits[a]?.includes(b) || fits[b]?.includes(a))
      : a === b;
  }

  colour(kind: string): string {
    return this.kinds.get(kind)?.color ?? "#68717d";
  }

  /** The stroke of wires of a kind [px]. */
  stroke(kind: string): number {
    return this.kinds.get(kind)?.width ?? 1.6;
  }

  get all(): ClassInfo[] {
    return [...this.known.values()];
  }

  /** Classes that match all words; best first: by title, then by what they are. */
  search(text: string): ClassInfo[] {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const rated = this.all.flatMap((one) => {
      const name = one.class.toLowerCase();
      const own = name.slice(name.lastIndexOf(".") + 1);
      const title = one.title.toLowerCase();
      const all = `${name} ${title} ${one.group} ${one.summary}`.toLowerCase();
      if (!words.every((word) => all.includes(word))) return [];
      const [first] = words;
      let rate = 3;
      if (own === first || title === first) rate = 0;
      else if (own.startsWith(first) || title.startsWith(first)) rate = 1;
      else if (title.includes(first) || name.includes(first)) rate = 2;
      return [{ one, rate: rate + (name.includes(".") ? 0.5 : 0) }];
    });
    return rated.sort((a, b) => a.rate - b.rate).map(({ one }) => one);
  }
}

export const NO_CLASSES = new Classes({ classes: [], kinds: { list: [] }, fits: {} });
