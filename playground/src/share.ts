// What is on the page as the fragment of its address: compressed, and never sent to a server.

export interface Shared {
  text: string;
  form?: string | undefined;
  from?: string | undefined;
  /** Of the file that it was. */
  extension?: string | undefined;
  /** Those that are on. */
  flags?: string[] | undefined;
}

const VERSION = "#1";

/** The most bytes of what a link says: a short one can unpack to a thousand times its length. */
const MOST_BYTES = 8_000_000;

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (const reader = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream).getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError(`more than ${most} bytes`);
    }
    chunks.push(value);
  }
}

/** The fragment that says it; undefined if it is too long. */
export async function fragment(shared: Shared): Promise<string | undefined> {
  const text = new TextEncoder().encode(JSON.stringify(shared));
  if (text.length > MOST_BYTES) return undefined;
  const bytes = await through(text, new CompressionStream("deflate-raw"), Infinity);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return VERSION + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What a fragment says; undefined if it is none of ours, cut, or too long. */
export async function shared(fragment: string): Promise<Shared | undefined> {
  if (!fragment.startsWith(VERSION)) return undefined;
  try {
    const binary = atob(fragment.slice(VERSION.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(Uint8Array.from(binary, (character) => character.charCodeAt(0)), new DecompressionStream("deflate-raw"), MOST_BYTES);
    const { text, form, from, extension, flags } = JSON.parse(new TextDecoder().decode(bytes)) as Shared;
    return typeof text === "string" ? { text, form, from, extension, flags } : undefined;
  } catch {
    return undefined;
  }
}
