// The page in a class: a busy lab, a file of one's own, links with parts that are unknown.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { axe } from "./axe.mjs";
import { at, close, drawer, expect, fragment, linked, open, screen, settles } from "./open.mjs";

after(close);

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

test("a busy lab is asked again in silence, later and later", async () => {
  const page = await open("#set=and");
  await settles(page, "visits", 0);
  const times = [];
  await page.route("**/ask", route => {
    times.push(Date.now());
    if (times.length > 2) return route.continue();
    const body = JSON.stringify({ error: { message: "the lab is busy", hint: "ask again in a moment" } });
    return route.fulfill({ status: 503, headers: { "Retry-After": "1" }, contentType: "application/json", body });
  });
  await drawer(page);
  await at(page, "set").selectOption("or");
  await page.waitForFunction(() => document.querySelector(".steps").getAttribute("aria-busy") === "true");
  await page.waitForFunction(() => document.querySelector(".steps").getAttribute("aria-busy") === null, undefined, { timeout: 15_000 });
  assert.ok(times.length >= 3, `${times.length} requests`);
  // The lab asks for a second of rest.
  assert.ok(times[1] - times[0] >= 1000 && times[2] - times[1] >= 1000, `${times}`);
  assert.equal(await at(page, "refused").isHidden(), true);
  expect(page, /status of 503/);
  assert.deepEqual(page.faults, []);
});

test("while the first run of the points is awaited, the page does not say that there are none", async () => {
  const page = await open("#points=");
  await page.route("**/ask", () => {});
  await page.evaluate(() => { location.hash = "#set=blobs&n=5000"; });
  await at(page, "sentence").filter({ hasText: /The points are here/ }).waitFor();
  assert.match(await at(page, "status").textContent(), /on its way/);
});

test("a link with an unknown part says so", async () => {
  const page = await open("#set=and&colour=red&step=2");
  await page.waitForSelector("[data-test=note]:not([hidden])");
  assert.match(await at(page, "note").textContent(), /“colour” is not a part of a link/);
  await settles(page, "visits", 2);
  assert.doesNotMatch(await fragment(page), /colour/);
});

/** The texts that the plane writes. */
const watchTexts = page => page.addInitScript(() => {
  globalThis.texts = new Set();
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
    globalThis.texts.add(text);
    write.call(this, text, ...more);
  };
});

const writes = (page, wanted) => page.waitForFunction(wanted => globalThis.texts.has(wanted), wanted);

test("a line outside of the view leaves a hint that shows where it is", async () => {
  const page = await open();
  await watchTexts(page);
  // The line x₁ + x₂ = 9 is to the upper right of a view from −1 to 1.
  await page.goto(page.url().split("#")[0] + "#points=4,4,-;5,5,+&view=0,0,1&step=1");
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await at(page, "end").click();
  await page.waitForFunction(() => [...globalThis.texts].some(text => /^last: outside [↗↘↑→↙←↖↓]$/.test(text)));
});

// The answer of the engine for a table of two classes whose columns have very different ranges.
const TABLE = {
  name: "wine.csv", rows: 6, shown: 6, features: ["alcohol", "malic", "proline"], features_in_file: 3,
  classes: ["1", "2", "3"], positive: "1", pairs: [{ x: 1, y: 2, errors: 0 }, { x: 0, y: 2, errors: 1 }],
  columns: [[14.2, 13.2, 13.1, 12.4, 12.3, 12.6], [1.7, 1.8, 2.4, 0.9, 1.1, 4.6], [1065, 1050, 1185, 520, 680, 450]],
  numbers: [0, 0, 0, 1, 1, 2], label: "class", notes: [],
};

/** A page whose lab reads every file as this table; the questions about files are collected. */
async function withFile(link, options) {
  const page = await open(link, options);
  page.asked = [];
  await page.route("**/ask", async route => {
    const question = route.request().postDataJSON();
    if (!question.file) return route.continue();
    page.asked.push(question.file);
    const positive = question.file.positive ?? "1";
    await route.fulfill({ contentType: "application/json", body: JSON.stringify({ ...TABLE, positive }) });
  });
  return page;
}

/** Drops a file on the page. */
const drop = (page, name, text) => page.evaluate(([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  for (const type of ["dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }
}, [name, text]);

test("a dropped file shows its best pair of columns, with the names of columns and classes", async () => {
  const page = await withFile("#set=and");
  await settles(page, "visits", 0);
  await drop(page, "wine.csv", "alcohol,malic,proline,class\n…");
  await at(page, "key-plus").filter({ hasText: "+1: 1" }).waitFor();
  assert.deepEqual(page.asked, [{ name: "wine.csv", text: "alcohol,malic,proline,class\n…" }]);
  assert.equal(await at(page, "key-minus").textContent(), "−1: not 1");
  await drawer(page);
  assert.equal(await at(page, "set-x").inputValue(), "malic");
  assert.equal(await at(page, "set-y").inputValue(), "proline");
  assert.match(await at(page, "set-pair").locator("option:checked").textContent(), /malic × proline: 0 errors/);
  // Columns with very different ranges have scales of their own.
  assert.equal(await at(page, "axes").getAttribute("aria-pressed"), "false");
  assert.deepEqual(await axe(page), []);
  // A link has the points and the names.
  const link = await fragment(page);
  assert.match(link, /points=1\.7,1065,\+;.*names=malic,proline,1,not%2520?1|points=1\.7,1065,\+/);
  const again = await open(link);
  await at(again, "key-plus").filter({ hasText: "+1: 1" }).waitFor();
  assert.equal(await at(again, "axes").getAttribute("aria-pressed"), "false");
  assert.match(await fragment(again), /names=malic,proline,1,not/);
});

test("the bytes of a file reach the engine, which says that they are in another encoding", async () => {
  const page = await open("#set=and");
  await settles(page, "visits", 0);
  await page.evaluate(() => {
    const bytes = Uint8Array.from("x,y,kind\n1,2,M\u00fcll\n3,4,M\u00f6ll\n5,1,M\u00fcll\n", character => character.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "waste.csv"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await page.waitForSelector("[data-test=refused]:not([hidden])");
  assert.match(await at(page, "refused").textContent(), /^waste\.csv:2:5: `M\ufffdll` is not UTF-8\. The encoding “Latin-1” reads text/);
  await at(page, "file-encoding").selectOption("latin1");
  await at(page, "key-plus").filter({ hasText: "+1: Müll" }).waitFor();
  assert.equal(await at(page, "key-minus").textContent(), "−1: Möll");
  expect(page, /status of 422/);
  assert.deepEqual(page.faults, []);
});

test("a table as a spreadsheet writes it, compressed, is read, and what was found out is told", async () => {
  const page = await open("#set=and");
  await settles(page, "visits", 0);
  const bytes = [...gzipSync("default;height;width\nyes;1,5;2\nno;2,5;\nyes;3,5;4\nno;1;2\n")];
  await page.evaluate(bytes => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(bytes)], "loans.csv.gz"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, bytes);
  await at(page, "key-plus").filter({ hasText: "+1: yes" }).waitFor();
  await drawer(page);
  assert.equal(await at(page, "file-label").locator("option:checked").textContent(), "default");
  const told = await page.locator(".file-drop .set-details .note").allTextContents();
  assert.ok(told.some(note => note.includes("filled 1 missing cell of `width`")), told.join("; "));
  assert.deepEqual(await axe(page), []);
  assert.deepEqual(page.faults, []);
});

test("the points of a file with one feature lie on a line", async () => {
  const page = await open("#set=and");
  await settles(page, "visits", 0);
  await drop(page, "one.csv", "x,kind\n1,a\n2,b\n4,b\n");
  await at(page, "key-plus").filter({ hasText: "+1: b" }).waitFor();
  assert.match(await fragment(page), /points=1,0,-;2,0,\+;4,0,\+/);
  assert.deepEqual(page.faults, []);
});

test("pasted text is a file, and another class, label or header asks the engine again", async () => {
  const page = await withFile("#set=and");
  await settles(page, "visits", 0);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "a,b\n1,2\n");
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await at(page, "key-plus").filter({ hasText: "+1: 1" }).waitFor();
  await drawer(page);
  await at(page, "set-class").selectOption("2");
  await at(page, "key-plus").filter({ hasText: "+1: 2" }).waitFor();
  await at(page, "file-label").selectOption("alcohol");
  await page.waitForFunction(() => document.querySelector("[data-test=key-plus]").textContent === "+1: 1");
  await at(page, "file-header").uncheck();
  await page.waitForTimeout(200);
  const text = "a,b\n1,2\n";
  assert.deepEqual(page.asked, [
    { name: "pasted text", text }, { name: "pasted text", text, positive: "2" }, { name: "pasted text", text, label: "alcohol" },
    { name: "pasted text", text, label: "alcohol", header: false },
  ]);
});

test("a file that cannot be read says where and why, beside the controls that say how to read it", async () => {
  const page = await open("#set=and");
  await settles(page, "visits", 0);
  const body = JSON.stringify({ error: { message: "wine.csv:1:1: the column name `14.23` is a number", hint: "read the file without a header" } });
  await page.route("**/ask", route => (route.request().postDataJSON().file ? route.fulfill({ status: 422, contentType: "application/json", body }) : route.continue()));
  await drop(page, "wine.csv", "14.23,1\n13.2,2\n");
  await page.waitForSelector("[data-test=refused]:not([hidden])");
  assert.match(await at(page, "refused").textContent(), /^wine\.csv:1:1: the column name `14\.23` is a number\. Read the file without a header\./);
  assert.equal(await at(page, "file-header").isVisible(), true);
  expect(page, /status of 422/);
  assert.deepEqual(page.faults, []);
});

test("standardized columns have the mean 0 and the deviation 1, and a link keeps them", async () => {
  const page = await open("#set=iris&standardized=1&step=1");
  await settles(page, "visits", 1);
  await drawer(page);
  assert.equal(await at(page, "set-standardized").isChecked(), true);
  await at(page, "table").locator("summary").click();
  // The first flower: (1.4 − 3.758)/1.7594, with the mean and deviation of data/iris.csv.
  const [header, ...lines] = readFileSync(join(ROOT, "data/iris.csv"), "utf8").trim().split("\n");
  const column = header.split(",").indexOf("petal_length");
  const values = lines.map(line => Number(line.split(",")[column]));
  const mean = values.reduce((a, b) => a + b) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  const first = Number(await at(page, "table").locator("input[type=number]").first().inputValue());
  assert.ok(Math.abs(first - (values[0] - mean) / deviation) < 1e-12, `${first}`);
  assert.match(await fragment(page), /standardized=1/);
  await at(page, "set-standardized").uncheck();
  await settles(page, "visits", 0);
  assert.doesNotMatch(await fragment(page), /standardized/);
});

test("links of before have equal axes; the switch frees them, and a link says so", async () => {
  const page = await open("#set=iris&x=petal_length&y=petal_width&class=Iris-setosa");
  await settles(page, "visits", 0);
  await drawer(page);
  assert.equal(await at(page, "axes").getAttribute("aria-pressed"), "true");
  await at(page, "axes").click();
  assert.match(await fragment(page), /axes=free/);
  const again = await open(await fragment(page));
  assert.equal(await at(again, "axes").getAttribute("aria-pressed"), "false");
});

test("the dual table has the updates on each example: AND ends with 2, 5, 4 and 7", async () => {
  const page = await open("#set=and&order=given&tab=dual");
  await settles(page, "visits", 0);
  await at(page, "dual-status").filter({ hasText: /After 0 visits: Σ α = 0 updates/ }).waitFor();
  await at(page, "end").click();
  await at(page, "dual-status").filter({ hasText: /After 36 visits: Σ α = 18 updates, support of 4, b = −4/ }).waitFor();
  const rows = await at(page, "dual-table").locator("tbody tr").allTextContents();
  assert.deepEqual(rows, ["4+17", "2−15", "3−14", "1−12"]);
  await at(page, "reset").click();
  await at(page, "next").click();
  await at(page, "dual-status").filter({ hasText: /After 1 visit: Σ α = 1 update, support of 1, b = −1/ }).waitFor();
  assert.deepEqual(await axe(page), []);
  await page.done();
});

test("the last lines of many orders are on the plane, and the fastest and the slowest order are one click away", async () => {
  const page = await open("#set=and&tab=orders");
  await settles(page, "visits", 0);
  await at(page, "orders-run").click();
  await at(page, "orders-slowest").waitFor();
  const updates = async name => Number(/: (\d+) updates?/.exec(await at(page, name).textContent())[1]);
  const [fastest, slowest] = [await updates("orders-fastest"), await updates("orders-slowest")];
  assert.ok(fastest < slowest);
  for (const [name, wanted] of [["orders-slowest", slowest], ["orders-fastest", fastest]]) {
    await at(page, name).click();
    await page.waitForFunction(() => document.querySelector(".steps").getAttribute("aria-busy") === null);
    await at(page, "end").click();
    await settles(page, "updates", wanted);
  }
  assert.match(await fragment(page), /order=shuffle&seed=\d+|order=shuffle/);
  await page.done();
});

test("a presentation shows the plane and the timeline alone, also by a link, and Escape ends it", async () => {
  const page = await open("#set=xor&step=3", { viewport: { width: 1280, height: 720 } });
  await settles(page, "visits", 3);
  await drawer(page);
  await at(page, "present").click();
  const link = await fragment(page);
  assert.match(link, /hide=header,sets,panel/);
  const again = await open(link, { viewport: { width: 1280, height: 720 } });
  await settles(again, "visits", 3);
  for (const each of [page, again]) {
    const { x, y, width, height } = await at(each, "plane").boundingBox();
    const deck = await each.locator(".deck").boundingBox();
    assert.deepEqual([x, y, width], [0, 0, 1280]);
    assert.ok(Math.abs(height + deck.height - 720) < 2, `${height} + ${deck.height}`);
    assert.deepEqual(await axe(each), []);
  }
  await again.keyboard.press("Escape");
  assert.ok((await at(again, "plane").boundingBox()).x > 50);
  assert.doesNotMatch(await fragment(again), /hide/);
  const unknown = await open("#set=xor&hide=deck,nonsense");
  await unknown.waitForSelector("[data-test=note]:not([hidden])");
  assert.match(await at(unknown, "note").textContent(), /no part “nonsense”/);
  assert.equal(await unknown.locator(".deck").isHidden(), true);
});

test("the saved points and the command line make the run of the page", async () => {
  const page = await open("#set=blobs&n=30&update=margin:0.5&order=shuffle&seed=7&epochs=20&eta=0.5&zero=negative&mistake=label");
  await settles(page, "visits", 0);
  await at(page, "end").click();
  await at(page, "outcome").filter({ hasText: /This run/ }).waitFor();
  const updates = Number(await at(page, "updates").getAttribute("data-value"));
  await drawer(page);
  const [download] = await Promise.all([page.waitForEvent("download"), at(page, "save-csv").click()]);
  const folder = mkdtempSync(join(tmpdir(), "lab-"));
  await download.saveAs(join(folder, "points.csv"));
  const [, ...words] = (await at(page, "command").textContent()).split(" ");
  const program = resolve(ROOT, process.env.ROSENBLATT ?? "target/debug/rosenblatt");
  const report = JSON.parse(execFileSync(program, [...words, "--json"], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  assert.equal(report.updates, updates);
  rmSync(folder, { recursive: true });
  const [picture] = await Promise.all([page.waitForEvent("download"), at(page, "save-png").click()]);
  assert.equal(picture.suggestedFilename(), "plane.png");
  assert.deepEqual([...readFileSync(await picture.path()).subarray(1, 4)].map(byte => String.fromCharCode(byte)).join(""), "PNG");
  assert.deepEqual(await axe(page), []);
});

test("the line in numbers: AND ends with 3x₁ + 2x₂ = 4, and the pointer has a score and a signed distance", async () => {
  const page = await open("#points=0,0,-;0,1,-;1,0,-;1,1,+&view=0,0,5");
  await settles(page, "visits", 0);
  await at(page, "geometry").locator("summary").click();
  await at(page, "end").click();
  await settles(page, "visits", 36);
  const number = async name => JSON.parse(await at(page, name).getAttribute("data-value"));
  assert.equal(await number("slope"), -1.5);
  assert.equal(await number("intercept"), 2);
  const near = (value, wanted) => assert.ok(Math.abs(value - wanted) < 1e-14, `${value}`);
  near(await number("origin-distance"), 4 / Math.sqrt(13));
  // 4 (3, 2)/13
  const [x, y] = await number("foot");
  near(x, 12 / 13);
  near(y, 8 / 13);
  await page.mouse.move(...await screen(page, 2, 1));
  // Within a pixel of (2, 1), whose score is 3·2 + 2·1 − 4 = 4.
  const score = await number("pointer-score");
  assert.ok(Math.abs(score - 4) < 0.1, `${score}`);
  near(await number("pointer-distance"), score / Math.sqrt(13));
  // A foot with many digits fits.
  await at(page, "reset").click();
  await page.evaluate(() => { location.hash = "#set=margin&step=80"; });
  await settles(page, "visits", 80);
  const cut = await at(page, "geometry").evaluate(card => [...card.querySelectorAll("dd")]
    .filter(element => element.getBoundingClientRect().right > card.getBoundingClientRect().right).length);
  assert.equal(cut, 0);
  assert.deepEqual(await axe(page), []);
});

test("with a kernel an update adds 1 to α, also for class −1, and moves the bias beside the sum", async () => {
  const page = await open("#set=xor&kernel=poly:2&order=given&step=1");
  await settles(page, "visits", 1);
  // The first point of XOR is −1 and has a score of 0.
  assert.equal(await at(page, "update").textContent(), "α₁ ← α₁ + 1: the score of x gains (−1)·η·K(x⁽¹⁾, x)");
  assert.equal(await at(page, "bias-update").textContent(), "b ← b + η y = b − 1");
});

test("with large type the plane and Play are on the screen together, and no number is cut", async () => {
  for (const [width, height] of [[1280, 720], [390, 844]]) {
    const page = await open("#set=margin&margin=0.35&eta=0.1&step=9", { viewport: { width, height } });
    await settles(page, "visits", 9);
    const area = async () => (({ width, height }) => width * height)(await at(page, "plane").boundingBox());
    const before = await area();
    await drawer(page);
    await at(page, "big").click();
    await page.keyboard.press("Escape");
    if (width > 1000) assert.ok(await area() >= before, "large type takes nothing from the plane");
    for (const name of ["plane", "play"]) {
      const box = await at(page, name).boundingBox();
      assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width + 0.5 && box.y + box.height <= height + 0.5, `${name} at ${width}`);
    }
    const cut = await page.evaluate(() => [...document.querySelectorAll(".steps dd, .steps th")]
      .filter(element => element.scrollWidth > element.clientWidth + 1).map(element => element.textContent));
    assert.deepEqual(cut, []);
  }
});

test("beside the patterns Ctrl+Z leaves the points of the hidden plane", async () => {
  const page = await open("#points=0,0,-;1,1,+&view=0,0,5");
  await settles(page, "visits", 0);
  await page.mouse.click(...await screen(page, 2, 2));
  assert.equal((await linked(page)).split(";").length, 3);
  await at(page, "tab-patterns").click();
  await page.keyboard.press("Control+z");
  await at(page, "tab-steps").click();
  assert.equal((await linked(page)).split(";").length, 3);
  await page.keyboard.press("Control+z");
  assert.equal((await linked(page)).split(";").length, 2);
});
