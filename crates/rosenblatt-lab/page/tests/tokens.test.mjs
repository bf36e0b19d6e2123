// The contrasts of the colors in tokens.css, in the light and the dark theme, by the formula of WCAG 2.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const TOKENS = new URL("../../../rosenblatt-plot/assets/tokens.css", import.meta.url);
const blocks = (await readFile(TOKENS, "utf8")).split(/^:root.*\{$/m).slice(1);
const [light, dark] = blocks.map(block => Object.fromEntries([...block.matchAll(/--([a-z0-9-]+): ([^;]+);/g)].map(([, name, text]) => [name, text])));

const rgb = text => text.startsWith("#")
  ? [1, 3, 5].map(from => parseInt(text.slice(from, from + 2), 16))
  : text.split(", ").map(Number);

function luminance(color) {
  const [red, green, blue] = color.map(part => part / 255).map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

for (const [theme, tokens] of [["light", light], ["dark", { ...light, ...dark }]]) {
  const color = name => rgb(tokens[name]);
  /** A side of the field where it is strongest. */
  const side = name => color(name).map((part, k) => color("f-base")[k] + (part - color("f-base")[k]) * Number(tokens["f-max"]));
  const atLeast = (least, a, b, what) => assert.ok(contrast(a, b) >= least, `${what}: ${contrast(a, b).toFixed(2)}`);

  test(`the sides and the marks of the ${theme} theme have enough contrast`, () => {
    atLeast(1.4, side("f-plus"), side("f-minus"), "the two sides");
    atLeast(3, color("plus"), side("f-plus"), "+1 on its side");
    atLeast(3, color("minus"), side("f-minus"), "−1 on its side");
    for (const name of ["f-plus", "f-minus"]) atLeast(4.5, color("ink"), side(name), `the line on ${name}`);
    assert.deepEqual(color("f-base"), color("paper"), "the field is paper at the score 0");
  });

  test(`the text of the ${theme} theme has enough contrast`, () => {
    for (const ground of ["page", "paper", "sunk"]) {
      for (const name of ["ink", "mut", "plus", "bad", "w"]) atLeast(4.5, color(name), color(ground), `${name} on ${ground}`);
      atLeast(3, color("line"), color(ground), `line on ${ground}`);
    }
    for (const ground of ["page", "paper"]) atLeast(4.5, color("minus"), color(ground), `minus on ${ground}`);
  });
}
