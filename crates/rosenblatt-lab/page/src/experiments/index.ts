// The panels of the experiments.

import "./experiments.css";
import type { Panel } from "../lab.js";
import { growth } from "./growth.js";
import { orders } from "./orders.js";
import { rates } from "./rates.js";
import { separability } from "./separability.js";

export const experimentPanels: Panel[] = [separability, growth, orders, rates];
