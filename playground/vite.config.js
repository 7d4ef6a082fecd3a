// `vite build` makes the site's first page and the playground; `vite build --mode file` makes the playground for one file, with everything
// that it loads inside of its scripts. Both go below `target/`, by `scripts/build.mjs`.
import { defineConfig } from "vite";
import { made } from "../crates/wire-js/scripts/tools.mjs";
import { version } from "./scripts/version.mjs";

process.env.VITE_VERSION = version;

export default defineConfig(({ mode }) => {
  const isOneFile = mode === "file";
  return {
    base: "./",
    clearScreen: false,
    resolve: {
      alias: [
        { find: "#glue", replacement: `${made}/glue` },
        ...(isOneFile ? [{ find: "./start", replacement: new URL("src/start.file.ts", import.meta.url).pathname }] : []),
      ],
    },
    // A worker from a Blob of a file is no module.
    worker: { format: isOneFile ? "iife" : "es" },
    build: {
      target: "es2024",
      emptyOutDir: true,
      assetsDir: "app",
      assetsInlineLimit: isOneFile ? Infinity : 0,
      modulePreload: false,
      reportCompressedSize: false,
      rollupOptions: {
        ...(isOneFile ? { output: { codeSplitting: false } } : {}),
        input: isOneFile ? "playground.html" : ["index.html", "playground.html"],
      },
    },
  };
});
