// The panels of the experiments.

import "./experiments.css";
import type { Panel } from "../lab.js";
import { dualPanel } from "./dual.js";
import { guessPanel } from "./guess.js";
import { marginExperiment } from "./margin.js";
import { ordersExperiment } from "./orders.js";
import { predictPanel } from "./predict.js";
import { ratesExperiment } from "./rates.js";
import { separabilityExperiment } from "./separability.js";
import { testPanel } from "./test-points.js";
import { weightSpacePanel } from "./weight-space.js";

export const experimentPanels: Panel[] = [guessPanel, separabilityExperiment, weightSpacePanel, marginExperiment, ordersExperiment, ratesExperiment, dualPanel, testPanel, predictPanel];
