// The weights that separate with a margin: each corner of the shaded part has it, and a larger margin leaves a smaller part.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCE = fileURLToPath(new URL("../src/experiments/half-planes.ts", import.meta.url));
const built = await build({ entryPoints: [SOURCE], bundle: true, write: false, format: "esm" });
const { insideHalfPlanes, withMargin } = await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);

const area = corners => Math.abs(corners.reduce((sum, [x, y], k) => {
  const [next, above] = corners[(k + 1) % corners.length];
  return sum + x * above - next * y;
}, 0)) / 2;

/** The smallest y (w·x + b) / ‖w‖. */
const marginOf = ({ rows, signs }, [a, b], bias) =>
  Math.min(...rows.map(([x, y], k) => (signs[k] * (a * x + b * y + bias)) / Math.hypot(a, b)));

test("the weights with a margin have it, and are fewer the larger it is", () => {
  const most = 20;
  for (let set = 0; set < 40; set++) {
    const rows = Array.from({ length: 12 }, (_, k) => [Math.sin(17 * k + set), Math.cos(11 * k * k + 3 * set)]);
    const [u, v, b] = [Math.cos(set), Math.sin(set), (set % 5) / 10];
    const points = { rows, signs: rows.map(([x, y]) => (u * x + v * y + b > 0 ? 1 : -1)) };
    const margin = marginOf(points, [u, v], b);
    if (new Set(points.signs).size < 2 || margin < 0.01) continue;
    let before = area(insideHalfPlanes(points, b, 2 * most));
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const corners = withMargin(points, b, share * margin, most);
      for (const corner of corners) {
        if (Math.hypot(...corner) > 1e-9) assert.ok(marginOf(points, corner, b) >= share * margin - 1e-9, `${set} ${share} ${corner}`);
        assert.ok(Math.hypot(...corner) <= most + 1e-9);
      }
      assert.ok(area(corners) <= before, `${set} ${share}`);
      before = area(corners);
    }
  }
});

test("worked example: x = (1, 0) and (−1, 0) without a bias", () => {
  // w₁ ≥ m‖w‖ is the cone around (1, 0) with cosines of at least m: for m = 1/2, a third of a half disk.
  const points = { rows: [[1, 0], [-1, 0]], signs: [1, -1] };
  const corners = withMargin(points, 0, 0.5, 3);
  assert.ok(Math.abs(area(corners) - (9 * Math.PI) / 3) < 0.1, `${area(corners)}`);
  assert.deepEqual(withMargin(points, 0, 1.01, 3), []);
});
