// A browser with the page in it, and ways to say what a person does.
//
// LAB is the address of a running lab.

import { chromium } from "playwright-core";

const ADDRESS = process.env.LAB ?? "http://127.0.0.1:1958/";
const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

let browser;

/** The page as a link shows it; a fault of its scripts fails the test. */
export async function open(fragment = "", options = {}) {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: QUIET });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", fault => faults.push(fault));
  page.faults = faults;
  await page.goto(ADDRESS + fragment);
  await page.waitForSelector("html[data-ready]");
  return page;
}

export async function close() {
  await browser?.close();
  browser = undefined;
}

export const at = (page, name) => page.locator(`[data-test="${name}"]`);

/** A number of the page with all its digits. */
export async function value(page, name) {
  const text = await at(page, name).getAttribute("data-value");
  return text ? JSON.parse(text) : undefined;
}

/** Waits until a number of the page is this one. */
export async function settles(page, name, wanted) {
  const text = JSON.stringify(wanted);
  await page.waitForFunction(
    ([name, text]) => document.querySelector(`[data-test="${name}"]`)?.dataset.value === text, [name, text], { timeout: 5000 })
    .catch(async () => { throw new Error(`${name} is ${await at(page, name).getAttribute("data-value")}, not ${text}`); });
}

/** Own points as the link has them, once it has settled. */
export async function linked(page) {
  await page.waitForTimeout(250);
  return new URLSearchParams(new URL(page.url()).hash.slice(1).replaceAll("+", "%2B")).get("points");
}

/** Where a place of the empty plane is on the screen: it shows from −5 to 5. */
export async function screen(page, x, y) {
  const box = await at(page, "plane").boundingBox();
  const scale = (Math.min(box.width, box.height) - 2) / 10;
  return [box.x + box.width / 2 + x * scale, box.y + box.height / 2 - y * scale];
}
