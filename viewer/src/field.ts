/** A field: a tube whose colours follow values along its length. */

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  SRGBColorSpace,
} from "three";
import type { Blueprint } from "./blueprint";
import { Solid } from "./geometry";
import type { Shape } from "./scene";

/** The value at a share of the length, straight between those that are given. */
function valueAt(share: number, shares: number[], values: number[]): number {
  const next = shares.findIndex((one) => one >= share);
  if (next <= 0) return values[next < 0 ? values.length - 1 : 0];
  const [a, b] = [shares[next - 1], shares[next]];
  const t = b > a ? (share - a) / (b - a) : 1;
  return values[next - 1] + t * (values[next] - values[next - 1]);
}

/** The geometry of a field, and what paints it with the values of all channels. */
export function makeField(
  shape: Shape,
  { scene, meshes }: Blueprint,
): { geometry: BufferGeometry; paint: (values: Float32Array) => void } {
  const { channels = [], shares = [], low = 0, high = 1 } = shape;
  const solid = new Solid(meshes, shape, new Color(), false);
  const length = shape.pieces?.[0]?.scale[0] || 1;
  const geometry = new BufferGeometry();
  const points = solid.y.flatMap((y, i) => [solid.offsets[i], y, solid.z[i]]);
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(solid.normals), 3));
  const colour = new BufferAttribute(new Float32Array(points.length), 3);
  colour.setUsage(DynamicDrawUsage);
  geometry.setAttribute("color", colour);
  geometry.setIndex(solid.faces);
  const colours = (shape.colors ?? [[1, 1, 1]]).map((rgb) =>
    new Color().setRGB(...rgb, SRGBColorSpace),
  );
  const paint = (values: Float32Array): void => {
    const own = channels.map((k) => values[k] ?? low);
    for (let i = 0; i < solid.y.length; i++) {
      const value = valueAt(solid.offsets[i] / length, shares, own);
      const at = Math.min(Math.max((value - low) / (high - low || 1), 0), 1);
      const step = Math.round((Number.isFinite(at) ? at : 0) * (colours.length - 1));
      const { r, g, b } = colours[step];
      colour.setXYZ(i, r, g, b);
    }
    colour.needsUpdate = true;
  };
  paint(new Float32Array(scene.channels?.length ?? 0));
  return { geometry, paint };
}
