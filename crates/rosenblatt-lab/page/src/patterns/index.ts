import type { Panel } from "../lab.js";

export const patternRoom: Panel = { id: "patterns", title: "Patterns", mount() {} };
