// How Rust is compiled for WebAssembly here: rustup's target where it can be had, and otherwise Debian's compiler with the sources of the
// standard library, unpacked below `target/`.
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fail, made, printed, run } from "./tools.mjs";

export const TARGET = "wasm32-unknown-unknown";
const PACKAGES = ["rustc-web", "rust-web-src"];

/** The arguments and variables with which cargo builds for the target. `WIRE_JS_DEBIAN=1` takes Debian's compiler. */
export function toolchain() {
  const ofRustup = { args: [], env: {} };
  if (process.env.WIRE_JS_DEBIAN !== "1") {
    if (hasTarget()) return ofRustup;
    console.log(`\`rustup target add ${TARGET}\``);
    if (printed("rustup", ["target", "add", TARGET], { timeout: 120_000 }) !== undefined && hasTarget()) return ofRustup;
  }
  const folder = join(made, "debian");
  const rustc = join(folder, "usr/bin/rustc");
  if (!existsSync(join(folder, "done"))) unpack(folder);
  const linker = ["rust-lld"].map((name) => join(printed("rustc", ["--print", "sysroot"]), "lib/rustlib", host(), "bin", name)).find(existsSync);
  if (linker === undefined) fail("rustup's `rust-lld`, which links WebAssembly, is not in the toolchain; install Rust by rustup");
  return {
    args: ["-Zbuild-std=std,panic_abort"],
    env: {
      RUSTC: rustc,
      RUSTC_BOOTSTRAP: "1",
      LD_LIBRARY_PATH: join(folder, "usr/lib", debianTriple()),
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: linker,
    },
  };
}

function hasTarget() {
  const folder = printed("rustc", ["--print", "target-libdir", "--target", TARGET]);
  return folder !== undefined && existsSync(folder) && readdirSync(folder).some((name) => name.startsWith("libcore"));
}

const host = () => /host: (.*)/.exec(printed("rustc", ["-vV"]))[1];
const debianTriple = () => host().replace("-unknown", "");

/** Unpacks Debian's packages, without root and without installing them. */
function unpack(folder) {
  const missing = `the target ${TARGET} is not installed, \`rustup target add ${TARGET}\` can't download it, and`;
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
