/** The scene: what Python sends. Lengths in metres, angles in radians, SI throughout. */

export type Vector = [number, number, number];

/** An array of numbers: base64 of its bytes, little endian. */
export interface Packed {
  type: "f32" | "f64" | "u32";
  shape: number[];
  data: string;
}

/** A point of a carrier, given in the carrier's own axes. */
export interface End {
  carrier: number;
  r: Vector;
}

export interface Part {
  path: string;
  type: string;
  role: string;
  text?: string;
  values?: string[];
  note?: string | null;
}

export interface ArrowVector {
  channels: number[];
  resolve: number;
  /** The axes of the components in those of the carrier. */
  q?: [number, number, number, number];
  scale: number;
  double?: boolean;
}

export type Layer = "parts" | "frames" | "forces" | "labels" | "world" | "traces";

/** One shape; which sizes it has depends on its kind. */
export interface Shape {
  kind: string;
  part: number | null;
  role: string;
  color?: Vector | null;
  opacity?: number;
  /** How much light it mirrors, 0 to 1; without it, none. */
  specular?: number;
  layer?: Layer;
  carrier?: number;
  r?: Vector;
  q?: [number, number, number, number];
  from?: End;
  to?: End;
  /** Shares of the way between the ends at which it begins and ends. */
  share?: [number, number];
  length?: number;
  width?: number;
  height?: number;
  diameter?: number;
  top?: number;
  inner?: number;
  teeth?: number;
  internal?: boolean;
  wire?: number;
  coils?: number;
  lengths?: [number, number];
  /** Diameter and colour of the rod of a damper. */
  rod?: number;
  rod_color?: Vector;
  tube?: number;
  points?: Packed | Vector[];
  channels?: number[];
  /** Of a field: where along the length its channels are, their range, and its colours. */
  shares?: number[];
  low?: number;
  high?: number;
  /** Colours of the axes of a frame, or of a field from low to high. */
  colors?: Vector[];
  shape?: [number, number];
  vector?: ArrowVector;
  double?: boolean;
  dashed?: boolean;
  size?: number;
  labels?: boolean;
  /** That of a frame. */
  name?: string;
  text?: string;
  key?: string;
  scale?: number | Vector;
}

export interface MeshData {
  vertices: Packed;
  faces: Packed;
}

export interface Channel {
  name: string;
  unit: string;
  /** It keeps its value from one row to the next. */
  steps?: boolean;
}

export interface RunEvent {
  time: number;
  part: string;
  what: string;
}

export interface TracePoint {
  carrier: number;
  r: Vector;
  name: string;
}

export interface Run {
  title?: string;
  time: Packed;
  poses: Packed;
  values?: Packed;
  events?: RunEvent[];
  traces?: TracePoint[];
  speed?: number;
}

/** What is open and seen at first. */
export interface FirstView {
  /** A preset, or where the eye stands, as seen from what is looked at. */
  camera?: string | Vector;
  orthographic?: boolean;
  follow?: string;
  plots?: string[][];
  runs?: "one" | "over" | "side";
  forces?: boolean;
  labels?: boolean;
  frames?: boolean;
  traces?: boolean;
  time?: number;
}

export interface Scene {
  format: "motorik-scene";
  version: number;
  title: string;
  up: Vector;
  gravity?: Vector | null;
  plane?: Vector | null;
  low: Vector;
  high: Vector;
  /** Outermost points of everything at all times. */
  hull?: Vector[];
  size: number;
  carriers: string[];
  parts: Part[];
  shapes: Shape[];
  meshes?: Record<string, MeshData>;
  channels?: Channel[];
  runs?: Run[];
  start: Packed;
  /** Values of all channels before any run. */
  values?: Packed;
  palette?: Record<string, string>;
  view?: FirstView;
}

/** Numbers in a pose: x y z, qx qy qz qw. */
export const POSE = 7;
