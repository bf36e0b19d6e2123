// The project's data sets: columns of features, then the class.

import irisText from "../../../../../data/iris.csv";
import sonarText from "../../../../../data/sonar.csv";
import type { Points } from "../contract.js";

export interface DataTable {
  features: string[];
  classes: string[];
  rows: number[][];
  labels: string[];
}

function parse(text: string): DataTable {
  const [header = [], ...records] = text.trim().split(/\r?\n/).map(line => line.split(","));
  const labels = records.map(record => record.at(-1) ?? "");
  return {
    features: header.slice(0, -1),
    classes: [...new Set(labels)].sort(),
    rows: records.map(record => record.slice(0, -1).map(Number)),
    labels,
  };
}

export const tables = { iris: parse(irisText), sonar: parse(sonarText) };

/** Two columns of a table as points; one class is +1, the others are −1. */
export function project(table: DataTable, x: string, y: string, positive: string): Points {
  const [i, j] = [column(table, x), column(table, y)];
  return {
    rows: table.rows.map(row => [row[i] ?? 0, row[j] ?? 0]),
    signs: table.labels.map(label => (label === positive ? 1 : -1)),
  };
}

function column(table: DataTable, name: string): number {
  const index = table.features.indexOf(name);
  if (index < 0) throw new Error(`there is no column named ${name}`);
  return index;
}
