/** Texts that were sent compressed: `deflate:` and the base64 of their zlib form. */

const DEFLATED = "deflate:";

/** The text of what was sent compressed. */
export async function inflate(wire: string): Promise<string> {
  const text = atob(wire.slice(DEFLATED.length));
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[i] = text.charCodeAt(i);
  }
  return inflated(bytes);
}

/** The text of zlib's bytes. */
export function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Not through a Blob: its bytes would go through another process.
  const stream = new Response(bytes).body!.pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

/** The bytes that digits of base 85 stand for, five for four bytes, after the number of bytes at the end that mean nothing (`digits` in views/widget.py). */
export function unpacked(code: string): Uint8Array<ArrayBuffer> {
  const size = ((code.length - 1) / 5) * 4;
  const found = new DataView(new ArrayBuffer(size));
  for (let i = 1, four = 0; i < code.length; i++) {
    const digit = code.charCodeAt(i) - 40;
    four = four * 85 + digit - +(digit > 52); // no backslash, which JSON would double
    if (i % 5 === 0) {
      found.setUint32((i / 5 - 1) * 4, four);
      four = 0;
    }
  }
  return new Uint8Array(found.buffer, 0, size - +code[0]);
}

export function deflated(wire: string): boolean {
  return wire.startsWith(DEFLATED);
}
