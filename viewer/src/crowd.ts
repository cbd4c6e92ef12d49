/**
 * A crowd: all shapes of one material, of all rigid groups, as one geometry and one draw call.
 *
 * Each vertex has the number of its rigid group; the vertex shader takes its pose from a texture:
 * two texels a group, the position, and the quaternion. However many bodies move, the mechanism
 * takes as many draw calls as it has materials.
 */

import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  FloatType,
  type Material,
  NearestFilter,
  RGBAFormat,
  type WebGLProgramParametersWithUniforms,
} from "three";
import type { Batch } from "./blueprint";
import { POSE } from "./scene";

/** Rigid groups in a row of the texture. */
const ROW = 512;

/** Shapes of one layer and material; those of the world apart from those that move. */
export interface Crowd {
  sample: Batch;
  geometry: BufferGeometry;
  edges: BufferGeometry;
}

/** Gather the batches of rigid groups into crowds. */
export function gather(batches: Batch[]): Crowd[] {
  const found = new Map<string, Batch[]>();
  for (const batch of batches) {
    const { group, layer, opacity, specular, bothSides } = batch;
    const key = [group === 0, layer, opacity, specular, bothSides].join("|");
    found.set(key, [...(found.get(key) ?? []), batch]);
  }
  return [...found.values()].map((own) => ({
    sample: own[0],
    geometry: joined(own, (batch) => batch.geometry),
    edges: joined(own, (batch) => batch.edges),
  }));
}

/** The geometries of some batches as one, with the number of the rigid group of each vertex. */
function joined(
  batches: Batch[],
  geometryOf: (batch: Batch) => BufferGeometry,
): BufferGeometry {
  const parts = batches.map(geometryOf);
  const counts = parts.map(({ attributes }) => attributes.position.count);
  const total = counts.reduce((a, b) => a + b, 0);
  const made = new BufferGeometry();
  for (const name of Object.keys(parts[0].attributes)) {
    const all = new Float32Array(3 * total);
    let at = 0;
    for (const { attributes } of parts) {
      all.set(attributes[name].array as Float32Array, at);
      at += attributes[name].array.length;
    }
    made.setAttribute(name, new BufferAttribute(all, 3));
  }
  const groups = new Float32Array(total);
  const index: number[] = [];
  let first = 0;
  parts.forEach((part, k) => {
    groups.fill(batches[k].group, first, first + counts[k]);
    if (part.index) for (const i of part.index.array) index.push(first + i);
    first += counts[k];
  });
  made.setAttribute("rigidGroup", new BufferAttribute(groups, 1));
  if (index.length) made.setIndex(index);
  return made;
}

/** The poses of all rigid groups, as shaders read them. */
export class PoseTexture {
  readonly texture: DataTexture;
  private readonly data: Float32Array;

  constructor(groups: number) {
    const rows = Math.max(Math.ceil(groups / ROW), 1);
    this.data = new Float32Array(8 * ROW * rows);
    for (let k = 0; k < groups; k++) this.data[8 * k + 7] = 1; // not turned
    this.texture = new DataTexture(this.data, 2 * ROW, rows, RGBAFormat, FloatType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.texture.needsUpdate = true;
  }

  /** Take the poses [groups − 1, 7]: x y z, and the quaternion x y z w, made to length one. */
  set(poses: Float32Array): void {
    const { data } = this;
    for (let from = 0, to = 8; from < poses.length; from += POSE, to += 8) {
      const [x, y, z, w] = poses.subarray(from + 3, from + POSE);
      const size = Math.hypot(x, y, z, w) || 1;
      data[to] = poses[from];
      data[to + 1] = poses[from + 1];
      data[to + 2] = poses[from + 2];
      data[to + 4] = x / size;
      data[to + 5] = y / size;
      data[to + 6] = z / size;
      data[to + 7] = w / size;
    }
    this.texture.needsUpdate = true;
  }

  dispose(): void {
    this.texture.dispose();
  }

  /** Let a material draw a crowd at these poses. */
  pose<M extends Material>(material: M): M {
    material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms): void => {
      shader.uniforms.poses = { value: this.texture };
      shader.vertexShader =
        HEAD +
        shader.vertexShader
          .replace("#include <beginnormal_vertex>", NORMAL)
          .replace("#include <begin_vertex>", POINT);
    };
    material.customProgramCacheKey = () => "crowd";
    return material;
  }
}

const HEAD = `
uniform highp sampler2D poses;
attribute float rigidGroup;
vec4 poseTexel(int part) {
  int k = int(rigidGroup + 0.5);
  return texelFetch(poses, ivec2(2 * (k % ${ROW}) + part, k / ${ROW}), 0);
}
vec3 turnedBy(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}
`;
const NORMAL = `#include <beginnormal_vertex>
objectNormal = turnedBy(poseTexel(1), objectNormal);
`;
const POINT = `#include <begin_vertex>
transformed = poseTexel(0).xyz + turnedBy(poseTexel(1), transformed);
`;
