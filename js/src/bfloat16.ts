/** Figures of rounds, read from text. Counterpart: jgrad/tracing/document/bfloat16.py, which is not translated, because it reads bytes. */

/** The code of no figure, below all others. */
export const NONE = -0x7fff;
/** The code of infinity. That of nan is larger. */
export const INFINITE = 0x7f80;

const bits = new Int32Array(1);
const floats = new Float32Array(bits.buffer);

/** The codes of figures, in the order of the figures. */
export function codes(text: string): number[] {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return Array.from(new Int16Array(bytes.buffer), (half) => (half >= 0 ? half : -0x8000 - half));
}

/** The figure that a code stands for. */
export function figure(code: number): number {
  bits[0] = (code >= 0 ? code : 0x8000 - code) << 16;
  return floats[0];
}
