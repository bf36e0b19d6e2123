// Measures two values of docs/performance.md: the frame times while the page plays a run on 2,000 points, and
// the time to answer a question with 2,000 points and 100,000 updates.
//
//     ROSENBLATT=target/release/rosenblatt node crates/rosenblatt-lab/page/measure/frames.mjs

import { at, close, open, settles, value } from "../tests/open.mjs";

const quantile = (sorted, p) => sorted[Math.floor(p * (sorted.length - 1))];

const page = await open("#set=blobs&n=2000&epochs=50&show=last,average,pocket,w,sides,R");
await settles(page, "visits", 0);
await at(page, "pace-rush").click();
await at(page, "play").click();
const frames = await page.evaluate(() => new Promise(done => {
  const times = [];
  let last = performance.now();
  const frame = now => {
    times.push(now - last);
    last = now;
    if (times.length < 605) requestAnimationFrame(frame);
    else done(times.slice(5).sort((a, b) => a - b));
  };
  requestAnimationFrame(frame);
}));
const shown = [0.5, 0.95, 0.99, 1].map(p => quantile(frames, p).toFixed(1));
console.log(`frames while playing: median ${shown[0]} ms, 95 % ${shown[1]} ms, 99 % ${shown[2]} ms, worst ${shown[3]} ms; visits ${await value(page, "visits")}`);

const answer = await page.evaluate(async () => {
  let state = 1;
  const uniform = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const signs = Array.from({ length: 2000 }, () => (uniform() < 0.5 ? 1 : -1));
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const rows = signs.map(sign => [0.35 * sign + normal(), 0.35 * sign + normal()]);
  const question = { train: { points: { rows, signs }, options: { epochs: 160 }, window: { from: 100_000, count: 5000 } } };
  const start = performance.now();
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${localStorage.getItem("token")}` };
  const response = await fetch("/ask", { method: "POST", headers, body: JSON.stringify(question) });
  const { report } = await response.json();
  return { updates: report.updates, milliseconds: performance.now() - start };
});
console.log(`2,000 points, ${answer.updates} updates, 5,000 visits returned: ${answer.milliseconds.toFixed(0)} ms`);
await close();
