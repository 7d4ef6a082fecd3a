#!/usr/bin/env node
// Starts this platform's program, which is in a package of its own.
"use strict";

const { spawn } = require("node:child_process");
const { isatty } = require("node:tty");
const { name } = require("./package.json");

const platform = `${process.platform}-${process.arch}`;
const owner = `@wire-formats/${name}-${platform}`;
let program;
try {
  program = require.resolve(`${owner}/${name}${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(
    `${name}: the package ${owner} is not installed. Install ${name} without \`--omit=optional\`; ` +
      "if there is no such package for this platform, build it from source: https://github.com/wire-formats/wire",
  );
  process.exit(1);
}

// Where Node can, the program takes this process's place, so that signals and streams are its own.
if (process.execve && process.platform !== "win32") {
  process.emitWarning = () => {}; // Node says on standard error that the function is experimental.
  process.execve(program, [name, ...process.argv.slice(2)]);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends SIGINT to the program itself, too. `process.stdin` would make a pipe non-blocking, which the program has as well.
const isTerminal = isatty(0);
const signals = isTerminal ? ["SIGTERM", "SIGHUP"] : ["SIGINT", "SIGTERM", "SIGHUP"];
if (isTerminal) process.on("SIGINT", () => {});
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`${name}: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
