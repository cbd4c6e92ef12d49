/**
 * Geometry: the meshes that Python made, and the pieces of shapes that refer to them.
 *
 * A vertex of a piece lies at scale · vertex. In a mesh with shares, and in a piece that is
 * stretched to a length L along x, x = share · L + scale · offset; a mesh without shares is
 * stretched as a whole, so that x itself is the share. Nothing is made here but places.
 */

import { Color, Quaternion, SRGBColorSpace, Vector3 } from "three";
import { floats, integers } from "./data";
import type { Piece, Scene, Shape } from "./scene";

/** A mesh as it came, unpacked. */
export interface MeshArrays {
  positions: Float32Array;
  normals: Float32Array;
  /** Red, green, blue of each vertex, linear; null: the colour of the shape. */
  colours: Float32Array | null;
  shares: Float32Array | null;
  faces: Uint32Array;
  /** Lines along sharp edges, as pairs of vertices. */
  edges: Uint32Array;
}

/** The meshes of a scene, each unpacked when it is first used. */
export class Meshes {
  private readonly known = new Map<string, MeshArrays>();

  constructor(private readonly scene: Scene) {}

  find(name: string): MeshArrays {
    const found = this.known.get(name) ?? this.unpack(name);
    this.known.set(name, found);
    return found;
  }

  private unpack(name: string): MeshArrays {
    const data = this.scene.meshes?.[name];
    if (!data) throw new Error(`The scene has no mesh '${name}'.`);
    const positions = floats(data.vertices).map((share) => share * data.size);
    const [faces, edges] = [integers(data.faces), integers(data.edges)];
    const count = positions.length / 3;
    for (const indices of [faces, edges])
      for (const i of indices)
        if (i >= count) throw new Error(`A mesh has ${count} vertices, and a face with ${i}.`);
    return {
      positions,
      normals: floats(data.normals),
      colours: data.colors ? linear(floats(data.colors)) : null,
      shares: data.shares ? floats(data.shares) : null,
      faces,
      edges,
    };
  }
}

function linear(srgb: Float32Array): Float32Array {
  const colour = new Color();
  for (let i = 0; i < srgb.length; i += 3)
    colour.setRGB(srgb[i], srgb[i + 1], srgb[i + 2], SRGBColorSpace).toArray(srgb, i);
  return srgb;
}

/** The pieces of one shape as one list of vertices, in the axes of the shape. */
export class Solid {
  /** x of each vertex is share · length + offset. */
  readonly shares: number[] = [];
  readonly offsets: number[] = [];
  readonly y: number[] = [];
  readonly z: number[] = [];
  readonly normals: number[] = [];
  readonly colours: number[] = [];
  readonly faces: number[] = [];
  readonly edges: number[] = [];
  /** The length it was made for. */
  length = 0;
  /** A shape shorter than this shrinks as a whole. */
  shortest = 0;
  /** How far it reaches from the x axis. */
  radius = 0;

  constructor(meshes: Meshes, shape: Shape, colour: Color, stretches: boolean) {
    for (const piece of shape.pieces ?? [])
      this.add(meshes.find(piece.mesh), piece, shape, colour, stretches);
  }

  private add(
    mesh: MeshArrays,
    piece: Piece,
    shape: Shape,
    colour: Color,
    stretches: boolean,
  ): void {
    const first = this.y.length;
    const own = piece.color ? new Color().setRGB(...piece.color, SRGBColorSpace) : colour;
    const q = piece.q ? new Quaternion(...piece.q) : null;
    const length = piece.length ?? (stretches ? piece.scale[0] : 0);
    const shrunk = piece.shortest ? Math.min(length / piece.shortest, 1) : 1;
    const [sx, sy, sz] = piece.scale.map((size) => size * (stretches ? 1 : shrunk));
    const isScaled = stretches && !mesh.shares;
    const painted = shape.color ? null : mesh.colours;
    const [v, n] = [new Vector3(), new Vector3()];
    const thin = 1e-9 * Math.max(sx, sy, sz);
    this.length = Math.max(this.length, length);
    this.shortest = Math.max(this.shortest, piece.shortest ?? 0);
    for (let i = 0; i < mesh.positions.length; i += 3) {
      v.fromArray(mesh.positions, i);
      n.fromArray(mesh.normals, i);
      const share = isScaled ? v.x : (mesh.shares?.[i / 3] ?? 0);
      v.set(isScaled ? 0 : v.x * sx, v.y * sy, v.z * sz);
      // normals are covectors
      n.set(n.x / Math.max(sx, thin), n.y / Math.max(sy, thin), n.z / Math.max(sz, thin));
      n.normalize();
      if (!stretches) v.x += share * length;
      if (q) {
        v.applyQuaternion(q);
        n.applyQuaternion(q);
      }
      this.shares.push(stretches ? share : 0);
      this.offsets.push(v.x);
      this.y.push(v.y);
      this.z.push(v.z);
      this.radius = Math.max(this.radius, Math.hypot(v.y, v.z));
      this.normals.push(n.x, n.y, n.z);
      if (painted) this.colours.push(painted[i], painted[i + 1], painted[i + 2]);
      else this.colours.push(own.r, own.g, own.b);
    }
    for (const i of mesh.faces) this.faces.push(first + i);
    for (const i of mesh.edges) this.edges.push(first + i);
  }

  /** Vertex i where the shape has this length. */
  at(i: number, length: number, into: Vector3): Vector3 {
    return into.set(this.shares[i] * length + this.offsets[i], this.y[i], this.z[i]);
  }
}
