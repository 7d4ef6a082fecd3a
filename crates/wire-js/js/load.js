// Loads a WebAssembly module at the first call, in one step: no caller waits for it.

/**
 * The functions of `glue`, which the module has been loaded for. `source` is the compiled module where the platform imports it, and else its
 * bytes in base64, which bundlers and engines load like any script.
 */
export function loading(source, glue, name) {
  let loaded = false;
  return () => {
    if (!loaded) {
      const module = typeof source === "string" ? new WebAssembly.Module(Uint8Array.from(atob(source), (c) => c.charCodeAt(0))) : source;
      const { exports } = new WebAssembly.Instance(module, { [name]: glue });
      glue.__wbg_set_wasm(exports);
      exports.__wbindgen_start();
      loaded = true;
    }
    return glue;
  };
}
