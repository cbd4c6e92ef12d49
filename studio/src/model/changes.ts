/** Changes of a document as the server tells them: values at paths, set, inserted, removed. */

import { type Json, type StudioDocument, Unknown } from "./document";

type Key = string | number;

export interface Change {
  path: Key[];
  value?: Json;
  insert?: Json;
  remove?: boolean;
}

type Tree = Record<Key, unknown>;

function changed(tree: unknown, change: Change, depth: number): unknown {
  const { path } = change;
  if (depth === path.length) return change.value;
  const key = path[depth];
  if (typeof tree !== "object" || tree === null)
    throw new Unknown(`change at ${path.join(".")}`);
  const copy = (Array.isArray(tree) ? [...tree] : { ...tree }) as Tree;
  if (depth < path.length - 1) {
    copy[key] = changed(copy[key], change, depth + 1);
  } else if ("insert" in change) {
    if (Array.isArray(copy)) copy.splice(Number(key), 0, change.insert);
    else copy[key] = change.insert;
  } else if (change.remove) {
    if (Array.isArray(copy)) copy.splice(Number(key), 1);
    else delete copy[key];
  } else copy[key] = change.value;
  return copy;
}

/** The document after changes, one after another; the one before stays as it is. */
export function applyChanges(document: StudioDocument, changes: Change[]): StudioDocument {
  return changes.reduce(
    (tree, change) => changed(tree, change, 0),
    document as unknown,
  ) as StudioDocument;
}
