// The panel of the patterns.

import "./patterns.css";
import type { Panel } from "../lab.js";
import { PatternWorkspace } from "./workspace.js";

export const patternWorkspace: Panel = new PatternWorkspace();
