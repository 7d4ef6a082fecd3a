// The WebAssembly modules, whose code for JavaScript is made by `scripts/build.mjs`.

declare module "#glue/values_bg.js" {
  export function __wbg_set_wasm(exports: WebAssembly.Exports): void;
  export function open_value(input: Uint8Array): Opened | undefined;
  export function pretty_value(input: Uint8Array): string;
  export function same(one: string, other: string): boolean;
  export function choose(counter: string, forms: string, bytes: Uint32Array, tokens: Uint32Array): string | undefined;
  export interface Opened {
    about(): string;
    bytes(index: number): Uint8Array;
    free(): void;
  }
}

declare module "#glue/page_bg.js" {
  import type { Opened } from "#glue/values_bg.js";
  export function __wbg_set_wasm(exports: WebAssembly.Exports): void;
  export function open(input: Uint8Array, extension: string, from: string, flags: string): Opened;
  export function pretty(input: Uint8Array, from: string): string;
  export function recover(answer: Uint8Array): string;
}

declare module "#glue/o200k_bg.js" {
  export function __wbg_set_wasm(exports: WebAssembly.Exports): void;
  export function count(input: Uint8Array): number;
  export function lengths(input: Uint8Array): Uint32Array;
}

declare module "#glue/cl100k_bg.js" {
  export { __wbg_set_wasm, count, lengths } from "#glue/o200k_bg.js";
}
