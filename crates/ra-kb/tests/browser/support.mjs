// Starts `ra serve` over a project of its own, and a browser with a profile of its own.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const require = createRequire(join(process.env.RA_BROWSER_MODULES, "package.json"));
export const { chromium } = require("playwright-core");
export const axeScript = require.resolve("axe-core/axe.min.js");

export const ra = process.env.RA;

/** A directory with a configuration and documents, removed by `remove`. */
export class Project {
  constructor(files) {
    this.base = mkdtempSync(join(tmpdir(), "ra-browser-"));
    this.root = join(this.base, "project");
    this.environment = { PATH: process.env.PATH, HOME: join(this.base, "home"), XDG_CACHE_HOME: join(this.base, "cache") };
    mkdirSync(this.environment.HOME, { recursive: true });
    this.write(".ra.toml", 'root = true\n[trees]\ndocs = "docs"\n');
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  write(path, text) {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Makes a symbolic link at `path`. */
  link(target, path) {
    symlinkSync(target, join(this.root, path));
  }

  git(...args) {
    const settings = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgSign=false"];
    execFileSync("git", [...settings, ...args], { cwd: this.root, env: { ...this.environment, GIT_CONFIG_NOSYSTEM: "1" } });
  }

  /** Commits all files. */
  commit(message) {
    this.git("add", "-A");
    this.git("commit", "-qm", message);
  }

  /** Starts a server and returns its address. */
  async serve(directory = this.root, options = []) {
    this.server = spawn(ra, ["-C", directory, "serve", "--no-open", ...options], { env: this.environment, stdio: ["ignore", "ignore", "pipe"] });
    return new Promise((resolve, reject) => {
      let said = "";
      this.server.stderr.on("data", (chunk) => {
        said += chunk;
        const found = /serving at (http:\S+)/.exec(said);
        if (found) resolve(found[1].replace(/\/$/, ""));
      });
      this.server.on("exit", () => reject(new Error(`ra serve ended: ${said}`)));
    });
  }

  async run(...args) {
    const child = spawn(ra, args, { cwd: this.root, env: this.environment, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    for await (const chunk of child.stdout) output += chunk;
    return output;
  }

  remove() {
    if (this.server) {
      this.server.removeAllListeners("exit");
      this.server.kill();
    }
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** Starts a browser that makes no connection of its own. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.BROWSER_PROGRAM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}
