import type { Panel } from "../lab.js";

export const experimentPanels: Panel[] = [];
