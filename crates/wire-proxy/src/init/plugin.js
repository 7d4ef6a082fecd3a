// Written by `wire-proxy init AGENT --hook`: outputs of tools that are JSON, with fewer tokens.
import { spawn } from "node:child_process";

const COMMAND = ["wire-proxy", "hook", "AGENT"];
const SECONDS = 5;

// What wire-proxy answers to an event, as a text; empty if nothing changes or anything fails.
const answer = (event) =>
  new Promise((resolve) => {
    const [program, ...options] = COMMAND;
    const child = spawn(program, options, { stdio: ["pipe", "pipe", "ignore"] });
    const timer = setTimeout(() => child.kill(), SECONDS * 1000);
    const parts = [];
    child.on("error", () => resolve(""));
    child.stdin.on("error", () => {});
    child.stdout.on("data", (part) => parts.push(part));
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve(code === 0 ? Buffer.concat(parts).toString() : "");
    });
    child.stdin.end(JSON.stringify({ ...event, version: 1 }));
  });
