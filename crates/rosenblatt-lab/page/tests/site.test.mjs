// The static site: the page with the engine inside.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { build } from "esbuild";
import { addressWithToken, close, newPage } from "./harness.mjs";
import { instantiate } from "./module.mjs";
import { at, settles } from "./open.mjs";
import { questions } from "./questions.mjs";
import { serve } from "./statics.mjs";

const SITE = fileURLToPath(new URL("../../../../target/site/", import.meta.url));
const SOURCE = fileURLToPath(new URL("../src/", import.meta.url));
const HEAD = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">';
const servers = [];
after(async () => {
  servers.forEach(server => server.end());
  await close();
});

async function site(more) {
  const server = await serve(SITE, more);
  servers.push(server);
  return server;
}

/** The native server's answers, as `status text`. */
async function native(asked) {
  const [address, token] = (await addressWithToken()).split("#token=");
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  const answers = [];
  for (const body of asked) {
    const response = await fetch(`${address}ask`, { method: "POST", headers, body });
    answers.push(`${response.status} ${await response.text()}`);
  }
  return answers;
}

/** Fails at the first question that is answered otherwise. */
function same(asked, found, expected) {
  assert.equal(found.length, asked.length);
  for (const [place, answer] of found.entries()) {
    assert.ok(answer === expected[place], `${asked[place].slice(0, 400)}\n${answer.slice(0, 400)}\n${expected[place].slice(0, 400)}`);
  }
}

test("the module answers as the native server, in Node", async () => {
  const asked = questions();
  assert.ok(asked.length >= 200, `${asked.length} questions`);
  const ask = await instantiate(readFileSync(`${SITE}lab/engine.wasm`));
  const expected = await native(asked);
  const statuses = new Set(expected.map(answer => answer.slice(0, 3)));
  assert.deepEqual([...statuses].sort(), ["200", "400", "422"]);
  same(asked, asked.map(ask), expected);
});

/** The page's part that asks the engine, as a module of its own. */
async function engineScript() {
  const options = { entryPoints: [`${SOURCE}engine.ts`], bundle: true, format: "esm", write: false };
  return (await build(options)).outputFiles[0].text;
}

/** Opens a page that has the engine's script as `asking`. */
async function asking(time) {
  const script = `import { Engine } from "./engine.js";
    window.engine = new Engine({ address: "/lab/engine.wasm" }, ${time});
    window.ask = async (text, signal) => {
      const response = await window.engine.ask(text, signal);
      return \`\${response.status} \${await response.text()}\`;
    };`;
  const html = `${HEAD}<script type="module" src="/asking.js"></script>`;
  const { address } = await site({ "/asking.html": html, "/asking.js": script, "/engine.js": await engineScript() });
  const page = await newPage(address);
  await page.goto(`${address}/asking.html`);
  await page.waitForFunction(() => window.ask);
  return page;
}

test("the module answers as the native server, in the worker of a browser", async () => {
  const asked = questions();
  const page = await asking(60_000);
  const found = await page.evaluate(asked => Promise.all(asked.map(text => window.ask(text))), asked);
  same(asked, found, await native(asked));
  await page.done();
});

/** XOR for 100,000 epochs, many times over: longer than any of the limits below. */
const LONG = JSON.stringify({
  study: {
    points: { rows: [[0, 0], [0, 1], [1, 0], [1, 1]], signs: [1, -1, -1, 1] }, runs: 1000,
    options: { order: "shuffle", epochs: 100_000 },
  },
});
const SHORT = '{"separable": {"points": {"rows": [[0], [1]], "signs": [1, -1]}}}';

test("a question that takes too long is stopped, and the next one is answered", async () => {
  const page = await asking(300);
  const [long, short] = await page.evaluate(async ([long, short]) => {
    const first = window.engine.ask(long).then(response => {
      // The next question is short, but on a busy machine a new worker takes its time.
      window.engine.time = 60_000;
      return response;
    });
    const second = window.ask(short);
    const answer = await first;
    return [`${answer.status} ${await answer.text()}`, await second];
  }, [LONG, SHORT]);
  assert.match(long, /^422 .*"this takes too long for a page"/);
  assert.match(short, /^200 /);
  await page.done();
});

test("an aborted question ends, also while others wait", async () => {
  const page = await asking(60_000);
  const ended = await page.evaluate(async ([long, short]) => {
    const abort = new AbortController();
    const dropped = [window.ask(long, abort.signal), window.ask(long, abort.signal)];
    const waiting = window.ask(short);
    abort.abort();
    const names = await Promise.all(dropped.map(one => one.catch(error => error.name)));
    const already = await window.ask(short, AbortSignal.abort()).catch(error => error.name);
    return [...names, already, (await waiting).slice(0, 3)];
  }, [LONG, SHORT]);
  assert.deepEqual(ended, ["AbortError", "AbortError", "AbortError", "200"]);
  await page.done();
});

/** Opens the lab of the site. */
async function lab(link, server) {
  const { address } = server ?? await site();
  const page = await newPage(address);
  await page.goto(`${address}/lab/${link}`);
  await page.waitForSelector("html[data-ready]");
  return page;
}

test("the lab works from plain files and without a network, and its link has the state", async () => {
  const page = await lab("#set=and&order=given&step=36");
  await settles(page, "updates", 18);
  await page.context().setOffline(true);
  await at(page, "drawer-toggle").click();
  await at(page, "set").selectOption("or");
  await at(page, "end").click();
  await page.waitForSelector("html:not([data-link-pending])");
  assert.match(new URL(page.url()).hash, /^#set=or&order=given&step=\d+$/);
  await page.done();
});

test("the site asks for its own four files and no others", async () => {
  const server = await site();
  const page = await newPage(server.address);
  const asked = [];
  page.on("request", request => asked.push(request.url()));
  await page.goto(`${server.address}/`);
  await page.waitForSelector("html[data-ready]");
  const own = ["/", "/lab/", "/lab/engine.wasm", "/lab/lab.css", "/lab/lab.js"].map(path => server.address + path);
  assert.deepEqual([...new Set(asked.filter(url => /^http/.test(url)))].sort(), own);
  await page.done();
});

test("the lab weighs at most 600 kB, as servers of files send it", () => {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  const weights = readdirSync(`${SITE}lab`).map(name => [name, brotliCompressSync(readFileSync(`${SITE}lab/${name}`), quality).length]);
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  assert.ok(total <= 600_000, `${total} bytes: ${weights.join("; ")}`);
});

test("the lab works in a frame of another site", async () => {
  const inner = await site();
  const html = `${HEAD}
    <iframe src="${inner.address}/lab/#set=and&order=given&step=36" width="1200" height="800"></iframe>`;
  const outer = await site({ "/frame.html": html });
  const address = `http://notes.example:${outer.port}`;
  const page = await newPage(address, inner.address);
  await page.goto(`${address}/frame.html`);
  const updates = page.frameLocator("iframe").locator("[data-test=updates]");
  await updates.and(page.frameLocator("iframe").locator("[data-value='18']")).waitFor();
  await page.done();
});

test("a scene works in small frames of another site, and the wheel there turns no scene", async () => {
  const inner = await site();
  for (const [width, height] of [[360, 640], [834, 520]]) {
    const html = `${HEAD}<iframe src="${inner.address}/lab/#story=3" width="${width}" height="${height}"></iframe>`;
    const outer = await site({ "/frame.html": html });
    const page = await newPage(`http://notes.example:${outer.port}`, inner.address);
    await page.goto(`http://notes.example:${outer.port}/frame.html`);
    const frame = page.frameLocator("iframe");
    await frame.locator("[data-test=story-now]").filter({ hasText: "Example 13 is on the wrong side." }).waitFor();
    for (const name of ["plane", "story-title", "story-next", "story-free"]) {
      const box = await frame.locator(`[data-test=${name}]`).boundingBox();
      const around = await page.locator("iframe").boundingBox();
      assert.ok(box.x >= around.x && box.y >= around.y && box.x + box.width <= around.x + width + 2 && box.y + box.height <= around.y + height + 2, `${width}: ${name}`);
    }
    await page.mouse.move(100, 100);
    await page.mouse.wheel(0, 300);
    await frame.locator("[data-test=story-next]").click();
    await frame.locator("[data-test=story-title]").filter({ hasText: "Which point moves the line next?" }).waitFor();
    await page.done();
  }
});

test("a page that is opened as a file says why it stays closed", async () => {
  const page = await newPage("http://localhost/");
  await page.goto(`file://${SITE}lab/index.html`);
  await page.getByText("If this is a file on your disk, your browser does not run its script").waitFor();
  await page.done({ provoked: true });
  const opened = await lab("#set=and");
  assert.equal(await opened.locator(".opening").count(), 0);
  await opened.done();
});

test("the policy of the page forbids scripts and requests that are not its own", async () => {
  const page = await lab("#points=");
  const refused = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.injected = true";
    document.body.append(script);
    const elsewhere = await fetch("http://127.0.0.1:9/").then(() => "answered", () => "refused");
    return { injected: "injected" in window, elsewhere };
  });
  assert.deepEqual(refused, { injected: false, elsewhere: "refused" });
  await page.done({ provoked: true });
});
