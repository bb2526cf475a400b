// Tests of the pages of `ra serve` in a real browser. Each test gets a fresh browser context; one server serves them all.

import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { Project, axeScript, launch } from "./support.mjs";

const HOSTILE = `# Hostile

<script>window.hacked = "script"</script>
<img src="https://remote.invalid/a.png" onerror="window.hacked = 'img'">
<svg onload="window.hacked = 'svg'"><script>window.hacked = "svg script"</script></svg>
<style>body { display: none } @import url("https://remote.invalid/b.css");</style>
<p style="background: url(https://remote.invalid/c.png)" onclick="window.hacked = 'p'" id="main" class="top">styled</p>
<iframe src="https://remote.invalid/d.html"></iframe>
<form action="https://remote.invalid/e"><input name="q"><button>send</button></form>
<base href="https://remote.invalid/"><meta http-equiv="refresh" content="0; url=https://remote.invalid/f">
<link rel="stylesheet" href="https://remote.invalid/g.css"><object data="https://remote.invalid/h"></object>

![tracked](https://remote.invalid/i.png) ![out](../../secret.png) ![vector](evil.svg) ![link](link.png) [run](javascript:window.hacked='link') [data](data:text/html,<script>1</script>)
<a href="javascript:window.hacked='a'">raw</a>

The hostile zebra.
`;
const rows = Array.from({ length: 2000 }, (_, nr) => `| row ${nr} | zebra | ${"x".repeat(40)} |`).join("\n");
const PROJECT = {
  "docs/guide.md": "---\ntags: [setup, net]\nstatus: active\n---\n# Guide\n\nHow to use the zebra, with [notes](notes.md).\n\n## Installation\n\nRun the installer and wait for the zebra. It takes `ten` minutes.\n\n## Removal\n\nStop the zebra first.\n",
  "docs/notes.md": "---\ntags: [net]\nstatus: draft\n---\n# Notes\n\nThe zebra sleeps. See [[guide]] and [nothing](missing.md).\n",
  "docs/deutsch.md": "# Anleitung\n\nDas Zebra schläft in der Nacht und frisst am Tag das Gras auf der Wiese. Die Anleitung ist auf Deutsch geschrieben, damit die Sprache erkannt wird.\n",
  "docs/plain.txt": "A zebra in plain <b>text</b>.\n",
  "docs/hostile.md": HOSTILE,
  "docs/table.md": `# Table\n\n| a | b | c |\n| - | - | - |\n${rows}\n`,
  "docs/live.md": "# Live\n\nThe quagga is here.\n",
  "docs/evil.svg": '<svg xmlns="http://www.w3.org/2000/svg"><script>window.hacked = "svg file"</script></svg>',
  "docs/pictures.md": "# Pictures\n\n![A dot](img/dot.png)\n\n<img src=\"img/dot.png\" alt=\"Another dot\" width=\"40\">\n\n![Far](https://remote.invalid/far.png)\n",
  "docs/long.md": `# Long\n\n${["One", "Two", "Three"].map((name) => `## ${name}\n\n${"A line of text.\n\n".repeat(40)}`).join("")}`,
  "docs/.gitignore": "*.draft.md\n",
  "docs/secret.draft.md": "# Secret\n\nA draft.\n",
};
// A PNG image of one pixel.
const DOT = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

const project = new Project(PROJECT);
project.write("docs/img/dot.png", DOT);
project.write("secret.png", DOT);
project.link("../secret.png", "docs/link.png");
const tests = [];
const test = (name, run, options) => tests.push({ name, run, options });

test("search while typing shows passages, marks and counts", async ({ page, url }) => {
  await page.goto(url);
  await page.locator("#q").pressSequentially("zebra installer");
  await page.locator(".hit .title", { hasText: "Installation" }).first().waitFor();
  assert.equal(await page.locator("#hit-0 .crumbs").textContent(), "Guide › Installation");
  assert.ok((await page.locator("#hit-0 mark").count()) >= 2);
  assert.match(page.url(), /q=zebra\+installer/);
  assert.match(await page.locator("#count").textContent(), /matching section/);
});

test("filters narrow the answer and have counts", async ({ page, url }) => {
  await page.goto(`${url}/?q=zebra`);
  const draft = page.locator(".filters a", { hasText: "draft" });
  assert.match(await draft.textContent(), /1$/);
  await draft.click();
  await page.locator(".chosen").waitFor();
  assert.deepEqual(await page.locator(".hit .title").allTextContents(), ["Notes"]);
  assert.match(page.url(), /field=status%3Adraft/);
  const elsewhere = await page.locator(".elsewhere pre").first().textContent();
  assert.equal(elsewhere, "ra search -n 10 --field status:draft -- zebra");
  await page.locator(".chosen a").click();
  await page.locator(".chosen").waitFor({ state: "detached" });
  await page.goto(`${url}/?q=zebra&type=plain`);
  assert.deepEqual(await page.locator(".hit .file").allTextContents(), ["plain.txt"]);
  await page.goto(`${url}/?q=zebra&lang=de`);
  assert.deepEqual(await page.locator(".hit .file").allTextContents(), ["deutsch.md"]);
  await page.goto(`${url}/?q=zebra&path=guide.md&tag=setup&sort=path`);
  assert.deepEqual(new Set(await page.locator(".hit .file").allTextContents()), new Set(["guide.md"]));
});

test("the command on the page gives the same answer", async ({ page, url }) => {
  await page.goto(`${url}/?q=zebra&tag=net&sort=date`);
  const command = await page.locator(".elsewhere pre").first().textContent();
  const output = JSON.parse(await project.run("--json", ...command.split(" ").slice(1)));
  const ids = output.queries[0].results.map((result) => `${result.path}`);
  assert.deepEqual(await page.locator(".hit .file").allTextContents(), ids);
});

test("the keyboard is enough", async ({ page, url }) => {
  await page.goto(`${url}/?q=zebra`);
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "q");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.closest(".hit").id), "hit-0");
  await page.keyboard.press("j");
  assert.equal(await page.evaluate(() => document.activeElement.closest(".hit").id), "hit-1");
  await page.keyboard.press("e");
  assert.ok(await page.locator("#hit-1 details.why").evaluate((it) => it.open));
  await page.locator("#hit-1 .stack").first().waitFor();
  await page.keyboard.press("k");
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").evaluate((it) => it.open));
  await page.keyboard.press("Escape");
  const title = await page.locator("#hit-0 .title").textContent();
  await page.locator("#hit-0 .title").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/read\//);
  assert.ok((await page.locator(".prose").textContent()).includes(title) || (await page.locator("h1.title").textContent()) === title);
});

test("context is copied within the budget, with its tokens", async ({ page, url, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${url}/?q=zebra`);
  await page.locator("#tokens", { hasText: "of 4,000 tokens" }).waitFor();
  await page.selectOption("#budget", "1000");
  await page.locator("#tokens", { hasText: "of 1,000 tokens" }).waitFor();
  await page.locator("#copy").click();
  await page.locator("#copy", { hasText: "Copied" }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(copied.startsWith("─── docs:"), copied.slice(0, 80));
});

test("a document is read with outline, citation, links and changes", async ({ page, url }) => {
  await page.goto(`${url}/read/docs/guide.md#s-removal`);
  assert.deepEqual(await page.locator(".outline a").allTextContents(), ["Guide", "Installation", "Removal"]);
  await page.locator("#citation code", { hasText: "docs:guide.md#removal@" }).waitFor();
  await page.locator("#related a", { hasText: "docs:notes.md" }).first().waitFor();
  assert.match(await page.locator(".prose").innerHTML(), /href="\/read\/docs\/notes.md"/);
  await page.locator(".prose a", { hasText: "notes" }).click();
  await page.waitForURL(/notes\.md/);
  await page.locator(".prose a", { hasText: "guide" }).click();
  await page.waitForURL(/guide\.md/);
});

test("images of the tree are shown, others after a click", async ({ page, url, requests, problems }) => {
  await page.goto(`${url}/read/docs/pictures.md`);
  for (const name of ["A dot", "Another dot"]) {
    await page.waitForFunction((name) => document.querySelector(`img[alt="${name}"]`).naturalWidth === 1, name);
  }
  assert.deepEqual(requests.filter((request) => !request.startsWith(url)), []);
  assert.deepEqual(problems, []);
  const far = page.locator(".prose a.image");
  assert.equal(await far.getAttribute("href"), "https://remote.invalid/far.png");
  assert.equal(await far.textContent(), "Image: Far (remote.invalid)");
  await page.locator(".note a", { hasText: "remote.invalid" }).click();
  await page.locator('.prose img[alt="Far"]').waitFor({ state: "attached" });
  assert.ok(requests.includes("https://remote.invalid/far.png"));
  assert.ok(!problems.some((problem) => problem.includes("Content Security Policy")), problems.join("\n"));
  await page.locator(".note a", { hasText: "Stop" }).click();
  await far.waitFor();
});

test("the editor opens the line of the section that is read", async ({ page, url }) => {
  await page.setViewportSize({ width: 1200, height: 700 });
  await page.goto(`${url}/read/docs/long.md`);
  const button = page.locator("#open-editor");
  assert.match(await button.getAttribute("href"), /^vscode:.*\/docs\/long\.md:1$/);
  assert.match(await page.locator("#s-two .edit").getAttribute("href"), /long\.md:85$/);
  await page.locator(".outline a", { hasText: "Two" }).click();
  await page.locator("#open-editor", { hasText: "at line 85" }).waitFor();
  assert.match(await button.getAttribute("href"), /long\.md:85$/);
  await page.locator('.outline a[aria-current="location"]', { hasText: "Two" }).waitFor();
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  await page.locator('.outline a[aria-current="location"]', { hasText: "Two" }).waitFor({ state: "detached" });
});

test("the history of a document is on its page, and each version can be compared", async ({ page, url }) => {
  await page.goto(`${url}/read/docs/notes.md`);
  await page.locator("#history a", { hasText: "Second commit" }).waitFor();
  await page.locator("#history a", { hasText: "What has changed" }).click();
  await page.locator(".difference .ins", { hasText: "The zebra sleeps" }).waitFor();
  assert.match(await page.locator(".lead").textContent(), /Compares the file on the disk now with its version in commit/);
  await page.locator(".versions a", { hasText: "Second commit" }).click();
  await page.locator("main", { hasText: "There is no difference." }).waitFor();
});

for (const path of ["/read/docs/hostile.md", "/?q=hostile"]) {
  test(`a hostile document runs nothing and loads nothing: ${path}`, async ({ page, url, requests, problems }) => {
    await page.goto(url + path);
    await page.locator(".prose", { hasText: "hostile zebra" }).first().waitFor();
    for (const details of await page.locator("details").all()) await details.evaluate((it) => { it.open = true; });
    for (const link of await page.locator(".prose a").all()) {
      assert.doesNotMatch((await link.getAttribute("href")) || "", /^(javascript|data|vbscript):/i);
    }
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator(".prose").first().evaluate((it) => it.querySelectorAll("script,img,svg,style,iframe,form,object,[style],[onclick]").length), 0);
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).display), "none");
    assert.deepEqual(requests.filter((request) => !request.startsWith(url)), []);
    assert.deepEqual(problems, []);
    assert.equal(await page.evaluate(() => document.querySelectorAll("#main").length), 1);
  });
}

test("a huge table is readable and does not widen the page", async ({ page, url }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${url}/read/docs/table.md`);
  assert.equal(await page.locator(".prose tr").count(), 2001);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

test("pages follow changes on the disk", async ({ page, url }) => {
  await page.goto(`${url}/?q=quagga`);
  await page.locator("#live", { hasText: "Live" }).waitFor();
  project.write("docs/born.md", "# Born\n\nAnother quagga.\n");
  await page.locator(".hit .title", { hasText: "Born" }).waitFor();
  await page.goto(`${url}/read/docs/live.md`);
  await page.locator("#live", { hasText: "Live" }).waitFor();
  project.write("docs/live.md", "# Live\n\nThe quagga has gone.\n");
  await page.locator(".prose", { hasText: "has gone" }).waitFor();
  assert.match(await page.locator(".changes .del").textContent(), /The quagga is here/);
  assert.match(await page.locator(".changes .ins").textContent(), /The quagga has gone/);
  await page.goto(`${url}/health`);
  await page.locator("#live", { hasText: "Live" }).waitFor();
  await page.locator("#problems", { hasText: "missing.md" }).waitFor();
  project.write("docs/adrift.md", "# Adrift\n\n[Where to](nowhere.md)?\n");
  await page.locator("#problems", { hasText: "nowhere.md" }).waitFor();
});

test("a page that is older than its first event is renewed", async ({ page, url }) => {
  const other = await page.context().newPage();
  await other.goto(`${url}/?q=quagga`);
  await other.locator("#live", { hasText: "Live" }).waitFor();
  let release;
  const released = new Promise((resolve) => { release = resolve; });
  await page.route("**/events", async (route) => { await released; await route.continue(); });
  await page.goto(`${url}/?q=quagga`);
  project.write("docs/early.md", "# Early\n\nAn early quagga.\n");
  await other.locator(".hit .title", { hasText: "Early" }).waitFor();
  await other.close();
  assert.equal(await page.locator(".hit .title", { hasText: "Early" }).count(), 0);
  release();
  await page.locator(".hit .title", { hasText: "Early" }).waitFor();
});

test("health shows the trees, problems and what search misses", async ({ page, url }) => {
  await page.goto(`${url}/health`);
  await page.locator(".treemap").waitFor();
  await page.locator("#problems", { hasText: "missing.md" }).waitFor();
  assert.match(await page.locator("#problems").textContent(), /no such file/);
  assert.match(await page.locator("main").textContent(), /secret\.draft\.md: \*\.draft\.md in /);
  await page.locator("#retrieval a").click();
  await page.locator("#retrieval table").waitFor();
});

test("the agent pane shows what a client receives", async ({ page, url }) => {
  await page.goto(`${url}/agent`);
  await page.locator("#arguments").fill('{"queries": ["installer"], "max_tokens": 500}');
  await page.getByRole("button", { name: "Call" }).click();
  await page.locator("#received").waitFor();
  const shown = await page.locator("#received").textContent();
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "search", arguments: { queries: ["installer"], max_tokens: 500 } } };
  const answer = await fetch(`${url}/mcp`, { method: "POST", headers: { "content-type": "application/json", accept: "application/json, text/event-stream" }, body: JSON.stringify(body) });
  const text = (await answer.json()).result.content[0].text;
  const same = (text) => text.replace(/checked .*/, "");
  assert.equal(same(shown), same(text));
  await page.locator("#tool").selectOption("get");
  await page.locator("#arguments").fill("{nonsense");
  await page.getByRole("button", { name: "Call" }).click();
  await page.locator(".problem", { hasText: "not JSON" }).waitFor();
});

test("search and reading work without JavaScript", async ({ page, url }) => {
  await page.goto(url);
  await page.locator("#q").fill("installer");
  await page.locator("#q").press("Enter");
  await page.locator(".hit .title", { hasText: "Installation" }).click();
  await page.waitForURL(/\/read\/docs\/guide\.md#s-installation/);
  await page.locator(".prose", { hasText: "wait for the zebra" }).waitFor();
  await page.getByRole("link", { name: "Links and similar sections" }).click();
  await page.locator("main", { hasText: "docs:notes.md" }).waitFor();
  await page.goto(`${url}/?q=zebra`);
  await page.locator(".filters a", { hasText: "draft" }).click();
  assert.deepEqual(await page.locator(".hit .title").allTextContents(), ["Notes"]);
  await page.goto(`${url}/read/docs/notes.md`);
  await page.getByRole("link", { name: "History", exact: true }).click();
  await page.locator(".difference").waitFor();
  await page.goto(`${url}/read/docs/guide.md`);
  assert.match(await page.locator("#s-removal .edit").getAttribute("href"), /guide\.md:13$/);
  await page.goto(`${url}/?q=zebra`);
  await page.getByRole("button", { name: "Show as text" }).click();
  await page.waitForURL(/context\.txt/);
}, { javaScriptEnabled: false });

test("a report opens from the disk and loads nothing", async ({ page, requests, problems }) => {
  await project.run("check", "--report", "report.html");
  const url = pathToFileURL(join(project.root, "report.html")).href;
  await page.goto(url);
  await page.locator(".treemap").waitFor();
  assert.match(await page.locator("main").textContent(), /missing\.md/);
  assert.match(await page.locator("main").textContent(), /Left out by ignore files and patterns/);
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.querySelector(".tiles")).display), "block");
  assert.deepEqual(requests, [url]);
  assert.deepEqual(problems, []);
  await accessible(page, "report");
});

test("other sites can't load pages", async ({ url }) => {
  const status = async (headers, path = "/?q=zebra") => (await fetch(url + path, { headers })).status;
  assert.equal(await status({ origin: "https://evil.example" }), 403);
  assert.equal(await status({ origin: "http://localhost:1" }), 403);
  assert.equal(await status({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }), 403);
  assert.equal(await status({}), 200);
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1280, 390]) {
    test(`axe finds nothing: ${colorScheme}, ${width} pixels`, async ({ page, url }) => {
      await page.setViewportSize({ width, height: 900 });
      for (const path of ["/", "/?q=zebra", "/?q=zebra&tag=net", "/?q=xyzzyplugh", "/read/docs/guide.md", "/read/docs/plain.txt", "/health", "/health/retrieval", "/agent?tool=search&arguments=%7B%22queries%22%3A%5B%22zebra%22%5D%7D", "/read/docs/nothing.md", "/related/docs/guide.md", "/history/docs/notes.md", "/read/docs/pictures.md", "/nothing"]) {
        await page.goto(url + path);
        if (path === "/health") await page.locator("#problems", { hasText: "links checked" }).waitFor();
        if (path === "/read/docs/guide.md") await page.locator("#related h2").first().waitFor();
        for (const details of await page.locator("details").all()) await details.evaluate((it) => { it.open = true; });
        await accessible(page, path);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${path} is ${overflow} pixels too wide`);
      }
    }, { colorScheme });
  }
}

/** Fails if axe finds a violation of any rule. */
async function accessible(page, name) {
  // The policy of the page refuses a script element, so the text is evaluated by the debugger.
  const { readFileSync } = await import("node:fs");
  await page.evaluate(readFileSync(axeScript, "utf8"));
  const { violations } = await page.evaluate(() => window.axe.run(document));
  const told = violations.map((it) => `${it.id}: ${it.help}: ${it.nodes.slice(0, 3).map((node) => node.html + " " + (node.failureSummary || "")).join(" | ")}`);
  assert.deepEqual(told, [], name);
}

const NOTES = PROJECT["docs/notes.md"];
project.write("docs/notes.md", NOTES.replace("sleeps", "wakes"));
project.git("init", "-q");
project.commit("First commit");
project.write("docs/notes.md", NOTES);
project.commit("Second commit");
const url = await project.serve(project.root, ["--editor", "vscode"]);
const browser = await launch();
const only = process.argv[2];
let failed = 0;
for (const { name, run, options } of tests.filter((test) => !only || test.name.includes(only))) {
  const context = await browser.newContext({ ...options });
  context.setDefaultTimeout(20000);
  const page = await context.newPage();
  const requests = [], problems = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => { if (message.type() === "error") problems.push(message.text()); });
  page.on("pageerror", (error) => problems.push(String(error)));
  try {
    await run({ page, context, url, requests, problems });
    console.log(`passed: ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${name}\n${error.stack}\nconsole: ${problems.join("\n")}`);
  }
  await context.close();
}
await browser.close();
project.remove();
console.log(failed ? `${failed} browser tests failed` : "all browser tests passed");
process.exit(failed ? 1 : 0);
