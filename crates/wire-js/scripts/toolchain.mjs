// How Rust is compiled for WebAssembly here: by rustup's toolchain with its sources of the standard library, and where these can't be had by
// Debian's compiler with its own, unpacked below `target/`. The standard library is compiled anew, without the messages of panics: nobody
// reads them there, and they are a tenth of a module.
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fail, made, printed, run } from "./tools.mjs";

export const TARGET = "wasm32-unknown-unknown";
const PACKAGES = ["rustc-web", "rust-web-src"];
const ARGS = ["-Zbuild-std=std,panic_abort"];
// Every engine that the package supports has these instructions. The first variable lets a stable compiler take the options; cargo would
// prefer the last one.
const FLAGS = ["-Ctarget-feature=+simd128", "-Zunstable-options", "-Cpanic=immediate-abort"];
const ENV = { RUSTC_BOOTSTRAP: "1", RUSTFLAGS: FLAGS.join(" "), CARGO_ENCODED_RUSTFLAGS: undefined };

/** The arguments and variables with which cargo builds for the target. `WIRE_JS_DEBIAN=1` takes Debian's compiler. */
export function toolchain() {
  const ofRustup = { args: ARGS, env: ENV };
  const sysroot = printed("rustc", ["--print", "sysroot"]) ?? fail("`rustc` can't be run; install Rust by rustup");
  if (process.env.WIRE_JS_DEBIAN !== "1") {
    const env = { ...process.env, ...ENV };
    const isNew = printed("rustc", ["--target", TARGET, "--print", "cfg", ...FLAGS], { env }) !== undefined;
    const hasSources = () => existsSync(join(sysroot, "lib/rustlib/src/rust/library/std"));
    if (isNew && hasSources()) return ofRustup;
    console.log("`rustup component add rust-src`");
    if (isNew && printed("rustup", ["component", "add", "rust-src"], { timeout: 120_000 }) !== undefined && hasSources()) return ofRustup;
  }
  const folder = join(made, "debian");
  if (!existsSync(join(folder, "done"))) unpack(folder);
  const linker = join(sysroot, "lib/rustlib", host(), "bin/rust-lld");
  if (!existsSync(linker)) fail("rustup's `rust-lld`, which links WebAssembly, is not in the toolchain; install Rust by rustup");
  return {
    args: ARGS,
    env: {
      ...ENV,
      RUSTC: join(folder, "usr/bin/rustc"),
      LD_LIBRARY_PATH: join(folder, "usr/lib", debianTriple()),
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: linker,
    },
  };
}

const host = () => /host: (.*)/.exec(printed("rustc", ["-vV"]))[1];
const debianTriple = () => host().replace("-unknown", "");

/** Unpacks Debian's packages, without root and without installing them. */
function unpack(folder) {
  const missing = "rustup's stable toolchain is too old, or `rustup component add rust-src` can't download its sources, and";
  if (printed("apt-get", ["--version"]) === undefined) fail(`${missing} there is no \`apt-get\` to load Debian's ${PACKAGES.join(" and ")} in its place`);
  rmSync(folder, { recursive: true, force: true });
  const state = join(folder, "apt");
  mkdirSync(join(state, "lists/partial"), { recursive: true });
  mkdirSync(join(state, "cache/archives/partial"), { recursive: true });
  // Lists of its own: those of the machine may be old, or empty, and only root may refresh them.
  const own = [`Dir::State::Lists=${state}/lists`, `Dir::Cache=${state}/cache`, "Debug::NoLocking=1", "APT::Sandbox::User="].flatMap((option) => ["-o", option]);
  printed("apt-get", [...own, "-qq", "update"]);
  const plan = printed("apt-get", [...own, "--simulate", "--no-install-recommends", "install", ...PACKAGES]) ?? "";
  const names = plan.split("\n").flatMap((line) => /^Inst (\S+)/.exec(line)?.[1] ?? []);
  if (names.length === 0 || printed("apt-get", [...own, "-qq", "download", ...names], { cwd: state }) === undefined) {
    fail(`${missing} Debian's ${PACKAGES.join(" and ")} can't be downloaded, either`);
  }
  for (const name of readdirSync(state).filter((name) => name.endsWith(".deb"))) run("dpkg-deb", ["-x", join(state, name), folder]);
  rmSync(state, { recursive: true });
  mkdirSync(join(folder, "done"));
}
