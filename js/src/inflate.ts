/** Texts that were sent compressed: `deflate:` and the base64 of their zlib form. */

const DEFLATED = "deflate:";

/** The text of what was sent compressed. */
export async function inflate(wire: string): Promise<string> {
  const text = atob(wire.slice(DEFLATED.length));
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[i] = text.charCodeAt(i);
  }
  // Not through a Blob: its bytes would go through another process.
  const stream = new Response(bytes).body!.pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

export function deflated(wire: string): boolean {
  return wire.startsWith(DEFLATED);
}
