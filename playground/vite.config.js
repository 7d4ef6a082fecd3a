// `vite build` makes the site's first page and the playground; `vite build --mode file` makes the playground for one file, with everything
// that it loads inside of its scripts. Both go below `target/`, by `scripts/build.mjs`.
import { defineConfig } from "vite";

export default defineConfig(({ mode }) => {
  const isOneFile = mode === "file";
  return {
    base: "./",
    clearScreen: false,
    define: { __ONE_FILE__: isOneFile },
    worker: { format: "es" },
    build: {
      target: "es2024",
      emptyOutDir: true,
      assetsDir: "app",
      assetsInlineLimit: isOneFile ? Infinity : 0,
      modulePreload: false,
      reportCompressedSize: false,
      rollupOptions: { input: isOneFile ? "playground.html" : ["index.html", "playground.html"] },
    },
  };
});
