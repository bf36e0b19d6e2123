// Starts a lab, a browser and a page for a test.
//
// A test is a file tests/NAME.test.mjs:
//
//     import { after, test } from "node:test";
//     import { close, open } from "./harness.mjs";
//     after(close);
//     test("the page keeps a promise", async () => {
//       const page = await open();          // or open("#link", { colorScheme: "dark" }, ["data/iris.csv"])
//       …
//       await page.done();                  // closes the page and fails on any fault of it; a test that
//                                           // provokes faults calls page.done({ provoked: true })
//     });
//
// `close` also fails if a page that was not `done` has a fault. A fault is an error in the console, an uncaught
// error, a failed request or a request to another server.
//
// `cargo xtask check` runs all tests. A single file: ROSENBLATT=target/debug/rosenblatt node --test FILE, with
// CHROMIUM if it is not /usr/bin/chromium, PAGE=1 for the files of the page instead of those inside the command; or LAB='http://127.0.0.1:1958/#token=…' for a running lab.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
// A name under .example resolves to this machine, as an attacker's name may do.
const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP *.example 127.0.0.1"];

let browser;
/** The running labs by their arguments; the tests of a file share them. */
const labs = new Map();
const pages = [];

/** The address, without token, of a lab with these arguments. */
export async function lab(...args) {
  return (await addressWithToken(args)).split("#")[0];
}

/** The address with the token, as the lab prints it. */
export async function addressWithToken(args = []) {
  if (process.env.LAB && args.length === 0) return process.env.LAB;
  const key = JSON.stringify(args);
  if (!labs.has(key)) labs.set(key, start(args));
  return (await labs.get(key)).address;
}

async function start(args) {
  const command = process.env.ROSENBLATT ?? "target/debug/rosenblatt";
  const stdio = ["ignore", "pipe", "inherit"];
  const child = spawn(command, ["lab", "--port", "0", "--no-open", ...args], { cwd: ROOT, stdio });
  const failed = once(child, "error").then(([error]) => { throw error; });
  const firstLine = once(createInterface({ input: child.stdout }), "line");
  const ended = once(child, "exit").then(([code]) => { throw new Error(`the lab ended with ${code}`); });
  for (const promise of [failed, ended]) promise.catch(() => {});
  const [line] = await Promise.race([firstLine, failed, ended]);
  const address = /http:\/\/\S+/.exec(line)?.[0];
  assert(address, `the lab printed ${line}`);
  return { child, address };
}

/** A new page whose requests go to these addresses only. */
export async function newPage(...addresses) {
  return watchedPage(await newContext(), addresses.map(address => new URL(address).origin));
}

async function newContext(options = {}) {
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  return (await browser).newContext({ viewport: { width: 1440, height: 900 }, ...options });
}

async function watchedPage(context, origins) {
  const page = await context.newPage();
  page.faults = watch(page, origins);
  page.done = async ({ provoked = false } = {}) => {
    await context.close();
    const faults = page.faults.splice(0);
    if (!provoked) assert.deepEqual(faults, []);
  };
  pages.push(page);
  return page;
}

/** Opens the page of a lab with a fragment of a link, and waits until the lab has accepted its token. */
export async function open(fragment = "", options = {}, args = []) {
  const address = await addressWithToken(args);
  const { origin } = new URL(address);
  const context = await newContext(options);
  if (process.env.PAGE) await serveFiles(context, origin);
  const page = await watchedPage(context, [origin]);
  const more = fragment.length > 1 ? `&${fragment.slice(1)}` : "";
  await page.goto(address + more, { waitUntil: "load" });
  // Until then the page has no token for questions of its own or of a test.
  await page.waitForFunction(() => localStorage.getItem("token"));
  return page;
}

/** Answers with the files of the page instead of those inside the command. */
async function serveFiles(context, origin) {
  const folder = fileURLToPath(new URL("../", import.meta.url));
  const files = { "/": "index.html", "/lab.js": "dist/lab.js", "/lab.css": "dist/lab.css" };
  for (const [path, file] of Object.entries(files)) {
    await context.route(origin + path, async route => {
      // Other sites get the answers of the server.
      if (/evil/.test(route.request().frame().url()) || route.request().frame().parentFrame()) return route.continue();
      const response = await route.fetch();
      await route.fulfill(response.ok() ? { response, path: folder + file } : { response });
    });
  }
}

/** Collects the faults of a page. */
function watch(page, origins) {
  const faults = [];
  page.on("console", message => {
    // A rejected question is not a fault of the page.
    const refused = origins.some(origin => message.location().url === `${origin}/ask`) && / status of 4(00|22) /.test(message.text());
    const bad = message.type() === "error" || message.type() === "warning";
    if (bad && !refused) faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", error => faults.push(`not caught: ${error.stack ?? error}`));
  page.on("requestfailed", request => {
    // The page aborts outdated requests.
    const why = request.failure()?.errorText;
    if (why !== "net::ERR_ABORTED") faults.push(`failed: ${request.url()}: ${why}`);
  });
  page.on("request", request => {
    const { protocol, origin: asked } = new URL(request.url());
    if (!origins.includes(asked) && protocol !== "data:" && protocol !== "blob:") faults.push(`foreign: ${request.url()}`);
  });
  return faults;
}

/** Stops the browser and the labs; fails if a page had a fault. */
export async function close() {
  await (await browser)?.close();
  browser = undefined;
  for (const running of labs.values()) {
    const { child } = await running;
    if (child.exitCode === null) {
      child.kill("SIGINT");
      await once(child, "exit");
    }
  }
  labs.clear();
  assert.deepEqual(pages.splice(0).flatMap(page => page.faults), []);
}
