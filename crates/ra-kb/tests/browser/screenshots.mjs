// Writes the pictures in docs/images: the main pages over the project's own documentation.

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { Project, launch } from "./support.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../../..");
const images = join(root, "docs/images");
const PICTURES = [
  { file: "serve-search.png", path: "/?q=how+does+ra+stay+fresh", ready: "#tokens:not(:empty)", open: "#hit-0 .why", close: "#hit-0 .passage" },
  { file: "serve-read.png", path: "/read/docs/guide/searching.md", ready: "#related h2", dark: true, width: 1000, height: 620 },
  { file: "serve-health.png", path: "/health", ready: "#problems .lead" },
  { file: "serve-phone.png", path: "/?q=token+budget", ready: "#tokens:not(:empty)", width: 390, height: 800 },
];

mkdirSync(images, { recursive: true });
const project = new Project({});
project.write(".ra.toml", `root = true\n[trees]\ndocs = ${JSON.stringify(join(root, "docs"))}\n`);
const url = await project.serve();
const browser = await launch();
for (const { file, path, ready, open, close, dark, width = 1200, height = 860 } of PICTURES) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light" });
  const page = await context.newPage();
  await page.goto(url + path);
  await page.locator(ready).first().waitFor();
  if (open) await page.locator(open).evaluate((it) => { it.open = true; });
  if (close) await page.locator(close).evaluate((it) => { it.open = false; });
  // What differs from machine to machine isn't shown.
  await page.evaluate((base) => {
    document.querySelector("#live").textContent = "Live";
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const [from, to] of base) node.data = node.data.replaceAll(from, to);
    }
  }, [[root, "/home/you/project"], [project.base, "/home/you"]]);
  await page.screenshot({ path: join(images, file) });
  await context.close();
  console.log(`wrote docs/images/${file}`);
}
await browser.close();
project.remove();
process.exit(0);
