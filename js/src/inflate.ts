/** Texts that were sent compressed: `deflate:` and the base64 of their zlib form. */

const DEFLATED = "deflate:";
/** Bytes. No trace has as many. A notebook of a stranger may hold a text that becomes a thousand times as long. */
const MOST = 64_000_000;

/** The text of what was sent compressed. Throws an Error for the reader if it is too long. */
export async function inflate(wire: string): Promise<string> {
  const text = atob(wire.slice(DEFLATED.length));
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[i] = text.charCodeAt(i);
  }
  let left = MOST;
  const limit = new TransformStream<Uint8Array<ArrayBuffer>>({
    transform(part, next) {
      left -= part.length;
      if (left < 0) {
        next.terminate();
      } else {
        next.enqueue(part);
      }
    },
  });
  const found = await new Response(inflating(bytes).pipeThrough(limit)).text();
  if (left < 0) {
    throw new Error("This trace is larger than 64 MB.");
  }
  return found;
}

/** The text of zlib's bytes. */
export function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Response(inflating(bytes)).text();
}

function inflating(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  // Not through a Blob: its bytes would go through another process.
  return new Response(bytes).body!.pipeThrough(new DecompressionStream("deflate"));
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
