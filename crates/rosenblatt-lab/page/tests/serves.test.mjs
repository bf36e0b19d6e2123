// The server of the page.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { addressWithToken, close, lab, open } from "./harness.mjs";

after(close);

test("the page loads without errors and sends requests only to the lab", async () => {
  const page = await open();
  assert.match(await page.title(), /lab/);
  assert.ok((await page.locator("body").innerText()).trim().length > 0);
  await page.done();
});

test("the page fits dark and light themes, wide and narrow windows", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const [width, link] of [[320, "#set=and&step=4"], [320, "#tab=patterns"], [360, ""], [1920, ""]]) {
      const page = await open(link, { colorScheme, viewport: { width, height: 800 } });
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wider <= 0, `${colorScheme}, ${width}: ${wider} pixels too wide`);
      await page.done();
    }
  }
});

test("the policy forbids scripts and requests that are not the lab's", async () => {
  const page = await open();
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

/** Starts a server of another site. */
async function elsewhere() {
  const server = createServer((_, response) => response.setHeader("Content-Type", "text/html").end("<p>elsewhere"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  // The server must not keep a failed test from ending.
  server.unref();
  const end = () => server.closeAllConnections();
  return { address: `http://evil.example:${server.address().port}/`, end };
}

test("a page of another site can neither send questions to the lab nor frame nor load it", async () => {
  const [address, other] = [await lab(), await elsewhere()];
  // Without points the page asks nothing.
  const page = await open("#points=");
  await page.waitForLoadState("networkidle");
  const answers = [];
  const heard = (request, answer) => {
    if (request.url().startsWith(address)) answers.push(`${new URL(request.url()).pathname} ${answer}`);
  };
  page.on("response", response => heard(response.request(), response.status()));
  page.on("requestfailed", request => heard(request, request.failure().errorText));
  await page.goto(other.address);
  const tried = await page.evaluate(async address => {
    const ended = element => new Promise(end => { element.onload = element.onerror = end; document.body.append(element); });
    const body = "{}";
    await fetch(`${address}ask`, { method: "POST", mode: "no-cors", headers: { "Content-Type": "text/plain" }, body })
      .catch(() => undefined);
    await ended(Object.assign(document.createElement("iframe"), { src: address }));
    await ended(Object.assign(document.createElement("script"), { src: `${address}lab.js` }));
    const options = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    return fetch(`${address}ask`, options).then(() => "read", () => "not read");
  }, address);
  assert.equal(tried, "not read");
  for (const path of ["/ask", "/", "/lab.js"]) {
    const refused = [`${path} 403`, `${path} net::ERR_BLOCKED_BY_RESPONSE.NotSameOrigin`];
    assert.ok(answers.some(answer => refused.includes(answer)), `${path}: ${answers}`);
  }
  assert.ok(!answers.some(answer => answer.endsWith(" 200")), `${answers}`);
  other.end();
  await page.done({ provoked: true });
});

test("the server rejects another host name for this machine", async () => {
  const page = await open();
  const rebound = new URL(await lab());
  rebound.hostname = "evil.example";
  assert.equal((await page.goto(rebound.href)).status(), 403);
  await page.done({ provoked: true });
});

test("a link from another site opens the page", async () => {
  const [address, other] = [await lab(), await elsewhere()];
  const page = await open();
  await page.goto(other.address);
  const arrived = page.waitForEvent("response", response => response.url() === address);
  await page.evaluate(address => { location.href = address; }, address);
  assert.equal((await arrived).status(), 200);
  await page.waitForLoadState();
  other.end();
  await page.done({ provoked: true });
});

test("a file is offered with its columns", async () => {
  const page = await open("", {}, ["data/iris.csv"]);
  const file = await page.evaluate(() => {
    const headers = { Authorization: `Bearer ${localStorage.getItem("token")}` };
    return fetch("/file", { headers }).then(response => response.json());
  });
  assert.deepEqual(file.features, ["sepal_length", "sepal_width", "petal_length", "petal_width"]);
  await page.done();
});

test("the page uses the token of its address, and its links do not contain it", async () => {
  const token = "open-sesame-1957-x";
  const page = await open("", {}, ["--token", token]);
  await page.locator("[data-test=drawer-toggle]").click();
  await page.locator("[data-test=set]").selectOption("and");
  await page.locator("[data-test=end]").click();
  await page.locator("[data-test=updates][data-value='18']").waitFor();
  await page.waitForSelector("html:not([data-link-pending])");
  assert.ok(!page.url().includes(token), page.url());
  await page.done();
});

test("a link without the token works in another tab after the address with the token was opened", async () => {
  const page = await open();
  await page.waitForSelector("html[data-ready]");
  const other = await page.context().newPage();
  await other.goto(`${await lab()}#set=and&order=given&step=3`);
  await other.locator("[data-test=visits][data-value='3']").waitFor();
  await page.done();
});

test("a token that the lab refuses does not replace the good one, and the page says so", async () => {
  const page = await open("", {}, ["data/iris.csv"]);
  await page.locator("[data-test=visits][data-value='0']").waitFor();
  const address = await lab("data/iris.csv");
  for (const link of ["#token=junk", "#token=junk&set=file&step=2"]) {
    const step = link.includes("step") ? 2 : 0;
    const shows = (page, visits) => page.locator(`[data-test=visits][data-value="${visits}"]`).waitFor();
    const other = await page.context().newPage();
    await other.goto(address + link);
    await other.locator("[data-test=note]").getByText("is not that of the running lab").waitFor();
    assert.ok(!other.url().includes("token"), other.url());
    // Both pages go on with the good token, the first one also when the link is opened in it.
    await shows(other, step);
    await other.locator("[data-test=next]").click();
    await shows(other, step + 1);
    await other.close();
    await page.goto(address + link);
    await page.locator("[data-test=note]").getByText("is not that of the running lab").waitFor();
    // The note may be that of the link before; the step is not.
    await shows(page, step);
    await page.locator("[data-test=next]").click();
    await shows(page, step + 1);
  }
  assert.ok((await page.evaluate(() => localStorage.getItem("token"))).length > 10);
  await page.done({ provoked: true });
});

test("with another token the page says what is wrong, not that a file is missing", async () => {
  const page = await open("", {}, ["data/iris.csv"]);
  const stranger = await (await page.context().browser().newContext()).newPage();
  await stranger.goto(`${await lab("data/iris.csv")}#set=file`);
  await stranger.getByText("this lab wants its token").first().waitFor();
  assert.doesNotMatch(await stranger.locator("body").innerText(), /started without a file/);
  await stranger.context().close();
  await page.done();
});

test("a link without the token shows an error until the address with the token is opened", async () => {
  const page = await open();
  const stranger = await (await page.context().browser().newContext()).newPage();
  await stranger.goto(`${await lab()}#set=and&order=given&step=3`);
  await stranger.getByText("this lab wants its token").first().waitFor();
  await stranger.goto(`${await addressWithToken()}&set=and&order=given&step=3`);
  await stranger.locator("[data-test=visits][data-value='3']").waitFor();
  assert.ok(!stranger.url().includes("token"), stranger.url());
  await stranger.context().close();
  await page.done();
});

test("an address with the token keeps its link, also if the page writes its own state meanwhile", async () => {
  const page = await open();
  const stranger = await (await page.context().browser().newContext()).newPage();
  await stranger.goto(`${await lab()}#set=and&order=given`);
  await stranger.getByText("this lab wants its token").first().waitFor();
  // The lab answers only when the address has the state of the page again.
  await stranger.route("**/file", async route => {
    await stranger.waitForFunction(() => !location.hash.includes("step=3"));
    await route.continue();
  }, { times: 1 });
  const hash = new URL(await addressWithToken()).hash;
  await stranger.evaluate(link => {
    document.querySelector("[data-test=axes]").click();
    location.hash = link;
  }, `${hash}&set=and&order=given&step=3`);
  await stranger.locator("[data-test=visits][data-value='3']").waitFor();
  await stranger.context().close();
  await page.done();
});
