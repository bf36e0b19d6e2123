// What the tests and the measurements read from the picture of the plane.

import { at, settles } from "./open.mjs";

/** The ready-made sets. */
export const SETS = ["and", "or", "xor", "margin", "blobs", "circles", "iris", "sonar"];

/** The contrast of two colors by the formula of WCAG 2. */
const CONTRAST = `(a, b) => {
  const luminance = color => color.map(part => part / 255).map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, k) => sum + part * [0.2126, 0.7152, 0.0722][k], 0);
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}`;

/** Runs whose fields are strong at the given places of each class. The field of a kernel is strongest at an unknown height. */
export const FIELDS = [
  ["a line", "#points=2,0,+;-2,0,-;2,1,+;-2,1,-&view=0,0,5&order=given", "last", [4.3, -3.7], [-4.3, -3.7]],
  ["a vote", "#points=2,0,+;-2,0,-;2,1,+;-2,1,-&view=0,0,5&order=given&show=vote,sides", "vote", [4.3, -3.7], [-4.3, -3.7]],
  ["an average", "#points=2,0,+;-2,0,-;2,1,+;-2,1,-&view=0,0,5&order=given&show=average,sides", "average", [4.3, -3.7], [-4.3, -3.7]],
  ["a kernel", "#points=0.5,0,+;-0.5,0,+;3,0,-;-3,0,-;0,3,-;0,-3,-&view=0,0,5&order=given&kernel=rbf:0.1", "last", [0.12, undefined], [4.3, -3.7]],
];

/** Shows the end of a run of FIELDS, and returns the contrasts of its sides and of each mark with its own side. */
export async function fieldContrast(page, shown, plus, minus) {
  await settles(page, "visits", 0);
  await at(page, "end").click();
  await at(page, "outcome").filter({ hasText: /converges/ }).waitFor();
  await at(page, `errors-${shown}`).filter({ hasText: "0 errors" }).waitFor();
  await page.waitForTimeout(300);
  return at(page, "plane").evaluate((canvas, [plus, minus, text]) => {
    const contrast = new Function(`return ${text}`)();
    const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const scale = Math.min(canvas.width, canvas.height) / 10;
    const color = ([x, y]) => [...context.getImageData(Math.round(canvas.width / 2 + x * scale), Math.round(canvas.height / 2 - y * scale), 1, 1).data].slice(0, 3);
    const token = name => { const hex = getComputedStyle(canvas).getPropertyValue(name).trim(); return [1, 3, 5].map(k => parseInt(hex.slice(k, k + 2), 16)); };
    const heights = plus[1] === undefined ? Array.from({ length: 20 }, (_, k) => 0.15 * k - 1.42) : [plus[1]];
    const strongest = heights.map(y => [plus[0], y]).sort((a, b) => contrast(color(b), color(minus)) - contrast(color(a), color(minus)))[0];
    return { sides: contrast(color(strongest), color(minus)), plus: contrast(color(strongest), token("--plus")), minus: contrast(color(minus), token("--minus")) };
  }, [plus, minus, CONTRAST]);
}

/** Notes the texts that the plane draws from now on; to be called before the page loads. */
export const noteTexts = page => page.addInitScript(() => {
  const { fillText } = CanvasRenderingContext2D.prototype;
  globalThis.texts = [];
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    if (!this.canvas.closest(".scrubber")) globalThis.texts.push([text, x, y, this.measureText(text).width]);
    fillText.call(this, text, x, y);
  };
});

/** Draws the plane again; returns how many texts it has, and those that cover a point. */
export async function textsOnPoints(page) {
  await page.evaluate(() => { globalThis.texts = []; });
  await at(page, "fit").evaluate(fit => fit.click());
  return at(page, "plane").evaluate(async canvas => {
    for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
    const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const ratio = canvas.width / canvas.clientWidth;
    const marks = ["--plus", "--minus"].map(name => parseInt(getComputedStyle(canvas).getPropertyValue(name).trim().slice(1), 16));
    return { count: globalThis.texts.length, covering: globalThis.texts.filter(([, x, y, wide]) => {
      const [left, top, right, high] = [x - wide / 2, y - 6, Math.max(1, wide), 12].map(value => Math.round(value * ratio));
      const { data } = context.getImageData(left, top, right, high);
      for (let k = 0; k < data.length; k += 4) if (marks.includes((data[k] << 16) | (data[k + 1] << 8) | data[k + 2])) return true;
      return false;
    }) };
  });
}

/** The controls on the plane that cover points. */
export const coveredByControls = page => at(page, "plane").evaluate(async canvas => {
  for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
  const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
  const context = copy.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const ratio = canvas.width / canvas.clientWidth;
  const marks = ["--plus", "--minus"].map(name => parseInt(getComputedStyle(canvas).getPropertyValue(name).trim().slice(1), 16));
  const origin = canvas.getBoundingClientRect();
  return ["sentence", "tools", "chips", "zoom"].filter(name => {
    const box = document.querySelector(`.stage .${name}`).getBoundingClientRect();
    if (box.width === 0) return false;
    const [left, top, width, height] = [box.left - origin.left, box.top - origin.top, box.width, box.height].map(value => Math.round(value * ratio));
    const { data } = context.getImageData(left, top, width, height);
    for (let k = 0; k < data.length; k += 4) if (marks.includes((data[k] << 16) | (data[k + 1] << 8) | data[k + 2])) return true;
    return false;
  });
});

/** Begins to note the layout shifts of the page. */
export const noteShifts = page => page.evaluate(() => {
  globalThis.shift = [];
  new PerformanceObserver(list => globalThis.shift.push(...list.getEntries().map(entry =>
    [entry.value, ...entry.sources.map(({ node }) => (node?.outerHTML ?? node?.parentNode?.outerHTML ?? node?.textContent)?.slice(0, 120))]))).observe({ type: "layout-shift" });
});

/**
 * The visible controls: all that can be pressed, and the stops of the Tab key, which count a group whose arrow keys move
 * within it as one control.
 */
export const controls = page => page.evaluate(() => {
  const visible = element => {
    const box = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true }) && box.width > 1 && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  };
  const shown = [...document.querySelectorAll("button, input, select, summary, a[href], [role=slider]")]
    .filter(element => !element.disabled && (visible(element) || (element.type === "radio" && visible(element.parentElement))));
  const stops = shown.filter(element => element.tabIndex >= 0 && (element.type !== "radio" || element.checked));
  return { pressed: shown.length, stops: stops.map(element => element.dataset.test ?? element.textContent.trim()) };
});

/** The texts that their boxes cut off. */
export const cutTexts = page => page.evaluate(() => [...document.querySelectorAll("body *")]
  .filter(element => element.childElementCount === 0 && element.textContent.trim() !== "" && element.checkVisibility() && !element.closest(".visually-hidden")
    && getComputedStyle(element).overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1)
  .map(element => `${element.tagName} ${element.textContent.trim().slice(0, 40)}`));
