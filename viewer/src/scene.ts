/** The scene: what Python sends. Lengths in metres, angles in radians, SI throughout. */

export type Vector = [number, number, number];

/** An array of numbers: base64 of its bytes, little endian. */
export interface Packed {
  type: "f32" | "f64" | "u32" | "u16" | "i16" | "u8";
  shape: number[];
  data: string;
}

/** A point of a rigid group, given in the rigid group's own axes. */
export interface End {
  group: number;
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
  /** The axes of the components in those of the rigid group. */
  q?: [number, number, number, number];
  scale: number;
}

export type Layer = "parts" | "frames" | "forces" | "labels" | "world" | "traces";

/** A mesh as one shape uses it, in the axes of the shape. */
export interface Piece {
  mesh: string;
  scale: Vector;
  /** The length it was made for, if its mesh has shares. */
  length?: number;
  /** A piece shorter than this shrinks as a whole. */
  shortest?: number;
  /** Its colour, if not that of the shape. */
  color?: Vector;
  q?: [number, number, number, number];
}

/** One shape; its meshes are those of its pieces. */
export interface Shape {
  kind: string;
  part: number | null;
  role: string;
  color?: Vector | null;
  opacity?: number;
  /** How much light it mirrors, 0 to 1; without it, none. */
  specular?: number;
  layer?: Layer;
  group?: number;
  r?: Vector;
  q?: [number, number, number, number];
  from?: End;
  to?: End;
  /** Shares of the way between the ends at which it begins and ends. */
  share?: [number, number];
  pieces?: Piece[];
  /** Of a line: its width in pixels. */
  width?: number;
  /** Of a text [m]. */
  height?: number;
  points?: Packed | Vector[];
  channels?: number[];
  /** Of a field: where along the length its channels are, their range, and its colours. */
  shares?: number[];
  low?: number;
  high?: number;
  /** Colours of a field from low to high. */
  colors?: Vector[];
  vector?: ArrowVector;
  dashed?: boolean;
  size?: number;
  /** Of a grid: the distance of its lines, and how many there are on either side. */
  step?: number;
  counts?: [number, number];
  labels?: boolean;
  /** That of a frame. */
  name?: string;
  text?: string;
}

/** A mesh as Python makes it. */
export interface MeshData {
  /** Vertices, as shares of the size of the mesh. */
  vertices: Packed;
  size: number;
  normals: Packed;
  faces: Packed;
  /** Lines along sharp edges, as pairs of vertices. */
  edges: Packed;
  /** How vertices move along x when the mesh is stretched. */
  shares?: Packed;
  /** Colours of vertices, if the mesh has its own. */
  colors?: Packed;
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
  group: number;
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

/** The initial view. */
export interface FirstView {
  /** A preset, or the direction from the target to the eye. */
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
  groups: string[];
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
