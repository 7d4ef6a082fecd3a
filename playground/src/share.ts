// What is on the page as the fragment of its address: compressed, and never sent to a server.

export interface Shared {
  text: string;
  form?: string | undefined;
  from?: string | undefined;
  /** Of the file that it was. */
  extension?: string | undefined;
}

const VERSION = "#1";

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const piped = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

export async function fragment(shared: Shared): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return VERSION + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What a fragment says; undefined if it is none of ours, or cut. */
export async function shared(fragment: string): Promise<Shared | undefined> {
  if (!fragment.startsWith(VERSION)) return undefined;
  try {
    const binary = atob(fragment.slice(VERSION.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(Uint8Array.from(binary, (character) => character.charCodeAt(0)), new DecompressionStream("deflate-raw"));
    const { text, form, from, extension } = JSON.parse(new TextDecoder().decode(bytes)) as Shared;
    return typeof text === "string" ? { text, form, from, extension } : undefined;
  } catch {
    return undefined;
  }
}
