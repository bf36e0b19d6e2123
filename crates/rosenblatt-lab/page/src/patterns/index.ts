// The panel of the patterns.

import "./patterns.css";
import type { Panel } from "../lab.js";
import { PatternRoom } from "./room.js";

export const patternRoom: Panel = new PatternRoom();
