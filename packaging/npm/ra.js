#!/usr/bin/env node
// Starts the program of this platform. It is in a package of its own, which npm installs as an optional dependency.
"use strict";

const { spawn } = require("node:child_process");
const os = require("node:os");

const name = `@ra-kb/${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "ra.exe" : "ra";

let path;
try {
  path = require.resolve(`${name}/${program}`);
} catch {
  console.error(`error: the package ${name}, which has the program for this system, is not installed`);
  console.error("hint: install without `--no-optional` or `--omit=optional`; if npm has no such package, build ra from source:");
  console.error("hint: `cargo install ra-kb --locked`");
  process.exit(2);
}

const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });

// A terminal sends an interrupt to both processes. All other signals reach only this one.
process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
for (const signal of ["SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}

child.on("error", (error) => {
  console.error(`error: ${path} could not be started: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  process.exit(signal ? 128 + (os.constants.signals[signal] ?? 0) : code);
});
