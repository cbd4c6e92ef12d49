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

export interface Kinds {
  fits: Record<string, string[]>;
  colours: Record<string, string>;
}

export interface Catalogue {
  classes: ClassInfo[];
  kinds: Kinds;
  makes: ClassInfo[];
}

export class Classes {
  readonly known = new Map<string, ClassInfo>();
  readonly made = new Map<string, ClassInfo>();
  readonly groups: [string, ClassInfo[]][];

  constructor(readonly catalogue: Catalogue) {
    const groups = new Map<string, ClassInfo[]>();
    for (const one of catalogue.classes) {
      this.known.set(one.class, one);
      if (!groups.has(one.group)) groups.set(one.group, []);
      groups.get(one.group)!.push(one);
    }
    for (const one of catalogue.makes ?? []) this.made.set(one.class, one);
    this.groups = [...groups];
  }

  /** Does a wire fit between ports of two kinds? */
  fit(a: string, b: string): boolean {
    const fits = this.catalogue.kinds.fits;
    return a in fits || b in fits
      ? Boolean(fits[a]?.includes(b) || fits[b]?.includes(a))
      : a === b;
  }

  colour(kind: string): string {
    return this.catalogue.kinds.colours[kind] ?? "#68717d";
  }

  /** Classes that match all words; best first: by title, then by what they are. */
  search(text: string): ClassInfo[] {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const rated = this.catalogue.classes.flatMap((one) => {
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

export const NO_CLASSES = new Classes({
  classes: [],
  kinds: { fits: {}, colours: {} },
  makes: [],
});
