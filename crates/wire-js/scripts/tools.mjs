// What the scripts share.
import { spawnSync } from "node:child_process";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the crate, and that of the repository. */
export const crate = dirname(dirname(fileURLToPath(import.meta.url)));
export const root = resolve(crate, "../..");

/** Everything that is made. */
export const made = resolve(process.env.CARGO_TARGET_DIR ?? resolve(root, "target"), "js");

/** Runs a command with its output shown; a failure ends the script. */
export function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { stdio: "inherit", cwd: crate, ...options });
  if (error) fail(`\`${program}\` can't be run: ${error.message}`);
  if (status !== 0) fail(`\`${[program, ...args].join(" ")}\` failed`);
}

/** What a command prints, or undefined if it fails. */
export function printed(program, args, options = {}) {
  const { status, stdout } = spawnSync(program, args, { encoding: "utf8", cwd: crate, ...options });
  return status === 0 ? stdout.trim() : undefined;
}

/** Ends the script with what to do. */
export function fail(message) {
  console.log(`error: ${message}`);
  process.exit(1);
}
