// Measures a value of docs/performance.md: a class of 30 asks one lab 8 questions each, the first ones all at once.
//
//     target/release/rosenblatt lab --port 1958 --no-open --token 0123456789abcdef
//     node crates/rosenblatt-lab/page/measure/class.mjs 0123456789abcdef [THOUGHT]
//
// Between its questions a client thinks for up to THOUGHT milliseconds, 2,000 by default.

import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const [token, thought = "2000"] = process.argv.slice(2);
const [CLIENTS, PORT, PATIENCE] = [30, 1958, 60];

let state = 1;
const uniform = () => (state = (state * 48271) % 2147483647) / 2147483647;
const cloud = count => {
  const signs = Array.from({ length: count }, (_, k) => (k % 2 === 0 ? 1 : -1));
  return { rows: signs.map(sign => [sign + 3 * uniform() - 1.5, sign + 3 * uniform() - 1.5]), signs };
};
const xor = { rows: [[0, 0], [0, 1], [1, 0], [1, 1]], signs: [-1, 1, 1, -1] };
const [small, large] = [cloud(60), cloud(500)];
const grid = { x: [-4, 4], y: [-3, 3], columns: 101, rows: 81 };
const options = { order: "given", keep: "last" };

/** What a lesson asks: runs with their steps, a field, errors, whether it is separable, orders. */
const QUESTIONS = [
  { train: { points: xor, options, window: { from: 0, count: 1000 } } },
  { train: { points: small, options, window: { from: 0, count: 960 } } },
  { errors: { points: small, planes: [[1, 1, 0], [1, 0, 0], [0, 1, 0]] } },
  { train: { points: small, options: { ...options, keep: "vote", epochs: 100 }, until: 480, surfaces: { keep: ["vote"], grid } } },
  { separable: { points: large } },
  { train: { points: xor, options: { ...options, kernel: "rbf:1" }, surfaces: { keep: ["last"], grid } } },
  { study: { points: cloud(20), options: { epochs: 100 }, runs: 200 } },
  { train: { points: large, options, window: { from: 0, count: 1000 } } },
];

const ask = (question, agent, localAddress) => new Promise((resolve, reject) => {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
  const sent = request({ host: "127.0.0.1", port: PORT, path: "/ask", method: "POST", headers, agent, localAddress }, response => {
    response.resume();
    response.on("end", () => resolve(response));
  });
  sent.on("error", reject);
  sent.end(JSON.stringify(question));
});

const times = [];
const refused = [];
let lost = 0;
async function client(number) {
  // Each client has an address of its own, as in a class.
  const [agent, address] = [new Agent({ keepAlive: true }), `127.0.1.${number + 1}`];
  for (const question of QUESTIONS) {
    const start = performance.now();
    let response = await ask(question, agent, address);
    for (let again = 0; response.statusCode === 503 && again < PATIENCE; again++) {
      refused.push(number);
      await sleep(1000 + 250 * Math.random());
      response = await ask(question, agent, address);
    }
    times.push(performance.now() - start);
    if (response.statusCode !== 200) lost++;
    await sleep(Number(thought) * Math.random());
  }
  agent.destroy();
}

await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
times.sort((a, b) => a - b);
const quantile = p => `${Math.round(times[Math.floor(p * (times.length - 1))])} ms`;
console.log(`${times.length} questions, ${lost} lost, ${refused.length} refused at first: median ${quantile(0.5)}, 95 % ${quantile(0.95)}, worst ${quantile(1)}`);
