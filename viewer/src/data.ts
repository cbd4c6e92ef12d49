/** Data as it travels: base64, gzip, packed arrays. */

import type { Packed } from "./scene";

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** The text that was compressed by gzip and written in base64. */
export async function textOf(base64: string): Promise<string> {
  const stream = new Blob([bytesOf(base64)]).stream();
  return new Response(stream.pipeThrough(new DecompressionStream("gzip"))).text();
}

const WORD = { f32: 4, f64: 8, u32: 4, u16: 2, i16: 2, u8: 1 } as const;

function bufferOf(packed: Packed): ArrayBuffer {
  const { buffer } = bytesOf(packed.data);
  const count = packed.shape.reduce((product, n) => product * n, 1);
  if (buffer.byteLength !== count * WORD[packed.type])
    throw new Error(
      `An array of shape ${packed.shape.join("×")} came with ${buffer.byteLength} bytes.`,
    );
  return buffer;
}

/** Numbers as 32-bit floats; those of 16 and 8 bits are shares of their largest number. */
export function floats(packed: Packed): Float32Array {
  const buffer = bufferOf(packed);
  if (packed.type === "f64") return Float32Array.from(new Float64Array(buffer));
  if (packed.type === "i16") return Float32Array.from(new Int16Array(buffer), (n) => n / 32767);
  if (packed.type === "u8") return Float32Array.from(new Uint8Array(buffer), (n) => n / 255);
  return new Float32Array(buffer);
}

export function doubles(packed: Packed): Float64Array {
  const buffer = bufferOf(packed);
  if (packed.type === "f32") return Float64Array.from(new Float32Array(buffer));
  return new Float64Array(buffer);
}

export function integers(packed: Packed): Uint32Array {
  const buffer = bufferOf(packed);
  return packed.type === "u16"
    ? Uint32Array.from(new Uint16Array(buffer))
    : new Uint32Array(buffer);
}
