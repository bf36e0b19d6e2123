// The module inside the page answers as the processor on which the answers were recorded (tests/recorded.rs): a draw, a hash or a
// sum whose width is that of an address would answer otherwise.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { instantiate } from "./module.mjs";

test("the module gives the recorded answers, byte by byte", async () => {
  const recorded = JSON.parse(readFileSync(new URL("recorded.json", import.meta.url), "utf8"));
  assert.ok(recorded.length >= 200, `${recorded.length} answers`);
  const ask = await instantiate(readFileSync(new URL("../dist/engine.wasm", import.meta.url)));
  for (const { question, status, answer } of recorded) assert.equal(ask(question), `${status} ${answer}`, question);
});
