// The engine's module in Node.

import assert from "node:assert/strict";

/** A function from a question to the status and the text of its answer. */
export async function instantiate(bytes) {
  const module = await WebAssembly.compile(bytes);
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  const engine = (await WebAssembly.instantiate(module)).exports;
  return text => {
    const question = new TextEncoder().encode(text);
    // The memory may grow, and then has another buffer.
    const place = engine.question(question.length);
    new Uint8Array(engine.memory.buffer, place, question.length).set(question);
    const status = engine.answer();
    const from = engine.answer_place();
    return `${status} ${new TextDecoder().decode(new Uint8Array(engine.memory.buffer, from, engine.answer_length()))}`;
  };
}
