// The book as a reader opens it: links, the lab inside the lectures, search, both schemes, print. `cargo xtask book` has
// built it. In the place of the lab stands a page that shows its state.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile, readdir } from "node:fs/promises";
import { dirname, extname, join, relative } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import { chromium } from "playwright-core";

const SITE = fileURLToPath(new URL("../../../../../target/site/", import.meta.url));
const BOOK = join(SITE, "book");
const LAB = "<title>lab</title><script>const f = () => document.title = location.hash; f(); onhashchange = f</script>";
const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png" };
let browser, server, address;

async function answer(request, response) {
  const path = decodeURIComponent(new URL(request.url, "http://book").pathname);
  try {
    const body = path === "/lab/index.html" ? LAB : await readFile(join(SITE, path));
    response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
    response.end(body);
  } catch {
    response.statusCode = 404;
    response.end();
  }
}

before(async () => {
  server = createServer(answer).listen(0, "127.0.0.1");
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  address = `http://127.0.0.1:${server.address().port}/book/`;
});
after(async () => {
  await browser?.close();
  server.close();
});

/** Opens a page of the book; `faults` are errors of the page and requests to other servers. */
async function open(path, options = {}) {
  const page = await (await browser.newContext(options)).newPage();
  page.faults = [];
  page.on("console", message => message.type() === "error" && page.faults.push(`${message.text()} ${message.location().url}`));
  page.on("pageerror", error => page.faults.push(String(error)));
  page.on("request", request => {
    if (!request.url().startsWith(new URL(address).origin)) page.faults.push(request.url());
  });
  await page.goto(address + path);
  return page;
}

const files = async () => (await readdir(BOOK, { recursive: true })).filter(name => name.endsWith(".html"));

test("every link within the book leads to a page and a place in it", async () => {
  const pages = new Map();
  for (const name of await files()) pages.set(name, await readFile(join(BOOK, name), "utf8"));
  assert(pages.size > 60);
  const present = new Set((await readdir(BOOK, { recursive: true })).map(name => name.replaceAll("\\", "/")));
  const broken = [];
  for (const [name, html] of pages) {
    for (const [, link] of html.matchAll(/\b(?:href|src)="([^"]*)"/g)) {
      if (/^(\w+:|#$)/.test(link) || link.includes("/lab/index.html")) continue;
      const [path, anchor] = decodeURI(link.replace(/\?[^#]*/, "")).split("#");
      const target = path === "" ? name : relative(BOOK, join(BOOK, dirname(name), path));
      const there = present.has(target) && (!anchor || !target.endsWith(".html") || pages.get(target)?.includes(`id="${anchor}"`));
      if (!there) broken.push(`${name}: ${link}`);
    }
  }
  assert.deepEqual(broken, []);
});

test("the lab is inside the lectures, at the step of the row that is clicked", async () => {
  for (const name of ["carson", "dsc255", "lauer", "shalizi", "varner"]) {
    const html = await readFile(join(BOOK, `docs/lectures/${name}.html`), "utf8");
    assert(!/(href|src)="http:\/\/127\.0\.0\.1/.test(html), name);
    assert.equal(html.match(/<iframe/g)?.length ?? 0, name === "dsc255" ? 2 : 1, name);
  }
  const page = await open("docs/lectures/carson.html");
  const frame = page.locator("figure.lab iframe");
  await frame.scrollIntoViewIfNeeded();
  const state = () => page.frames()[1].title();
  await page.waitForFunction(() => document.querySelector("figure.lab iframe").contentDocument?.title);
  assert.equal(await state(), "#set=or&order=given&zero=negative&step=1");
  await page.getByRole("link", { name: "step 14", exact: true }).click();
  await page.waitForFunction(() => document.querySelector("figure.lab iframe").contentDocument.title.endsWith("=14"));
  assert.equal(await state(), "#set=or&order=given&zero=negative&step=14");
  assert.equal(await page.locator("tr.shown td").nth(1).innerText(), "(0, 1)");
  assert(page.url().startsWith(`${address}docs/lectures/carson.html`));
  assert.deepEqual(page.faults, []);
});

test("the search finds pages", async () => {
  const page = await open("search.html?q=novikoff");
  await page.locator("#search-results li a").nth(4).waitFor();
  assert.deepEqual(page.faults, []);
});

test("light and dark, without a fault that axe finds", async () => {
  const background = { light: "rgb(255, 253, 248)", dark: "rgb(30, 27, 23)" };
  for (const [colorScheme, color] of Object.entries(background)) {
    for (const path of ["index.html", "docs/lectures/shalizi.html", "docs/reference/command/train.html", "docs/tutorials/ten-minutes.html"]) {
      const page = await open(path, { colorScheme });
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), color);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() => window.axe.run("article", { runOnly: ["wcag2a", "wcag2aa"] }));
      assert.deepEqual(violations.map(({ id, nodes }) => `${path} ${colorScheme} ${id} ${nodes[0].html}`), []);
      assert.deepEqual(page.faults, []);
    }
  }
});

test("a phone has no page wider than its window, and print no frames", async () => {
  const page = await open("docs/lectures/lauer.html", { viewport: { width: 390, height: 844 } });
  assert(await page.evaluate(() => document.documentElement.scrollWidth) <= 390);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("figure.lab iframe").isVisible(), false);
});
